import type { FileDiagnostic } from "../../../analysis/index.ts";
import { anyIdentifier, Edit, Lines, minimalEdit, type TextRange } from "../../../text/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";

/** Recently edited lines of the present text of a file. */
interface OwnLines {
  readonly range: TextRange;
  readonly atMs: number;
}

/**
 * Decides which diagnostics are about code that may be unfinished: lines that were edited recently,
 * above all the line of the cursor. Such a diagnostic is no consequence of the edits, unless a
 * declaration that the line names changed after the line was written.
 *
 * Diagnostics of unresolved names count once the cursor has left them, because their repair is
 * elsewhere.
 */
export class UnfinishedCode {
  readonly #context: Pick<NextEditContext, "path" | "text" | "cursor" | "files">;
  readonly #own = new Map<string, readonly OwnLines[]>();
  /** When declarations changed last, by their names. */
  readonly #changedAtMs: ReadonlyMap<string, number>;
  /** The edit from the present text of a file to the text requested last, by path. */
  readonly #edits = new Map<string, { readonly text: string; readonly edit: Edit }>();

  /** `names` are the declarations whose signature may have changed since the history began. */
  constructor(context: NextEditContext, names: ReadonlySet<string>) {
    this.#context = context;
    const changedAtMs = new Map<string, number>();
    for (const path of new Set(context.history.map((entry) => entry.path))) {
      const entries = context.history.filter((entry) => entry.path === path);
      const lines = Lines.of(context.files.textOf(path) ?? "");
      const offsetOf = (line: number) => (line < lines.count ? lines.start(line) : lines.source.length + 1);
      this.#own.set(
        path,
        entries.map((entry) => ({
          range: { start: offsetOf(entry.lines.start), end: offsetOf(entry.lines.end) },
          atMs: entry.atMs,
        })),
      );
      for (const { before, after, atMs } of entries)
        for (const name of wordsIn([...before, ...after].join("\n")))
          if (names.has(name)) changedAtMs.set(name, Math.max(atMs, changedAtMs.get(name) ?? 0));
    }
    this.#changedAtMs = changedAtMs;
  }

  /**
   * Whether a diagnostic is about unfinished code. `text` is the text that its offsets refer to:
   * the present text of the file or one derived from it.
   */
  has(diagnostic: FileDiagnostic, text: string): boolean {
    const { path, start, end, code } = diagnostic;
    const edit = this.#editTo(path, text);
    const own = this.#own.get(path)?.find(({ range }) => touches(edit.mapRange(range, "exclude"), diagnostic));
    if (path === this.#context.path && own !== undefined) {
      const line = edit.mapRange(lineAround(this.#context.text, this.#context.cursor), "exclude");
      const cursor = edit.mapOffset(this.#context.cursor, "after");
      const isTouched = start <= cursor && cursor <= end;
      if (touches(line, diagnostic)) return isTouched || !namelessCodes.has(code);
    }
    if (namelessCodes.has(code)) return false;
    if (own === undefined) return false;
    const line = lineAround(text, start);
    for (const name of wordsIn(text.slice(line.start, Math.max(line.end, end))))
      if ((this.#changedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) > own.atMs) return false;
    return true;
  }

  #editTo(path: string, text: string): Edit {
    const present = this.#context.files.textOf(path) ?? text;
    if (present === text) return Edit.empty;
    let known = this.#edits.get(path);
    if (known?.text !== text) {
      known = { text, edit: minimalEdit(present, text) };
      this.#edits.set(path, known);
    }
    return known.edit;
  }
}

/** TypeScript's codes for an unresolved name. */
const namelessCodes: ReadonlySet<string> = new Set(["2304", "2503", "2552"]);

/** The line around an offset, with its line ending. */
function lineAround(text: string, offset: number): TextRange {
  const feed = text.indexOf("\n", offset);
  return {
    start: offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1,
    end: feed < 0 ? text.length + 1 : feed + 1,
  };
}

function touches(lines: TextRange, { start, end }: TextRange): boolean {
  return start < lines.end && lines.start <= Math.max(start, end - 1);
}

function wordsIn(text: string): readonly string[] {
  return text.match(anyIdentifier) ?? [];
}
