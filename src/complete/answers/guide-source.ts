import type { MemberSource, NoGuide, TextGuide } from "../../grammar/index.ts";
import type { FillGuide } from "../../model/index.ts";

/**
 * Gives the guide for what goes between `prefix` and `suffix` in a language, by its id in the
 * registry.
 *
 * `undefined` where there is none: the language has no grammar, or the text is broken already,
 * which is common while it is typed.
 */
export type GuideSource = (language: string, prefix: string, suffix: string) => GrammarGuide | undefined;

/**
 * Reads the text around a hole with pauses, so that a {@link GuideSource} answers at once. Returns
 * why there will be no guide. Rejects with the signal's reason.
 */
export type GuidePreparation = (
  language: string,
  prefix: string,
  suffix: string,
  options: { readonly signal: AbortSignal },
) => Promise<NoGuide | undefined>;

/** A guide that may also know how a text ends soonest. */
export type GrammarGuide = FillGuide & Partial<Pick<TextGuide, "ending">>;

/**
 * Gives what knows the types of the file at `path`, from the workspace's root; `undefined` where
 * nothing does.
 */
export type MembersOf = (path: string, language: string) => MemberSource | undefined;
