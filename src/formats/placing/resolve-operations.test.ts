import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText, law } from "../../text/edit.laws.ts";
import { applyWorkspaceEdit } from "../../text/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import { LineTable } from "./line-table.ts";
import { block, lines, string } from "./place-cases.laws.ts";
import type { ResolvedOperation } from "./placement.ts";
import { resolveOperations } from "./resolve-operations.ts";

const files = {
  "src/a.ts": "a\nb\n",
  "src/b.ts": "b\n",
  "src/r.ts": "// ... rest ...\nb\n",
  "src/w.ts": "one();\ntwo();\n",
};
const at = (path: string | undefined, ask: EditOperation): EditOperation => ({ ...ask, path });
const create = (path: string, ...rows: string[]): EditOperation => ({ kind: "create", row: 0, path, lines: rows });
const whole = (path: string, ...rows: string[]): EditOperation => ({ kind: "whole", row: 0, path, lines: rows });
const remove = (path: string): EditOperation => ({ kind: "remove", row: 0, path });
const move = (path: string, to: string): EditOperation => ({ kind: "move", row: 0, path, to });

// The expectation is the new or changed files, `null` for a removed one, and the kinds of refusals.
const cases: readonly (readonly [
  name: string,
  asks: readonly EditOperation[],
  changed: object,
  refused?: readonly string[],
])[] = [
  ["a new file", [create("c.ts", "x")], { "c.ts": "x\n" }],
  [
    "a new file without a last line ending",
    [{ ...create("c.ts", "x"), finalNewline: false } as EditOperation],
    { "c.ts": "x" },
  ],
  ["an empty file", [create("c.ts")], { "c.ts": "" }],
  ["a new file that is edited", [create("c.ts", "x"), at("c.ts", block("x", "y"))], { "c.ts": "y\n" }],
  ["a file that is there", [create("src/b.ts", "x")], {}, ["already-exists"]],
  ["a file that is made twice", [create("c.ts", "x"), create("./c.ts", "y")], { "c.ts": "x\n" }, ["already-exists"]],
  ["a new file from a block", [at("c.ts", block("", "x"))], { "c.ts": "x\n" }],
  ["a new file from its whole text", [whole("c.ts", "x")], { "c.ts": "x\n" }],
  ["a whole new text", [whole("src/a.ts", "a", "x")], { "src/a.ts": "a\nx\n" }],
  ["a whole text that is the same", [whole("src/a.ts", "a", "b")], {}, ["no-change"]],
  ["a whole text with a remark for code", [whole("src/a.ts", "a", "// ... rest of the code ...")], {}, ["elided-code"]],
  [
    "a whole text with an edit in another format",
    [whole("src/w.ts", "one();", "<<<<<<< SEARCH", "two();", "=======", "six();", ">>>>>>> REPLACE")],
    {},
    ["unreadable-row"],
  ],
  ["lines with a remark for code", [at("src/a.ts", lines(0, 2, "// ... existing code ...|c"))], {}, ["elided-code"]],
  [
    "lines with a remark that the file has",
    [at("src/r.ts", lines(0, 2, "// ... rest ...|c"))],
    { "src/r.ts": "// ... rest ...\nc\n" },
  ],
  ["a new file with a remark for code", [create("c.ts", "// ... existing code ...")], {}, ["elided-code"]],
  ["a file that goes", [remove("src/b.ts")], { "src/b.ts": null }],
  [
    "a file that goes and is edited",
    [remove("src/b.ts"), at("src/b.ts", block("b", "c"))],
    { "src/b.ts": null },
    ["unknown-file"],
  ],
  ["a file that is edited and goes", [at("src/b.ts", block("b", "c")), remove("src/b.ts")], { "src/b.ts": null }],
  ["a file that goes and comes", [remove("src/b.ts"), create("src/b.ts", "c")], { "src/b.ts": "c\n" }],
  ["a new file that goes", [create("c.ts", "x"), remove("c.ts")], {}],
  ["a file that moves", [move("src/b.ts", "c.ts")], { "src/b.ts": null, "c.ts": "b\n" }],
  [
    "a file that moves and is edited by its old path",
    [move("src/b.ts", "c.ts"), at("src/b.ts", block("b", "c"))],
    { "src/b.ts": null, "c.ts": "c\n" },
  ],
  [
    "a file that moves and is edited by its new path",
    [move("src/b.ts", "c.ts"), at("c.ts", lines(0, 1, "c"))],
    { "src/b.ts": null, "c.ts": "c\n" },
  ],
  ["a file that moves to where one is", [move("src/b.ts", "src/a.ts")], {}, ["already-exists"]],
  ["a file that moves nowhere", [move("src/b.ts", "./src/b.ts")], {}, ["no-change"]],
  ["a file that moves out of the root", [move("src/b.ts", "../b.ts")], {}, ["unsafe-path"]],
  [
    "two files that change places",
    [move("src/b.ts", "t"), move("src/a.ts", "src/b.ts"), move("t", "src/a.ts")],
    { "src/a.ts": "b\n", "src/b.ts": "a\nb\n" },
  ],
  [
    "a file made where another was",
    [move("src/b.ts", "c.ts"), create("src/b.ts", "n")],
    { "src/b.ts": "n\n", "c.ts": "b\n" },
  ],
  [
    "edits of several files",
    [at("src/a.ts", block("b", "x")), at("src/b.ts", block("b", "y"))],
    { "src/a.ts": "a\nx\n", "src/b.ts": "y\n" },
  ],
  [
    "a part that is refused",
    [at("src/a.ts", block("z", "x")), at("src/b.ts", block("b", "y"))],
    { "src/b.ts": "y\n" },
    ["not-found"],
  ],
  ["no path", [block("a", "x")], {}, ["unknown-file"]],
  ["a path that is not known", [at("src/c.ts", block("a", "x"))], {}, ["unknown-file"]],
  ["a path out of the root", [create("../c.ts", "x")], {}, ["unsafe-path"]],
  ["an absolute path", [create("/etc/c.ts", "x")], {}, ["unsafe-path"]],
  ["a path into git's folder", [create(".git/hooks/pre-commit", "x")], {}, ["unsafe-path"]],
  [
    "a line number, then text, then a number",
    [at("src/a.ts", lines(0, 0, "n")), at("src/a.ts", block("n|a", "m|a")), at("src/a.ts", lines(1, 2, "B"))],
    { "src/a.ts": "m\na\nB\n" },
  ],
  [
    "text that an earlier edit has put in",
    [at("src/a.ts", block("a", "x")), at("src/a.ts", string("x", "y"))],
    { "src/a.ts": "y\nb\n" },
  ],
];

