import { isInsideCharacter } from "../../text/index.ts";
import { endedTexts, isInsideWord, wordStart } from "./ended-text.ts";
import { longestAllowed, type TextGuide } from "./text-guide.ts";

/** What {@link guidedText} needs. */
export interface GuidedTextOptions {
  /** Says what the text may be; a budget is its business. */
  readonly guide: TextGuide;
  /**
   * Asks a model to go on from `soFar`, and streams what it writes. Returns `cut` where a limit of
   * the request ended it, and `finished` where the model said all it wanted.
   */
  readonly ask: (soFar: string, signal: AbortSignal | undefined) => AsyncGenerator<string, "finished" | "cut">;
  /**
   * What else might come after `soFar`, by the same model; the empty text for the end. Asked where
   * a text was refused.
   */
  readonly alternatives?: (soFar: string, signal: AbortSignal | undefined) => Promise<readonly LikelyText[]>;
  /** The most requests, those for alternatives included; default: 4. */
  readonly maxRequests?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A text that may come next. */
export interface LikelyText {
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
}

/** A piece of a guided text. */
export type GuidedPart =
  | { readonly kind: "text-delta"; readonly text: string }
  /**
   * Of what came so far only the first `length` UTF-16 units stay: the rest allowed no good end.
   * Comes at most once.
   */
  | { readonly kind: "text-cut"; readonly length: number };

/** A text of the model that the guide did not let pass. */
export interface Refusal {
  /** Where it would have stood, in UTF-16 units from the start of the answer. */
  readonly offset: number;
  /**
   * What was refused: the first text that could not stand there, and what came with it in one
   * piece.
   */
  readonly text: string;
  /**
   * `grammar`: nothing whole begins like this. `budget`: there is no room left to end it.
   * `members`: types have no such member.
   */
  readonly cause: "grammar" | "budget" | "members";
  /** The number of the request, from 1. */
  readonly request: number;
}

/** How a guided text came about. */
export interface GuidedEnd {
  /**
   * `whole`: it ends where the model ended. `closed`: `ending` was put behind what the model wrote.
   * `cut-back`: it ends where it could before something that was refused, or that had no end.
   * `impossible`: not even an ending of ours was found that fits, and the text is empty.
   */
  readonly kind: "whole" | "closed" | "cut-back" | "impossible";
  readonly text: string;
  /** What was put at its end, where it is `closed`. */
  readonly ending?: string;
  readonly requests: number;
  readonly refusals: readonly Refusal[];
}

/**
 * Text of any model that streams, with nothing in it that the guide refuses.
 *
 * The text is checked as it comes. Where it is refused, the request is stopped and the good part
 * stays: the model continues from there with its likeliest alternative that is allowed, or is asked
 * again. When the requests are used up, or the model ends where the text may not, closers too many
 * are cut off, and else a shortest ending is put behind it.
 *
 * Law: what is handed on, with its cuts, is the text of the end, and unless that is `impossible`
 * the guide lets it end.
 */
export async function* guidedText(options: GuidedTextOptions): AsyncGenerator<GuidedPart, GuidedEnd> {
  const { guide, ask, alternatives, maxRequests = 4, signal } = options;
  const refusals: Refusal[] = [];
  let text = "";
  /** How much was handed on: a word is held back until it is whole. */
  let handed = 0;
  let requests = 0;
  let isAsking = guide.allows("");
  /** Whether the model ended it itself. */
  let isOwnEnd = false;
  while (isAsking && requests < maxRequests) {
    signal?.throwIfAborted();
    const asked = text.length;
    let refused: Refusal | undefined;
    let end: "finished" | "cut" | undefined;
    requests += 1;
    const stream = ask(text, signal);
    try {
      while (end === undefined && refused === undefined) {
        const next = await stream.next();
        signal?.throwIfAborted();
        if (next.done === true) {
          end = next.value;
          continue;
        }
        await guide.prepare?.(text + next.value);
        const good = longestAllowed(guide, next.value, text);
        const rest = next.value.slice(good);
        text += next.value.slice(0, good);
        if (rest !== "") {
          const step = text + rest.slice(0, stepLength(rest));
          const cause =
            guide.tryUnknownMember?.(step) !== undefined ? "members" : guide.canGoOn(step) ? "budget" : "grammar";
          // A word that was refused in its middle, or that nothing may follow, is none of what may
          // stand there.
          const isWord = isInsideWord(text + rest, text.length) || !guide.canGoOn(`${text} `);
          const said = text + rest;
          if (isWord) text = text.slice(0, Math.max(asked, wordStart(text)));
          const what = cause === "members" ? said.slice(text.length) : rest;
          refused = { offset: text.length, text: what, cause, request: requests };
          refusals.push(refused);
        }
        const ready = wordStart(text);
        if (ready > handed) yield { kind: "text-delta", text: text.slice(handed, ready) };
        handed = Math.max(handed, ready);
      }
    } finally {
      if (end === undefined) await stream.return("cut");
    }
    isOwnEnd = refused === undefined;
    if (refused === undefined) isAsking = end === "cut" && text.length > asked && !guide.mayEnd(text);
    else if (refused.cause === "budget") isAsking = false;
    else if (alternatives !== undefined && requests < maxRequests) {
      requests += 1;
      const known = await alternatives(text, signal);
      signal?.throwIfAborted();
      const best = await firstAllowed(guide, text, known);
      // Where no alternative is known, asking again may still help.
      isAsking = best === undefined ? !isRepeated(refusals) : best.text !== "";
      isOwnEnd = best?.text === "";
      text += best?.text ?? "";
    } else isAsking = !isRepeated(refusals);
  }
  const {
    kind,
    text: whole,
    ending,
  } = isOwnEnd && guide.mayEnd(text)
    ? { kind: "whole" as const, text }
    : (endedTexts(guide, text).next().value ?? impossible);
  const kept = ending === undefined ? whole.length : whole.length - ending.length;
  if (kept < handed) yield { kind: "text-cut", length: kept };
  const rest = whole.slice(Math.min(kept, handed));
  if (rest !== "") yield { kind: "text-delta", text: rest };
  return { kind, text: whole, ...(ending !== undefined && { ending }), requests, refusals };
}

/** The likeliest text that may come behind `text`; the empty one is its end. */
async function firstAllowed(
  guide: TextGuide,
  text: string,
  known: readonly LikelyText[],
): Promise<LikelyText | undefined> {
  let comment: LikelyText | undefined;
  for (const other of [...known].sort((a, b) => b.probability - a.probability)) {
    await guide.prepare?.(text + other.text);
    if (other.text === "") {
      // An empty text is none that the model wrote.
      if (text.trim() !== "" && guide.mayEnd(text)) return other;
      continue;
    }
    if (!guide.allows(text + other.text)) continue;
    // A comment stands only where nothing else may.
    if (other.text.trim() !== "" && guide.isTrivia?.(text + other.text)) comment ??= other;
    else return other;
  }
  return comment;
}

/** Whether the model said again what was refused the last time. */
function isRepeated(refusals: readonly Refusal[]): boolean {
  const [before, last] = refusals.slice(-2);
  return before !== undefined && last !== undefined && before.offset === last.offset && before.text === last.text;
}

const impossible = { kind: "impossible", text: "", ending: undefined } as const;

/** How many UTF-16 units the first character has. */
function stepLength(text: string): number {
  return isInsideCharacter(text, 1) ? 2 : 1;
}
