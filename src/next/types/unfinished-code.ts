import type { TypeFinding } from "../../codebase/index.ts";
import { Edit, Lines, minimalEdit, type TextRange } from "../../text/index.ts";
import type { Moment } from "../next-edit-source.ts";

/** Lines of a file's present text that somebody just wrote. */
interface OwnLines {
  readonly range: TextRange;
  readonly atMs: number;
}

/**
 * What is perhaps not written to its end yet: lines that were edited lately, above all the one that the cursor is in. What a checker complains of there is the writer's own, and
 * nothing that follows; unless a declaration that the line names changed after it was written. Names that mean nothing are complaints all the same once the
 * cursor has left them, for what mends that stands elsewhere.
 */
export class UnfinishedCode {
  readonly #moment: Pick<Moment, "path" | "text" | "cursor" | "files">;
  readonly #own = new Map<string, readonly OwnLines[]>();
  /** When declarations changed last, by their names. */
  readonly #changedAtMs: ReadonlyMap<string, number>;
  /** From the present text of a file to the one asked about last. */
  readonly #edits = new Map<string, { readonly text: string; readonly edit: Edit }>();

  /** `names` are those of the declarations of which somebody may see something else since the history began. */
  constructor(moment: Moment, names: ReadonlySet<string>) {
    this.#moment = moment;
    const changedAtMs = new Map<string, number>();
    for (const path of new Set(moment.history.map((entry) => entry.path))) {
      const entries = moment.history.filter((entry) => entry.path === path);
      const lines = Lines.of(moment.files.textOf(path) ?? "");
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

  /** Whether a complaint is about it. `text` is what the finding's file says: its present text, or one made of that. */
  has(finding: TypeFinding, text: string): boolean {
    const { path, start, end, code } = finding;
    const edit = this.#editTo(path, text);
    const own = this.#own.get(path)?.find(({ range }) => touches(edit.mapRange(range, "exclude"), finding));
    if (path === this.#moment.path && own !== undefined) {
      const line = edit.mapRange(lineAround(this.#moment.text, this.#moment.cursor), "exclude");
      const cursor = edit.mapOffset(this.#moment.cursor, "after");
      const isTouched = start <= cursor && cursor <= end;
      if (touches(line, finding)) return isTouched || !namelessCodes.has(code);
    }
    if (namelessCodes.has(code)) return false;
    if (own === undefined) return false;
    const line = lineAround(text, start);
    for (const name of wordsIn(text.slice(line.start, Math.max(line.end, end))))
      if ((this.#changedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) > own.atMs) return false;
    return true;
  }

  #editTo(path: string, text: string): Edit {
    const present = this.#moment.files.textOf(path) ?? text;
    if (present === text) return Edit.empty;
    let known = this.#edits.get(path);
    if (known?.text !== text) {
      known = { text, edit: minimalEdit(present, text) };
      this.#edits.set(path, known);
    }
    return known.edit;
  }
}

/** TypeScript's complaints that a name means nothing. */
const namelessCodes: ReadonlySet<string> = new Set(["2304", "2503", "2552"]);

/** The line around an offset, with its ending. */
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
  return text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
}
