import fc from "fast-check";
import { expect, test } from "vitest";
import { Edit, minimalEdit } from "../text/index.ts";
import { EditHistory, printPastEdit } from "./edit-history.ts";
import { type PastEdit, stepsOf } from "./edit-steps.ts";

/**
 * Each change is `path: old -> new` on a text that starts as the lines `a`, `b`, `c`, `d`, `e`; `/`
 * in the old and the new is a line feed.
 */
function play(changes: readonly string[], history = new EditHistory()): EditHistory {
  const texts = new Map<string, string>();
  for (const [i, change] of changes.entries()) {
    const [, path, replacement] = /^(\S+): (.*)$/.exec(change)!;
    const [old, fresh] = replacement!.replaceAll("/", "\n").split(" -> ");
    const text = texts.get(path!) ?? "a\nb\nc\nd\ne\n";
    const start = text.indexOf(old!);
    const edit = Edit.replace({ start, end: start + old!.length }, fresh!);
    history.record(path!, text, edit, i);
    texts.set(path!, edit.apply(text));
  }
  return history;
}

const shown = (edits: readonly PastEdit[]) =>
  edits.map(
    ({ path, lines, before, after }) => `${path} ${lines.start}-${lines.end} ${before.join("|")} => ${after.join("|")}`,
  );

// What is remembered as a diff shows it, and as it was made where that is something else.
test.each<[name: string, changes: string[], entries: string[], steps?: string[]]>([
  ["one line", ["x: b -> bb"], ["x 1-2 b => bb"]],
  ["key by key", ["x: b -> bb", "x: bb -> bbb"], ["x 1-2 b => bbb"]],
  ["taken back", ["x: b -> bb", "x: bb -> b"], []],
  ["neighbouring lines", ["x: b -> B", "x: c -> C"], ["x 1-3 b|c => B|C"], ["x 1-2 b => B", "x 2-3 c => C"]],
  ["from the last to the first", ["x: c -> C", "x: b -> B"], ["x 1-3 b|c => B|C"], ["x 2-3 c => C", "x 1-2 b => B"]],
  ["neighbouring lines at once", ["x: b/c -> B/C"], ["x 1-3 b|c => B|C"]],
  ["one of those again", ["x: b/c -> B/C", "x: C -> CC"], ["x 1-3 b|c => B|CC"]],
  [
    "one of two again",
    ["x: b -> B", "x: c -> C", "x: B -> BB"],
    ["x 1-3 b|c => BB|C"],
    ["x 2-3 c => C", "x 1-2 b => BB"],
  ],
  ["lines apart", ["x: b -> B", "x: e -> E"], ["x 1-2 b => B", "x 4-5 e => E"]],
  [
    "one between joins both",
    ["x: a -> A", "x: c -> C", "x: b -> B"],
    ["x 0-3 a|b|c => A|B|C"],
    ["x 0-1 a => A", "x 2-3 c => C", "x 1-2 b => B"],
  ],
  ["all of a line and its line feed", ["x: b/ -> B/", "x: d -> D"], ["x 1-2 b => B", "x 3-4 d => D"]],
  ["over two that were edited", ["x: b -> B", "x: c -> C", "x: B/C -> /"], ["x 1-3 b|c => |"]],
  ["lines above move it", ["x: e -> E", "x: a/ -> a/n/m/"], ["x 6-7 e => E", "x 1-3  => n|m"]],
  [
    "a line below",
    ["x: b -> B", "x: B/ -> B//", "x: B// -> B/n/"],
    ["x 1-3 b => B|n"],
    ["x 1-2 b => B", "x 2-3  => n"],
  ],
  ["a line above", ["x: a/ -> a/n/", "x: b -> B"], ["x 1-3 b => n|B"], ["x 1-2  => n", "x 2-3 b => B"]],
  ["line by line", ["x: b/ -> b/n/", "x: n/ -> n//", "x: n// -> n/m/"], ["x 2-4  => n|m"]],
  ["a line gone", ["x: c/ -> "], ["x 2-2 c => "]],
  ["a line in place of another", ["x: c/ -> ", "x: b/ -> b/n/"], ["x 2-3 c => n"]],
  ["lines gone one by one", ["x: c/ -> ", "x: b/ -> "], ["x 1-1 b|c => "]],
  ["two lines made one", ["x: b -> B", "x: B/c -> B c"], ["x 1-2 b|c => B c"]],
  ["two files", ["x: b -> B", "y: b -> B"], ["x 1-2 b => B", "y 1-2 b => B"]],
  ["what was edited again is the latest", ["x: b -> B", "y: c -> C", "x: B -> BB"], ["y 2-3 c => C", "x 1-2 b => BB"]],
  ["secrets are left out", [".env: b -> B", "keys/.ssh/k: b -> B"], []],
])("entries of the edit history: %s", (_, changes, entries, steps = entries) => {
  const edits = play(changes).entries(changes.length);
  expect(shown(edits)).toEqual(entries);
  expect(shown(edits.flatMap(stepsOf))).toEqual(steps);
});

