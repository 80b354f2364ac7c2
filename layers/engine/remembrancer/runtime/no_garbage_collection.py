"""Imported first by functions that warm an instance: nothing is collected until `Instance.warm` is done.

Nearly all that a start makes stays, so collections look in vain: that is a tenth of the imports' time.
"""

import gc

gc.disable()
