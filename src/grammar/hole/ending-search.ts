import { type EndingParts, type EndingPiece, type EndingPlan, endingPlans } from "./ending-plans.ts";
import { isWordByte, joined, lineOpenings, writeEnding, writeIndentation } from "./ending-writer.ts";
import type { Filling, HoleQuestions } from "./filling.ts";
import { MinHeap } from "./min-heap.ts";
import type { SuffixAnalysis } from "./suffix-analysis.ts";

/** The limits of a search for an ending. */
export interface EndingSearchOptions {
  /** The most bytes of an ending; no limit by default. */
  readonly maxBytes?: number | undefined;
  /**
   * Whether the search may continue; always by default. Once it is false, nothing more is found.
   */
  readonly goesOn?: (() => boolean) | undefined;
}

/** The most prefixes of endings that are expanded, and that are visited. */
const maxExpanded = 60;
const maxSeen = 8000;

/** The most plans that are written from one prefix. */
const plansFromOne = 8;

/** A prefix of an ending. */
interface EndingPrefix {
  readonly filling: Filling;
  readonly written: Uint8Array;
  /** The plans to continue it, once they are computed. */
  readonly plans?: readonly EndingPlan[];
}

/**
 * Texts in UTF-8 that complete `filling`, all distinct, shorter ones mostly first; the empty text
 * for a complete filling. None for a filling that is not completable, and none after `parts.goesOn`
 * returns false or the search has reached its limit: there may be endings that are not found.
 *
 * The cheapest plans are written first. Plans ignore conditions on the next terminal, and mostly
 * how adjacent lexemes affect each other, so that none of them may be valid. Then each lexeme that
 * may come next is appended to the filling and the search repeats from there, in the order of
 * written plus planned bytes. Source: Hart, Nilsson and Raphael 1968 (A*), with the plans as the
 * heuristic.
 */
export function* endingsOf(
  parts: EndingParts,
  filling: Filling,
  { maxBytes = Number.POSITIVE_INFINITY }: EndingSearchOptions = {},
): Generator<Uint8Array, undefined> {
  const { hole } = parts;
  if (!hole.isAlive(filling)) return undefined;
  const yielded = new Set<string>();
  const queue = new MinHeap<EndingPrefix>();
  const seen = new Set<string>([keyOf(filling)]);
  /** Endings that were found; a shorter one may still be found before they are yielded. */
  const found = new MinHeap<Uint8Array>();
  const find = (ending: Uint8Array) => {
    const key = ending.join();
    if (ending.length > maxBytes || yielded.has(key)) return;
    yielded.add(key);
    found.push(ending.length, ending);
  };
  if (hole.canStop(filling)) find(new Uint8Array());
  queue.push(0, { filling, written: new Uint8Array() });
  let expanded = 0;
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { cost, value: prefix } = next;
    if (cost > maxBytes) break;
    for (let best = found.pop(); best !== undefined; best = found.pop()) {
      if (best.cost > cost) {
        found.push(best.cost, best.value);
        break;
      }
      yield best.value;
    }
    const plans = prefix.plans ?? endingPlans(parts, prefix.filling);
    const least = prefix.written.length + (plans[0]?.cost ?? unplanned);
    if (prefix.plans === undefined && least > cost) {
      queue.push(least, { ...prefix, plans });
      continue;
    }
    if (parts.goesOn?.() === false) return undefined;
    for (const { pieces } of plans.slice(0, plansFromOne)) {
      const rest = writeEnding(parts, prefix.filling, pieces);
      if (rest !== undefined) find(joined([prefix.written, rest]));
    }
    for (const text of nestedBlocks(parts, prefix.filling)) {
      if (hole.canStop(hole.add(prefix.filling, text))) find(joined([prefix.written, text]));
    }
    if (expanded++ >= maxExpanded) break;
    for (const text of continuationsOf(parts, prefix.filling)) {
      if (parts.goesOn?.() === false) return undefined;
      const after = hole.add(prefix.filling, text);
      if (!hole.isAlive(after) || seen.size > maxSeen) continue;
      const key = keyOf(after);
      if (seen.has(key)) continue;
      seen.add(key);
      const written = joined([prefix.written, text]);
      if (hole.canStop(after)) find(written);
      queue.push(Math.max(cost, written.length), { filling: after, written });
    }
  }
  for (let best = found.pop(); best !== undefined; best = found.pop()) yield best.value;
  return undefined;
}

