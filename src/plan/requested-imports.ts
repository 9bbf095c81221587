import { anyIdentifier, escapedPattern } from "../text/index.ts";
/**
 * The names in the new text of a block that probably need an import: names that the file did not
 * contain, that the prompt contains, and that the new text does not declare. Members and keys do
 * not count. Each comes once, in the order of the text.
 *
 * The decision uses words only. A wrong name costs one request; a missing one is found by the
 * verification command.
 */
export function neededNames(texts: {
  readonly fileBefore: string;
  readonly newText: string;
  /** The texts of the prompt. */
  readonly promptTexts: readonly string[];
}): readonly string[] {
  const { fileBefore, newText, promptTexts } = texts;
  const known = wordsOf(fileBefore);
  const promptWords = new Set(promptTexts.flatMap((text) => [...wordsOf(text)]));
  const code = withoutStrings(newText);
  const names = new Set<string>();
  for (const { 0: name, index } of code.matchAll(anyIdentifier)) {
    const before = code.slice(0, index).trimEnd();
    const after = code.slice(index + name.length).trimStart();
    const isMember = /(?:(?<!\.)\.|#)$/.test(before);
    const isKey = after.startsWith(":") && /[{,]$/.test(before);
    if (!known.has(name) && promptWords.has(name) && !isMember && !isKey && !isDeclared(code, name)) names.add(name);
  }
  return [...names];
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(anyIdentifier) ?? []);
}

function withoutStrings(code: string): string {
  // An escape outside strings starts none, so that no quote is matched twice.
  return code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*|#\s.*|\\./g, (found) =>
    found.startsWith("\\") ? found : " ".repeat(found.length),
  );
}

/**
 * Whether a text declares a name: as a variable, a parameter, a function, or the target of an
 * assignment.
 */
function isDeclared(code: string, name: string): boolean {
  const own = escapedPattern(name);
  const declarations = [
    `\\b(?:const|let|var|function|class|interface|type|enum|def|for|as)\\s+${own}(?![\\w$])`,
    `\\b(?:const|let|var)\\s*[{[][^=]*(?<![\\w$])${own}(?![\\w$])[^=]*=`,
    `(?<![\\w$.])${own}\\s*=(?![=>])`,
    `[(,]\\s*${own}\\s*(?=[:,)=?])[^()]*\\)\\s*(?::[^{;]*)?(?:=>|\\{|:\\s*$)`,
    `(?<![\\w$.])${own}\\s*=>`,
  ];
  return declarations.some((pattern) => new RegExp(pattern, "m").test(code));
}

/**
 * Whether a text contains nothing but imports and comments, in the syntax of the common languages.
 * An empty text is one, too.
 *
 * It protects a file's imports, where a model may add names and nothing else.
 */
export function isOnlyImports(text: string): boolean {
  return importForms.reduce((rest, form) => rest.replace(form, ""), text).trim() === "";
}

const importForms: readonly RegExp[] = [
  /\/\*(?:(?!\/\*)[\s\S])*?\*\//g,
  /^[ \t]*(?:\/\/|#(?!include)).*/gm,
  /[ \t](?:\/\/|#)\s.*/gm,
  // TypeScript and JavaScript.
  /^[ \t]*import\b(?:(?:(?!import\s)[\w$*{},\s])*[\s}*]from\b)?\s*["'][^"'\n]+["'](?:\s+with\s*\{[^{}]*\})?;?/gm,
  /^[ \t]*(?:import|const|let|var)\s+[\w$]+\s*=\s*require\([^)\r\n\u2028\u2029]*\);?/gm,
  /^[ \t]*(?:const|let|var)\s*\{[^{}]*\}\s*=\s*require\([^)\r\n\u2028\u2029]*\);?/gm,
  // Python.
  /^[ \t]*from\s+[\w.]+\s+import\s+(?:\([^()]*\)|(?=\S)[\w*., ]+)$/gm,
  /^[ \t]*import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*$/gm,
  // C#, Java, Rust, Go, C.
  /^[ \t]*(?:global\s+)?using\s+(?=\S)[^;{}\r\n\u2028\u2029]+;/gm,
  /^[ \t]*import\s+(?:static\s+)?[\w.*]+;/gm,
  /^[ \t]*(?:pub\s+)?use\s+(?=\S)(?:(?!\buse\s)[^;])+;/gm,
  /^[ \t]*import\s+(?:\([^()]*\)|(?:[\w.]+\s*)?"[^"\n]*")/gm,
  /^[ \t]*#include\s.*/gm,
];
