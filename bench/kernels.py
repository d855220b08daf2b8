"""Compile the CUDA kernels where there is no GPU: `python bench/kernels.py [GAME …] [--arch 90]`.

Numba's simulator runs kernels that a GPU's compiler refuses; this asks the compiler itself, and says how many registers
each kernel takes and what it spills. It needs the compiler alone, no driver:

    pip install 'numba-cuda[cu12]' nvidia-cuda-nvcc-cu12
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from foxrow.core.registry import games

np.__dict__.setdefault("row_stack", np.vstack)  # numba-cuda 0.30 asks for a name that NumPy 2.5 no longer has


def toolkit() -> Path:
    """Where NVIDIA's wheels put their compiler; CUDA_HOME says so elsewhere."""
    found = importlib.util.find_spec("nvidia")
    places = [Path(place) / "cuda_nvcc" for place in (found.submodule_search_locations or ())] if found else []
    places += [Path(os.environ["CUDA_HOME"])] if "CUDA_HOME" in os.environ else []
    for place in places:
        if (place / "bin" / "ptxas").exists():
            return place
    sys.exit("there is no CUDA compiler here: pip install 'numba-cuda[cu12]' nvidia-cuda-nvcc-cu12")


def signatures(lanes: Any, state: np.dtype[Any], cuda_types: Any, from_dtype: Any) -> dict[str, tuple[Any, ...]]:
    """What the kernels are given (see `core.cuda`). `shared_wanderer`, which a batch makes, is not here."""
    t = cuda_types

    def array(kind: Any, dimensions: int) -> Any:
        return t.Array(kind, dimensions, "C")

    states = array(from_dtype(lanes.padded(state)), 1)
    bytes_, lists, rngs = array(t.int8, 2), array(t.int16, 2), array(t.int64, 2)
    cards = array(from_dtype(np.dtype(lanes.CARD)), 2)
    dealing = (states, rngs, *[array(t.int32, 1)] * 3, array(t.int32, 2), t.int64, cards)
    ends = (array(t.float32, 2), array(t.int32, 2), array(t.boolean, 1))
    seen = (bytes_, array(t.boolean, 2), array(t.int8, 1), lists)
    return {
        "deal_lanes": dealing,
        "check_lanes": (states, array(t.int64, 1), array(t.int32, 1), lists),
        "branch_lanes": (*[array(t.uint32, 2)] * 2, *[array(t.int32, 1)] * 2, array(t.int64, 1), rngs, t.int64),
        "wander_lanes": (states, rngs, rngs, *dealing[2:], lists, t.int64, array(t.int32, 1), t.int64),
        "step_lanes": (*dealing, array(t.int64, 1), *ends),
        "observe_lanes": (states, *seen),
        "turn_lanes": (*dealing, rngs, *ends, *seen),
        "lay_rows": (array(t.int32, 2), bytes_),
        "survey_lanes": (states, array(t.int32, 2), bytes_, bytes_),
        "suppose_lanes": (states, rngs),
        "frame_lanes": (states, array(t.int32, 1)),
        "turn_rows": (bytes_, lists, array(t.int32, 1), bytes_),
        "choose_lanes": (states, rngs, array(t.int32, 1), t.boolean, lists),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--arch", type=int, default=90, help="of the GPU: 90 is Hopper")
    given = parser.parse_args()
    if unknown := set(given.games) - set(games()):
        parser.error(f"no game is called {', '.join(sorted(unknown))}; there are {', '.join(games())}")
    tools = toolkit()
    os.environ["CUDA_HOME"] = str(tools)
    from numba import cuda, from_dtype
    from numba.core import types
    from numba.core.errors import NumbaError
    from numba.cuda import dispatcher
    from numba.cuda.cudadrv.error import NvvmError

    # functions that a kernel calls are compiled for the GPU that is there; here, for the one that is meant
    meant = SimpleNamespace(compute_capability=divmod(given.arch, 10))
    dispatcher.get_current_device = lambda: meant
    refused = 0
    for key in given.games or games():
        rules = games()[key].rules
        rules.template("foxrow.core.steps")
        lanes = rules.template("foxrow.core.lanes")
        for name, signature in signatures(lanes, rules.State.dtype, types, from_dtype).items():
            try:
                ptx, _ = cuda.compile(
                    getattr(lanes, name).py_func,
                    signature,
                    device=False,
                    cc=meant.compute_capability,
                    output="ptx",
                    abi="numba",
                )
            except (NumbaError, NvvmError) as error:
                refused += 1
                print(f"{key} {name}: {error}", flush=True)
                continue
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder, "kernel.ptx")
                source.write_text(ptx)
                done = subprocess.run(
                    [tools / "bin" / "ptxas", "-v", f"-arch=sm_{given.arch}", source, "-o", Path(folder, "kernel")],
                    capture_output=True,
                    text=True,
                )
            found = re.search(r"Used (\d+) registers", done.stderr)
            spilt = re.search(r"(\d+) bytes spill stores", done.stderr)
            if done.returncode or not found:
                refused += 1
                print(f"{key} {name}: {done.stderr.strip()}", flush=True)
            else:
                print(f"{key} {name}: {found[1]} registers, {spilt[1] if spilt else 0} bytes spilt", flush=True)
    sys.exit(f"{refused} kernels were refused" if refused else 0)


if __name__ == "__main__":
    main()
