import {
  type AnswerPart,
  contentOf,
  type EditOperation,
  fileLines,
  type LineSplice,
  type Placement,
  type ResolvedOperation,
} from "../formats/index.ts";
import { composeWorkspaceEdits, diffSequences, type FileTexts } from "../text/index.ts";
import { textsAfter } from "./changed-files.ts";
import { type Round, resolveBeside } from "./edit-checker.ts";
import type { FilePlace, Preview } from "./edit-outcome.ts";

/** The part of an answer that was received so far. */
export interface ReadSoFar {
  /** Characters of the answer. */
  readonly length: number;
  /** Parses the partial answer; done on demand, since it costs time. */
  look(): PartialAnswer;
}

/** The contents of a partial answer. */
export interface PartialAnswer {
  /** The complete parts. */
  readonly parts: readonly AnswerPart[];
  /** The operations that are still being written; the last one may grow. */
  readonly open: readonly EditOperation[];
}

/**
 * Shows the effect of an answer to a round while it streams, line by line.
 *
 * An operation that is being written is shown at its location as soon as that is known. Of the
 * lines that it replaces, only as many disappear as new lines have arrived, so that no line
 * vanishes and comes back.
 */
export class Previews {
  readonly #round: Round;
  readonly #texts: FileTexts;
  readonly #fileLength: number;
  #shown = "";
  #next = 0;

  constructor(round: Round) {
    this.#round = round;
    this.#texts = textsAfter(round.files, round.base);
    this.#fileLength = [...this.#texts.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Returns the edit of everything received so far; `undefined` if nothing changed since the last
   * preview.
   *
   * Each call resolves all operations again, so previews of large files and long answers come in
   * larger steps.
   */
  tryShow({ length, look }: ReadSoFar): Preview | undefined {
    if (length < this.#next) return undefined;
    const { parts, open: opened } = look();
    const { operations } = contentOf(parts);
    const shape = `${operations.length} ${opened.length} ${sizeOf(opened.at(-1))}`;
    if (shape === this.#shown || (operations.length === 0 && opened.length === 0)) return undefined;
    this.#shown = shape;
    this.#next = length + this.#fileLength / 3000 + length / 200;
    const { edit, at } = this.#place(operations, opened);
    return { edit: composeWorkspaceEdits(this.#round.base, edit), ...(at && { at }) };
  }

  /**
   * The place in the files that the partial answer has come to; `undefined` where it is unknown.
   */
  placeOf({ parts, open }: PartialAnswer): FilePlace | undefined {
    return this.#place(contentOf(parts).operations, open).at;
  }

  #place(operations: readonly EditOperation[], opened: readonly EditOperation[]): Preview {
    const last = opened.at(-1);
    if (last === undefined) return endOf(this.#placeAll(operations));
    const known = [...operations, ...opened.slice(0, -1)];
    const whole = this.#placeAll([...known, last]);
    const found = whole.placed.at(-1);
    if (
      found === undefined ||
      found.operation.row !== last.row ||
      whole.refused.some(({ operation }) => isSame(operation, last))
    ) {
      return endOf(this.#placeAll(known));
    }
    const { path } = found;
    const before = this.#texts.get(path);
    if (before === undefined) return { edit: whole.edit, at: { path, line: 0 } };
    const isPatch = this.#round.format === "udiff" || this.#round.format === "v4a";
    // A patch names each line that it removes.
    const splices = isPatch ? found.splices : splicesSoFar(found, fileLines(before));
    const end = splices.at(-1)?.end;
    if (end === undefined) return endOf(this.#placeAll(known));
    const lines = splices.map(
      (splice): EditOperation => ({ kind: "lines", row: last.row, path, ...splice, anchors: [] }),
    );
    return { edit: this.#placeAll([...known, ...lines]).edit, at: { path, line: end } };
  }

  #placeAll(operations: readonly EditOperation[]): Placement {
    return resolveBeside(this.#round.earlier?.placed ?? [], { operations }, this.#texts);
  }
}

/** The effect of complete operations; the last one is the current place. */
function endOf({ edit, placed }: Placement): Preview {
  const last = placed.at(-1);
  if (last === undefined) return { edit };
  return { edit, at: { path: last.path, line: last.splices.at(-1)?.end ?? 0 } };
}

function isSame(a: EditOperation, b: EditOperation): boolean {
  // A string operation whose leading blanks were adjusted is another object.
  return a === b || (a.row === b.row && a.kind === b.kind && a.kind !== "string");
}

/**
 * The splices of a partly written operation; the last splice replaces no more lines than its new
 * lines account for.
 */
function splicesSoFar({ operation, splices }: ResolvedOperation, before: readonly string[]): readonly LineSplice[] {
  if (operation.kind === "whole") {
    return [soFar({ start: 0, end: before.length, lines: operation.lines }, { before, isEndKnown: false })];
  }
  const last = splices.at(-1);
  if (last === undefined) return [];
  return [...splices.slice(0, -1), soFar(last, { before, isEndKnown: operation.kind !== "elided" })];
}

/**
 * A splice that is being written, shortened to the old lines that the new ones account for: all
 * lines up to the last common line, and after it one old line for each new one where the end of the
 * range is known.
 */
function soFar(
  { start, end, lines }: LineSplice,
  { before, isEndKnown }: { readonly before: readonly string[]; readonly isEndKnown: boolean },
): LineSplice {
  // Limits the comparison: a similar line far below is not the line written last.
  const reach = Math.ceil(lines.length * 1.25) + 20;
  const old = before.slice(start, Math.min(end, start + reach));
  // The `undefined` at the end keeps the last new line from being matched with the last old line.
  const change = diffSequences<string | undefined>(old, [...lines, undefined]).at(-1)!;
  const written = isEndKnown ? lines.length - change.afterStart : 0;
  return { start, end: Math.min(start + change.beforeStart + written, end), lines };
}

/**
 * The size of an operation in lines, or in characters for strings and blocks; used to see whether
 * it grew.
 */
function sizeOf(operation: EditOperation | undefined): number {
  switch (operation?.kind) {
    case "lines":
    case "whole":
    case "elided":
    case "create":
      return operation.lines.length;
    case "block":
    case "string":
      return operation.search.length + operation.replace.length;
    default:
      return 0;
  }
}