/** The estimated bytes where there is no plan. */
const unplanned = 4;

const blank = Uint8Array.of(0x20);
const lineBreak = Uint8Array.of(0x0a);

/**
 * Texts that an ending may begin with: shortest lexemes and comments, the rest of an open lexeme,
 * white space, line breaks with indentation.
 */
function continuationsOf({ hole, behind }: EndingParts, filling: Filling): readonly Uint8Array[] {
  const { lex, layout } = hole.reader.parser.grammar;
  const rests = filling.readings.flatMap(({ lexeme }) =>
    typeof lexeme === "string" ? [] : behind.index.reach.matches(lexeme.state).map(({ bytes }) => bytes),
  );
  const trivia = lex.modes.flatMap(({ start }) =>
    behind.index.reach.matches(start).filter(({ state }) => lex.matches[lex.match[state]!]!.isTrivia),
  );
  const texts = [
    ...hole.namesAt(filling),
    ...rests,
    ...trivia.map(({ bytes }) => bytes),
    blank,
    lineBreak,
    ...lex.shortest,
  ];
  if (layout !== undefined) {
    const { open, opened } = lineOpenings({ hole, behind }, filling);
    const indentations = [...open, ...opened].map(writeIndentation);
    texts.push(...indentations, ...indentations.map((blanks) => joined([lineBreak, blanks])));
  }
  return texts.filter((text) => text.length > 0);
}

/**
 * Nested blocks for the depths of lines in the suffix, written with the grammar's openings. A line
 * that is two blocks deeper than the deepest open block needs both, and so does the line after it
 * that is one block shallower.
 */
function nestedBlocks({ hole, behind }: EndingParts, filling: Filling): readonly Uint8Array[] {
  const { layout, openings = [] } = hole.reader.parser.grammar;
  if (layout === undefined) return [];
  const { open, opened } = lineOpenings({ hole, behind }, filling);
  const [, ...wanted] = opened;
  const levels = wanted
    .sort((a, b) => a.columns - b.columns)
    .slice(0, deepestBlocks)
    .map(writeIndentation);
  const here = joined([lineBreak, open[0] === undefined ? new Uint8Array() : writeIndentation(open[0])]);
  return openings.flatMap((opening) => {
    const opener = joined([new TextEncoder().encode(opening), lineBreak]);
    return levels.flatMap((level, index) => {
      const blocks = joined([opener, ...levels.slice(0, index).flatMap((outer) => [outer, opener])]);
      const deepest = joined([blocks, level]);
      return [blocks, deepest, joined([here, blocks]), joined([here, deepest])];
    });
  });
}

/** The most nested blocks that are opened for the suffix. */
const deepestBlocks = 6;

/** A key that is equal for fillings with the same continuations. */
function keyOf({ readings, bytes }: Filling): string {
  const ways = readings.map(({ front, spacing, start, lexeme, names }) => {
    const open = typeof lexeme === "string" ? lexeme : `${lexeme.state}.${lexeme.matchEnd}.${lexeme.matchState}`;
    return `${front.id}.${spacing}.${start}.${open}.${names?.id}`;
  });
  return `${ways.join()}:${bytes.join()}`;
}

/** The most plans that are tried for a shortest ending. */
const maxTriedPlans = 24;

