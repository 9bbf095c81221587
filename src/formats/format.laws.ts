/** The contract suite of {@link EditFormat}, with generators of texts and changes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { law } from "../text/edit.laws.ts";
import { applyWorkspaceEdit, type FileChangeTexts, type FileTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { EditOperation } from "./edit-operation.ts";
import { fileLines } from "./placing/line-table.ts";
import type { LineSplice } from "./placing/placement.ts";
import { resolveOperations } from "./placing/resolve-operations.ts";
import { type AnswerPart, contentOf, readAnswer } from "./reading/answer-reader.ts";

/** What the suite needs to know about a format. */
export interface FormatLaws {
  /**
   * Rows with a meaning in this format; they are used as code in files, and in wrong places of
   * answers.
   */
  readonly marks: readonly string[];
  /**
   * Whether the format cannot express a change, besides those that no format needs to: texts with
   * mixed line endings, or a change of a text's byte order mark or final line ending.
   */
  readonly cannotExpress?: (change: FileChangeTexts) => boolean;
}

/** The paths of the generated changes, in their order. */
export const changedPaths: readonly string[] = ["src/a.ts", "docs/b c.md", "d"];

/** Tests the laws that hold for every format. */
export function testFormat(format: EditFormat, { marks, cannotExpress = () => false }: FormatLaws): void {
  const changes = anyChanges(marks);
  const encode = (list: readonly FileChangeTexts[]): string | undefined => {
    try {
      return format.encode(list);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "not-encodable") throw error;
      return undefined;
    }
  };

  describe(`${format.name} keeps the contract of a format`, () => {
    law("encoding, reading and resolving reproduces the change byte for byte", [changes], (list) => {
      const answer = encode(list);
      const isEncodable = list.every((change) => isPlain(change) && !cannotExpress(change));
      expect(isEncodable && answer === undefined).toBe(false);
      fc.pre(answer !== undefined);
      const { before, after } = filesOf(list);
      expect(replay(format, answer, before)).toEqual({ files: after, refusals: [] });
    });

    law(
      "the parts are the same for any pieces of an answer",
      [changes, anyAnswer(marks), fc.array(fc.nat(400)), fc.boolean()],
      (...drawn) => {
        const [list, words, cuts, isCut] = drawn;
        for (const answer of [encode(list) ?? "", words]) {
          const pieces = cutAt(answer, cuts);
          expect(partsOf(format, pieces, isCut)).toEqual(partsOf(format, [answer], isCut));
        }
      },
    );

    law(
      "no answer makes a reader throw or changes a byte that it does not name",
      [changes, anyAnswer(marks)],
      (...drawn) => {
        const [list, words] = drawn;
        expectNamed(format, words, filesOf(list).before);
      },
    );

    law("a damaged answer changes no byte that it does not name", [changes, anyMangling], (list, mangle) => {
      const answer = encode(list);
      fc.pre(answer !== undefined);
      expectNamed(format, mangle(answer), filesOf(list).before);
    });

    law("a cut answer is never taken for a complete one", [changes, fc.nat(1000)], (list, at) => {
      const answer = encode(list);
      fc.pre(answer !== undefined && answer.trim() !== "");
      const piece = answer.slice(0, at % answer.trimEnd().length);
      const paths = [...filesOf(list).before.keys()];
      const whole = readAnswer(format.read({ paths }), answer);
      const cut = readAnswer(format.read({ paths }), piece, true);
      expect(cut.refusals.map(({ kind }) => kind)).toContain("cut-off");
      expect(cut.operations).toEqual(whole.operations.slice(0, cut.operations.length));
    });

    test("the title is under 90 characters and the instructions are not empty", () => {
      expect(format.title.length).toBeLessThan(90);
      expect(format.instructions.trim()).not.toBe("");
    });

    law("a shown file has all its lines in a fence that none of them closes", [anyText(marks)], (text) => {
      const shown = format.showFile({ path: "src/a.ts", text });
      expect(shown).toContain("src/a.ts");
      for (const line of fileLines(text)) expect(shown).toContain(line);
    });
  });
}

