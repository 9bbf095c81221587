import { describe, expect, test } from "vitest";
import { newDiagnostics } from "../../analysis/index.ts";
import { type Finding, finding, findingKey } from "./finding.ts";

/**
 * `a.ts:3 E1 message` is an error of tool `t`; the blocks of a file are groups of ten lines:
 * `a.ts#0`.
 */
function read(text: string): readonly Finding[] {
  return text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [place = "", code = "", ...words] = part.split(" ");
      const [path, line] = place.split(":");
      return finding({ path, line: Number(line), code, severity: "error", message: words.join(" "), source: "t" });
    });
}

const keyOf = (finding: Finding) => findingKey(finding, `${finding.path}#${Math.floor((finding.line ?? 0) / 10)}`);

describe("findings of a run are new by their block, tool, severity and code:", () => {
  const cases: readonly (readonly [before: string, after: string, appeared: string])[] = [
    ["", "", ""],
    ["a:3 E1 x", "a:3 E1 x", ""],
    ["a:3 E1 x", "a:7 E1 x", ""],
    ["a:3 E1 type A", "a:3 E1 type B", ""],
    ["a:3 E1 x", "a:13 E1 x", "a:13 E1 x"],
    ["a:3 E1 x", "b:3 E1 x", "b:3 E1 x"],
    ["a:3 E1 x", "a:3 E2 x", "a:3 E2 x"],
    ["a:3 E1 x", "", ""],
    ["a:3 E1 x", "a:3 E1 x; a:4 E1 x", "a:4 E1 x"],
    ["a:3 E1 x", "a:2 E1 y; a:4 E1 x", "a:2 E1 y"],
    ["a:1 E1 x; a:2 E1 y; a:3 E1 y", "a:5 E1 y", ""],
  ];
  for (const [before, after, appeared] of cases) {
    test(`${before || "nothing"} | ${after || "nothing"}`, () => {
      const found = newDiagnostics(read(before), read(after), keyOf);
      expect(found.map(({ path, line, code, message }) => `${path}:${line} ${code} ${message}`).join("; ")).toBe(
        appeared,
      );
    });
  }
});

test("the key of a finding outside all blocks is that of its file", () => {
  const [one, other] = read("a:3 E1 x; a:43 E1 x");
  expect(findingKey(one!, undefined)).toBe(findingKey(other!, undefined));
  expect(findingKey(one!, undefined)).not.toBe(findingKey(other!, "a|function:add"));
});
