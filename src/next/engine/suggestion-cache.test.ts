import fc from "fast-check";
import { expect, test } from "vitest";
import { readEdit, showEdit } from "../../text/edit.laws.ts";
import { Edit, invariant } from "../../text/index.ts";
import { reducedWindow, SuggestionCache } from "./suggestion-cache.ts";

/**
 * A step: `type a[old|new]b` edits the present text, `at N` moves the cursor; `accept`; `forget`;
 * `see` returns what is shown.
 */
type Step = string;

/**
 * Plays steps on the text of a suggestion, with the cursor at 0 first. Returns what each `see`
 * shows: the text with its edit in the notation, or the kind.
 */
function play(suggestion: string, steps: readonly Step[], window?: string): readonly string[] {
  const cache = new SuggestionCache<undefined>();
  const { text: first, edit } = readEdit(suggestion);
  const range =
    window === undefined ? undefined : { start: first.indexOf(window), end: first.indexOf(window) + window.length };
  cache.keep("x", first, { edits: edit.edits, ...(range && { window: range }), data: undefined });
  let [text, cursor] = [first, range?.start ?? 0];
  const seen: string[] = [];
  const change = (made: Edit) => {
    cache.follow("x", text, made);
    cursor = made.mapOffset(cursor, "after");
    text = made.apply(text);
  };
  for (const step of steps) {
    const answer = cache.find("x", text, cursor);
    if (step.startsWith("type ")) {
      const typed = readEdit(step.slice(5));
      invariant(typed.text === text, `The step "${step}" is about another text than ${JSON.stringify(text)}.`);
      change(typed.edit);
    } else if (step.startsWith("at ")) cursor = Number(step.slice(3));
    else if (step === "accept" && answer.kind === "edit") change(answer.edit);
    else if (step === "forget") cache.forget("x");
    else seen.push(answer.kind === "edit" ? showEdit(text, answer.edit) : answer.kind);
  }
  return seen;
}

const cases: readonly (readonly [
  name: string,
  suggestion: string,
  steps: readonly Step[],
  seen: readonly string[],
  window?: string,
])[] = [
  ["returns the answer as cached", "a [b|B] c", ["see"], ["a [b|B] c"]],
  [
    "the next one after the first is accepted",
    "a [b|B] c [d|D] e",
    ["see", "accept", "see", "accept", "see"],
    ["a [b|B] c d e", "a B c [d|D] e", "missing"],
  ],
  [
    "typed on the way, then accepted, then the next",
    "f[|oo]; [g|G]",
    ["type f[|o]; g", "see", "accept", "see"],
    ["fo[|o]; g", "foo; [g|G]"],
  ],
  ["typed elsewhere", "a [b|B]", ["type [|x ]a b", "see"], ["x a [b|B]"]],
  ["a wrong letter, taken back", "a[|bc]", ["type a[|x]", "see", "type a[x|]", "see"], ["missing", "a[|bc]"]],
  ["a wrong letter in the first, so nothing of the second", "a[|b] [c|C]", ["type a[|x] c", "see"], ["missing"]],
  ["undone", "a [b|B] c [d|D]", ["accept", "type a [B|b] c d", "see"], ["a [b|B] c d"]],
  [
    "the cursor leaves and comes back",
    "one\ntwo [x|X]\nend",
    ["at 0", "see", "at 5", "see"],
    ["hidden", "one\ntwo [x|X]\nend"],
    "two x\n",
  ],
  [
    "the window moves with the text",
    "one\ntwo [x|X]\nend",
    ["type [|more\n]one\ntwo x\nend", "at 5", "see", "at 9", "see"],
    ["hidden", "more\none\ntwo [x|X]\nend"],
    "two x\n",
  ],
  [
    "nothing to propose",
    "one\ntwo\nend",
    ["see", "at 0", "see", "at 4", "see"],
    ["nothing", "missing", "nothing"],
    "two",
  ],
  ["nothing to propose, until something is typed", "one\ntwo", ["type one[|s]\ntwo", "see"], ["missing"]],
  ["forgotten", "a [b|B]", ["forget", "see"], ["missing"]],
];
for (const [name, suggestion, steps, seen, window] of cases) {
  test(`the suggestion cache: ${name}`, () => expect(play(suggestion, steps, window)).toEqual(seen));
}