/** Applies an answer to files; returns the files after it and the kinds of all refusals. */
export function replay(format: EditFormat, answer: string, before: FileTexts) {
  const content = readAnswer(format.read({ paths: [...before.keys()] }), answer);
  const { edit, refusals } = resolveOperations(content.operations, before);
  const outcome = applyWorkspaceEdit(before, edit);
  return {
    files: outcome.kind === "applied" ? outcome.files : undefined,
    refusals: [...content.refusals, ...refusals].map(({ kind }) => kind),
  };
}

/** Checks that an answer changes exactly the lines that its operations name, and no other byte. */
function expectNamed(format: EditFormat, answer: string, before: FileTexts): void {
  const content = readAnswer(format.read({ paths: [...before.keys()] }), answer);
  const placement = resolveOperations(content.operations, before);
  const outcome = applyWorkspaceEdit(before, placement.edit);
  expect(outcome.kind).toBe("applied");
  for (const operation of content.operations.filter((ask) => ask.kind === "lines")) {
    const isMoved = placement.normalizations.some(({ kind, row }) => kind === "moved" && row === operation.row);
    const named = placement.placed.filter(({ operation: ask }) => ask === operation && !isMoved);
    const ranges = named.map(({ splices }) => splices.map(({ start, end }) => ({ start, end })));
    expect(ranges).toEqual(named.map(() => [{ start: operation.start, end: operation.end }]));
  }
  for (const change of placement.edit.changes) {
    const placed = placement.placed.filter(({ path }) => path === change.uri);
    expect(placed.length > 0 || change.kind === "create").toBe(true);
    if (
      change.kind !== "edit" ||
      placed.some(({ operation, splices }) => splices.length === 0 && operation.kind !== "move")
    )
      continue;
    const text = before.get(change.uri)!;
    const splices = placed.flatMap((one) => one.splices);
    expectSpliced(text, change.edit.apply(text), splices);
  }
}

/**
 * Checks that `after` consists of the kept lines of `before`, byte for byte, and of the new lines
 * between them.
 */
function expectSpliced(before: string, after: string, splices: readonly LineSplice[]): void {
  const lines = rawLines(before);
  const sorted = [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
  const expected: { readonly text: string; readonly ending: string | undefined }[] = [];
  let passed = 0;
  const keep = (end: number): void => {
    // The last line of a file may gain or lose its ending when the text after it changes.
    for (; passed < end; passed++) {
      const { text, ending } = lines[passed]!;
      expected.push({ text, ending: passed === lines.length - 1 ? undefined : ending });
    }
  };
  for (const { start, end, lines: fresh } of sorted) {
    keep(start);
    for (const text of fresh) expected.push({ text, ending: undefined });
    passed = end;
  }
  keep(lines.length);
  const found = rawLines(after, before);
  // A blank last line without an ending does not count as a line.
  const mayBeNone = expected.at(-1)?.text === "" && lines.at(-1)?.ending === "";
  if (mayBeNone && found.length < expected.length) expected.pop();
  expect(found.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
  // Any ending will do for a new line; the last line was compared without its ending.
  const endings = expected.slice(0, -1).map(({ ending }) => ending);
  expect(endings.map((ending, i) => (ending === undefined ? undefined : found[i]!.ending))).toEqual(endings);
}

/**
 * The lines of a text with their endings, split as those of `like`: at `\r` only if it is the only
 * line ending.
 */
function rawLines(text: string, like = text): readonly { readonly text: string; readonly ending: string }[] {
  const content = text.replace(/^\ufeff/, "");
  const isPlain = like.includes("\n") || !like.includes("\r");
  return (content.match(isPlain ? /[^\n]*\n|[^\n]+/g : /[^\r]*\r|[^\r]+/g) ?? []).map((line) => {
    const ending = isPlain ? (/\r?\n$/.exec(line)?.[0] ?? "") : line.endsWith("\r") ? "\r" : "";
    return { text: line.slice(0, line.length - ending.length), ending };
  });
}

function partsOf(format: EditFormat, pieces: readonly string[], isCut: boolean): readonly AnswerPart[] {
  const reader = format.read({ paths: ["src/a.ts"] });
  const parts: AnswerPart[] = [];
  for (const piece of pieces) {
    parts.push(...reader.push(piece));
    // An open operation is for previews; reading it has no effect on the reader.
    if (reader.open !== undefined) contentOf([{ kind: "operation", operation: reader.open }]);
  }
  return [...parts, ...reader.end(isCut)];
}

function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, i) => text.slice(places[i], end));
}

