import { getOrInsert, Lines } from "../../text/index.ts";
import { type ChangedText, textsAt } from "../../workspace/index.ts";
import type { AtomicChange, ChangeLabel } from "../changes/atomic-change.ts";
import { type BlockId, blockId, type CodeBlock, type CodeBlockKind } from "../graph/code-block.ts";
import { blockFinder, type InverseRelation, inverseRelations, type Relation } from "../graph/dependency-graph.ts";
import type { AffectedBlock, ImpactReport } from "./impact-analysis.ts";
import type { ImpactCoverage } from "./impact-coverage.ts";
import type { ImpactSign } from "./likelihood.ts";
import { type ImpactGraphs, type ImpactReach, mayImpact } from "./may-impact.ts";
import type { CheckedBlock, CheckedError } from "./speculative-check.ts";

/** A block as shown in reports, with its position after the change. */
export interface BlockView {
  readonly id: BlockId;
  readonly path: string;
  readonly kind: CodeBlockKind;
  readonly name: string;
  /** The position of its name, or of its start; from 1, columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** The end of its own part. */
  readonly endLine: number;
  readonly endColumn: number;
  /** Whether it was removed, so that the position is the one before the change. */
  readonly isGone: boolean;
}

/** A change as shown in reports. */
export interface ChangeView {
  readonly label: ChangeLabel;
  /** A description of the change: `signature changed`. */
  readonly words: string;
  readonly block: BlockView;
  readonly removedNames: readonly string[];
  readonly addedNames: readonly string[];
  readonly changedNames: readonly string[];
}

/** One step of the path from a change to an affected block. */
export interface PathStep {
  readonly block: BlockView;
  /**
   * The relation that leads here from the step before: `called-by`. Absent at the change itself.
   */
  readonly relation?: Relation | InverseRelation;
  /** The inverse, from this block: `calls`. */
  readonly words?: string;
}

/**
 * The status of an affected block.
 *
 * - `to-do`: it is likely to have to change, and is not part of the change.
 * - `touched`: another part of the change may affect it, and it was changed.
 * - `possible`: it may have to change, but is not likely to.
 */
export type ImpactStatus = "to-do" | "touched" | "possible";

/** An affected block as shown in reports. */
export interface AffectedView {
  readonly block: BlockView;
  readonly status: ImpactStatus;
  /** The probability that it has to change, from 0 to 1; 1 where it was changed. */
  readonly likelihood: number;
  /** Whether it was changed and has type errors since. */
  readonly isBroken: boolean;
  /** The path from the change to the block; empty where only the type checker reports it. */
  readonly path: readonly PathStep[];
  /** The index of the change at the start of the path; absent where there is no path. */
  readonly change?: number;
  /** The type checker's result. */
  readonly checker?: Pick<CheckedBlock, "certainty" | "codes" | "wave">;
  readonly signs: readonly ImpactSign[];
  /** The reasons, as sentences without a full stop. */
  readonly reasons: readonly string[];
}

/** An impact as shown in all reports. Plain data. */
export interface ImpactView {
  /** The compared states: `HEAD and the work tree`. */
  readonly between: string;
  /** Blocks of at least this likelihood are work to do. */
  readonly minLikelihood: number;
  readonly changes: readonly ChangeView[];
  /** Work to do, then touched blocks, then possibly affected ones, each by falling likelihood. */
  readonly affected: readonly AffectedView[];
  readonly coverage: ImpactCoverage;
}

/** Input of {@link toImpactView}. */
export interface ImpactViewOptions {
  readonly between: string;
  readonly minLikelihood: number;
  readonly changed: ReadonlyMap<string, ChangedText>;
  readonly graphs: ImpactGraphs;
  /** The text of any file before the change. */
  readonly textOf: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  readonly coverage: ImpactCoverage;
}

/**
 * Converts an analysis to the form that reports show. Positions are those after the change, except
 * for removed blocks. A block of the change is included where another part of the change may affect
 * it directly, or the type checker reports it.
 */
