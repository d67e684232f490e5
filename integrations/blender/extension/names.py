"""Names that Blender can hold: short enough, and each once."""

import bpy

# Bytes of a name in this Blender; one is the end.
LONGEST = 254 if bpy.app.version >= (5, 0, 0) else 62
# Room for what is put behind a name: the armature's in 4.2, or a number.
ROOM = 12


def fitting(wanted, taken, fallback):
    """The name, cut and numbered where it must be."""
    base = cut(wanted or fallback, LONGEST - ROOM)
    name, turn = base, 2
    while name in taken:
        name, turn = f"{base}#{turn}", turn + 1
    taken.add(name)
    return name


def cut(text, most):
    """Not more bytes than that, at the end of a letter."""
    return text.encode()[:most].decode(errors="ignore")


def at_risk(names):
    """Which of some names of nodes Blender would not give back: too long, twice there, or none."""
    seen, risky = set(), []
    for index, name in enumerate(names):
        if not name or name in seen or len(name.encode()) > LONGEST:
            risky.append(index)
        seen.add(name)
    return risky
