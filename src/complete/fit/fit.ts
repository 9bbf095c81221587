import { repeatsBelow, withoutFollowingLines, withoutRepetition } from "../../answers/index.ts";
import { EditedSyntaxErrors, type Syntax, type SyntaxDiagnostic, type UncheckedSyntax } from "../../syntax/index.ts";
import { Edit } from "../../text/index.ts";
import { findSpecialToken } from "../answers/special-tokens.ts";
import type { Trimmer } from "../answers/trim.ts";
import type { NoSuggestionReason, SuggestionChange } from "../outcome.ts";
import type { Place } from "../place.ts";
import { restOfAnswer } from "../requests/answer-cache.ts";
import type { GhostTextSettings } from "../settings.ts";
import { type CheckAnswer, checkCompletions } from "./check-completion.ts";
import { withoutDanglingComment } from "./dangling-comment.ts";
import { fitClosingTag } from "./fit-closing-tag.ts";
import { fitIndentation } from "./fit-indentation.ts";
import { type MergedText, mergesOf } from "./merge.ts";
import { onlyRepeats } from "./only-repeats.ts";
import { spaceBehind } from "./space-behind.ts";

/** A text that may be offered, or why it may not. */
export type FitAnswer =
  | ({
      readonly kind: "fits";
      readonly cuts: readonly CutText[];
      /** Why the syntax was not checked; absent where it was. */
      readonly unchecked?: UncheckedSyntax;
    } & MergedText)
  | { readonly kind: "no-suggestion"; readonly step: "trim" | "check"; readonly reason: NoSuggestionReason };

/** What was taken off the end of a text. */
export interface CutText {
  readonly text: string;
  readonly change: SuggestionChange;
}

/** What {@link fitText} needs. */
export interface FitOptions {
  readonly place: Place;
  /** Cuts to the shape that was requested. */
  readonly trimmer: Trimmer;
  /** What was typed between there and `place`. */
  readonly typed: string;
  readonly syntax: Syntax;
  readonly settings: Pick<GhostTextSettings, "specialTokens">;
  /** Whether the answer of the model is complete. */
  readonly isWhole: boolean;
  /** What was done to the text already. */
  readonly changes: readonly SuggestionChange[];
}

/**
 * Makes a model's answer fit its place: special tokens are cut off, the text is cut to the shape
 * that is wanted, indented like the document, and merged with text that is there already, so that
 * brackets stay in balance and no new syntax error arises.
 *
 * `raw` is the answer as `bareAnswer` returns it, for the place before `options.typed` was typed.
 * `no-suggestion` where nothing is left of it, it repeats itself or what follows, or it breaks the
 * syntax however it is shortened.
 */
export async function fitText(raw: string, options: FitOptions): Promise<FitAnswer> {
  const { place, trimmer, settings } = options;
  const changes = [...options.changes];
  const cuts: CutText[] = [];
  const silent = (reason: NoSuggestionReason, step: "trim" | "check" = "trim"): FitAnswer => ({
    kind: "no-suggestion",
    step,
    reason,
  });

  let text = withoutLoneSurrogates(raw);
  const special = findSpecialToken(text, {
    tokens: settings.specialTokens,
    language: place.language,
    before: options.typed === "" ? place.lineBefore : "",
  });
  if (special >= 0) {
    cuts.push({ text: text.slice(special), change: "cut-special-token" });
    text = text.slice(0, special);
    changes.push("cut-special-token");
  }
  const trimmed = trimmer.trim(text, options.isWhole || special >= 0);
  changes.push(...trimmed.changes);
  const [trimming] = trimmed.changes;
  if (trimming !== undefined) cuts.push(...cutBehind(text, trimmed.text, trimming));
  // The white space at the end of all that the model wrote, which the trimmer takes off.
  const end = text.trimEnd().endsWith(trimmed.text) ? text.slice(text.trimEnd().length) : "";
  text = restOfAnswer(trimmed.text, options.typed) ?? "";
  if (text.trim() === "") {
    const isBelow = place.rest.trim() !== "" && raw.trim() !== "" && /^[ \t]*\n/.test(raw);
    return silent({ kind: "empty", ...(isBelow && { startsWith: "line-break" }) });
  }
  const once = withoutRepetition(text);
  if (once === undefined) return silent({ kind: "repeats-itself" });
  if (once !== text) {
    changes.push("cut-repetition");
    cuts.push(...cutBehind(text, once, "cut-repetition"));
  }
  const fitted = fitIndentation(once, place);
  if (fitted !== once && !changes.includes("indentation-fitted")) changes.push("indentation-fitted");
  text = fitted.trimEnd();
  const closing = fitClosingTag(text, place);
  if (closing === undefined)
    return silent({ kind: "breaks-syntax", issue: "no open element has such a name" }, "check");
  if (closing !== text) changes.push("named-open-element");
  text = closing;
  if (repeatsBelow(text, place.lineBefore, place.suffix.slice(place.rest.length))) {
    return silent({ kind: "repeats-what-follows" });
  }

  let issue: Pick<SyntaxDiagnostic, "message"> | undefined;
  let tried = 0;
  let shortened: FitAnswer | undefined;
  const { path: uri, language, prefix, suffix } = place;
  using errors = await EditedSyntaxErrors.open(options.syntax, { uri, language, text: prefix + suffix });
  const repeats = (inserted: string) => onlyRepeats(inserted, place, errorsOver(errors, place, 0));
  // Nothing is missing, so that no part of it and no other way of merging it is any better. What
  // was cut off or indented was looked at as the model wrote it.
  const unshortened = restOfAnswer(raw, options.typed)?.trimEnd() ?? "";
  if ((await repeats(text)) || (unshortened !== text && (await repeats(unshortened))))
    return silent({ kind: /^[ \t]*\n/.test(unshortened) ? "repeats-what-follows" : "empty" });
  for (const candidate of mergesOf(text, place)) {
    if (tried++ >= maxMerges) break;
    // Shorter still is no better; closers that the text writes itself may be.
    if (shortened !== undefined && candidate.covered === 0) continue;
    const isWhole = candidate.covered === 0 && candidate.text === text;
    const merged = isWhole ? { ...candidate, text: text + spaceBehind(text, end, place) } : candidate;
    if (merged.covered === 0 && (await repeats(merged.text))) continue;
    const answer = await keepSyntax(merged, place, errors);
    if (answer.kind === "kept" && answer.merged.text !== merged.text && (await repeats(answer.merged.text))) continue;
    const kept = answer.kind === "kept" ? await keepOperand(answer.merged, place, errors) : answer;
    if (kept.kind === "kept") {
      const { unchecked } = errors;
      const fit: FitAnswer = {
        ...{ kind: "fits", ...kept.merged, ...(unchecked && { unchecked }) },
        changes: [...changes, ...kept.merged.changes],
        cuts: [...cuts, ...kept.merged.changes.flatMap((change) => cutBehind(text, kept.merged.text, change))],
      };
      if (!kept.merged.changes.includes("shortened-for-syntax")) return fit;
      shortened ??= fit;
    } else issue ??= kept.issue;
  }
  if (shortened !== undefined) return shortened;
  // All of it is right of the cursor already, or below.
  if (place.rest.trimStart().startsWith(text.trim())) return silent({ kind: "empty" });
  if (withoutFollowingLines(text, place.lineBefore, place.suffix.slice(place.rest.length))[0] === "") {
    return silent({ kind: "repeats-what-follows" });
  }
  const why = issue?.message ?? "its brackets have no partners";
  return silent({ kind: "breaks-syntax", issue: why }, "check");
}

