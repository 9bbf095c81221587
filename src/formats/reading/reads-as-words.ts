/**
 * Whether a row reads as a sentence, a heading or a list item rather than as code.
 *
 * It is not indented, begins with a capital letter or a Markdown mark or is in a script without
 * blanks between words, and has no characters that are typical of code.
 */
export function readsAsWords(row: string): boolean {
  const text = row.replace(/`[^`]*`/g, "x").trimEnd();
  if (/^\s/.test(text) || /[;{}=<>\\]|\w\(|\[\w|=>|\/\//.test(text)) return false;
  const [, content = ""] = /^(?:[-*+•] |\d+[.)] |#{1,6} |> |\*\*|__|_)?(.*)$/s.exec(text) ?? [];
  if (/^\P{ASCII}.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/su.test(content))
    return true;
  return /^\p{Lu}[\p{L}'’-]*(?:[ .!?:,]|$)/u.test(content);
}

/** The words and numbers of a text, in order, with repetitions. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Whether a path has the extension of Markdown or another format for prose, in which rows that look
 * like fences are likely text of the file.
 */
export function isProseFile(path: string): boolean {
  return /\.(?:md|mdx|markdown|mdc|rmd|qmd|rst|adoc|txt)$/i.test(path);
}
