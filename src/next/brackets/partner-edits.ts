import { type Bracket, type Language, Structure } from "../../syntax/index.ts";
import { Edit, type TextEdit } from "../../text/index.ts";
import { codeStyleOf } from "../layout/code-style.ts";
import { operandEnds } from "./operand-ends.ts";

/**
 * What is left to do after an edit that opens a bracket and does not close it, or takes one out and leaves its partner: the closing one comes behind what begins at the
 * new one, or the partner goes too. Edits of the text that `edit` gives, the likeliest first; nothing where brackets are as they were, or it takes more than that.
 *
 * Only brackets are looked at: whoever takes one of these asks a parser.
 */
export function partnerEdits(before: string, edit: Edit, language: Language): readonly Edit[] {
  const [uneven, ...others] = edit.edits.filter((one) => isUneven(before.slice(one.start, one.end), one.text));
  if (uneven === undefined || others.length > 0) return [];
  const partners = new Map(language.brackets.filter(([open]) => open !== "<"));
  const isOpener = ({ text }: Bracket) => partners.has(text);
  const old = leftOpen(Structure.of(before, language), uneven);
  const fresh = Structure.of(uneven.text, language).unmatched;
  const closers = (brackets: readonly Bracket[]) => said(brackets.filter((one) => !isOpener(one)));
  if (closers(old) !== closers(fresh)) return [];
  const [lost, got] = [old.filter(isOpener), fresh.filter(isOpener)];
  if (lost.length === got.length + 1) return withoutPartner(extras(lost, got), before, edit);
  const more = got.length - lost.length;
  if (more < 1 || more > maxOpened) return [];
  // What is put around something stands in front of it.
  const front = said(got.slice(more)) === said(lost) ? [got.slice(0, more)] : [];
  const opened = more === 1 ? extras(got, lost).map((one) => [one]) : front;
  const after = edit.apply(before);
  const start = edit.mapOffset(uneven.start, "before");
  return opened.flatMap((brackets) => {
    let ways: readonly Edit[] = [Edit.empty];
    // The innermost is closed first.
    for (const { offset, text } of brackets.toReversed()) {
      const place = { from: start + offset + 1, behind: start + uneven.text.length };
      const closer = partners.get(text)!;
      ways = ways.flatMap((way) => closings(closer, way.apply(after), place, language).map((one) => way.compose(one)));
    }
    return ways;
  });
}

/** What closes a bracket behind what begins at `from`. */
function closings(
  closer: string,
  text: string,
  place: { readonly from: number; readonly behind: number },
  language: Language,
): readonly Edit[] {
  return operandEnds(text, place, language).map(({ offset, endsStatement }) => {
    // What was a block needed no semicolon.
    const needsSemicolon = endsStatement && language.script !== undefined && endsStatementsWithSemicolons(text);
    return Edit.insert(offset, needsSemicolon ? `${closer};` : closer);
  });
}

function endsStatementsWithSemicolons(text: string): boolean {
  return /;\s*$/m.test(text) && codeStyleOf(text).semicolons;
}

/** So many brackets at most are opened at once. */
const maxOpened = 3;

/** Whether a text opens more or fewer brackets than the one it stands for, at a glance. */
export function isUneven(old: string, fresh: string): boolean {
  return pairs.some((pair) => balance(old, pair) !== balance(fresh, pair));
}

const pairs = ["()", "[]", "{}"];

function balance(text: string, [open, close]: string): number {
  let count = 0;
  for (const sign of text) count += sign === open ? 1 : sign === close ? -1 : 0;
  return count;
}

/** The brackets of a stretch that have no partner in it. */
function leftOpen({ brackets }: Structure, { start, end }: TextEdit): readonly Bracket[] {
  return brackets.filter(
    ({ offset, partner }) =>
      start <= offset && offset < end && (partner === undefined || partner < start || partner >= end),
  );
}

/** Those without which brackets are the same as others, the first in front. */
function extras(brackets: readonly Bracket[], others: readonly Bracket[]): readonly Bracket[] {
  return brackets.filter((_, at) => said(brackets.filter((_, i) => i !== at)) === said(others));
}

function said(brackets: readonly Bracket[]): string {
  return brackets.map(({ text }) => text).join("");
}

/** What takes the partner of a bracket out that is gone; with its line, where it stands alone on it. */
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
