import type { LikelyText } from "./guided-text.ts";
import type { TextGuide } from "./text-guide.ts";

/** What {@link likeliestText} needs. */
export interface LikeliestTextOptions {
  /** Says what the text may be; a budget is its business. */
  readonly guide: TextGuide;
  /**
   * The likeliest tokens behind `soFar`, with the empty text for the end where the model lists it;
   * none where it lists nothing.
   */
  readonly next: (soFar: string, signal: AbortSignal | undefined) => Promise<readonly LikelyText[]>;
  /** Whether the model itself ends behind `soFar`. Asked where no listed token is the end. */
  readonly ends: (soFar: string, signal: AbortSignal | undefined) => Promise<boolean>;
  /** How many beginnings are followed at a time; 4 unless set. */
  readonly width?: number;
  /** The most requests of both kinds; 96 unless set. */
  readonly maxRequests?: number;
  readonly signal?: AbortSignal | undefined;
}

/** What came of the search. */
export type LikeliestText = (
  | { readonly kind: "found"; readonly text: string; readonly meanLogProbability: number }
  /** The likeliest next token of each beginning is refused by the guide, and none may end there. */
  | { readonly kind: "refused" }
  /** Nothing was found within the requests. */
  | { readonly kind: "used-up" }
  /** The model does not list its tokens. */
  | { readonly kind: "unknown" }
) & { readonly requests: number };

/** A beginning of a text. */
interface Beam {
  readonly tokens: readonly string[];
  /** The sum of the logarithms of the probabilities. */
  readonly sum: number;
  /** Of how many tokens, the end included. */
  readonly count: number;
}

/**
 * Among the texts that the guide allows, the one with the highest mean log-probability per token,
 * as far as a beam search finds it.
 *
 * The first token may be any that is allowed, after white space or without it. After that a
 * beginning is continued only where the model's likeliest token is allowed: a continuation of the
 * tokens left after a refusal is not the model's own text. Where the text may end, it ends before
 * the refused token. The empty text counts only where the model's likeliest first token is its end,
 * and comments only where nothing else is found.
 */
export async function likeliestText(options: LikeliestTextOptions): Promise<LikeliestText> {
  const { width = 4, signal } = options;
  const search = new Search(options);
  const start: Beam = { tokens: [], sum: 0, count: 0 };
  /** Beginnings that are not looked at yet: others take the place of those that come to nothing. */
  let waiting: readonly Beam[] = [start];
  while (waiting.length > 0 && !search.isUsedUp) {
    const grown: Beam[] = [];
    for (const beam of waiting.slice(0, width)) {
      if (search.isUsedUp) break;
      signal?.throwIfAborted();
      grown.push(...(await search.grow(beam)));
    }
    if (search.isUnknown) return { kind: "unknown", requests: search.requests };
    if (search.endsAtOnce) break;
    const best = search.best();
    // A beginning is given up where a few certain tokens more would not make it better.
    const likely = (beam: Beam) =>
      best === undefined || best.isTrivia || beam.sum / (beam.count + lookahead) > meanOf(best.beam);
    const ordered = [...waiting.slice(width), ...grown]
      .filter(likely)
      .sort((one, other) => meanOf(other) - meanOf(one));
    // Comments may not crowd out what else there is.
    const isComment = (beam: Beam) => search.isTrivia(beam);
    waiting = [...ordered.filter((beam) => !isComment(beam)), ...ordered.filter(isComment)].slice(0, maxWaiting);
  }
  const { requests } = search;
  if (search.endsAtOnce) return { kind: "found", text: "", meanLogProbability: 0, requests };
  const best = search.best();
  if (best === undefined) return { kind: waiting.length > 0 ? "used-up" : "refused", requests };
  const text = textOf(best.beam);
  const bare = text.trimEnd();
  const found = options.guide.mayEnd(bare) ? bare : text;
  return { kind: "found", text: found, meanLogProbability: meanOf(best.beam), requests };
}

/** How many tokens a beginning may need to become better than the best text so far. */
const lookahead = 4;

