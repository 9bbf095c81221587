import type { BehindHole } from "./behind-hole.ts";
import type { Filling, HoleQuestions } from "./filling.ts";
import type { Crossing, Entry } from "./junction.ts";
import { suspended } from "./layouts.ts";
import type { Reading } from "./reading.ts";
import type { Front, StackNode } from "./stack.ts";
import { isWordByte } from "./yield-costs.ts";

/** What an ending is searched with. */
interface Parts {
  readonly hole: HoleQuestions;
  readonly behind: BehindHole;
}

/** A piece of an ending: bytes as they are, or a terminal to be written. */
type Piece = Uint8Array | number;

/** A way to end that the costs speak for; whether the lexemes stand together as they should is to be seen. */
interface Plan {
  readonly cost: number;
  readonly pieces: readonly Piece[];
}

/** How many ways to write one ending are tried, and how many endings. */
const maxAttempts = 400;
const maxPlans = 24;
const plansPerFront = 4;

/**
 * A text with which the hole may stop after `filling`, the shortest that the costs of the grammar's symbols tell of; `undefined`
 * where none is found. Blanks are put only where lexemes would run together.
 */
export function shortestEnding(hole: HoleQuestions, behind: BehindHole, filling: Filling): Uint8Array | undefined {
  if (hole.canStop(filling)) return new Uint8Array();
  const plans = plansFor({ hole, behind }, filling).sort((a, b) => a.cost - b.cost);
  let best: Uint8Array | undefined;
  for (const plan of plans.slice(0, maxPlans)) {
    if (best !== undefined && plan.cost >= best.length) break;
    const written = new EndingWriter(hole).write(filling, plan.pieces);
    if (written !== undefined && (best === undefined || written.length < best.length)) best = written;
  }
  return best;
}

function plansFor(parts: Parts, filling: Filling): Plan[] {
  return filling.readings.flatMap((reading) =>
    typeof reading.lexeme === "string"
      ? plansFrom(parts, reading.front, [], 0)
      : plansOfLexeme(parts, filling, reading, reading.lexeme.state),
  );
}

/** The lexeme is ended in each way there is, and then the text; or it runs on into what stands behind the hole. */
function plansOfLexeme(parts: Parts, filling: Filling, reading: Reading, state: number): Plan[] {
  const { parser } = parts.hole.reader;
  const { lex } = parser.grammar;
  const plans: Plan[] = [];
  const seen = new Set<Front>();
  for (const { state: end, bytes } of parts.behind.index.reach.matches(state)) {
    const match = lex.matches[lex.match[end]!]!;
    const fronts = match.readings.map((terminals) => parser.takeAll(reading.front, terminals, reading.spacing));
    if (match.isTrivia) fronts.push(reading.front);
    for (const front of fronts) {
      if (front.isEmpty || seen.has(front)) continue;
      seen.add(front);
      plans.push(...plansFrom(parts, front, [bytes], bytes.length));
    }
  }
  const tree = parts.behind.index.reach.tree(state);
  for (const reached of tree.order) {
    if (!parts.hole.mayRunOn(reading, filling, reached)) continue;
    const bytes = tree.pathTo(reached);
    plans.push({ cost: bytes.length, pieces: [bytes] });
    break;
  }
  return plans;
}

function plansFrom(parts: Parts, front: Front, before: readonly Piece[], costBefore: number): Plan[] {
  const plans: Plan[] = [];
  for (const { cost, written } of parts.behind.search.cheapest(front, parts.behind.inHole)) {
    const pieces = [...before, ...written.flatMap((each) => piecesOf(parts, each))];
    plans.push({ cost: costBefore + cost, pieces });
    if (plans.length === plansPerFront) break;
  }
  return plans;
}

function piecesOf(parts: Parts, written: Crossing | Entry): Piece[] {
  if ("bytes" in written) return written.bytes.length === 0 ? [] : [written.bytes];
  const { tables } = parts.hole.reader.parser.grammar;
  const symbols = tables.productionRight[written.production]!.slice(written.dot, written.until);
  const pieces: Piece[] = [...symbols].flatMap((symbol) => parts.behind.index.costs.terminals(symbol));
  return written.inner === undefined ? pieces : [...pieces, ...piecesOf(parts, written.inner)];
}

/** Writes the pieces of an ending one after the other, and tries again with a blank or a line break where that comes to nothing. */
class EndingWriter {
  readonly #hole: HoleQuestions;
  #attempts = 0;

