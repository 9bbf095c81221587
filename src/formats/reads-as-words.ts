/**
 * Whether a row reads as a sentence, a heading or an item of a list for people, rather than as code.
 *
 * It is not indented, begins with a capital or a mark of Markdown or is in a script of words without blanks between them,
 * and has no signs that code alone has.
 */
export function readsAsWords(row: string): boolean {
  const text = row.replace(/`[^`]*`/g, "x").trimEnd();
  if (/^\s/.test(text) || /[;{}=<>\\]|\w\(|\[\w|=>|\/\//.test(text)) return false;
  const [, said = ""] = /^(?:[-*+•] |\d+[.)] |#{1,6} |> |\*\*|__|_)?(.*)$/s.exec(text) ?? [];
  if (/^\P{ASCII}.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/su.test(said)) return true;
  return /^\p{Lu}[\p{L}'’-]*(?:[ .!?:,]|$)/u.test(said);
}
