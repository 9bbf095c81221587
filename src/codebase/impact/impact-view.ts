import { Lines } from "../../text/lines.ts";
import { type BlockId, blockId, type CodeBlock, type CodeBlockKind } from "../graph/code-block.ts";
import { blockFinder, type InverseRelation, inverseRelations, type Relation } from "../graph/dependency-graph.ts";
import type { AtomicChange, ChangeLabel } from "./atomic-change.ts";
import type { AffectedBlock, ChangedText, ImpactReport } from "./impact-analysis.ts";
import type { ImpactCoverage } from "./impact-coverage.ts";
import type { ImpactSign } from "./likelihood.ts";
import { type ImpactGraphs, type ImpactReach, mayImpact } from "./may-impact.ts";
import type { CheckedBlock } from "./speculative-check.ts";

/** A block as reports show it: where it is now, after the change. */
export interface BlockView {
  readonly id: BlockId;
  readonly path: string;
  readonly kind: CodeBlockKind;
  readonly name: string;
  /** The place of its name, or it begins; from 1, columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** Where its own part ends. */
  readonly endLine: number;
  readonly endColumn: number;
  /** Whether it is no more, and the place is that of before. */
  readonly isGone: boolean;
}

/** A change as reports show it. */
export interface ChangeView {
  readonly label: ChangeLabel;
  /** What happened, in words: `signature changed`. */
  readonly words: string;
  readonly block: BlockView;
  readonly removedNames: readonly string[];
  readonly addedNames: readonly string[];
  readonly changedNames: readonly string[];
}

/** One step of the way from a change to a block that it may affect. */
export interface WayStep {
  readonly block: BlockView;
  /**
   * How the change continues to here, as seen from the step before: `called-by`. Absent at the
   * change itself.
   */
  readonly relation?: Relation | InverseRelation;
  /** The same from this block: `calls`. */
  readonly words?: string;
}

/**
 * How a block stands to the change.
 *
 * - `to-do`: it is likely to have to change, and the change leaves it was.
 * - `touched`: another part of the change may affect it, and it was changed.
 * - `possible`: it may have to change, which is not likely.
 */
export type ImpactStanding = "to-do" | "touched" | "possible";

/** A block that a change may affect, as reports show it. */
export interface AffectedView {
  readonly block: BlockView;
  readonly standing: ImpactStanding;
  /** From 0 to 1: the chance that it has to change; 1 where it did. */
  readonly likelihood: number;
  /** Whether it was changed, and the type checker refuses it since. */
  readonly isBroken: boolean;
  /** From the change to the block itself; empty where the type checker alone names it. */
  readonly way: readonly WayStep[];
  /** The index of the change that the way begins with; absent where there is no way. */
  readonly change?: number;
  /** What the type checker says. */
  readonly checker?: Pick<CheckedBlock, "certainty" | "codes" | "wave">;
  readonly signs: readonly ImpactSign[];
  /** Why, in whole sentences without a full stop. */
  readonly reasons: readonly string[];
}

/** An impact as all reports show it. Plain data. */
export interface ImpactView {
  /** What was compared: `HEAD and the work tree`. */
  readonly between: string;
  /** Blocks of at least this likelihood are to be done. */
  readonly minLikelihood: number;
  readonly changes: readonly ChangeView[];
  /**
   * The work to be done, then what was touched, then what is possible; each with the likeliest
   * first.
   */
  readonly affected: readonly AffectedView[];
  readonly coverage: ImpactCoverage;
}

/** What {@link toImpactView} is given. */
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

/** Makes a report ready to be shown. */
export function toImpactView(report: ImpactReport, options: ImpactViewOptions): ImpactView {
  const { between, minLikelihood, coverage } = options;
  const places = new Places(options);
  const changes = report.changes.map((change): ChangeView => {
    const { label, removedNames, addedNames, changedNames } = change;
    const block = change.after === undefined ? places.gone(change.before!) : places.come(change.after);
    return { label, words: wordsOfChange(change), block, removedNames, addedNames, changedNames };
  });
  const reached = allReached(report, options);
  const ways = new Ways(report, reached, { places, changes });
  const affected = report.affected
    .filter(({ isTouched }) => !isTouched)
    .map((one): AffectedView => {
      const standing = one.likelihood >= minLikelihood ? "to-do" : "possible";
      const reach = reached.get(blockId(one.block));
      const way: Way = reach === undefined ? { way: [] } : ways.of(reach);
      return { ...viewOf(one, places.now(one.block)), standing, ...way, reasons: reasonsOf(one, way, changes) };
    });
  const touched = touchedBlocks(report, options, { places, ways, changes });
  const seen = new Set<BlockId>(touched.map(({ block }) => block.id));
  // Of two that turn out to be one block, the likelier is first.
  const others = affected.filter(({ block }) => !seen.has(block.id) && seen.add(block.id));
  const inOrder = (standing: ImpactStanding) => others.filter((one) => one.standing === standing);
  return {
    ...{ between, minLikelihood, changes, coverage },
    affected: [...inOrder("to-do"), ...touched, ...inOrder("possible")],
  };
}

