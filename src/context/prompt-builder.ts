import { LRUCache } from "lru-cache";
import type { TokenCounter } from "../model/index.ts";
import { languageById, languageOf, plaintext } from "../syntax/index.ts";
import {
  type Diagnostic,
  type Document,
  getOrInsert,
  isInsideCharacter,
  ownPart,
  rangesOverlap,
  type TextRange,
} from "../text/index.ts";
import { folderOf, trySecretPath } from "../workspace/index.ts";
import { CodeIndex, type IndexedFile } from "./code-index.ts";
import type { EditHistory } from "./edit-history.ts";
import {
  diagnosticPieces,
  gitDiffPieces,
  recentEditPieces,
  type SymbolDeclaration,
  symbolPieces,
} from "./editor-pieces.ts";
import { ImportedDeclarations, type ImportedFile } from "./imported-declarations.ts";
import { isWritten, type PlacedPieces, type PlacedRedactedPiece, placePieces } from "./place-pieces.ts";
import type { ContextPiece, PieceKind, PlacedPiece, Prompt, PromptBudget, RedactedPiece } from "./prompt.ts";
import { defaultPromptSettings, type PromptSettings } from "./prompt-settings.ts";
import { nameAround, type RetrievalPlace, retrieveSnippets } from "./retrieved-snippets.ts";
import { SecretHider } from "./secret-hider.ts";
import { type NeighbourFile, type OpenFile, SimilarSnippets, type Snippet } from "./similar-snippets.ts";
import { type Reach, TextCosts } from "./text-costs.ts";
import { endAfter, type PastWindow, type ShownWindow, shareRoom, startBefore, toPast } from "./window-around.ts";

/** What a {@link PromptBuilder} works with. */
export interface PromptBuilderOptions {
  /** The texts of the workspace, kept up to date by its owner. Default: empty. */
  readonly index?: CodeIndex;
  readonly settings?: Partial<PromptSettings>;
}

/** A place that wants a prompt. */
export interface PromptRequest {
  /** The document as the editor shows it. */
  readonly document: Document;
  /** Its path from the workspace's root, with `/`. */
  readonly path: string;
  /** The cursor's offset; one outside of the text is taken for its nearer end. */
  readonly offset: number;
  readonly counter: TokenCounter;
  readonly budget: PromptBudget;
  /**
   * The files that are open in the editor, the one looked at last first. The document itself may be
   * among them.
   */
  readonly openDocuments?: readonly OpenFile[];
  /** What was edited lately, also in this document. */
  readonly history?: EditHistory;
  /**
   * The present moment on the history's clock, in milliseconds; the history is left out without it.
   */
  readonly nowMs?: number;
  /** The diagnostics of the document. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Declarations of names near the cursor. */
  readonly symbols?: readonly SymbolDeclaration[];
  /** What has changed since the last commit, in the unified format. */
  readonly gitDiff?: string;
}

/**
 * Makes prompts: what to show a model of a file and of everything else, within a budget.
 *
 * Everything is synchronous and takes a few milliseconds at most. The builder remembers what it can
 * use again: token counts by line, open files as words, texts without their secrets, and how far
 * each file was shown; all of that is bounded.
 *
 * Keys and passwords in what is shown of other places are replaced; the text around the cursor is
 * shown as it is.
 *
 * Laws: the prefix ends and the suffix begins at the cursor, as the document's present text has it.
 * The same request twice gives the same prompt, and so does one more character of a name, the new
 * character aside.
 */
export class PromptBuilder {
  readonly #index: CodeIndex;
  readonly #settings: PromptSettings;
  readonly #imports: ImportedDeclarations;
  readonly #similar: SimilarSnippets | undefined;
  readonly #costs = new WeakMap<TokenCounter, TextCosts>();
  readonly #hider = new SecretHider();
  /** How each file was shown last, the latest at the end. */
  readonly #past = new LRUCache<string, Past>({ max: maxPasts });

