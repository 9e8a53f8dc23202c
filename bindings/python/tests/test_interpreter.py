"""The interpreter ends with everything alive, loads the library again, forks, and is interrupted."""

import unittest

from support import environment, run_python

# A program with something of every kind.
ALIVE = """
import atexit, gc, threading, numpy, clothc
from support import hanging_sheet, processor, cook
device = processor()
solver, cloth = hanging_sheet(device, 30, 30)
buffer, other = clothc.Buffer(device, 900), clothc.Buffer(device, 900)
fence, fabric = clothc.Fence(device), cook(device)
cycle = [device, solver, buffer]
cycle.append(cycle)
for _ in range(3):
    solver.update()
solver.get(clothc.Channel.POSITION, buffer)
"""


class Interpreter(unittest.TestCase):
    def test_it_ends_with_everything_alive(self):
        for more in [
            "mapping = other.map(write=True); kept = __import__('sys').modules['kept'] = [device, solver, mapping]",
            "array = numpy.from_dlpack(other.map(write=True)); capsule = buffer.map(write=True).__dlpack__()",
            "class Late:\n  def __del__(self): print(array[-1, 3])\narray = other.map().array; late = Late()",
            "solver.update(wait=(fence, 1)); fence.signal(1); atexit.register(lambda: print(solver.info.update_count))",
            "threading.Thread(target=lambda: [solver.update() for _ in range(50)]).start()",
            "threading.Thread(target=lambda: solver.wait(), daemon=True).start()",
        ]:
            with self.subTest(more):
                run_python(ALIVE + more)

    def test_devices_are_destroyed_at_its_end_unless_an_array_has_their_memory(self):
        for more, is_destroyed in [("", True), ("array = other.map().array", False), ("mapping = other.map()", True)]:
            code = "import atexit; atexit.register(lambda: print(device.is_destroyed))\n" + ALIVE + more
            self.assertEqual(f"{is_destroyed}\n", run_python(code))

    def test_an_array_exists_until_the_last_code_that_may_use_it_has_run(self):
        code = """
import gc
from clothc import Backend, Buffer, Device
class Viewer:
    def __init__(self):
        self.device = Device(Backend.CPU, worker_count=1)
        self.array = Buffer(self.device, 1_000_000).map(write=True).array
        self.me = self
    def __del__(self):
        print(self.array[-1, 3], self.device.is_destroyed)
life = Viewer().device._life
gc.collect()
print(life.is_alive)
"""
        self.assertEqual("0.0 False\nFalse\n", run_python(code))

    def test_it_ends_with_an_update_that_waits_for_ever(self):
        run_python(ALIVE + "solver.update(wait=(fence, 1))")

    def test_the_library_is_unloaded_and_loaded_again(self):
        code = """
import _ctypes, gc, os, sys
def maps():
    with open("/proc/self/maps") as file:
        return file.read().count("libclothc")
def run():
    import support, clothc
    device = support.processor()
    solver, _ = support.hanging_sheet(device)
    for _ in range(5):
        solver.update()
    hash = solver.state_hash()
    device.destroy()
    library = clothc.raw.library.LIBRARY._handle
    for name in [name for name in sys.modules if name.split(".")[0] in ("clothc", "support")]:
        del sys.modules[name]
    return hash, library
hashes = set()
for _ in range(3):
    hash, library = run()
    hashes.add(hash)
    gc.collect()
    assert maps() > 0
    _ctypes.dlclose(library)
    assert maps() == 0, "the library is still there"
assert len(hashes) == 1
"""
        run_python(code)

    def test_a_missing_library_says_where_it_was_looked_for(self):
        with self.assertRaisesRegex(AssertionError, "ImportError: the library of clothc cannot be loaded: /nowhere.so"):
            run_python("import clothc", CLOTHC_LIBRARY="/nowhere.so")

    def test_a_child_process_has_devices_of_its_own(self):
        code = (
            ALIVE
            + """
import os
child = os.fork()
if child == 0:
    try:
        solver.update()
    except clothc.DeviceLost:
        other.destroy()
        del solver, cloth, buffer, fabric
        device.destroy()
        hanging_sheet(processor())[0].update()
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""
        )
        run_python(code)

    def test_the_library_is_the_one_that_the_environment_names(self):
        printed = run_python("import clothc; print(clothc.raw.library.LIBRARY._name)")
        self.assertEqual(environment("CLOTHC_LIBRARY"), printed.strip())


class Interrupts(unittest.TestCase):
    def test_a_wait_can_be_interrupted(self):
        code = """
import _thread, threading, clothc
from support import processor
device = processor()
fence = clothc.Fence(device)
threading.Timer(0.05, _thread.interrupt_main).start()
try:
    fence.wait(1)
except KeyboardInterrupt:
    print("interrupted")
"""
        self.assertEqual("interrupted\n", run_python(code))
