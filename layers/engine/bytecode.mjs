// Bytecode of Python 3.13 for the layer, where the machine has no such Python: by the same CPython, built for WebAssembly.
//
//     node bytecode.mjs FOLDER_OF_THE_PYODIDE_PACKAGE FOLDER_OF_THE_LAYER
//
// The same options as `python3.13 -m compileall` gets in the Makefile.

import path from "node:path";
import { pathToFileURL } from "node:url";

const COMPILE = `
import compileall, py_compile, sys
if sys.version_info[:2] != (3, 13):
    raise SystemExit(f"bytecode of Python 3.13 is wanted, and this is {sys.version}")
complete = compileall.compile_dir(
    "/layer/python",
    quiet=1,
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    stripdir="/layer",
    prependdir="/opt",
)
if not complete:
    raise SystemExit("not all of the layer could be compiled")
`;

const [pyodideFolder, layer] = process.argv.slice(2).map((folder) => path.resolve(folder));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, "pyodide.mjs")));
const pyodide = await loadPyodide();
pyodide.mountNodeFS("/layer", layer);
pyodide.runPython(COMPILE);