test("edits of adjacent lines are one entry of the edit history", () => {
  const history = new EditHistory();
  const text = "a\nb\nc\nd\n";
  const edit = Edit.of([2, 4].map((start) => ({ start, end: start + 1, text: "-" })));
  history.record("x", text, edit, 0);
  expect(shown(history.entries(0).flatMap(stepsOf))).toEqual(["x 1-3 b|c => -|-"]);
  history.record("x", edit.apply(text), Edit.of([0, 6].map((at) => ({ start: at, end: at, text: "\n" }))), 0);
  expect(shown(history.entries(0).flatMap(stepsOf))).toEqual(["x 2-4 b|c => -|-", "x 4-5  => ", "x 0-1  => "]);
});

test("the edit history drops old entries, entries over the limit and long entries", () => {
  const history = new EditHistory({ maxEntries: 2, maxAgeMs: 10, maxLines: 3 });
  play(["x: b -> B", "y: b -> B", "z: b -> B", "w: b -> 1/2/3/4"], history);
  expect(history.entries(3).map(({ path }) => path)).toEqual(["y", "z"]);
  expect(history.entries(12).map(({ path }) => path)).toEqual(["z"]);
  history.forget("z");
  expect(history.entries(3).map(({ path }) => path)).toEqual(["y"]);
});

const edit = {
  path: "x",
  lines: { start: 4, end: 6 },
  before: ["old", "same"],
  after: ["new", "same", "typed"],
  atMs: 0,
};
const prints: readonly (readonly [name: string, edit: PastEdit, cursorLine: number | undefined, text: string])[] = [
  ["the present lines come first", edit, undefined, "+new\n+typed\n-old\n"],
  ["the cursor's line is left to the prompt", edit, 6, "+new\n-old\n"],
  ["nothing to say", { ...edit, before: [], after: ["typed"] }, 4, ""],
];
for (const [name, past, line, text] of prints)
  test(`printPastEdit: ${name}`, () => expect(printPastEdit(past, line)).toBe(text));

test("law: entries of the edit history have the current lines, and no two entries of a file touch", () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom("", "x", "\n", "y\nz\n", "\r\n")), {
    maxLength: 20,
  });
  let neighbours = 0;
  fc.assert(
    fc.property(changes, (all) => {
      const history = new EditHistory({ maxLines: 1_000 });
      let text = "a\nb\nc\n\nd\ne\nf\ng\nh";
      for (const [where, length, inserted] of all) {
        const start = where % (text.length + 1);
        const change = Edit.replace({ start, end: Math.min(text.length, start + length) }, inserted);
        history.record("x", text, change, 0);
        text = change.apply(text);
      }
      const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
      const entries = [...history.entries(0)].sort((one, other) => one.lines.start - other.lines.start);
      for (const { lines: range, after } of [...entries, ...entries.flatMap(stepsOf)])
        expect(lines.slice(range.start, range.end)).toEqual(after);
      const later = entries.slice(1);
      neighbours += later.length;
      for (const [i, { lines: range }] of later.entries())
        expect(range.start).toBeGreaterThan(entries[i]!.lines.end - 1);
    }),
  );
  expect(neighbours).toBeGreaterThan(15);
});

test("the edit history follows a rename of a file and is cleared by a checkout", () => {
  const history = new EditHistory();
  play(["x: b -> B", "y: c -> C", "z: d -> D"], history);
  history.rename("x", "y");
  expect(shown(history.entries(3))).toEqual(["y 1-2 b => B", "z 3-4 d => D"]);
  history.record("y", "a\nB\nc\nd\ne\n", Edit.insert(3, "B"), 3);
  expect(shown(history.entries(3))).toEqual(["z 3-4 d => D", "y 1-2 b => BB"]);
  history.rename("z", ".env");
  expect(shown(history.entries(3))).toEqual(["y 1-2 b => BB"]);
  history.forgetAll();
  expect(history.entries(3)).toEqual([]);
});

