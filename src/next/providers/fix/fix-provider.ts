import {
  analyseImpact,
  DependencyGraph,
  type ExportIndex,
  editOf,
  type FileDiagnostic,
  type FileState,
  type MadeRepair,
  OverlayCheck,
  type OverlayCheckRequest,
  type OverlayTypeChecker,
  type ParseCache,
  propagateRepairs,
  type RepairedWorkspace,
  type TypeCheckCache,
} from "../../../analysis/index.ts";
import type { AbortOptions } from "../../../async/index.ts";
import type { Syntax } from "../../../syntax/index.ts";
import { anyIdentifier, EmendError, escapedPattern, minimalEdit } from "../../../text/index.ts";
import { comparePaths, overlayAt, type TextOverlay, textsWith } from "../../../workspace/index.ts";
import type { NextEditContext, NextEditProvider, Proposal, ProviderPolicy } from "../next-edit-provider.ts";
import { replacedNames } from "../rename/word-changes.ts";
import { affectedDeclarations, affectedNames, redeclaredNames, seenByOthers } from "../types/affected-names.ts";
import { transitiveDependentFiles } from "../types/dependents.ts";
import { diagnosticReason } from "../types/new-diagnostics.ts";
import { isBrokenBy, type LineHunk, lineHunks, type PastChange, pastChanges } from "../types/past-change.ts";
import { fixReason, stubReason } from "./fix-reason.ts";
import { UnfinishedCode } from "./unfinished-code.ts";
import { isApart, wantedExports } from "./wanted-exports.ts";

/** The dependencies of {@link FixProvider}. Their owner disposes of them. */
interface FixProviderParts {
  /**
   * Returns the type diagnostics of the present texts; `undefined` while no checker is available.
   */
  types(): TypeCheckCache | undefined;
  readonly states: ParseCache;
  readonly syntax: Pick<Syntax, "syntaxErrors">;
}

/** The most other files in which errors are searched. */
const maxOthers = 6;

/** For proposals that are made because they fix errors. */
export const fixPolicy: ProviderPolicy = { trustGroup: "fix", isMadeOfErrors: true };

/**
 * Finds the errors that the recent edits caused, and proposes repairs: in this file from the cursor
 * on, then in open files, then in files that contain a name whose declaration changed.
 *
 * Each run of adjacent lines that a repair changes is one proposal; proposals with one cause form a
 * chain. An error without a repair is a place to look at. Nothing is proposed while an edited file
 * has new syntax errors, because then its code is unfinished.
 */
export class FixProvider implements NextEditProvider {
  readonly origin = "fix";
  readonly policy = fixPolicy;
  readonly #parts: FixProviderParts;
  /** The last proposals in other files, and the texts they depend on. */
  #others: { readonly basis: readonly string[]; readonly proposals: readonly Proposal[] } | undefined;

  constructor(parts: FixProviderParts) {
    this.#parts = parts;
  }

