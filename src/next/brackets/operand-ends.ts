import { type Language, Structure } from "../../syntax/index.ts";

/** Where an operand may end. */
export interface OperandEnd {
  readonly offset: number;
  /** Whether it ends a line, and a statement with it: nothing closes around it. */
  readonly endsStatement: boolean;
}

/**
 * Where what begins at an offset may end, as what a bracket is put around: in front of a comma or a semicolon, of the bracket that closes around it, or at the end of a
 * line behind which it does not go on; only what lies behind the offset `behind` counts. The nearest first; nothing where nothing begins on the line of the offset.
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
  /** Type arguments: what opens them stands right behind a name. */
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

/** Whether type arguments open at an offset, 1, or close, -1. */
function angleAt(text: string, offset: number, open: number): number {
  const before = text[offset - 1] ?? "";
  if (text[offset] === "<") return /[\p{L}\p{N}_$]/u.test(before) ? 1 : 0;
  return text[offset] === ">" && open > 0 && !/[=-]/.test(before) ? -1 : 0;
}

/** So many ends are told, and so many UTF-16 units looked at. */
const maxEnds = 4;
const maxLength = 50_000;

/** Signs of code with line endings, one by one; a literal is one, and comments are none. */
function* codeSigns(text: string, from: number, language: Language) {
  const { regions } = Structure.of(text, language);
  let next = regions.findIndex(({ end }) => end > from);
  const to = Math.min(text.length, from + maxLength);
  for (let offset = from; offset < to; offset++) {
    const region = next < 0 ? undefined : regions[next];
    if (region !== undefined && region.start <= offset) {
      if (region.kind !== "comment") yield { offset, sign: text.slice(offset, region.end) };
      // What a line comment ends with ends its line too.
      offset = Math.max(offset, region.end - 1);
      next++;
      continue;
    }
    const sign = text[offset]!;
    if (sign === "\n" || /\S/.test(sign)) yield { offset, sign };
  }
  yield { offset: to, sign: "\n" };
}

/** Whether an expression that ends a line goes on in the next one, by what stands on both sides of the line ending. */
function goesOn(text: string, end: number, lineEnd: number): boolean {
  return /[-=+*/%&|^?:,.<([{!~]/.test(text[end - 1] ?? "") || /^\s*[-.?:&|+*/%^=<]/.test(text.slice(lineEnd));
}
