import { afterAll, beforeAll, expect, test } from "vitest";
import { BlockReader } from "../../src/analysis/graph/block-reader.ts";
import { parseScriptTree } from "../../src/names/node/parse-script-tree.ts";
import { openSyntax } from "../../src/syntax/node/open-syntax.ts";
import { seedTexts } from "./seed-texts.ts";
import { TargetBlocks } from "./target-blocks.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
beforeAll(() => reader.load(["a.py", "a.cs"]));
afterAll(() => syntax[Symbol.dispose]());

/** The changed files with the seeds in them. */
function seeded(
  source: Readonly<Record<string, string>>,
  target: Readonly<Record<string, string>>,
  ...seeds: readonly string[]
): Readonly<Record<string, string>> {
  const blocksOf = (path: string, text: string) => reader.tryBlocks(path, text) ?? [];
  const texts = { source: new Map(Object.entries(source)), target: new Map(Object.entries(target)) };
  return Object.fromEntries(seedTexts({ texts, target: new TargetBlocks(texts, blocksOf), seeds }, blocksOf));
}

test("a seed comes with the imports that it needs, and other blocks stay as they are", () => {
  const source = "import os\nfrom typing import List\n\ndef a(x):\n    return x\n\ndef b(x):\n    return a(x)\n";
  const target =
    "import os\nimport re\nfrom os import sep\nfrom typing import List, Optional\n\ndef a(x: Optional[str]):\n    return re.sub(os.name, x, '')\n\ndef b(x):\n    return a(x or sep)\n";
  expect(seeded({ "a.py": source }, { "a.py": target }, "a.py|function:a")).toEqual({
    "a.py":
      "import re\nimport os\nfrom typing import List, Optional\n\ndef a(x: Optional[str]):\n    return re.sub(os.name, x, '')\n\ndef b(x):\n    return a(x)\n",
  });
});

test("it comes with the members that it names, where the target has them, with the file's line endings", () => {
  const source = "class A\r\n{\r\n  int _m;\r\n\r\n  void M() { Say(1); }\r\n\r\n  void N() {}\r\n}\r\n";
  const target =
    "class A\n{\n  int _m;\n\n  int _n;\n  int _other;\n\n  void M() { Say(_n); }\n\n  void N() { _other = 1; }\n}\n";
  expect(seeded({ "a.cs": source }, { "a.cs": target }, "a.cs|method:A.M")).toEqual({
    "a.cs": "class A\r\n{\r\n  int _m;\r\n\r\n  int _n;\r\n\r\n  void M() { Say(_n); }\r\n\r\n  void N() {}\r\n}\r\n",
  });
});

test("a new file comes whole, and a seed that the target leaves alone changes nothing", () => {
  const same = "def a():\n    return 1\n";
  const fresh = "def b():\n    return 2\n\ndef c():\n    return 3\n";
  const files = seeded({ "a.py": same }, { "a.py": same, "b.py": fresh }, "a.py|function:a", "b.py|function:b");
  expect(files).toEqual({ "b.py": fresh });
});