/**
 * The type checker sees further than rules are followed; what it alone names is shown with a way
 * all the same.
 */
const maxHopsShown = 12;

/** How each affected block is reached, as far as any way leads there. */
function allReached(report: ImpactReport, { graphs }: ImpactViewOptions): ReadonlyMap<BlockId, ImpactReach> {
  const near = report.affected.flatMap(({ block, reach }) =>
    reach === undefined ? [] : [[blockId(block), reach] as const],
  );
  if (near.length === report.affected.length) return new Map(near);
  return new Map([...mayImpact(graphs, report.changes, { maxHops: maxHopsShown }), ...near]);
}

/** How many blocks stand so. */
export function countStanding({ affected }: ImpactView, standing: ImpactStanding): number {
  return affected.filter((one) => one.standing === standing).length;
}

function viewOf(one: AffectedBlock, block: BlockView) {
  const { likelihood, signs, witness } = one;
  return {
    ...{ block, likelihood, signs, isBroken: false, way: [] },
    ...(witness && {
      checker: { certainty: witness.certainty, codes: witness.codes, wave: witness.wave },
    }),
  };
}

/**
 * The changed blocks that another part of the change may affect, or that the type checker refuses
 * since.
 */
function touchedBlocks(
  report: ImpactReport,
  { graphs }: ImpactViewOptions,
  { places, ways, changes }: { readonly places: Places; readonly ways: Ways; readonly changes: readonly ChangeView[] },
): AffectedView[] {
  const found = new Map<BlockId, AffectedView>();
  const after = new Map<BlockId, CodeBlock | undefined>();
  for (const change of report.changes) if (change.before) after.set(blockId(change.before), change.after);
  const placeOf = (block: CodeBlock): BlockView => {
    const now = after.get(blockId(block));
    return now === undefined ? places.now(block) : places.come(now);
  };
  // The closure leaves changed blocks out, so each change is followed alone.
  for (const change of report.changes) {
    for (const [id, reach] of mayImpact(graphs, [change], { maxHops: 1 })) {
      if (!after.has(id) || found.has(id) || isBackwards(reach.relation)) continue;
      const way = ways.of(reach);
      const entry = { likelihood: 1, signs: [], isBroken: false, block: placeOf(reach.block), ...way };
      found.set(id, { ...entry, standing: "touched", reasons: reasonsOf({ signs: [] }, way, changes) });
    }
  }
  for (const one of report.affected) {
    if (!one.isTouched || one.witness === undefined) continue;
    const id = blockId(one.block);
    const known = found.get(id);
    const { certainty } = one.witness;
    const isBroken = certainty === "error" || certainty === "follows";
    const way = known ?? { way: [] };
    found.set(id, {
      ...viewOf(one, known?.block ?? placeOf(one.block)),
      ...{ standing: "touched", isBroken, way: way.way },
      ...(known?.change !== undefined && { change: known.change }),
      // The way is among the reasons of both.
      reasons: [...new Set([...(known?.reasons ?? []), ...reasonsOf(one, way, changes)])],
    });
  }
  const all = [...found.values()];
  return [...all.filter(({ isBroken }) => isBroken), ...all.filter(({ isBroken }) => !isBroken)];
}

/**
 * Whether a block was reached since a changed one depends on it: that one is printed as affected by
 * it, if it was changed as well.
 */
function isBackwards(relation: Relation | InverseRelation): boolean {
  return relation in inverseRelations && relation !== inverseRelations["merges-with"];
}

/** Finds where blocks are after the change. */
class Places {
  readonly #options: ImpactViewOptions;
  readonly #lines = new Map<string, Lines>();
  readonly #known = new Map<string, KnownBlocks>();

  constructor(options: ImpactViewOptions) {
    this.#options = options;
  }

  /** A block of the state before the change that is there still. */
  now(block: CodeBlock): BlockView {
    const change = this.#options.changed.get(block.path);
    if (change === undefined) return this.#before(block, false);
    if (change.after === undefined) return this.gone(block);
    const found = this.#blocksIn("+", block.path, change.after).byId.get(blockId(block));
    return found === undefined ? this.gone(block) : this.come(found);
  }

  /** A block of the state after the change. */
  come(block: CodeBlock): BlockView {
    const text = this.#options.changed.get(block.path)?.after;
    if (text === undefined) return this.#before(block, false);
    return this.#view(block, this.#linesOf(`+${block.path}`, text), false);
  }

  /** A block that is no more. */
  gone(block: CodeBlock): BlockView {
    return this.#before(block, true);
  }

