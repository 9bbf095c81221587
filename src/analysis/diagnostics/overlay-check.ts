import type { ScriptTree } from "../../names/index.ts";
import { type ChangedText, type TextLookup, textsAt, textsWith } from "../../workspace/index.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import { blockFinder } from "../graph/dependency-graph.ts";
import { newDiagnostics } from "./compare-diagnostics.ts";
import { LibraryDiagnostics } from "./library-diagnostics.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "./type-checker.ts";

/** Input of {@link OverlayCheck}: a change, and the workspace before it. */
export interface OverlayCheckRequest {
  readonly checker: OverlayTypeChecker;
  /** The checker's diagnostics of the state before the change. */
  readonly before: readonly FileDiagnostic[];
  /** The texts of the changed files, before and after; `undefined` where there is none. */
  readonly changed: ReadonlyMap<string, ChangedText>;
  /** The text of a file before the change. */
  readonly textOf: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  /** Parses a script; `undefined` where that fails, and nothing is repaired there. */
  readonly treeOf: (path: string, text: string) => ScriptTree | undefined;
  /**
   * The files that changes of these may affect, themselves included; `undefined` where all may be
   * affected. Default: all files.
   */
  readonly reachOf?: ((paths: readonly string[]) => readonly string[] | undefined) | undefined;
  /** Whether the checker has the texts after the change already; default: false. */
  readonly isApplied?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Type checks a change, and further changes of its dependents, on texts that are written nowhere:
 * texts over those of the checker, and the diagnostics that they add to those before the change.
 *
 * Diagnostics are counted by block (by file outside of blocks) and code, since lines move and
 * messages name types that change; those about libraries do not count. The owner calls
 * {@link restore} at the end, also after an error.
 */
export class OverlayCheck {
  readonly request: OverlayCheckRequest;
  /** The text of a file before the change; `undefined` where there is none. */
  readonly textBefore: TextLookup;
  /** The current text of a file; `undefined` where there is none. */
  readonly textNow: TextLookup;
  /** The text of a file with the change applied and nothing else. */
  readonly #textMade: TextLookup;
  readonly #ofLibraries: LibraryDiagnostics;
  readonly #keysBefore: ReadonlyMap<FileDiagnostic, string | undefined>;
  readonly #keyBefore = (one: FileDiagnostic) => this.#keysBefore.get(one);
  readonly #keyNow = (one: FileDiagnostic) => this.keyOf(one);
  readonly #blocks = new Map<string, readonly FileBlocks[]>();
  readonly #trees = new Map<string, { readonly text: string; readonly tree: ScriptTree | undefined }>();
  readonly #texts = new Map<string, string | undefined>();
  /** The paths of which the checker was given a text. */
  readonly #given = new Set<string>();

