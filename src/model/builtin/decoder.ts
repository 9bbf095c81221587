import type { AnswerToken, TokenMatch } from "../answer-token.ts";
import type { FillGuide } from "../model.ts";
import type { Completion, CompletionAnswer } from "./completion.ts";
import { Evidence, lineEndId, maxCandidates } from "./evidence.ts";
import type { Knowledge } from "./knowledge.ts";
import type { MixerEnsemble } from "./mixer-ensemble.ts";
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
  /** What the completion may be; anything unless told. */
  readonly guide?: FillGuide | undefined;
}

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
    const { guide } = options;
    const lines = this.#decodeLine(document, [], Math.max(options.limit, options.beamWidth), options);
    if (lines.length === 0) return { kind: "silent", reason: "nothing-known" };
    if (lines[0]!.steps.length === 0) return { kind: "silent", reason: "line-complete" };
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
    if (best === undefined || best.text === "") return { kind: "silent", reason: "line-complete" };
    const floor = options.minProbability;
    const good = completions.filter((c) =>
      floor === undefined ? expectedGain(c.text.length, c.probability) > 0 : c.probability >= floor,
    );
    const [first, ...others] = good;
    if (first === undefined) return { kind: "silent", reason: "unsure", best };
    return { kind: "offered", completions: [first, ...others] };
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

  /** Learns from `tokens` that a person wrote at the place: how much to trust each context. Returns the mean loss in bits. */
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
    const guided = guide && new GuidedLine(guide, { above: textOf(before), maxLines });
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
    // What was kept from its end until there was no more room is as good as it gets.
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
        if (guided?.mayEnd(written) ?? true) grown.push({ steps: beam.steps, score, done: true });
        continue;
      }
      const gap = evidence.gaps[best]!;
      const text = this.#textOf(document, id, gap, typed, atPlace && document.spaced);
      if (guided !== undefined && !guided.allows(written + text)) continue;
      const step: Step = {
        ...{ id, gap, text, probability },
        contexts: evidence.contextsOf(best),
        matchPlace: evidence.matchPlace[best]!,
        matchLength: evidence.matchLength[best]!,
      };
      grown.push({ steps: [...beam.steps, step], score, done: false });
    }
    // Nothing that is known is allowed: it stays as it is.
    if (grown.length === 0 && guided !== undefined && evidence.count > 0) grown.push({ ...beam, done: true });
    return grown;
  }

  #textOf(document: OpenDocument, id: number, gap: number, typed: string, spaced: boolean): string {
    const { vocabulary } = this.#knowledge;
    if (isNewline(id)) return "\n";
    const opensLine = vocabulary.kinds[document.walker.last] === TokenKind.newline;
    const space = gap !== Gap.none && !spaced && typed === "" && !opensLine ? " " : "";
    return space + vocabulary.names[id]!.slice(typed.length);
  }

  /** Goes on to the end of the block, for as long as each line is likely. */
  #continueLines(document: OpenDocument, line: Beam, options: DecodeOptions): Beam {
    let { steps, score } = line;
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
      // What stands after the place is not proposed again.
      if (document.startsNextLine(next.steps.map((step) => step.id))) break;
      steps = [...steps, newline, ...next.steps];
      score += next.score;
    }
    document.rewind();
    return { steps, score, done: true };
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
 * What offering a text is worth, in keystrokes: those saved when it is right, less the attention it costs when it is
 * wrong. A wrong text costs a glance, and more the longer it is.
 */
export function expectedGain(characters: number, probability: number): number {
  return probability * characters - (1 - probability) * (2 + 0.1 * characters);
}

/** `steps` without the words at their end that would run into the word that stands right after the place. */
function beforeWord(steps: readonly Step[], word: string): readonly Step[] {
  if (word === "") return steps;
  let end = steps.length;
  while (end > 0 && /[\p{L}\p{N}_$]$/u.test(steps[end - 1]!.text)) end--;
  return steps.slice(0, end);
}

/** What a guide says of a line that is being written. */
class GuidedLine {
  /** Whether it kept the line from its end. */
  hasRefusedEnd = false;
  readonly #guide: FillGuide;
  readonly #above: string;
  readonly #mayGoOnBelow: boolean;

  constructor(guide: FillGuide, { above, maxLines }: { readonly above: string; readonly maxLines: number }) {
    this.#guide = guide;
    this.#above = above;
    this.#mayGoOnBelow = maxLines > 1;
  }

  allows(line: string): boolean {
    return this.#guide.allows(this.#above + line);
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

function scoreOf(steps: readonly Step[]): number {
  return steps.reduce((score, step) => score + Math.log(step.probability), 0);
}
