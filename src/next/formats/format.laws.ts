/** The contract suite of {@link NextEditFormat}, and the scenes and answers to try formats on. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PastEdit } from "../../context/index.ts";
import type { ModelEnd } from "../../model/index.ts";
import { showEdit } from "../../text/edit.laws.ts";
import { Edit, Lines, type TextEdit, type TextRange } from "../../text/index.ts";
import type { ModelAnswer, NextEditFormat, NextEditQuestion, ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { WindowLines } from "../window-lines.ts";
import { SaysTwice } from "./says-twice.ts";

/** What the suite has to know of a format. */
export interface NextEditFormatLaws {
  /** The answer that the lines of the range are to be these; each row may hold the format's mark of the cursor. */
  readonly answer: (lines: readonly string[], scene: NextEditScene) => string;
  /** Answers that say that there is no edit. */
  readonly none: readonly string[];
  /** Answers with which nothing can be begun. */
  readonly unreadable?: readonly string[];
  /** Texts that no scene may say. */
  readonly marks: readonly string[];
  /** The mark of the cursor, if the format has one. */
  readonly cursor?: string;
  /** Which lines the answer speaks of, `[start, end)`; the window unless told. */
  readonly range?: (scene: NextEditScene) => TextRange;
  /** What the first of these lines begins with in any case; nothing unless told. */
  readonly head?: (scene: NextEditScene) => string;
  /** Whether an answer that marks no end may not be the whole one, so that lines which it leaves out at its end stay; never unless told. */
  readonly isOpen?: (after: readonly string[], before: readonly string[]) => boolean;
}

