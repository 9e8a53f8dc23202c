"""bundle_test.py BUILD: packs what checks a GPU, and runs it in an empty folder with an environment that has little
more than the drivers: it needs no library that is not glibc's or its own, reports each step, goes on after a step that
fails, keeps its time, and says what is missing where there is no GPU."""
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(sys.argv[1]).resolve()
MOST_BYTES = 40_000_000
GLIBC = ("ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "linux-vdso")
# What names the drivers, and what makes Mesa's quick.
OF_DRIVERS = ("VK_", "CLOTHC_CUDA_", "LP_", "MESA_")
DRIVERS = {name: value for name, value in os.environ.items() if name.startswith(OF_DRIVERS)}
NO_DRIVERS = {"VK_ICD_FILENAMES": "none", "CLOTHC_CUDA_LIBRARY": "/nowhere/libcuda.so.1"}
PLAIN = {"PATH": "/usr/bin:/bin"}
BUDGET_S = 6
HANGING = """case $* in *list_tests*) printf 'A.\\n  b\\n  c\\n  d\\n'; exit ;; esac
echo '[==========] Running 3 tests from 1 test suite.'
echo '[ RUN      ] A.b'
echo '[       OK ] A.b (1 ms)'
echo '[ RUN      ] A.c'
sleep 60
"""


def run(bundle, *options, drivers, processors=None):
    """Runs the script of the bundle. Returns its exit status, how each step ended and what is said of it, the page, and
    the seconds that it took."""
    output = pathlib.Path(tempfile.mkdtemp(dir=bundle))
    command = [bundle / "run", "--output", output, *options]
    begin = time.monotonic()
    done = subprocess.run([str(word) for word in command], cwd="/", env=PLAIN | drivers, capture_output=True, text=True,
                          preexec_fn=(lambda: os.sched_setaffinity(0, processors)) if processors else None)
    seconds = time.monotonic() - begin
    lines = [path.read_text().rstrip("\n").split("\t") for path in sorted((output / "table").iterdir())]
    page = next(output.glob("*.md")).read_text()
    with tarfile.open(next(output.glob("*.tar.gz"))) as archive:
        assert any(name.startswith("logs/") for name in archive.getnames())
    print(done.stdout, done.stderr, f"{seconds:.1f} s", sep="\n", flush=True)
    for name, state, _, text in lines:
        assert f"| {name} |" in page and state in page and text in page, name
    return done.returncode, {name: (state, text) for name, state, _, text in lines}, page, seconds


def check_libraries(bundle):
    folders = f"{bundle}/lib:{bundle}/spare"
    environment = PLAIN | {"LD_LIBRARY_PATH": folders, "LD_TRACE_LOADED_OBJECTS": "1"}
    for program in (bundle / "bin").iterdir():
        listed = subprocess.run([program], env=environment, check=True, capture_output=True, text=True).stdout
        for line in listed.splitlines():
            name, _, place = line.strip().partition(" => ")
            assert place.startswith(str(bundle)) or pathlib.Path(name).name.startswith(GLIBC), (program.name, line)
    assert (bundle / "spare/libvulkan.so.1").exists()


def check_all_steps(bundle):
    status, steps, page, _ = run(bundle, "--quick", drivers=DRIVERS)
    ended = {name: state for name, (state, _) in steps.items()}
    assert status == 0 and set(ended.values()) <= {"passed", "skipped", "absent"}, ended
    for kind in ("golden", "scene", "bench", "api", "internal", "programs"):
        for backend in ("cuda", "vulkan"):
            of_kind = [state for name, state in ended.items() if name.startswith(f"{kind}-{backend}")]
            assert of_kind and set(of_kind) == {"passed"}, (kind, backend, of_kind)
    tests = [text for name, (_, text) in steps.items() if name.startswith("dialect-vulkan")]
    assert len(tests) == 3 and "1 of 1 tests passed" in tests, tests
    assert "| sheet50 | cuda | 2500 |" in page and "| sheet50 | vulkan | 2500 |" in page, page


def plant(bundle, program, text):
    (bundle / "bin" / program).write_text("#!/bin/sh\n" + text)


def check_failures(bundle):
    """On one processor a step fails, the next passes, and one hangs in its second test for as long as it can."""
    plant(bundle, "clothc_golden", "echo cape differs by frame 9; exit 1\n")
    plant(bundle, "clothc_api_tests", HANGING)
    only = [word for name in ("machine", "golden-cuda", "api", "internal-cuda") for word in ("--only", name)]
    processor = {min(os.sched_getaffinity(0))}
    status, steps, page, seconds = run(bundle, "--quick", "--minutes", BUDGET_S / 60, *only, drivers=DRIVERS,
                                       processors=processor)
    assert status == 1 and seconds < BUDGET_S + 10, (status, seconds)
    assert steps["machine"][0] == "passed"
    assert steps["golden-cuda-flag"] == ("failed", "cape differs by frame 9"), steps
    assert steps["api-cuda-1of1"] == ("timed out", "1 of 3 tests passed, 2 did not end, the first of them A.c"), steps
    assert steps["internal-cuda"][0] == steps["api-vulkan-1of1"][0] == "not run", steps
    assert "## golden-cuda-flag\n" in page and "## api-cuda-1of1\n" in page, page


def check_no_devices(bundle):
    status, steps, _, _ = run(bundle, "--quick", "--only", "machine", "--only", "golden", drivers=NO_DRIVERS)
    assert status == 1, steps
    for backend in ("cuda", "vulkan"):
        state, reason = steps[f"golden-{backend}"]
        assert state == "absent" and ("libcuda" if backend == "cuda" else "vkCreateInstance") in reason, steps


def check_bad_options(bundle):
    bad = [(["--only", "nonsense"], "golden-cuda"), (["--minutes", "soon"], "soon"), (["--fast"], "usage")]
    for options, said in bad:
        done = subprocess.run([bundle / "run", "--output", bundle / "bad", *options], env=PLAIN | NO_DRIVERS,
                              capture_output=True, text=True)
        assert done.returncode == 2 and said in done.stderr, (options, done)


if not (BUILD / "tests/parity/dialect/spirv").is_dir():
    print("skipped: the shaders are not compiled (ctest -R dialect_glsl makes them)")
    sys.exit(77)
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    packed = folder / "packed.tar.gz"
    subprocess.run([PROJECT / "bench/gpu/pack", BUILD, "--bundle", packed], check=True)
    assert packed.stat().st_size <= MOST_BYTES, packed.stat().st_size
    with tarfile.open(packed) as archive:
        archive.extractall(folder)
    unpacked = folder / "clothc-gpu"
    check_libraries(unpacked)
    check_all_steps(unpacked)
    check_no_devices(unpacked)
    check_bad_options(unpacked)
    check_failures(unpacked)
