"""`clothc record` and `clothc play`: programs in several languages give captures that play to the same hashes; what
differs is told; damaged captures are refused and never crash the player.

With CLOTHC_TEST_BACKEND, captures made on the processor are played on that backend instead."""
import json
import os
import random
import resource
import struct
import subprocess
import sys
import zlib

from captures import DEFLATED, HEADER, RAW, Capture
from running import PROJECT, SKIPPED, clothc, clothc_json, run_tests

BACKEND = os.environ.get("CLOTHC_TEST_BACKEND", "cpu")
PROGRAM = os.environ["CLOTHC_RECORDED_PROGRAM"]
FLAG = os.environ["CLOTHC_FLAG"]
LIBRARY = os.environ["CLOTHC_LIBRARY"]
SANITIZED = "CLOTHC_SANITIZED" in os.environ
SCENES = PROJECT / "scenes"
# Software devices are slow.
FRAMES = 15 if BACKEND == "cpu" else 2
# Finds functions with dlsym, as bindings do.
CTYPES_PROGRAM = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
desc, device = ctypes.create_string_buffer(104), ctypes.c_void_p()
assert library.clothc_struct_init(1, desc, 104) == 0
ctypes.cast(desc, ctypes.POINTER(ctypes.c_uint32))[1] = 1
assert library.clothc_device_create(desc, ctypes.byref(device)) == 0
assert library.clothc_device_destroy(device) == 0
"""
# Copies its own capture while it runs.
COPYING_PROGRAM = CTYPES_PROGRAM.replace("assert library.clothc_device_destroy",
                                         "import shutil; shutil.copy(*sys.argv[2:])\nassert library.clothc_device_destroy")


def record(folder, *program, exit_code=0, options=()):
    """Records a program that runs on the processor; returns the capture and what the program printed."""
    path = folder / "program.capture"
    process = clothc("record", *options, path, "--", *program, exit_code=exit_code)
    return path, process.stdout.split()


def play(path, *options, exit_code=0):
    return clothc_json("play", path, "--backend", BACKEND, *options, exit_code=exit_code)


def hashes_in(path):
    return [f"{struct.unpack_from('<Q', e.data, 8)[0]:016x}" for e in Capture(path.read_bytes()).of("hash")]


def written(folder, capture):
    path = folder / "changed.capture"
    path.write_bytes(capture.encoded())
    return path


def small_scene(folder):
    sheet = {"columns": 6, "rows": 6, "width": 1, "height": 1}
    path = folder / "small.json"
    path.write_text(json.dumps({"frames": 5, "cloths": [{"mesh": {"sheet": sheet}, "pins": [{"rows": [0]}]}]}))
    return path


def small_capture(folder):
    return record(folder, sys.argv[1], "sim", small_scene(folder), "--backend", "cpu", options=["--hash-every", 1])[0]


def check_task(folder, task, solvers=1):
    path, printed = record(folder, PROGRAM, task)
    report = play(path)
    assert report["equal"] and report["complete"] and report["solvers"] == solvers, report
    assert set(printed) <= set(hashes_in(path)) and len(printed) == solvers, (printed, hashes_in(path))
    return report


def test_scenes_play_to_the_hash_of_the_simulation(folder):
    # Those of `./dev demo`; with sanitizers, two of them.
    for scene in sorted(SCENES.glob("*.json")):
        name = scene.stem
        if SANITIZED and name not in ("banner", "towels"):
            continue
        program = [sys.argv[1], "sim", scene, "--frames", FRAMES, "--backend", "cpu", "--json"]
        path = folder / f"{name}.capture"
        simulated = json.loads(clothc("record", "--hash-every", FRAMES - 1, path, "--", *program).stdout)
        for schedule in ["cloth", "pass"] if BACKEND == "cpu" and name in ("banner", "towels") else ["auto"]:
            report = play(path, "--schedule", schedule)
            assert report["equal"] and report["updates"] == FRAMES and report["hashes"] >= 2, report
            assert report["cloths"] >= (3 if name == "towels" else 1) and report["backend"] == BACKEND, report
            assert hashes_in(path)[-1] == simulated["hash"]


def test_text_says_what_was_played(folder):
    text = clothc("play", record(folder, FLAG, 5)[0], "--backend", BACKEND).stdout
    assert "5 updates, 1 solvers, 1 cloths" in text and "equal: 1 state hashes" in text, text


def test_an_example_plays_to_the_hash_that_it_prints(folder):
    path, printed = record(folder, FLAG, FRAMES)
    assert play(path)["equal"] and hashes_in(path)[-1] == printed[-1]


def test_updates_limits_what_is_played(folder):
    report = play(record(folder, FLAG, 25)[0], "--updates", 10)
    assert report["updates"] == 10 and report["hashes"] == 1 and report["equal"], report


def test_programs_that_open_the_library_themselves_are_recorded(folder):
    if SANITIZED:
        return  # The interpreter has no sanitizer, which the library needs.
    path, _ = record(folder, sys.executable, "-c", CTYPES_PROGRAM, LIBRARY)
    report = play(path)
    assert report["calls"] == 2 and report["devices"] == 1 and report["equal"], report


def test_memory_of_the_program_is_part_of_the_capture(folder):
    check_task(folder, "wrapped")
    assert Capture((folder / "program.capture").read_bytes()).of("contents", "clothc_solver_set")


def test_mapped_memory_is_part_of_the_capture(folder):
    check_task(folder, "mapped")
    assert Capture((folder / "program.capture").read_bytes()).of("contents", "clothc_buffer_unmap")


def test_buffers_in_place_of_others_are_recorded_as_what_they_are(folder):
    check_task(folder, "replacements")
    capture = Capture((folder / "program.capture").read_bytes())
    assert len(capture.of("call", "clothc_buffer_create")) == 2 and not capture.of("call", "clothc_vulkan_buffer_create")
    assert len(capture.of("contents", "clothc_buffer_unmap")) >= 12


def test_threads_and_fences_play_in_order(folder):
    report = check_task(folder, "threads", solvers=2)
    assert report["updates"] == 31, report


def test_a_fence_that_nothing_raises_is_raised_by_the_player(folder):
    capture = Capture(record(folder, PROGRAM, "threads")[0].read_bytes())
    capture.events = [e for e in capture.events if e.function != "clothc_fence_signal"]
    report = play(written(folder, capture))
    assert report["equal"] and any("raised" in message for message in report["messages"]), report


def test_a_child_process_is_not_recorded(folder):
    check_task(folder, "fork")


def test_failures_are_recorded_with_their_messages_and_exit_code(folder):
    path, printed = record(folder, PROGRAM, "failures", exit_code=3)
    report = play(path)
    results = {failure["function"]: failure["result"] for failure in report["failures"]}
    assert report["failed_calls"] == 5 and results["clothc_cloth_add"] == "CLOTHC_ERROR_CAPACITY", report
    assert results["clothc_fabric_cook"] == "CLOTHC_ERROR_INVALID_ARGUMENT", report
    assert "1099511627776" in report["failures"][-1]["message"], report
    # The program reads the message of its last failure after calls of the recorder.
    assert printed[1].startswith("mesh_desc.vertex_count"), printed


def test_another_result_is_a_difference(folder):
    capture = Capture(record(folder, PROGRAM, "failures", exit_code=3)[0].read_bytes())
    next(e for e in capture.of("call", "clothc_cloth_add") if e.result < 0).result = -1
    difference = play(written(folder, capture), exit_code=1)["call_difference"]
    assert difference["function"] == "clothc_cloth_add" and difference["replayed"] == "CLOTHC_ERROR_CAPACITY", difference


def test_a_crash_leaves_all_calls_before_it(folder):
    path, _ = record(folder, PROGRAM, "crash", exit_code=128 + 11)
    report = play(path)
    assert report["updates"] == 7 and report["equal"] and not report["complete"], report


def test_a_capture_is_complete_while_its_program_runs_and_compressed_afterwards(folder):
    if SANITIZED:
        return
    path = folder / "program.capture"
    clothc("record", path, "--", sys.executable, "-c", COPYING_PROGRAM, LIBRARY, path, folder / "copy.capture")
    assert Capture(path.read_bytes()).blocks == [DEFLATED]
    copy = folder / "copy.capture"
    assert set(Capture(copy.read_bytes()).blocks) == {RAW}
    report = play(copy)
    assert report["calls"] == 1 and not report["complete"] and report["equal"], report


def test_a_changed_byte_makes_another_hash(folder):
    capture = Capture(small_capture(folder).read_bytes())
    mesh = capture.of("call", "clothc_fabric_cook")[0]
    # The last coordinates of the positions: 36 times 12 bytes behind the struct and the size of the array.
    at = mesh.data.index(struct.pack("<Q", 36 * 12)) + 8 + 36 * 12 - 1
    mesh.data = mesh.data[:at] + bytes([mesh.data[at] ^ 0x01]) + mesh.data[at + 1 :]
    path = written(folder, capture)
    difference = play(path, exit_code=1)["hash_difference"]
    assert difference["update"] == 1 and difference["cloths"] == 1, difference
    assert difference["recorded"] == hashes_in(path)[0] != difference["replayed"], difference
    text = clothc("play", path, "--backend", BACKEND, exit_code=1).stdout
    assert "NOT EQUAL: after update 1 of solver 1" in text and difference["replayed"] in text, text


def test_hashes_are_recorded_as_often_as_asked(folder):
    for every, updates in [(1, 5), (0, 0), (3, 2)]:
        path, _ = record(folder, FLAG, 5, options=["--hash-every", every])
        # The flag asks for its hash at the end itself.
        counted = [struct.unpack_from("<Q", e.data, 16)[0] for e in Capture(path.read_bytes()).of("hash")]
        assert set(counted) == {1: {1, 2, 3, 4, 5}, 0: {5}, 3: {3, 5}}[every], (every, counted)


def test_bad_command_lines_are_refused(folder):
    precious = folder / "precious"
    precious.write_text("not a capture")
    assert "not a capture" in clothc("record", precious, "--", FLAG, exit_code=2).stderr
    assert precious.read_text() == "not a capture"
    assert "nowhere" in clothc("record", folder / "a.capture", "--", "./nowhere", exit_code=2).stderr
    assert "no call" in clothc("record", folder / "a.capture", "--", "/bin/true", exit_code=1).stderr
    assert "cannot read" in clothc("play", folder / "nothing.capture", exit_code=2).stderr


def test_foreign_and_newer_files_are_refused(folder):
    path = folder / "foreign.capture"
    for data in [b"", b"glTF" * 100, bytes(100)]:
        path.write_bytes(data)
        assert "is not a capture" in clothc("play", path, exit_code=2).stderr
    data = bytearray(small_capture(folder).read_bytes())
    struct.pack_into("<I", data, 8, 99)
    path.write_bytes(data)
    assert "format 99" in clothc("play", path, exit_code=2).stderr


def test_a_call_of_a_newer_version_is_named(folder):
    capture = Capture(small_capture(folder).read_bytes())
    head = capture.head.replace(b"clothc_fabric_cook\0", b"clothc_fabric_knit\0")
    zeroed = head[:24] + bytes(4) + head[28:]
    capture.head = head[:24] + struct.pack("<I", zlib.crc32(zeroed)) + head[28:]
    capture.names = [name.replace("cook", "knit") for name in capture.names]
    for event in capture.events:
        event.function = event.function.replace("fabric_cook", "fabric_knit")
    assert "clothc_fabric_knit" in clothc("play", written(folder, capture), exit_code=2).stderr


def exit_code_of(path):
    """Plays with little memory, because changed numbers of elements may ask for much. Returns the code and messages."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    limited = None if SANITIZED else limit
    process = subprocess.run([sys.argv[1], "play", path, "--backend", BACKEND], preexec_fn=limited, capture_output=True,
                             timeout=120, check=False)
    assert process.returncode in (0, 1, 2), (process.returncode, process.stdout, process.stderr)
    return process.returncode, process.stderr.decode(errors="replace")