export function toImpactView(report: ImpactReport, options: ImpactViewOptions): ImpactView {
  const { between, minLikelihood, coverage } = options;
  const places = new Places(options);
  const changes = report.changes.map((change): ChangeView => {
    const { label, removedNames, addedNames, changedNames } = change;
    const block = change.after === undefined ? places.removed(change.before!) : places.added(change.after);
    return { label, words: wordsOfChange(change), block, removedNames, addedNames, changedNames };
  });
  const reached = allReached(report, options);
  const paths = new BlockPaths(report, reached, { places, changes });
  const near = new Map<AtomicChange, ReadonlyMap<BlockId, ImpactReach>>();
  // The direct path from the change that the errors of a block are about, if there is one.
  const reachByErrors = ({ block, checked }: AffectedBlock) => {
    const names = new Set(checked?.errors.flatMap((error) => error.names));
    if (names.size === 0) return undefined;
    for (const change of report.changes) {
      if (![change.before, change.after].some((one) => one !== undefined && names.has(one.simpleName))) continue;
      const direct = near.get(change) ?? reachOf([change], options, 1);
      near.set(change, direct);
      const reach = direct.get(blockId(block));
      if (reach !== undefined) return reach;
    }
    return undefined;
  };
  const affected = report.affected
    .filter(({ isTouched }) => !isTouched)
    .map((one): AffectedView => {
      const status = one.likelihood >= minLikelihood ? "to-do" : "possible";
      const reach = reachByErrors(one) ?? reached.get(blockId(one.block));
      const way: BlockPath = reach === undefined ? { path: [] } : paths.of(reach);
      const reasons = reasonsOf(one, way, { changes, places });
      return { ...viewOf(one, places.now(one.block)), status, ...way, reasons };
    });
  const touched = touchedBlocks(report, options, { places, paths, changes });
  const seen = new Set<BlockId>(touched.map(({ block }) => block.id));
  // Where two turn out to be one block, the likelier is first and kept.
  const others = affected.filter(({ block }) => !seen.has(block.id) && seen.add(block.id));
  const inOrder = (status: ImpactStatus) => others.filter((one) => one.status === status);
  return {
    ...{ between, minLikelihood, changes, coverage },
    affected: [...inOrder("to-do"), ...touched, ...inOrder("possible")],
  };
}

/**
 * The type checker reaches further than the rules are followed; the blocks that it reports are
 * shown with a path nevertheless.
 */
const maxHopsShown = 12;

/** How each affected block is reached, as far as there is a path. */
function allReached(report: ImpactReport, options: ImpactViewOptions): ReadonlyMap<BlockId, ImpactReach> {
  const near = report.affected.flatMap(({ block, reach }) =>
    reach === undefined ? [] : [[blockId(block), reach] as const],
  );
  if (near.length === report.affected.length) return new Map(near);
  return new Map([...reachOf(report.changes, options, maxHopsShown), ...near]);
}

function reachOf(
  changes: readonly AtomicChange[],
  { graphs, changed, textOf }: ImpactViewOptions,
  maxHops: number,
): ReadonlyMap<BlockId, ImpactReach> {
  return mayImpact(graphs, changes, { maxHops, textOf: textsAt("before", changed, textOf) });
}

/** The number of affected blocks of a status. */
export function countStatus({ affected }: ImpactView, status: ImpactStatus): number {
  return affected.filter((one) => one.status === status).length;
}

function viewOf(one: AffectedBlock, block: BlockView) {
  const { likelihood, signs, checked } = one;
  return {
    ...{ block, likelihood, signs, isBroken: false, path: [] },
    ...(checked && {
      checker: { certainty: checked.certainty, codes: checked.codes, wave: checked.wave },
    }),
  };
}

/**
 * The changed blocks that another part of the change may affect, or that have type errors since.
 */
