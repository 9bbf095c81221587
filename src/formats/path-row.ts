/**
 * The path of a file that a row names, and nothing else: `src/a.ts`, `**a.py**`, `## File: b.go`, `// src/a.ts:`.
 *
 * `known` are the paths that the model was shown; they count in any form. Another text is a path if it looks like one:
 * without blanks, with a folder or an ending. Between `<path>` and `</path>` everything is.
 */
export function tryReadPathRow(row: string, known: readonly string[]): string | undefined {
  let text = row.trim();
  if (text.length > 300) return undefined;
  const tagged = /^<path>(.+)<\/path>$/i.exec(text)?.[1];
  if (tagged !== undefined) return tagged.trim();
  // Decorations stand inside of one another: `### **File: \`a.ts\`**`.
  for (let last = ""; last !== text; ) {
    if (known.includes(text)) return text;
    last = text;
    for (const decoration of decorations) text = (decoration.exec(text)?.[1] ?? text).trim();
  }
  return looksLikePath(text) ? text : undefined;
}

/** The row that names a path, as {@link tryReadPathRow} reads it whatever paths are known. */
export function printPathRow(path: string): string {
  return tryReadPathRow(path, []) === path ? path : `<path>${path}</path>`;
}

/** The path in what stands behind the marks of an opening fence: `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`. */
export function tryReadFenceInfoPath(info: string, known: readonly string[]): string | undefined {
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

/** The one of the known paths that a row of words speaks of; `undefined` where it is none or several. */
export function tryFindPathIn(row: string, known: readonly string[]): string | undefined {
  const words = row.split(/[\s`'"*()[\]<>]+/).map((word) => word.replace(/[:.,;]+$/, ""));
  const found = known.filter((path) => words.includes(path));
  return found.length === 1 ? found[0] : undefined;
}

const decorations: readonly RegExp[] = [
  /^(?:\/\/+|#+|--+|;+|%+|>+|[-*+•]|\d+[.)])\s+(.+)$/,
  /^(?:\/\/|#)(.+)$/,
  /^\/\*+(.+)\*\/$/,
  /^<!--(.+)-->$/,
  /^<(?:file_?)?(?:path|name)>(.+)<\/(?:file_?)?(?:path|name)>$/i,
  /^\*\*(.+)\*\*:?$/,
  /^__(.+)__:?$/,
  /^\*(.+)\*:?$/,
  /^`+([^`]+)`+:?$/,
  /^"(.+)":?$/,
  /^'(.+)':?$/,
  /^\[([^\]]+)\](?:\([^)]*\))?:?$/,
  /^\**(?:file|path|filename|file ?path|file ?name|in|edit|update|modify|create|new file)\**:?\**\s+(.+)$/i,
  /^(.+?)\s+\((?:new|modified|updated|existing|changed|new file)\)$/i,
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

/** Files that have no ending. */
const bareNames =
  /^(?:dockerfile|makefile|gnumakefile|rakefile|gemfile|procfile|jenkinsfile|vagrantfile|justfile|brewfile|license|readme|changelog|codeowners)$/i;