def test_truncated_and_flipped_captures_are_refused_with_a_place(folder):
    data = small_capture(folder).read_bytes()
    path = folder / "damaged.capture"
    choose = random.Random(1)
    for _ in range(25):
        path.write_bytes(data[: choose.randrange(HEADER.size, len(data))])
        code, message = exit_code_of(path)
        # The end of the names is where a capture without events would end.
        assert code == 2 and "is damaged at byte" in message or len(path.read_bytes()) == len(Capture(data).head), message
        at = choose.randrange(8, len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << choose.randrange(8)]) + data[at + 1 :])
        code, message = exit_code_of(path)
        assert code == 2 and ("damaged" in message or "format" in message or "bits" in message), (at, code, message)


def test_what_is_before_the_damage_is_played(folder):
    path, _ = record(folder, PROGRAM, "crash", exit_code=128 + 11)
    capture = Capture(path.read_bytes())
    path.write_bytes(capture.encoded() + b"more")
    report = play(path, exit_code=2)
    assert report["updates"] == 7 and "is damaged at byte" in report["damage"] and report["equal"], report


def test_changed_events_with_right_checksums_never_crash(folder):
    capture = Capture(small_capture(folder).read_bytes())
    events = list(capture.events)
    choose = random.Random(2)
    codes = set()
    for _ in range(60):
        capture.events = list(events)
        index = choose.choice([i for i, event in enumerate(events) if event.data])
        event = events[index]
        data = bytearray(event.data)
        # Counts and sizes are near the begin of arguments.
        for _ in range(choose.randrange(1, 4)):
            data[choose.randrange(min(len(data), choose.choice([40, 10000])))] = choose.choice([0, 1, 255, choose.randrange(256)])
        if choose.randrange(4) == 0:
            del data[choose.randrange(len(data)) :]
        capture.events[index] = type(event)(event.kind, event.function, event.result, event.thread, bytes(data))
        codes.add(exit_code_of(written(folder, capture))[0])
    assert 2 in codes and 1 in codes, codes


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        print("skipped: programs can be recorded only on Linux")
        sys.exit(SKIPPED)
    tests = dict(globals())
    if BACKEND != "cpu":
        names = ["scenes_play_to", "an_example", "memory_of_the_program", "mapped_memory",
                 "buffers_in_place_of_others", "threads_and_fences", "a_changed_byte"]
        tests = {name: test for name, test in tests.items() if any(name.startswith(f"test_{n}") for n in names)}
        devices = [device for device in clothc_json("info")["devices"] if device["backend"] == BACKEND]
        if not devices or not devices[0]["available"]:
            print("skipped:", devices[0]["reason"] if devices else "the backend is not in this build")
            sys.exit(SKIPPED)
    run_tests(tests)
