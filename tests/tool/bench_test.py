"""Names of benchmark cases, and the output of bench/run and bench/plot."""
import csv
import functools
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from running import PROJECT, clothc, clothc_json, run_tests

SHORT = ("--repetitions", 5, "--frames", 8)
OUTPUT = tempfile.TemporaryDirectory()
RESULTS = pathlib.Path(OUTPUT.name) / "results"
SVG = "{http://www.w3.org/2000/svg}"


def bench(*cases):
    return clothc_json("bench", *cases, *SHORT)["results"]


def script(name, *arguments):
    return subprocess.run([sys.executable, PROJECT / "bench" / name, *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def has_matplotlib():
    try:
        import matplotlib  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        print("skipped: plots, as matplotlib is not here")
        return False
    return True


@functools.cache
def quick_run():
    """Measures into RESULTS and returns the rows of the table. The first caller waits for the measurement."""
    process = script("run", sys.argv[1], "--quick", "--output", RESULTS, "--name", "Test machine (1)")
    plots_missing = process.returncode == 1 and "install python3-matplotlib" in process.stderr
    assert process.returncode == 0 or plots_missing, process.stdout + process.stderr
    with (RESULTS / "test-machine-1.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def svg_of(path):
    """Returns the picture and the names of its series."""
    text = path.read_text()
    assert len(text) < 60000, (path, len(text))
    assert "date>" not in text, "a date makes every picture differ"
    root = xml.etree.ElementTree.fromstring(text)
    return root, [group.get("id") for group in root.iter(SVG + "g") if group.get("id", "").startswith("series-")]


def texts_of(root):
    return " ".join("".join(text.itertext()).strip() for text in root.iter(SVG + "text"))


def test_patterns_name_sheets_and_many_cloths(_):
    sheet, one, three, capes, many = bench("sheet10", "cloths1x100", "cloths3x1000", "capes3", "many64x1000")
    assert (sheet["cloths"], sheet["particles"], sheet["iterations"]) == (1, 100, 4), sheet
    assert one["hash"] == sheet["hash"], "100 particles are 10 x 10, hung as sheets are"
    assert (three["cloths"], three["particles"]) == (3, 3000), three
    assert three["constraints"] / 3 == many["constraints"] / 64, "1000 particles are 25 x 40"
    assert (capes["cloths"], capes["constraints"]) == (3, three["constraints"]), "capes are 25 x 40"
    assert capes["hash"] != three["hash"], "capes lie on bodies"


def test_the_first_use_of_scenes_has_the_bits_of_their_other_uses(_):
    scenes = ["sheet12", "every50", PROJECT / "scenes/flag.json"]
    starts = clothc_json("bench", "--start", *scenes, "--frames", 8)["starts"]
    assert [start["scene"] for start in starts] == ["sheet12", "every50", "flag"], starts
    for scene, start in zip(scenes, starts):
        assert start["ready_ms"] >= start["steps_ms"]["first frame"] > 0, start
        assert start["worst_ms"] >= start["median_ms"] > 0 and 2 <= start["worst_frame"] <= 9, start
    compared, = clothc_json("compare", scenes[0], "--frames", 9)["scenes"]
    assert set(compared["hashes"].values()) == {starts[0]["hash"]}, (compared, starts)
    assert starts[2]["hash"] in clothc("sim", scenes[2], "--frames", 9).stdout, starts


def test_the_first_use_is_not_measured_in_repetitions(_):
    message = clothc("bench", "--start", "--repetitions", 9, exit_code=2).stderr
    assert "--repetitions" in message and "--start" in message, message


def test_the_first_use_may_be_prepared_and_cached(folder):
    cache = folder / "compiled"
    first, = clothc_json("bench", "--start", "sheet12", "--frames", 8, "--cache", cache)["starts"]
    assert list(first["steps_ms"]) == ["device", "scene", "first frame"] and cache.stat().st_size > 0, first
    next_, = clothc_json("bench", "--start", "sheet12", "--frames", 8, "--cache", cache, "--prepare")["starts"]
    assert list(next_["steps_ms"]) == ["device", "load cache", "prepare", "scene", "first frame"], next_
    assert next_["hash"] == first["hash"], (first, next_)
    cache.write_bytes(b"no cache")
    process = clothc("bench", "--start", "sheet12", "--frames", 8, "--cache", cache)
    assert str(cache) in process.stderr and "load cache" in process.stdout, process
    assert "--start" in clothc("bench", "--prepare", exit_code=2).stderr


def test_frames_that_are_waited_for_have_the_same_bits(_):
    queued, = bench("sheet12")
    waited, = bench("sheet12", "--wait")
    assert queued["us_in_call"] is None and 0 < waited["us_in_call"], (queued, waited)
    assert waited["hash"] == queued["hash"] and waited["hash_frame"] == queued["hash_frame"], (queued, waited)
    alone, = bench("edges250", "--wait")
    assert alone["us_in_call"] > 0, alone
    assert "each frame waited for" in clothc("bench", "sheet12", *SHORT, "--wait").stdout


def test_memory_of_cloths_without_their_fabrics_is_bounded(_):
    sheet, shared = bench("sheet50", "shared64x1000")
    if not sheet["bytes_per_particle"]:
        print("skipped: memory, as this C library or sanitizer does not tell what is in use")
        return
    # 48 bytes are the state of a particle. With AVX-512, 33 are the rows of its lattice, and 36 its batches.
    has_lattice = sheet["isa"] == "avx512"
    assert 48 < sheet["bytes_per_particle"] <= (270 if has_lattice else 200), sheet
    assert 48 < shared["bytes_per_particle"] <= (100 if has_lattice else 60), shared
    assert 50 < sheet["fabric_bytes_per_particle"] <= 130, sheet


def test_timers_divide_an_update_into_parts_and_stages(_):
    plain, = bench("sheet12")
    timed, = bench("sheet12", "--timers")
    assert "timers" not in plain and plain["hash"] == timed["hash"], (plain, timed)
    timers = timed["timers"]
    assert timers["constraints"] == timed["constraints"] > 0 and timers["update"] > 0, timers
    # Levels are not counted, and constraints in rings and in the lattice each once.
    for name in ("sheet50", "taut50"):
        larger, = bench(name, "--timers")
        assert larger["timers"]["constraints"] == larger["constraints"], larger
    assert 0 < sum(timers["parts_ns"].values()) <= timers["total_ns"], timers
    assert timers["stages_ns"]["phases"] > 0 == timers["stages_ns"]["wind"], timers
    assert "stages:" in clothc("bench", "sheet12", *SHORT, "--timers").stdout


def test_compare_reproduces_cases_of_patterns(_):
    for name in ("sheet12", "cloths7x24"):
        frames = bench(name)[0]["hash_frame"]
        comparison = clothc_json("compare", name, "--frames", frames, "--threads", 1, "--isas", "scalar")["scenes"][0]
        assert comparison["equal"] and bench(name)[0]["hash"] in comparison["hashes"].values(), comparison


def test_numbers_without_a_case_say_which_have_one(_):
    for name, remedy in {
            "sheet9": "9 x 9 particles; use 10 to 2000 on a side",
            "sheet2001": "2001 x 2001 particles; use 10 to 2000 on a side",
            "cloths0x100": "0 cloths of 100 particles; use 1 to 10000 cloths",
            "cloths10001x4": "use 1 to 10000 cloths",
            "cloths2x3": "2 cloths of 3 particles; use 4 to 10000 particles each",
            "cloths2x101": "101 particles, which make no sheet at most 4 times as long as wide; use 100 each",
            "cloths2x9998": "use 9999 each",
            "cloths10000x2001": "use at most 20000000 in all",
            "capes0": "0 cloths; use 1 to 10000 cloths"}.items():
        for command in ("bench", "compare"):
            message = clothc(command, name, exit_code=2).stderr
            assert f"'{name}'" in message and remedy in message, message


def test_other_names_are_told_the_patterns(_):
    for name in ("sheet010", "cloths2", "cloths2x10x10", "capes", "sheet50 ", "sheet10000000000"):
        message = clothc("bench", name, exit_code=2).stderr
        assert f"'{name}' is not known" in message and "sheetN" in message and "clothsCxP" in message and "capesC" in message, message


def test_a_quick_run_has_every_sweep_and_its_plots(_):
    rows = quick_run()
    peers = [row for row in rows if row["sweep"] == "peers"]
    rows = [row for row in rows if row["sweep"] != "peers"]
    assert {row["sweep"] for row in rows} == {"particles", "threads", "cloths", "isa"}
    isas = next(device for device in clothc_json("info")["devices"] if device["backend"] == "cpu")["isas"]
    assert {row["isa"] for row in rows if row["sweep"] == "isa"} == set(isas)
    for row in rows:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]) and row["machine"] and row["clothc"], row
        assert re.fullmatch("[0-9a-f]{16}", row["hash"]), row
        for column in ("hardware_threads", "threads", "cloths", "particles", "constraints", "iterations", "repetitions",
                       "ns_per_constraint", "ms_per_frame_low", "ms_per_frame_high", "cpu_ms_per_frame", "triad_gb_per_s",
                       "add_ns", "frames_per_repetition", "max_stretch", "hash_frame"):
            assert math.isfinite(float(row[column])), (column, row)
        nanoseconds = 1e6 * float(row["ms_per_frame"]) / int(row["particles"]) / int(row["iterations"])
        assert abs(nanoseconds - float(row["ns_per_particle_iteration"])) <= 1e-4 * abs(nanoseconds), row
        assert bool(row["edge_ns"]) == bool(row["particle_iteration_in_e"]) == bool(row["constraint_in_e"]), row
    assert bool(peers) == pathlib.Path(sys.argv[1]).with_name("peer_bullet").is_file()
    for row in peers:
        assert row["backend"].startswith("bullet ") and row["hardware_threads"] == rows[0]["hardware_threads"], row
        same = next(other for other in rows if other["case"] == row["case"])
        assert all(row[column] == same[column] for column in ("particles", "constraints", "iterations")), (row, same)
        assert 0 < float(row["ns_per_particle_iteration"]) < math.inf, row
    if not has_matplotlib():
        return
    for sweep, series in {"particles": 1, "threads": 2, "cloths": 2, "isa": len(isas) + len(peers)}.items():
        root, names = svg_of(RESULTS / f"test-machine-1-{sweep}.svg")
        assert len(set(names)) == len(names) == series, (sweep, names)
        text = texts_of(root)
        for wanted in (rows[0]["machine"], rows[0]["date"], "clothc " + rows[0]["clothc"], " per particle and iteration"):
            assert wanted in text, (sweep, wanted, text)


def test_a_table_gives_the_same_plots_again(folder):
    if not has_matplotlib():
        return
    rows = quick_run()
    pictures = {path: path.read_bytes() for path in RESULTS.glob("*.svg")}
    assert len(pictures) == 4, pictures.keys()
    for path in pictures:
        path.unlink()
    process = script("plot", RESULTS / "test-machine-1.csv")
    assert process.returncode == 0, process.stderr
    assert all(path.read_bytes() == picture for path, picture in pictures.items())

    # Without values in units of E, nanoseconds are plotted. Missing sweeps are not plotted.
    particles = [{**row, "particle_iteration_in_e": ""} for row in rows if row["sweep"] == "particles"]
    write_rows(folder / "plain.csv", particles)
    assert script("plot", folder / "plain.csv").returncode == 0
    assert "ns per particle and iteration" in texts_of(svg_of(folder / "plain-particles.svg")[0])
    assert len(list(folder.glob("plain-*.svg"))) == 1


def test_what_is_not_there_is_said(folder):
    if has_matplotlib():
        (folder / "empty.csv").write_text("sweep,case\n")
        message = script("plot", folder / "empty.csv").stderr
        assert "empty.csv has no runs; write it with bench/run" in message, message
    message = script("run", folder / "nothing", "--quick").stderr
    assert "is not built" in message and "./dev build" in message, message


run_tests(dict(globals()))