function touchedBlocks(
  report: ImpactReport,
  options: ImpactViewOptions,
  {
    places,
    paths,
    changes,
  }: { readonly places: Places; readonly paths: BlockPaths; readonly changes: readonly ChangeView[] },
): AffectedView[] {
  const found = new Map<BlockId, AffectedView>();
  const after = new Map<BlockId, CodeBlock | undefined>();
  for (const change of report.changes) if (change.before) after.set(blockId(change.before), change.after);
  const placeOf = (block: CodeBlock): BlockView => {
    const now = after.get(blockId(block));
    return now === undefined ? places.now(block) : places.added(now);
  };
  // The closure leaves changed blocks out, so each change is followed alone.
  for (const change of report.changes) {
    for (const [id, reach] of reachOf([change], options, 1)) {
      if (!after.has(id) || found.has(id) || isBackwards(reach.relation)) continue;
      const way = paths.of(reach);
      const entry = { likelihood: 1, signs: [], isBroken: false, block: placeOf(reach.block), ...way };
      found.set(id, { ...entry, status: "touched", reasons: reasonsOf({ signs: [] }, way, { changes, places }) });
    }
  }
  for (const one of report.affected) {
    if (!one.isTouched || one.checked === undefined) continue;
    const id = blockId(one.block);
    const known = found.get(id);
    const { certainty } = one.checked;
    const isBroken = certainty === "error" || certainty === "follows";
    const way = known ?? { path: [] };
    found.set(id, {
      ...viewOf(one, known?.block ?? placeOf(one.block)),
      ...{ status: "touched", isBroken, path: way.path },
      ...(known?.change !== undefined && { change: known.change }),
      // Both sets of reasons contain the path.
      reasons: [...new Set([...(known?.reasons ?? []), ...reasonsOf(one, way, { changes, places })])],
    });
  }
  const all = [...found.values()];
  return [...all.filter(({ isBroken }) => isBroken), ...all.filter(({ isBroken }) => !isBroken)];
}

/**
 * Whether the path leads to a block because a changed block depends on it. If the block was changed
 * as well, it is the other one that is printed as affected.
 */
function isBackwards(relation: Relation | InverseRelation): boolean {
  return relation in inverseRelations && relation !== inverseRelations["merges-with"];
}

/** Finds the positions of blocks after the change. */
class Places {
  readonly #options: ImpactViewOptions;
  readonly #lines = new Map<string, Lines>();
  readonly #known = new Map<string, KnownBlocks>();

  constructor(options: ImpactViewOptions) {
    this.#options = options;
  }

  /** A block of the state before the change that still exists. */
  now(block: CodeBlock): BlockView {
    const change = this.#options.changed.get(block.path);
    if (change === undefined) return this.#before(block, false);
    if (change.after === undefined) return this.removed(block);
    const found = this.#blocksIn("+", block.path, change.after).byId.get(blockId(block));
    return found === undefined ? this.removed(block) : this.added(found);
  }

  /** A block of the state after the change. */
  added(block: CodeBlock): BlockView {
    const text = this.#options.changed.get(block.path)?.after;
    if (text === undefined) return this.#before(block, false);
    return this.#view(block, this.#linesOf(`+${block.path}`, text), false);
  }

  /** A block that was removed. */
  removed(block: CodeBlock): BlockView {
    return this.#before(block, true);
  }

