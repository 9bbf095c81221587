import { type Bracket, type Language, Structure } from "../../../syntax/index.ts";
import { Edit, sameEnds, type TextEdit } from "../../../text/index.ts";
import { codeStyleOf } from "../../layout/code-style.ts";

/**
 * Returns the edits that restore the balance of brackets after an edit that opens a bracket without
 * closing it, or removes one and leaves its partner: the closing bracket is inserted after the
 * operand that begins at the new one, or the partner is removed. The edits apply to the text after
 * `edit`, the likeliest first; empty where the brackets are balanced or more than one place is
 * uneven.
 *
 * Only brackets are compared, so the caller must parse the result.
 */
export function partnerEdits(before: string, edit: Edit, language: Language): readonly Edit[] {
  const [uneven, ...others] = edit.edits.filter((one) => isUneven(before.slice(one.start, one.end), one.text));
  if (uneven === undefined || others.length > 0) return [];
  const partners = new Map(language.brackets.filter(([open]) => open !== "<"));
  const isOpener = ({ text }: Bracket) => partners.has(text);
  const old = leftOpen(Structure.of(before, language), uneven);
  const fresh = Structure.of(uneven.text, language).unmatched;
  const closers = (brackets: readonly Bracket[]) => bracketText(brackets.filter((one) => !isOpener(one)));
  if (closers(old) !== closers(fresh)) return [];
  const [lost, got] = [old.filter(isOpener), fresh.filter(isOpener)];
  if (lost.length === got.length + 1) return withoutPartner(extras(lost, got), before, edit);
  const more = got.length - lost.length;
  if (more < 1 || more > maxOpened) return [];
  // A bracket that is put around existing code is before it.
  const front = bracketText(got.slice(more)) === bracketText(lost) ? [got.slice(0, more)] : [];
  const opened = more === 1 ? extras(got, lost).map((one) => [one]) : front;
  const after = edit.apply(before);
  const start = edit.mapOffset(uneven.start, "before");
  return opened.flatMap((brackets) => {
    let ways: readonly Edit[] = [Edit.empty];
    // The innermost bracket is closed first.
    for (const { offset, text } of brackets.toReversed()) {
      const place = { from: start + offset + 1, behind: start + uneven.text.length };
      const closer = partners.get(text)!;
      ways = ways.flatMap((way) => closings(closer, way.apply(after), place, language).map((one) => way.compose(one)));
    }
    return ways;
  });
}

/** Returns the edits that close a bracket after the operand at `place.from`. */
function closings(
  closer: string,
  text: string,
  place: { readonly from: number; readonly behind: number },
  language: Language,
): readonly Edit[] {
  return operandEnds(text, place, language).map(({ offset, endsStatement }) => {
    // A block needed no semicolon.
    const needsSemicolon = endsStatement && language.script !== undefined && endsStatementsWithSemicolons(text);
    return Edit.insert(offset, needsSemicolon ? `${closer};` : closer);
  });
}

function endsStatementsWithSemicolons(text: string): boolean {
  return /;\s*$/m.test(text) && codeStyleOf(text).semicolons;
}

/** The most brackets that one edit opens. */
const maxOpened = 3;

/**
 * Whether a text opens more or fewer brackets than the text it replaces, without regard to strings
 * and comments.
 */
export function isUneven(old: string, fresh: string): boolean {
  const { front, back } = sameEnds(old, fresh);
  const [before, after] = [old.slice(front, old.length - back), fresh.slice(front, fresh.length - back)];
  return pairs.some((pair) => balance(before, pair) !== balance(after, pair));
}

const pairs = ["()", "[]", "{}"];

function balance(text: string, [open, close]: string): number {
  let count = 0;
  for (const sign of text) count += sign === open ? 1 : sign === close ? -1 : 0;
  return count;
}

/** Returns the brackets in a range that have no partner in it. */
function leftOpen({ brackets }: Structure, { start, end }: TextEdit): readonly Bracket[] {
  return brackets.filter(
    ({ offset, partner }) =>
      start <= offset && offset < end && (partner === undefined || partner < start || partner >= end),
  );
}

/** Returns the brackets without which the others are equal to `others`. */
function extras(brackets: readonly Bracket[], others: readonly Bracket[]): readonly Bracket[] {
  return brackets.filter((_, at) => bracketText(brackets.filter((_, i) => i !== at)) === bracketText(others));
}

function bracketText(brackets: readonly Bracket[]): string {
  return brackets.map(({ text }) => text).join("");
}

/**
 * Returns the edits that remove the partner of a removed bracket; with its line, where the line
 * contains nothing else.
 */
function withoutPartner(gone: readonly Bracket[], before: string, edit: Edit): readonly Edit[] {
  const after = edit.apply(before);
  return gone.flatMap(({ partner }) => {
    if (partner === undefined || edit.edits.some(({ start, end }) => start <= partner && partner < end)) return [];
    const at = edit.mapOffset(partner, "after");
    const lineStart = after.lastIndexOf("\n", at - 1) + 1;
    const [, ahead] = /^(.*)$/.exec(after.slice(lineStart, at))!;
    const behind = /^[^\S\n]*(?:\n|$)/.exec(after.slice(at + 1));
    const isAlone = ahead!.trim() === "" && behind !== null;
    return [Edit.delete(isAlone ? { start: lineStart, end: at + 1 + behind[0].length } : { start: at, end: at + 1 })];
  });
}

/** A place where an operand may end. */
interface OperandEnd {
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
function operandEnds(
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
