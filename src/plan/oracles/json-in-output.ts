import { parse } from "jsonc-parser";
import { withoutControls } from "./output-lines.ts";

/** A JSON value in an output, and what stands around it. */
export interface JsonInOutput {
  readonly value: unknown;
  /** Whether the value ends in the middle: the items that were whole are in it. */
  readonly isCut: boolean;
  readonly before: string;
  readonly after: string;
}

/** So many places are tried at most at which a value may begin. */
const mostStarts = 40;
/** And so many at which a value begins that does not end. */
const mostCutStarts = 4;

/**
 * Finds the JSON object or list that `isIt` recognises and that begins on a line of its own, among what package managers and
 * the tools themselves write around it. One that is cut is read as far as it goes.
 */
export function tryJsonInOutput(output: string, isIt: (value: unknown) => boolean): JsonInOutput | undefined {
  const text = output.startsWith("\uFEFF") ? output.slice(1) : output;
  const starts = [...firstMatches(text, /^[ \t]*[[{]/gm)];
  const open: number[] = [];
  for (const start of starts) {
    const end = jsonEnd(text, start);
    if (end === undefined) {
      open.push(start);
      continue;
    }
    const value = tryParse(text.slice(start, end));
    if (value !== undefined && isIt(value)) {
      return { value, isCut: false, before: text.slice(0, start), after: text.slice(end) };
    }
  }
  // What follows goes one call deeper with each bracket.
  if (open.length === 0 || isTooDeep(text)) return undefined;
  for (const start of open.slice(0, mostCutStarts)) {
    const value: unknown = parse(text.slice(start), [], { allowTrailingComma: true });
    if (isIt(value)) return { value, isCut: true, before: text.slice(0, start), after: "" };
  }
  return undefined;
}

/** The objects that stand one on a line each, and the lines between them. The last line may be cut. */
export function* jsonLines(
  output: string,
): Generator<{ readonly value?: Readonly<Record<string, unknown>>; readonly line: string; readonly isLast: boolean }> {
  const lines = output.trimEnd().split("\n");
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    const value = line.startsWith("{") ? tryParse(line) : undefined;
    const isLast = index === lines.length - 1;
    yield isRecord(value) ? { value, line, isLast } : { line: withoutControls(raw.replace(/\r$/, "")), isLast };
  }
}

/** Whether a value is an object with names, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; nothing of what is no list. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A text, or nothing where it is something else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A number, or nothing where it is something else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function* firstMatches(text: string, pattern: RegExp): Generator<number> {
  let left = mostStarts;
  for (const match of text.matchAll(pattern)) {
    if (left-- === 0) return;
    yield match.index + match[0].length - 1;
  }
}

/** Behind the bracket that closes the one at `start`; `undefined` where it stays open. */
function jsonEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      if (at < 0) return undefined;
    } else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The quote that ends the string at `start`; -1 where none does. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === '"') return at;
    // A raw line break ends no string: this was no JSON.
    else if (character === "\n") return -1;
  }
  return -1;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > 500) return true;
  }
  return false;
}
