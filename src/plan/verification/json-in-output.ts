import { parse } from "jsonc-parser";
import { deepPlaceInJson, isRecord } from "../../text/index.ts";
import { withoutControls } from "./verifier-reading.ts";

/** A JSON value in an output, and the text around it. */
export interface JsonInOutput {
  readonly value: unknown;
  /** Whether the value is incomplete; it then contains the complete items. */
  readonly isCut: boolean;
  readonly before: string;
  readonly after: string;
}

/** The most places at which a value may begin that are tried. */
const mostStarts = 40;
/** The most incomplete values that are tried. */
const mostCutStarts = 4;

/**
 * Finds the JSON object or list that `isIt` accepts and that begins on its own line, among other
 * output of the tool and of package managers. Of several, the first counts, complete ones before
 * incomplete ones; an incomplete one is parsed as far as possible. Returns `undefined` when there
 * is none among the first 40 lines that begin with `[` or `{`, and the first four incomplete
 * values.
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
  // This parser is recursive, so deep nesting is refused first.
  for (const start of open.slice(0, mostCutStarts)) {
    if (deepPlaceInJson(text.slice(start)) !== undefined) continue;
    const value: unknown = parse(text.slice(start), [], { allowTrailingComma: true });
    if (isIt(value)) return { value, isCut: true, before: text.slice(0, start), after: "" };
  }
  return undefined;
}

/**
 * Yields the lines of an output, each with the object that it contains as JSON, if it does. The
 * last line may be incomplete.
 */
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

/** The objects in a list; empty when `value` is no list. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** `value` if it is a string; otherwise `undefined`. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** `value` if it is a finite number; otherwise `undefined`. */
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

/**
 * The offset after the bracket that closes the one at `start`; `undefined` when it is not closed.
 */
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

/** The offset of the quote that ends the string at `start`; -1 when none does. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === '"') return at;
    // A string in JSON contains no line break.
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
