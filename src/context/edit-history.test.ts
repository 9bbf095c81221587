import fc from "fast-check";
import { expect, test } from "vitest";
import { Edit } from "../text/index.ts";
import { EditHistory, type PastEdit, printPastEdit } from "./edit-history.ts";

/** Each change is `path: old -> new` on a text that starts as the lines `a`, `b`, `c`, `d`, `e`. */
function play(changes: readonly string[], history = new EditHistory()): readonly PastEdit[] {
  const texts = new Map<string, string>();
  for (const [i, change] of changes.entries()) {
    const [, path, old, fresh] = /^(\S+): (.*) -> (.*)$/s.exec(change)!;
    const text = texts.get(path!) ?? "a\nb\nc\nd\ne\n";
    const start = text.indexOf(old!);
    const edit = Edit.replace({ start, end: start + old!.length }, fresh!);
    history.record(path!, text, edit, i);
    texts.set(path!, edit.apply(text));
  }
  return history.entries(changes.length);
}

const shown = (edits: readonly PastEdit[]) =>
  edits.map(
    ({ path, lines, before, after }) => `${path} ${lines.start}-${lines.end} ${before.join("|")} => ${after.join("|")}`,
  );

const cases: readonly (readonly [name: string, changes: readonly string[], entries: readonly string[]])[] = [
  ["one line", ["x: b -> bb"], ["x 1-2 b => bb"]],
  ["key by key", ["x: b -> bb", "x: bb -> bbb"], ["x 1-2 b => bbb"]],
  ["taken back", ["x: b -> bb", "x: bb -> b"], []],
  ["neighbouring lines", ["x: b -> B", "x: c -> C"], ["x 1-3 b|c => B|C"]],
  ["lines apart", ["x: b -> B", "x: e -> E"], ["x 1-2 b => B", "x 4-5 e => E"]],
  ["one between joins both", ["x: a -> A", "x: c -> C", "x: b -> B"], ["x 0-3 a|b|c => A|B|C"]],
  ["lines above move it", ["x: e -> E", "x: a\n -> a\nn\nm\n"], ["x 6-7 e => E", "x 0-4 a|b => a|n|m|b"]],
  ["a line gone", ["x: c\n -> "], ["x 2-3 c|d => d"]],
  ["two files", ["x: b -> B", "y: b -> B"], ["x 1-2 b => B", "y 1-2 b => B"]],
  ["what was edited again is the latest", ["x: b -> B", "y: c -> C", "x: B -> BB"], ["y 2-3 c => C", "x 1-2 b => BB"]],
  ["secrets are left out", [".env: b -> B", "keys/.ssh/k: b -> B"], []],
];
for (const [name, changes, entries] of cases) test(name, () => expect(shown(play(changes))).toEqual(entries));

test("keeps no more than it may, no longer than it may, and nothing too long", () => {
  const history = new EditHistory({ maxEntries: 2, maxAgeMs: 10, maxLines: 3 });
  play(["x: b -> B", "y: b -> B", "z: b -> B", "w: b -> 1\n2\n3\n4"], history);
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
  ["what stands there first", edit, undefined, "+new\n+typed\n-old\n"],
  ["the cursor's line is left to the prompt", edit, 6, "+new\n-old\n"],
  ["nothing to say", { ...edit, before: [], after: ["typed"] }, 4, ""],
];
for (const [name, past, line, text] of prints) test(name, () => expect(printPastEdit(past, line)).toBe(text));

test("law: the lines after are those of the present text, and no two entries of a file touch", () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom("", "x", "\n", "y\nz\n", "\r\n")), {
    maxLength: 20,
  });
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
      for (const { lines: range, after } of entries) expect(lines.slice(range.start, range.end)).toEqual(after);
      for (const [i, { lines: range }] of entries.entries()) {
        if (i > 0) expect(range.start).toBeGreaterThan(entries[i - 1]!.lines.end - 1);
      }
    }),
  );
});
