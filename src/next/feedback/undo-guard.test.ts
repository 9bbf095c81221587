import fc from "fast-check";
import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { Edit } from "../../text/index.ts";
import { UndoGuard } from "./undo-guard.ts";

/**
 * Edits in the notation `a[old|new]b`, each over the result of the one before, and a suggestion for
 * the last result; why it is filtered out.
 */
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
  ["row 49: what was deleted comes back and goes on", ["one [two |]end"], "one [|two three ]end", "restores-deleted 1"],
  ["a part of what was typed is taken away", ["a[| bb cc]"], "a bb[ cc|]", "deletes-typed 1"],
  ["a part of what was deleted comes back", ["a[ bb cc|] d"], "a[| bb] d", "restores-deleted 1"],
  [
    "a deleted line comes back in part",
    ["{\n[  await go();\n  end();\n|]}"],
    "{\n[|  await go();\n]}",
    "restores-deleted 1",
  ],
  [
    "a deleted line comes back, recognized by the line above",
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
  test(`a suggestion that takes back an edit: ${name}`, () => expect(refusalAfter(edits, suggestion)).toBe(refused));
}

function refusalAfter(
  edits: readonly string[],
  suggestion: string,
  options?: Parameters<UndoGuard["refusalOf"]>[3],
): string {
  const guard = new UndoGuard();
  for (const marked of edits) {
    const { text, edit } = readEdit(marked);
    guard.record("x", text, edit);
  }
  const { text, edit } = readEdit(suggestion);
  const refusal = guard.refusalOf("x", text, edit, options);
  return refusal === undefined ? "passes" : `${refusal.kind} ${refusal.stepsAgo}`;
}

test.each<[name: string, edits: readonly string[], suggestion: string, expected: string]>([
  ["all of it", ["let [one|two] = 1", "let [two|one] = 1"], "let [one|two] = 1", "passes"],
  ["of several places", ["f([a|b]) + g([a|b])", "f([b|a]) + g([b|a])"], "f([a|b]) + g([a|b])", "passes"],
  ["one of the places", ["f([a|b]) + g([a|b])", "f([b|a]) + g([b|a])"], "f([a|b]) + g(a)", "passes"],
  [
    "in as many steps as it was done",
    ["f([a|b]) + g(a)", "f(b) + g([a|b])", "f(b) + g([b|a])", "f([b|a]) + g(a)"],
    "f([a|b]) + g([a|b])",
    "passes",
  ],
  [
    "at once after several steps",
    ["f([a|b]) + g(a)", "f(b) + g([a|b])", "f([b|a]) + g([b|a])"],
    "f([a|b]) + g(a)",
    "passes",
  ],
  [
    "but not what only was before",
    ["f([a|b]) + g(a)", "f(b) + g([a|b])", "f(b) + g([b|a])"],
    "f([b|a]) + g(a)",
    "goes-back 3",
  ],
  ["after another edit", ["f([a|b]) + g(1)", "f([b|a]) + g(1)", "f(a) + g([1|2])"], "f([a|b]) + g(2)", "passes"],
  ["but not what it replaced before", ["f([a|b])", "f([b|c])", "f([c|b])"], "f([b|a])", "goes-back 1"],
  ["but not what was only deleted", ["a [b |]c"], "a [|b ]c", "goes-back 1"],
])("an invoked request may do again what was undone: %s", (_, edits, suggestion, expected) => {
  expect(refusalAfter(edits, suggestion, { mayRedo: true })).toBe(expected);
});

test.each<[name: string, edits: readonly string[], marked: string, expected: boolean]>([
  ["nothing was done", [], "a| b", false],
  ["a word was deleted", ["a[ b|] c"], "a| c", true],
  ["key by key", ["a b[c|] d", "a [b|] d"], "a | d", true],
  ["what was typed is undone", ["a[| b]", "a[ b|]"], "a|", true],
  ["what was replaced is undone", ["a [b|c] d", "a [c|b] d"], "a b| d", true],
  ["something was typed there since", ["a[ b|] c", "a[| x] c"], "a x| c", false],
  ["something was typed on the line since", ["a[ b|] c", "a c[|d]"], "a| cd", false],
  ["something was typed on another line since", ["a[ b|]\nc", "a\nc[|d]"], "a|\ncd", true],
  ["on another line", ["a[ b|]\nc"], "a\nc|", false],
  ["a word was replaced", ["a [b|x] c"], "a x| c", false],
  ["a line, and one was opened there", ["a\n[b\n|]c", "a[|\n]\nc"], "a\n|\nc", true],
  ["a line, and an indented one was opened there", ["a\n[b\n|]c", "a[|\n  ]\nc"], "a\n  |\nc", true],
  ["a line, and something was written on the one that was opened", ["a\n[b\n|]c", "a\n[|x\n]c"], "a\nx|\nc", false],
  ["a line, and the next one is checked", ["a\n[b\n|]c\nd"], "a\nc\nd|", false],
])("row 49: text was deleted on the line: %s", (_, edits, marked, expected) => {
  const guard = new UndoGuard();
  for (const marked of edits) {
    const { text, edit } = readEdit(marked);
    guard.record("x", text, edit);
  }
  expect(guard.hasTakenAway("x", marked.replace("|", ""), marked.indexOf("|"))).toBe(expected);
});

test("the undo guard remembers only the files edited last, and only their last text", () => {
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

test("law: a suggestion that passes restores no text before the last steps, and no intermediate one", () => {
  const inserted = fc.constantFrom("", "a", "b", "ab ", "\n");
  const step = fc.tuple(fc.nat(12), fc.nat(2), inserted);
  const replacement = (text: string, [at, length, fresh]: readonly [number, number, string]) => {
    const start = at % (text.length + 1);
    return Edit.replace({ start, end: Math.min(text.length, start + length) }, fresh);
  };
  let undoing = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      step,
      (steps, maxSteps, last) => {
        const guard = new UndoGuard({ maxSteps });
        let text = "a b\n";
        // The reference: the text before each run of edits in one place; an edit that undoes a
        // whole run is a run of its own.
        const states: string[] = [];
        // After each, the intermediate texts: those from which a run deleted something, unless it
        // was deleting already. As many as there are steps.
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
        const suggestions = [
          replacement(text, last),
          ...[...states, ...left.flat()].map((state) => Edit.replace({ start: 0, end: text.length }, state)),
        ];
        for (const suggestion of suggestions.filter((edit) => recent.includes(edit.apply(text)))) {
          undoing += 1;
          expect(guard.refusalOf("x", text, suggestion)).toBeDefined();
        }
      },
    ),
  );
  expect(undoing).toBeGreaterThan(80);
});