function filesOf(changes: readonly FileChangeTexts[]): { readonly before: FileTexts; readonly after: FileTexts } {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const change of changes) {
    if (change.before !== undefined) before.set(change.pathBefore ?? change.path, change.before);
    if (change.after !== undefined) after.set(change.path, change.after);
  }
  return { before, after };
}

/**
 * Whether a change is one that every format should be able to express, if it supports that kind of
 * change.
 */
function isPlain({ before, after }: FileChangeTexts): boolean {
  if (after === undefined) return true;
  const [text, textAfter] = [before ?? "", after];
  const endings = new Set(`${text}${textAfter}`.match(/\r\n|\r|\n/g));
  // In a file without any line ending, new lines get `\n`.
  if (!/[\r\n]/.test(text)) endings.add("\n");
  const isEmpty = (whole: string) => fileLines(whole).length === 0;
  const isWhole = (whole: string) => isEmpty(whole) || whole.endsWith("\n");
  const keepsEnd =
    isEmpty(text) || isEmpty(textAfter) ? isWhole(text) && isWhole(textAfter) : isWhole(text) === isWhole(textAfter);
  const hasMark = text.startsWith("\ufeff");
  return endings.size < 2 && keepsEnd && hasMark === textAfter.startsWith("\ufeff");
}

const code = [
  ...[
    "",
    "}",
    "  }",
    "return a;",
    "  return a + b;",
    "\tif (a) {",
    "function add(a, b) {",
    "const ü = “😀”;",
    "  a  ",
    "a\rb",
  ],
  ...["1: 'a',", "2:b", "3\tx", "  4 = d", "| x", "a | b", "-x", "+x", " x", "\\", "0"],
  ...[
    "```",
    "```ts",
    "  ~~~~",
    "# src/a.ts",
    "src/a.ts",
    "@@ -1,2 +1,2 @@",
    "<<<<<<<",
    "=======",
    ">>>>>>>",
    "--- a",
    "+++ b",
  ],
];

function anyLines(marks: readonly string[], maxLength: number): fc.Arbitrary<readonly string[]> {
  const line = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...code) }, fc.constantFrom(...code, ...marks));
  return fc.array(line, { maxLength });
}

/** Generates texts of a file with everything that could confuse a format. */
export function anyText(marks: readonly string[]): fc.Arbitrary<string> {
  return fc.tuple(anyLines(marks, 14), anyEnds).map(([lines, ends]) => textOf(lines, ends));
}

interface Ends {
  readonly endings: readonly string[];
  readonly isWhole: boolean;
  readonly mark: string;
}

const anyEnds: fc.Arbitrary<Ends> = fc.record({
  endings: fc.constantFrom(["\n"], ["\n"], ["\n"], ["\r\n"], ["\n", "\n", "\r\n"]),
  isWhole: fc.constantFrom(true, true, true, false),
  mark: fc.constantFrom("", "", "", "\ufeff"),
});

function textOf(lines: readonly string[], { endings, isWhole, mark }: Ends): string {
  const last = lines.length - 1;
  return mark + lines.map((line, i) => line + (i < last || isWhole ? endings[i % endings.length] : "")).join("");
}

/** Generates small changes of one to three files: edited, created, removed, moved. */
function anyChanges(marks: readonly string[]): fc.Arbitrary<readonly FileChangeTexts[]> {
  const kind = fc.constantFrom("edit", "edit", "edit", "create", "remove", "move");
  const kinds = fc.oneof(
    fc.constant(["edit"]),
    fc.constant(["edit", "edit"]),
    fc.array(kind, { minLength: 1, maxLength: 3 }),
  );
  return kinds.chain((list) =>
    fc.tuple(
      ...list.map((kind, i) =>
        anyEdited(marks).map(({ before, after }) => toChange(kind, changedPaths[i]!, before, after)),
      ),
    ),
  );
}

function toChange(kind: string, path: string, before: string, after: string): FileChangeTexts {
  if (kind === "create") return { path, before: undefined, after };
  if (kind === "remove") return { path, before, after: undefined };
  return kind === "move" ? { path: `new/${path}`, pathBefore: path, before, after } : { path, before, after };
}

