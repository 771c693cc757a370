"""Models on disk: folders that are read without running code, and one registry of their kinds."""

from relsent_ir.models.arrays import (
    check_arrays,
    check_places,
    check_starts,
    read_array,
    take_space,
    write_array,
)
from relsent_ir.models.columns import Columns, check_columns, digest, figures
from relsent_ir.models.folders import (
    FORMAT,
    Stored,
    check_folder,
    check_target,
    load_folder,
    pack_strings,
    save_folder,
    unpack_strings,
)
from relsent_ir.models.registry import (
    FAMILIES,
    KINDS,
    Storable,
    default,
    load,
    packaged,
    plugins,
    save,
)

__all__ = [
    "FAMILIES",
    "FORMAT",
    "KINDS",
    "Columns",
    "Storable",
    "Stored",
    "check_arrays",
    "check_columns",
    "check_folder",
    "check_places",
    "check_starts",
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
    "take_space",
    "unpack_strings",
    "write_array",
]