/** How many beginnings wait at most. */
const maxWaiting = 200;

class Search {
  requests = 0;
  isUnknown = false;
  endsAtOnce = false;
  readonly #options: LikeliestTextOptions;
  readonly #maxRequests: number;
  readonly #whole: { readonly beam: Beam; readonly isTrivia: boolean }[] = [];

  constructor(options: LikeliestTextOptions) {
    this.#options = options;
    this.#maxRequests = options.maxRequests ?? 96;
  }

  get isUsedUp(): boolean {
    return this.requests >= this.#maxRequests;
  }

  /** The best of the texts that may be all: comments last. */
  best(): { readonly beam: Beam; readonly isTrivia: boolean } | undefined {
    const rank = (one: { readonly isTrivia: boolean }) => (one.isTrivia ? 1 : 0);
    return [...this.#whole].sort((a, b) => rank(a) - rank(b) || meanOf(b.beam) - meanOf(a.beam))[0];
  }

  isTrivia(beam: Beam): boolean {
    const text = textOf(beam);
    return text.trim() !== "" && this.#options.guide.isTrivia?.(text) === true;
  }

  /** The beginnings with one more token; what may be all is kept. */
  async grow(beam: Beam): Promise<readonly Beam[]> {
    const { guide, next, signal } = this.#options;
    const text = textOf(beam);
    // White space is none of what the model would say.
    const isStart = text.trim() === "";
    this.requests += 1;
    const listed = [...(await next(text, signal))].sort((one, other) => other.probability - one.probability);
    if (listed.length === 0) {
      this.isUnknown ||= text === "";
      return [];
    }
    const end = listed.find((token) => token.text === "");
    const mayEnd = guide.mayEnd(text);
    if (text === "") this.endsAtOnce = mayEnd && end === listed[0];
    else if (!isStart && mayEnd && end !== undefined) this.#keep(beam, end.probability);
    else if (!isStart && mayEnd && (await this.#ends(text))) this.#keep(beam);
    const grown: Beam[] = [];
    for (const token of listed) {
      if (token.text === "") continue;
      // One token of white space in front is enough, and blanks behind blanks say nothing.
      if (text !== "" && isStart && token.text.trim() === "") continue;
      if (/[ \t]$/.test(text) && /^[ \t]+$/.test(token.text)) continue;
      await guide.prepare?.(text + token.text);
      if (guide.allows(text + token.text)) grown.push(withToken(beam, token.text, token.probability));
      else if (!isStart && token === listed[0]) {
        // An end that is not listed is less likely than what is.
        if (mayEnd && end === undefined) this.#keep(beam, listed.at(-1)!.probability);
        return [];
      }
    }
    // What goes round in circles becomes likelier with each round, and no better.
    return grown.filter(({ tokens }) => !repeatsItself(tokens));
  }

  async #ends(text: string): Promise<boolean> {
    if (this.isUsedUp) return false;
    this.requests += 1;
    return this.#options.ends(text, this.#options.signal);
  }

  #keep(beam: Beam, endProbability?: number): void {
    if (textOf(beam).trim() === "") return;
    const whole = endProbability === undefined ? beam : withToken(beam, "", endProbability);
    this.#whole.push({ beam: whole, isTrivia: this.isTrivia(beam) });
  }
}

function withToken({ tokens, sum, count }: Beam, text: string, probability: number): Beam {
  return { tokens: text === "" ? tokens : [...tokens, text], sum: sum + Math.log(probability), count: count + 1 };
}

function textOf({ tokens }: Beam): string {
  return tokens.join("");
}

function meanOf({ sum, count }: Beam): number {
  return count === 0 ? 0 : sum / count;
}

/** Whether the last tokens are some others a third time. */
function repeatsItself(tokens: readonly string[]): boolean {
  for (let period = 1; period * 3 <= tokens.length && period <= 8; period++) {
    const last = tokens.slice(-period);
    const isRound = (round: number) =>
      last.every((token, index) => tokens[tokens.length - period * (round + 1) + index] === token);
    if (isRound(1) && isRound(2)) return true;
  }
  return false;
}
