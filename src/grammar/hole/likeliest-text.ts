import type { LikelyText } from "./guided-text.ts";
import type { TextGuide } from "./text-guide.ts";

/** Options of {@link likeliestText}. */
export interface LikeliestTextOptions {
  /** Decides which texts are allowed, a budget included. */
  readonly guide: TextGuide;
  /**
   * Requests the likeliest tokens after `soFar`, with the empty text for the end where the model
   * lists it; empty where the model lists nothing.
   */
  readonly next: (soFar: string, signal: AbortSignal | undefined) => Promise<readonly LikelyText[]>;
  /** Requests whether the model ends after `soFar`. Called where the end is not a listed token. */
  readonly ends: (soFar: string, signal: AbortSignal | undefined) => Promise<boolean>;
  /** The beam width; default: 4. */
  readonly width?: number;
  /** The most requests of both kinds; default: 96. */
  readonly maxRequests?: number;
  /** Whether no further request may begin; by default one always may. */
  readonly isLate?: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The result of the search. */
export type LikeliestText = (
  | { readonly kind: "found"; readonly text: string; readonly meanLogProbability: number }
  /** The guide refuses the likeliest next token of each beam, and none is complete. */
  | { readonly kind: "refused" }
  /** Nothing was found within `maxRequests` and before `isLate`. */
  | { readonly kind: "used-up" }
  /** The model does not list its tokens. */
  | { readonly kind: "unknown" }
) & {
  readonly requests: number;
  /** The limit that ended the search before it was done. */
  readonly limit?: SearchLimit;
};

/** A limit of {@link LikeliestTextOptions}: `maxRequests` or `isLate`. */
export type SearchLimit = "requests" | "time";

/** A prefix of a text. */
interface Beam {
  readonly tokens: readonly string[];
  /** The sum of the logarithms of the probabilities. */
  readonly sum: number;
  /** The number of tokens, the end included. */
  readonly count: number;
}

/**
 * Searches, with a beam search, for the allowed text with the highest mean log-probability per
 * token. Without one the result is `refused`, or `used-up` where a limit ended the search, or
 * `unknown` where the model lists no tokens. Rejects with the signal's reason, and with the error
 * of a request.
 *
 * The first token may be any allowed one, after white space or without it. After that a beam is
 * extended only where the model's likeliest token is allowed: what follows a refused token is no
 * longer the model's own text. Where the text is complete, it ends before the refused token. The
 * empty text counts only where the model's likeliest first token is the end, and comments only
 * where nothing else is found.
 */
export async function likeliestText(options: LikeliestTextOptions): Promise<LikeliestText> {
  const { width = 4, signal } = options;
  const search = new Search(options);
  const start: Beam = { tokens: [], sum: 0, count: 0 };
  /** Beams that are not extended yet; they replace those that fail. */
  let waiting: readonly Beam[] = [start];
  while (waiting.length > 0 && search.limit === undefined) {
    const extended: Beam[] = [];
    for (const beam of waiting.slice(0, width)) {
      if (search.limit !== undefined) break;
      signal?.throwIfAborted();
      extended.push(...(await search.extend(beam)));
    }
    if (search.isUnknown) return { kind: "unknown", requests: search.requests };
    if (search.endsAtOnce) break;
    const best = search.best();
    // Drops a beam that a few certain tokens could not make better than the best text.
    const likely = (beam: Beam) =>
      best === undefined || best.isTrivia || beam.sum / (beam.count + lookahead) > meanOf(best.beam);
    const ordered = [...waiting.slice(width), ...extended]
      .filter(likely)
      .sort((one, other) => meanOf(other) - meanOf(one));
    // Comments come last, so that they don't displace other beams.
    const isComment = (beam: Beam) => search.isTrivia(beam);
    waiting = [...ordered.filter((beam) => !isComment(beam)), ...ordered.filter(isComment)].slice(0, maxWaiting);
  }
  const { requests } = search;
  if (search.endsAtOnce) return { kind: "found", text: "", meanLogProbability: 0, requests };
  const best = search.best();
  const { limit } = search;
  const end = { requests, ...(waiting.length > 0 && limit !== undefined && { limit }) };
  if (best === undefined) return { kind: waiting.length > 0 ? "used-up" : "refused", ...end };
  const text = textOf(best.beam);
  const bare = text.trimEnd();
  const found = options.guide.mayEnd(bare) ? bare : text;
  return { kind: "found", text: found, meanLogProbability: meanOf(best.beam), ...end };
}

/** The number of certain tokens that a beam is assumed to gain. */
const lookahead = 4;

/** The most waiting beams. */
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

  /** The limit that is reached, if any. */
  get limit(): SearchLimit | undefined {
    if (this.requests >= this.#maxRequests) return "requests";
    return this.#options.isLate?.() === true ? "time" : undefined;
  }

  /** The best of the complete texts; comments come last. */
  best(): { readonly beam: Beam; readonly isTrivia: boolean } | undefined {
    const rank = (one: { readonly isTrivia: boolean }) => (one.isTrivia ? 1 : 0);
    return [...this.#whole].sort((a, b) => rank(a) - rank(b) || meanOf(b.beam) - meanOf(a.beam))[0];
  }

  isTrivia(beam: Beam): boolean {
    const text = textOf(beam);
    return text.trim() !== "" && this.#options.guide.isTrivia?.(text) === true;
  }

  /** The beam extended by one token in each allowed way; records complete texts. */
  async extend(beam: Beam): Promise<readonly Beam[]> {
    const { guide, next, signal } = this.#options;
    const text = textOf(beam);
    // White space alone is not an answer.
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
    const extended: Beam[] = [];
    for (const token of listed) {
      if (token.text === "") continue;
      // One leading token of white space suffices, and further blanks after a blank add nothing.
      if (text !== "" && isStart && token.text.trim() === "") continue;
      if (/[ \t]$/.test(text) && /^[ \t]+$/.test(token.text)) continue;
      await guide.prepare?.(text + token.text);
      if (guide.allows(text + token.text)) extended.push(withToken(beam, token.text, token.probability));
      else if (!isStart && token === listed[0]) {
        // An end that is not listed is at most as likely as the last listed token.
        if (mayEnd && end === undefined) this.#keep(beam, listed.at(-1)!.probability);
        return [];
      }
    }
    // A repetition becomes likelier with each round, but no better.
    return extended.filter(({ tokens }) => !repeatsItself(tokens));
  }

  async #ends(text: string): Promise<boolean> {
    if (this.limit !== undefined) return false;
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

/** Whether the last tokens repeat a sequence for the third time. */
function repeatsItself(tokens: readonly string[]): boolean {
  for (let period = 1; period * 3 <= tokens.length && period <= 8; period++) {
    const last = tokens.slice(-period);
    const isRound = (round: number) =>
      last.every((token, index) => tokens[tokens.length - period * (round + 1) + index] === token);
    if (isRound(1) && isRound(2)) return true;
  }
  return false;
}
