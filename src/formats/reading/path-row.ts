/**
 * Reads a row that only names the path of a file: `src/a.ts`, `**a.py**`, `## File: b.go`, `//
 * src/a.ts:`; `undefined` for other rows.
 *
 * `known` are the paths that the model was shown; they count in any form. Other text is a path if
 * it looks like one: with a folder or an extension, and without blanks unless it is in quotes or
 * backticks or after `File:`. Between `<path>` and `</path>` any text is a path. A row of more than
 * 300 UTF-16 code units names none.
 */
export function tryReadPathRow(row: string, known: readonly string[]): string | undefined {
  if (row.trim().length > maxRowLength) return undefined;
  const tagged = /^<path>(.+)<\/path>$/i.exec(row.trim())?.[1];
  if (tagged !== undefined) return tagged.trim();
  const { text, isKnown, isMarked } = undecorated(row, known);
  return isKnown || looksLikePath(text) || (isMarked && endsLikeFile(text)) ? text : undefined;
}

/** What the row above a code block contains about the file of the block. */
export type PathAbove =
  /** The row is a path, or its words contain one of the known paths. */
  | { readonly kind: "path" | "words"; readonly path: string }
  /**
   * The row ends like a path that is none of the known ones, or that may be longer than a known
   * one.
   */
  | { readonly kind: "unclear"; readonly path: string };

/**
 * Reads the row above a block. The kind of the result is `path` for a row that is a path, `words`
 * for words with one known path, and `unclear` for a text with blanks that may be a path, such as
 * `my folder/a.ts`; the whole text is then its `path`. `undefined` for other words.
 */
