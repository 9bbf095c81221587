import { addToGroup, countsOf, type TextEdit } from "../../text/index.ts";
import { classifyChanges } from "../changes/classify-changes.ts";
import { noModule } from "../diagnostics/library-diagnostics.ts";
import { OverlayCheck, type OverlayCheckRequest } from "../diagnostics/overlay-check.ts";
import type { Diagnostic } from "../diagnostics/type-checker.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import { checkedRepair, editOf, isMaskedBy, touches } from "./checked-repair.ts";
import type { ExportIndex } from "./export-index.ts";
import { type ChangeFacts, joinedFacts, withRenamedMembers } from "./facts/change-facts.ts";
import { factsWithTrees, inheritingClasses, withInheritedCalls } from "./facts/facts-with-trees.ts";
import type { Repair, RepairContext } from "./repair.ts";
import { movedImportRule, proposeRepairs, proposeStubs } from "./repair-rules.ts";

/**
 * Input of {@link propagateRepairs}: a change, and the workspace before it. The checker is restored
 * to its state before the change.
 */
export interface RepairRequest extends OverlayCheckRequest {
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
  /** Files that may declare classes with inherited constructors; default: none. */
  readonly near?: () => readonly string[];
  /** Whether to propose stubs for diagnostics without a repair; default: false. */
  readonly stubs?: boolean;
  /** The most repair rounds of one pass; default: 8. */
  readonly maxRounds?: number;
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
  readonly #check: OverlayCheck;
  readonly #refused = new Set<string>();
  readonly #chosen = new Map<string, number | undefined>();
  /** The number of stubs that were checked. */
  #checkedStubs = 0;
  #facts: ChangeFacts | undefined;
  /** The facts of the change itself. */
  #seedFacts: ChangeFacts | undefined;

  constructor(request: RepairRequest) {
    this.#request = request;
    this.#check = new OverlayCheck(request);
  }

  async run(): Promise<RepairedWorkspace> {
    try {
      const start = await this.#restart();
      const worst = this.#counted(start);
      for (let attempt = 0; ; attempt += 1) {
        const made = await this.#repairInRounds(attempt === 0 ? start : await this.#restart());
        const blamed = this.#rejected(made, worst);
        if (blamed.length === 0) return await this.#report(made);
        const all = attempt >= maxAttempts ? made.repairs : blamed;
        for (const one of all) this.#refused.add(one.key);
      }
    } finally {
      this.#index(this.#check.texts.keys(), (path) => this.#check.textBefore(path));
      await this.#check.restore();
    }
  }

  async #report({ repairs, errors }: Chain): Promise<RepairedWorkspace> {
    const left: RemainingDiagnostics[] = [];
    for (const finding of errors) {
      const block = this.#check.blockOf(finding);
      if (block === undefined) continue;
      const mayStub = this.#request.stubs === true && this.#checkedStubs < maxStubs;
      const stub = mayStub ? await this.#stubFor(finding, block) : undefined;
      left.push({ block, finding, ...(stub && { stub }) });
    }
    const texts = new Map([...this.#check.texts].filter(([path, text]) => text !== this.#check.textBefore(path)));
    return { texts, repairs, refused: this.#refused.size, remaining: left };
  }

  async #stubFor(finding: Diagnostic, block: CodeBlock): Promise<Stub | undefined> {
    const question = this.#questionOf(finding, block);
    const proposed = question && proposeStubs(question);
    if (proposed === undefined) return undefined;
    this.#checkedStubs += 1;
    const chosen = await this.#accepted(finding.path, proposed.repairs);
    return chosen && { rule: proposed.rule, edits: chosen.edits, about: chosen.about };
  }

  /** Applies the change without any repair. */
  #restart(): Promise<readonly Diagnostic[]> {
    return this.#checked(() => this.#check.start());
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
        texts.set(path, editOf(list.flatMap(({ edits }) => edits)).apply(this.#check.textNow(path)!));
      errors = await this.#checked(() => this.#check.update(texts));
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
      const block = this.#check.blockOf(finding);
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
        home: blockId(this.#check.homeOf(finding) ?? block),
        diagnostic: finding,
        about,
      });
      repairsBarrel ||= block.kind === "export" && noModule.has(finding.code);
    }
    return made;
  }

  #questionOf(finding: Diagnostic, block: CodeBlock): RepairContext | undefined {
    const { exports } = this.#request;
    const text = this.#check.textNow(finding.path);
    const tree = this.#check.treeNow(finding.path);
    if (text === undefined || tree === undefined) return undefined;
    return { diagnostic: finding, text, tree, block, facts: this.#factsNow(), ...(exports && { exports }) };
  }

