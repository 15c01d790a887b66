"""From numba's code of a kernel to WebAssembly.

Numba's LLVM code is taken before it is optimised (afterwards it may count in 64 bits), moved to
wasm32, joined with that of all other kernels, optimised by llvmlite's own LLVM, and linked by
the linker that comes with ziglang.
"""

import re
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import callconv, codegen, types
from numba.core.datamodel.packer import ArgPacker
from numba.core.registry import cpu_target

TRIPLE = "wasm32-unknown-emscripten"
# No more than Pyodide itself asks for.
FEATURES = ("bulk-memory", "mutable-globals", "nontrapping-fptoint", "sign-ext")
ZIG = (sys.executable, "-m", "ziglang")
BITS = {"next_uint64": "i64", "next_uint32": "i32", "next_double": "double"}


def leave_unoptimised():
    """From now on numba optimises nothing, and its errors do not name places on this machine."""
    codegen.CPUCodeLibrary._optimize_functions = lambda self, module: None
    codegen.CPUCodeLibrary._optimize_final_module = lambda self: None

    def without_place(self, exc, exc_args, loc, func_name):
        return exc, exc_args, None

    callconv.CPUCallConv.build_excinfo_struct = without_place


def target_machine():
    """LLVM's for code that a running program loads."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    features = ",".join(f"+{feature}" for feature in FEATURES)
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="mvp", features=features, opt=3, reloc="pic", codemodel="default"
    )


def describe_result(kind):
    """What `touchbook.page.wasm` is told of a kernel's result."""
    if isinstance(kind, types.BaseNamedTuple):
        made = kind.instance_class
        return {f"{made.__module__}:{made.__name__}": [describe_result(one) for one in kind]}
    if isinstance(kind, types.BaseTuple):
        return [describe_result(one) for one in kind]
    if isinstance(kind, types.NoneType):
        return "N"
    if isinstance(kind, types.Boolean):
        return "b"
    if isinstance(kind, types.Integer):
        return "i"
    if isinstance(kind, types.Float):
        return "f"
    if isinstance(kind, types.Array) and kind.layout == "C":
        return f"{np.dtype(str(kind.dtype)).str}{kind.ndim}"
    raise TypeError(f"a kernel returns {kind}")


class Entry:
    """A function of two addresses, arguments and result in words of 8 bytes, that calls a kernel.

    Attributes
    ----------
    name : str
        As it is exported.
    text : str
        LLVM's.
    n_words : int
        Of the result.
    """

    def __init__(self, name, compiled, signature):
        self.name = name
        self._lines, self._arguments, self._n_read = [], [], 0
        for one in signature:
            self._read(one)
        kind = compiled.signature.return_type
        model = cpu_target.target_context.data_model_manager.lookup(kind)
        nothing = isinstance(kind, types.NoneType)
        result = ir.IntType(8) if nothing else model.get_return_type()
        arguments = ", ".join(["ptr %own", "ptr %error", *self._arguments])
        self._lines += [
            f'%status = call i32 @"{compiled.fndesc.llvm_func_name}"({arguments})',
            "%failed = icmp sgt i32 %status, 0",
            "br i1 %failed, label %told, label %done",
            "told:",
            "%info = load ptr, ptr %error",
            "%place = ptrtoint ptr %info to i64",
            "store i64 %place, ptr %result",
            "ret i32 %status",
            "done:",
        ]
        self.n_words = 0
        if not nothing:
            self._lines.append(f"%value = load {_show(result)}, ptr %own")
            self._write(_show(result), result, ())
        self.n_words = max(self.n_words, 1)
        begin = [f"%own = alloca {_show(result)}", "%error = alloca ptr"]
        body = "\n".join([*begin, *self._lines, "ret i32 %status"])
        self.text = f"define i32 @{name}(ptr %block, ptr %result) {{\n{body}\n}}\n"

    def _read(self, kind):
        """Load the leaves of an argument, as numba passes them."""
        if isinstance(kind, types.BaseTuple):
            for one in kind:
                self._read(one)
            return
        packer = ArgPacker(cpu_target.target_context.data_model_manager, (kind,))
        is_generator = isinstance(kind, types.NumPyRandomGeneratorType)
        for i, leaf in enumerate(map(str, packer.argument_types)):
            n, leaf = self._n_read, "ptr" if leaf.endswith("*") else leaf
            if is_generator and 3 <= i < 6:
                self._lines.append(f"%a{n} = ptrtoint ptr @{list(BITS)[i - 3]} to i64")
            else:
                self._lines.append(f"%p{n} = getelementptr i8, ptr %block, i32 {8 * n}")
                self._lines.append(f"%a{n} = load {leaf}, ptr %p{n}")
            self._arguments.append(f"{leaf} %a{n}")
            self._n_read += 1

    def _write(self, whole, kind, path):
        """Store the leaves of the result."""
        if isinstance(kind, ir.LiteralStructType | ir.ArrayType):
            is_array = isinstance(kind, ir.ArrayType)
            parts = [kind.element] * kind.count if is_array else kind.elements
            for i, part in enumerate(parts):
                self._write(whole, part, (*path, i))
            return
        n, value, shown = self.n_words, "%value", _show(kind)
        if path:
            value = f"%v{n}"
            where = ", ".join(map(str, path))
            self._lines.append(f"{value} = extractvalue {whole} %value, {where}")
        if shown == "ptr":
            self._lines.append(f"%w{n} = ptrtoint ptr {value} to i64")
        elif shown in ("i1", "i8", "i16", "i32"):
            wider = "zext" if shown == "i1" else "sext"
            self._lines.append(f"%w{n} = {wider} {shown} {value} to i64")
        else:
            self._lines.append(f"%w{n} = bitcast {shown} {value} to {shown}")
        shown = shown if shown == "double" else "i64"
        self._lines.append(f"%r{n} = getelementptr i8, ptr %result, i32 {8 * n}")
        self._lines.append(f"store {shown} %w{n}, ptr %r{n}")
        self.n_words += 1


