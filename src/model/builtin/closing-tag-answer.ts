import { languageById, tryClosingTag } from "../../syntax/index.ts";
import type { CompletionAnswer, CompletionRequest } from "./completion.ts";

/**
 * The rest of a closing tag that a place lies in: the text determines which element it closes, so
 * nothing learnt is used.
 *
 * `undefined` where the place lies in no closing tag, or the guide does not let the tag be ended
 * so.
 */
export function tryClosingTagAnswer({
  language,
  prefix,
  suffix,
  guide,
}: Pick<CompletionRequest, "language" | "prefix" | "suffix" | "guide">): CompletionAnswer | undefined {
  const known = languageById(language);
  const tag = known && tryClosingTag(prefix, known);
  if (tag === undefined) return undefined;
  const { typed, names } = tag;
  const behind = /^[\p{L}\p{N}_$.:-]*/u.exec(suffix)![0];
  const fits = (name: string) => name.startsWith(typed) && name.slice(typed.length).endsWith(behind);
  const name = names.find(fits);
  if (name === undefined) return { kind: "silent", reason: "nothing-known" };
  const missing = name.slice(typed.length, name.length - behind.length);
  const isEnded = /^\s*>/.test(suffix.slice(behind.length));
  const text = missing + (behind === "" && !isEnded ? ">" : "");
  if (text === "") return { kind: "silent", reason: "line-complete" };
  if (guide?.allows(text) === false) return undefined;
  const completion = { text, probability, tokens: [{ text, probability, contexts: ["the element that is open"] }] };
  return { kind: "offered", completions: [completion] };
}

/** A tag that is not closed yet may be one that the person forgot to close further up. */
const probability = 0.99;
