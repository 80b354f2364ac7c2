"""Disables garbage collection until `Instance.warm` is done; functions that warm an instance import this first.

Nearly all objects made at start stay alive, so collections would take a tenth of the import time and free nothing.
"""

import gc

gc.disable()
