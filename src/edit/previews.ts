import {
  type AnswerPart,
  type Ask,
  contentOf,
  fileLines,
  type LineSplice,
  type PlacedAsk,
  type Placement,
} from "../formats/index.ts";
import { composeWorkspaceEdits, diffSequences, type FileTexts } from "../text/index.ts";
import { textsAfter } from "./changed-files.ts";
import { placeBeside, type Round } from "./edit-judge.ts";
import type { FilePlace, Preview } from "./edit-outcome.ts";

/** An answer as far as it has come. */
export interface ReadSoFar {
  /** Characters of the answer. */
  readonly length: number;
  /** Looks at what it says. */
  look(): SaidSoFar;
}

/** What an answer says as far as it has come. */
export interface SaidSoFar {
  /** What is complete. */
  readonly parts: readonly AnswerPart[];
  /** The edits that are being written, of which the last one may go on. */
  readonly open: readonly Ask[];
}

/**
 * Shows what an answer to a round does while it comes, line by line.
 *
 * An edit that is being written is shown where it goes, as soon as that can be told. Of the lines that it replaces no more
 * are shown as gone than have been written for them, so that nothing vanishes that comes back.
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
   * The edit of all that was read so far, if there is more of it than before.
   *
   * All of it is placed each time, so that large files and long answers are shown in larger steps.
   */
  tryShow({ length, look }: ReadSoFar): Preview | undefined {
    if (length < this.#next) return undefined;
    const { parts, open: opened } = look();
    const { asks } = contentOf(parts);
    const shape = `${asks.length} ${opened.length} ${sizeOf(opened.at(-1))}`;
    if (shape === this.#shown || (asks.length === 0 && opened.length === 0)) return undefined;
    this.#shown = shape;
    this.#next = length + this.#fileLength / 3000 + length / 200;
    const { edit, at } = this.#place(asks, opened);
    return { edit: composeWorkspaceEdits(this.#round.base, edit), ...(at && { at }) };
  }

  /** Where the answer is, if that can be told. */
  placeOf({ parts, open }: SaidSoFar): FilePlace | undefined {
    return this.#place(contentOf(parts).asks, open).at;
  }

  #place(asks: readonly Ask[], opened: readonly Ask[]): Preview {
    const last = opened.at(-1);
    if (last === undefined) return endOf(this.#placeAll(asks));
    const known = [...asks, ...opened.slice(0, -1)];
    const whole = this.#placeAll([...known, last]);
    const found = whole.placed.at(-1);
    if (found === undefined || found.ask.row !== last.row || whole.refused.some(({ ask }) => isSame(ask, last))) {
      return endOf(this.#placeAll(known));
    }
    const { path } = found;
    const before = this.#texts.get(path);
    if (before === undefined) return { edit: whole.edit, at: { path, line: 0 } };
    const isPatch = this.#round.format === "udiff" || this.#round.format === "v4a";
    // What a patch takes away it says line by line.
    const splices = isPatch ? found.splices : splicesSoFar(found, fileLines(before));
    const end = splices.at(-1)?.end;
    if (end === undefined) return endOf(this.#placeAll(known));
    const lines = splices.map((splice): Ask => ({ kind: "lines", row: last.row, path, ...splice, witnesses: [] }));
    return { edit: this.#placeAll([...known, ...lines]).edit, at: { path, line: end } };
  }

  #placeAll(asks: readonly Ask[]): Placement {
    return placeBeside(this.#round.earlier?.placed ?? [], { asks }, this.#texts);
  }
}

/** What complete edits do; the last of them is where the answer is. */
function endOf({ edit, placed }: Placement): Preview {
  const last = placed.at(-1);
  if (last === undefined) return { edit };
  return { edit, at: { path: last.path, line: last.splices.at(-1)?.end ?? 0 } };
}

function isSame(a: Ask, b: Ask): boolean {
  // An ask whose blanks were looked at is another object.
  return a === b || (a.row === b.row && a.kind === b.kind && a.kind !== "string");
}

/** What an edit does to a file that is written only in part: its last stretch goes no further than its lines do. */
function splicesSoFar({ ask, splices }: PlacedAsk, before: readonly string[]): readonly LineSplice[] {
  if (ask.kind === "whole") {
    return [soFar({ start: 0, end: before.length, lines: ask.lines }, { before, isEndKnown: false })];
  }
  const last = splices.at(-1);
  if (last === undefined) return [];
  return [...splices.slice(0, -1), soFar(last, { before, isEndKnown: ask.kind !== "elided" })];
}

/**
 * A stretch that is being written, with as many of the old lines as the new ones stand for: all up to the last that both
 * have, and behind it one for each, where it is known how many lines go.
 */
function soFar(
  { start, end, lines }: LineSplice,
  { before, isEndKnown }: { readonly before: readonly string[]; readonly isEndKnown: boolean },
): LineSplice {
  // What stands far behind is not what was written last, though it may read like it.
  const reach = Math.ceil(lines.length * 1.25) + 20;
  const old = before.slice(start, Math.min(end, start + reach));
  // An end of its own keeps the last line from being taken for the last of the old ones.
  const change = diffSequences<string | undefined>(old, [...lines, undefined]).at(-1)!;
  const written = isEndKnown ? lines.length - change.afterStart : 0;
  return { start, end: Math.min(start + change.beforeStart + written, end), lines };
}

/** How much of an ask is written, to tell whether there is more of it; in lines, or in characters of a string. */
function sizeOf(ask: Ask | undefined): number {
  switch (ask?.kind) {
    case "lines":
    case "whole":
    case "elided":
    case "create":
      return ask.lines.length;
    case "block":
    case "string":
      return ask.search.length + ask.replace.length;
    default:
      return 0;
  }
}
