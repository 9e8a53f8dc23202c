"""The commands on a backend for GPUs, which CLOTHC_TEST_BACKEND names: the same hashes and errors as on the processor,
devices by index and UUID, update counters.

Under ctest only a software device is visible, and the sweeps are short unless CLOTHC_LONG_TESTS is set."""
import os
import sys

from running import PROJECT, SKIPPED, clothc, clothc_json, run_tests

SCENES = sorted((PROJECT / "scenes").glob("*.json"))
REFERENCES = sorted((PROJECT.parent / "shared" / "reference" / "open").glob("*.json"))
SCHEDULES = ["cloth", "pass"]
BACKEND = os.environ.get("CLOTHC_TEST_BACKEND", "vulkan")
# The environment variable that hides the backend's driver, and the value that does.
HIDDEN = {"vulkan": ("VK_ICD_FILENAMES", "none"), "cuda": ("CLOTHC_CUDA_LIBRARY", "/nowhere/libcuda.so.1")}[BACKEND]
ON_BOTH = ["--backends", f"cpu,{BACKEND}", "--isas", "auto", "--threads", 2]
LONG_FORM = "CLOTHC_LONG_TESTS" in os.environ


def gpus():
    return [device for device in clothc_json("info")["devices"] if device["backend"] == BACKEND]


def test_scenes_have_the_hashes_of_the_processor(_):
    scenes = [*SCENES, "mixed200", "capsules50_ccd", "virtual50", "convex50", "triangles50_450"]
    comparison = clothc_json("compare", *scenes, *ON_BOTH, "--frames", 8 if LONG_FORM else 2)
    assert comparison["equal"] and len(comparison["scenes"]) == len(scenes), comparison
    for scene in comparison["scenes"]:
        hashes = scene["hashes"]
        assert set(hashes) == {"cpu/auto/cloth/2", "cpu/auto/pass/2", f"{BACKEND}/cloth", f"{BACKEND}/pass"}, hashes
        assert len(set(hashes.values())) == 1, hashes


def test_references_have_the_errors_of_the_processor(_):
    if not REFERENCES:
        print("no references are here")
        return

    def errors(references, *options):
        document = clothc_json("replay", "--skip-unsupported", "--backend", *options, *references)
        assert document["pass"] and any(reference["pass"] for reference in document["references"])
        assert {reference["backend"] for reference in document["references"]} == {options[0]}
        return {reference["name"]: reference["frames"] for reference in document["references"]}

    expected = errors(REFERENCES, "cpu")
    for k, schedule in enumerate(SCHEDULES):
        references = REFERENCES if LONG_FORM else REFERENCES[k::3 * len(SCHEDULES)]
        for name, frames in errors(references, BACKEND, "--schedule", schedule).items():
            assert frames == expected[name], (name, schedule)


def test_info_verifies_the_driver(_):
    (device,) = clothc_json("info", "--verify", "--backend", BACKEND, "--device", 0)["devices"]
    assert device["equal"] and len(device["rows"]) > 150, device
    forms = {row["form"] for row in device["rows"]}
    assert forms == {"pass", "program", "larger program", "operation", "update"}, forms


def test_a_device_goes_by_its_index_or_its_uuid(folder):
    report = [clothc_json("sim", SCENES[0], "--frames", 1, "--backend", BACKEND, "--device", name)
              for name in ["0", gpus()[0]["uuid"]]]
    assert report[0]["hash"] == report[1]["hash"] and report[1]["backend"] == BACKEND
    uuid = gpus()[0]["uuid"]
    printed = next(word for word in clothc("info").stdout.split() if word.replace("-", "") == uuid)
    assert printed.count("-") == 4
    names = clothc_json("compare", "sheet50", "--backends", f"{BACKEND}:{printed}", "--frames", 1)["scenes"][0]["hashes"]
    assert set(names) == {f"{BACKEND}:{printed}/cloth", f"{BACKEND}:{printed}/pass"}, names


def test_a_device_that_is_not_here_is_bad_input(_):
    absent = "f" * 32
    for device in ["99", absent, "llvmpipe", "0" * 31, ""]:
        message = clothc("sim", SCENES[0], "--backend", BACKEND, "--device", device, exit_code=2).stderr
        assert (device or "''") in message, message


def test_a_backend_that_is_not_here_is_bad_input_with_its_reason(_):
    variable, hidden = HIDDEN
    drivers = os.environ.pop(variable, None)
    os.environ[variable] = hidden
    try:
        reason = gpus()[0]["reason"]
        message = clothc("compare", "sheet50", "--backends", f"cpu,{BACKEND}", "--frames", 1, exit_code=2).stderr
    finally:
        del os.environ[variable]
        if drivers is not None:
            os.environ[variable] = drivers
    assert reason and f"'{BACKEND}'" in message and reason in message, (reason, message)


def test_bench_counts_what_an_update_asks_of_the_device(_):
    many_cloths = "cloths250x100" if LONG_FORM else "cloths60x100"
    few, many = clothc_json("bench", "cloths8x100", many_cloths, "--backend", BACKEND, "--repetitions", 5, "--frames",
                            8)["results"]
    for result in [few, many]:
        assert result["threads"] is None and result["isa"] is None and result["submissions_per_update"] >= 1, result
        assert result["allocations_while_measured"] == 0, result
    for counter in ["submissions_per_update", "dispatches_per_update"]:
        assert few[counter] == many[counter], (counter, few[counter], many[counter])
    text = clothc("bench", "cloths8x100", "--backend", BACKEND, "--repetitions", 5, "--frames", 8).stdout
    assert "dispatches" in text and "isa" not in text, text


if __name__ == "__main__":
    devices = gpus()
    if not devices or not devices[0]["available"]:
        print("skipped:", devices[0]["reason"] if devices else "the backend is not in this build")
        sys.exit(SKIPPED)
    run_tests(dict(globals()))
