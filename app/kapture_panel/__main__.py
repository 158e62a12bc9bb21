"""`python -m kapture_panel` is the same as `kapture`."""

import sys

from kapture_panel.cli import main

sys.exit(main())
