import type { ContextText, TokenCounter } from "../model/index.ts";
import { isInsideCharacter, type TextRange } from "../text/index.ts";
import { beginningOf } from "./hide-secrets.ts";
import { isWritten, type PlacedRedactedPiece } from "./place-pieces.ts";
import type { PieceKind, PlacedPiece, Prompt } from "./prompt.ts";
import { SecretHider } from "./secret-hider.ts";
import { TextCosts } from "./text-costs.ts";
import { endAfter, type PastWindow, shareRoom, startBefore, toPast } from "./window-around.ts";

/** Where a prompt is for, and what its server has evaluated. */
export interface GrowthPlace {
  /** The model and the file: what was written for another one is not written again. */
  readonly key: string;
  /** The text of the document, and the offset of the cursor. */
  readonly text: string;
  readonly offset: number;
  readonly counter: TokenCounter;
  /** Whether the text of another file may still be written. */
  readonly isReadable: (path: string) => boolean;
  /** How many tokens the server has to evaluate for a prompt beyond what it has evaluated. */
  readonly freshTokens: (prompt: Pick<Prompt, "prefix" | "suffix" | "context">) => number;
}

/**
 * Parts of prompts for a model that is too slow for the whole: what the server has to evaluate is
 * at most the budget's `freshTokens`.
 *
 * A part begins with texts of other places, the most relevant first, and ends with the text around
 * the cursor, which is evaluated again with each key. What was written of other places stays as it
 * is, and more is written behind it where the prompt grows.
 */
export class GrowingPrompt {
  readonly #hider = new SecretHider();
  #past: Past | undefined;

  /** The part of `full` that is sent now; all of it where that is little enough. */
  part(full: Prompt, place: GrowthPlace): Prompt {
    const draft = this.#draftOf(full, place);
    if (draft === undefined) {
      this.#past = undefined;
      return full;
    }
    const { known } = draft;
    const isKept = known.length > 0 && draft.freshTokens(known) <= draft.limit;
    return this.#write(place, draft, isKept ? known : draft.extend([]));
  }

  /**
   * The next larger part, for the server to evaluate before it is needed; `undefined` where it has
   * evaluated all that will be sent.
   */
  next(full: Prompt, place: GrowthPlace): Prompt | undefined {
    const draft = this.#draftOf(full, place);
    if (draft === undefined) return undefined;
    const known = draft.known;
    const fresh = draft.freshTokens(known);
    const isKept = fresh <= draft.limit;
    const kept = isKept ? known : [];
    const again = Math.max(isKept ? fresh : 0, draft.leastTokens);
    // A server evaluates a batch to its end when a request is stopped, and then what a key changes.
    const small = draft.extend(kept, again + draft.tailTokens);
    const texts = tokensOf(small) === tokensOf(kept) ? draft.extend(kept, again) : small;
    const isAll = fresh <= draft.leastTokens && tokensOf(texts) === tokensOf(known);
    return isAll ? undefined : this.#write(place, draft, texts);
  }

  #draftOf(full: Prompt, place: GrowthPlace): Draft | undefined {
    const limit = full.budget.freshTokens;
    if (limit === undefined || place.freshTokens(full) <= limit) return undefined;
    const past = this.#past?.key === place.key ? this.#past : undefined;
    return new Draft(full, place, { limit, past, hider: this.#hider });
  }

  #write(place: GrowthPlace, draft: Draft, texts: readonly WrittenPiece[]): Prompt {
    this.#past = { key: place.key, texts, window: draft.window };
    return draft.prompt(texts);
  }
}

/** What was written last. */
interface Past {
  readonly key: string;
  readonly texts: readonly WrittenPiece[];
  readonly window: PastWindow;
}

/** A piece, and how many UTF-16 units of its text are written. */
interface WrittenPiece extends OwnBlock {
  readonly length: number;
  readonly tokens: number;
}

