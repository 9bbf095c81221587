/** The contract suite of {@link NextEditFormat}, with arbitrary prompt inputs and answers. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RepeatedWindowDetector } from "../../answers/index.ts";
import type { PastEdit, PromptDiagnostic, Snippet } from "../../context/index.ts";
import { redacted } from "../../model/fixtures/redacted.ts";
import type { ModelEnd } from "../../model/index.ts";
import { showEdit } from "../../text/edit.laws.ts";
import { Edit, Lines, type TextEdit, type TextRange } from "../../text/index.ts";
import type { NextEditPromptInput, RedactedEdit } from "../providers/model/next-edit-prompt-input.ts";
import type { ModelAnswer, NextEditFormat, NextEditQuestion, ReadEnd } from "./next-edit-format.ts";
import { WindowLines } from "./window-lines.ts";

/** What the suite needs to know of a format. */
export interface NextEditFormatLaws {
  /**
   * Returns the answer that makes the range these lines; each row may contain the format's cursor
   * marker.
   */
  readonly answer: (lines: readonly string[], input: NextEditPromptInput) => string;
  /** Answers for no edit. */
  readonly none: readonly string[];
  /** Answers that cannot be read. */
  readonly unreadable?: readonly string[];
  /** Markers that no prompt input may contain. */
  readonly marks: readonly string[];
  /** The cursor marker, if the format has one. */
  readonly cursor?: string;
  /** The lines that an answer rewrites, `[start, end)`; default the window. */
  readonly range?: (input: NextEditPromptInput) => TextRange;
  /** The start of the first of these lines that an answer cannot change; default empty. */
  readonly head?: (input: NextEditPromptInput) => string;
  /**
   * Whether an answer without an end marker may be incomplete, so that the lines left out at its
   * end stay; `always` where the format has no such marker; default never.
   */
  readonly isOpen?: "always" | ((after: readonly string[], before: readonly string[]) => boolean);
}

