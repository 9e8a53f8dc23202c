"""The commands on Vulkan: the same hashes and errors as on the processor, devices by index and UUID, update
counters.

Every Vulkan device that the loader finds is tested like index 0. Under ctest only Mesa's software driver is visible,
and the sweeps are short unless CLOTHC_LONG_TESTS is set."""
import os
import sys

from running import PROJECT, SKIPPED, clothc, clothc_json, run_tests

SCENES = sorted((PROJECT / "scenes").glob("*.json"))
REFERENCES = sorted((PROJECT.parent / "shared" / "reference" / "open").glob("*.json"))
SCHEDULES = ["cloth", "pass"]
ON_BOTH = ["--backends", "cpu,vulkan", "--isas", "auto", "--threads", 2]
LONG_FORM = "CLOTHC_LONG_TESTS" in os.environ


def vulkan_devices():
    return [device for device in clothc_json("info")["devices"] if device["backend"] == "vulkan"]


def test_scenes_have_the_hashes_of_the_processor(_):
    scenes = [*SCENES, "mixed200", "capsules50_ccd", "virtual50", "convex50", "triangles50_450"]
    comparison = clothc_json("compare", *scenes, *ON_BOTH, "--frames", 8 if LONG_FORM else 3)
    assert comparison["equal"] and len(comparison["scenes"]) == len(scenes), comparison
    for scene in comparison["scenes"]:
        hashes = scene["hashes"]
        assert set(hashes) == {"cpu/auto/cloth/2", "cpu/auto/pass/2", "vulkan/cloth", "vulkan/pass"}, hashes
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
        references = REFERENCES if LONG_FORM else REFERENCES[k::len(SCHEDULES)]
        for name, frames in errors(references, "vulkan", "--schedule", schedule).items():
            assert frames == expected[name], (name, schedule)


def test_a_device_goes_by_its_index_or_its_uuid(folder):
    report = [clothc_json("sim", SCENES[0], "--frames", 1, "--backend", "vulkan", "--device", name)
              for name in ["0", vulkan_devices()[0]["uuid"]]]
    assert report[0]["hash"] == report[1]["hash"] and report[1]["backend"] == "vulkan"
    printed = next(line.split()[1] for line in clothc("info").stdout.splitlines() if line.split()[0] == "UUID")
    assert printed.count("-") == 4 and printed.replace("-", "") == vulkan_devices()[0]["uuid"]
    names = clothc_json("compare", "sheet50", "--backends", f"vulkan:{printed}", "--frames", 1)["scenes"][0]["hashes"]
    assert set(names) == {f"vulkan:{printed}/cloth", f"vulkan:{printed}/pass"}, names


def test_a_device_that_is_not_here_is_bad_input(_):
    absent = "f" * 32
    for device in ["99", absent, "llvmpipe", "0" * 31, ""]:
        message = clothc("sim", SCENES[0], "--backend", "vulkan", "--device", device, exit_code=2).stderr
        assert (device or "''") in message, message


def test_a_backend_that_is_not_here_is_bad_input_with_its_reason(_):
    drivers = os.environ.pop("VK_ICD_FILENAMES", None)
    os.environ["VK_ICD_FILENAMES"] = "none"
    try:
        reason = vulkan_devices()[0]["reason"]
        message = clothc("compare", "sheet50", "--backends", "cpu,vulkan", "--frames", 1, exit_code=2).stderr
    finally:
        del os.environ["VK_ICD_FILENAMES"]
        if drivers is not None:
            os.environ["VK_ICD_FILENAMES"] = drivers
    assert reason and "'vulkan'" in message and reason in message, (reason, message)


def test_bench_counts_what_an_update_asks_of_the_device(_):
    few, many = clothc_json("bench", "cloths8x100", "cloths250x100", "--backend", "vulkan", "--repetitions", 5,
                            "--frames", 8)["results"]
    for result in [few, many]:
        assert result["threads"] is None and result["isa"] is None and result["submissions_per_update"] >= 1, result
        assert result["allocations_while_measured"] == 0, result
    for counter in ["submissions_per_update", "dispatches_per_update"]:
        assert few[counter] == many[counter], (counter, few[counter], many[counter])
    text = clothc("bench", "cloths8x100", "--backend", "vulkan", "--repetitions", 5, "--frames", 8).stdout
    assert "dispatches" in text and "isa" not in text, text


if __name__ == "__main__":
    devices = vulkan_devices()
    if not devices or not devices[0]["available"]:
        print("skipped:", devices[0]["reason"] if devices else "no Vulkan in this build")
        sys.exit(SKIPPED)
    run_tests(dict(globals()))
