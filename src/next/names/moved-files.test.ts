import { expect, test } from "vitest";
import { parseScriptTree } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { NextScene } from "../fixtures/next-scene.ts";
import { NameSource } from "./name-source.ts";
import { NameTables } from "./name-tables.ts";

test("a file that was moved is asked for where it is, before anything is edited", async () => {
  const syntax = openSyntax();
  const files = { "b.ts": 'import { sum } from "./a";\nf(sum);\n', "a.ts": "export const sum = 1;\n" };
  const scene = new NextScene({
    files,
    syntax,
    sources: [new NameSource(new NameTables({ parseScript: parseScriptTree }))],
  });
  expect(await scene.see("invoked")).toBe("-nothing-edited");

  scene.files.update("lib/a.ts", scene.files.textOf("a.ts"));
  scene.files.update("a.ts", undefined);
  scene.engine.renamed("a.ts", "lib/a.ts");
  expect(await scene.see("invoked")).toBe('b.ts: import { sum } from "‹./a›«./lib/a»";\nf(sum);\n');

  scene.engine.replaced();
  expect(await scene.see("invoked")).toBe("-nothing-edited");
  scene[Symbol.dispose]();
  syntax[Symbol.dispose]();
});
