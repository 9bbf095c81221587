import { type Language, Structure } from "../../../syntax/index.ts";
import type { TextEdit } from "../../../text/index.ts";

/**
 * Returns repairs of an edit that lost a bracket or has one too many: the same edit with its
 * brackets balanced as in the text that it replaces, the likeliest first. Empty where the brackets
 * are balanced, or more than three are wrong.
 *
 * The edit's text is read by itself, as if no string or comment began before it, so the caller must
 * parse the result.
 */
export function repairedBrackets(before: string, edit: TextEdit, language: Language): readonly TextEdit[] {
  const text = { before: before.slice(edit.start, edit.end), after: edit.text };
  const partners = new Map(language.brackets.filter(([open]) => open !== "<"));
  const openness = (source: string): ReadonlyMap<string, number> => opennessOf(source, language, partners);
  const [was, is] = [openness(text.before), openness(text.after)];
  const surplus = [...partners.keys()].map((open) => [open, (is.get(open) ?? 0) - (was.get(open) ?? 0)] as const);
  const tooMany = surplus.reduce((sum, [, count]) => sum + Math.abs(count), 0);
  if (tooMany === 0 || tooMany > maxRepaired) return [];
  const repaired = surplus.every(([, count]) => count >= 0)
    ? withClosers(text.after, new Map(surplus), {
        ...{ language, partners, replaced: text.before, lineBefore: lineUpTo(before, edit.start) },
      })
    : surplus.every(([, count]) => count <= 0)
      ? withoutClosers(text.after, new Map(surplus), { language, partners })
      : [];
  return [...new Set(repaired)].map((after) => ({ ...edit, text: after }));
}

/** The most brackets that are inserted or removed: more is not a slip. */
const maxRepaired = 3;

interface Brackets {
  readonly language: Language;
  /** The closing bracket of each opening bracket. */
  readonly partners: ReadonlyMap<string, string>;
}

/**
 * Counts, for each opening bracket, those that a text leaves open, less the closing ones that it
 * does not open.
 */
function opennessOf(
  text: string,
  language: Language,
  partners: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text: bracket } of Structure.of(text, language).unmatched) {
    for (const [open, close] of partners) {
      if (bracket === open) counts.set(open, (counts.get(open) ?? 0) + 1);
      else if (bracket === close) counts.set(open, (counts.get(open) ?? 0) - 1);
    }
  }
  return counts;
}

/**
 * Returns variants that close the open brackets: on the opening line, before its last punctuation
 * or after it, on a line below, or at the end.
 */
