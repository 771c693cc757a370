"""``python -m relsent_ir``: the same as ``relsent-ir``."""

import sys

from relsent_ir.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
