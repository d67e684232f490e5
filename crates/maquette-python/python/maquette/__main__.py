"""The command: python -m maquette info fox.glb."""

import sys

from ._maquette import main as _run


def main() -> int:
    """Runs the command with the arguments of this program; its exit code."""
    return _run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