  constructor({ index = new CodeIndex(), settings }: PromptBuilderOptions = {}) {
    this.#index = index;
    this.#settings = { ...defaultPromptSettings, ...settings };
    this.#imports = new ImportedDeclarations(index);
    const { similarity: mode } = this.#settings;
    this.#similar = mode === "off" ? undefined : new SimilarSnippets({ mode });
  }

  /**
   * The prompt for a place, within the budget. An offset inside a character is moved to its start.
   * What is written is remembered, so that the next prompt of the file stays as similar as it can.
   */
  assemble(request: PromptRequest): Prompt {
    const { document, path, counter, budget } = request;
    const { text } = document;
    const costs = this.#costsOf(counter);
    const offset = characterStart(text, request.offset);
    const past = this.#past.get(path);
    const { maxTokens } = budget;

    const before = costs.backward(text, offset, maxTokens);
    const after = costs.forward(text, offset, maxTokens);
    const room = contextRoom(maxTokens, this.#settings.contextShare, before, after);
    // What of the file will be seen in any case; what lies beyond is searched like any other file.
    const least = shareRoom(maxTokens - room, budget.suffixShare, before, after);
    const isAll = before.isWhole && after.isWhole && before.tokens + after.tokens <= maxTokens - room;
    const shown = { start: before.within(least.before).offset, end: after.within(least.after).offset };
    const { pieces: found, refused } = this.#gather(request, { text, offset, shown: isAll ? "all" : shown });
    const chosen = placePieces(
      inStableOrder(
        found.map((piece) => this.#hider.hide(piece)),
        past?.order,
      ),
      costs,
      room,
    );
    const windowBeside = (contextTokens: number): ShownWindow => {
      const left = maxTokens - contextTokens;
      const shares = shareRoom(left, budget.suffixShare, before, after);
      const suffix = endAfter(costs, text, after, shares.after, past?.window);
      const prefix = startBefore(costs, text, before, left - suffix.tokens, past?.window);
      return { start: prefix.offset, end: suffix.offset, prefixTokens: prefix.tokens, suffixTokens: suffix.tokens };
    };
    let window = windowBeside(chosen.tokens);
    let own = ownPieces(request, offset, window);
    let placed = withoutRepeats(chosen, own);
    // The room of a piece that repeats the file shows more of the file, which may repeat another.
    for (let { tokens } = chosen; placed.tokens < tokens; ) {
      tokens = placed.tokens;
      window = windowBeside(tokens);
      own = ownPieces(request, offset, window);
      placed = withoutRepeats(placed, own);
    }
    this.#past.set(path, { window: toPast(text, offset, window), order: placed.pieces.map(keyOf) });

    const { pieces } = placed;
    const written = pieces.filter(isWritten);
    const unused = refused.map((piece) => leftOut(this.#hider.hide(piece), costs));
    return {
      prefix: own[0].text,
      suffix: own[1].text,
      context: written.map((piece) => ({ path: piece.path, text: piece.text })),
      pieces: [...written, ...own, ...pieces.filter((piece) => !isWritten(piece)), ...unused],
      tokens: placed.tokens + window.prefixTokens + window.suffixTokens,
      budget,
      counter: { name: counter.name, isExact: counter.isExact },
    };
  }

  /**
   * The pieces that might help, in the order in which they are to be written, and those that add
   * nothing to them.
   */
  #gather(request: PromptRequest, place: Place): Gathered {
    const { path } = request;
    const { language } = request.document;
    const { text, offset } = place;
    const { history, nowMs, diagnostics = [], symbols = [], gitDiff = "" } = request;
    const cursor = { path, line: lineOf(text, offset) };
    const { maxImportLines, maxContextLines } = this.#settings;
    const imports = this.#imports.find({ path, language, text, offset }, Math.min(maxImportLines, maxContextLines));
    const room = maxContextLines - imports.reduce((sum, { lines }) => sum + lines, 0);
    const { pieces, refused } = this.#snippets(
      request,
      place,
      imports.map((file) => file.path),
      room,
    );
    const marker = pathMarker(path, language);
    const all: readonly ContextPiece[] = [
      ...(marker === "" ? [] : [{ kind: "marker", path, text: marker, priority: priorities.marker } as const]),
      ...imports.map((file, i) => toImportsPiece(file, i)),
      ...symbolPieces(symbols, maxImportLines),
      ...pieces,
      ...gitDiffPieces(gitDiff),
      ...diagnosticPieces(diagnostics, cursor, text),
      ...(history === undefined || nowMs === undefined ? [] : recentEditPieces(history.entries(nowMs), cursor)),
    ];
    return { pieces: all.filter(({ text: { length } }) => length <= maxPieceLength), refused };
  }

  /** Pieces of other places, the least relevant first. */
  #snippets(request: PromptRequest, place: Place, imported: readonly string[], maxLines: number): Gathered {
    const { document, path, openDocuments = [] } = request;
    const { maxSimilar, retrieval } = this.#settings;
    const { text } = document;
    const open = new Map(openDocuments.filter(isPublic).map((file) => [file.path, file.text]));
    open.set(path, text);
    const reference = text.slice(Math.max(0, place.offset - maxReference), nameAround(text, place.offset).start);
    const similar = this.#similar?.find(reference, this.#neighbours(request, imported), maxSimilar) ?? [];
    if (!retrieval || this.#index.size === 0) {
      return { pieces: similar.map((snippet, i) => toPiece("similar", snippet, similar.length - 1 - i)), refused: [] };
    }
    // Where lines that the index has stand in a file that is open: it may have changed since.
    const moved = new Map<string, TextRange>();
    const chosen = retrieveSnippets(this.#index, place, {
      ...{ maxLines, rivals: similar },
      allows: (file, lines) => {
        const present = open.get(file.path);
        if (present === undefined) return true;
        const offset = tryFind(file, lines, present);
        if (offset === undefined) return false;
        const end = offset + file.lines.offsets[lines.end]! - file.lines.offsets[lines.start]!;
        if (file.path === path && (place.shown === "all" || rangesOverlap(place.shown, { start: offset, end })))
          return false;
        const start = lineOf(present, offset);
        moved.set(`${file.path} ${lines.start}`, { start, end: start + lines.end - lines.start });
        return true;
      },
    });
    const pieces = chosen.map(({ snippet, isRival }, i) => {
      if (isRival) return toPiece("similar", snippet, i);
      const lines = moved.get(`${snippet.path} ${snippet.lines.start}`) ?? snippet.lines;
      return toPiece("retrieved", { ...snippet, lines }, i);
    });
    const refused = similar.filter((snippet) => !chosen.some((one) => one.snippet === snippet));
    return { pieces: pieces.reverse(), refused: refused.map((snippet) => toPiece("similar", snippet, 0)) };
  }

