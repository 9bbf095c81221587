import type { AnswerToken, FillGuide, TokenMatch } from "../model.ts";
import type { Completion, CompletionAnswer } from "./completion.ts";
import { Evidence, lineEndId, maxCandidates } from "./evidence.ts";
import type { Knowledge } from "./knowledge.ts";
import type { MixerEnsemble } from "./mixer.ts";
import type { OpenDocument } from "./open-document.ts";
import { Gap, isNewline, newlineBlank, newlineSteps, TokenKind } from "./token.ts";

/** How a completion is looked for. */
export interface DecodeOptions {
  /** The most lines of a completion. */
  readonly maxLines: number;
  /** How many different completions are wanted. */
  readonly limit: number;
  /** How many beginnings are followed at a time; 1 is greedy. */
  readonly beamWidth: number;
  /** The least probability of an answer; the rule of {@link expectedGain} when it is not given. */
  readonly minProbability?: number | undefined;
  /** What the completion may be; default: anything. */
  readonly guide?: FillGuide | undefined;
  /**
   * With a guide: from how many of the likeliest first tokens a completion is tried. With more than
   * one, the completion with the highest mean log-probability per token is offered, and an empty
   * one only where the likeliest first token is the end.
   */
  readonly attempts?: number | undefined;
}

interface GuidedOptions extends DecodeOptions {
  readonly guide: FillGuide;
  readonly attempts: number;
}

/** Among how many of the likeliest tokens the end of a line is looked for. */
const endsTried = 3;

/** The most tokens that are looked for as a repetition. */
const longestPeriod = 8;

/** The most tokens of one line. */
const maxTokens = 80;

/** A further line is written only if it is at least this likely, given those before. */
const minLineProbability = 0.5;

/** How far one token that a person wrote moves the weights. */
const onlineRate = 0.002;

/** A token of a beginning, with what explains it. */
interface Step {
  readonly id: number;
  readonly gap: number;
  readonly text: string;
  readonly probability: number;
  readonly contexts: readonly string[];
  readonly matchPlace: number;
  readonly matchLength: number;
}

/** A beginning of a completion. */
interface Beam {
  readonly steps: readonly Step[];
  /** The natural logarithm of its probability. */
  readonly score: number;
  /** Whether the line has come to its end. */
  readonly done: boolean;
  /**
   * Set where the guide refused the likeliest text behind one of the tokens, and another one is
   * there.
   */
  readonly isForced?: boolean;
}

/** Finds the text that most likely goes at a place, token by token. */
export class Decoder {
  readonly #knowledge: Knowledge;
  readonly #evidence: Evidence;
  readonly #mixer: MixerEnsemble;

  constructor(knowledge: Knowledge, mixer: MixerEnsemble) {
    this.#knowledge = knowledge;
    this.#evidence = new Evidence(knowledge.vocabulary, knowledge.corpus, knowledge.imports);
    this.#mixer = mixer;
  }

  /** What may go at the place of `document`, or why nothing is offered. */
  complete(document: OpenDocument, options: DecodeOptions): CompletionAnswer {
    if (document.isInsideWord) return this.#completeWord(document, options);
    const { guide } = options;
    if (guide !== undefined && (options.attempts ?? 1) > 1) {
      return this.#bestAttempt(document, { ...options, guide, attempts: options.attempts! });
    }
    const lines = this.#decodeLine(document, [], Math.max(options.limit, options.beamWidth), options);
    if (lines.length === 0) return { kind: "no-suggestion", reason: "nothing-known" };
    if (lines[0]!.steps.length === 0) return { kind: "no-suggestion", reason: "line-complete" };
    const completions: Completion[] = [];
    for (const line of lines) {
      if (line.steps.length === 0 || completions.length === options.limit) continue;
      const whole = options.maxLines > 1 ? this.#continueLines(document, line, options) : line;
      const steps = options.minProbability === undefined ? worthwhile(whole.steps, whole.score, guide) : whole.steps;
      const kept = beforeWord(steps, document.wordAfter);
      const completion = this.#explain(kept, kept === whole.steps ? whole.score : scoreOf(kept), guide);
      if (!completions.some((other) => other.text === completion.text)) completions.push(completion);
    }
    const best = completions[0];
    if (best === undefined || best.text === "") return { kind: "no-suggestion", reason: "line-complete" };
    const floor = options.minProbability;
    const good = completions.filter((c) =>
      floor === undefined ? expectedGain(c.text.length, c.probability) > 0 : c.probability >= floor,
    );
    const [first, ...others] = good;
    if (first === undefined) return { kind: "no-suggestion", reason: "unsure", best };
    return { kind: "offered", completions: [first, ...others] };
  }

