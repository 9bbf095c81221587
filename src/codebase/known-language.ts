import { languageOf, plaintext } from "../syntax/index.ts";
import { nameOf } from "./workspace-path.ts";

/**
 * The id of the language of the file at `path`, from its name and first line; `undefined` for an
 * unknown language. `plaintext` is the result for `.txt` only.
 */
export function tryKnownLanguage(path: string, firstLine = ""): string | undefined {
  const language = languageOf(nameOf(path), firstLine);
  if (language !== plaintext) return language.id;
  const name = path.toLowerCase();
  return plaintext.extensions.some((extension) => name.endsWith(extension)) ? language.id : undefined;
}
