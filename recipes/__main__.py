"""``python -m recipes NAME [options]``: make a packaged model. Without a name, list the recipes."""

import sys
from importlib import import_module

from recipes import RECIPES
from relsent_ir.errors import RelsentError, UsageError


def main(arguments: list[str]) -> int:
    """Run a recipe, or list all of them; return the exit code."""
    if not arguments:
        for name, recipe in RECIPES.items():
            print(f"{name}\t{recipe.inputs}\t{recipe.licence}\t{recipe.minutes} min")
        return 0
    name, *options = arguments
    try:
        if name not in RECIPES:
            raise UsageError(f"no recipe {name!r}", fix=f"one of {', '.join(RECIPES)}")
        import_module(f"recipes.{name.replace('-', '_')}").main(options)
    except RelsentError as error:
        print(f"recipes: error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
