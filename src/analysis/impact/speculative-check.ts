import type { ScriptTree } from "../../names/index.ts";
import { Edit, type TextEdit } from "../../text/index.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { LibraryDiagnostics } from "../diagnostics/library-diagnostics.ts";
import type { OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import { blockFinder } from "../graph/dependency-graph.ts";
import type { ChangeFacts, NewParameter } from "../repair/facts/change-facts.ts";
import { comesFromParameter, isOnlyReturnedMember } from "../repair/lost-member.ts";
import type { Repair } from "../repair/repair.ts";
import { argumentRepair } from "../repair/rules/argument-repair.ts";
import { renameRepair } from "../repair/rules/rename-repair.ts";

/** Input of {@link checkSpeculatively}. */
interface SpeculativeCheckRequest {
  readonly checker: OverlayTypeChecker;
  /**
   * The errors of the state before the change. The checker is in that state at the call, and is
   * restored to it.
   */
  readonly before: readonly Diagnostic[];
  /** The texts of the changed files, before and after; `undefined` where there is none. */
  readonly changed: ReadonlyMap<string, { readonly before: string | undefined; readonly after: string | undefined }>;
  readonly facts: ChangeFacts;
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
  /** The most rounds of repairing and checking; default: 6. */
  readonly maxRounds?: number;
  readonly signal?: AbortSignal;
}

/** The type checker's result for a block, with the change applied. */
export interface CheckedBlock {
  readonly block: CodeBlock;
  /**
   * 1 for errors of the change alone; 2 for errors caused by repairing those, and so on. A guess
   * counts as a further wave.
   */
  readonly wave: number;
  /** The checker's error codes, sorted. */
  readonly codes: readonly string[];
  /**
   * - `error`: it remains when all repairs that follow from the change are made.
   * - `follows`: its repair follows from the change, such as a new name.
   * - `cascade`: it is gone once others are repaired.
   * - `guess`: it appears if others are repaired as people often do.
   */
  readonly certainty: "error" | "follows" | "cascade" | "guess";
  /**
   * Whether the error is in its signature or in everything it returns, so that repairing it may
   * affect its dependents.
   */
  readonly isInSignature: boolean;
  /**
   * Whether the cause of the error is a parameter, so that its callers have to pass something else.
   */
  readonly isFromParameter: boolean;
}

/**
 * Finds the blocks that a change breaks, and those that repairing them breaks in turn, by type
 * checking texts that are not written to disk. They come in the order in which they are found.
 *
 * Errors are counted by block and code, since lines move and messages name types that change.
 * Repairs that follow from the change are made first, in rounds, so that an unresolved import does
 * not hide the errors behind it. Then common repairs are assumed for the rest, to find what they
 * would affect.
 *
 * The checker's texts are restored at the end, also after an error. Rejects with the checker's
 * errors, such as the signal's reason on abort.
 */
export async function checkSpeculatively(request: SpeculativeCheckRequest): Promise<readonly CheckedBlock[]> {
  return new SpeculativeCheck(request).run();
}

class SpeculativeCheck {
  readonly #request: SpeculativeCheckRequest;
  /** The number of errors by block and code before the change. */
  readonly #known = new Map<string, number>();
  readonly #texts = new Map<string, string | undefined>();
  readonly #found = new Map<BlockId, Found>();
  readonly #blocks = new Map<string, readonly FileBlocks[]>();
  readonly #trees = new Map<string, { readonly text: string; readonly tree: ScriptTree | undefined }>();
  readonly #facts: ChangeFacts & { readonly addedParameters: Map<string, readonly NewParameter[]> };
  readonly #ofLibraries: LibraryDiagnostics;
  #round = 0;

  constructor(request: SpeculativeCheckRequest) {
    this.#request = request;
    this.#ofLibraries = new LibraryDiagnostics(request);
    const { facts } = request;
    this.#facts = { ...facts, addedParameters: new Map(facts.addedParameters) };
  }

  async run(): Promise<readonly CheckedBlock[]> {
    const { before, changed, maxRounds = 6 } = this.#request;
    for (const finding of before) {
      const key = this.#keyOf(finding);
      if (key !== undefined) this.#known.set(key, (this.#known.get(key) ?? 0) + 1);
    }
    try {
      let errors = await this.#update(new Map([...changed].map(([path, { after }]) => [path, after])));
      this.#note(errors, "cascade");
      let certainty: Repair["certainty"] = "follows";
      let guesses = 0;
      while (this.#round < maxRounds) {
        const repaired = this.#repair(errors, certainty);
        if (repaired.size > 0) {
          errors = await this.#update(repaired);
          if (certainty === "follows") this.#note(errors, "cascade");
          else this.#note(errors, "guess", ++guesses + 1);
        } else if (certainty === "follows") {
          this.#note(errors, "error");
          certainty = "guess";
        } else break;
      }
      if (certainty === "follows") this.#note(errors, "error");
    } finally {
      const original = new Map([...this.#texts.keys()].map((path) => [path, this.#textBefore(path)] as const));
      await this.#request.checker.update(original);
    }
    return [...this.#found.values()].map(({ block, wave, codes, certainty, isInSignature, isFromParameter }) => ({
      ...{ block, wave, certainty, isInSignature, isFromParameter },
      codes: [...codes].sort(),
    }));
  }

  /** Updates texts and returns the errors that were not there before the change. */
  async #update(texts: ReadonlyMap<string, string | undefined>): Promise<readonly Diagnostic[]> {
    const { checker, reachOf, signal } = this.#request;
    const options = signal === undefined ? {} : { signal };
    this.#round += 1;
    for (const [path, text] of texts) this.#texts.set(path, text);
    await checker.update(texts, options);
    const errors = await checker.errorsOf(reachOf?.([...this.#texts.keys()]), options);
    const byKey = new Map<string, Diagnostic[]>();
    for (const finding of errors) {
      const key = this.#keyOf(finding);
      if (key === undefined) continue;
      const list = byKey.get(key);
      if (list === undefined) byKey.set(key, [finding]);
      else list.push(finding);
    }
    return [...byKey].flatMap(([key, list]) => (list.length > (this.#known.get(key) ?? 0) ? list : []));
  }

  #note(errors: readonly Diagnostic[], certainty: CheckedBlock["certainty"], wave = this.#round): void {
    for (const finding of errors) {
      const place = this.#placeOf(finding);
      if (place === undefined) continue;
      const block = place.home;
      const tree = this.#treeOf(finding.path);
      const isInSignature =
        place.now.signature.some(({ start, end }) => start <= finding.start && finding.start < end) ||
        (tree !== undefined && isOnlyReturnedMember({ diagnostic: finding, tree }));
      const isHanded = tree !== undefined && comesFromParameter({ diagnostic: finding, tree });
      const known = this.#found.get(blockId(block));
      if (known === undefined)
        this.#found.set(blockId(block), {
          block,
          wave,
          codes: new Set([finding.code]),
          certainty,
          isInSignature,
          isFromParameter: isHanded,
        });
      else {
        known.codes.add(finding.code);
        known.isInSignature ||= isInSignature;
        known.isFromParameter ||= isHanded;
        if (certainty === "error" && known.certainty !== "guess") known.certainty = "error";
      }
    }
  }

  /** The texts with a repair of the given certainty for each error that has one. */
  #repair(errors: readonly Diagnostic[], certainty: Repair["certainty"]): Map<string, string> {
    const edits = new Map<string, TextEdit[]>();
    for (const finding of errors) {
      const text = this.#textNow(finding.path);
      const place = this.#placeOf(finding);
      const tree = this.#treeOf(finding.path);
      if (text === undefined || place === undefined || tree === undefined) continue;
      const question = { diagnostic: finding, text, tree, block: place.now, facts: this.#facts };
      const repair = renameRepair(question) ?? argumentRepair(question);
      if (repair === undefined || (certainty === "follows" && repair.certainty !== "follows")) continue;
      const list = edits.get(finding.path) ?? [];
      edits.set(finding.path, list);
      const fresh = repair.edits.filter((edit) => !list.some((one) => touches(one, edit)));
      if (fresh.length < repair.edits.length) continue;
      list.push(...fresh);
      const found = this.#found.get(blockId(place.home));
      if (found !== undefined && repair.certainty === "follows" && found.certainty !== "guess")
        found.certainty = "follows";
      if (repair.grows !== undefined && !this.#facts.addedParameters.has(repair.grows.name)) {
        this.#facts.addedParameters.set(repair.grows.name, [repair.grows.parameter]);
      }
    }
    const texts = new Map<string, string>();
    for (const [path, list] of edits) {
      if (list.length > 0)
        texts.set(path, Edit.of(list.sort((a, b) => a.start - b.start || a.end - b.end)).apply(this.#textNow(path)!));
    }
    return texts;
  }

  /** The key that an error is counted by; `undefined` for those that no edit causes. */
  #keyOf(finding: Diagnostic): string | undefined {
    if (this.#ofLibraries.has(finding, this.#textNow(finding.path) ?? "")) return undefined;
    const place = this.#placeOf(finding);
    return place && `${blockId(place.home)}\n${finding.code}`;
  }

  /**
   * The block of a diagnostic as it is now, and as it was before any repair, which identifies it
   * for others.
   */
  #placeOf({ path, start }: Diagnostic): { readonly now: CodeBlock; readonly home: CodeBlock } | undefined {
    const text = this.#textNow(path);
    if (text === undefined) return undefined;
    const { blocks, at } = this.#blocksIn(path, text);
    const now = at(start);
    if (now === undefined) return undefined;
    // A repair may change the name of a statement, but never the number of blocks.
    const made = this.#blocksIn(path, this.#textMade(path) ?? text).blocks;
    return { now, home: (made.length === blocks.length ? made[blocks.indexOf(now)] : undefined) ?? now };
  }

  #blocksIn(path: string, text: string): FileBlocks {
    const known = this.#blocks.get(path);
    const found = known?.find((one) => one.text === text);
    if (found !== undefined) return found;
    const blocks = this.#request.blocksOf(path, text);
    const fresh = { text, blocks, at: blockFinder(blocks) };
    // Per file, the current blocks and those before it was repaired.
    this.#blocks.set(path, [fresh, ...(known ?? [])].slice(0, 3));
    return fresh;
  }

  #treeOf(path: string): ScriptTree | undefined {
    const text = this.#textNow(path);
    if (text === undefined) return undefined;
    let known = this.#trees.get(path);
    if (known?.text !== text) {
      known = { text, tree: this.#request.treeOf(path, text) };
      this.#trees.set(path, known);
    }
    return known.tree;
  }

  #textNow(path: string): string | undefined {
    return this.#texts.has(path) ? this.#texts.get(path) : this.#textBefore(path);
  }

  /**
   * The text of a file with the change applied and nothing repaired; before the change is applied,
   * the text as it is.
   */
  #textMade(path: string): string | undefined {
    const change = this.#request.changed.get(path);
    return change === undefined ? this.#request.textOf(path) : this.#texts.has(path) ? change.after : change.before;
  }

  #textBefore(path: string): string | undefined {
    const change = this.#request.changed.get(path);
    return change === undefined ? this.#request.textOf(path) : change.before;
  }
}

interface FileBlocks {
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
  readonly at: (offset: number) => CodeBlock | undefined;
}

interface Found {
  readonly block: CodeBlock;
  readonly wave: number;
  readonly codes: Set<string>;
  certainty: CheckedBlock["certainty"];
  isInSignature: boolean;
  isFromParameter: boolean;
}

/** Whether two edits overlap, or insert at one place. */
function touches(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}
