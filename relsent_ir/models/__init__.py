"""Models on disk: folders that are read without running code, and a registry of model kinds."""

from relsent_ir.models.folders import (
    Columns,
    Stored,
    check_arrays,
    check_columns,
    check_folder,
    check_target,
    digest,
    figures,
    load_folder,
    pack_strings,
    read_array,
    save_folder,
    unpack_strings,
    write_array,
)
from relsent_ir.models.registry import FAMILIES, KINDS, default, load, packaged, plugins, save

__all__ = [
    "FAMILIES",
    "KINDS",
    "Columns",
    "Stored",
    "check_arrays",
    "check_columns",
    "check_folder",
    "check_target",
    "default",
    "digest",
    "figures",
    "load",
    "load_folder",
    "pack_strings",
    "packaged",
    "plugins",
    "read_array",
    "save",
    "save_folder",
    "unpack_strings",
    "write_array",
]
