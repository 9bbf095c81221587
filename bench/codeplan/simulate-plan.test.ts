import { afterAll, beforeAll, expect, test } from "vitest";
import { BlockReader } from "../../src/analysis/graph/block-reader.ts";
import { NameReferences } from "../../src/analysis/graph/name-references.ts";
import { parseScriptTree } from "../../src/names/node/parse-script-tree.ts";
import { openSyntax } from "../../src/syntax/node/open-syntax.ts";
import { simulatePlan } from "./simulate-plan.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
beforeAll(() => reader.load(["a.py", "a.cs"]));
afterAll(() => syntax[Symbol.dispose]());

/**
 * The plan as lines: what is edited, `+` with it what is brought along, and what is requested in
 * vain.
 */
async function plan(path: string, source: string, target: string, seed: string): Promise<string[]> {
  const steps = await simulatePlan({
    texts: { source: new Map([[path, source]]), target: new Map([[path, target]]) },
    blocksOf: (one, text) => reader.tryBlocks(one, text) ?? [],
    references: new NameReferences({ syntax }),
    seeds: [`${path}|${seed}`],
  });
  const nameOf = (id: string) => id.slice(id.indexOf(":") + 1);
  return steps.map(({ block, isTarget, added }) =>
    [isTarget ? "edit" : "no change", block.name, ...added.map((id) => `+${nameOf(id)}`)].join(" "),
  );
}

test("an edit is followed from caller to caller, and no further than the target goes", async () => {
  const source =
    "def a(x): return x\ndef b(x): return a(x)\ndef c(): return b(1)\ndef d(): return c()\ndef e(): return d()";
  const target =
    "def a(x, y): return x\ndef b(x, y): return a(x, y)\ndef c(): return b(1, 2)\ndef d(): return c()\ndef e(): return d()";
  expect(await plan("a.py", source, target, "function:a")).toEqual(["edit a", "edit b", "edit c", "no change d"]);
});

test("an edit brings the members that it names, and those that name them", async () => {
  const source = "class A {\n  void M() { Say(1); }\n  void Say(int a) {}\n}";
  const target =
    "class A {\n  int _n;\n  int _other;\n  A(int n) { _n = n; }\n  void M() { Say(_n); }\n  void Say(int a) {}\n}";
  expect(await plan("a.cs", source, target, "method:A.M")).toEqual(["edit A.M +A._n +A.A", "no change A.Say"]);
});
