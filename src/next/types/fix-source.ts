import {
  comparePaths,
  type ExportIndex,
  editOf,
  type FileState,
  type MadeRepair,
  type MendedWorkspace,
  mendWorkspace,
  type OverlaidWitness,
  type TypeFinding,
} from "../../codebase/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { EmendError, minimalEdit } from "../../text/index.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import { compareFindings } from "./compare-findings.ts";
import { feltDeclarations, feltNames, redeclaredNames, seenByOthers } from "./felt-names.ts";
import { filesThatFeelThrough } from "./felt-through.ts";
import { findingReason } from "./finding-reason.ts";
import { fixReason, skeletonReason } from "./fix-reason.ts";
import { isBrokenBy } from "./is-broken-by.ts";
import { type LineHunk, lineHunks } from "./line-hunks.ts";
import { type PastChange, pastChanges } from "./past-change.ts";
import type { PresentTypes } from "./present-types.ts";
import { replacedNames } from "./replaced-names.ts";
import type { ScriptStates } from "./script-states.ts";
import { UnfinishedCode } from "./unfinished-code.ts";
import { isApart, wantedExports } from "./wanted-exports.ts";

/** What {@link FixSource} works with. All of it stays its owner's. */
export interface FixSourceParts {
  /** What types say now; `undefined` while no checker is at hand. */
  types(): PresentTypes | undefined;
  readonly states: ScriptStates;
  readonly syntax: Pick<Syntax, "syntaxErrors">;
  /** The files that may feel changes of these; `undefined` where all may. All may unless told. */
  readonly reachOf?: (paths: readonly string[]) => readonly string[] | undefined;
  /** In how many other files errors are looked for; 6 unless told. */
  readonly maxOthers?: number;
}

/**
 * Finds what the last edits made wrong, by the errors that were not there before them, and mends what follows: this file first, from the cursor on, then open files,
 * then those that say a name of which others see something else now.
 *
 * What is mended together is one proposal for each run of adjacent lines; proposals of one cause are one chain. An error that nothing follows for is a place
 * to look at. Nothing is proposed while an edited file has syntax errors that it did not have: what is wrong then is that it is not written to its end.
 */
export class FixSource implements NextEditSource {
  readonly origin = "fix";
  readonly #parts: FixSourceParts;
  /** What was found in other files last, and what that hung on. */
  #others: { readonly basis: readonly string[]; readonly proposals: readonly Proposal[] } | undefined;

  constructor(parts: FixSourceParts) {
    this.#parts = parts;
  }