  #before(block: CodeBlock, isGone: boolean): BlockView {
    const { changed, textOf } = this.#options;
    const text = changed.get(block.path)?.before ?? textOf(block.path) ?? "";
    // The type checker may speak of a text with mended calls, in which a statement has another name
    // and place.
    const { byId, at } = this.#blocksIn("-", block.path, text);
    const known = byId.get(blockId(block)) ?? at(Math.min(block.own.start, text.length - 1)) ?? block;
    return this.#view(known, this.#linesOf(`-${block.path}`, text), isGone);
  }

  #blocksIn(side: "+" | "-", path: string, text: string): KnownBlocks {
    const key = side + path;
    let known = this.#known.get(key);
    if (known === undefined) {
      const blocks = this.#options.blocksOf(path, text);
      known = { byId: new Map(blocks.map((one) => [blockId(one), one])), at: blockFinder(blocks) };
      this.#known.set(key, known);
    }
    return known;
  }

  #linesOf(key: string, text: string): Lines {
    const known = this.#lines.get(key) ?? Lines.of(text);
    this.#lines.set(key, known);
    return known;
  }

  #view(block: CodeBlock, lines: Lines, isGone: boolean): BlockView {
    const { path, kind, name } = block;
    const within = (offset: number) => lines.positionAt(Math.min(offset, lines.source.length));
    const start = within(block.nameRange?.start ?? block.own.start);
    const end = within(Math.max(block.own.end, block.nameRange?.end ?? 0));
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

/** The way to a block, as far as there is one. */
interface Way {
  readonly way: readonly WayStep[];
  readonly change?: number;
}

/** Finds the ways from changes to blocks. */
class Ways {
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

  of(reach: ImpactReach): Way {
    const steps: WayStep[] = [];
    let at: ImpactReach | undefined = reach;
    for (let left = reach.hops; at !== undefined && left > 0; left -= 1) {
      const { block, relation, from }: ImpactReach = at;
      const isMember: boolean = relationsOfOwners.has(relation) && !/\|(class|interface):/.test(from);
      steps.unshift({
        block: this.#places.now(block),
        relation,
        words: relationWords[relation] + (isMember ? " the class of" : ""),
      });
      at = left > 1 ? this.#reached.get(from) : undefined;
    }
    const change = this.#report.changes.indexOf(reach.change);
    const first = this.#changes[change]?.block;
    return first === undefined ? { way: steps } : { way: [{ block: first }, ...steps], change };
  }
}

/** Relations that a rule may follow from the class of a block instead of the block. */
const relationsOfOwners: ReadonlySet<string> = new Set(["base-of", "derives-from", "constructed-by"]);

/**
 * What a block does to the one before it on the way, where the change continues along this
 * relation.
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

/** What happened to a block, in words that follow its name. */
function wordsOfChange({ label, before, after, escapes }: AtomicChange): string {
  switch (label) {
    case "RENAME":
      return `renamed from ${before?.name ?? ""}`;
    case "MOVE":
      return `moved from ${before?.path ?? ""}`;
    case "MMB":
      return escapes === false ? "body changed, which nobody else sees" : "body changed";
    case "MMS":
    case "MCC":
      return "signature changed";
    case "MC":
      return "header changed";
    case "AX":
      return after?.kind === "export" ? "added" : "exported now";
    case "DX":
      return before?.kind === "export" ? "removed" : "exported no more";
    default:
      if (label.startsWith("A")) return "added";
      if (label.startsWith("D")) return "removed";
      return escapes === false ? "value changed, which nobody else sees" : "changed";
  }
}

function reasonsOf(
  { witness, signs }: Pick<AffectedBlock, "witness" | "signs">,
  { way, change }: Way,
  changes: readonly ChangeView[],
): string[] {
  const reasons: string[] = [];
  if (change !== undefined && way.length > 1) reasons.push(printWay(way, changes[change]!));
  if (witness !== undefined) reasons.push(`${checkerWords[witness.certainty]} (${witness.codes.join(", ")})`);
  for (const sign of signs) reasons.push(signWords[sign]);
  return reasons;
}

/**
 * `calls function b, which calls function a (signature changed)`: from the block back to the
 * change.
 */
function printWay(way: readonly WayStep[], { block, words }: ChangeView): string {
  const between = way.slice(1, -1).reverse();
  const shown = between.length <= maxStepsShown ? between : between.slice(0, maxStepsShown - 1);
  const names = shown.map((step) => `${printBlock(step.block)}, which ${step.words}`);
  const left = between.length - shown.length;
  const more = left === 0 ? "" : `what by ${left} more steps leads to `;
  return `${way.at(-1)!.words} ${names.map((name) => `${name} `).join("")}${more}${printBlock(block)} (${words})`;
}

/** Longer paths are shortened; `--explain` and the `way` of the other shapes have them whole. */
const maxStepsShown = 3;

/** A block as sentences name it. */
export function printBlock({ kind, name }: Pick<BlockView, "kind" | "name">): string {
  return `${kind} ${name}`;
}

const checkerWords: Readonly<Record<CheckedBlock["certainty"], string>> = {
  error: "the type checker refuses it with this change",
  follows: "the type checker refuses it with this change, and what it must become follows from that",
  cascade: "the type checker refuses it until others are mended",
  guess: "the type checker will refuse it if others are mended as people often do",
};

const signWords: Readonly<Record<ImpactSign, string>> = {
  "says-old-name": "it says a name that is no more",
  "says-kin-name": "it says a name that is made of a renamed one",
  "behind-broken-signature": "it depends on a signature that the type checker refuses",
  "calls-what-has-to-change": "it calls what cannot be mended by itself",
};
