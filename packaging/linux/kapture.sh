#!/bin/sh
# Starts Kapture Panel with the Python beside this file. What the environment says of another Python is not for this one.
here=$(readlink -f "$0") && here=${here%/*}
unset PYTHONHOME PYTHONPATH
export PYTHONNOUSERSITE=1
exec "$here/python3" -c 'import sys; from kapture_panel.cli import main; sys.exit(main())' "$@"