export function tryReadPathAbove(row: string, known: readonly string[]): PathAbove | undefined {
  const path = tryReadPathRow(row, known);
  if (path !== undefined) return { kind: "path", path };
  const knownPath = tryFindPathIn(row, known);
  if (row.trim().length > maxRowLength) return knownPath === undefined ? undefined : { kind: "words", path: knownPath };
  const { text } = undecorated(row, known);
  const mayBeLonger = endsLikeFile(text);
  if (knownPath !== undefined) {
    const [, before = ""] =
      mayBeLonger && text.endsWith(knownPath) ? [knownPath, text.slice(0, -knownPath.length).trim()] : [];
    const isProse = !/[\\/]/.test(before) && (/^\p{Lu}/u.test(before) || row.trimEnd().endsWith(":"));
    return before === "" || isProse ? { kind: "words", path: knownPath } : { kind: "unclear", path: text };
  }
  if (!mayBeLonger) return undefined;
  const last = text
    .split(/\s+/)
    .at(-1)!
    .replace(/^[`'"*(]+|(?<![`'"*)])[`'"*)]+$/g, "");
  const [meant, ...others] = known.filter((path) => path.endsWith(`/${last}`));
  if (meant !== undefined && others.length === 0 && /^\p{Lu}/u.test(text)) return { kind: "words", path: meant };
  return productName.test(last) ? undefined : { kind: "unclear", path: text };
}

/**
 * The paths that an ambiguous row may mean, the longest first: the whole row, and those of its
 * endings after a blank that look like a path.
 */
export function pathsInRow(text: string): readonly string[] {
  const paths = [text];
  // No file system has longer paths; without the limit the time would grow with the square of the
  // row.
  for (
    let at = text.indexOf(" ", Math.max(0, text.length - maxPathLength - 1));
    at >= 0;
    at = text.indexOf(" ", at + 1)
  ) {
    const path = text.slice(at + 1);
    if (looksLikePath(path) || endsLikeFile(path)) paths.push(path);
  }
  return paths;
}

/** The longest path that is looked for inside a row, in UTF-16 units. */
const maxPathLength = 4_096;

/** Prints a row that {@link tryReadPathRow} reads as this path, whatever paths are known. */
export function printPathRow(path: string): string {
  return tryReadPathRow(path, []) === path ? path : `<path>${path}</path>`;
}

/**
 * The path in the info string of a fence: `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`;
 * `undefined` if it has none.
 */
export function tryReadFenceInfoPath(info: string, known: readonly string[]): string | undefined {
  const quoted = /(?:^|[\s{])(?:title|file|filename|filepath|path|name)=(?:"([^"]*)"|'([^']*)')/i.exec(info);
  if (quoted !== null) {
    const path = quoted[1] ?? quoted[2]!;
    if (known.includes(path) || looksLikePath(path) || endsLikeFile(path)) return path;
  }
  const behind = /^[\w+#.-]*[ :](.*)$/.exec(info)?.[1]?.trim() ?? "";
  if (known.includes(behind) || (endsLikeFile(behind) && behind.split(" ").every((word) => !word.includes("="))))
    return behind;
  for (const word of info.split(/\s+/)) {
    const [, value = word] = /^\{?(?:title|file|filename|filepath|path|name)=(.*?)\}?$/i.exec(word) ?? [];
    const text = value.replace(/^(["'])(.*)\1$/, "$2");
    for (const candidate of [text.slice(text.indexOf(":") + 1), text]) {
      // `dockerfile` and `text/html` are names of languages.
      const isLanguage = bareNames.test(candidate) || /^(?:text|application)\/[\w+-]+$/.test(candidate);
      if (known.includes(candidate) || (looksLikePath(candidate) && !isLanguage)) return candidate;
    }
  }
  return undefined;
}

/**
 * The only one of the known paths that a row of words contains; `undefined` for none or several. Of
 * two paths of which one contains the other, the longer one counts.
 */
export function tryFindPathIn(row: string, known: readonly string[]): string | undefined {
  const all = known.filter((path) => containsPath(row, path));
  // Of two paths of which one contains the other, the longer one is meant.
  const found = all.filter((path) => !all.some((other) => other !== path && other.includes(path)));
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a row contains a path as a word, or as several. */
function containsPath(row: string, path: string): boolean {
  for (let at = row.indexOf(path); at >= 0; at = row.indexOf(path, at + 1)) {
    const isBegun = at === 0 || /[\s`'"*()[\]<>]/.test(row[at - 1]!);
    if (isBegun && /^[:.,;]*(?:[\s`'"*()[\]<>]|$)/.test(row.slice(at + path.length, at + path.length + 10)))
      return true;
  }
  return false;
}

interface Undecorated {
  readonly text: string;
  readonly isKnown: boolean;
  /** Whether quotes, backticks or a label mark the text as a name. */
  readonly isMarked: boolean;
}

/** Removes decorations around the path in a row. They may be nested: `### **File: \`a.ts\`**`. */
function undecorated(row: string, known: readonly string[]): Undecorated {
  let text = row.trim();
  let isMarked = false;
  for (let last = ""; last !== text; ) {
    if (known.includes(text)) return { text, isKnown: true, isMarked };
    last = text;
    for (const decoration of decorations) {
      const inside = decoration.exec(text)?.[1]?.trim();
      if (inside === undefined) continue;
      isMarked ||= decoration === label || marking.includes(decoration);
      text = inside;
    }
  }
  return { text, isKnown: false, isMarked };
}

const maxRowLength = 300;

/** Decorations inside of which a path may contain blanks. */
const marking: readonly RegExp[] = [
  /^`+([^`]+)`+:?$/,
  /^"(.+)":?$/,
  /^'(.+)':?$/,
  /^<(?:file_?)?(?:path|name)>(.+)<\/(?:file_?)?(?:path|name)>$/i,
];

/** A label before a path, like {@link marking} also after bold type. */
const label = /^\*{0,3}(?:file|path|filename|file ?path|file ?name)(?=\**:)[*:]{1,7}\s*([^\s*:].*)$/i;

const decorations: readonly RegExp[] = [
  /^(?:\/\/+|#+|--+|;+|%+|>+|[-*+•]|\d+[.)])\s+(\S.*)$/,
  /^(?:\/\/|#)(.+)$/,
  /^\/\*+([^*].*)\*\/$/,
  /^<!--(.+)-->$/,
  ...marking,
  /^\*\*(.+)\*\*:?$/,
  /^__(.+)__:?$/,
  /^\*(.+)\*:?$/,
  /^\[([^\]]+)\](?:\([^)]*\))?:?$/,
  label,
  /^\*{0,3}(?:file|path|filename|file ?path|file ?name|in|edit|update|modify|create|new file)\*{0,3}:?\*{0,3}\s+(\S.*)$/i,
  /^(.*\S)\s+\((?:new|modified|updated|existing|changed|new file)\)$/i,
  /^(.+?):$/,
];

function looksLikePath(text: string): boolean {
  if (/[\s<>|"'`*?;{}=,]|:\/\//.test(text) || !/[\p{L}\p{N}]/u.test(text)) return false;
  return (
    /[\\/][^\\/]/.test(text) ||
    /[^.]\.[a-z][\w+-]{0,11}$/i.test(text) ||
    /^\.\w[\w.-]*$/.test(text) ||
    bareNames.test(text)
  );
}

/** Whether a text contains blanks, ends like the name of a file, and is no shell command. */
function endsLikeFile(text: string): boolean {
  if (!/\s/.test(text) || text.length > maxRowLength || /[<>|"`*?;{}\t]|:\/\//.test(text)) return false;
  return /[\p{L}\p{N}_)\]-]\.[a-z]\w{0,9}$/iu.test(text) && !shellCommand.test(text);
}

const shellCommand =
  /^\$ |^(?:npm|npx|pnpm|yarn|bun|deno|node|tsx|git|python3?|pip|cargo|rustc|go|make|cd|cat|ls|mv|cp|rm|touch|bash|sh|sed|grep|curl|docker)\s/;

/** Names of products that look like files. */
const productName = /^(?:[A-Z]\w*\.(?:js|io|net|py|rs)|e\.g|i\.e|asp\.net|\w+\.(?:com|org))$/i;

/** Files without an extension. */
const bareNames =
  /^(?:dockerfile|makefile|gnumakefile|rakefile|gemfile|procfile|jenkinsfile|vagrantfile|justfile|brewfile|license|readme|changelog|codeowners)$/i;