/** Tests the laws of every format. */
export function testNextEditFormat(format: NextEditFormat, laws: NextEditFormatLaws): void {
  const {
    answer,
    none,
    unreadable = [],
    marks,
    cursor,
    isOpen = () => false,
    range = ({ window }) => window,
    head = () => "",
  } = laws;
  const linesOf = (input: NextEditPromptInput): readonly string[] =>
    WindowLines.of({ ...input, window: range(input) }).lines;
  /** The lines of the range after a change that any format can express. */
  const changed = ({ input, splices }: Drawn): readonly string[] => {
    const before = linesOf(input);
    const after = [...before];
    for (const [at, count, fresh] of splices) after.splice(at % (after.length + 1), count, ...fresh);
    const written = after.slice(0, after.findLastIndex(isNotBlank) + 1);
    const first = head(input);
    if (first !== "" && written[0]?.startsWith(first) !== true) written.unshift(first + (written.shift() ?? ""));
    return [...written, ...before.slice(before.findLastIndex(isNotBlank) + 1)];
  };

  describe(`${format.name} keeps the contract of a format for next edits`, () => {
    const exactly = "an answer gives exactly the edits that turn the window into its lines";
    if (isOpen !== "always")
      law(exactly, [anyDrawn], async (drawn) => {
        const { input } = drawn;
        const after = changed(drawn);
        const twice = new RepeatedWindowDetector(linesOf(input));
        fc.pre(!after.filter(isNotBlank).some((line) => twice.push(line)));
        fc.pre(!isOpen(after, linesOf(input)) && after.some(isNotBlank));
        fc.pre(!repeatsOutside(after, input.text, range(input)));
        const { text, end } = await play(format, input, [answer(after, input)]);
        const { start, end: behind } = range(input);
        const before = allLines(input.text);
        expect(allLines(text)).toEqual([...before.slice(0, start), ...after, ...before.slice(behind)]);
        expect(end).toEqual({ kind: "read" });
      });

    law(
      "the result does not depend on the pieces of an answer",
      [anyDrawn, anyAnswer([...marks, ...none]), anyCuts],
      async (...all) => {
        const [drawn, garbage, cuts] = all;
        for (const whole of [answer(changed(drawn), drawn.input), garbage]) {
          const read = await play(format, drawn.input, cutAt(whole, cuts));
          expect(read).toEqual(await play(format, drawn.input, [whole]));
          expect(read).toEqual(await play(format, drawn.input, [...whole]));
        }
      },
    );

    law(
      "the edits of a cut answer are the first ones of the whole answer",
      [anyDrawn, fc.nat(300)],
      async (drawn, at) => {
        const whole = answer(changed(drawn), drawn.input);
        const cut = whole.slice(0, at % (whole.length + 1));
        const { edits, end } = await play(format, drawn.input, [cut], { reason: "length", limit: "tokens" });
        const full = await play(format, drawn.input, [whole]);
        expect(edits).toEqual(full.edits.slice(0, edits.length));
        expect(["cut", "read"]).toContain(end.kind);
      },
    );

    law("a cut answer deletes no line that it did not reach", [anyPromptInput, fc.nat(300)], async (input, at) => {
      const whole = answer(linesOf(input), input);
      const cut = whole.slice(0, at % (whole.length + 1));
      for (const reason of ["length", "content-filter"] as const)
        expect((await play(format, input, [cut], { reason })).edits).toEqual([]);
    });

    law(
      "the unchanged window gives no edit",
      [anyPromptInput, fc.constantFrom("\n", "\r\n")],
      async (input, ending) => {
        const written = answer(linesOf(input), input).replaceAll("\n", ending);
        expect(await play(format, input, [written])).toMatchObject({ edits: [], end: { kind: "read" } });
      },
    );

    if (cursor !== undefined)
      law("the cursor marker is ignored", [anyDrawn, fc.nat(), fc.nat()], async (drawn, line, column) => {
        const after = changed(drawn);
        const i = line % after.length;
        const text = after[i]!;
        // In front of a fence the marker would make it a line of the code.
        fc.pre(after.length > 0 && isNotBlank(text));
        const at = column % (text.length + 1);
        const marked = after.with(i, text.slice(0, at) + cursor + text.slice(at));
        const plain = await play(format, drawn.input, [answer(after, drawn.input)]);
        expect(await play(format, drawn.input, [answer(marked, drawn.input)])).toEqual(plain);
      });

    law(
      "no answer makes it throw or edit outside its lines",
      [anyPromptInput, anyAnswer([...marks, ...none])],
      async (...all) => {
        const [input, garbage] = all;
        const { edits } = await play(format, input, [garbage]);
        const lines = Lines.of(input.text);
        const { start, end } = range(input);
        // A line deleted at the end of a file takes the line break before it along.
        const first = start === 0 ? 0 : lines.end(start - 1);
        for (const edit of edits) {
          expect(edit.start).toBeGreaterThanOrEqual(first);
          expect(edit.end).toBeLessThanOrEqual(lines.endWithBreak(end - 1));
        }
      },
    );

    law("an answer for no edit gives no edit", [anyPromptInput], async (input) => {
      for (const written of ["", "\n", ...none])
        expect(await play(format, input, [written])).toMatchObject({ edits: [], text: input.text });
      for (const noEdit of none) expect((await play(format, input, [noEdit])).end).toEqual({ kind: "read" });
    });

    law("an empty or stopped answer has its reason", [anyPromptInput], async (input) => {
      for (const why of ["silent", "length", "content-filter"] as const)
        expect(await play(format, input, [], { reason: why })).toMatchObject({ edits: [], end: { kind: "cut", why } });
    });

    law("it writes a prompt, and the same one each time", [anyPromptInput], async (input) => {
      const question = format.ask(input);
      expect(question.kind).not.toBe("refused");
      expect(format.ask(input)).toEqual(question);
      expect(printQuestion(question)).not.toContain("\ufeff");
    });

    for (const mark of marks) {
      law(`${JSON.stringify(mark)} in a prompt input is refused`, [anyPromptInput, fc.nat()], async (input, place) => {
        const written: readonly NextEditPromptInput[] = [
          withLine(input, mark),
          { ...input, history: [...input.history, { ...someEdit, after: [redacted(mark)] }] },
          { ...input, history: [...input.history, { ...someEdit, before: [redacted("a"), redacted(mark)] }] },
          { ...input, viewed: [{ path: "b", lines: { start: 0, end: 2 }, text: redacted(`a\n${mark}\n`) }] },
          { ...input, diagnostics: [{ line: 0, severity: "error", message: redacted(mark) }] },
        ];
        expect(format.ask(written[place % written.length]!)).toMatchObject({
          kind: "refused",
          reason: { kind: "says-mark" },
        });
      });
    }

    test.each(unreadable)("%j cannot be read", async (written) => {
      const input = promptInputOf("x\n«a\nb|\nc\n»y\n");
      expect(await play(format, input, [written])).toMatchObject({ edits: [], end: { kind: "unreadable" } });
    });

    test("an answer is closed when its reader stops", async () => {
      const input = promptInputOf("«a = 1\nb = 2|\nc = 3\nd = 4\ne = 5\n»");
      const log: string[] = [];
      const written = answer(["a = 0", ...linesOf(input).slice(1)], input);
      const edits = format.read(answerOf([written, "more"], { reason: "finished" }, log), input);
      await edits.next();
      await edits.return({ kind: "read" });
      expect(log.at(-1)).toBe("closed");
    });
  });
}