  /**
   * Completes the word that the place is inside of: proposes the missing middle of known words that
   * begin with the text before the place and end with the text after it. The answer is
   * `line-complete` when the word as it is already is a known one.
   */
  #completeWord(document: OpenDocument, { guide, minProbability }: DecodeOptions): CompletionAnswer {
    const { typed, wordAfter } = document;
    // Numbers are not completed.
    if (typed === "") return { kind: "no-suggestion", reason: "nothing-known" };
    const evidence = this.#weigh(document, typed);
    const { names } = this.#knowledge.vocabulary;
    const words = Array.from({ length: evidence.count }, (_, index) => ({ index, name: names[evidence.ids[index]!]! }))
      .filter(({ name }) => name.startsWith(typed) && name.slice(typed.length).endsWith(wordAfter))
      .map(({ index, name }) => ({
        index,
        text: name.slice(typed.length, name.length - wordAfter.length),
        probability: this.#mixer.probabilities[index]!,
      }));
    if (words.some(({ text }) => text === "")) return { kind: "no-suggestion", reason: "line-complete" };
    const [best] = words
      .filter(({ text }) => !wordAfter.startsWith(text) && guide?.allows(text) !== false)
      .sort((one, other) => other.probability - one.probability);
    if (best === undefined) return { kind: "no-suggestion", reason: "nothing-known" };
    const { index, text, probability } = best;
    const step: Step = {
      ...{ id: evidence.ids[index]!, gap: evidence.gaps[index]!, text, probability },
      contexts: evidence.contextsOf(index),
      matchPlace: evidence.matchPlace[index]!,
      matchLength: evidence.matchLength[index]!,
    };
    const completion = this.#explain([step], Math.log(probability), guide);
    const isGood =
      minProbability === undefined ? expectedGain(text.length, probability) > 0 : probability >= minProbability;
    return isGood
      ? { kind: "offered", completions: [completion] }
      : { kind: "no-suggestion", reason: "unsure", best: completion };
  }

  /**
   * The completion with the highest mean log-probability per token, of those that begin with the
   * likeliest first tokens.
   */
  #bestAttempt(document: OpenDocument, options: GuidedOptions): CompletionAnswer {
    const { guide, attempts } = options;
    const start: Beam = { steps: [], score: 0, done: false };
    const guided = new GuidedLine(guide, { above: "", maxLines: options.maxLines, endsAtRefusal: true });
    const firsts = this.#grow(document, start, true, attempts, guided);
    const [likeliest] = firsts;
    if (likeliest === undefined) return { kind: "no-suggestion", reason: "nothing-known" };
    if (likeliest.steps.length === 0) return { kind: "no-suggestion", reason: "line-complete" };
    const completions: Completion[] = [];
    const means = new Map<Completion, number>();
    for (const line of firsts.flatMap((first) => (first.steps.length > 0 ? this.#goOn(document, first, guided) : []))) {
      const whole = options.maxLines > 1 ? this.#continueLines(document, line, options) : line;
      const kept = beforeWord(whole.steps, document.wordAfter);
      const completion = {
        ...this.#explain(kept, kept === whole.steps ? whole.score : scoreOf(kept), guide),
        ...(whole.isForced && { isForced: true as const }),
      };
      if (completion.text.trim() === "") continue;
      completions.push(completion);
      means.set(completion, meanOf(whole));
    }
    const rank = ({ text, isForced, isUnfinished }: Completion) =>
      isForced ? 3 : isUnfinished ? 2 : guide.isTrivia?.(text) ? 1 : 0;
    completions.sort((a, b) => rank(a) - rank(b) || means.get(b)! - means.get(a)!);
    const [first] = completions;
    return first === undefined
      ? { kind: "no-suggestion", reason: "line-complete" }
      : { kind: "offered", completions: [first] };
  }

  /**
   * The line that continues from `first` with the likeliest token each time, and the likeliest
   * beginning of it that may be all.
   */
  #goOn(document: OpenDocument, first: Beam, guided: GuidedLine): readonly Beam[] {
    let line = first;
    const ends: Beam[] = [];
    while (!line.done && line.steps.length < maxTokens) {
      document.rewrite(line.steps.map(tokenOf));
      const [next, ...others] = this.#grow(document, line, false, endsTried, guided);
      if (next === undefined) break;
      ends.push(...others.filter(({ done, isForced }) => done && !isForced));
      line = next;
      const period = repeatedPeriod(line.steps);
      if (period === 0) continue;
      // What goes round in circles is likelier with each round, and no better.
      const before = line.steps.length - 2 * period;
      document.rewind();
      return best(ends.filter(({ steps }) => steps.length <= before));
    }
    document.rewind();
    return [line, ...best(ends)];
  }

  /** The distribution of the next token: pairs of text and probability, likeliest first. */
  next(document: OpenDocument, limit: number): { readonly text: string; readonly probability: number }[] {
    const evidence = this.#weigh(document, document.typed);
    const order = Array.from({ length: evidence.count }, (_, i) => i).sort(
      (a, b) => this.#mixer.probabilities[b]! - this.#mixer.probabilities[a]!,
    );
    return order.slice(0, limit).map((i) => ({
      text: this.#textOf(document, evidence.ids[i]!, evidence.gaps[i]!, document.typed, document.spaced),
      probability: this.#mixer.probabilities[i]!,
    }));
  }

  /**
   * Learns from `tokens` that a person wrote at the place: how much to trust each context. Returns
   * the mean loss in bits.
   */
  observe(document: OpenDocument, tokens: readonly number[]): number {
    let loss = 0;
    let typed = document.typed;
    for (const token of tokens) {
      const id = isNewline(token >> 2) ? lineEndId : token >> 2;
      const evidence = this.#weigh(document, typed);
      let truth = evidence.count;
      for (let i = 0; i < evidence.count; i++) if (evidence.ids[i] === id) truth = i;
      loss += this.#mixer.learn(evidence.features, evidence.place, evidence.count, truth, onlineRate);
      if (id === lineEndId) break;
      document.write(token);
      typed = "";
    }
    document.rewind();
    return tokens.length === 0 ? 0 : loss / tokens.length / Math.LN2;
  }

  #weigh(document: OpenDocument, typed: string): Evidence {
    const evidence = this.#evidence;
    evidence.gather(document, typed);
    this.#mixer.weigh(evidence.features, evidence.place, evidence.count);
    return evidence;
  }

  /** The likeliest rests of the line, after `before` has been written; likeliest first. */
  #decodeLine(document: OpenDocument, before: readonly Step[], width: number, options: DecodeOptions): Beam[] {
    const { guide, maxLines } = options;
    const guided =
      guide && new GuidedLine(guide, { above: textOf(before), maxLines, endsAtRefusal: (options.attempts ?? 1) > 1 });
    let beams: Beam[] = [{ steps: [], score: 0, done: false }];
    for (let length = 0; length < maxTokens && beams.some((beam) => !beam.done); length++) {
      const grown: Beam[] = beams.filter((beam) => beam.done);
      for (const beam of beams) {
        if (beam.done) continue;
        document.rewrite([...before, ...beam.steps].map(tokenOf));
        grown.push(...this.#grow(document, beam, before.length === 0 && length === 0, width, guided));
      }
      grown.sort((a, b) => b.score - a.score);
      beams = grown.slice(0, width);
      if (beams.length === 0) break;
    }
    document.rewind();
    // Where the guide refused every end up to the limit of tokens, the unfinished lines are the
    // best there are.
    return guided?.hasRefusedEnd ? beams : beams.filter((beam) => beam.done);
  }

  /** The best ways to write one more token. */
  #grow(document: OpenDocument, beam: Beam, atPlace: boolean, width: number, guided: GuidedLine | undefined): Beam[] {
    const typed = atPlace ? document.typed : "";
    const evidence = this.#weigh(document, typed);
    const p = this.#mixer.probabilities;
    const written = guided === undefined ? "" : textOf(beam.steps);
    const { toClose, toOpen } = document.brackets;
    const grown: Beam[] = [];
    const seen: number[] = [];
    /** What the guide refused before it allowed anything. */
    let refused: string | undefined;
    const forced = () => (beam.isForced || (refused !== undefined && written !== "") ? { isForced: true } : {});
    while (grown.length < width && seen.length < Math.min(evidence.count, maxCandidates)) {
      let best = -1;
      for (let i = 0; i < evidence.count; i++) {
        if (!seen.includes(i) && (best < 0 || p[i]! > p[best]!)) best = i;
      }
      seen.push(best);
      const id = evidence.ids[best]!;
      const probability = p[best]!;
      const score = beam.score + Math.log(probability);
      if (id === lineEndId || (id === document.endId && toClose === 0 && toOpen === 0)) {
        if (guided?.mayEnd(written) ?? true) grown.push({ steps: beam.steps, score, done: true, ...forced() });
        continue;
      }
      const gap = evidence.gaps[best]!;
      const text = this.#textOf(document, id, gap, typed, atPlace && document.spaced);
      if (guided !== undefined && !guided.allows(written + text)) {
        // Ends at the text the model preferred, instead of continuing with a token that it finds
        // less likely.
        const isOwnEnd = guided.endsAtRefusal && grown.length === 0 && written.trim() !== "";
        if (isOwnEnd && guided.mayBeAll(written)) return [{ ...beam, done: true }];
        if (grown.length === 0) refused ??= text;
        continue;
      }
      const step: Step = {
        ...{ id, gap, text, probability },
        contexts: evidence.contextsOf(best),
        matchPlace: evidence.matchPlace[best]!,
        matchLength: evidence.matchLength[best]!,
      };
      grown.push({ steps: [...beam.steps, step], score, done: false, ...forced() });
    }
    // The guide allows none of the candidates: the line ends as it is.
    if (grown.length === 0 && guided !== undefined && evidence.count > 0)
      grown.push({ ...beam, done: true, ...forced() });
    return grown;
  }

  #textOf(document: OpenDocument, id: number, gap: number, typed: string, spaced: boolean): string {
    const { vocabulary } = this.#knowledge;
    if (isNewline(id)) return "\n";
    const opensLine = vocabulary.kinds[document.walker.last] === TokenKind.newline;
    const space = gap !== Gap.none && !spaced && typed === "" && !opensLine ? " " : "";
    return space + vocabulary.names[id]!.slice(typed.length);
  }

  /** Continues to the end of the block, for as long as each line is likely. */
  #continueLines(document: OpenDocument, line: Beam, options: DecodeOptions): Beam {
    let { steps, score } = line;
    let { isForced } = line;
    let depth = 0;
    for (let lines = 1; lines < options.maxLines; lines++) {
      document.rewrite(steps.map(tokenOf));
      this.#weigh(document, "");
      const breakId = this.#evidence.lineBreak;
      depth += newlineSteps(breakId);
      if (depth < 0 || document.endId !== 0) break;
      const text = `${document.lineEnding.repeat(newlineBlank(breakId) ? 2 : 1)}${document.indentText(depth)}`;
      const newline: Step = { id: breakId, gap: 0, text, probability: 1, contexts: [], matchPlace: -1, matchLength: 0 };
      if (newlineBlank(breakId) && ++lines >= options.maxLines) break;
      if (options.guide?.allows(textOf(steps) + text) === false) break;
      const [next] = this.#decodeLine(document, [...steps, newline], 1, options);
      if (next === undefined || next.steps.length === 0 || next.score < Math.log(minLineProbability)) break;
      // The text after the place is not proposed again.
      if (document.startsNextLine(next.steps.map((step) => step.id))) break;
      if (next.isForced && options.attempts !== undefined) {
        if (options.guide?.mayEnd(textOf(steps)) ?? true) break;
        isForced = true;
      }
      steps = [...steps, newline, ...next.steps];
      score += next.score;
    }
    document.rewind();
    return { steps, score, done: true, ...(isForced && { isForced }) };
  }

  #explain(steps: readonly Step[], score: number, guide: FillGuide | undefined): Completion {
    const tokens = steps.map((step): AnswerToken => {
      const { text, probability, contexts } = step;
      const match = this.#matchOf(step);
      return match === undefined ? { text, probability, contexts } : { text, probability, contexts, match };
    });
    const text = textOf(steps);
    const isUnfinished = guide?.mayEnd(text) === false;
    return { text, probability: Math.exp(score), tokens, ...(isUnfinished && { isUnfinished }) };
  }

  #matchOf(step: Step): TokenMatch | undefined {
    if (step.matchPlace < 0) return undefined;
    const { corpus } = this.#knowledge;
    const index = corpus.documentAt(step.matchPlace);
    return {
      path: corpus.paths[index]!,
      tokenIndex: step.matchPlace - corpus.documentStarts[index]!,
      length: step.matchLength,
    };
  }
}