def _show(kind):
    """LLVM's name of a type."""
    if isinstance(kind, ir.PointerType):
        return "ptr"
    if isinstance(kind, ir.LiteralStructType):
        return f"{{{', '.join(map(_show, kind.elements))}}}"
    if isinstance(kind, ir.ArrayType):
        return f"[{kind.count} x {_show(kind.element)}]"
    return str(kind)


def optimise(kernels, machine):
    """One module of all kernels; of each its `Entry` and what numba has compiled."""
    whole = None
    for entry, compiled in kernels:
        text = str(compiled.library._final_module)
        text = re.sub(r"(?m)^target (datalayout|triple) = .*$", "", text)
        head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
        bits = "".join(f"declare {kind} @{name}(i64)\n" for name, kind in BITS.items())
        module = llvm.parse_assembly(head + text + bits + entry.text)
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    exported = {entry.name for entry, _ in kernels}
    for part in (*whole.functions, *whole.global_variables):
        if not (part.is_declaration or part.name in exported or part.name.startswith("llvm.")):
            part.linkage = "internal"
    whole.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    for prune in (True, False):
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if prune:  # numba's own, of counts of references
            passes.add_refprune_pass()
        passes.run(whole, builder)
    return whole


def link(module, machine, exported, folder):
    """The bytes of a side module, as Emscripten loads it."""
    folder = Path(folder)
    (folder / "kernels.o").write_bytes(machine.emit_object(module))
    features = "+".join(("mvp", *FEATURES)).replace("-", "_")
    source = Path(__file__).with_name("runtime.c")
    compile_c = (
        *ZIG, "cc", "-target", "wasm32-emscripten", f"-mcpu={features}", "-O2", "-fPIC",
        "-fno-builtin", "-c", source, "-o", folder / "runtime.o",
    )  # fmt: skip
    link = (
        *ZIG, "wasm-ld", "-shared", "--experimental-pic", "--no-entry", "--allow-undefined",
        "--strip-all", "--gc-sections", *(f"--export={name}" for name in (*exported, "release")),
        "-o", folder / "kernels.wasm", folder / "kernels.o", folder / "runtime.o",
    )  # fmt: skip
    for command in (compile_c, link):
        subprocess.run(command, check=True)
    return (folder / "kernels.wasm").read_bytes()
