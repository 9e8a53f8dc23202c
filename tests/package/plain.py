# plain.py - says how the library is compiled in builds with the options of users, for tests that compare such builds.
# The reference is `cmake -S . -B build` without any option, whose sources units/check_units compiles.
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    """Runs a command, and returns what it prints. Ends the test if the command fails."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{result.stdout}{result.stderr}")
    return result.stdout


def configure(build, *options, source=ROOT):
    run("cmake", "-G", "Ninja", "-S", source, "-B", build, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options)


def commands(build, source=ROOT, prefix=""):
    """Returns how each source of the library is compiled. Paths within the source and the build do not matter, nor
    whether ptxas is here."""
    found = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if not entry["file"].startswith(f"{source}/src/"):
            continue
        command = entry["command"].replace(f"{build}/{prefix}", "BUILD/").replace(str(source), "SOURCE")
        words = [word for word in shlex.split(command) if not word.startswith("-DCLOTHC_NATIVE_")]
        output = words.index("-o")
        found.add(" ".join(words[:output] + words[output + 2:]))
    return found


def differences(found, expected, name):
    """Returns sentences about what is compiled otherwise than expected."""
    extra, missing = sorted(found - expected), sorted(expected - found)
    if not extra and not missing:
        return []
    return [f"{name} compiles {len(extra)} of {len(expected)} sources in another way than a plain build:",
            *extra[:1], *missing[:1]]
