import { languageById, languageOf } from "../syntax/index.ts";

/**
 * A comment with the path of the file, and its language where the name has no known extension:
 * `// Path: src/a.ts`.
 *
 * Empty for a language without comments, such as JSON, where it would be no part of any file.
 */
export function pathMarker(path: string, languageId: string): string {
  const language = languageById(languageId);
  if (language === undefined || languageId === "json") return "";
  const lines = [`Path: ${path}`];
  if (languageOf(path).id !== languageId) lines.push(`Language: ${language.name}`);
  const [line] = language.lineComments;
  const [block] = language.blockComments;
  if (line !== undefined) return lines.map((text) => `${line} ${text}\n`).join("");
  return block === undefined ? "" : `${block[0]} ${lines.join(", ")} ${block[1]}\n`;
}
