/**
 * Whether a language is JSON, strict or with comments: its members stand in a list, and not in
 * statements.
 */
export function isJson(language: string): boolean {
  return language === "json" || language === "jsonc";
}