/** What every format promises. */
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
  const linesOf = (scene: NextEditScene): readonly string[] => WindowLines.of({ ...scene, window: range(scene) }).lines;
  /** What the lines of the range are after a change that any format can say. */
  const changed = ({ scene, splices }: Drawn): readonly string[] => {
    const before = linesOf(scene);
    const after = [...before];
    for (const [at, count, fresh] of splices) after.splice(at % (after.length + 1), count, ...fresh);
    const said = after.slice(0, after.findLastIndex(isSaid) + 1);
    const first = head(scene);
    if (first !== "" && said[0]?.startsWith(first) !== true) said.unshift(first + (said.shift() ?? ""));
    return [...said, ...before.slice(before.findLastIndex(isSaid) + 1)];
  };

  describe(`${format.name} keeps the contract of a format for next edits`, () => {
    law("an answer gives the edits that make its lines of the window, and nothing else", [anyDrawn], async (drawn) => {
      const { scene } = drawn;
      const after = changed(drawn);
      const twice = new SaysTwice(linesOf(scene));
      if (after.filter(isSaid).some((line) => twice.push(line))) return;
      if (isOpen(after, linesOf(scene)) || !after.some(isSaid) || repeatsOutside(after, scene.text, range(scene)))
        return;
      const { text, end } = await play(format, scene, [answer(after, scene)]);
      const { start, end: behind } = range(scene);
      const before = allLines(scene.text);
      expect(allLines(text)).toEqual([...before.slice(0, start), ...after, ...before.slice(behind)]);
      expect(end).toEqual({ kind: "read" });
    });

    law("any cutting into pieces reads alike", [anyDrawn, anyAnswer([...marks, ...none]), anyCuts], async (...all) => {
      const [drawn, garbage, cuts] = all;
      for (const whole of [answer(changed(drawn), drawn.scene), garbage]) {
        const read = await play(format, drawn.scene, cutAt(whole, cuts));
        expect(read).toEqual(await play(format, drawn.scene, [whole]));
        expect(read).toEqual(await play(format, drawn.scene, [...whole]));
      }
    });

    law("an answer that is cut says how the whole one begins", [anyDrawn, fc.nat(300)], async (drawn, at) => {
      const whole = answer(changed(drawn), drawn.scene);
      const cut = whole.slice(0, at % (whole.length + 1));
      const { edits, end } = await play(format, drawn.scene, [cut], { reason: "length", limit: "tokens" });
      const full = await play(format, drawn.scene, [whole]);
      expect(edits).toEqual(full.edits.slice(0, edits.length));
      expect(["cut", "read"]).toContain(end.kind);
    });

    law("an answer that is cut keeps the lines that it did not come to", [anyScene, fc.nat(300)], async (scene, at) => {
      const whole = answer(linesOf(scene), scene);
      const cut = whole.slice(0, at % (whole.length + 1));
      for (const reason of ["length", "content-filter"] as const)
        expect((await play(format, scene, [cut], { reason })).edits).toEqual([]);
    });

    law("the window as it is, is no edit", [anyScene, fc.constantFrom("\n", "\r\n")], async (scene, ending) => {
      const said = answer(linesOf(scene), scene).replaceAll("\n", ending);
      expect(await play(format, scene, [said])).toMatchObject({ edits: [], end: { kind: "read" } });
    });

    law("the mark of the cursor says nothing", [anyDrawn, fc.nat(), fc.nat()], async (drawn, line, column) => {
      if (cursor === undefined) return;
      const after = changed(drawn);
      const i = line % after.length;
      const text = after[i]!;
      // In front of a fence the mark would make it a line of the code.
      if (after.length === 0 || !isSaid(text)) return;
      const at = column % (text.length + 1);
      const marked = after.with(i, text.slice(0, at) + cursor + text.slice(at));
      const plain = await play(format, drawn.scene, [answer(after, drawn.scene)]);
      expect(await play(format, drawn.scene, [answer(marked, drawn.scene)])).toEqual(plain);
    });

    law(
      "no answer makes it throw, nor edit anything outside of its lines",
      [anyScene, anyAnswer([...marks, ...none])],
      async (...all) => {
        const [scene, garbage] = all;
        const { edits } = await play(format, scene, [garbage]);
        const lines = Lines.of(scene.text);
        const { start, end } = range(scene);
        // A line that goes at the end of a file takes the line break in front of it along.
        const first = start === 0 ? 0 : lines.end(start - 1);
        for (const edit of edits) {
          expect(edit.start).toBeGreaterThanOrEqual(first);
          expect(edit.end).toBeLessThanOrEqual(lines.endWithBreak(end - 1));
        }
      },
    );

    law("no edit is no edit", [anyScene], async (scene) => {
      for (const said of ["", "\n", ...none])
        expect(await play(format, scene, [said])).toMatchObject({ edits: [], text: scene.text });
      for (const said of none) expect((await play(format, scene, [said])).end).toEqual({ kind: "read" });
    });

    law("what is silent or stopped is told so", [anyScene], async (scene) => {
      for (const why of ["silent", "length", "content-filter"] as const)
        expect(await play(format, scene, [], { reason: why })).toMatchObject({ edits: [], end: { kind: "cut", why } });
    });

    law("it asks, and asks alike each time", [anyScene], async (scene) => {
      const question = format.ask(scene);
      expect(question.kind).not.toBe("refused");
      expect(format.ask(scene)).toEqual(question);
      expect(printQuestion(question)).not.toContain("\ufeff");
    });

    for (const mark of marks) {
      law(`${JSON.stringify(mark)} in a scene is refused`, [anyScene, fc.nat()], async (scene, place) => {
        const said: readonly NextEditScene[] = [
          withLine(scene, mark),
          { ...scene, history: [...scene.history, { ...someEdit, after: [mark] }] },
          { ...scene, history: [...scene.history, { ...someEdit, before: ["a", mark] }] },
          { ...scene, viewed: [{ path: "b", lines: { start: 0, end: 2 }, text: `a\n${mark}\n` }] },
          { ...scene, diagnostics: [{ line: 0, severity: "error", message: mark }] },
        ];
        expect(format.ask(said[place % said.length]!)).toMatchObject({
          kind: "refused",
          reason: { kind: "says-mark" },
        });
      });
    }

    test.each(unreadable)("%j cannot be read", async (said) => {
      const scene = sceneOf("x\n«a\nb|\nc\n»y\n");
      expect(await play(format, scene, [said])).toMatchObject({ edits: [], end: { kind: "unreadable" } });
    });

    test("an answer is closed when nothing more is wanted of it", async () => {
      const scene = sceneOf("«a = 1\nb = 2|\nc = 3\nd = 4\ne = 5\n»");
      const log: string[] = [];
      const said = answer(["a = 0", ...linesOf(scene).slice(1)], scene);
      const edits = format.read(answerOf([said, "more"], { reason: "finished" }, log), scene);
      await edits.next();
      await edits.return({ kind: "read" });
      expect(log.at(-1)).toBe("closed");
    });
  });
}

