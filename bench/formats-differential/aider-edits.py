"""Applies edits with aider's own coders, without its model and its chat.

Reads one JSON object a line from standard input (`format`, `answer`, `files`) and prints one a
line: `files` as aider leaves them, or `error` where aider refuses a part of the answer.
"""

import json
import sys
import tempfile
from pathlib import Path

import aider
from aider.coders.editblock_coder import EditBlockCoder
from aider.coders.udiff_coder import UnifiedDiffCoder
from aider.io import InputOutput

CODERS = {"search-replace": EditBlockCoder, "udiff": UnifiedDiffCoder}


def coder_for(name, answer, root, paths):
    """A coder with what reading and applying needs; its own constructor asks for a model."""
    coder = object.__new__(CODERS[name])
    coder.root = str(root)
    coder.io = InputOutput(pretty=False, yes=True, fancy_input=False)
    coder.abs_root_path_cache = {}
    # A list, so that the order does not change from run to run.
    coder.abs_fnames = [str(root / path) for path in paths]
    coder.fence = ("```", "```")
    coder.partial_response_content = answer
    coder.shell_commands = []
    return coder


def apply(row):
    with tempfile.TemporaryDirectory(prefix="emend-aider-") as folder:
        root = Path(folder).resolve()
        for path, text in row["files"].items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        coder = coder_for(row["format"], row["answer"], root, row["files"])
        try:
            edits = coder.get_edits()
            if not edits:
                return {"error": "no edits"}
            for path, *_ in edits:
                # aider makes the folders of a file that a person lets it create.
                (root / path).parent.mkdir(parents=True, exist_ok=True)
            coder.apply_edits(coder.apply_edits_dry_run(edits))
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[:500]}
        files = [path for path in root.rglob("*") if path.is_file()]
        return {"files": {path.relative_to(root).as_posix(): path.read_bytes().decode() for path in files}}


# aider prints what it would tell a person; only results go to standard output.
results = sys.stdout
sys.stdout = sys.stderr
if "--version" in sys.argv:
    print(aider.__version__, file=results)
else:
    for line in sys.stdin:
        print(json.dumps(apply(json.loads(line))), file=results, flush=True)
