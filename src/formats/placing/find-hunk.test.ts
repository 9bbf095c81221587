import fc from "fast-check";
import { expect, test } from "vitest";
import { applyWorkspaceEdit } from "../../text/index.ts";
import type { EditFormat } from "../edit-format.ts";
import { readAnswer } from "../reading/answer-reader.ts";
import { udiff } from "../udiff.ts";
import { v4a } from "../v4a.ts";
import { resolveOperations } from "./resolve-operations.ts";

/**
 * A file and an edit of it: rows of the file, deleted ones with `-`, new ones with `+` at their
 * start.
 */
const edits: Readonly<Record<string, string>> = {
  "a comment": "|/**\n| * Adds.\n| */\n|f();\n|/**\n-| * Subtracts.\n+| * Takes b from a.\n| */\n|g();",
  "a function": "|a();\n|function sub(a, b) {\n|  log(a);\n-|  return a - b;\n+|  return b - a;\n|}\n|z();",
  tabs: "|func f() {\n|\tif a {\n-|\t\treturn 1\n+|\t\treturn 2\n|\t}\n|}",
  "new lines": "|class A:\n|    def f(self):\n|        x = 1\n+|        y = 2\n|        return x\n|    z = 3",
  "lines that go": "|steps:\n|  - run: one\n-|  - run: two\n|  - run: three\n|last: 1",
};

const rowsOf = (edit: string) =>
  edit.split("\n").map((row) => ({ mark: row[0] === "|" ? " " : row[0]!, text: row.replace(/^[-+]?\|/, "") }));
const join = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** The rows of a hunk as a model writes them: the text at the `i`th place. */
type Shape = (row: { readonly mark: string; readonly text: string }, i: number) => string;

const plain: Shape = ({ mark, text }) => mark + text;
const stays =
  (spell: (text: string, i: number) => string): Shape =>
  (row, i) =>
    row.mark === " " ? spell(row.text, i) : plain(row, i);

const shapes: Readonly<Record<string, Shape>> = {
  "no mark where nothing changes": stays((text) => text),
  "no mark in some rows": stays((text, i) => (i % 2 === 0 ? text : ` ${text}`)),
  "a blank too many": stays((text) => `  ${text}`),
  "two blanks too many in some rows": stays((text, i) => (i % 2 === 0 ? `   ${text}` : ` ${text}`)),
  "blanks behind": stays((text) => ` ${text}  `),
  "blanks that do not break": stays((text) => ` ${text.replaceAll(" ", "\u00a0")}`),
  "a blank that does not break for the mark": stays((text) => `\u00a0${text}`),
  "an empty hunk in front": (row, i) => (i === 0 ? `\n@@\n${plain(row, i)}` : plain(row, i)),
  "an empty hunk behind": (row, i) => (i === 4 ? `${plain(row, i)}\n@@\n` : plain(row, i)),
};

const head: Readonly<Record<string, string>> = {
  v4a: "*** Begin Patch\n*** Update File: a.ts\n@@\n",
  udiff: "--- a/a.ts\n+++ b/a.ts\n@@ @@\n",
};

function apply(format: EditFormat, before: string, answer: string) {
  const files = new Map([["a.ts", before]]);
  const content = readAnswer(format.read({ paths: ["a.ts"] }), answer);
  const placement = resolveOperations(content.operations, files);
  const outcome = applyWorkspaceEdit(files, placement.edit);
  return {
    after: outcome.kind === "applied" ? outcome.files.get("a.ts") : undefined,
    kinds: [...content.normalizations, ...placement.normalizations].map(({ kind }) => kind),
    refusals: [...content.refusals, ...placement.refusals].map(({ kind }) => kind),
  };
}

for (const format of [v4a, udiff]) {
  for (const [name, edit] of Object.entries(edits)) {
    for (const [shape, spell] of Object.entries(shapes)) {
      test(`row 33: ${format.name}, ${name}: ${shape}`, () => {
        const rows = rowsOf(edit);
        const before = join(rows.filter(({ mark }) => mark !== "+").map(({ text }) => text));
        const after = join(rows.filter(({ mark }) => mark !== "-").map(({ text }) => text));
        const [first, end] = [
          rows.findIndex(({ mark }) => mark !== " ") - 2,
          rows.findLastIndex(({ mark }) => mark !== " ") + 2,
        ];
        let written = rows
          .slice(Math.max(0, first), end)
          .map((row, i, all) => spell(row, i === all.length - 1 ? 4 : i))
          .join("\n");
        if (format.name === "udiff") written = written.replaceAll("\n@@\n", "\n@@ @@\n").replace(/^@@$/gm, "@@ @@");
        const close = format.name === "v4a" ? "\n*** End Patch\n" : "\n";
        const { kinds, refusals, ...found } = apply(format, before, head[format.name] + written + close);
        expect([found.after, refusals]).toEqual([after, []]);
        expect(kinds.length > 0 || /behind|tabs/.test(shape + name)).toBe(true);
      });
    }
  }
}

const twice = "f {\n  a();\n}\n/**\n * One.\n */\ng {\n  a();\n}\n/**\n * Two.\n */\nh {\n  a();\n}\n";

