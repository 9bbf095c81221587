import { type Language, languages, type ScriptKind } from "./languages.ts";

const byId = new Map<string, Language>();
const byFilename = new Map<string, Language>();
const byExtension = new Map<string, Language>();
for (const language of languages) {
  byId.set(language.id, language);
  for (const filename of language.filenames) byFilename.set(filename, language);
  for (const extension of language.extensions) byExtension.set(extension, language);
}

/** The language of a text that no other language matches. */
export const plaintext: Language = byId.get("plaintext")!;

export function languageById(id: string): Language | undefined {
  return byId.get(id);
}

/**
 * The language of the file at `path`: by its whole name, then by its longest known extension, then
 * by its first line.
 *
 * `path` may be a path of any system or a URI. Returns {@link plaintext} when nothing matches. `.h`
 * is C, since C++ has extensions of its own for headers.
 */
export function languageOf(path: string, firstLine = ""): Language {
  const name = fileName(path);
  const named = byFilename.get(name);
  if (named !== undefined) return named;
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const language = byExtension.get(name.slice(dot));
    if (language !== undefined) return language;
  }
  return languages.find((language) => language.firstLine?.test(firstLine)) ?? plaintext;
}

/**
 * The dialect in which the script parser reads the file at `path`; `undefined` for other languages.
 *
 * A declaration file is recognized by its name only: `.d.ts`, `.d.mts`, `.d.cts` and `.d.css.ts`
 * and similar.
 */
export function scriptKindOf(language: Language, path: string): ScriptKind | undefined {
  if (language.script === "ts" && /\.d(\.[^.]+)?\.ts$|\.d\.[mc]ts$/.test(fileName(path))) return "dts";
  return language.script;
}

function fileName(path: string): string {
  const plain = /^[a-z][a-z0-9+.-]+:/i.test(path) ? path.split(/[?#]/, 1)[0]! : path;
  return plain.slice(Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\")) + 1).toLowerCase();
}
