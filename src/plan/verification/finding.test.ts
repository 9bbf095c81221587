import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BlockAt, compareFindings, type Finding, finding, findingKey } from "./finding.ts";

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

const byTens: BlockAt = ({ path, line }) => (line === undefined ? undefined : `${path}#${Math.floor(line / 10)}`);

const print = (findings: readonly Finding[]) =>
  findings.map(({ path, line, code, message }) => `${path}:${line} ${code} ${message}`.trim()).join("; ");

function compare(before: string, after: string) {
  return compareFindings({ findings: read(before), blockAt: byTens }, { findings: read(after), blockAt: byTens });
}

describe("compareFindings of", () => {
  const cases: readonly (readonly [before: string, after: string, appeared: string, gone: string])[] = [
    ["", "", "", ""],
    ["a:3 E1 x", "a:3 E1 x", "", ""],
    ["a:3 E1 x", "a:7 E1 x", "", ""],
    ["a:3 E1 type A", "a:3 E1 type B", "", ""],
    ["a:3 E1 x", "a:13 E1 x", "a:13 E1 x", "a:3 E1 x"],
    ["a:3 E1 x", "b:3 E1 x", "b:3 E1 x", "a:3 E1 x"],
    ["a:3 E1 x", "a:3 E2 x", "a:3 E2 x", "a:3 E1 x"],
    ["a:3 E1 x", "", "", "a:3 E1 x"],
    ["a:3 E1 x", "a:3 E1 x; a:4 E1 x", "a:4 E1 x", ""],
    ["a:3 E1 x", "a:2 E1 y; a:4 E1 x", "a:2 E1 y", ""],
    ["a:1 E1 x; a:2 E1 y; a:3 E1 y", "a:5 E1 y", "", "a:1 E1 x; a:3 E1 y"],
  ];
  for (const [before, after, appeared, gone] of cases) {
    test(`${before || "nothing"} | ${after || "nothing"}`, () => {
      const answer = compare(before, after);
      expect([print(answer.appeared), print(answer.gone)]).toEqual([appeared, gone]);
    });
  }
});

test("compareFindings finds the blocks of each run with its own blockAt", () => {
  const [before, after] = [read("a:3 E1 x"), read("a:43 E1 x")];
  const same: BlockAt = () => "a|function:add";
  expect(compareFindings({ findings: before, blockAt: same }, { findings: after, blockAt: same }).appeared).toEqual([]);
});

const findings = fc.array(
  fc.record({
    path: fc.constantFrom("a", "b"),
    line: fc.nat(20),
    code: fc.constantFrom("E1", "E2"),
    severity: fc.constantFrom("error" as const, "warning" as const),
    message: fc.constantFrom("x", "y"),
    source: fc.constant("t"),
  }),
  { maxLength: 12 },
);

const keys = (some: readonly Finding[]) => some.map((found) => findingKey(found, byTens)).sort();

test("law: compareFindings loses and adds no finding", () => {
  fc.assert(
    fc.property(findings, findings, (before, after) => {
      const one = compareFindings({ findings: before, blockAt: byTens }, { findings: after, blockAt: byTens });
      expect(one.appeared.length + one.stayed.length).toBe(after.length);
      expect(one.gone.length + one.stayed.length).toBe(before.length);
      expect(keys([...one.gone, ...one.stayed])).toEqual(keys(before));
      expect(keys([...one.appeared, ...one.stayed])).toEqual(keys(after));
      const shared = keys(one.appeared).filter((key) => keys(one.gone).includes(key));
      expect(shared).toEqual([]);
    }),
  );
});

test("law: a run compared with itself has no difference, and swapping the runs swaps the parts", () => {
  fc.assert(
    fc.property(findings, findings, (before, after) => {
      const run = (some: readonly Finding[]) => ({ findings: some, blockAt: byTens });
      expect(compareFindings(run(before), run(structuredClone(before)))).toMatchObject({ appeared: [], gone: [] });
      const one = compareFindings(run(before), run(after));
      const other = compareFindings(run(after), run(before));
      expect(keys(one.appeared)).toEqual(keys(other.gone));
      expect(keys(one.gone)).toEqual(keys(other.appeared));
    }),
  );
});
