import { countsOf, type TextEdit } from "../../text/index.ts";
import { overlayAt } from "../../workspace/index.ts";
import { noModule } from "../diagnostics/library-diagnostics.ts";
import { OverlayCheck, type OverlayCheckRequest } from "../diagnostics/overlay-check.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import { checkedRepair, isMaskedBy } from "./checked-repair.ts";
import type { ExportIndex } from "./export-index.ts";
import { type ChangeFacts, joinedFacts, withRenamedMembers } from "./facts/change-facts.ts";
import { factsWithTrees, inheritingClasses, withInheritedCalls } from "./facts/facts-with-trees.ts";
import type { Repair } from "./repair.ts";
import { type RepairRules, repairContext, repairRounds } from "./repair-rounds.ts";
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
  readonly diagnostic: FileDiagnostic;
  readonly round: number;
  /** Edits of the file's text at the start of the round. */
  readonly edits: readonly TextEdit[];
  /** See `Repair.about`. */
  readonly about?: readonly string[] | undefined;
}

/** A diagnostic that is left when all repairs are made, with its block. */
export interface RemainingDiagnostics {
  readonly block: CodeBlock;
  readonly finding: FileDiagnostic;
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
      const stub = mayStub ? await this.#stubFor(finding) : undefined;
      left.push({ block, finding, ...(stub && { stub }) });
    }
    const texts = new Map([...this.#check.texts].filter(([path, text]) => text !== this.#check.textBefore(path)));
    return { texts, repairs, refused: this.#refused.size, remaining: left };
  }

  async #stubFor(finding: FileDiagnostic): Promise<Stub | undefined> {
    const question = repairContext(this.#check, finding, this.#given());
    const proposed = question && proposeStubs(question);
    if (proposed === undefined) return undefined;
    this.#checkedStubs += 1;
    const chosen = await checkedRepair(this.#check, finding.path, proposed.repairs);
    return chosen && { rule: proposed.rule, edits: chosen.edits, about: chosen.about };
  }

  /** Applies the change without any repair. */
  async #restart(): Promise<readonly FileDiagnostic[]> {
    const errors = await this.#check.start();
    this.#follow();
    return errors;
  }

  /** Applies repairs in rounds until no rule has another. */
  async #repairInRounds(start: readonly FileDiagnostic[]): Promise<Chain> {
    const { maxRounds = 8 } = this.#request;
    const repairs: KeyedRepair[] = [];
    let errors = start;
    const rulesOf = (round: number) => this.#rulesOf(round);
    for await (const made of repairRounds(this.#check, start, { maxRounds, rulesOf })) {
      this.#follow();
      repairs.push(...made.repairs);
      errors = made.errors;
    }
    return { repairs, errors };
  }

  #rulesOf(round: number): RepairRules<KeyedRepair> {
    const seen = new Map<string, number>();
    let repairsBarrel = false;
    return {
      ...this.#given(),
      repairOf: async (question) => {
        const { diagnostic, text, block } = question;
        const { code } = diagnostic;
        const place = `${blockId(block)}\n${code}\n${text.slice(diagnostic.start, diagnostic.end).slice(0, 80)}`;
        const index = seen.get(place) ?? 0;
        seen.set(place, index + 1);
        const keyOf = (rule: string) => `${rule}\n${place}\n${index}`;
        const proposed = proposeRepairs(question).find(({ rule }) => !this.#refused.has(keyOf(rule)));
        const following = (proposed?.repairs ?? []).filter(({ certainty }) => certainty === "follows");
        if (proposed === undefined || following.length === 0) return undefined;
        if (repairsBarrel && proposed.rule === movedImportRule) return undefined;
        const key = keyOf(proposed.rule);
        const repair = following.length === 1 ? following[0] : await this.#choose(key, diagnostic, following);
        if (repair === undefined) return undefined;
        const { edits, names = [], about } = repair;
        const home = blockId(this.#check.homeOf(diagnostic) ?? block);
        return { rule: proposed.rule, block, code, round, edits, names, key, home, diagnostic, about };
      },
      onMade: (_, { block, diagnostic }) => {
        repairsBarrel ||= block.kind === "export" && noModule.has(diagnostic.code);
      },
    };
  }

  /** What repairs are made by in the current state. */
  #given() {
    return { facts: () => this.#factsNow(), exports: this.#request.exports };
  }

  /** The only one of several repairs that the checker accepts, checked in the file alone. */
  async #choose(key: string, finding: FileDiagnostic, ways: readonly Repair[]): Promise<Repair | undefined> {
    if (!this.#chosen.has(key)) {
      const one = await checkedRepair(this.#check, finding.path, ways);
      this.#chosen.set(key, one === undefined ? undefined : ways.indexOf(one));
    }
    const index = this.#chosen.get(key);
    return index === undefined ? undefined : ways[index];
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

  #counted(errors: readonly FileDiagnostic[]): ReadonlyMap<string, number> {
    return countsOf(errors.flatMap((finding) => this.#check.keyOf(finding) ?? []));
  }

  #isHidden(finding: FileDiagnostic, names: ReadonlySet<string>): boolean {
    const tree = names.size === 0 ? undefined : this.#check.treeNow(finding.path);
    return tree !== undefined && isMaskedBy(names, finding, tree);
  }

  /** Forgets what depends on texts that changed. */
  #follow(): void {
    this.#facts = undefined;
    this.#index(this.#check.texts.keys(), (path) => this.#check.textNow(path));
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
      this.#seedFacts ??= withRenamedMembers(this.#factsOf(overlayAt("after", changed)), this.#request.renamedMembers);
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
    const sides = [...texts].map(([path, after]) => [path, { before: this.#check.textBefore(path), after }] as const);
    return factsWithTrees(new Map(sides.filter(([, { before, after }]) => before !== after)), this.#request);
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
  readonly errors: readonly FileDiagnostic[];
}
