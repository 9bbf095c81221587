import { type Language, Structure } from "../../../syntax/index.ts";

/** The lines that an edit replaces, and the closing brackets that it lost from them. */
export interface LostClosers {
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
export function restoredClosers({ replaced, text, closers, language }: LostClosers): readonly string[] {
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
