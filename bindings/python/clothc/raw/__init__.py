"""clothc.raw - the C interface as it is: functions that take handles and return results, structs, and constants.

Nothing here checks results or keeps objects alive; package clothc does. It is for what that package leaves out, such as
an application's own allocator or task scheduler, whose callbacks have to be native code.
"""

from .enums import *  # noqa: F401,F403
from .functions import *  # noqa: F401,F403
from .record import Record as Record
from .structs import *  # noqa: F401,F403
