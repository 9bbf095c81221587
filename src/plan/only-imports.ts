/**
 * Whether a text contains nothing but imports and comments, in the syntax of the common languages.
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