  #before(block: CodeBlock, isGone: boolean): BlockView {
    const { changed, textOf } = this.#options;
    const text = textsAt("before", changed, textOf)(block.path) ?? "";
    // The type checker may refer to a text with repaired calls, in which a statement has another
    // name and position.
    const { byId, at } = this.#blocksIn("-", block.path, text);
    const known = byId.get(blockId(block)) ?? at(Math.min(block.ownRange.start, text.length - 1)) ?? block;
    return this.#view(known, this.#linesOf(`-${block.path}`, text), isGone);
  }

  #blocksIn(side: "+" | "-", path: string, text: string): KnownBlocks {
    return getOrInsert(this.#known, side + path, () => {
      const blocks = this.#options.blocksOf(path, text);
      return { byId: new Map(blocks.map((one) => [blockId(one), one])), at: blockFinder(blocks) };
    });
  }

  #linesOf(key: string, text: string): Lines {
    return getOrInsert(this.#lines, key, () => Lines.of(text));
  }

  #view(block: CodeBlock, lines: Lines, isGone: boolean): BlockView {
    const { path, kind, name } = block;
    const within = (offset: number) => lines.positionAt(Math.min(offset, lines.source.length));
    const start = within(block.nameRange?.start ?? block.ownRange.start);
    const end = within(Math.max(block.ownRange.end, block.nameRange?.end ?? 0));
    return {
      ...{ id: blockId(block), path, kind, name, isGone },
      ...{ line: start.line + 1, column: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 },
    };
  }
}

/** The blocks of a text. */
interface KnownBlocks {
  readonly byId: ReadonlyMap<BlockId, CodeBlock>;
  readonly at: (offset: number) => CodeBlock | undefined;
}

/** The path to a block, as far as there is one. */
interface BlockPath {
  readonly path: readonly PathStep[];
  readonly change?: number;
}

/** Finds the paths from changes to blocks. */
class BlockPaths {
  readonly #reached: ReadonlyMap<BlockId, ImpactReach>;
  readonly #report: ImpactReport;
  readonly #places: Places;
  readonly #changes: readonly ChangeView[];

  constructor(
    report: ImpactReport,
    reached: ReadonlyMap<BlockId, ImpactReach>,
    { places, changes }: { readonly places: Places; readonly changes: readonly ChangeView[] },
  ) {
    this.#report = report;
    this.#reached = reached;
    this.#places = places;
    this.#changes = changes;
  }