  /**
   * Yields the repairs, those in the file of the request first. Yields nothing without a type
   * checker, and nothing more where it fails. Rejects with the signal's reason on abort.
   */
  async *propose(context: NextEditContext, { signal }: AbortOptions = {}): AsyncGenerator<Proposal> {
    const types = this.#parts.types();
    if (types === undefined) return;
    const changes = pastChanges(context);
    if (![...changes.keys()].some((path) => types.knows(path))) return;
    const search = new FixSearch({ ...this.#parts, types }, context, changes, signal);
    try {
      if (context.isExhaustive) {
        yield* search.proposalsIn(await search.brokenFiles());
        return;
      }
      yield* search.proposalsIn([context.path].filter((path) => types.knows(path)));
      await this.#parts.states.prepare(changes, { signal });
      const others = search.otherFiles();
      // Most edits change nothing that other files can see; then the last proposals stay valid.
      const basis = search.basisOf(others);
      if (this.#others === undefined || !isSame(this.#others.basis, basis)) {
        const proposals: Proposal[] = [];
        for await (const one of search.proposalsIn(others)) proposals.push(one);
        this.#others = { basis, proposals };
      }
      yield* this.#others.proposals;
    } catch (error) {
      signal?.throwIfAborted();
      // A failing checker gives no errors; its owner reports the failure.
      if (!(error instanceof EmendError)) throw error;
    }
  }
}

type FixSearchParts = Omit<FixProviderParts, "types"> & { readonly types: TypeCheckCache };

/** One search for errors and repairs, for one request context. */
class FixSearch {
  readonly #parts: FixSearchParts;
  readonly #context: NextEditContext;
  readonly #changes: ReadonlyMap<string, PastChange>;
  readonly #signal: AbortSignal | undefined;
  #isBroken: Promise<boolean> | undefined;
  #unfinishedCode: UnfinishedCode | undefined;
  #others: readonly string[] | undefined;

  constructor(
    parts: FixSearchParts,
    context: NextEditContext,
    changes: ReadonlyMap<string, PastChange>,
    signal: AbortSignal | undefined,
  ) {
    this.#parts = parts;
    this.#context = context;
    this.#changes = changes;
    this.#signal = signal;
  }

  /**
   * Returns the other files that may have new errors: edited ones, and those that contain a changed
   * name. Open files come first, then by path.
   */
  otherFiles(): readonly string[] {
    this.#others ??= this.#findOthers();
    return this.#others;
  }

  /**
   * Returns all files that the edits break, in the order in which an impact analysis lists them.
   */
  async brokenFiles(): Promise<readonly string[]> {
    const { types, states } = this.#parts;
    const checker = types.view(this.#past());
    const before = await checker.errorsOf(undefined, { signal: this.#signal });
    const { affected } = await analyseImpact({
      ...{ changed: this.#changes, graphs: { before: new DependencyGraph() }, checker: { checker, before } },
      textOf: (path) => this.#textBefore(path),
      blocksOf: (path, text) => states.blocksOf(path, text),
      treeOf: (path, text) => states.treeOf(path, text),
      signal: this.#signal,
    });
    return [...new Set(affected.map(({ block }) => block.path))];
  }

  #findOthers(): readonly string[] {
    const { types, states } = this.#parts;
    const { path: own, files } = this.#context;
    const others = new Set<string>();
    for (const [path, { before, after }] of this.#changes) {
      others.add(path);
      const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
      const declared = affectedDeclarations(stateOf(before), stateOf(after));
      if (declared.size === 0) continue;
      const dependents = transitiveDependentFiles(
        { path, names: affectedNames(stateOf(before), stateOf(after)), declared },
        { files, limit: maxOthers, stateOf: (other) => this.#presentState(other) },
      );
      for (const other of dependents) others.add(other);
    }
    others.delete(own);
    const rank = (path: string) => (files.open.includes(path) ? files.open.indexOf(path) : files.open.length);
    return [...others]
      .filter((path) => types.knows(path))
      .sort((one, other) => rank(one) - rank(other) || comparePaths(one, other))
      .slice(0, maxOthers);
  }

  #presentState(path: string): FileState {
    const text = this.#context.files.textOf(path) ?? "";
    return { text, blocks: this.#parts.states.blocksOf(path, text) };
  }

  /**
   * Returns what proposals in other files depend on: their texts, the texts before the edits, and
   * the exported surface of the edited files.
   */
  basisOf(others: readonly string[]): readonly string[] {
    const { states } = this.#parts;
    const texts = others.flatMap((path) => [path, this.#context.files.textOf(path) ?? ""]);
    const changes = [...this.#changes].flatMap(([path, { before, after }]) => [
      path,
      before,
      seenByOthers({ text: after, blocks: states.blocksOf(path, after) }),
    ]);
    return [...texts, "", ...changes];
  }

  /** Yields the proposals in these files, file by file. */
  async *proposalsIn(paths: readonly string[]): AsyncGenerator<Proposal> {
    if (paths.length === 0) return;
    // Cheap checks come first: text that is being typed has syntax errors after most keys, and
    // without errors now the errors before do not matter.
    const { files } = this.#context;
    this.#isBroken ??= isBrokenBy(this.#changes, { files, syntax: this.#parts.syntax, signal: this.#signal });
    if (await this.#isBroken) return;
    const now = await this.#parts.types.errorsOf(paths, { signal: this.#signal });
    if (now.length === 0) return;
    const before = await this.#parts.types.errorsWith(this.#past(), paths, { signal: this.#signal });
    await this.#parts.states.prepare(this.#changes, { signal: this.#signal });
    const fresh = await new OverlayCheck(this.#checkOf(paths, before)).start();
    if (fresh.length === 0) return;
    const repaired = await propagateRepairs({
      ...this.#checkOf(paths, before),
      renamedMembers: replacedNames(this.#context),
      exports: this.#exportsFor(fresh),
      near: () => [...paths, ...this.otherFiles()],
      ...{ maxRounds: 2, stubs: true },
    });
    for (const path of paths)
      yield* this.#inOrder(path, [...this.#edits(path, repaired, fresh), ...this.#places(path, repaired, fresh)]);
  }

  #past(): TextOverlay {
    return overlayAt("before", this.#changes);
  }

  /** A check of the edits in these files, which leaves out diagnostics of unfinished code. */
  #checkOf(paths: readonly string[], before: readonly FileDiagnostic[]): OverlayCheckRequest {
    const { types, states } = this.#parts;
    return {
      checker: this.#withoutNoise(types.view(this.#past())),
      before,
      changed: this.#changes,
      textOf: (path) => this.#textBefore(path),
      blocksOf: (path, text) => states.blocksOf(path, text),
      treeOf: (path, text) => states.treeOf(path, text),
      reachOf: () => paths,
      signal: this.#signal,
    };
  }

  /** Returns a checker that leaves out diagnostics of unfinished code. */
  #withoutNoise(checker: OverlayTypeChecker): OverlayTypeChecker {
    const overlay = new Map<string, string | undefined>();
    const textOf = textsWith(overlay, (path) => this.#textBefore(path));
    const isFinished = (finding: FileDiagnostic) => !this.#isUnfinished(finding, textOf(finding.path) ?? "");
    return {
      update: (texts, options) => {
        for (const [path, text] of texts) overlay.set(path, text);
        return checker.update(texts, options);
      },
      errorsOf: async (paths, options) => (await checker.errorsOf(paths, options)).filter(isFinished),
    };
  }

  /** Whether a diagnostic may go as the user types on; where all are wanted, none is left out. */
  #isUnfinished(diagnostic: FileDiagnostic, text: string): boolean {
    return this.#context.isExhaustive !== true && this.#unfinished().has(diagnostic, text);
  }

  #unfinished(): UnfinishedCode {
    if (this.#unfinishedCode === undefined) {
      const { states } = this.#parts;
      const names = new Set<string>();
      for (const [path, { before, after }] of this.#changes) {
        const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
        for (const name of redeclaredNames(stateOf(before), stateOf(after))) names.add(name);
      }
      this.#unfinishedCode = new UnfinishedCode(this.#context, names);
    }
    return this.#unfinishedCode;
  }

  /**
   * Returns the exports with the names that are unresolved now, without names that the person just
   * removed from the edited lines: that was intended.
   */
  #exportsFor(fresh: readonly FileDiagnostic[]): ExportIndex {
    const { types, states } = this.#parts;
    const { files } = this.#context;
    const names = new Set(
      fresh.flatMap(({ path, start, end }) => {
        const words: readonly string[] = files.textOf(path)?.slice(start, end).match(anyIdentifier) ?? [];
        return words.filter((name) => !this.#wasTaken(name, path));
      }),
    );
    const textOf = (path: string) => (types.knows(path) ? this.#textBefore(path) : undefined);
    return wantedExports(
      names,
      fresh.map(({ path }) => path),
      { files, states, textOf },
    );
  }

  /**
   * Whether an edited line contained a name and no longer does. Moved code is excluded: there an
   * edit added the name to the file at `path`, or the removed line declared it, and the declaration
   * may be elsewhere now.
   */
  #wasTaken(name: string, path: string): boolean {
    const contains = (lines: readonly string[]) => lines.some((line) => line.match(anyIdentifier)?.includes(name));
    const { history } = this.#context;
    if (history.some((edit) => edit.path === path && !contains(edit.before) && contains(edit.after))) return false;
    const declares = new RegExp(
      `\\b(?:function\\*?|class|const|let|var|interface|type|enum)\\s+${escapedPattern(name)}(?![\\w$])`,
    );
    return history.some(
      ({ before, after }) => contains(before) && !contains(after) && !before.some((line) => declares.test(line)),
    );
  }

  #textBefore(path: string): string | undefined {
    return this.#changes.get(path)?.before ?? this.#context.files.textOf(path);
  }

  #edits(path: string, { texts, repairs }: RepairedWorkspace, fresh: readonly FileDiagnostic[]): Proposal[] {
    const text = this.#context.files.textOf(path)!;
    const after = texts.has(path) ? texts.get(path) : text;
    if (after === undefined || after === text) return [];
    const own = repairs.filter(({ block }) => block.path === path);
    return lineHunks(text, after).flatMap(({ edit, place, lines, after: written }): Proposal[] => {
      const repair =
        nearest(
          own.filter(({ round }) => round === 1),
          lines,
        ) ?? own[0];
      if (repair === undefined) return [];
      const reason = fixReason(repair, text);
      if (repair.rule === "missing import" && this.#wasTaken(reason.replace(/^imports /, ""), path)) return [];
      if (climbsOut(written, path) && !climbsOut(text.slice(lines.start, lines.end), path)) return [];
      const error = fresh.find(
        (one) => isSameDiagnostic(one, repair.diagnostic) && one.start === repair.diagnostic.start,
      );
      const proposal = { origin: "fix", path, edit, place, ...(error && { error }) } as const;
      if (isCopiedValue(repair, text))
        return [{ ...proposal, reason: stubReason(repair, text), likelihood: placeLikelihood, isStub: true }];
      const likelihood = likelihoods[repair.rule] ?? defaultLikelihood;
      return [{ ...proposal, reason, likelihood, chain: `fix ${reason}` }];
    });
  }

  /**
   * Returns what remains after all repairs: places to look at, and stubs of the code that is
   * certainly needed there.
   */
  #places(path: string, { texts, remaining }: RepairedWorkspace, fresh: readonly FileDiagnostic[]): Proposal[] {
    const text = this.#context.files.textOf(path)!;
    const repaired = texts.get(path) ?? text;
    const back = minimalEdit(repaired, text);
    const proposals: Proposal[] = [];
    for (const { finding, stub } of remaining) {
      // An error that only the repairs cause is proposed once they are made.
      if (finding.path !== path || !fresh.some((one) => isSameDiagnostic(one, finding))) continue;
      const at = back.mapRange(finding, "exclude");
      const proposal = { origin: "fix", path, likelihood: placeLikelihood, error: { ...finding, ...at } } as const;
      const edit = stub && editOf(stub.edits).tryRebase(back);
      if (stub === undefined || edit === undefined) {
        proposals.push({ ...proposal, place: at, reason: diagnosticReason(finding) });
      } else if (!proposals.some((other) => other.edit?.equals(edit) === true)) {
        const reason = stubReason({ ...stub, diagnostic: finding }, repaired);
        proposals.push({ ...proposal, edit, place: edit.span, reason, isStub: true });
      }
    }
    return proposals;
  }

  /**
   * Sorts proposals in this file from the cursor on and then from the top; in other files by place.
   */
  #inOrder(path: string, proposals: readonly Proposal[]): readonly Proposal[] {
    const { cursor, path: own } = this.#context;
    const isBehind = ({ place }: Proposal) => path === own && place.end < cursor;
    return [...proposals].sort(
      (one, other) => Number(isBehind(one)) - Number(isBehind(other)) || one.place.start - other.place.start,
    );
  }
}

/** A name. */

/**
 * Whether a text imports a module from another top-level folder than that of the file at `path`,
 * which is often a copy or a separate program. Modules outside any folder do not count.
 */
function climbsOut(text: string, path: string): boolean {
  const folders = path.split("/").length - 1;
  const climbs = [...text.matchAll(/["'](?:\.\/)?((?:\.\.\/)+)([^"'\n]*)/g)];
  return (
    folders > 0 && !isApart(path) && climbs.some(([, up, rest]) => up!.length / 3 >= folders && rest!.includes("/"))
  );
}

/**
 * Whether a repair copies a string, a number or another literal from an example: the right value
 * here is unknown.
 */
function isCopiedValue({ rule, edits }: MadeRepair, text: string): boolean {
  if (rule !== "missing property" && rule !== "example") return false;
  const literals = (code: string): readonly string[] =>
    code.match(/["'`][^"'`\n]*["'`]|(?<![\w$])(?:-?\d[\w.]*|true|false|null)|\[\]|\{\}/g) ?? [];
  return edits.some((made) => {
    const had = literals(text.slice(made.start, made.end));
    return literals(made.text).some((literal) => !had.includes(literal));
  });
}

/**
 * The likelihood that a rule's repair is exactly what the person does. In replayed commits that is
 * about one in three, because most errors come from changes that continue. The values are above the
 * display threshold, because a repair fixes what the person has just broken; after a rejection it
 * is no longer shown.
 */
const likelihoods: Readonly<Record<string, number>> = {
  example: 0.69,
  rename: 0.74,
  "renamed string": 0.69,
  "moved module": 0.78,
  "moved import": 0.74,
  "missing import": 0.74,
  call: 0.69,
  argument: 0.65,
};
const defaultLikelihood = 0.65;

/** People visit most of the errors they caused, and write there what cannot be derived. */
const placeLikelihood = 0.45;

function isSameDiagnostic(one: FileDiagnostic, other: FileDiagnostic): boolean {
  return one.path === other.path && one.code === other.code && one.message === other.message;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/**
 * Returns the repair whose edit is nearest to some lines: what is inserted after the last word of a
 * line may appear in the line below.
 */
function nearest(repairs: readonly MadeRepair[], lines: LineHunk["lines"]): MadeRepair | undefined {
  const distance = ({ edits }: MadeRepair) =>
    Math.min(...edits.map(({ start, end }) => Math.max(0, start - lines.end, lines.start - end)));
  return repairs.toSorted((one, other) => distance(one) - distance(other))[0];
}