/** Reads an answer that comes in these pieces, and applies its edits. */
export async function play(
  format: NextEditFormat,
  input: NextEditPromptInput,
  pieces: readonly string[],
  modelEnd: ModelEnd = { reason: "finished" },
): Promise<{ readonly edits: readonly TextEdit[]; readonly end: ReadEnd; readonly text: string }> {
  const edits: TextEdit[] = [];
  const log: string[] = [];
  const read = format.read(answerOf(pieces, modelEnd, log), input);
  let next = await read.next();
  while (next.done !== true) {
    edits.push(next.value);
    next = await read.next();
  }
  expect(log.at(-1)).toBe("closed");
  return { edits, end: next.value, text: Edit.of(edits).apply(input.text) };
}

/**
 * What a format reads from an answer to the prompt input of a notation: the text with its edits as
 * `[old|new]`, and how it ended unless it was read.
 */
export async function readAs(
  format: NextEditFormat,
  notation: string,
  written: string,
  end?: ModelEnd,
): Promise<string> {
  const input = promptInputOf(notation);
  const read = await play(format, input, [written], end);
  const shown = showEdit(input.text, Edit.of(read.edits));
  if (read.end.kind === "read") return shown;
  return `${shown}(${read.end.kind}: ${read.end.kind === "cut" ? read.end.why : read.end.message})`;
}

/** An answer in pieces, which logs the pieces that are read, and `closed`. */
export async function* answerOf(pieces: readonly string[], end: ModelEnd, log: string[]): ModelAnswer {
  try {
    for (const text of pieces) {
      log.push(text);
      yield { kind: "text-delta", text };
    }
    return end;
  } finally {
    log.push("closed");
  }
}

/** The whole prompt as text. */
export function printQuestion(question: NextEditQuestion): string {
  switch (question.kind) {
    case "chat":
      return question.messages.map(({ role, text }) => `[${role}]\n${text}\n`).join("\n");
    case "raw":
      return question.prompt;
    case "fill":
      return `[prefix]\n${question.prefix}\n[suffix]\n${question.suffix}`;
    case "refused":
      return `[refused] ${question.reason.mark}`;
  }
}

/**
 * Returns a prompt input from its notation: `«` and `»` enclose the window's lines, `|` is the
 * cursor. The area has two lines more on each side; the excerpt (`page`) is the whole file.
 */
export function promptInputOf(notation: string, more: Partial<PlainPromptInput> = {}): NextEditPromptInput {
  const text = notation.replace(/[«»|]/g, "");
  const at = (mark: string): number => notation.slice(0, notation.indexOf(mark)).replace(/[«»|]/g, "").length;
  const lines = Lines.of(text);
  const end = at("»");
  const window = {
    start: lines.lineAt(at("«")),
    // In front of a line the window ends with the line before, at the end of the file with the last
    // one.
    end: end === text.length ? lines.count : lines.lineAt(end),
  };
  return {
    ...{ path: "src/a.ts", language: "typescript", text, cursor: at("|"), window },
    area: { start: Math.max(0, window.start - 2), end: Math.min(lines.count, window.end + 2) },
    page: { start: 0, end: lines.count },
    ...{ history: [], viewed: [], diagnostics: [] },
    ...more,
  } as NextEditPromptInput;
}

/** A prompt input whose texts need no redaction. */
type PlainPromptInput = Omit<NextEditPromptInput, "history" | "viewed" | "diagnostics"> & {
  readonly history: readonly PastEdit[];
  readonly viewed: readonly Omit<Snippet, "score">[];
  readonly diagnostics: readonly PromptDiagnostic[];
};

interface Drawn {
  readonly input: NextEditPromptInput;
  readonly splices: readonly (readonly [at: number, count: number, fresh: readonly string[]])[];
}