  /** The only one of several repairs that the checker accepts, checked in the file alone. */
  async #choose(key: string, finding: Diagnostic, ways: readonly Repair[]): Promise<Repair | undefined> {
    if (!this.#chosen.has(key)) {
      const one = await this.#accepted(finding.path, ways);
      this.#chosen.set(key, one === undefined ? undefined : ways.indexOf(one));
    }
    const index = this.#chosen.get(key);
    return index === undefined ? undefined : ways[index];
  }

  #accepted(path: string, ways: readonly Repair[]): Promise<Repair | undefined> {
    const { checker, treeOf, signal } = this.#request;
    return checkedRepair({ checker, path, text: this.#check.textNow(path)!, ways, treeOf, signal });
  }

  /** The repairs of blocks that are worse off, and those that did not remove their diagnostic. */
  #rejected({ repairs, errors }: Chain, worst: ReadonlyMap<string, number>): readonly KeyedRepair[] {
    const now = this.#counted(errors);
    const names = new Set(repairs.flatMap((repair) => repair.names));
    const visible = this.#counted(errors.filter((finding) => !this.#isHidden(finding, names)));
    const bad = [...visible].filter(([key, times]) => times > (worst.get(key) ?? 0)).map(([key]) => key);
    const blocks = new Set(bad.map((key) => key.slice(0, key.indexOf("\n"))));
    const files = new Set([...blocks].map((id) => id.slice(0, id.indexOf("|"))));
    const stubborn = repairs.filter(({ home, code }) => {
      const key = `${home}\n${code}`;
      return (now.get(key) ?? 0) > 0 && (now.get(key) ?? 0) >= (worst.get(key) ?? 0);
    });
    const inBlocks = repairs.filter(({ home }) => blocks.has(home));
    if (bad.length > 0 && inBlocks.length === 0) {
      const inFiles = repairs.filter(({ block }) => files.has(block.path));
      const lastRound = Math.max(0, ...repairs.map(({ round }) => round));
      return [...stubborn, ...(inFiles.length > 0 ? inFiles : repairs.filter(({ round }) => round === lastRound))];
    }
    return [...inBlocks, ...stubborn];
  }

  #counted(errors: readonly Diagnostic[]): ReadonlyMap<string, number> {
    return countsOf(errors.flatMap((finding) => this.#check.keyOf(finding) ?? []));
  }

  #isHidden(finding: Diagnostic, names: ReadonlySet<string>): boolean {
    const tree = names.size === 0 ? undefined : this.#check.treeNow(finding.path);
    return tree !== undefined && isMaskedBy(names, finding, tree);
  }

  /** Changes texts, and forgets what depends on them. */
  async #checked(change: () => Promise<readonly Diagnostic[]>): Promise<readonly Diagnostic[]> {
    this.#facts = undefined;
    const errors = await change();
    this.#index(this.#check.texts.keys(), (path) => this.#check.textNow(path));
    return errors;
  }

  #index(paths: Iterable<string>, textOf: (path: string) => string | undefined): void {
    const { exports, blocksOf } = this.#request;
    if (exports === undefined) return;
    for (const path of paths) {
      const text = textOf(path);
      if (text === undefined) exports.remove(path);
      else exports.update(path, blocksOf(path, text));
    }
  }

  /** The facts of all edits so far. The facts of the change itself win. */
  #factsNow(): ChangeFacts {
    if (this.#facts === undefined) {
      const { changed } = this.#request;
      const isAsMade = [...this.#check.texts].every(
        ([path, text]) => changed.has(path) && changed.get(path)!.after === text,
      );
      this.#seedFacts ??= withRenamedMembers(
        this.#factsOf(new Map([...changed].map(([path, { after }]) => [path, after]))),
        this.#request.renamedMembers,
      );
      const seed = this.#seedFacts;
      const all = isAsMade ? seed : this.#factsOf(this.#check.texts);
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
      const text = this.#check.textNow(path);
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
        const before = state(path, this.#check.textBefore(path));
        const after = state(path, text);
        return before?.text === after?.text ? [] : [{ path, ...(before && { before }), ...(after && { after }) }];
      }),
    );
    return factsWithTrees(changes, (path, side) => {
      const text = side === "before" ? this.#check.textBefore(path) : texts.get(path);
      const tree = text === undefined ? undefined : treeOf(path, text);
      return text === undefined || tree === undefined ? undefined : { text, tree };
    });
  }
}

/** How often the repairs are made again without the rejected ones before all are given up. */
const maxAttempts = 5;

/** The most stubs to check, since each takes a run of the checker. */
const maxStubs = 12;

interface KeyedRepair extends MadeRepair {
  /** Identifies the repair when the pass is repeated. */
  readonly key: string;
  /** The block of the diagnostic before any repair. */
  readonly home: BlockId;
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

function grouped<T>(list: readonly T[], keyOf: (one: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    if (key !== undefined) addToGroup(groups, key, one);
  }
  return groups;
}
