import { expect, test } from "vitest";
import { minimalEdit } from "../../text/index.ts";
import { resolveRepaired } from "./repaired-block.ts";

const before = "function f() {\r\n  one();\r\n  two();\r\n  three();\r\n  four();\r\n}\r\n";
const after = "function f() {\r\n  uno();\r\n  two();\r\n  three();\r\n  four();\r\n";

const cases: readonly (readonly [what: string, lines: string, expected: string])[] = [
  ["closed", "function f() {/  uno();/  two();/  three();/  four();/}", `${after}}\r\n`],
  ["an edited line left out", "function f() {/  two();/  three();/  four();/}", before.replace("  one();\r\n", "")],
  ["a line lost", "function f() {/  uno();/  three();/  four();/}", `${after.replace("  two();\r\n", "")}}\r\n`],
  [
    "indented otherwise",
    "function f() {/    uno();/    two();/    three();/    four();/}",
    `${after.replaceAll("  ", "    ")}}\r\n`,
  ],
  ["most lines lost", "function f() {/}", "elided-code"],
  ["dots in the place of lines", "function f() {/  uno();/  // ... existing code .../  four();/}", "elided-code"],
  ["as it is", "function f() {/  uno();/  two();/  three();/  four();", "no-change"],
];

for (const [what, lines, expected] of cases) {
  test(`a rewritten block is put in its place: ${what}`, () => {
    const file = {
      ...{ path: "a.ts", pathBefore: "a.ts", before, after, edit: minimalEdit(before, after) },
      ...{ language: "typescript", languageBefore: "typescript" },
    };
    const issue = {
      ...({ code: "missing", start: after.length, end: after.length, message: "" } as const),
      ...{ file, suspectLine: 5, openerLine: undefined },
    };
    const placed = resolveRepaired({
      issue,
      block: { start: 0, end: 5 },
      lines: lines.split("/"),
      files: new Map([["a.ts", after]]),
    });
    const isRefused = "kind" in placed;
    const change = isRefused ? undefined : placed.edit.changes[0];
    const text = change?.kind === "edit" ? change.edit.apply(after) : undefined;
    expect(isRefused ? placed.kind : text).toBe(expected);
    expect(isRefused ? [] : placed.warnings).toHaveLength(what === "a line lost" ? 1 : 0);
  });
}
