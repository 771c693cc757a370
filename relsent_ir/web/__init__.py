"""The reader's web page: sentences in their context (the extra ``relsent-ir[web]``)."""

from typing import TYPE_CHECKING

from relsent_ir.lazy import lazily

if TYPE_CHECKING:
    from relsent_ir.web.app import create_app
    from relsent_ir.web.settings import Settings

__getattr__ = lazily(__name__, {"app": ("create_app",), "settings": ("Settings",)})

__all__ = ["Settings", "create_app"]
