"""Which formats there are, as the package tells. glTF is left to Blender's own importer and exporter."""

from functools import lru_cache

import maquette

BLENDERS_OWN = "gltf"


class Format:
    """One row of the package's table."""

    def __init__(self, row):
        self.id = row["id"]
        self.name = row["name"]
        self.about = row["about"]
        self.endings = ["." + ending for ending in row["extensions"]]
        self.dialects = row["dialects"]
        self.holds = row["holds"]

    @property
    def is_model(self):
        return bool(self.holds["meshes"])

    @property
    def is_clip(self):
        """Whether it is animation alone, to be put onto a model."""
        return not self.holds["meshes"] and self.holds["clips"] != 0 and bool(self.holds["joints"])


@lru_cache(maxsize=None)
def table():
    return [Format(row) for row in maquette.formats() if row["id"] != BLENDERS_OWN]


def models():
    return [entry for entry in table() if entry.is_model]


def clips():
    return [entry for entry in table() if entry.is_clip]


def by_id(wanted):
    return next((entry for entry in table() if entry.id == wanted), None)


def endings(entries):
    return [ending for entry in entries for ending in entry.endings]


def pattern(entries):
    """The endings as Blender's file browser wants them."""
    return ";".join("*" + ending for ending in endings(entries))


def listed(entries):
    """The endings for people."""
    return ", ".join(endings(entries))
