import { namesIn } from "../complete/scores.ts";

/**
 * The distinct names of the true rest of a line, keywords left out. A name that the cursor is in
 * counts as a whole: `getEle|ment(x)` has `getElement` and `x`.
 */
export function trueNames(prefix: string, middle: string): string[] {
  const begun = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(prefix)?.[0] ?? "";
  const goesOn = begun !== "" && /^[\p{L}\p{N}_$]/u.test(middle);
  return [...new Set(namesIn((goesOn ? begun : "") + middle))];
}

/** Every name that is in a text. */
export function namesOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}
