# kernel_list.py - the kernels of a .def file, with the channels' kernels expanded by the C preprocessor.
import pathlib
import re
import subprocess

root = pathlib.Path(__file__).resolve().parent.parent


def kernels(definitions):
    """Returns (name, scope, class, program) of each kernel, in order."""
    command = ["c++", "-E", "-P", "-x", "c++", f"-I{root / 'src'}",
               "-DCLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes)=@ name scope class_of_items program;", definitions]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [tuple(row.split()) for row in " ".join(text.split()).replace("@", "").split(";") if row.strip()]


def table_kernels():
    """Returns the names of the kernels that work on words of the tables by groups of threads, in order."""
    return re.findall(r"^CLOTHC_TABLE_KERNEL\((\w+)\)", (root / "src/backend_gpu/table_kernels.def").read_text(), re.M)


def riders():
    """Maps the name of each kernel that has a rider to the rider's name."""
    return {kernel: rider for rider, kernel in
            re.findall(r"^CLOTHC_RIDER\((\w+), (\w+)\)", (root / "src/kernels/riders.def").read_text(), re.M)}
