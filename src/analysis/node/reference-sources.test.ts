import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { NameReferences } from "../graph/name-references.ts";
import { PythonWorkspace } from "./fixtures/python-workspace.ts";
import { describeReferenceSource } from "./reference-source.laws.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
const blocksOf = (path: string, text: string) => reader.tryBlocks(path, text) ?? [];
const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-sources-")));

beforeAll(() => reader.load(["a.py"]));
afterAll(() => {
  syntax[Symbol.dispose]();
  removeFolder(root);
});

describeReferenceSource("TypeScript", {
  open: (files) =>
    TypeScriptSource.open({
      root,
      paths: [...files.keys()],
      readText: async (path) => files.get(path),
      files: filesOfTree(root, files),
    }),
  blocksOf,
  shape: ["shape.ts", "export class Shape {\n  area() {\n    return 0;\n  }\n}\n"],
  circle: [
    "circle.ts",
    'import { Shape } from "./shape.ts";\n\nexport class Circle extends Shape {\n  area() {\n    return 3;\n  }\n}\n',
  ],
  barrel: ["barrel.ts", 'export { Circle as Round } from "./circle.ts";\n'],
  use: [
    "use.ts",
    'import { Round } from "./barrel.ts";\n\nexport function use() {\n  const one = new Round();\n  return one.area();\n}\n',
  ],
});

const python = {
  shape: ["shapes/shape.py", "class Shape:\n    def area(self):\n        return 0\n"],
  circle: [
    "shapes/circle.py",
    "from .shape import Shape\n\n\nclass Circle(Shape):\n    def area(self):\n        return 3\n",
  ],
  barrel: ["shapes/__init__.py", "from .circle import Circle as Round\n"],
  use: ["use.py", "from shapes import Round\n\n\ndef use():\n    one = Round()\n    return one.area()\n"],
} as const;

describeReferenceSource("Names of Python", {
  open: async (files) => {
    const names = new NameReferences({ syntax });
    await names.update(files);
    return names;
  },
  blocksOf,
  ...python,
});

describeReferenceSource("Names of Python with pyright", {
  open: async (files) => (await PythonWorkspace.of(Object.fromEntries(files))).settled,
  blocksOf,
  ...python,
  // An object from a call without an annotated result: by names alone it may belong to either
  // class.
  use: [
    "use.py",
    "from shapes import Round\n\n\ndef use():\n    one = sorted([Round()], key=id)[0]\n    return one.area()\n",
  ],
});