test("the edit history drops entries that a text no longer shows after an unseen change", () => {
  const history = new EditHistory();
  play(["x: a -> A", "x: e -> E"], history);
  history.record("x", "A\nb\nc\nd\nother\n", Edit.insert(3, "!"), 3);
  expect(shown(history.entries(3))).toEqual(["x 0-2 a|b => A|b!"]);
});

/**
 * A document with its undo stack, as an editor keeps it, and its lines when the history began to
 * follow it.
 */
interface Played {
  readonly first: string;
  readonly texts: readonly string[];
  readonly at: number;
}

test("law: the edit history is exact after 15,000 events with undo, redo, renames and checkouts", () => {
  const linesOf = (text: string) => text.split("\n").map((line) => line.replace(/\r$/, ""));
  const rng = seeded(7);
  const pick = (count: number) => Math.floor(rng() * count);
  const all = new EditHistory({ maxEntries: 10_000, maxLines: 10_000, maxAgeMs: 1e9 });
  const few = new EditHistory({ maxEntries: 8, maxLines: 4, maxAgeMs: 300 });
  const documents = new Map<string, Played>();
  let named = 0;
  const start = (path: string) => {
    const text = Array.from({ length: 40 }, (_, i) => `line ${i}`).join(pick(2) ? "\n" : "\r\n");
    documents.set(path, { first: text, texts: [text], at: 0 });
  };
  for (let i = 0; i < 4; i++) start(`file${named++}`);
  const become = (path: string, from: string, to: string, now: number) => {
    const edit = minimalEdit(from, to, { unit: pick(2) ? "character" : "line" });
    for (const history of [all, few]) history.record(path, from, edit, now);
  };
  const check = (now: number) => {
    for (const [path, { first, texts, at }] of documents) {
      for (const entries of [all.entries(now), all.entries(now).flatMap(stepsOf)]) {
        const lines = linesOf(texts[at]!);
        const edits = entries.filter((edit) => edit.path === path);
        edits.sort((one, other) => other.lines.start - one.lines.start || other.lines.end - one.lines.end);
        for (const { lines: range, after } of edits) expect(lines.slice(range.start, range.end)).toEqual(after);
        for (const { lines: range, before } of edits) lines.splice(range.start, range.end - range.start, ...before);
        expect(lines).toEqual(linesOf(first));
      }
    }
    const bounded = few.entries(now);
    expect(bounded.length).toBeLessThanOrEqual(8);
    expect(few.entries(now).flatMap(stepsOf).length).toBeLessThanOrEqual(8 * 2 * 4);
    for (const { path, lines, before, after, atMs } of bounded) {
      expect(linesOf(documents.get(path)!.texts[documents.get(path)!.at]!).slice(lines.start, lines.end)).toEqual(
        after,
      );
      expect(Math.max(before.length, after.length)).toBeLessThanOrEqual(4);
      expect(now - atMs).toBeLessThanOrEqual(300);
    }
  };
  for (let now = 0; now < 15_000; now++) {
    const path = [...documents.keys()][pick(documents.size)]!;
    const { first, texts, at } = documents.get(path)!;
    const text = texts[at]!;
    const what = rng();
    if (what < 0.002) {
      all.forgetAll();
      few.forgetAll();
      for (const known of documents.keys()) start(known);
    } else if (what < 0.01) {
      const fresh = `file${named++}`;
      for (const history of [all, few]) history.rename(path, fresh);
      documents.delete(path);
      documents.set(fresh, { first, texts, at });
    } else if (what < 0.2 && at > 0) {
      become(path, text, texts[at - 1]!, now);
      documents.set(path, { first, texts, at: at - 1 });
    } else if (what < 0.3 && at + 1 < texts.length) {
      become(path, text, texts[at + 1]!, now);
      documents.set(path, { first, texts, at: at + 1 });
    } else {
      const from = pick(text.length + 1);
      const isShort = text.length < 500;
      const end = Math.min(text.length, from + (rng() < 0.5 ? 0 : pick(isShort ? 4 : 30)));
      const inserted = ["", "x", "word ", "\n", "a\nb\nc\n", "\r\n"][pick(6)]!;
      const edit = Edit.replace({ start: from, end }, inserted);
      for (const history of [all, few]) history.record(path, text, edit, now);
      documents.set(path, {
        first,
        texts: [...texts.slice(Math.max(0, at - 20), at + 1), edit.apply(text)],
        at: Math.min(at, 20) + 1,
      });
    }
    if (now % 10 === 0) check(now);
  }
});

/** Numbers in `[0, 1)` that are the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
