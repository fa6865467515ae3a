"""python3 -m phiflex.experiments: what `phiflex reproduce` starts."""

import sys

from .command import main

sys.exit(main(sys.argv[1:]))