function withClosers(
  text: string,
  surplus: ReadonlyMap<string, number>,
  { language, partners, replaced, lineBefore }: Brackets & { readonly replaced: string; readonly lineBefore: string },
): readonly string[] {
  const left = new Map(surplus);
  const opened = Structure.of(text, language)
    .unmatched.toReversed()
    .filter(({ text: bracket }) => {
      const count = left.get(bracket) ?? 0;
      left.set(bracket, count - 1);
      return count > 0;
    });
  const [last] = opened;
  // A closing bracket that was removed without an opening one is put back at the end.
  const missing = [...left].flatMap(([open, count]) => Array.from({ length: Math.max(0, count) }, () => open));
  const closers = [...opened.map((bracket) => bracket.text), ...missing].map((open) => partners.get(open)!).join("");
  const [body, ending] = splitEnding(text);
  const atEnd = putIn(text, body.length - /(?<![;,\s])[;,\s]*$/.exec(body)![0].length, closers);
  const behindAll = body + closers + ending;
  if (last === undefined) {
    const restored = restoredClosers({ replaced, text, closers: [...closers], language });
    // Where whole lines are removed, a bracket alone would join the next line.
    return text === "" && restored.length > 0 ? restored : [...restored, atEnd, behindAll];
  }
  const lineStart = Math.max(text.lastIndexOf("\n", last.offset), text.lastIndexOf("\r", last.offset)) + 1;
  const line = /^[^\r\n]*/.exec(text.slice(lineStart))![0];
  const lineEnd = lineStart + line.length;
  const signs = /(?<![\s;,:{]|=>)(?:[\s;,:{]|=>)*$/.exec(line)![0];
  // Where a bracket ends its line, the closing one gets a line of its own.
  const isWithin = line.slice(last.offset + 1 - lineStart).trim() !== "";
  const onLine = isWithin ? [putIn(text, lineEnd - signs.length, closers), putIn(text, lineEnd, closers)] : [];
  const indent = /^\s*/.exec(lineStart === 0 ? lineBefore + line : line)![0];
  const below = `${body}${/\r\n|\n|\r/.exec(text)?.[0] ?? "\n"}${indent}${closers}${ending}`;
  return isWithin && last.text !== "{" ? [...onLine, atEnd, behindAll, below] : [below, ...onLine, behindAll];
}

/**
 * Returns variants without the last closing brackets that the text does not open; a line that
 * contains nothing else is removed with them.
 */
function withoutClosers(
  text: string,
  surplus: ReadonlyMap<string, number>,
  { language, partners }: Brackets,
): readonly string[] {
  const left = new Map(surplus);
  const openerOf = new Map([...partners].map(([open, close]) => [close, open]));
  let repaired = text;
  for (const { offset, text: bracket } of Structure.of(text, language).unmatched.toReversed()) {
    const open = openerOf.get(bracket);
    const count = open === undefined ? 0 : (left.get(open) ?? 0);
    if (count >= 0) continue;
    left.set(open!, count + 1);
    repaired = repaired.slice(0, offset) + repaired.slice(offset + 1);
  }
  if ([...left.values()].some((count) => count !== 0)) return [];
  const lines = text.split(/(?<=\n|\r(?!\n))/);
  const kept = repaired.split(/(?<=\n|\r(?!\n))/);
  const isEmptied = (line: string, i: number): boolean => line.trim() === "" && lines[i]!.trim() !== "";
  const without = kept.filter((line, i) => !isEmptied(line, i)).join("");
  // Where the last line has no line ending, the one before it is removed.
  return [text.endsWith("\n") ? without : without.replace(/\r?\n$/, ""), repaired];
}

/** The text of the line before an offset. */
function lineUpTo(text: string, offset: number): string {
  return /(?<![^\r\n])[^\r\n]*$/.exec(text.slice(0, offset))![0];
}

function putIn(text: string, offset: number, more: string): string {
  return text.slice(0, offset) + more + text.slice(offset);
}

/** A text and its final line ending. */
function splitEnding(text: string): readonly [string, string] {
  const ending = /(?:\r\n|\n|\r)?$/.exec(text)![0];
  return [text.slice(0, text.length - ending.length), ending];
}

/** The lines that an edit replaces, and the closing brackets that it lost from them. */
interface LostClosers {
  readonly replaced: string;
  /** The new text, which may be empty. */
  readonly text: string;
  /** The lost brackets, in any order. */
  readonly closers: readonly string[];
  readonly language: Language;
}

/**
 * Returns the new text with the closing brackets put back on lines of their own, the likeliest
 * first: on their old lines, if these contained nothing else; and, where whole lines are removed,
 * on one line of their own, so that no line joins the next one. Empty where neither applies.
 */
function restoredClosers({ replaced, text, closers, language }: LostClosers): readonly string[] {
  const [breakAhead] = /^(?:\r\n|\n|\r)/.exec(replaced) ?? [];
  const [breakBehind] = /(?:\r\n|\n|\r)$/.exec(replaced) ?? [];
  const put = (lines: readonly string[]): string => {
    const lineBreak = /\r\n|\n|\r/.exec(replaced)?.[0] ?? "\n";
    const all = lines.join(lineBreak);
    if (text === "") return breakBehind === undefined ? lineBreak + all : all + breakBehind;
    const [ending] = /(?:\r\n|\n|\r)?$/.exec(text)!;
    return text.slice(0, text.length - ending.length) + lineBreak + all + ending;
  };
  const lost = closersIn(replaced, closers, language);
  const lines = linesOf(replaced, lost, language);
  const restored = lines === undefined ? [] : [put(lines)];
  if (text !== "" || (breakAhead ?? breakBehind) === undefined) return restored;
  const last = lost.at(-1);
  if (last === undefined || lost.length < closers.length) return restored;
  const indent = /^\s*/.exec(lineAt(replaced, last).text)![0];
  return [...restored, put([indent + lost.map((offset) => replaced[offset]).join("")])];
}

/** The offsets of the last unmatched brackets of the text that are among `closers`. */
function closersIn(text: string, closers: readonly string[], language: Language): readonly number[] {
  const left = [...closers];
  const found: number[] = [];
  for (const { offset, text: bracket } of Structure.of(text, language).unmatched.toReversed()) {
    const at = left.indexOf(bracket);
    if (at < 0) continue;
    left.splice(at, 1);
    found.unshift(offset);
  }
  return found;
}

/**
 * The lines of these brackets if they contain only closing brackets and punctuation; `undefined`
 * where one contains anything else or is the first line.
 */
function linesOf(text: string, offsets: readonly number[], language: Language): readonly string[] | undefined {
  const lines = new Map(offsets.map((offset) => lineAt(text, offset)).map((line) => [line.start, line.text]));
  const { brackets } = Structure.of(text, language);
  const isAll = [...lines].every(([start, line]) => {
    const inside = brackets.filter(({ offset }) => offset >= start && offset < start + line.length);
    return /^\s*[)\]}][)\]};,\s]*$/.test(line) && inside.every(({ offset }) => offsets.includes(offset));
  });
  return isAll && lines.size > 0 && !lines.has(0) ? [...lines.values()] : undefined;
}

function lineAt(text: string, offset: number): { readonly start: number; readonly text: string } {
  const start = Math.max(text.lastIndexOf("\n", offset), text.lastIndexOf("\r", offset)) + 1;
  return { start, text: /^[^\r\n]*/.exec(text.slice(start))![0] };
}