/**
 * A shortest text that completes `filling`, as far as the costs of the grammar's symbols predict,
 * in UTF-8; empty for a complete filling. Where no plan can be written, the first text that
 * `endingsOf` finds. `undefined` where that finds none, where the ending is longer than `maxBytes`,
 * and for a filling that is not completable. Blanks are written only where lexemes would merge.
 */
export function shortestEnding(
  hole: HoleQuestions,
  behind: SuffixAnalysis,
  filling: Filling,
  options: EndingSearchOptions = {},
): Uint8Array | undefined {
  const { maxBytes = Number.POSITIVE_INFINITY, goesOn } = options;
  const parts = { hole, behind, goesOn };
  if (!hole.isAlive(filling)) return undefined;
  if (hole.canStop(filling)) return new Uint8Array();
  const plans = endingPlans(parts, filling);
  if (plans.length > 0 && plans[0]!.cost > maxBytes) return undefined;
  let best: Uint8Array | undefined;
  for (const { cost, pieces } of plans.slice(0, maxTriedPlans)) {
    if (best !== undefined && cost >= best.length) break;
    const written = writeEnding(parts, filling, pieces);
    if (written !== undefined && (best === undefined || written.length < best.length)) best = written;
  }
  if (best !== undefined) return best.length <= maxBytes ? best : undefined;
  return endingsOf(parts, filling, options).next().value;
}

/** The number of plans that are varied. */
const maxVariedPlans = 4;

/**
 * Texts in UTF-8 that complete `filling`, all distinct; not all that exist. First come the four
 * best plans, the shortest ending among them, then these plans with one of the grammar's openings,
 * then with one lexeme more, such as `async` before a function. Words are tried before punctuation,
 * since they change more often what is allowed inside.
 */
export function* otherEndings(parts: EndingParts, filling: Filling): Generator<Uint8Array, undefined> {
  const seen = new Set<string>();
  const plans = endingPlans(parts, filling).slice(0, maxVariedPlans);
  for (const ending of allOf(parts, filling, plans)) {
    if (seen.has(ending.join())) continue;
    seen.add(ending.join());
    yield ending;
  }
  return undefined;
}

function* allOf(parts: EndingParts, filling: Filling, plans: readonly EndingPlan[]): Generator<Uint8Array> {
  for (const { pieces } of plans) {
    const ending = writeEnding(parts, filling, pieces);
    if (ending !== undefined) yield ending;
  }
  for (const { pieces } of plans) yield* withOpening(parts, filling, pieces);
  for (const { pieces } of plans) yield* withOneMore(parts, filling, pieces);
}

/**
 * The pieces with an opening between two of them, or in place of the next one or of all that
 * follow.
 */
function* withOpening(parts: EndingParts, filling: Filling, pieces: readonly EndingPiece[]): Generator<Uint8Array> {
  const { openings = [] } = parts.hole.reader.parser.grammar;
  for (const opening of openings) {
    const text = new TextEncoder().encode(opening);
    for (let at = 0; at <= pieces.length; at++) {
      for (const rest of new Set([pieces.length, at + 1, at])) {
        const ending = writeEnding(parts, filling, [...pieces.slice(0, at), text, ...pieces.slice(rest)]);
        if (ending !== undefined) yield ending;
      }
    }
  }
}

function* withOneMore(parts: EndingParts, filling: Filling, pieces: readonly EndingPiece[]): Generator<Uint8Array> {
  const { lex } = parts.hole.reader.parser.grammar;
  const terminals = [...lex.shortest.keys()].filter((terminal) => lex.shortest[terminal]!.length > 0);
  const words = terminals.filter((terminal) => isWordByte(lex.shortest[terminal]![0]!));
  const punctuation = terminals.filter((terminal) => !isWordByte(lex.shortest[terminal]![0]!));
  for (const more of [...words, ...punctuation]) {
    for (let at = 0; at <= pieces.length; at++) {
      const ending = writeEnding(parts, filling, [...pieces.slice(0, at), more, ...pieces.slice(at)]);
      if (ending !== undefined) yield ending;
    }
  }
}