  /**
   * The files that are compared with the place: those that are open, then those edited lately,
   * imported, and of the same folder, as far as the index has them.
   */
  #neighbours(request: PromptRequest, imported: readonly string[]): NeighbourFile[] {
    const { document, path, openDocuments = [], history, nowMs } = request;
    const found = new Map<string, string>();
    let characters = 0;
    const take = (file: OpenFile | undefined) => {
      if (file === undefined || file.path === path || found.has(file.path) || found.size >= maxNeighbours) return;
      if (!isOfFamily(file.language, document.language) || characters + file.text.length > maxNeighbourCharacters)
        return;
      characters += file.text.length;
      found.set(file.path, file.text);
    };
    openDocuments.filter(isPublic).forEach(take);
    const edited = history === undefined || nowMs === undefined ? [] : history.entries(nowMs).toReversed();
    for (const one of edited) take(this.#index.file(one.path));
    for (const one of imported) take(this.#index.file(one));
    if (found.size < maxNeighbours) for (const one of this.#index.pathsIn(folderOf(path))) take(this.#index.file(one));
    return Array.from(found, ([one, text]) => ({ path: one, text }));
  }

  #costsOf(counter: TokenCounter): TextCosts {
    return getOrInsert(this.#costs, counter, () => new TextCosts(counter));
  }
}

/** A cursor, and what of its file is shown around it at least. */
interface Place extends RetrievalPlace {
  readonly shown: TextRange | "all";
}

interface Gathered {
  readonly pieces: readonly ContextPiece[];
  readonly refused: readonly ContextPiece[];
}

/** What is remembered of a file's last prompt. */
interface Past {
  readonly window: PastWindow;
  /** The pieces that were written, in their order. */
  readonly order: readonly string[];
}

/** Who wins when the budget is short. */
const priorities = { marker: 0.97, imports: 0.9, similar: 0.8, retrieved: 0.8 } as const;
/**
 * The most UTF-16 units of a piece: a line may be a whole file, and a longer piece would be
 * searched for secrets only to exceed the budget.
 */
const maxPieceLength = 100_000;
/** How many files are compared with the place, */
const maxNeighbours = 20;
/** and how much text they may have together, in UTF-16 units. */
const maxNeighbourCharacters = 200_000;
/** How much text before the cursor is looked at for its last 60 lines, in UTF-16 units. */
const maxReference = 20_000;
/** Of how many files it is remembered how they were shown. */
const maxPasts = 50;

/**
 * How many tokens other places may take: their share, or what the file itself leaves over,
 * whichever is more.
 *
 * What the file needs is rounded up to a sixteenth of the budget, so that a character more seldom
 * changes anything.
 */
function contextRoom(maxTokens: number, share: number, before: Reach, after: Reach): number {
  const step = Math.max(1, Math.floor(maxTokens / 16));
  const tokens = (before.isWhole ? before.tokens : maxTokens) + (after.isWhole ? after.tokens : maxTokens);
  const need = Math.ceil(tokens / step) * step;
  return Math.max(Math.floor(maxTokens * share), maxTokens - need);
}

function toPiece(kind: "similar" | "retrieved", { path, lines, text }: Snippet, rank: number): ContextPiece {
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  return { kind, path, lines, text: ended, priority: priorities[kind] - rank / 1000 };
}

function toImportsPiece({ path, text }: ImportedFile, rank: number): ContextPiece {
  return { kind: "imports", path, text, priority: priorities.imports - rank / 1000 };
}

/**
 * The pieces with those first that were there last time, in the order of then: what is before them
 * stays the same.
 */
function inStableOrder(pieces: readonly RedactedPiece[], order: readonly string[] = []): readonly RedactedPiece[] {
  const places = new Map(order.map((key, i) => [key, i]));
  const placeOf = (piece: ContextPiece) => places.get(keyOf(piece)) ?? order.length;
  return pieces.toSorted((one, other) => stages[one.kind] - stages[other.kind] || placeOf(one) - placeOf(other));
}

/** In which order kinds are written: what changes least comes first. */
const stages: Readonly<Record<PieceKind, number>> = {
  marker: 0,
  imports: 1,
  symbols: 2,
  similar: 3,
  retrieved: 3,
  "git-diff": 4,
  diagnostics: 5,
  "recent-edits": 6,
  "before-cursor": 7,
  "after-cursor": 8,
};

function keyOf({ kind, path, lines }: ContextPiece): string {
  return `${kind} ${path} ${lines?.start ?? ""}`;
}

function leftOut(piece: ContextPiece, costs: TextCosts): PlacedPiece {
  return { ...piece, tokens: costs.count(piece.text), status: { kind: "left-out", reason: "adds-nothing" } };
}

/**
 * Whether lines of the file itself are seen around the cursor already, since more of it fitted than
 * was sure.
 */
function isWithinOwn({ kind, path, lines }: PlacedPiece, [before, after]: OwnPieces): boolean {
  if (kind !== "retrieved" || path !== before.path) return false;
  return rangesOverlap(lines!, { start: before.lines.start, end: after.lines.end });
}

/** The pieces, of which those that repeat the file around the cursor are not written. */
function withoutRepeats(placed: PlacedPieces, own: OwnPieces): PlacedPieces {
  const pieces = placed.pieces.map((piece) => (isWithinOwn(piece, own) ? repeats(piece) : piece));
  return { pieces, tokens: pieces.filter(isWritten).reduce((sum, { tokens }) => sum + tokens, 0) };
}

function repeats(piece: PlacedRedactedPiece): PlacedRedactedPiece {
  return { ...piece, status: { kind: "left-out", reason: "repeats-another" } };
}

type OwnPiece = PlacedPiece & { readonly lines: TextRange };
type OwnPieces = readonly [before: OwnPiece, after: OwnPiece];

/** The two sides of the cursor as pieces, for those who explain a prompt. */
function ownPieces({ document: { text }, path }: PromptRequest, offset: number, window: ShownWindow): OwnPieces {
  const { start, end, prefixTokens, suffixTokens } = window;
  const status = (isWhole: boolean) => ({ kind: isWhole ? "written" : "clipped" }) as const;
  const first = lineOf(text, start);
  const cursor = first + lineOf(text.slice(start, offset), offset - start);
  const last = cursor + lineOf(text.slice(offset, end), end - offset);
  return [
    {
      ...{ kind: "before-cursor", path, lines: { start: first, end: cursor + 1 }, priority: 1 },
      ...{ text: ownPart(text, start, offset), tokens: prefixTokens, status: status(start === 0) },
    },
    {
      ...{ kind: "after-cursor", path, lines: { start: cursor, end: last + 1 }, priority: 1 },
      ...{ text: ownPart(text, offset, end), tokens: suffixTokens, status: status(end === text.length) },
    },
  ];
}

/** How many lines end before `offset`. */
function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function characterStart(text: string, offset: number): number {
  const inside = Math.min(Math.max(0, Math.trunc(offset) || 0), text.length);
  return isInsideCharacter(text, inside) ? inside - 1 : inside;
}

/**
 * Where lines of an indexed file stand in its present text, or `undefined` when they have changed.
 */
function tryFind({ text, lines: { offsets } }: IndexedFile, lines: TextRange, present: string): number | undefined {
  const start = offsets[lines.start]!;
  if (present === text) return start;
  const found = present.indexOf(text.slice(start, offsets[lines.end]));
  return found < 0 ? undefined : found;
}

function isPublic(file: OpenFile): boolean {
  return trySecretPath(file.path) === undefined;
}

function isOfFamily(one: string, other: string): boolean {
  return familyOf(one) === familyOf(other);
}

/** Files of an unknown language are plain texts in the index. */
function familyOf(language: string): string {
  const known = languageById(language) ?? plaintext;
  return known.family ?? known.id;
}

/**
 * A comment with the path of the file, and its language where the name does not show it: `// Path:
 * src/a.ts`. Each comment line ends with `\n`.
 *
 * Empty for an unknown language and for one without comments, such as JSON, where it would not be
 * valid in any file.
 */
export function pathMarker(path: string, languageId: string): string {
  const language = languageById(languageId);
  if (language === undefined || language.json === "strict") return "";
  const lines = [`Path: ${path}`];
  if (languageOf(path).id !== languageId) lines.push(`Language: ${language.name}`);
  const [line] = language.lineComments;
  const [block] = language.blockComments;
  if (line !== undefined) return lines.map((text) => `${line} ${text}\n`).join("");
  return block === undefined ? "" : `${block[0]} ${lines.join(", ")} ${block[1]}\n`;
}
