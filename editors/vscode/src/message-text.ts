/**
 * A text of the server for a place of VS Code that shows plain text, such as a message: code is in
 * single quotes, as in the messages of VS Code, instead of Markdown's backticks.
 */
export function quotedCode(text: string): string {
  return text.replace(/`([^`\n]+)`/g, "'$1'");
}

/** The text of a message of the extension, which begins with its name. */
export function messageText(text: string): string {
  return `Emend: ${quotedCode(text)}`;
}

/** The most files that a message names. */
const maxNamed = 4;

/** The names of files for a message: `a.ts, b.ts and 3 more files`. */
export function changedFiles(paths: readonly string[]): string {
  if (paths.length <= maxNamed) return paths.join(", ");
  return `${paths.slice(0, maxNamed - 1).join(", ")} and ${paths.length - maxNamed + 1} more files`;
}

/**
 * The lines of a text, broken between words, of at most `most` UTF-16 units where words allow it.
 */
export function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
