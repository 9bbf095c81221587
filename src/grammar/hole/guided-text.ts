import { isInsideCharacter } from "../../text/index.ts";
import { endedTexts, isInsideWord, wordStart } from "./ended-text.ts";
import { longestAllowed, type TextGuide } from "./text-guide.ts";

/** Options of {@link guidedText}. */
export interface GuidedTextOptions {
  /** Decides which texts are allowed, a budget included. */
  readonly guide: TextGuide;
  /**
   * Requests a continuation of `soFar` from a model, as a stream. Returns `cut` where a limit of
   * the request ended it, and `finished` where the model ended it.
   */
  readonly ask: (soFar: string, signal: AbortSignal | undefined) => AsyncGenerator<string, "finished" | "cut">;
  /**
   * Alternative continuations of `soFar` by the same model; the empty text is the end. Called after
   * a refusal.
   */
  readonly alternatives?: (soFar: string, signal: AbortSignal | undefined) => Promise<readonly LikelyText[]>;
  /** The most requests, those for alternatives included; default: 4. */
  readonly maxRequests?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A candidate for the next text. */
export interface LikelyText {
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
}

/** A piece of a guided text. */
export type GuidedPart =
  | { readonly kind: "text-delta"; readonly text: string }
  /**
   * Keep only the first `length` UTF-16 code units of the text so far: the rest allowed no good
   * end. Comes at most once.
   */
  | { readonly kind: "text-cut"; readonly length: number };

/** A text of the model that the guide refused. */
export interface Refusal {
  /** Its position, in UTF-16 code units from the start of the answer. */
  readonly offset: number;
  /**
   * The refused text: from the first character that was not allowed to the end of its piece of the
   * stream.
   */
  readonly text: string;
  /**
   * `grammar`: no complete text begins with it. `budget`: no ending of it fits. `members`: by its
   * type, the value has no such member.
   */
  readonly cause: "grammar" | "budget" | "members";
  /** The number of the request, from 1. */
  readonly request: number;
}

/** The result of {@link guidedText}. */
export interface GuidedEnd {
  /**
   * `whole`: it ends where the model ended it. `closed`: `ending` was appended to the model's text.
   * `cut-back`: it ends earlier, where it is complete. `impossible`: no ending was found, and the
   * text is empty.
   */
  readonly kind: "whole" | "closed" | "cut-back" | "impossible";
  readonly text: string;
  /** The text that was appended, for `closed`. */
  readonly ending?: string;
  readonly requests: number;
  readonly refusals: readonly Refusal[];
}

/**
 * Constrains the text of any streaming model to what the guide allows. Yields pieces of the text,
 * and at most one cut of what was yielded before; returns the whole text and how it ended.
 *
 * The text is checked as it arrives. At a refusal the request is stopped and the allowed part is
 * kept: the text continues with the model's likeliest allowed alternative, or the model is
 * requested again. When no requests are left, or the model ends where the text is not complete,
 * surplus closing brackets are cut, or else a shortest ending is appended. Rejects with the
 * signal's reason, and with the error of a request.
 *
 * Law: the emitted text, with its cuts, is the text of the result, and unless that is `impossible`
 * the guide accepts it as complete.
 */
export async function* guidedText(options: GuidedTextOptions): AsyncGenerator<GuidedPart, GuidedEnd> {
  const { guide, ask, alternatives, maxRequests = 4, signal } = options;
  const refusals: Refusal[] = [];
  let text = "";
  /** The length of the emitted text: a word is emitted once it is whole. */
  let emitted = 0;
  let requests = 0;
  let needsRequest = guide.allows("");
  /** Whether the model itself ended the text. */
  let isOwnEnd = false;
  while (needsRequest && requests < maxRequests) {
    signal?.throwIfAborted();
    const lengthBefore = text.length;
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
            guide.tryUnknownMember?.(step) !== undefined ? "members" : guide.canContinue(step) ? "budget" : "grammar";
          // A word that was refused in its middle, or that nothing may follow, is not allowed as a
          // whole.
          const isWord = isInsideWord(text + rest, text.length) || !guide.canContinue(`${text} `);
          const written = text + rest;
          if (isWord) text = text.slice(0, Math.max(lengthBefore, wordStart(text)));
          const refusedText = cause === "members" ? written.slice(text.length) : rest;
          refused = { offset: text.length, text: refusedText, cause, request: requests };
          refusals.push(refused);
        }
        const ready = wordStart(text);
        if (ready > emitted) yield { kind: "text-delta", text: text.slice(emitted, ready) };
        emitted = Math.max(emitted, ready);
      }
    } finally {
      if (end === undefined) await stream.return("cut");
    }
    isOwnEnd = refused === undefined;
    if (refused === undefined) needsRequest = end === "cut" && text.length > lengthBefore && !guide.mayEnd(text);
    else if (refused.cause === "budget") needsRequest = false;
    else if (alternatives !== undefined && requests < maxRequests) {
      requests += 1;
      const known = await alternatives(text, signal);
      signal?.throwIfAborted();
      const best = await firstAllowed(guide, text, known);
      // Without an allowed alternative, another request may still help.
      needsRequest = best === undefined ? !isRepeated(refusals) : best.text !== "";
      isOwnEnd = best?.text === "";
      text += best?.text ?? "";
    } else needsRequest = !isRepeated(refusals);
  }
  const {
    kind,
    text: whole,
    ending,
  } = isOwnEnd && guide.mayEnd(text)
    ? { kind: "whole" as const, text }
    : (endedTexts(guide, text).next().value ?? impossible);
  const kept = ending === undefined ? whole.length : whole.length - ending.length;
  if (kept < emitted) yield { kind: "text-cut", length: kept };
  const rest = whole.slice(Math.min(kept, emitted));
  if (rest !== "") yield { kind: "text-delta", text: rest };
  return { kind, text: whole, ...(ending !== undefined && { ending }), requests, refusals };
}

