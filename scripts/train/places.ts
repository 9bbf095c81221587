import { pick } from "./seeded-random.ts";

/** A place in a file where a person might ask, with what truly follows on its line. */
export interface Place {
  readonly path: string;
  readonly text: string;
  /** At the first code of a line, after a mark such as `.`, or inside a name. */
  readonly kind: "line" | "trigger" | "word";
  /** Offset of the place. */
  readonly offset: number;
  /** Offset of the end of the line's code. */
  readonly end: number;
  /** Offset of the end of the line, its line ending not included. */
  readonly lineEnd: number;
}

/** A file and some of its lines. */
export interface PlaceRequest {
  readonly path: string;
  readonly text: string;
  /** The lines that may be chosen, from 0; default: all. */
  readonly lineIndexes?: readonly number[];
  /** The most places wanted. */
  readonly count: number;
}

/** Chooses places at random; fewer than requested when the lines have hardly any. */
export function choosePlaces(request: PlaceRequest, random: () => number): Place[] {
  const { path, text, count } = request;
  const lines = linesOf(text);
  const indexes = request.lineIndexes ?? lines.map((_, index) => index);
  const places: Place[] = [];
  if (indexes.length === 0) return places;
  for (let tries = 0; places.length < count && tries < count * 4; tries++) {
    const line = lines[pick(indexes, random)];
    const found = line === undefined ? undefined : chooseOnLine(text, line, random);
    if (found !== undefined) places.push({ path, text, ...found });
  }
  return places;
}

interface Line {
  readonly start: number;
  readonly end: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lines.push({ start, end: text[end - 1] === "\r" && end > start ? end - 1 : end });
    start = end + 1;
  }
  return lines;
}

/**
 * The share of places at the first code of a line, and of those after a trigger; the rest is inside
 * names.
 */
const kindShares = { line: 0.4, trigger: 0.35 };

function chooseOnLine(text: string, line: Line, random: () => number): Omit<Place, "path" | "text"> | undefined {
  const source = text.slice(line.start, line.end);
  const indent = source.length - source.trimStart().length;
  const end = source.trimEnd().length;
  // What is left of a line this short is not worth a question, and a comment's words are not the
  // model's business.
  if (end - indent < 3 || /^\s*(?:\/\/|\/?\*|#)/.test(source)) return undefined;
  const share = random();
  const kind = share < kindShares.line ? "line" : share < kindShares.line + kindShares.trigger ? "trigger" : "word";
  const columns = kind === "line" ? [indent] : columnsOf(kind, source, indent, end);
  if (columns.length === 0) return undefined;
  const offset = line.start + pick(columns, random);
  return { kind, offset, end: line.start + end, lineEnd: line.end };
}

function columnsOf(kind: "trigger" | "word", source: string, indent: number, end: number): number[] {
  const columns: number[] = [];
  for (let column = indent + 1; column < end; column++) {
    const fits =
      kind === "word"
        ? /[\p{L}_$]/u.test(source[column - 1]!) && /[\p{L}\p{N}_$]/u.test(source[column]!)
        : trigger.test(source.slice(indent, column)) && source[column] !== " ";
    if (fits) columns.push(column);
  }
  return columns;
}

/** What a person has typed when a completion is welcome. */
const trigger = /[ .([<"'`]$/;
