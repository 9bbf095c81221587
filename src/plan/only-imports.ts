/**
 * Whether a text holds nothing but imports and comments, as most languages write them.
 *
 * It guards the place of a file's imports, which a model is given to write names into and nothing else.
 */
export function isOnlyImports(text: string): boolean {
  return importForms.reduce((rest, form) => rest.replace(form, ""), text).trim() === "";
}

const importForms: readonly RegExp[] = [
  /\/\*[\s\S]*?\*\//g,
  /^\s*(?:\/\/|#(?!include)).*$/gm,
  /[ \t](?:\/\/|#)\s.*$/gm,
  // TypeScript and JavaScript.
  /^\s*import\s+(?:type\s+)?(?:[\w$*{},\s]+?\s+from\s+)?["'][^"'\n]+["'](?:\s+with\s*\{[^}]*\})?;?/gm,
  /^\s*(?:import|const|let|var)\s+[\w$]+\s*=\s*require\([^)\n]*\);?/gm,
  /^\s*(?:const|let|var)\s*\{[^}]*\}\s*=\s*require\([^)\n]*\);?/gm,
  // Python.
  /^\s*from\s+[\w.]+\s+import\s+(?:\([^)]*\)|[\w*., ]+)$/gm,
  /^\s*import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*$/gm,
  // C#, Java, Rust, Go, C.
  /^\s*(?:global\s+)?using\s+[^;{}]+;/gm,
  /^\s*import\s+(?:static\s+)?[\w.*]+;/gm,
  /^\s*(?:pub\s+)?use\s+[^;]+;/gm,
  /^\s*import\s+(?:\([^)]*\)|[\w.]*\s*"[^"\n]*")/gm,
  /^\s*#include\s+.*$/gm,
];