/** Reads an answer that comes in these pieces, and applies what it says. */
export async function play(
  format: NextEditFormat,
  scene: NextEditScene,
  pieces: readonly string[],
  modelEnd: ModelEnd = { reason: "finished" },
): Promise<{ readonly edits: readonly TextEdit[]; readonly end: ReadEnd; readonly text: string }> {
  const edits: TextEdit[] = [];
  const log: string[] = [];
  const read = format.read(answerOf(pieces, modelEnd, log), scene);
  for (;;) {
    const next = await read.next();
    if (next.done === true) {
      expect(log.at(-1)).toBe("closed");
      return { edits, end: next.value, text: Edit.of(edits).apply(scene.text) };
    }
    edits.push(next.value);
  }
}

/**
 * What a format reads of an answer to the scene of a notation: the text with its edits as `[old|new]`, and how it ended unless
 * it was read.
 */
export async function readAs(format: NextEditFormat, notation: string, said: string, end?: ModelEnd): Promise<string> {
  const scene = sceneOf(notation);
  const read = await play(format, scene, [said], end);
  const shown = showEdit(scene.text, Edit.of(read.edits));
  if (read.end.kind === "read") return shown;
  return `${shown}(${read.end.kind}: ${read.end.kind === "cut" ? read.end.why : read.end.message})`;
}

/** An answer in pieces, which writes down what is taken of it. */
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

/** All that a question shows, as a person reads it. */
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
 * A scene from its notation: `«` and `»` stand around the window's lines, `|` is the cursor. The area is two lines more on
 * each side, the page the whole file.
 */
export function sceneOf(notation: string, more: Partial<NextEditScene> = {}): NextEditScene {
  const text = notation.replace(/[«»|]/g, "");
  const at = (mark: string): number => notation.slice(0, notation.indexOf(mark)).replace(/[«»|]/g, "").length;
  const lines = Lines.of(text);
  const end = at("»");
  const window = {
    start: lines.lineAt(at("«")),
    // In front of a line the window ends with the line before, at the end of the file with the last one.
    end: end === text.length ? lines.count : lines.lineAt(end),
  };
  return {
    ...{ path: "src/a.ts", language: "typescript", text, cursor: at("|"), window },
    area: { start: Math.max(0, window.start - 2), end: Math.min(lines.count, window.end + 2) },
    page: { start: 0, end: lines.count },
    ...{ history: [], viewed: [], diagnostics: [] },
    ...more,
  };
}

interface Drawn {
  readonly scene: NextEditScene;
  readonly splices: readonly (readonly [at: number, count: number, fresh: readonly string[]])[];
}

/** The same scene with a line of its window saying something else. */
function withLine(scene: NextEditScene, said: string): NextEditScene {
  const lines = Lines.of(scene.text);
  const line = scene.window.start;
  const edit = Edit.replace({ start: lines.start(line), end: lines.end(line) }, said);
  return { ...scene, text: edit.apply(scene.text), cursor: lines.start(line) };
}

const someEdit: PastEdit = { path: "src/b.ts", lines: { start: 3, end: 4 }, before: ["b"], after: ["bb"], atMs: 0 };

function isSaid(line: string): boolean {
  return line.trim() !== "";
}

/** Whether lines begin or end with one that stands outside of the window too, and may be taken for it. */
function repeatsOutside(lines: readonly string[], text: string, { start, end }: TextRange): boolean {
  const all = allLines(text);
  const outside = [...all.slice(0, start), ...all.slice(end)];
  const said = lines.filter(isSaid);
  return outside.includes(said[0]!) || outside.includes(said.at(-1)!);
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

/** Scenes of small files with all that a format could stumble over: endings, ends, windows and cursors anywhere. */
const anyScene: fc.Arbitrary<NextEditScene> = fc
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
  scene: anyScene,
  splices: fc.array(fc.tuple(fc.nat(12), fc.nat(3), fc.array(anyLine, { maxLength: 3 })), {
    minLength: 1,
    maxLength: 3,
  }),
});

/** Answers that mean nothing, made of rows that could mean something. */
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

/** As `law` of the texts' laws, for what has to be waited for. */
function law<T extends unknown[]>(
  name: string,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => Promise<void>,
): void {
  test(`law: ${name}`, () => fc.assert(fc.asyncProperty(fc.tuple<T>(...values), (drawn) => holds(...drawn))));
}
