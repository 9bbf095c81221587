import { expect, test } from "vitest";
import type { ScriptTree } from "../../names/index.ts";
import { OverlayCheck } from "../diagnostics/overlay-check.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { ChangeFacts } from "./facts/change-facts.ts";
import { repairRounds } from "./repair-rounds.ts";

const path = "a.ts";

/** Each `!CODE{…}` is an error. What is in the braces are its edits: `WORD>WORD`. */
function errorsIn(text: string): readonly FileDiagnostic[] {
  return [...text.matchAll(/!(\d+)\{[^}]*\}/g)].map(({ 0: message, 1: code, index }) => ({
    ...{ path, start: index, end: index + message.length, code: code!, message },
  }));
}

/** Runs all rounds on a text, and returns the text before the errors after each. */
async function rounds(text: string, maxRounds = 9): Promise<readonly string[]> {
  let now = text;
  const update = async (texts: ReadonlyMap<string, string | undefined>) => {
    now = texts.get(path)!;
  };
  const check = new OverlayCheck({
    checker: { update, errorsOf: async () => errorsIn(now) },
    ...{ before: [], changed: new Map([[path, { before: "", after: text }]]), textOf: () => undefined },
    blocksOf: (_, of) => {
      const range = { start: 0, end: of.length };
      return [{ path, kind: "module", name: "", range, ownRange: range } as unknown as CodeBlock];
    },
    treeOf: () => ({}) as ScriptTree,
  });
  const rules = {
    facts: () => ({}) as ChangeFacts,
    repairOf: ({ diagnostic: { message }, text: all }: { diagnostic: FileDiagnostic; text: string }) => {
      const edits = [...message.matchAll(/(\w+)>(\w+)/g)].flatMap(([, from, to]) => {
        const start = all.search(new RegExp(`(?<![{,>])\\b${from}\\b(?![>,}])`));
        return start < 0 ? [] : [{ start, end: start + from!.length, text: to! }];
      });
      return edits.length === 0 ? undefined : { edits };
    },
  };
  const texts: string[] = [];
  const all = repairRounds(check, await check.start(), { maxRounds, rulesOf: () => rules });
  for await (const { repairs } of all) texts.push(`${now.replace(/ *!.*/, "")} [${repairs.length}]`);
  return texts;
}

test.each<[what: string, text: string, after: string[]]>([
  ["repairs that do not overlap are made at once", "a b !1{a>x} !1{b>y}", ["x y [2]"]],
  ["an error without a repair stays", "a !1{}", []],
  ["an edit that two errors share is made once", "a b !1{a>x} !2{a>x,b>y}", ["x y [2]"]],
  ["an error whose edits are all made has no repair in the round", "a !1{a>x} !2{a>x}", ["x [1]"]],
  ["an edit that overlaps an earlier one waits", "a !1{a>x} !1{a>y,x>z}", ["x [1]", "z [1]"]],
  ["a repair with an edit that overlaps waits as a whole", "a b !1{a>x} !1{a>y,b>c}", ["x b [1]", "x c [1]"]],
  ["errors about unresolved modules come first", "a !1{a>x} !2307{a>y}", ["y [1]"]],
])("%s", async (_, text, after) => {
  expect(await rounds(text)).toEqual(after);
});

test("ends after the given number of rounds", async () => {
  expect(await rounds("a !1{a>b,b>c,c>a}", 4)).toEqual(["b [1]", "c [1]", "a [1]", "b [1]"]);
});