  constructor(request: OverlayCheckRequest) {
    const { changed, textOf } = request;
    this.request = request;
    this.textBefore = textsAt("before", changed, textOf);
    this.#textMade = textsAt("after", changed, textOf);
    this.textNow = textsWith(this.#texts, this.textBefore);
    const textsBefore = [...changed.values()].flatMap(({ before }) => before ?? []);
    this.#ofLibraries = new LibraryDiagnostics(request.before, textsBefore);
    this.#keysBefore = new Map(
      request.before.map((diagnostic) => {
        const text = this.textBefore(diagnostic.path);
        const block = text === undefined ? undefined : this.#blocksIn(diagnostic.path, text).at(diagnostic.start);
        return [diagnostic, this.#keyIn(block && this.#madeOf(block, text!), diagnostic)];
      }),
    );
    if (request.isApplied === true) for (const [path, { after }] of request.changed) this.#texts.set(path, after);
  }

  /** The current texts of all files that differ, or differed at some point, from those before. */
  get texts(): ReadonlyMap<string, string | undefined> {
    return this.#texts;
  }

  /** Updates texts and returns the diagnostics that were not there before the change. */
  async update(texts: ReadonlyMap<string, string | undefined>): Promise<readonly FileDiagnostic[]> {
    const { checker, reachOf, signal } = this.request;
    const options = { signal };
    const fresh = new Map([...texts].filter(([path, text]) => this.textNow(path) !== text));
    for (const [path, text] of fresh) {
      this.#texts.set(path, text);
      this.#given.add(path);
    }
    if (fresh.size > 0) await checker.update(fresh, options);
    const errors = await checker.errorsOf(reachOf?.([...this.#texts.keys()]), options);
    return this.#newIn(errors);
  }

  /**
   * The difference between the diagnostics before the change and those of the present texts. Those
   * that are `gone` have offsets in the texts before the change.
   */
  compare(errors: readonly FileDiagnostic[]): {
    readonly fresh: readonly FileDiagnostic[];
    readonly gone: readonly FileDiagnostic[];
  } {
    return {
      fresh: this.#newIn(errors),
      gone: newDiagnostics(errors, this.request.before, this.#keyNow, this.#keyBefore),
    };
  }

  #newIn(errors: readonly FileDiagnostic[]): readonly FileDiagnostic[] {
    return newDiagnostics(this.request.before, errors, this.#keyBefore, this.#keyNow);
  }

  /** Applies the change, without any further one, and returns what it adds. */
  start(): Promise<readonly FileDiagnostic[]> {
    const paths = new Set([...this.#texts.keys(), ...this.request.changed.keys()]);
    return this.update(new Map([...paths].map((path) => [path, this.#textMade(path)] as const)));
  }

  /** Gives the checker the texts back that it had, also where the signal is aborted. */
  async restore(): Promise<void> {
    if (this.#given.size === 0) return;
    const { checker, isApplied } = this.request;
    const textOf = (path: string) => (isApplied === true ? this.#textMade(path) : this.textBefore(path));
    await checker.update(new Map([...this.#given].map((path) => [path, textOf(path)] as const)));
  }

  /** The key that a diagnostic is counted by; `undefined` for those that no edit causes. */
  keyOf(diagnostic: FileDiagnostic): string | undefined {
    return this.#keyIn(this.homeOf(diagnostic), diagnostic);
  }

  /** The block of a diagnostic as it is now. */
  blockOf({ path, start }: FileDiagnostic): CodeBlock | undefined {
    const text = this.textNow(path);
    return text === undefined ? undefined : this.#blocksIn(path, text).at(start);
  }

  /**
   * The block of a diagnostic as it was with the change alone, which identifies it for others: a
   * further change may have changed its name.
   */
  homeOf(diagnostic: FileDiagnostic): CodeBlock | undefined {
    const block = this.blockOf(diagnostic);
    return block && this.#madeOf(block, this.textNow(diagnostic.path)!);
  }

  /** The block of a text as it is with the change alone. */
  #madeOf(block: CodeBlock, text: string): CodeBlock {
    const { path } = block;
    const made = this.#textMade(path);
    if (made === undefined || made === text) return block;
    // A block of a name that is there is that block; one with another name is found by its place,
    // unless blocks came or went.
    const { blocks, byId } = this.#blocksIn(path, made);
    const all = this.#blocksIn(path, text).blocks;
    return byId.get(blockId(block)) ?? (all.length === blocks.length ? blocks[all.indexOf(block)]! : block);
  }

  /**
   * The block of the variable of the file that a diagnostic's place names; `undefined` where there
   * is none.
   */
  declarationOf({ path, start, end }: FileDiagnostic): CodeBlock | undefined {
    const text = this.textNow(path) ?? "";
    const { blocks } = this.#blocksIn(path, text);
    const name = text.slice(start, end);
    return blocks.find((one) => one.kind === "variable" && one.name === name && one.range.end <= start);
  }

  /** The tree of a script with its current text; `undefined` where it has none. */
  treeNow(path: string): ScriptTree | undefined {
    const text = this.textNow(path);
    if (text === undefined) return undefined;
    let known = this.#trees.get(path);
    if (known?.text !== text) {
      known = { text, tree: this.request.treeOf(path, text) };
      this.#trees.set(path, known);
    }
    return known.tree;
  }

  #keyIn(block: CodeBlock | undefined, diagnostic: FileDiagnostic): string | undefined {
    if (this.#ofLibraries.has(diagnostic)) return undefined;
    return `${block === undefined ? diagnostic.path : blockId(block)}\n${diagnostic.code}`;
  }

  #blocksIn(path: string, text: string): FileBlocks {
    const known = this.#blocks.get(path);
    const found = known?.find((one) => one.text === text);
    if (found !== undefined) return found;
    const blocks = this.request.blocksOf(path, text);
    const byId = new Map(blocks.map((block) => [blockId(block), block]));
    const fresh = { text, blocks, byId, at: blockFinder(blocks) };
    // Per file, the current blocks, those with the change alone, and those before it.
    this.#blocks.set(path, [fresh, ...(known ?? [])].slice(0, 3));
    return fresh;
  }
}

interface FileBlocks {
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
  readonly byId: ReadonlyMap<BlockId, CodeBlock>;
  readonly at: (offset: number) => CodeBlock | undefined;
}
