import fc from "fast-check";
import { expect, test } from "vitest";
import { readEdit } from "../text/edit.laws.ts";
import { Edit } from "../text/index.ts";
import { UndoGuard } from "./undo-guard.ts";

/** Edits in the notation `a[old|new]b`, each over what the one before it gives, and a suggestion over what the last gives; why it is held back. */
const cases: readonly (readonly [name: string, edits: readonly string[], suggestion: string, refused: string])[] = [
  ["nothing was done", [], "a [b|] c", "passes"],
  ["something new", ["a [|b ]c"], "a b c[| d]", "passes"],
  ["what was typed is taken away", ["a [|b ]c"], "a [b |]c", "goes-back 1"],
  ["what was deleted comes back", ["a [b |]c"], "a [|b ]c", "goes-back 1"],
  ["what was replaced comes back", ["let [one|two] = 1"], "let [two|one] = 1", "goes-back 1"],
  ["what was typed key by key", ["f(a[|,])", "f(a,[| ])", "f(a, [|b])"], "f(a[, b|])", "goes-back 1"],
  ["two steps ago", ["[a|A] . b", "A . [b|B]"], "[A|a] . [B|b]", "goes-back 2"],
  ["the step before the last alone", ["[one|two] . b", "two . [b|B]"], "[two|one] . B", "restores-deleted 2"],
  ["taken away together with something new", ["a [|b ]c"], "a [b |]c[| d]", "deletes-typed 1"],
  ["brought back together with something new", ["one [two |]end"], "one [|two ]end[|ed]", "restores-deleted 1"],
  ["a part of what was typed is taken away", ["a[| bb cc]"], "a bb[ cc|]", "deletes-typed 1"],
  ["a part of what was deleted comes back", ["a[ bb cc|] d"], "a[| bb] d", "restores-deleted 1"],
  [
    "a deleted line comes back in part",
    ["{\n[  await go();\n  end();\n|]}"],
    "{\n[|  await go();\n]}",
    "restores-deleted 1",
  ],
  [
    "a deleted line comes back, told from the line above",
    ["{\n  a;\n[  b;\n|]  c;\n}"],
    "{\n  a;[|\n  b;]\n  c;[|\n  d;]\n}",
    "restores-deleted 1",
  ],
  ["what was undone comes back", ["let [one|two] = 1", "let [two|one] = 1"], "let [one|two] = 1", "goes-back 1"],
  ["typed key by key, and undone at once", ["a [|b]", "a b[|c]", "a [bc|]"], "a [|bc]", "goes-back 1"],
  ["redone, what was undone comes back", ["a[| b]", "a[ b|]", "a[| b]"], "a[ b|]", "goes-back 1"],
  ["replaced in one place, and replaced again", ["let [a|b] = 1", "let [b|c] = 1"], "let [c|b] = 1", "goes-back 1"],
  ["the same, and the first again", ["let [a|b] = 1", "let [b|c] = 1"], "let [c|a] = 1", "goes-back 1"],
  [
    "replaced twice, and what was between comes back with something new",
    ["let [one|two] = 1", "let [two|three] = 1"],
    "let [three|two] = 1[|;\nnew()]",
    "restores-deleted 1",
  ],
  [
    "typed, taken out key by key, and typed otherwise",
    ["x([|foo])", "x(fo[o|])", "x(f[o|])", "x(f[|ar])"],
    "x(f[ar|oo])",
    "goes-back 1",
  ],
  ["before another step", ["[a|b] . e", "[b|c] . e", "c . [e|f]"], "[c|b] . [f|e]", "goes-back 2"],
  ["of what was only added to", ["x([|foo])", "x(foo[|d])"], "x(foo[d|])", "passes"],
  ["a word that was just typed is mended", ["a [|helllo ]c"], "a [helllo|hello] c", "passes"],
  ["a letter of it is mended", ["a [|helllo ]c"], "a hel[l|]lo c", "passes"],
  ["what was typed becomes something else", ["a [|b ]c"], "a [b|x] c", "passes"],
  ["the same word elsewhere", ["[one |]two . three"], "two . [|one ]three", "passes"],
  ["signs come and go", ["f(a[|;])"], "f(a[;|]) [|b]", "passes"],
];
for (const [name, edits, suggestion, refused] of cases) {
  test(name, () => {
    const guard = new UndoGuard();
    for (const marked of edits) {
      const { text, edit } = readEdit(marked);
      guard.record("x", text, edit);
    }
    const { text, edit } = readEdit(suggestion);
    const refusal = guard.refusalOf("x", text, edit);
    expect(refusal === undefined ? "passes" : `${refusal.kind} ${refusal.stepsAgo}`).toBe(refused);
  });
}

test("knows only the files edited last, and only as they were left", () => {
  const guard = new UndoGuard({ maxFiles: 2 });
  const undoes = (path: string) => guard.refusalOf(path, "ab", Edit.delete({ start: 1, end: 2 })) !== undefined;
  for (const path of ["x", "y", "z"]) guard.record(path, "a", Edit.insert(1, "b"));
  expect(["x", "y", "z"].map(undoes)).toEqual([false, true, true]);
  guard.forget("y");
  expect(["y", "z"].map(undoes)).toEqual([false, true]);
  guard.record("z", "ab", Edit.insert(2, "c"));
  expect(undoes("z")).toBe(false);
  guard.forgetAll();
  expect(guard.refusalOf("z", "abc", Edit.delete({ start: 1, end: 3 }))).toBeUndefined();
});

test("law: with a suggestion that passes, the text is none of those before the last steps, nor one left on the way", () => {
  const inserted = fc.constantFrom("", "a", "b", "ab ", "\n");
  const step = fc.tuple(fc.nat(12), fc.nat(2), inserted);
  const replacement = (text: string, [at, length, fresh]: readonly [number, number, string]) => {
    const start = at % (text.length + 1);
    return Edit.replace({ start, end: Math.min(text.length, start + length) }, fresh);
  };
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      step,
      (steps, maxSteps, last) => {
        const guard = new UndoGuard({ maxSteps });
        let text = "a b\n";
        // The naive model: the text before each run of edits that go on where the one before them was; one that takes all of a run back is a run of its own.
        const states: string[] = [];
        // Behind each, what was left on the way: what a run took something away from, unless it was at it already. As many of them as there are steps.
        let left: string[][] = [];
        let run = Edit.empty;
        let isTaking = false;
        for (const drawn of steps) {
          const edit = replacement(text, drawn);
          const after = edit.apply(text);
          if (after === text) continue;
          const { start, end } = edit.edits[0]!;
          const goesOn = run.rangesAfter().some((range) => start <= range.end && range.start <= end);
          const isBack = after === states.at(-1);
          if (!goesOn || isBack) {
            states.push(text);
            left.push([]);
          } else if (start < end && !isTaking) left.at(-1)!.push(text);
          run = goesOn && !isBack ? run.compose(edit) : edit;
          isTaking = edit.edits[0]!.text === "";
          guard.record("x", text, edit);
          text = after;
        }
        left = left.map((texts) => texts.slice(-maxSteps));
        const recent = [...states.slice(-maxSteps), ...left.slice(-maxSteps).flat()].filter((state) => state !== text);
        for (const suggestion of [
          replacement(text, last),
          ...[...states, ...left.flat()].map((state) => Edit.replace({ start: 0, end: text.length }, state)),
        ]) {
          const passes = guard.refusalOf("x", text, suggestion) === undefined;
          if (passes) expect(recent).not.toContain(suggestion.apply(text));
        }
      },
    ),
  );
});
