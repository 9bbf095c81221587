import { type Language, Structure } from "../syntax/index.ts";
import type { TextEdit } from "../text/index.ts";
import { restoredClosers } from "./restored-closers.ts";

/**
 * What an edit may have meant that lost a bracket, or has one too many: the same edit with its brackets as they were in the text that it
 * replaces, the likeliest first. Nothing where brackets are not what is wrong, or more than three are.
 *
 * Its brackets are read by themselves, as if no string or comment began in front of them: whoever takes one of these asks a parser.
 */
export function mendedBrackets(before: string, edit: TextEdit, language: Language): readonly TextEdit[] {
  const text = { before: before.slice(edit.start, edit.end), after: edit.text };
  const partners = new Map(language.brackets.filter(([open]) => open !== "<"));
  const openness = (source: string): ReadonlyMap<string, number> => opennessOf(source, language, partners);
  const [was, is] = [openness(text.before), openness(text.after)];
  const owed = [...partners.keys()].map((open) => [open, (is.get(open) ?? 0) - (was.get(open) ?? 0)] as const);
  const tooMany = owed.reduce((sum, [, count]) => sum + Math.abs(count), 0);
  if (tooMany === 0 || tooMany > maxMended) return [];
  const mended = owed.every(([, count]) => count >= 0)
    ? withClosers(text.after, new Map(owed), {
        ...{ language, partners, replaced: text.before, lineBefore: lineUpTo(before, edit.start) },
      })
    : owed.every(([, count]) => count <= 0)
      ? withoutClosers(text.after, new Map(owed), { language, partners })
      : [];
  return [...new Set(mended)].map((after) => ({ ...edit, text: after }));
}

/** So many brackets at most are put in or taken out: more is no slip. */
const maxMended = 3;

interface Brackets {
  readonly language: Language;
  /** What closes each bracket that opens. */
  readonly partners: ReadonlyMap<string, string>;
}

/** How many of each opening bracket are left open by a text, less those that it closes and did not open. */
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

/** With what is still open closed: on the opening line, in front of its last signs or behind them, on a line below, or at the end. */
function withClosers(
  text: string,
  owed: ReadonlyMap<string, number>,
  { language, partners, replaced, lineBefore }: Brackets & { readonly replaced: string; readonly lineBefore: string },
): readonly string[] {
  const left = new Map(owed);
  const opened = Structure.of(text, language)
    .unmatched.toReversed()
    .filter(({ text: bracket }) => {
      const count = left.get(bracket) ?? 0;
      left.set(bracket, count - 1);
      return count > 0;
    });
  const [last] = opened;
  // What is owed because a closing bracket went, and none opens, is put back at the end.
  const missing = [...left].flatMap(([open, count]) => Array.from({ length: Math.max(0, count) }, () => open));
  const closers = [...opened.map((bracket) => bracket.text), ...missing].map((open) => partners.get(open)!).join("");
  const [body, ending] = splitEnding(text);
  const atEnd = putIn(text, body.length - /[;,\s]*$/.exec(body)![0].length, closers);
  const behindAll = body + closers + ending;
  if (last === undefined) {
    const restored = restoredClosers({ replaced, text, closers: [...closers], language });
    // Where whole lines go, a bracket alone would run into the next line.
    return text === "" && restored.length > 0 ? restored : [...restored, atEnd, behindAll];
  }
  const lineStart = Math.max(text.lastIndexOf("\n", last.offset), text.lastIndexOf("\r", last.offset)) + 1;
  const line = /^[^\r\n]*/.exec(text.slice(lineStart))![0];
  const lineEnd = lineStart + line.length;
  const signs = /(?:\s*(?:[;,:{]|=>))*\s*$/.exec(line)![0];
  // Behind a bracket that ends its line the closing one stands on a line of its own.
  const isWithin = line.slice(last.offset + 1 - lineStart).trim() !== "";
  const onLine = isWithin ? [putIn(text, lineEnd - signs.length, closers), putIn(text, lineEnd, closers)] : [];
  const indent = /^\s*/.exec(lineStart === 0 ? lineBefore + line : line)![0];
  const below = `${body}${/\r\n|\n|\r/.exec(text)?.[0] ?? "\n"}${indent}${closers}${ending}`;
  return isWithin && last.text !== "{" ? [...onLine, atEnd, behindAll, below] : [below, ...onLine, behindAll];
}

/** Without the last brackets that close what it does not open; a line that has nothing else goes with them. */
function withoutClosers(
  text: string,
  owed: ReadonlyMap<string, number>,
  { language, partners }: Brackets,
): readonly string[] {
  const left = new Map(owed);
  const openerOf = new Map([...partners].map(([open, close]) => [close, open]));
  let mended = text;
  for (const { offset, text: bracket } of Structure.of(text, language).unmatched.toReversed()) {
    const open = openerOf.get(bracket);
    const count = open === undefined ? 0 : (left.get(open) ?? 0);
    if (count >= 0) continue;
    left.set(open!, count + 1);
    mended = mended.slice(0, offset) + mended.slice(offset + 1);
  }
  if ([...left.values()].some((count) => count !== 0)) return [];
  const lines = text.split(/(?<=\n|\r(?!\n))/);
  const kept = mended.split(/(?<=\n|\r(?!\n))/);
  const isEmptied = (line: string, i: number): boolean => line.trim() === "" && lines[i]!.trim() !== "";
  const without = kept.filter((line, i) => !isEmptied(line, i)).join("");
  // The last line of a text that ends without a break takes the break in front of it along.
  return [text.endsWith("\n") ? without : without.replace(/\r?\n$/, ""), mended];
}

/** What stands on the line in front of an offset. */
function lineUpTo(text: string, offset: number): string {
  return /[^\r\n]*$/.exec(text.slice(0, offset))![0];
}

function putIn(text: string, offset: number, more: string): string {
  return text.slice(0, offset) + more + text.slice(offset);
}

/** A text and the line break that it ends with. */
function splitEnding(text: string): readonly [string, string] {
  const ending = /(?:\r\n|\n|\r)?$/.exec(text)![0];
  return [text.slice(0, text.length - ending.length), ending];
}