/** The same prompt input with another first line of its window. */
function withLine(input: NextEditPromptInput, written: string): NextEditPromptInput {
  const lines = Lines.of(input.text);
  const line = input.window.start;
  const edit = Edit.replace({ start: lines.start(line), end: lines.end(line) }, written);
  return { ...input, text: edit.apply(input.text), cursor: lines.start(line) };
}

const someEdit: RedactedEdit = {
  ...{ path: "src/b.ts", lines: { start: 3, end: 4 }, atMs: 0 },
  ...{ before: [redacted("b")], after: [redacted("bb")] },
};

function isNotBlank(line: string): boolean {
  return line.trim() !== "";
}

/**
 * Whether lines begin or end with a line that also occurs outside the window, and may be taken for
 * it.
 */
function repeatsOutside(lines: readonly string[], text: string, { start, end }: TextRange): boolean {
  const all = allLines(text);
  const outside = [...all.slice(0, start), ...all.slice(end)];
  const written = lines.filter(isNotBlank);
  return outside.includes(written[0]!) || outside.includes(written.at(-1)!);
}

/** The lines of a text without its byte order mark. */
function allLines(text: string): readonly string[] {
  const lines = Lines.of(text.replace(/^\ufeff/, ""));
  return Array.from({ length: lines.count }, (_, i) => lines.text(i));
}

function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, i) => text.slice(places[i], end));
}

const anyCuts = fc.array(fc.nat(400), { maxLength: 6 });

const anyLine = fc.constantFrom(
  ...[
    "",
    "}",
    "  }",
    "return a;",
    "  return a + b;",
    "\tif (a) {",
    "const ü = “😀”;",
    "  a  ",
    "// None",
    "1 | 2",
    "  ",
    "a",
    "b = 1",
  ],
);

/** Prompt inputs of small files with difficult line endings, file ends, windows and cursors. */
const anyPromptInput: fc.Arbitrary<NextEditPromptInput> = fc
  .record({
    lines: fc.array(anyLine, { maxLength: 12 }),
    ending: fc.constantFrom("\n", "\n", "\r\n"),
    isWhole: fc.boolean(),
    mark: fc.constantFrom("", "", "\ufeff"),
    ranges: fc.array(fc.nat(60), { minLength: 6, maxLength: 6 }),
    place: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    history: fc.array(fc.constantFrom(someEdit, { ...someEdit, path: "src/a.ts", lines: { start: 1, end: 2 } }), {
      maxLength: 2,
    }),
  })
  .map(({ lines, ending, isWhole, mark, ranges, place, history }) => {
    const text = mark + lines.join(ending) + (isWhole && lines.length > 0 ? ending : "");
    const file = Lines.of(text);
    const cursor = Math.round(place * text.length);
    const line = file.lineAt(cursor);
    const around = (inner: TextRange, above: number, below: number): TextRange => ({
      start: inner.start - (above % (inner.start + 1)),
      end: inner.end + (below % (file.count - inner.end + 1)),
    });
    const window = around({ start: line, end: line + 1 }, ranges[0]!, ranges[1]!);
    const area = around(window, ranges[2]!, ranges[3]!);
    const page = around(area, ranges[4]!, ranges[5]!);
    return {
      ...{ path: "src/a.ts", language: "typescript", text, cursor, window, area, page },
      history,
      viewed: [],
      diagnostics: [],
    };
  });

const anyDrawn: fc.Arbitrary<Drawn> = fc.record({
  input: anyPromptInput,
  splices: fc.array(fc.tuple(fc.nat(12), fc.nat(3), fc.array(anyLine, { maxLength: 3 })), {
    minLength: 1,
    maxLength: 3,
  }),
});

/** Meaningless answers, made of rows that could have a meaning. */
function anyAnswer(marks: readonly string[]): fc.Arbitrary<string> {
  const row = fc.oneof(
    anyLine,
    fc.constantFrom(...marks, "```", "```ts", "<think>", "</think>", "No changes."),
    fc.string({ maxLength: 8 }),
  );
  return fc
    .array(row, { maxLength: 10 })
    .chain((rows) => fc.constantFrom("\n", "\r\n", "").map((ending) => rows.join(ending)));
}

/** As `law` of the laws of texts, for asynchronous properties. */
function law<T extends unknown[]>(
  name: string,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => Promise<void>,
): void {
  test(`law: ${name}`, () => fc.assert(fc.asyncProperty(fc.tuple<T>(...values), (drawn) => holds(...drawn))));
}