function anyEdited(marks: readonly string[]): fc.Arbitrary<{ readonly before: string; readonly after: string }> {
  const splice = fc.tuple(fc.nat(14), fc.nat(3), anyLines(marks, 4));
  return fc
    .record({ lines: anyLines(marks, 14), splices: fc.array(splice, { minLength: 1, maxLength: 3 }), ends: anyEnds })
    .chain(({ lines, splices, ends }) => {
      const after = [...lines];
      for (const [at, count, fresh] of splices) after.splice(at % (after.length + 1), count, ...fresh);
      // In one of ten cases, the byte order mark or an end of the text may change, too.
      const endsAfter = fc.oneof({ weight: 9, arbitrary: fc.constant(ends) }, anyEnds);
      return endsAfter.map((changed) => ({ before: textOf(lines, ends), after: textOf(after, changed) }));
    })
    .filter(({ before, after }) => before !== after);
}

/** Generates meaningless answers from rows that have a meaning in some format. */
function anyAnswer(marks: readonly string[]): fc.Arbitrary<string> {
  const row = fc.oneof(
    fc.constantFrom(...code, ...marks),
    fc.constantFrom(...code, ...marks, "<think>", "</think>", "Well.</think>"),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  return fc
    .array(row, { maxLength: 12 })
    .chain((rows) => fc.constantFrom("\n", "\r\n").map((ending) => rows.join(ending)));
}

/** Generates ways to damage an answer: rows dropped, doubled and swapped, digits changed. */
const anyMangling: fc.Arbitrary<(answer: string) => string> = fc
  .array(fc.tuple(fc.constantFrom("drop", "double", "swap", "digit"), fc.nat(60), fc.nat(9)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((steps) => (answer) => {
    let rows = answer.split("\n");
    for (const [how, at, digit] of steps) {
      if (rows.length === 0) break;
      const i = at % rows.length;
      if (how === "drop") rows = rows.toSpliced(i, 1);
      else if (how === "double") rows = rows.toSpliced(i, 0, rows[i]!);
      else if (how === "swap" && i > 0) rows = rows.toSpliced(i - 1, 2, rows[i]!, rows[i - 1]!);
      else rows = rows.with(i, rows[i]!.replace(/\d/, `${digit}`));
    }
    return rows.join("\n");
  });

/**
 * Prints the parts that a reader found in one line for tests and logs: `[1,3) 1:if 2:} => `x``,
 * `refusal cut-off 4`, `no change`.
 *
 * Lines of files count from 0 as in operations, rows of the answer from 1.
 */
export function printParts(parts: readonly AnswerPart[]): string {
  if (parts.length === 0) return `refusal ${contentOf(parts).refusals[0]!.kind}`;
  return parts.map(printPart).join("; ");
}

function printPart(part: AnswerPart): string {
  switch (part.kind) {
    case "operation":
      return printAsk(part.operation);
    case "no-change":
      return "no change";
    case "normalization":
      return `normalization ${part.normalization.kind}${printRow(part.normalization.row)}`;
    case "refusal":
      return `refusal ${part.refusal.kind}${printRow(part.refusal.row)}`;
    case "restart":
      return "restart";
  }
}

function printAsk(operation: EditOperation): string {
  const path = operation.path === undefined ? "" : `${operation.path} `;
  switch (operation.kind) {
    case "lines": {
      const anchors = operation.anchors.map(({ line, opening }) => ` ${line}:${opening}`).join("");
      return `${path}[${operation.start},${operation.end})${anchors} =>${printLines(operation.lines)}`;
    }
    case "block":
      return `${path}block${printLines(operation.search)} =>${printLines(operation.replace)}`;
    case "string":
      return `${path}string \`${operation.search}\` => \`${operation.replace}\``;
    case "remove":
      return `${path}remove`;
    case "move":
      return `${path}move ${operation.to}`;
    default:
      return `${path}${operation.kind}${printLines(operation.lines)}`;
  }
}

function printLines(lines: readonly string[]): string {
  return lines.map((line) => ` \`${line}\``).join("");
}

function printRow(row: number | undefined): string {
  return row === undefined ? "" : ` ${row + 1}`;
}