/**
 * What offering a text of so many UTF-16 units is worth, in keystrokes: those saved when it is
 * right, less the attention it costs when it is wrong; may be negative. `probability`, from 0 to 1,
 * is that of the text being right. A wrong text costs a glance, and more the longer it is.
 */
export function expectedGain(characters: number, probability: number): number {
  return probability * characters - (1 - probability) * (2 + 0.1 * characters);
}

/**
 * `steps` without the words at their end that would run into the word that is right after the
 * place.
 */
function beforeWord(steps: readonly Step[], word: string): readonly Step[] {
  if (word === "") return steps;
  let end = steps.length;
  while (end > 0 && /[\p{L}\p{N}_$]$/u.test(steps[end - 1]!.text)) end--;
  return steps.slice(0, end);
}

interface GuidedLineOptions {
  /** The text above the line. */
  readonly above: string;
  readonly maxLines: number;
  readonly endsAtRefusal?: boolean;
}

/** The result of a guide for a line that is being written. */
class GuidedLine {
  /** Whether it kept the line from its end. */
  hasRefusedEnd = false;
  /** Whether the text ends where the likeliest token is refused and the text may end. */
  readonly endsAtRefusal: boolean;
  readonly #guide: FillGuide;
  readonly #above: string;
  readonly #mayGoOnBelow: boolean;