/** A piece, and the lines of the file itself that it has, where it has any. */
interface OwnBlock {
  readonly piece: PlacedRedactedPiece;
  readonly lines?: string | undefined;
}

/** The share of the fresh tokens that is for the text around the cursor, */
const windowShare = 0.4;
/** and for what changes with each edit. */
const editShare = 0.1;

/** About how many tokens the marks of a prompt take, and those of one text. */
const markTokens = 8;
const textMarkTokens = 3;

/**
 * The file itself, beyond what is shown around the cursor, is written in blocks of so many lines.
 */
const blockLines = 16;
/** The nearest block is worth more than imports; so much less is each one further up, or down. */
const blockPriority = { nearest: 0.94, up: 0.02, down: 0.04 } as const;

/** The kinds of pieces that change while one types: they are written last, and never kept. */
const changing: ReadonlySet<PieceKind> = new Set(["git-diff", "diagnostics", "recent-edits"]);
const own: ReadonlySet<PieceKind> = new Set(["before-cursor", "after-cursor"]);

/** The prompts for one place. */
class Draft {
  readonly limit: number;
  /**
   * What was written last, up to lines of the file itself that have changed, a file that may not be
   * read any more, and what has no room any more.
   */
  readonly known: readonly WrittenPiece[];
  /** What is shown around the cursor, to be remembered. */
  readonly window: PastWindow;
  /** About how many tokens are evaluated again where the cursor moves, at most, */
  readonly leastTokens: number;
  /** and with a key in the same line. */
  readonly tailTokens: number;
  readonly #full: Prompt;
  readonly #place: GrowthPlace;
  readonly #costs: TextCosts;
  readonly #hider: SecretHider;
  readonly #sides: readonly [before: Side, after: Side];
  readonly #changing: readonly WrittenPiece[];
  readonly #blocks: readonly OwnBlock[];

