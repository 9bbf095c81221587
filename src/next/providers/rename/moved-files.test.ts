import { expect, test } from "vitest";
import { NameTables } from "../../../names/name-tables.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { NextEditHarness } from "../../fixtures/next-edit-harness.ts";
import { RenameProvider } from "./rename-provider.ts";

test("the imports of a moved file are proposed before any edit", async () => {
  const syntax = openSyntax();
  const files = { "b.ts": 'import { sum } from "./a";\nf(sum);\n', "a.ts": "export const sum = 1;\n" };
  const harness = new NextEditHarness({
    files,
    syntax,
    sources: [new RenameProvider(new NameTables({ parseScript: parseScriptTree }))],
  });
  expect(await harness.see("invoked")).toBe("-nothing-edited");

  harness.files.update("lib/a.ts", harness.files.textOf("a.ts"));
  harness.files.update("a.ts", undefined);
  harness.engine.renamed("a.ts", "lib/a.ts");
  expect(await harness.see("invoked")).toBe('b.ts: import { sum } from "‹./a›«./lib/a»";\nf(sum);\n');

  harness.engine.replaced();
  expect(await harness.see("invoked")).toBe("-nothing-edited");
  harness[Symbol.dispose]();
  syntax[Symbol.dispose]();
});
