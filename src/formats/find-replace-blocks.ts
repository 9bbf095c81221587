import type { AnswerRow } from "./reading/answer-rows.ts";
import { type CodeFence, closesCode, tryReadCodeFence } from "./reading/code-fence.ts";
import { tryReadPathRow } from "./reading/path-row.ts";

/** A block of `---FILEPATH`, `---FIND` and `---REPLACE`, or why it cannot be read. */
export type FindReplaceBlock =
  | {
      readonly kind: "block";
      readonly row: number;
      readonly path: string | undefined;
      readonly search: readonly string[];
      readonly replace: readonly string[];
    }
  | {
      readonly kind: "refused";
      readonly refusal: "cut-off" | "unreadable-row";
      readonly row: number;
      readonly path: string | undefined;
      readonly message: string;
    };

/**
 * The word of a row that begins a section, such as `---FIND`, and the trimmed text after it;
 * `undefined` for other rows.
 */
export function tryReadSectionMark(row: string): { readonly word: string; readonly rest: string } | undefined {
  const [, word, rest = ""] = /^-{3} ?(FILEPATH|FIND|REPLACE|COMPLETE)\b:?(.*)$/.exec(row.trimEnd()) ?? [];
  return word === undefined ? undefined : { word, rest: rest.trim() };
}

/**
 * Reads blocks in the format of earlier versions of GitHub Copilot: sections below `---FILEPATH`,
 * `---FIND` and `---REPLACE`, each with its code in a fence, and `---COMPLETE` at the end.
 *
 * A block without a path belongs to the file of the previous block. Rows between the fences are
 * ignored.
 */
export class FindReplaceBlocks {
  readonly #known: readonly string[];
  #path: string | undefined;
  #section: Section | undefined;
  #find: Section | undefined;

  constructor(known: readonly string[]) {
    this.#known = known;
  }

  /** Whether a section is open, so that rows belong to it. */
  get isOpen(): boolean {
    return this.#section !== undefined;
  }

  /**
   * Adds a row that begins a section or belongs to one. Returns the block that it completes, or
   * `undefined`.
   */
  take(row: AnswerRow): FindReplaceBlock | undefined {
    const section = this.#section;
    const mark = section?.fence === undefined ? tryReadSectionMark(row.text) : undefined;
    if (mark === undefined) {
      if (section !== undefined) takeCode(section, row.text);
      return undefined;
    }
    const done = mark.word === "REPLACE" ? undefined : this.#close();
    if (section?.word === "FILEPATH") this.#path = this.#readPath(section);
    if (mark.word === "REPLACE" && section?.word === "FIND") this.#find = section;
    this.#section = { word: mark.word, row: row.index, rest: mark.rest, bare: [], code: undefined, fence: undefined };
    if (mark.word === "COMPLETE") this.#section = undefined;
    return done;
  }

  /**
   * Ends the answer. Returns the last block, a refusal where it is incomplete, or `undefined` if
   * there is none.
   */
  end(isCut: boolean): FindReplaceBlock | undefined {
    const section = this.#section;
    if (section === undefined) return undefined;
    const isWhole = section.word === "REPLACE" && section.code !== undefined && section.fence === undefined && !isCut;
    if (isWhole) return this.#close();
    const message = `The answer ends inside of the section "---${section.word}" of row ${section.row + 1}.`;
    return { kind: "refused", refusal: "cut-off", row: section.row, path: this.#path, message };
  }

  #close(): FindReplaceBlock | undefined {
    const section = this.#section;
    const find = this.#find;
    this.#find = undefined;
    if (section === undefined || section.word === "FILEPATH") return undefined;
    const at = { row: (find ?? section).row, path: this.#path };
    if (section.word === "FIND" || find === undefined) {
      const missing = section.word === "FIND" ? "REPLACE" : "FIND";
      const message = `The section "---${section.word}" of row ${section.row + 1} has no "---${missing}" beside it.`;
      return { kind: "refused", refusal: "unreadable-row", ...at, message };
    }
    return { kind: "block", ...at, search: linesOf(find), replace: linesOf(section) };
  }

  #readPath({ rest, bare, code }: Section): string | undefined {
    const text = [rest, ...bare, ...(code ?? [])].find((row) => row.trim() !== "")?.trim();
    return text === undefined ? undefined : (tryReadPathRow(text, this.#known) ?? text);
  }
}

interface Section {
  readonly word: string;
  readonly row: number;
  readonly rest: string;
  /** The rows outside of a fence. */
  readonly bare: string[];
  /** The rows in the first fence; `undefined` before it opens. */
  code: string[] | undefined;
  fence: CodeFence | undefined;
}

function takeCode(section: Section, row: string): void {
  if (section.fence !== undefined) {
    if (closesCode(row, section.fence)) section.fence = undefined;
    else section.code!.push(row);
    return;
  }
  const fence = section.code === undefined ? tryReadCodeFence(row) : undefined;
  if (fence === undefined) {
    section.bare.push(row);
  } else {
    section.code = [];
    section.fence = fence;
  }
}

function linesOf({ bare, code }: Section): readonly string[] {
  if (code !== undefined) return code;
  const isFilled = (row: string) => row.trim() !== "";
  return bare.slice(Math.max(0, bare.findIndex(isFilled)), bare.findLastIndex(isFilled) + 1);
}