  constructor(
    full: Prompt,
    place: GrowthPlace,
    { limit, past, hider }: { readonly limit: number; readonly past: Past | undefined; readonly hider: SecretHider },
  ) {
    this.#hider = hider;
    const { text, offset: cursor, counter } = place;
    this.limit = limit;
    this.#full = full;
    this.#place = place;
    this.#costs = new TextCosts(counter);
    const offset = isInsideCharacter(text, cursor) ? cursor - 1 : cursor;
    const room = Math.floor(limit * windowShare);
    const before = this.#costs.backward(text, offset, room);
    const after = this.#costs.forward(text, offset, room);
    const shares = shareRoom(room, full.budget.suffixShare, before, after);
    const prefix = startBefore(this.#costs, text, before, shares.before, past?.window);
    const suffix = endAfter(this.#costs, text, after, shares.after, past?.window);
    const [start, end] = [prefix.offset, suffix.offset];
    this.window = toPast(text, offset, { start, end, prefixTokens: prefix.tokens, suffixTokens: suffix.tokens });
    this.#sides = [
      { text: text.slice(start, offset), tokens: prefix.tokens },
      { text: text.slice(offset, end), tokens: suffix.tokens },
    ];
    const latest = writtenIn(full).filter(({ kind }) => changing.has(kind));
    // The latest edits come last.
    this.#changing = this.#take(latest.toReversed(), Math.floor(limit * editShare)).toReversed();
    this.#blocks = this.#blocksAround({ start, cursor: offset, end });
    this.known = this.#stillWritten(past?.texts ?? []);
    this.leastTokens = prefix.tokens + suffix.tokens + tokensOf(this.#changing) + markTokens;
    const lineStart = Math.max(start, text.lastIndexOf("\n", offset - 1) + 1);
    this.tailTokens = this.#costs.count(text.slice(lineStart, offset)) + suffix.tokens + markTokens;
  }

  #stillWritten(texts: readonly WrittenPiece[]): readonly WrittenPiece[] {
    const { text, isReadable } = this.#place;
    const isGone = ({ piece, lines }: WrittenPiece) =>
      lines === undefined ? !isReadable(piece.path) : !text.includes(lines);
    const gone = texts.findIndex(isGone);
    let count = gone < 0 ? texts.length : gone;
    while (count > 0 && this.prompt(texts.slice(0, count)).tokens > this.#full.budget.maxTokens) count -= 1;
    return texts.slice(0, count);
  }

  /** What the server has to evaluate for the prompt with these texts. */
  freshTokens(texts: readonly WrittenPiece[]): number {
    return this.#place.freshTokens(this.prompt(texts));
  }

  /**
   * `texts`, of which `fresh` tokens are to be evaluated, and behind them as much as has room of
   * the pieces that are not among them.
   */
  extend(texts: readonly WrittenPiece[], fresh = 0): readonly WrittenPiece[] {
    const { limit } = this;
    const { maxTokens } = this.#full.budget;
    let room = Math.min(limit - Math.max(fresh, this.leastTokens), maxTokens - this.prompt(texts).tokens);
    // How many tokens marks and names take is known of the whole prompt only.
    for (;;) {
      const grown = this.#extendBy(texts, room);
      const excess = this.freshTokens(grown) - limit;
      if (excess <= 0 || tokensOf(grown) === tokensOf(texts)) return grown;
      room -= excess;
    }
  }

  /**
   * As {@link extend}, by `room` tokens at most. A line that has no room in any prompt is left out
   * with what follows it in its piece.
   */
  #extendBy(texts: readonly WrittenPiece[], room: number): readonly WrittenPiece[] {
    const wholeRoom = this.limit - this.leastTokens;
    const kept = new Set(texts.map(({ piece }) => keyOf(piece)));
    const found = writtenIn(this.#full).filter(({ kind }) => !changing.has(kind));
    const others = [...this.#blocks, ...found.map((piece): OwnBlock => ({ piece }))]
      .filter(({ piece }) => !kept.has(keyOf(piece)))
      .toSorted((one, other) => other.piece.priority - one.piece.priority);
    const last = texts.at(-1);
    const grown = [...texts];
    let left = room;
    if (last !== undefined && last.length < last.piece.text.length) {
      const more = this.#costs.forward(last.piece.text, last.length, left);
      const isStuck = this.#costs.forward(last.piece.text, last.length, wholeRoom).tokens === 0;
      grown[grown.length - 1] = { ...last, length: more.offset, tokens: last.tokens + more.tokens };
      left -= more.tokens;
      if (!more.isWhole && !isStuck) return grown;
    }
    for (const { piece, lines } of others) {
      const [first] = this.#take([piece], left);
      const isStuck = first === undefined && this.#take([piece], wholeRoom).length === 0;
      if (isStuck) continue;
      if (first === undefined) break;
      grown.push({ ...first, lines });
      left -= first.tokens;
      if (first.length < piece.text.length) break;
    }
    return grown;
  }

  /** The prompt with these texts of other places. */
  prompt(texts: readonly WrittenPiece[]): Prompt {
    const written = [...texts, ...this.#changing];
    const keys = new Set(written.map(({ piece }) => keyOf(piece)));
    const [before, after] = this.#sides;
    const others = this.#full.pieces.filter((piece) => !own.has(piece.kind) && !keys.has(keyOf(piece)));
    return {
      ...this.#full,
      prefix: before.text,
      suffix: after.text,
      context: written.map(toContextText),
      pieces: [...written.map(toPlaced), ...this.#ownPieces(), ...others.map(leftOut)],
      tokens: before.tokens + after.tokens + written.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  /**
   * The blocks of the file that the whole prompt shows, but those in the window from `start` to
   * `end`, and that of the cursor.
   */
  #blocksAround({ start, cursor, end }: { start: number; cursor: number; end: number }): readonly OwnBlock[] {
    const { text } = this.#place;
    const { path } = this.#full.pieces.find(({ kind }) => own.has(kind))!;
    const first = cursor - this.#full.prefix.length;
    const last = cursor + this.#full.suffix.length;
    const blocks: (TextRange & { readonly line: number })[] = [];
    for (let from = 0, line = 0; from < text.length; line += blockLines) {
      let to = from;
      for (let i = 0; i < blockLines && to < text.length; i++) to = text.indexOf("\n", to) + 1 || text.length;
      blocks.push({ start: from, end: to, line });
      from = to;
    }
    const isApart = (block: TextRange) => block.end < cursor || block.start > cursor;
    const shown = blocks.filter((block) => block.start >= first && block.end <= last && isApart(block));
    const ranked = (outside: readonly (typeof blocks)[number][], step: number) =>
      outside.map((block, i): OwnBlock => {
        const lines = text.slice(block.start, block.end);
        const range = { start: block.line, end: block.line + blockLines };
        const { nearest } = blockPriority;
        const raw = { kind: "retrieved", path, lines: range, text: lines, priority: nearest - i * step } as const;
        const piece = this.#hider.hide(raw);
        return { lines, piece: { ...piece, tokens: this.#costs.count(piece.text), status: { kind: "written" } } };
      });
    return [
      ...ranked(shown.filter((block) => block.start < start).reverse(), blockPriority.up),
      ...ranked(
        shown.filter((block) => block.end > end),
        blockPriority.down,
      ),
    ];
  }

  #take(pieces: readonly PlacedRedactedPiece[], room: number): WrittenPiece[] {
    const taken: WrittenPiece[] = [];
    let left = room;
    for (const piece of pieces) {
      const marks = piece.kind === "marker" ? 0 : this.#costs.count(piece.path) + textMarkTokens;
      const { offset, tokens } = this.#costs.forward(piece.text, 0, left - marks);
      if (offset === 0) break;
      taken.push({ piece, length: offset, tokens: tokens + marks });
      left -= tokens + marks;
      if (offset < piece.text.length) break;
    }
    return taken;
  }

  #ownPieces(): readonly PlacedPiece[] {
    const sides = this.#full.pieces.filter(({ kind }) => own.has(kind));
    return sides.map((piece, i) => {
      const { text, tokens } = this.#sides[i]!;
      const count = text.split("\n").length;
      const { start, end } = piece.lines!;
      const lines = i === 0 ? { start: end - count, end } : { start, end: start + count };
      const isWhole = text.length === piece.text.length && piece.status.kind === "written";
      return { ...piece, text, tokens, lines, status: { kind: isWhole ? "written" : "clipped" } };
    });
  }
}

interface Side {
  readonly text: string;
  readonly tokens: number;
}

function tokensOf(written: readonly WrittenPiece[]): number {
  return written.reduce((sum, { tokens }) => sum + tokens, 0);
}

function keyOf({ kind, path, lines, text }: PlacedPiece): string {
  return `${kind} ${path} ${lines?.start ?? (changing.has(kind) ? text : "")}`;
}

/** The pieces of other places that a prompt has: its context, in the same order. */
function writtenIn({ pieces, context }: Prompt): readonly PlacedRedactedPiece[] {
  return context.map(({ text }, i) => ({ ...pieces[i]!, text }));
}

function toContextText({ piece, length }: WrittenPiece): ContextText {
  return { path: piece.path, text: beginningOf(piece.text, length) };
}

function toPlaced({ piece, length, tokens }: WrittenPiece): PlacedPiece {
  const text = piece.text.slice(0, length);
  if (length === piece.text.length) return { ...piece, tokens };
  const lines = piece.lines && { lines: { ...piece.lines, end: piece.lines.start + text.split("\n").length - 1 } };
  return { ...piece, ...lines, text, tokens, status: { kind: "clipped" } };
}

function leftOut(piece: PlacedPiece): PlacedPiece {
  return isWritten(piece) ? { ...piece, status: { kind: "left-out", reason: "over-budget" } } : piece;
}