const windows: readonly (readonly [name: string, text: string, window: string, cursor: string, reduced: string])[] = [
  ["a line less at each side", "a\nb\nc\nd\ne\n", "a\nb\nc\nd\n", "c", "b\nc"],
  ["the cursor's line stays, at the top", "a\nb\nc\nd\n", "a\nb\nc\n", "a", "a\nb"],
  ["the cursor's line stays, at the bottom", "a\nb\nc", "a\nb\nc", "c", "b\nc"],
  ["one line", "abc", "abc", "b", "abc"],
];
for (const [name, text, window, cursor, reduced] of windows) {
  test(`the suggestion cache proposes nothing: ${name}`, () => {
    const start = text.indexOf(window);
    const range = reducedWindow(text, { start, end: start + window.length }, text.indexOf(cursor));
    expect(text.slice(range.start, range.end)).toBe(reduced);
  });
}

test("the suggestion cache separates files and texts, and drops everything at once", () => {
  const cache = new SuggestionCache<string>();
  const edits = Edit.insert(1, "b").edits;
  cache.keep("x", "a", { edits, data: "me" });
  cache.keep("y", "ac", { edits, data: "you" });
  expect(cache.find("x", "a", 0)).toMatchObject({ kind: "edit", data: "me", isRebased: false });
  for (const [path, text] of [
    ["y", "a"],
    ["x", "ac"],
    ["z", "a"],
  ])
    expect(cache.find(path!, text!, 0)).toEqual({ kind: "missing" });
  cache.forgetAll();
  expect(cache.find("x", "a", 0)).toEqual({ kind: "missing" });
});

test("the suggestion cache follows typing while an answer streams", () => {
  const { text, edit } = readEdit("f[|(a)]; [b|B]");
  const cache = new SuggestionCache<undefined>();
  const shown = (present: string) => {
    const answer = cache.find("x", present, 0);
    return answer.kind === "edit" ? showEdit(present, answer.edit) : answer.kind;
  };
  cache.keep("x", text, { edits: edit.edits.slice(0, 1), data: undefined }, Edit.insert(1, "("));
  expect(shown("f(; b")).toBe("f([|a)]; b");
  cache.follow("x", "f(; b", Edit.insert(2, "a)"));
  expect(shown("f(a); b")).toBe("missing");
  cache.keep("x", text, { edits: edit.edits, data: undefined });
  expect(shown("f(a); b")).toBe("f(a); [b|B]");
});

test("the suggestion cache finds the answer of a text that is restored", () => {
  const cache = new SuggestionCache<undefined>();
  cache.keep("x", "a b", { edits: Edit.insert(3, "c").edits, data: undefined });
  cache.follow("x", "a b", Edit.insert(0, "z"));
  cache.follow("x", "a b", Edit.insert(0, "yy"));
  expect(cache.find("x", "yya b", 0)).toMatchObject({ kind: "edit", edit: Edit.insert(5, "c") });
});

test("law: the cache is bounded, and its edits apply to the text and change it", () => {
  const step = fc.record({
    what: fc.constantFrom("keep", "type", "find"),
    path: fc.constantFrom("x", "y"),
    at: fc.nat(40),
    length: fc.nat(3),
    inserted: fc.string({ unit: fc.constantFrom("a", "b", " ", "\n"), maxLength: 3 }),
  });
  let edits = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = new SuggestionCache<undefined>(4);
      const texts: Record<string, string> = { x: "a b\na b\n", y: "" };
      for (const { what, path, at, length, inserted } of steps) {
        const text = texts[path]!;
        const start = at % (text.length + 1);
        const edit = Edit.replace({ start, end: Math.min(text.length, start + length) }, inserted);
        if (what === "keep") cache.keep(path, text, { edits: edit.edits, data: undefined });
        if (what === "type") {
          cache.follow(path, text, edit);
          texts[path] = edit.apply(text);
        }
        const answer = cache.find(path, texts[path]!, 0);
        edits += answer.kind === "edit" ? 1 : 0;
        expect(answer.kind === "edit" ? answer.edit.apply(texts[path]!) : undefined).not.toBe(texts[path]);
        expect(cache.size).toBeLessThanOrEqual(4);
      }
    }),
  );
  expect(edits).toBeGreaterThan(60);
});

test("law: accepting edit after edit produces the text of the answer", () => {
  const words = fc.array(
    fc.tuple(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 }), fc.boolean()),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(words, (all) => {
      const { text, edit } = readEdit(
        all.map(([word, isEdited]) => (isEdited ? `[${word}|${word}Z]` : word)).join(" . "),
      );
      const cache = new SuggestionCache<undefined>();
      cache.keep("x", text, { edits: edit.edits, data: undefined });
      let present = text;
      for (const index of edit.edits.keys()) {
        const answer = cache.find("x", present, 0);
        expect(answer).toMatchObject({ kind: "edit", index, isRebased: false });
        invariant(answer.kind === "edit", answer.kind);
        cache.follow("x", present, answer.edit);
        present = answer.edit.apply(present);
      }
      expect(present).toBe(edit.apply(text));
    }),
  );
});