  async *propose(moment: Moment, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Proposal> {
    const types = this.#parts.types();
    if (types === undefined) return;
    const changes = pastChanges(moment);
    if (![...changes.keys()].some((path) => types.knows(path))) return;
    const look = new FixLook({ ...this.#parts, types }, moment, changes, signal);
    try {
      yield* look.proposalsIn([moment.path].filter((path) => types.knows(path)));
      const others = look.otherFiles();
      // Most edits change nothing that other files see: then nothing is wrong there that was not wrong before.
      const basis = look.basisOf(others);
      if (this.#others === undefined || !isSame(this.#others.basis, basis)) {
        const proposals: Proposal[] = [];
        for await (const one of look.proposalsIn(others)) proposals.push(one);
        this.#others = { basis, proposals };
      }
      yield* this.#others.proposals;
    } catch (error) {
      signal?.throwIfAborted();
      // Where the checker fails there are no errors to go by; whoever owns it hears of it elsewhere.
      if (!(error instanceof EmendError)) throw error;
    }
  }
}

type FixLookParts = Omit<FixSourceParts, "types"> & { readonly types: PresentTypes };

/** One look at what is wrong at a moment. */
class FixLook {
  readonly #parts: FixLookParts;
  readonly #moment: Moment;
  readonly #changes: ReadonlyMap<string, PastChange>;
  readonly #signal: AbortSignal | undefined;
  #isBroken: Promise<boolean> | undefined;
  #unfinishedCode: UnfinishedCode | undefined;
  #others: readonly string[] | undefined;

  constructor(
    parts: FixLookParts,
    moment: Moment,
    changes: ReadonlyMap<string, PastChange>,
    signal: AbortSignal | undefined,
  ) {
    this.#parts = parts;
    this.#moment = moment;
    this.#changes = changes;
    this.#signal = signal;
  }

  /** The other files in which something may be wrong: edited ones, and those that say a changed name. The open ones come first, then by path. */
  otherFiles(): readonly string[] {
    this.#others ??= this.#findOthers();
    return this.#others;
  }

  #findOthers(): readonly string[] {
    const { types, states, reachOf, maxOthers = 6 } = this.#parts;
    const { path: own, files } = this.#moment;
    const others = new Set<string>();
    for (const [path, { before, after }] of this.#changes) {
      others.add(path);
      const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
      const declared = feltDeclarations(stateOf(before), stateOf(after));
      if (declared.size === 0) continue;
      const felt = filesThatFeelThrough(
        { path, names: feltNames(stateOf(before), stateOf(after)), declared },
        {
          ...{ files, limit: maxOthers, reach: reachOf?.([path]) },
          stateOf: (other) => this.#presentState(other),
        },
      );
      for (const other of felt) others.add(other);
    }
    others.delete(own);
    const rank = (path: string) => (files.open.includes(path) ? files.open.indexOf(path) : files.open.length);
    return [...others]
      .filter((path) => types.knows(path))
      .sort((one, other) => rank(one) - rank(other) || comparePaths(one, other))
      .slice(0, maxOthers);
  }

  #presentState(path: string): FileState {
    const text = this.#moment.files.textOf(path) ?? "";
    return { text, blocks: this.#parts.states.blocksOf(path, text) };
  }

  /** What proposals in other files hang on: their texts, what is compared to what, and what they see of it. */
  basisOf(others: readonly string[]): readonly string[] {
    const { states } = this.#parts;
    const texts = others.flatMap((path) => [path, this.#moment.files.textOf(path) ?? ""]);
    const changes = [...this.#changes].flatMap(([path, { before, after }]) => [
      path,
      before,
      seenByOthers({ text: after, blocks: states.blocksOf(path, after) }),
    ]);
    return [...texts, "", ...changes];
  }

  /** What is to be done in these files, each after the one before. */
  async *proposalsIn(paths: readonly string[]): AsyncGenerator<Proposal> {
    if (paths.length === 0) return;
    // What costs least is asked first: a text that is being typed is broken at most keys, and where nothing is wrong now it does not matter what was.
    const { files } = this.#moment;
    this.#isBroken ??= isBrokenBy(this.#changes, { files, syntax: this.#parts.syntax, signal: this.#signal });
    if (await this.#isBroken) return;
    const now = await this.#parts.types.errorsOf(paths, { signal: this.#signal });
    if (now.length === 0) return;
    const before = await this.#errorsBefore(paths);
    const fresh = this.#freshOf(before, now);
    if (fresh.length === 0) return;
    const mended = await this.#mend(paths, before, fresh);
    for (const path of paths)
      yield* this.#inOrder(path, [...this.#edits(path, mended), ...this.#places(path, mended, fresh)]);
  }

  #errorsBefore(paths: readonly string[]): Promise<readonly TypeFinding[]> {
    return this.#parts.types.errorsWith(this.#past(), paths, { signal: this.#signal });
  }

  #past(): ReadonlyMap<string, string> {
    return new Map([...this.#changes].map(([path, { before }]) => [path, before] as const));
  }

  /** The errors that came with the edits, but for what is still being typed. */
  #freshOf(before: readonly TypeFinding[], now: readonly TypeFinding[]): readonly TypeFinding[] {
    const paths = new Set(now.map(({ path }) => path));
    return [...paths].flatMap((path) => {
      const change = this.#changes.get(path);
      const own = (finding: TypeFinding) => finding.path === path;
      const edit = change && { edit: minimalEdit(change.before, change.after) };
      const { fresh } = compareFindings(before.filter(own), now.filter(own), edit);
      const text = this.#moment.files.textOf(path) ?? "";
      return fresh.filter((finding) => !this.#unfinished().has(finding, text));
    });
  }

  async #mend(
    paths: readonly string[],
    before: readonly TypeFinding[],
    fresh: readonly TypeFinding[],
  ): Promise<MendedWorkspace> {
    const { types, states } = this.#parts;
    return mendWorkspace({
      checker: this.#withoutNoise(types.view(this.#past())),
      before,
      changed: this.#changes,
      textOf: (path) => this.#textBefore(path),
      blocksOf: (path, text) => states.blocksOf(path, text),
      treeOf: (path, text) => states.treeOf(path, text),
      renamedMembers: replacedNames(this.#moment),
      exports: this.#exportsFor(fresh),
      reachOf: () => paths,
      near: () => [...paths, ...this.otherFiles()],
      ...{ maxRounds: 2, skeletons: true },
      ...(this.#signal && { signal: this.#signal }),
    });
  }

  /** A checker that does not speak of what is still being written. */
  #withoutNoise(checker: OverlaidWitness): OverlaidWitness {
    const told = new Map<string, string | undefined>();
    const textOf = (path: string) => (told.has(path) ? told.get(path) : this.#textBefore(path)) ?? "";
    const isFinished = (finding: TypeFinding) => !this.#unfinished().has(finding, textOf(finding.path));
    return {
      update: (texts, options) => {
        for (const [path, text] of texts) told.set(path, text);
        return checker.update(texts, options);
      },
      errorsOf: async (paths, options) => (await checker.errorsOf(paths, options)).filter(isFinished),
    };
  }

  #unfinished(): UnfinishedCode {
    if (this.#unfinishedCode === undefined) {
      const { states } = this.#parts;
      const names = new Set<string>();
      for (const [path, { before, after }] of this.#changes) {
        const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
        for (const name of redeclaredNames(stateOf(before), stateOf(after))) names.add(name);
      }
      this.#unfinishedCode = new UnfinishedCode(this.#moment, names);
    }
    return this.#unfinishedCode;
  }

  /** Who exports the names that mean nothing now, but for those that somebody just took away from where they stood: who did that has something else in mind. */
  #exportsFor(fresh: readonly TypeFinding[]): ExportIndex {
    const { types, states } = this.#parts;
    const { files } = this.#moment;
    const names = new Set(
      fresh.flatMap(({ path, start, end }) => {
        const said: readonly string[] = files.textOf(path)?.slice(start, end).match(word) ?? [];
        return said.filter((name) => !this.#wasTaken(name, path));
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
   * Whether an edited line said a name, and says it no more. Who moves code does so as well: then an edit brought the name to the file at `path`, or what went is its
   * declaration, which may be elsewhere now.
   */
  #wasTaken(name: string, path: string): boolean {
    const says = (lines: readonly string[]) => lines.some((line) => line.match(word)?.includes(name));
    const { history } = this.#moment;
    if (history.some((edit) => edit.path === path && !says(edit.before) && says(edit.after))) return false;
    const declares = new RegExp(
      `\\b(?:function\\*?|class|const|let|var|interface|type|enum)\\s+${name.replaceAll("$", "\\$")}(?![\\w$])`,
    );
    return history.some(
      ({ before, after }) => says(before) && !says(after) && !before.some((line) => declares.test(line)),
    );
  }

  #textBefore(path: string): string | undefined {
    return this.#changes.get(path)?.before ?? this.#moment.files.textOf(path);
  }

  #edits(path: string, { texts, repairs }: MendedWorkspace): Proposal[] {
    const text = this.#moment.files.textOf(path)!;
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
      if (isCopiedValue(repair, text)) {
        const lacks = { reason: skeletonReason(repair, text), likelihood: placeLikelihood, isSkeleton: true };
        return [{ origin: "fix", path, edit, place, ...lacks }];
      }
      const likelihood = likelihoods[repair.rule] ?? defaultLikelihood;
      return [{ origin: "fix", path, edit, place, reason, likelihood, chain: `fix ${reason}` }];
    });
  }

  /** What is left when all is done that follows: places, and what has to stand there as far as it is known. */
  #places(path: string, { texts, left }: MendedWorkspace, fresh: readonly TypeFinding[]): Proposal[] {
    const text = this.#moment.files.textOf(path)!;
    const mended = texts.get(path) ?? text;
    const back = minimalEdit(mended, text);
    const proposals: Proposal[] = [];
    for (const { finding, skeleton } of left) {
      // What only shows once all is done is told then.
      if (finding.path !== path || !fresh.some((one) => isSaidAlike(one, finding))) continue;
      const proposal = { origin: "fix", path, likelihood: placeLikelihood } as const;
      const edit = skeleton && editOf(skeleton.edits).tryRebase(back);
      if (skeleton === undefined || edit === undefined) {
        proposals.push({ ...proposal, place: back.mapRange(finding, "exclude"), reason: findingReason(finding) });
      } else if (!proposals.some((other) => other.edit?.equals(edit) === true)) {
        const place = { start: edit.edits[0]!.start, end: edit.edits.at(-1)!.end };
        const reason = skeletonReason({ ...skeleton, finding }, mended);
        proposals.push({ ...proposal, edit, place, reason, isSkeleton: true });
      }
    }
    return proposals;
  }

  /** In this file from the cursor on, and then from the top. */
  #inOrder(path: string, proposals: readonly Proposal[]): readonly Proposal[] {
    const { cursor, path: own } = this.#moment;
    const isBehind = ({ place }: Proposal) => path === own && place.end < cursor;
    return [...proposals].sort(
      (one, other) => Number(isBehind(one)) - Number(isBehind(other)) || one.place.start - other.place.start,
    );
  }
}

/** A name. */
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Whether a text names a module in another top folder than the file at `path`, which is often a copy, or no part of the same program; what lies in no folder is of any. */
function climbsOut(text: string, path: string): boolean {
  const folders = path.split("/").length - 1;
  const climbs = [...text.matchAll(/["'](?:\.\/)?((?:\.\.\/)+)([^"'\n]*)/g)];
  return (
    folders > 0 && !isApart(path) && climbs.some(([, up, rest]) => up!.length / 3 >= folders && rest!.includes("/"))
  );
}

/** Whether a repair writes a string, a number or the like that another place was given: what this one is to have, nobody can know. */
function isCopiedValue({ rule, edits }: MadeRepair, text: string): boolean {
  if (rule !== "missing property" && rule !== "example") return false;
  const literals = (said: string): readonly string[] =>
    said.match(/["'`][^"'`\n]*["'`]|(?<![\w$])(?:-?\d[\w.]*|true|false|null)|\[\]|\{\}/g) ?? [];
  return edits.some((made) => {
    const had = literals(text.slice(made.start, made.end));
    return literals(made.text).some((literal) => !had.includes(literal));
  });
}

/**
 * How likely a rule's repair is just what a person does. In replayed commits it is so about once in three times: most errors come of changes that go on.
 * It is shown all the same, since it mends what the person has just broken, and no longer once one was rejected.
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

/** People go to most of what they broke, and do there what nobody can know. */
const placeLikelihood = 0.45;

function isSaidAlike(one: TypeFinding, other: TypeFinding): boolean {
  return one.path === other.path && one.code === other.code && one.message === other.message;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** The repair with an edit that is nearest to lines: what is inserted behind the last word of a line comes to the one below it. */
function nearest(repairs: readonly MadeRepair[], lines: LineHunk["lines"]): MadeRepair | undefined {
  const distance = ({ edits }: MadeRepair) =>
    Math.min(...edits.map(({ start, end }) => Math.max(0, start - lines.end, lines.start - end)));
  return repairs.toSorted((one, other) => distance(one) - distance(other))[0];
}