/** The likeliest allowed continuation of `text`; an empty one is its end. */
async function firstAllowed(
  guide: TextGuide,
  text: string,
  known: readonly LikelyText[],
): Promise<LikelyText | undefined> {
  let comment: LikelyText | undefined;
  for (const other of [...known].sort((a, b) => b.probability - a.probability)) {
    await guide.prepare?.(text + other.text);
    if (other.text === "") {
      // The model can't end an answer that it has not begun.
      if (text.trim() !== "" && guide.mayEnd(text)) return other;
      continue;
    }
    if (!guide.allows(text + other.text)) continue;
    // A comment is taken only where nothing else is allowed.
    if (other.text.trim() !== "" && guide.isTrivia?.(text + other.text)) comment ??= other;
    else return other;
  }
  return comment;
}

/** Whether the model repeated the last refused text. */
function isRepeated(refusals: readonly Refusal[]): boolean {
  const [before, last] = refusals.slice(-2);
  return before !== undefined && last !== undefined && before.offset === last.offset && before.text === last.text;
}

const impossible = { kind: "impossible", text: "", ending: undefined } as const;

/** The length of the first character, in UTF-16 code units. */
function stepLength(text: string): number {
  return isInsideCharacter(text, 1) ? 2 : 1;
}

/** A refusal with the beginning of the answer before it. */
export interface RefusedCandidate extends Refusal {
  readonly behind: string;
}

/** The most refusals that are recorded of one answer. */
const maxRefusals = 50;

/** Records what a model that follows the guide itself tried to write and was refused. */
export class RefusedCandidates {
  readonly refusals: RefusedCandidate[] = [];
  /** The number of the request in flight, from 1. */
  request = 0;
  readonly #guide: TextGuide;
  readonly #onTried: (() => void) | undefined;
  readonly #known = new Set<string>();

  /** `onTried` is called for each text that the model tries. */
  constructor(guide: TextGuide, onTried?: () => void) {
    this.#guide = guide;
    this.#onTried = onTried;
  }

  /** The guide of a continuation of `soFar`. */
  watching(soFar: string): Pick<TextGuide, "allows" | "mayEnd" | "isTrivia" | "prepare"> {
    const guide = this.#guide;
    return {
      allows: (text) => {
        this.#onTried?.();
        const isAllowed = guide.allows(soFar + text);
        if (!isAllowed) this.#remember(soFar + text);
        return isAllowed;
      },
      mayEnd: (text) => guide.mayEnd(soFar + text),
      isTrivia: (text) => guide.isTrivia?.(soFar + text) ?? false,
      prepare: async (text) => guide.prepare?.(soFar + text),
    };
  }

  #remember(text: string): void {
    if (this.refusals.length >= maxRefusals || this.#known.has(text)) return;
    this.#known.add(text);
    const member = this.#guide.tryUnknownMember?.(text);
    const offset = member === undefined ? longestAllowed(this.#guide, text) : Math.max(0, member.offset);
    const cause = member !== undefined ? "members" : this.#guide.canContinue(text) ? "budget" : "grammar";
    const behind = text.slice(0, offset);
    this.refusals.push({ offset, behind, text: text.slice(offset), cause, request: this.request });
  }
}
