import { type EndingParts, type EndingPiece, type EndingPlan, plansFor } from "./ending-plans.ts";
import { isWordByte, joined, lineOpenings, writeEnding, writeIndentation } from "./ending-writer.ts";
import type { Filling, HoleQuestions } from "./filling.ts";
import { MinHeap } from "./min-heap.ts";
import type { SuffixAnalysis } from "./suffix-analysis.ts";

/** How an ending is searched. */
export interface EndingSearchOptions {
  /** The most bytes of an ending; default: any number. */
  readonly maxBytes?: number | undefined;
  /**
   * Whether there is time to look further; always unless set. Where there is none, nothing more is
   * found.
   */
  readonly goesOn?: (() => boolean) | undefined;
}

/** How many beginnings of endings are gone on from, and how many are looked at. */
const maxExpanded = 60;
const maxSeen = 8000;

/** How many plans are written out from one beginning. */
const plansFromOne = 8;

/** A beginning of an ending. */
interface Begun {
  readonly filling: Filling;
  readonly written: Uint8Array;
  /** The plans to go on, once they were looked for. */
  readonly plans?: readonly EndingPlan[];
}

/**
 * Texts with which the hole may stop after `filling`, all different, shorter ones mostly first.
 *
 * The cheapest plans are written out. They know nothing of conditions on what comes next, and
 * hardly of what lexemes do side by side, so that none may come to something: then each lexeme that
 * may come next is put behind the filling, and the same is done from there, in the order of the
 * bytes that are written and still planned. Source: Hart, Nilsson and Raphael 1968 (A*); the plans
 * are the estimate.
 */
export function* endingsOf(
  parts: EndingParts,
  filling: Filling,
  { maxBytes = Number.POSITIVE_INFINITY }: EndingSearchOptions = {},
): Generator<Uint8Array, undefined> {
  const { hole } = parts;
  if (!hole.isAlive(filling)) return undefined;
  const handed = new Set<string>();
  const queue = new MinHeap<Begun>();
  const seen = new Set<string>([keyOf(filling)]);
  /** Endings that were found, and that a shorter one may still come before. */
  const found = new MinHeap<Uint8Array>();
  const find = (ending: Uint8Array) => {
    const key = ending.join();
    if (ending.length > maxBytes || handed.has(key)) return;
    handed.add(key);
    found.push(ending.length, ending);
  };
  if (hole.canStop(filling)) find(new Uint8Array());
  queue.push(0, { filling, written: new Uint8Array() });
  let expanded = 0;
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { cost, value: begun } = next;
    if (cost > maxBytes) break;
    for (let best = found.pop(); best !== undefined; best = found.pop()) {
      if (best.cost > cost) {
        found.push(best.cost, best.value);
        break;
      }
      yield best.value;
    }
    const plans = begun.plans ?? plansFor(parts, begun.filling);
    const least = begun.written.length + (plans[0]?.cost ?? unplanned);
    if (begun.plans === undefined && least > cost) {
      queue.push(least, { ...begun, plans });
      continue;
    }
    if (parts.goesOn?.() === false) return undefined;
    for (const { pieces } of plans.slice(0, plansFromOne)) {
      const rest = writeEnding(parts, begun.filling, pieces);
      if (rest !== undefined) find(joined([begun.written, rest]));
    }
    for (const text of blocksBehind(parts, begun.filling)) {
      if (hole.canStop(hole.add(begun.filling, text))) find(joined([begun.written, text]));
    }
    if (expanded++ >= maxExpanded) break;
    for (const text of textsBehind(parts, begun.filling)) {
      if (parts.goesOn?.() === false) return undefined;
      const after = hole.add(begun.filling, text);
      if (!hole.isAlive(after) || seen.size > maxSeen) continue;
      const key = keyOf(after);
      if (seen.has(key)) continue;
      seen.add(key);
      const written = joined([begun.written, text]);
      if (hole.canStop(after)) find(written);
      queue.push(Math.max(cost, written.length), { filling: after, written });
    }
  }
  for (let best = found.pop(); best !== undefined; best = found.pop()) yield best.value;
  return undefined;
}

/** What is taken to be still needed where there is no plan. */
const unplanned = 4;

const blank = Uint8Array.of(0x20);
const lineBreak = Uint8Array.of(0x0a);

/**
 * Texts that an ending may begin with: of each lexeme and comment the shortest, the rest of an open
 * one, white space, lines.
 */
function textsBehind({ hole, behind }: EndingParts, filling: Filling): readonly Uint8Array[] {
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
 * Blocks in each other, as deep as lines behind ask for, written with what the grammar opens blocks
 * with. A line that stands two blocks deeper than any that is open wants both, and so does the line
 * behind it that is one block less deep.
 */
function blocksBehind({ hole, behind }: EndingParts, filling: Filling): readonly Uint8Array[] {
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

/** How many blocks in each other are opened for the text behind. */
const deepestBlocks = 6;

/** The same for fillings with the same future. */
function keyOf({ readings, bytes }: Filling): string {
  const ways = readings.map(({ front, spacing, start, lexeme, names }) => {
    const open = typeof lexeme === "string" ? lexeme : `${lexeme.state}.${lexeme.matchEnd}.${lexeme.matchState}`;
    return `${front.id}.${spacing}.${start}.${open}.${names?.id}`;
  });
  return `${ways.join()}:${bytes.join()}`;
}

/** How many plans are tried. */
const maxTriedPlans = 24;

/**
 * A text with which the hole may stop after `filling`, the shortest that the costs of the grammar's
 * symbols tell of; where none of these can be written, the first that a search finds, and
 * `undefined` where that finds none either. Blanks are put only where lexemes would run together.
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
  const plans = plansFor(parts, filling);
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

/** From how many plans others are made. */
const maxVariedPlans = 4;

/**
 * Other texts with which the hole may stop after `filling`: what the next best plans say, then the
 * plans with one of the grammar's openings, then with a lexeme more, such as `async` before a
 * function. Words come first, since they change what may stand inside more than signs do.
 */
export function* otherEndings(parts: EndingParts, filling: Filling): Generator<Uint8Array, undefined> {
  const seen = new Set<string>();
  const plans = plansFor(parts, filling).slice(0, maxVariedPlans);
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
 * The pieces with a text that opens more than the grammar asks for, between two of them, or in
 * place of one or all that follow.
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
  const signs = terminals.filter((terminal) => !isWordByte(lex.shortest[terminal]![0]!));
  for (const more of [...words, ...signs]) {
    for (let at = 0; at <= pieces.length; at++) {
      const ending = writeEnding(parts, filling, [...pieces.slice(0, at), more, ...pieces.slice(at)]);
      if (ending !== undefined) yield ending;
    }
  }
}