describe("resolveOperations", () => {
  for (const [name, asks, changed, refused = []] of cases) {
    test(name, () => {
      const before = new Map(Object.entries(files));
      const { edit, refusals } = resolveOperations(asks, before);
      const outcome = applyWorkspaceEdit(before, edit);
      const after = outcome.kind === "applied" ? Object.fromEntries(outcome.files) : outcome;
      const expected = Object.entries({ ...files, ...changed }).filter(([, text]) => text !== null);
      expect(after).toEqual(Object.fromEntries(expected));
      expect(refusals.map(({ kind }) => kind)).toEqual(refused);
    });
  }

  test("the only shown file need not be named", () => {
    const { placed } = resolveOperations([block("b", "x")], new Map([["src/b.ts", "b\n"]]));
    expect(placed).toMatchObject([{ path: "src/b.ts", splices: [{ start: 0, end: 1, lines: ["x"] }] }]);
  });

  test("a file to remove must be named", () => {
    const gone: EditOperation = { kind: "remove", row: 0, path: undefined };
    const { edit, refusals } = resolveOperations([gone], new Map([["src/b.ts", "b\n"]]));
    expect([edit.changes, refusals.map(({ kind }) => kind)]).toEqual([[], ["unknown-file"]]);
  });

  test("the changes of shown lines are returned where an operation names them", () => {
    const { placed } = resolveOperations(
      [lines(1, 2, "x|y"), block("y|c", "y|z"), block("a", "")],
      new Map([["a.ts", "a\nb\nc\n"]]),
    );
    expect(placed.map(({ splices }) => splices)).toEqual([
      [{ start: 1, end: 2, lines: ["x", "y"] }],
      [{ start: 2, end: 3, lines: ["z"] }],
      [{ start: 0, end: 1, lines: [] }],
    ]);
  });

  test("insertions before others at the same place return no splice", () => {
    const { placed, edit } = resolveOperations([block("a", "a|x"), block("a", "a|y")], new Map([["a.ts", "a\nb\n"]]));
    expect(placed.map(({ splices }) => splices)).toEqual([[{ start: 1, end: 1, lines: ["x"] }], []]);
    const outcome = applyWorkspaceEdit(new Map([["a.ts", "a\nb\n"]]), edit);
    expect(outcome).toMatchObject({ files: new Map([["a.ts", "a\ny\nx\nb\n"]]) });
  });
});