test.each([
  ["the heading is the line above", "@@ /**\n- * Two.\n+ * 2.\n  */", twice.replace("Two", "2")],
  ["the only place right below the heading", "@@ g {\n-  a();\n+  b();", twice.replace(/(?<=g \{\n {2})a/, "b")],
  [
    "a heading that is there twice, right above one place",
    "@@ }\n-x\n+y",
    "}\nx\n}\n1\nx\n".replace("x", "y"),
    "}\nx\n}\n1\nx\n",
  ],
  [
    "a heading that is repeated as the first row",
    "@@ g {\n g {\n-  a();\n+  b();",
    twice.replace(/(?<=g \{\n {2})a/, "b"),
  ],
  ["the heading begins one of two places", "@@ x\n x\n-y\n+z", undefined, "x\ny\n1\nx\ny\n"],
  ["lines that stay fit in two places", "@@\n   xx\n-y\n+z", undefined, " xx\ny\n1\n xx\ny\n"],
  [
    "what goes is indented otherwise than what stays",
    "@@\n ab {\n-   cd\n+   ef\n }",
    "ab {\n  ef\n}\n",
    "ab {\n  cd\n}\n",
  ],
  ["a line that goes is not the one that stays", "@@\n   ab\n-  }\n   }\n cd", "  ab\n}\ncd\n", "  ab\n  }\n}\ncd\n"],
  ["new lines are indented as the lines that stay are", "@@\n  ab\n+ new\n  cd", "ab\nnew\ncd\n", "ab\ncd\n"],
])("row 33: %s", (_, rows, expected, before = twice) => {
  const answer = `${head["v4a"]!.replace("@@\n", "")}${rows}\n*** End Patch\n`;
  const { after, refusals } = apply(v4a, before, answer);
  expect(after).toBe(expected ?? before);
  expect(refusals.length).toBe(expected === undefined ? 1 : 0);
});

// Found by `bench:formats:differential`: Codex applies these as intended. A row is `mark|text`; the
// file has the context and deleted rows, without the blanks written `~`.
test.each([
  ["a blank in front of tabs", " |~\tlog(x);\n+|\tlog(y);\n+|\t  // more\n |\tlast();"],
  ["a blank in front of tabs alone", " |~\tlog(x);\n+|\t\tlog(y);"],
  ["two blanks in front of tabs", " |~~func f() {\n-|\tlog(x);\n+|\tlog(y);\n |~~\tlast();"],
  ["new lines that are indented less", " |~  const a = load(1);\n+|const b = 2;\n+|const c = 3;"],
  ["new lines in front", "+|first();\n+|second();\n |~~func f() {\n |~~\tlog(x);"],
  ["lines that go at the margin", " |~~  log(x);\n-|amount:\n+|  new: 1\n+|other: 2\n |~~  offset: 17\n |~~margin:"],
  [
    "one blank with lines that go at the margin",
    " |~/**\n |~ * Adds.\n-|static int f() {\n+|int g;\n+|  int h;\n |~    // b\n |~}",
  ],
])("puts new lines as they are where lines that stay have blanks too many: %s", (_, notation) => {
  const rows = notation.split("\n").map((row) => ({ mark: row[0]!, text: row.slice(2) }));
  const clean = rows.map(({ mark, text }) => ({ mark, text: text.replaceAll("~", "") }));
  const linesWithout = (mark: string) => join(clean.filter((row) => row.mark !== mark).map(({ text }) => text));
  const answer = rows.map(({ mark, text }) => `${mark}${text.replaceAll("~", " ")}\n`).join("");
  for (const format of [v4a, udiff]) {
    const end = format === v4a ? "*** End Patch\n" : "";
    const result = apply(format, `start();\n\n${linesWithout("+")}\nend();\n`, head[format.name] + answer + end);
    expect(result.refusals).toEqual([]);
    expect(result.after).toBe(`start();\n\n${linesWithout("-")}\nend();\n`);
    expect(result.kinds).toContain("indentation");
  }
});

const codeLine = fc.constantFrom("/**", " */", " * Adds.", "f() {", "  a();", "}", "class A {");

test("law: row 33: a heading that is the first context line selects the only place directly below such a line", () => {
  let several = 0;
  fc.assert(
    fc.property(
      fc.array(codeLine, { minLength: 3, maxLength: 10 }),
      fc.nat(9),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      (lines, drawn, size, isRepeated) => {
        const at = drawn % (lines.length - 1);
        const [heading, body] = [lines[at]!, lines.slice(at + 1, at + 1 + size)];
        const isThere = (start: number, rows: readonly string[]) => rows.every((row, i) => lines[start + i] === row);
        fc.pre(lines.filter((_, start) => isThere(start, [heading, ...body])).length === 1);
        if (lines.filter((_, start) => isThere(start, body)).length > 1) several++;
        const rows = [
          isRepeated ? ` ${heading}\n` : "",
          `-${body[0]}\n+new();\n`,
          ...body.slice(1).map((row) => ` ${row}\n`),
        ];
        const answer = `${head["v4a"]!.replace("@@\n", "")}@@ ${heading}\n${rows.join("")}*** End Patch\n`;
        const meant = join([...lines.slice(0, at + 1), "new();", ...lines.slice(at + 2)]);
        expect(apply(v4a, join(lines), answer)).toMatchObject({ after: meant, refusals: [] });
      },
    ),
  );
  expect(several).toBeGreaterThan(5);
});