  constructor(hole: HoleQuestions) {
    this.#hole = hole;
  }

  /** The bytes, where a way was found. */
  write(filling: Filling, pieces: readonly Piece[]): Uint8Array | undefined {
    const written = this.#write(filling, pieces, 0, lastByte(filling.bytes));
    return written === undefined ? undefined : joined(written);
  }

  #write(filling: Filling, pieces: readonly Piece[], at: number, last: number | undefined): Uint8Array[] | undefined {
    if (!this.#hole.isAlive(filling) || this.#attempts++ > maxAttempts) return undefined;
    if (at === pieces.length) return this.#stop(filling);
    const piece = pieces[at]!;
    for (const text of this.#textsOf(piece, pieces[at + 1], filling, last)) {
      const rest = this.#write(this.#hole.add(filling, text), pieces, at + 1, lastByte(text) ?? last);
      if (rest !== undefined) return [text, ...rest];
    }
    return undefined;
  }

  #stop(filling: Filling): Uint8Array[] | undefined {
    for (const text of [[], [space], [lineFeed]]) {
      const bytes = Uint8Array.from(text);
      if (this.#hole.canStop(this.#hole.add(filling, bytes))) return [bytes];
    }
    return undefined;
  }

  /** The ways to write a piece, the likeliest first. */
  #textsOf(piece: Piece, next: Piece | undefined, filling: Filling, last: number | undefined): readonly Uint8Array[] {
    if (typeof piece !== "number") return [piece, joined([Uint8Array.of(lineFeed), piece])];
    const { grammar } = this.#hole.reader.parser;
    const { layout } = grammar;
    if (piece === layout?.newline) return this.#lineBreaks(filling, next === layout.indent);
    if (piece === layout?.indent || piece === layout?.dedent) return [new Uint8Array()];
    const virtual = grammar.virtuals.find(({ terminal }) => terminal === piece);
    if (virtual?.kind === "require") return [new Uint8Array()];
    if (virtual !== undefined) return [new Uint8Array(), Uint8Array.of(lineFeed)];
    const lexeme = grammar.lex.shortest[piece]!;
    const indented = this.#indentations(filling).map((blanks) => joined([blanks, lexeme]));
    const spaced = joined([Uint8Array.of(space), lexeme]);
    const onNextLine = joined([Uint8Array.of(lineFeed), lexeme]);
    const wouldJoin = last !== undefined && isWordByte(last) && isWordByte(lexeme[0]!);
    const texts = wouldJoin ? [spaced, onNextLine, lexeme] : [lexeme, spaced, onNextLine];
    return [...indented, ...texts];
  }

  /** Where a line has begun: the blanks that take it to the depth of each block that is open, and of a new one. */
  #indentations(filling: Filling): readonly Uint8Array[] {
    const line = filling.readings.find(({ lexeme }) => lexeme === "indentation");
    if (line === undefined) return [];
    const written = filling.bytes.length - line.start;
    const depths = this.#depths(filling);
    return [...depths, (depths[0] ?? 0) + 4]
      .filter((columns) => columns >= written)
      .map((columns) => new Uint8Array(columns - written).fill(space));
  }

  /** How deep the blocks are that are open, the deepest first. */
  #depths(filling: Filling): readonly number[] {
    const { layouts } = this.#hole.reader.parser;
    return [...blocksOf(filling)].map((layout) => layouts.indentation(layout).columns).sort((a, b) => b - a);
  }

  /** A line break, and the indentation of a block that is open, or of a new one; or none, where the text behind brings its own. */
  #lineBreaks(filling: Filling, opensBlock: boolean): readonly Uint8Array[] {
    const depths = this.#depths(filling);
    const columns = opensBlock ? [(depths[0] ?? 0) + 4] : [...depths, 0];
    return columns.map((column) => {
      const line = new Uint8Array(column + 1).fill(space);
      line[0] = lineFeed;
      return line;
    });
  }
}

const space = 0x20;
const lineFeed = 0x0a;

/** The layouts of all blocks that are open. */
function blocksOf(filling: Filling): ReadonlySet<number> {
  const layouts = new Set<number>();
  const seen = new Set<StackNode>(filling.readings.flatMap(({ front }) => front.nodes));
  for (const node of seen) {
    if (node.layout !== suspended) layouts.add(node.layout);
    for (const under of node.below) seen.add(under);
  }
  return layouts;
}

function lastByte(bytes: Uint8Array): number | undefined {
  return bytes.at(-1);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