/** The rest of a text behind its kept part, where that is a part of it. */
function cutBehind(text: string, kept: string, change: SuggestionChange): readonly CutText[] {
  const start = text.indexOf(kept.trimEnd());
  const cut = start < 0 ? "" : text.slice(start + kept.trimEnd().length);
  return cut.trim() === "" ? [] : [{ text: cut, change }];
}

/** How many ways of merging are checked for their syntax. */
const maxMerges = 3;

type SyntaxAnswer =
  | { readonly kind: "kept"; readonly merged: MergedText }
  | { readonly kind: "broken"; readonly issue: Pick<SyntaxDiagnostic, "message"> | undefined };

/** The text, or its longest beginning, that adds no error of syntax. */
async function keepSyntax(merged: MergedText, place: Place, errors: EditedSyntaxErrors): Promise<SyntaxAnswer> {
  const { language, prefix, suffix } = place;
  const inserted = errorsOver(errors, place, merged.covered);
  const answer = await checkCompletions(beginningsByLine(merged.text).map(toCheckedText), {
    ...{ language, prefix, suffix: suffix.slice(merged.covered) },
    errorsWith: (text) => (text === "" ? errors.after(Edit.empty) : inserted(text)),
  });
  return keptOf(merged, answer);
}

/**
 * Finds the errors of a place's text with something inserted that replaces the first `covered`
 * UTF-16 units behind it.
 */
function errorsOver(errors: EditedSyntaxErrors, { prefix }: Pick<Place, "prefix">, covered: number) {
  const range = { start: prefix.length, end: prefix.length + covered };
  return (inserted: string) => errors.after(Edit.replace(range, inserted));
}

function keptOf(merged: MergedText, answer: CheckAnswer): SyntaxAnswer {
  if (answer.kind === "breaks-syntax") return { kind: "broken", issue: answer.issue };
  if (answer.how === "whole") return { kind: "kept", merged };
  return shortenedTo(answer.completion.text, merged);
}

/** The text without a comment at its end that leaves its line unfinished. */
async function keepOperand(merged: MergedText, place: Place, errors: EditedSyntaxErrors): Promise<SyntaxAnswer> {
  const { language, prefix, suffix } = place;
  const after = { start: prefix.length, end: prefix.length + suffix.length };
  const text = await withoutDanglingComment(
    merged.text,
    { language, prefix, suffix: suffix.slice(merged.covered) },
    (inserted) => errors.after(Edit.replace(after, inserted)),
  );
  if (text === merged.text) return { kind: "kept", merged };
  if (text.trim() === "") return { kind: "broken", issue: { message: "a comment leaves the line unfinished" } };
  return shortenedTo(text, merged);
}

/** The beginning of a text that covers closers may have lost them. */
function shortenedTo(text: string, merged: MergedText): SyntaxAnswer {
  if (merged.covered > 0) return { kind: "broken", issue: undefined };
  return {
    kind: "kept",
    merged: { ...merged, text, overlap: 0, changes: [...merged.changes, "shortened-for-syntax"] },
  };
}

/** A text, and it without its last lines, one by one. */
function beginningsByLine(text: string): string[] {
  const found = [text];
  for (let end = text.lastIndexOf("\n"); end > 0; end = text.lastIndexOf("\n", end - 1)) {
    const beginning = text.slice(0, end).trimEnd();
    if (beginning.trim() !== "" && beginning !== found.at(-1)) found.push(beginning);
  }
  return found;
}

/**
 * A text with its words and signs as tokens; a model's own tokens are not known here, and their
 * sureness neither.
 */
function toCheckedText(text: string) {
  const tokens = [...text.matchAll(/(?<!\s)\s*(?:[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$])/gu)].map(([token]) => ({
    text: token,
    probability: 1,
  }));
  return { text, probability: 1, tokens };
}

/** Halves of characters, which no editor and no file can hold, taken out. */
function withoutLoneSurrogates(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");
}
