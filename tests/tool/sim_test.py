"""`clothc sim` and `clothc info`: their reports, and that the same scene gives the same files and hash."""
import json
import os
import pty
import signal
import subprocess
import sys
import time

from running import PROJECT, clothc, clothc_json, run_tests

SCENES = sorted((PROJECT / "scenes").glob("*.json"))
HEXADECIMAL = set("0123456789abcdef")


def small_scene(folder, **fields):
    """Writes a scene with a sheet of 1 m that hangs from its top row."""
    sheet = {"columns": 12, "rows": 12, "width": 1, "height": 1}
    cloth = {"name": "sheet", "mesh": {"sheet": sheet}, "pins": [{"rows": [0]}], **fields}
    path = folder / "small.json"
    path.write_text(json.dumps({"frames": 120, "cloths": [cloth]}))
    return path


def test_info_names_the_cpu_and_says_why_others_are_absent(_):
    devices = clothc_json("info")["devices"]
    cpu = next(device for device in devices if device["backend"] == "cpu")
    assert cpu["available"] and cpu["isa"] in cpu["isas"] and cpu["threads"] >= 1 and cpu["strict_parity"]
    for device in devices:
        assert device["available"] or device["reason"], device
    assert "cpu" in clothc("info").stdout


def test_info_verifies_every_instruction_set_of_the_processor(_):
    isas = next(device for device in clothc_json("info")["devices"] if device["backend"] == "cpu")["isas"]
    devices = clothc_json("info", "--verify", "--backend", "cpu")["devices"]
    assert [device["device"] for device in devices] == [f"cpu 0, {isa}" for isa in isas], devices
    for device in devices:
        assert device["equal"] and not any(row["different_words"] for row in device["rows"]), device
        assert {row["form"] for row in device["rows"]} == {"pass", "program", "operation", "update"}, device
    assert "cuda" in clothc("info", "--verify", "--backend", "cuda", exit_code=2).stderr
    assert "--verify" in clothc("info", "--backend", "cpu", exit_code=2).stderr


def test_a_hanging_sheet_comes_to_rest_hardly_stretched(folder):
    report = clothc_json("sim", small_scene(folder, parameters={"damping": [0.9, 0.9, 0.9], "solver_frequency": 600}),
                         "--frames", 300)
    assert report["finite"] and report["frames"] == 300 and not report["warnings"]
    assert 0 <= report["max_stretch"] < 0.1, report["max_stretch"]
    assert report["kinetic_energy"] < 1e-3, report["kinetic_energy"]
    assert report["intersections"] == 0
    # The cloth does not collide with cloth.
    assert report["contacts"] is None
    assert len(report["hash"]) == 16 and set(report["hash"]) <= HEXADECIMAL


def test_the_hash_depends_on_nothing_but_the_scene(folder):
    scene = small_scene(folder)
    isas = next(d for d in clothc_json("info")["devices"] if d["backend"] == "cpu")["isas"]
    hashes = {clothc_json("sim", scene, "--frames", 10, *arguments)["hash"] for arguments in [
        [], ["--threads", "1"], ["--threads", "2"], ["--schedule", "cloth"], ["--schedule", "pass"],
        ["--out", folder / "out", "--png", "--width", "64", "--height", "36"],
        *(["--isa", isa] for isa in isas)]}
    assert len(hashes) == 1, hashes
    assert clothc_json("sim", scene, "--frames", 11)["hash"] not in hashes


def test_every_scene_runs_and_is_finite(folder):
    for scene in SCENES:
        report = clothc_json("sim", scene, "--frames", 20)
        assert report["finite"] and report["max_stretch"] < 0.5, (scene, report["max_stretch"])
        assert all(cloth["intersections"] == 0 for cloth in report["cloths"]), "no cloth goes through itself so early"


def test_edges_that_go_through_triangles_of_their_cloth_are_counted(folder):
    # A square in the plane z = 0, and an upright triangle two of whose sides go through it.
    (folder / "crossing.obj").write_text(
        "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -0.5 0.1 -0.5\nv 0.6 0.1 -0.5\nv 0.1 0.2 0.7\nf 1 2 3 4\nf 5 6 7\n")
    scene = folder / "crossing.json"
    scene.write_text(json.dumps({"frames": 1, "cloths": [
        {"name": one, "mesh": {"file": "crossing.obj", "translation": [at, 0, 0]}} for one, at in [("a", 0), ("b", 5)]]}))
    report = clothc_json("sim", scene)
    counts = [cloth["intersections"] for cloth in report["cloths"]]
    assert counts[0] >= 2 and counts[0] == counts[1] and report["intersections"] == sum(counts), report


def test_the_same_scene_gives_the_same_pictures(folder):
    scene = small_scene(folder)
    for name in ("a", "b"):
        clothc("sim", scene, "--frames", 8, "--out", folder / name, "--png", "--png-every", 4, "--width", 160,
               "--height", 90)
    names = sorted(p.name for p in (folder / "a").glob("*.png"))
    assert names == ["contact.png", "frame_0000.png", "frame_0004.png", "frame_0008.png"]
    for name in names:
        data = (folder / "a" / name).read_bytes()
        assert data.startswith(b"\x89PNG") and data == (folder / "b" / name).read_bytes()


def test_gravity_keyframes_and_moving_pins_act(folder):
    still = clothc_json("sim", small_scene(folder), "--frames", 10)["hash"]
    keys = [{"frame": 0, "gravity": [0, -9.81, 0]}, {"frame": 10, "gravity": [5, -9.81, 0]}]
    motion = [{"frame": 0}, {"frame": 10, "translation": [0.2, 0, 0], "scale": [0.5, 1, 1]}]
    assert clothc_json("sim", small_scene(folder, gravity_keyframes=keys), "--frames", 10)["hash"] != still
    moved = small_scene(folder, pins=[{"rows": [0], "every": 11, "motion": motion}])
    clothc("sim", moved, "--frames", 12, "--out", folder / "out", "--every", 12)
    lines = (folder / "out" / "sheet_0012.obj").read_text().splitlines()[1:13]
    assert [float(x) for x in lines[0].split()[1:]] == [0.2, 0, 0] or abs(float(lines[0].split()[1]) - 0.2) < 1e-6
    assert abs(float(lines[11].split()[1]) - 0.7) < 1e-6


def test_an_interrupt_leaves_whole_files(folder):
    out = folder / "out"
    process = subprocess.Popen([sys.argv[1], "sim", str(SCENES[0]), "--frames", "100000", "--format", "pc2", "--out",
                                str(out), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list(out.glob("*.pc2.partial")) and process.poll() is None:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 1 and "interrupted after" in stderr
    report = json.loads(stdout)
    assert report["interrupted"] and report["frames"] < 100000
    assert not list(out.glob("*.partial")) and len(list(out.glob("*.pc2"))) == len(report["cloths"])


def test_progress_is_shown_on_a_terminal_only(folder):
    scene = small_scene(folder)
    assert "left" not in clothc("sim", scene, "--frames", 5).stderr
    controller, terminal = pty.openpty()
    subprocess.run([sys.argv[1], "sim", str(scene), "--frames", "5"], stdout=subprocess.DEVNULL, stderr=terminal,
                   check=True)
    os.close(terminal)
    assert b"ms/frame" in os.read(controller, 4096)
    os.close(controller)


run_tests(dict(globals()))
