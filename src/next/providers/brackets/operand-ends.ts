import { type Language, Structure } from "../../../syntax/index.ts";

/** A place where an operand may end. */
export interface OperandEnd {
  readonly offset: number;
  /** Whether it ends a line and with it a statement: no bracket closes around it. */
  readonly endsStatement: boolean;
}

/**
 * Returns where the operand that begins at `from` may end, for a bracket that is put around it:
 * before a comma, a semicolon or the bracket that closes around it, or at the end of a line that
 * the expression does not continue after. Only offsets after `behind` count. The nearest first, at
 * most four; empty where the rest of the line of `from` is empty.
 */
export function operandEnds(
  text: string,
  { from, behind }: { readonly from: number; readonly behind: number },
  language: Language,
): readonly OperandEnd[] {
  const ends: OperandEnd[] = [];
  const add = (offset: number, endsStatement = false) => {
    if (offset > behind && ends.at(-1)?.offset !== offset) ends.push({ offset, endsStatement });
  };
  const openers = new Set(language.brackets.map(([open]) => open));
  const closers = new Set(language.brackets.map(([, close]) => close));
  let depth = 0;
  /** The depth of type arguments, whose opening sign directly follows a name. */
  let angles = 0;
  let end = from;
  for (const { offset, sign } of codeSigns(text, from, language)) {
    const isOutside = depth === 0;
    if (sign === "\n") {
      if (end === from) return [];
      if (!isOutside || goesOn(text, end, offset)) continue;
      add(end, !closers.has(/\S/.exec(text.slice(offset))?.[0] ?? ""));
      if (ends.length > 0) break;
      continue;
    }
    const closes = closers.has(sign);
    if (isOutside && end > from && (closes || (sign === "," && angles === 0) || sign === ";")) add(end);
    if ((isOutside && (closes || sign === ";")) || ends.length >= maxEnds) break;
    if (closes) depth--;
    else if (openers.has(sign)) depth++;
    if (isOutside) angles += angleAt(text, offset, angles);
    end = offset + sign.length;
  }
  return ends;
}

/** Returns 1 where type arguments open at an offset, -1 where they close, and 0 otherwise. */
function angleAt(text: string, offset: number, open: number): number {
  const before = text[offset - 1] ?? "";
  if (text[offset] === "<") return /[\p{L}\p{N}_$]/u.test(before) ? 1 : 0;
  return text[offset] === ">" && open > 0 && !/[=-]/.test(before) ? -1 : 0;
}

/** The most ends that are returned, and the most UTF-16 units that are read. */
const maxEnds = 4;
const maxLength = 50_000;

/**
 * Yields the characters of code that are not blank and the line endings. A literal counts as one;
 * comments are skipped.
 */
function* codeSigns(text: string, from: number, language: Language) {
  const { regions } = Structure.of(text, language);
  let next = regions.findIndex(({ end }) => end > from);
  const to = Math.min(text.length, from + maxLength);
  for (let offset = from; offset < to; offset++) {
    const region = next < 0 ? undefined : regions[next];
    if (region !== undefined && region.start <= offset) {
      if (region.kind !== "comment") yield { offset, sign: text.slice(offset, region.end) };
      // The line ending that ends a line comment counts as a line ending of its own.
      offset = Math.max(offset, region.end - 1);
      next++;
      continue;
    }
    const sign = text[offset]!;
    if (sign === "\n" || /\S/.test(sign)) yield { offset, sign };
  }
  yield { offset: to, sign: "\n" };
}

/** Whether an expression continues after a line ending, by the characters on both sides of it. */
function goesOn(text: string, end: number, lineEnd: number): boolean {
  return /[-=+*/%&|^?:,.<([{!~]/.test(text[end - 1] ?? "") || /^\s*[-.?:&|+*/%^=<]/.test(text.slice(lineEnd));
}
