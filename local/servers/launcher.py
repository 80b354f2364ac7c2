"""Gives up root, arranges to be ended with its parent, then executes another program in its own process.

Run as a script with one argument, a JSON object: `parent` (process id), `death_signal`, `account` ([uid, gid] or null),
`reach` (paths the program must be able to open), `niceness` and `arguments`. It is a program of its own because code
between fork and exec of a process with threads may deadlock. Standard library only, and little of it: it runs at every
start.
"""

import ctypes
import json
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_SECUREBITS = 28
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_SECBIT_NO_SETUID_FIXUP = 1 << 2
_CAPABILITY_VERSION_3 = 0x20080522
_CAP_DAC_OVERRIDE = 1 << 1  # opens everything
_CAP_DAC_READ_SEARCH = 1 << 2  # reads files and searches directories; not in the default set of containers


def main() -> None:
    """Replaces this process by the program of `arguments`; never returns."""
    launch = json.loads(sys.argv[1])
    os.nice(launch["niceness"])
    if launch["account"] is not None:
        user, group = launch["account"]
        _become(user, group, launch["reach"])
    if sys.platform == "linux":
        # After the change of user, which clears the death signal.
        _prctl(_PR_SET_PDEATHSIG, launch["death_signal"])
    if os.getppid() != launch["parent"]:
        sys.exit("the parent process has gone")
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    # A shell's background job ignores it, and hands that down.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(launch["arguments"][0], launch["arguments"])


def _become(user: int, group: int, reach: list[str]) -> None:
    """Changes to the account without capabilities; keeps one if it cannot open the paths, e.g. in root's home."""
    if _reaches(user, group, reach):
        _change_user(user, group)
        return
    for capability in (_CAP_DAC_READ_SEARCH, _CAP_DAC_OVERRIDE) if sys.platform == "linux" else ():
        if _permitted_capabilities() & capability:
            # Otherwise the change of user removes all capabilities, and access(2) ignores them.
            _prctl(_PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP)
            _change_user(user, group)
            _set_capabilities(capability)
            _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability.bit_length() - 1)
            return
    sys.exit(f"user {user} cannot reach {', '.join(reach)}: use a directory that every user may search")


def _reaches(user: int, group: int, paths: list[str]) -> bool:
    child = os.fork()
    if child == 0:
        _change_user(user, group)
        os._exit(0 if all(os.access(path, os.R_OK | os.X_OK) for path in paths) else 1)
    return os.waitpid(child, 0)[1] == 0


def _change_user(user: int, group: int) -> None:
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def _permitted_capabilities() -> int:
    """The permitted capabilities with numbers below 32, as bits."""
    sets = (_Sets * 2)()
    _call("capget", ctypes.byref(_Header(_CAPABILITY_VERSION_3, 0)), sets)
    return int(sets[0].permitted)


def _set_capabilities(bits: int) -> None:
    """Sets the permitted, effective and inheritable capabilities to `bits`."""
    sets = (_Sets * 2)(_Sets(bits, bits, bits), _Sets(0, 0, 0))
    _call("capset", ctypes.byref(_Header(_CAPABILITY_VERSION_3, 0)), sets)


def _prctl(option: int, *arguments: int) -> None:
    padded = (*arguments, 0, 0, 0, 0)[:4]
    _call("prctl", ctypes.c_int(option), *map(ctypes.c_ulong, padded))


def _call(function: str, *arguments: object) -> None:
    if getattr(_c, function)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{function}: {os.strerror(number)}")


_c = ctypes.CDLL(None, use_errno=True)

main()
