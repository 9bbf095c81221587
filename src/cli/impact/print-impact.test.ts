import { describe, expect, test } from "vitest";
import type { AffectedView, ImpactView } from "../../analysis/index.ts";
import { printImpact } from "./print-impact.ts";

const blockAt = (path: string, line: number) => {
  const name = `f${line}`;
  return {
    ...({ path, line, name, id: `${path}#${name}`, kind: "function", column: 1 } as const),
    ...{ endLine: line, endColumn: 2, isGone: false },
  };
};

/** A block: `a.ts:3 error 0.9`, with its certainty and likelihood. */
function affected(text: string, status: AffectedView["status"] = "to-do"): AffectedView {
  const [, path, line, certainty, likelihood] = /^(\S+):(\d+)(?: (\w+))? ([\d.]+)$/.exec(text)!;
  return {
    ...{
      block: blockAt(path!, Number(line)),
      status,
      likelihood: Number(likelihood),
      isBroken: certainty === "broken",
    },
    ...{ path: [], signs: [], reasons: [`reason ${line}`] },
    ...(certainty === "error" && { checker: { certainty, codes: ["2554"], wave: 1 } }),
  };
}

const coverage: ImpactView["coverage"] = {
  ...{ languages: [], blocks: 2, edges: 3, unresolvedNames: 0, skippedChanges: [], skipped: [] },
  types: { kind: "not-needed" },
};

/** What is printed of these blocks, without the last section. */
function printed(blocks: readonly AffectedView[], all = false): string {
  const block = blockAt("x.ts", 1);
  const names = { removedNames: [], addedNames: ["b"], changedNames: [] };
  const changes = [{ label: "MMS", words: "signature changed", block, ...names } as const];
  const view = { between: "a and b", minLikelihood: 0.35, changes, affected: blocks, coverage };
  return printImpact(view, { colour: false, all }).split("\n\n").slice(0, -1).join("\n\n");
}

describe("an impact is printed", () => {
  test("by file, the certain blocks first, each block and file once", () => {
    const blocks = ["a.ts:1 0.9", "b.ts:2 error 0.8", "a.ts:3 error 0.7", "b.ts:4 0.6"].map((one) => affected(one));
    expect(printed(blocks)).toMatchInlineSnapshot(`
      "1 change between a and b
        function f1  x.ts:1  signature changed: +b

      To do: 4 blocks in 2 files likely to be affected, and not changed
        b.ts
          ○ 80% function f2  line 2: reason 2
          ○ 60% function f4  line 4: reason 4
        a.ts
          ○ 70% function f3  line 3: reason 3
          ○ 90% function f1  line 1: reason 1"
    `);
  });

  test("with the rest counted", () => {
    const certain = Array.from({ length: 60 }, (_, i) => affected(`c${i % 9}.ts:${i + 1} error 0.9`));
    const likely = Array.from({ length: 350 }, (_, i) => affected(`l${i % 30}.ts:${i + 1} 0.5`));
    const rows = printed([...certain, ...likely]).split("\n");
    expect(rows).toHaveLength(3 + 1 + 40 + 9 + 1);
    expect(rows.at(-1)).toBe(
      "  … 370 more blocks in 39 files, 20 of them refused by the type checker; --all lists them",
    );
    expect(printed([...certain, ...likely], true).split("\n")).toHaveLength(3 + 1 + 410 + 39);
    expect(printed(likely).split("\n").at(-1)).toBe("  … 338 more blocks in 30 files; --all lists them");
  });

  test("with the unlikely ones counted", () => {
    const unlikely = (count: number) =>
      printed(Array.from({ length: count }, (_, at) => affected(`a.ts:${at + 1} 0.1`, "possible")));
    expect(unlikely(1)).toContain("1 more block may be affected, but is unlikely to be; --all lists them.");
    expect(unlikely(2)).toContain("2 more blocks may be affected, but are unlikely to be; --all lists them.");
  });

  test("with a changed block once, and first those with type errors", () => {
    const touched = [affected("x.ts:1 broken 1", "touched")];
    expect(printed(touched)).toMatchInlineSnapshot(`
      "1 change between a and b
        ✗ function f1  x.ts:1  signature changed: +b; reason 1

      Nothing to do: no block that is likely to be affected was left unchanged.

      Done: 1 affected block changed too (✓), 1 of them with type errors since (✗)."
    `);
  });
});