const letters = fc.constantFrom("a", "b", "c", "", "a b", "\tc", "…");
const someLines = fc.array(letters, { maxLength: 3 });
const numbers = fc.integer({ min: -1, max: 9 });
const anyAsk: fc.Arbitrary<EditOperation> = fc
  .oneof(
    fc.record({
      kind: fc.constant("lines" as const),
      start: numbers,
      end: numbers,
      lines: someLines,
      anchors: fc.array(fc.record({ line: numbers, opening: letters }), { maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant("block" as const), search: someLines, replace: someLines, near: numbers }),
    fc.record({ kind: fc.constant("string" as const), search: letters, replace: letters, isEvery: fc.boolean() }),
    fc.record({ kind: fc.constant("whole" as const), lines: someLines }),
    fc.record({ kind: fc.constant("elided" as const), lines: someLines }),
  )
  .map((ask) => ({ ...ask, row: 0, path: undefined }) as EditOperation);

law(
  "no operation, however odd, changes a byte of a line that it does not name",
  [anyText, fc.array(anyAsk, { maxLength: 4 })],
  (text, asks) => {
    const { edit, placed, refusals, normalizations } = resolveOperations(asks, new Map([["a.ts", text]]));
    const repeats = normalizations.filter(({ message }) => message.endsWith("It was taken once."));
    expect(placed.length + refusals.length + repeats.length).toBe(asks.length);
    const outcome = applyWorkspaceEdit(new Map([["a.ts", text]]), edit);
    expect(outcome.kind).toBe("applied");
    fc.pre(outcome.kind === "applied" && placed.every(({ splices }) => splices.length > 0));
    expectKept(text, outcome.files.get("a.ts")!, placed);
  },
);

/**
 * Checks that the lines outside of all splices are kept byte for byte and in order; the last may
 * gain or lose its ending.
 */
function expectKept(before: string, after: string, placed: readonly ResolvedOperation[]): void {
  const named = new Set<number>();
  for (const { start, end } of placed.flatMap(({ splices }) => splices)) for (let i = start; i < end; i++) named.add(i);
  const table = LineTable.of(before);
  let from = before.startsWith("\ufeff") ? 1 : 0;
  for (let i = 0; i < table.count; i++) {
    if (named.has(i)) continue;
    const line = table.line(i);
    const bytes = line.text + (i === table.count - 1 || named.has(i + 1) ? "" : line.ending);
    const at = after.indexOf(bytes, from);
    expect(at).toBeGreaterThanOrEqual(from);
    from = at + bytes.length;
  }
}
