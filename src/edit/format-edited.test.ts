import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../syntax/node/index.ts";
import { applyWorkspaceEdit, minimalEdit, workspaceEdit } from "../text/index.ts";
import type { EditFormatter } from "./edit-engine-parts.ts";
import { formatEdited } from "./format-edited.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = "a( );\nb( );\nc( );\n";
const after = "a( );\nB( );\nc( );\n";

async function format(formatter: EditFormatter) {
  const files = new Map([["a.ts", before]]);
  const edit = workspaceEdit([{ kind: "edit", uri: "a.ts", edit: minimalEdit(before, after) }]);
  const formatted = await formatEdited(files, edit, { formatter, syntax, known: new Map() });
  const applied = applyWorkspaceEdit(files, formatted.edit);
  return { text: applied.kind === "applied" && applied.files.get("a.ts"), warnings: formatted.warnings };
}

test("only edited lines are formatted", async () => {
  const tight: EditFormatter = async ({ text }) => ({ kind: "formatted", text: text.replaceAll("( )", "()") });
  expect(await format(tight)).toEqual({ text: "a( );\nB();\nc( );\n", warnings: [] });
});

const useless: readonly (readonly [what: string, formatter: EditFormatter, warnings: number])[] = [
  ["that fails", async () => ({ kind: "failed", message: "no configuration" }), 1],
  ["that throws", () => Promise.reject(new Error("it broke")), 1],
  ["that breaks the text", async ({ text }) => ({ kind: "formatted", text: text.replace("B( )", "B(") }), 1],
  ["that is not there", async () => ({ kind: "no-formatter" }), 0],
  ["that changes nothing", async ({ text }) => ({ kind: "formatted", text }), 0],
];

for (const [what, formatter, warnings] of useless) {
  test(`the edit stays as it is with a formatter ${what}`, async () => {
    const formatted = await format(formatter);
    expect(formatted.text).toBe(after);
    expect(formatted.warnings).toHaveLength(warnings);
  });
}