  of(reach: ImpactReach): BlockPath {
    const steps: PathStep[] = [];
    let at: ImpactReach | undefined = reach;
    for (let left = reach.hops; at !== undefined && left > 0; left -= 1) {
      const { block, relation, from }: ImpactReach = at;
      steps.unshift({ block: this.#places.now(block), relation, words: wordsOfRelation(relation, from, block) });
      at = left > 1 ? this.#reached.get(from) : undefined;
    }
    const change = this.#report.changes.indexOf(reach.change);
    const first = this.#changes[change]?.block;
    return first === undefined ? { path: steps } : { path: [{ block: first }, ...steps], change };
  }
}

function wordsOfRelation(relation: PathStep["relation"] & {}, from: BlockId, { kind }: CodeBlock): string {
  if (relation === "imported-by" && /\|import:/.test(from) && kind !== "import" && kind !== "export")
    return "uses a name of";
  const isMember = relationsOfOwners.has(relation) && !/\|(class|interface):/.test(from);
  return relationWords[relation] + (isMember ? " the class of" : "");
}

/** Relations that a rule may follow from the class of a block instead of the block. */
const relationsOfOwners: ReadonlySet<string> = new Set(["base-of", "derives-from", "constructed-by"]);

/**
 * The relation of a block to the block before it on the path, as a verb, by the relation that the
 * change follows.
 */
export const relationWords: Readonly<Record<Relation | InverseRelation, string>> = {
  "child-of": "holds",
  "parent-of": "is part of",
  constructs: "is the class made by",
  "constructed-by": "makes",
  imports: "is imported by",
  "imported-by": "imports",
  "derives-from": "is the base of",
  "base-of": "derives from",
  overrides: "is overridden by",
  "overridden-by": "overrides",
  calls: "is called by",
  "called-by": "calls",
  instantiates: "is made by",
  "instantiated-by": "makes",
  uses: "is used by",
  "used-by": "uses",
  "uses-type": "is used by",
  "type-used-by": "uses",
  satisfies: "asks for the shape of",
  "satisfied-by": "must have the shape of",
  "re-exports": "is exported again by",
  "re-exported-by": "exports again",
  "merges-with": "is declared together with",
  tests: "is tested by",
  "tested-by": "tests",
};

/** A description of a change, to follow the name of its block. */
function wordsOfChange({ label, before, after, escapes }: AtomicChange): string {
  const without = escapes === false ? ", without an effect on other blocks" : "";
  switch (label) {
    case "RENAME":
      return `renamed from ${before?.name ?? ""}`;
    case "MOVE":
      return `moved from ${before?.path ?? ""}`;
    case "MMB":
      return `body changed${without}`;
    case "MMS":
    case "MCC":
      return `signature changed${without}`;
    case "MC":
      return `header changed${without}`;
    case "AX":
      return after?.kind === "export" ? "added" : "exported now";
    case "DX":
      return before?.kind === "export" ? "removed" : "exported no more";
    default:
      if (label.startsWith("A")) return "added";
      if (label.startsWith("D")) return "removed";
      return `${escapes === false ? "value changed" : "changed"}${without}`;
  }
}

function reasonsOf(
  { checked, signs }: Pick<AffectedBlock, "checked" | "signs">,
  { path, change }: BlockPath,
  { changes, places }: { readonly changes: readonly ChangeView[]; readonly places: Places },
): string[] {
  const reasons: string[] = [];
  if (change !== undefined && path.length > 1) reasons.push(printPath(path, changes[change]!));
  if (checked !== undefined) reasons.push(`${checkerWords[checked.certainty]}: ${printErrors(checked.errors, places)}`);
  // An error that a rule repairs is the use of the old name itself, and so is a derived name then.
  const shown = checked?.certainty === "follows" ? [] : signs;
  for (const sign of shown) if (sign !== "uses-derived-name" || shown.length === 1) reasons.push(signWords[sign]);
  return reasons;
}

/** The most errors of a block that are printed. */
const maxErrorsShown = 2;

function printErrors(errors: readonly CheckedError[], places: Places): string {
  const shown = errors.slice(0, maxErrorsShown).map(({ message, code, declaration }) => {
    const line = declaration && places.now(declaration).line;
    return `${message} (${code}${line === undefined ? "" : `; \`${declaration!.name}\` is declared in line ${line}`})`;
  });
  const more = errors.length - shown.length;
  return `${shown.join(" ")}${more === 0 ? "" : ` And ${more} more.`}`;
}

/**
 * `calls function b, which calls function a (signature changed)`: from the block back to the
 * change.
 */
function printPath(path: readonly PathStep[], { block, words }: ChangeView): string {
  const between = path.slice(1, -1).reverse();
  const shown = between.length <= maxStepsShown ? between : between.slice(0, maxStepsShown - 1);
  const names = shown.map((step) => `${printBlock(step.block)}, which ${step.words}`);
  const left = between.length - shown.length;
  const more = left === 0 ? "" : `what by ${left} more steps leads to `;
  return `${path.at(-1)!.words} ${names.map((name) => `${name} `).join("")}${more}${printBlock(block)} (${words})`;
}

/**
 * Longer paths are shortened here; `--explain` and the `path` of the other formats have them whole.
 */
const maxStepsShown = 3;

/** A block as named in sentences: `method Complex.add`. */
export function printBlock({ kind, name }: Pick<BlockView, "kind" | "name">): string {
  return `${kind} ${name}`;
}

const checkerWords: Readonly<Record<CheckedBlock["certainty"], string>> = {
  error: "the type checker reports",
  follows: "a rule can repair this",
  cascade: "the type checker reports this until other blocks are repaired",
  guess: "the type checker may report this when other blocks are repaired",
};

const signWords: Readonly<Record<ImpactSign, string>> = {
  "uses-removed-name": "it uses a name that no longer exists",
  "uses-derived-name": "it uses a name derived from a renamed one",
  "behind-broken-signature": "it depends on a signature with a type error",
  "calls-what-has-to-change": "it calls a function that cannot be repaired alone",
};
