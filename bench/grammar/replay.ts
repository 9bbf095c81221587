import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { FillSession, type TextAround } from "../../src/grammar/hole/fill-session.ts";
import { SuffixAnalysis, SuffixDigest } from "../../src/grammar/hole/suffix-analysis.ts";
import type { GrammarVocabulary } from "../../src/grammar/masks/grammar-vocabulary.ts";
import { TokenMasker } from "../../src/grammar/masks/token-masker.ts";
import { hasToken } from "../../src/grammar/masks/token-set.ts";
import { Parser } from "../../src/grammar/reading/parser.ts";
import type { CompiledGrammar } from "../../src/grammar/tables/compiled-grammar.ts";
import { cpuMs } from "./cpu-time.ts";

/** A hole cut out of a text. */
export interface Cut extends TextAround {
  readonly file: string;
  readonly before: string;
  readonly middle: string;
  readonly behind: string;
}

/** Times of one hole, in milliseconds of CPU. */
export interface HoleTimes {
  readonly openMs: number;
  readonly suffixMs: number;
  readonly reopenMs: number;
  readonly maskMs: readonly number[];
  /** Tokens of what stood there that were not allowed; with whether it could stop at the end. */
  readonly refused: number;
  readonly stops: boolean;
}

/**
 * Fills a hole with what stood there, token by token, with a mask before each; `undefined` where it
 * cannot be opened.
 */
export function replay(grammar: CompiledGrammar, of: GrammarVocabulary, cut: Cut): HoleTimes | undefined {
  const suffixMs = timeOf(
    () => new SuffixAnalysis(new SuffixDigest(new Parser(grammar), [new TextEncoder().encode(cut.behind)])).canEnd,
  );
  const session = new FillSession(grammar);
  const started = cpuMs();
  const opening = session.open(cut);
  const openMs = cpuMs() - started;
  if (opening.kind !== "open") return undefined;
  const edited = { ...cut, before: withBlankLine(cut.before) };
  const reopenMs = timeOf(() => session.open(edited));
  const masker = new TokenMasker(opening.hole, of);
  const maskMs: number[] = [];
  let refused = 0;
  for (const token of encode(cut.middle, { disallowedSpecial: new Set() })) {
    const before = cpuMs();
    const mask = masker.mask();
    maskMs.push(cpuMs() - before);
    if (!hasToken(mask, token)) refused++;
    if (!masker.accept(token)) break;
  }
  return { openMs, suffixMs, reopenMs, maskMs, refused, stops: masker.canStop() };
}

/**
 * Holes of 20 to 200 characters at random places, in texts with `suffixLines` lines behind them,
 * about.
 */
export function* cuts(
  files: readonly { readonly path: string; readonly text: string }[],
  suffixLines: number,
  random: () => number,
): Generator<Cut, void> {
  const long = files.filter(({ text }) => text.split("\n").length > suffixLines * 1.2);
  if (long.length === 0) return;
  for (;;) {
    const { path, text } = long[Math.floor(random() * long.length)]!;
    const lines = text.split("\n");
    const behindLines = Math.round(suffixLines * (0.9 + 0.2 * random()));
    const lineStart = lines.slice(0, lines.length - behindLines).join("\n").length + 1;
    const line = lines[lines.length - behindLines]!;
    const end = lineStart + Math.floor(random() * (line.length + 1));
    const start = Math.max(0, end - 20 - Math.floor(random() * 180));
    yield { file: path, before: text.slice(0, start), middle: text.slice(start, end), behind: text.slice(end) };
  }
}

/** A blank line more, in the middle of a text. */
function withBlankLine(text: string): string {
  const at = text.indexOf("\n", Math.floor(text.length / 2)) + 1;
  return `${text.slice(0, at)}\n${text.slice(at)}`;
}

function timeOf(action: () => unknown): number {
  const started = cpuMs();
  action();
  return cpuMs() - started;
}
