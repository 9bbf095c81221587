import type { ScriptTree } from "../../names/index.ts";
import type { TextEdit } from "../../text/index.ts";
import { classifyChanges } from "../changes/classify-changes.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { LibraryDiagnostics, noModule } from "../diagnostics/library-diagnostics.ts";
import type { OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import { blockId, type CodeBlock } from "../graph/code-block.ts";
import { blockFinder } from "../graph/dependency-graph.ts";
import { checkedRepair, editOf } from "./checked-repair.ts";
import type { ExportIndex } from "./export-index.ts";
import { type ChangeFacts, joinedFacts, withRenamedMembers } from "./facts/change-facts.ts";
import { factsWithTrees, inheritingClasses, withInheritedCalls } from "./facts/facts-with-trees.ts";
import { isMaskedBy, KnownDiagnostics } from "./known-diagnostics.ts";
import type { Repair, RepairContext } from "./repair.ts";
import { movedImportRule, proposeRepairs, proposeStubs } from "./repair-rules.ts";

/** Input of {@link propagateRepairs}: a change, and the workspace before it. */
export interface RepairRequest {
  /** A checker in the state before the change. It is restored to that state. */
  readonly checker: OverlayTypeChecker;
  /** The checker's diagnostics of the state before the change. */
  readonly before: readonly Diagnostic[];
  readonly changed: ReadonlyMap<string, { readonly before: string | undefined; readonly after: string | undefined }>;
  /** The text of a file before the change. */
  readonly textOf: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  readonly treeOf: (path: string, text: string) => ScriptTree | undefined;
  /**
   * Known renames of members, old names to new ones, such as those of an edit of that one word.
   * Without them an added member is only taken for a renamed one where names or types indicate it.
   */
  readonly renamedMembers?: ReadonlyMap<string, string>;
  /**
   * The exports of the files before the change. It is updated during the run and restored at the
   * end.
   */
  readonly exports?: ExportIndex;
  /** The files that changes of these may affect, the files themselves included; default: all. */
  readonly reachOf?: (paths: readonly string[]) => readonly string[];
  /** Files that may declare classes with inherited constructors; default: none. */
  readonly near?: () => readonly string[];
  /** Whether to propose stubs for diagnostics without a repair; default: false. */
  readonly stubs?: boolean;
  /** The most repair rounds of one pass; default: 8. */
  readonly maxRounds?: number;
  readonly signal?: AbortSignal;
}

/** A repair that was applied and kept. Plain data. */
export interface MadeRepair {
  readonly rule: string;
  /** The block of the repaired diagnostic, as it was named before the repair. */
  readonly block: CodeBlock;
  readonly code: string;
  /** The repaired diagnostic, in the file's text at the start of the round. */
  readonly diagnostic: Diagnostic;
  readonly round: number;
  /** Edits of the file's text at the start of the round. */
  readonly edits: readonly TextEdit[];
  /** See `Repair.about`. */
  readonly about?: readonly string[] | undefined;
}

/** A diagnostic that is left when all repairs are made, with its block. */
export interface RemainingDiagnostics {
  readonly block: CodeBlock;
  readonly finding: Diagnostic;
  /** A stub that the checker accepts, where stubs were requested. */
  readonly stub?: Stub;
}

/**
 * Code whose unknown parts are left to a person. Plain data; the edits are of the file's text after
 * all repairs.
 */
export interface Stub {
  readonly rule: string;
  readonly edits: readonly TextEdit[];
  /** See `Repair.about`. */
  readonly about?: readonly string[] | undefined;
}

/** A change with all repairs of dependent code. */
export interface RepairedWorkspace {
  /**
   * The files that differ from the state before the change, the changed files included; `undefined`
   * for a removed file.
   */
  readonly texts: ReadonlyMap<string, string | undefined>;
  readonly repairs: readonly MadeRepair[];
  /** The number of repairs that were tried and reverted, because the checker rejected them. */
  readonly refused: number;
  readonly remaining: readonly RemainingDiagnostics[];
}

/**
 * Repairs the code that a change breaks, as far as the repair follows from the change, in rounds
 * until nothing more does, or until `maxRounds`.
 *
 * All repairs of a round are made at once, and all rounds are checked at the end, since one repair
 * may cause a diagnostic that the next one repairs. A block that has more diagnostics then than
 * after the change alone, or that still has the diagnostic to be repaired, loses its repairs, and
 * the pass is repeated without them; after five such passes all repairs are given up. Law: no block
 * has more diagnostics of a code than after the change alone, except those about the use of a name
 * that was unresolved then: a renamed call gets its new name even if it lacks an argument.
 *
 * The checker and `exports` are restored at the end, also after an error. Rejects as the checker
 * does, with the signal's reason on abort among others.
 */
export async function propagateRepairs(request: RepairRequest): Promise<RepairedWorkspace> {
  return new RepairSession(request).run();
}

class RepairSession {
  readonly #request: RepairRequest;
  readonly #ofLibraries: LibraryDiagnostics;
  #known: KnownDiagnostics | undefined;
  readonly #blocks = new Map<
    string,
    { readonly text: string; readonly at: (offset: number) => CodeBlock | undefined }
  >();
  readonly #refused = new Set<string>();
  readonly #chosen = new Map<string, number | undefined>();
  /** The number of stubs that were checked. */
  #checkedStubs = 0;
  /**
   * The current texts of all files that differ, or differed at some point, from the state before
   * the change.
   */
  #texts = new Map<string, string | undefined>();
  #facts: ChangeFacts | undefined;
  /** The facts of the change itself. */
  #seedFacts: ChangeFacts | undefined;

  constructor(request: RepairRequest) {
    this.#request = request;
    this.#ofLibraries = new LibraryDiagnostics(request);
  }

  async run(): Promise<RepairedWorkspace> {
    const { before, changed } = this.#request;
    this.#known = new KnownDiagnostics(before, (finding) => this.#keyOf(finding));
    const seed = new Map([...changed].map(([path, { after }]) => [path, after] as const));
    try {
      const start = await this.#update(seed);
      const worst = counted(start, (finding) => this.#keyOf(finding));
      for (let attempt = 0; ; attempt += 1) {
        const made = await this.#repairInRounds(attempt === 0 ? start : await this.#restart(seed));
        const blamed = this.#rejected(made, worst);
        if (blamed.length === 0) return await this.#report(made);
        const all = attempt >= maxAttempts ? made.repairs : blamed;
        for (const one of all) this.#refused.add(one.key);
      }
    } finally {
      const textsBefore = new Map([...this.#texts.keys()].map((path) => [path, this.#textBefore(path)] as const));
      this.#index(textsBefore);
      await this.#request.checker.update(textsBefore);
    }
  }

  async #report({ repairs, errors }: Chain): Promise<RepairedWorkspace> {
    const left: RemainingDiagnostics[] = [];
    for (const finding of errors) {
      const block = this.#blockOf(finding);
      if (block === undefined) continue;
      const mayStub = this.#request.stubs === true && this.#checkedStubs < maxStubs;
      const stub = mayStub ? await this.#stubFor(finding, block) : undefined;
      left.push({ block, finding, ...(stub && { stub }) });
    }
    const texts = new Map([...this.#texts].filter(([path, text]) => text !== this.#textBefore(path)));
    return { texts, repairs, refused: this.#refused.size, remaining: left };
  }

  async #stubFor(finding: Diagnostic, block: CodeBlock): Promise<Stub | undefined> {
    const question = this.#questionOf(finding, block);
    const proposed = question && proposeStubs(question);
    if (proposed === undefined) return undefined;
    this.#checkedStubs += 1;
    const chosen = await this.#checked(finding.path, proposed.repairs);
    return chosen && { rule: proposed.rule, edits: chosen.edits, about: chosen.about };
  }

  /** Restores the state right after the change. */
  async #restart(seed: ReadonlyMap<string, string | undefined>): Promise<readonly Diagnostic[]> {
    const texts = new Map([...this.#texts.keys()].map((path) => [path, this.#textBefore(path)] as const));
    for (const [path, text] of seed) texts.set(path, text);
    return this.#update(texts);
  }

  /** Applies repairs in rounds until no rule has another. */
  async #repairInRounds(start: readonly Diagnostic[]): Promise<Chain> {
    const { maxRounds = 8 } = this.#request;
    const repairs: KeyedRepair[] = [];
    let errors = start;
    for (let round = 1; round <= maxRounds; round += 1) {
      const made = await this.#propose(errors, round);
      if (made.length === 0) break;
      repairs.push(...made);
      const texts = new Map<string, string>();
      for (const [path, list] of grouped(made, ({ block }) => block.path))
        texts.set(path, editOf(list.flatMap(({ edits }) => edits)).apply(this.#textNow(path)!));
      errors = await this.#update(texts);
    }
    return { repairs, errors };
  }

  /** The repairs of the diagnostics, without those that overlap a repair of another diagnostic. */
  async #propose(errors: readonly Diagnostic[], round: number): Promise<KeyedRepair[]> {
    const made: KeyedRepair[] = [];
    const taken = new Map<string, TextEdit[]>();
    const seen = new Map<string, number>();
    // An unresolved module hides its exports, also from files that import them through a re-export.
    const modulesFirst = [...errors].sort((a, b) => Number(noModule.has(b.code)) - Number(noModule.has(a.code)));
    let repairsBarrel = false;
    for (const finding of modulesFirst) {
      const block = this.#blockOf(finding);
      const question = block && this.#questionOf(finding, block);
      if (block === undefined || question === undefined) continue;
      const { text } = question;
      const proposed = proposeRepairs(question);
      const following = (proposed?.repairs ?? []).filter(({ certainty }) => certainty === "follows");
      if (proposed === undefined || following.length === 0) continue;
      if (repairsBarrel && proposed.rule === movedImportRule) continue;
      const findingKey = `${blockId(block)}\n${finding.code}\n${text.slice(finding.start, finding.end).slice(0, 80)}`;
      const place = seen.get(findingKey) ?? 0;
      seen.set(findingKey, place + 1);
      const key = `${proposed.rule}\n${findingKey}\n${place}`;
      if (this.#refused.has(key)) continue;
      const repair = following.length === 1 ? following[0] : await this.#choose(key, finding, following);
      if (repair === undefined) continue;
      const list = taken.get(finding.path) ?? [];
      taken.set(finding.path, list);
      // Two diagnostics at one place may share an edit. Other edits that overlap wait for the next
      // round.
      const fresh = repair.edits.filter((edit) => !list.some((one) => isSame(one, edit)));
      if (fresh.length === 0 || fresh.some((edit) => list.some((one) => touches(one, edit)))) continue;
      list.push(...fresh);
      const { names = [], about } = repair;
      made.push({
        rule: proposed.rule,
        block,
        code: finding.code,
        round,
        edits: fresh,
        names,
        key,
        diagnostic: finding,
        about,
      });
      repairsBarrel ||= block.kind === "export" && noModule.has(finding.code);
    }
    return made;
  }

  #questionOf(finding: Diagnostic, block: CodeBlock): RepairContext | undefined {
    const { exports, treeOf } = this.#request;
    const text = this.#textNow(finding.path);
    const tree = text === undefined ? undefined : treeOf(finding.path, text);
    if (text === undefined || tree === undefined) return undefined;
    return { diagnostic: finding, text, tree, block, facts: this.#factsNow(), ...(exports && { exports }) };
  }

  /** The only one of several repairs that the checker accepts, checked in the file alone. */
  async #choose(key: string, finding: Diagnostic, ways: readonly Repair[]): Promise<Repair | undefined> {
    if (!this.#chosen.has(key)) {
      const one = await this.#checked(finding.path, ways);
      this.#chosen.set(key, one === undefined ? undefined : ways.indexOf(one));
    }
    const index = this.#chosen.get(key);
    return index === undefined ? undefined : ways[index];
  }

  #checked(path: string, ways: readonly Repair[]): Promise<Repair | undefined> {
    const { checker, treeOf, signal } = this.#request;
    return checkedRepair({ checker, path, text: this.#textNow(path)!, ways, treeOf, signal });
  }

  /** The repairs of blocks that are worse off, and those that did not remove their diagnostic. */
  #rejected({ repairs, errors }: Chain, worst: ReadonlyMap<string, number>): readonly KeyedRepair[] {
    const now = counted(errors, (finding) => this.#keyOf(finding));
    const names = new Set(repairs.flatMap((repair) => repair.names));
    const visible = counted(
      errors.filter((finding) => !this.#isHidden(finding, names)),
      (finding) => this.#keyOf(finding),
    );
    const bad = [...visible].filter(([key, times]) => times > (worst.get(key) ?? 0)).map(([key]) => key);
    const blocks = new Set(bad.map((key) => key.slice(0, key.indexOf("\n"))));
    const files = new Set([...blocks].map((id) => id.slice(0, id.indexOf("|"))));
    const stubborn = repairs.filter(({ block, code }) => {
      const key = `${blockId(block)}\n${code}`;
      return (now.get(key) ?? 0) > 0 && (now.get(key) ?? 0) >= (worst.get(key) ?? 0);
    });
    const inBlocks = repairs.filter(({ block }) => blocks.has(blockId(block)));
    if (bad.length > 0 && inBlocks.length === 0) {
      const inFiles = repairs.filter(({ block }) => files.has(block.path));
      const lastRound = Math.max(0, ...repairs.map(({ round }) => round));
      return [...stubborn, ...(inFiles.length > 0 ? inFiles : repairs.filter(({ round }) => round === lastRound))];
    }
    return [...inBlocks, ...stubborn];
  }

  #isHidden(finding: Diagnostic, names: ReadonlySet<string>): boolean {
    const text = names.size === 0 ? undefined : this.#textNow(finding.path);
    const tree = text === undefined ? undefined : this.#request.treeOf(finding.path, text);
    return tree !== undefined && isMaskedBy(names, finding, tree);
  }

  /** Updates texts and returns the errors that were not there before the change. */
  async #update(texts: ReadonlyMap<string, string | undefined>): Promise<readonly Diagnostic[]> {
    const { checker, reachOf, signal } = this.#request;
    const options = signal === undefined ? {} : { signal };
    for (const [path, text] of texts) this.#texts.set(path, text);
    this.#facts = undefined;
    this.#index(texts);
    await checker.update(texts, options);
    const errors = await checker.errorsOf(reachOf?.([...this.#texts.keys()]), options);
    return this.#known!.freshOf(errors, (finding) => this.#keyOf(finding));
  }

  #index(texts: ReadonlyMap<string, string | undefined>): void {
    const { exports, blocksOf } = this.#request;
    for (const [path, text] of texts) {
      if (text === undefined) exports?.remove(path);
      else exports?.update(path, blocksOf(path, text));
    }
  }

  /** The facts of all edits so far. The facts of the change itself win. */
  #factsNow(): ChangeFacts {
    if (this.#facts === undefined) {
      const { changed } = this.#request;
      const isAsMade = [...this.#texts].every(([path, text]) => changed.has(path) && changed.get(path)!.after === text);
      this.#seedFacts ??= withRenamedMembers(
        this.#factsOf(new Map([...changed].map(([path, { after }]) => [path, after]))),
        this.#request.renamedMembers,
      );
      const seed = this.#seedFacts;
      const all = isAsMade ? seed : this.#factsOf(this.#texts);
      // Only the change's own edits are examples; the edits made by rules are not.
      const { rewrites, givenValues } = seed;
      const facts = {
        ...joinedFacts(all, seed),
        ...(rewrites && { rewrites }),
        ...(givenValues && { givenValues }),
      };
      this.#facts = this.#withInherited(facts);
    }
    return this.#facts;
  }

  /** Copies facts about constructors to the classes that inherit them. */
  #withInherited(facts: ChangeFacts): ChangeFacts {
    const { near, treeOf } = this.#request;
    const names = [...facts.addedParameters.keys(), ...(facts.calls?.keys() ?? [])];
    if (near === undefined || names.length === 0) return facts;
    const trees = [...new Set(near())].flatMap((path) => {
      const text = this.#textNow(path);
      return text?.includes(" extends ") === true ? (treeOf(path, text) ?? []) : [];
    });
    return withInheritedCalls(facts, inheritingClasses(trees));
  }

  #factsOf(texts: ReadonlyMap<string, string | undefined>): ChangeFacts {
    const { blocksOf, treeOf } = this.#request;
    const state = (path: string, text: string | undefined) =>
      text === undefined ? undefined : { text, blocks: blocksOf(path, text) };
    const changes = classifyChanges(
      [...texts].flatMap(([path, text]) => {
        const before = state(path, this.#textBefore(path));
        const after = state(path, text);
        return before?.text === after?.text ? [] : [{ path, ...(before && { before }), ...(after && { after }) }];
      }),
    );
    return factsWithTrees(changes, (path, side) => {
      const text = side === "before" ? this.#textBefore(path) : texts.get(path);
      const tree = text === undefined ? undefined : treeOf(path, text);
      return text === undefined || tree === undefined ? undefined : { text, tree };
    });
  }

  /** The key that an error is counted by; `undefined` for those that no edit causes. */
  #keyOf(finding: Diagnostic): string | undefined {
    if (this.#ofLibraries.has(finding, this.#textNow(finding.path) ?? "")) return undefined;
    const block = this.#blockOf(finding);
    return block && `${blockId(block)}\n${finding.code}`;
  }

  #blockOf({ path, start }: Diagnostic): CodeBlock | undefined {
    const text = this.#textNow(path);
    if (text === undefined) return undefined;
    let known = this.#blocks.get(path);
    if (known?.text !== text) {
      known = { text, at: blockFinder(this.#request.blocksOf(path, text)) };
      this.#blocks.set(path, known);
    }
    return known.at(start);
  }

  #textNow(path: string): string | undefined {
    return this.#texts.has(path) ? this.#texts.get(path) : this.#textBefore(path);
  }

  #textBefore(path: string): string | undefined {
    const change = this.#request.changed.get(path);
    return change === undefined ? this.#request.textOf(path) : change.before;
  }
}

/** How often the repairs are made again without the rejected ones before all are given up. */
const maxAttempts = 5;

/** The most stubs to check, since each takes a run of the checker. */
const maxStubs = 12;

interface KeyedRepair extends MadeRepair {
  /** Identifies the repair when the pass is repeated. */
  readonly key: string;
  readonly names: readonly string[];
}

interface Chain {
  readonly repairs: readonly KeyedRepair[];
  /** The errors at the end of the pass that were not there before the change. */
  readonly errors: readonly Diagnostic[];
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

/** Whether two edits overlap, or insert at one place. */
function touches(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}

function count(counts: Map<string, number>, key: string | undefined): void {
  if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
}

function counted<T>(list: readonly T[], keyOf: (one: T) => string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) count(counts, keyOf(one));
  return counts;
}

function grouped<T>(list: readonly T[], keyOf: (one: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
