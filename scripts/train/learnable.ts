import { languageOf, plaintext } from "../../src/syntax/index.ts";
import { defaultMaxBytes } from "../../src/workspace/index.ts";
import { skipByContent, skipByName } from "../../src/workspace/read-source.ts";

/** The id of a file's language, as the walk over a workspace finds it. */
export function languageIdOf(path: string, text: string): string {
  return languageOf(path, /^[^\r\n]{0,300}/.exec(text)?.[0]).id;
}

/**
 * Whether the tool may read a file by its name: it is in a known language, and neither
 * secret nor generated.
 */
export function isLearnablePath(path: string): boolean {
  return skipByName(path) === undefined && languageOf(path).id !== plaintext.id;
}

/**
 * Whether the tool reads a file with this text: it is neither secret, generated, minified,
 * oversized nor unknown.
 */
export function isLearnable(path: string, text: string): boolean {
  return (
    skipByName(path) === undefined &&
    text.length <= defaultMaxBytes &&
    skipByContent(text) === undefined &&
    languageIdOf(path, text) !== plaintext.id
  );
}