  constructor(guide: FillGuide, { above, maxLines, endsAtRefusal = false }: GuidedLineOptions) {
    this.#guide = guide;
    this.endsAtRefusal = endsAtRefusal;
    this.#above = above;
    this.#mayGoOnBelow = maxLines > 1;
  }

  allows(line: string): boolean {
    return this.#guide.allows(this.#above + line);
  }

  /** Whether the text may end with the line as it is. */
  mayBeAll(line: string): boolean {
    return this.#guide.mayEnd(this.#above + line);
  }

  /** Whether the line may come to its end, and with it the text, or another line may follow. */
  mayEnd(line: string): boolean {
    const text = this.#above + line;
    if (this.#guide.mayEnd(text) || (this.#mayGoOnBelow && this.#guide.allows(`${text}\n`))) return true;
    this.hasRefusedEnd = true;
    return false;
  }
}

/** The beginning of `steps` that is worth most, and that may be all. */
function worthwhile(steps: readonly Step[], score: number, guide: FillGuide | undefined): readonly Step[] {
  let best = steps;
  let most = expectedGain(lengthOf(steps), Math.exp(score));
  let probability = 1;
  let characters = 0;
  for (const [i, step] of steps.entries()) {
    probability *= step.probability;
    characters += step.text.length;
    const gain = expectedGain(characters, probability);
    if (gain > most + 1 && (guide?.mayEnd(textOf(steps.slice(0, i + 1))) ?? true)) {
      most = gain;
      best = steps.slice(0, i + 1);
    }
  }
  return best;
}

function tokenOf({ id, gap }: Step): number {
  return (id << 2) | gap;
}

function textOf(steps: readonly Step[]): string {
  return steps.map(({ text }) => text).join("");
}

function lengthOf(steps: readonly Step[]): number {
  return steps.reduce((length, step) => length + step.text.length, 0);
}

/** The one with the highest mean log-probability per token, where there is any. */
function best(beams: readonly Beam[]): readonly Beam[] {
  return [...beams].sort((a, b) => meanOf(b) - meanOf(a)).slice(0, 1);
}

/**
 * How many tokens at the end of `steps` have come three times one after the other; 0 where none
 * have.
 */
function repeatedPeriod(steps: readonly Step[]): number {
  const { length } = steps;
  for (let period = 2; period <= longestPeriod && 3 * period <= length; period++) {
    const isSame = (back: number) => steps[length - back]!.id === steps[length - back - period]!.id;
    if (Array.from({ length: 2 * period }, (_, i) => i + 1).every(isSame)) return period;
  }
  return 0;
}

/** The mean of the tokens' log-probabilities; the end counts as a token. */
function meanOf({ score, steps }: Beam): number {
  return score / (steps.length + 1);
}

function scoreOf(steps: readonly Step[]): number {
  return steps.reduce((score, step) => score + Math.log(step.probability), 0);
}
