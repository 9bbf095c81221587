import { caseKey, type ImpactCase } from "../../bench/impact/impact-case.ts";
import type { ChangeLabel } from "../../src/analysis/changes/atomic-change.ts";
import { type BlockId, blockId } from "../../src/analysis/graph/code-block.ts";
import type { DependencyGraph } from "../../src/analysis/graph/dependency-graph.ts";
import type { AffectedBlock, ImpactReport } from "../../src/analysis/impact/impact-analysis.ts";
import { type ImpactSign, likelihoodOf } from "../../src/analysis/impact/likelihood.ts";
import type { ImpactReach } from "../../src/analysis/impact/may-impact.ts";

/**
 * The outcome of a block, as recorded with the cases; `other` changed for reasons that the change
 * does not explain.
 */
export type Outcome = "forced" | "linked" | "other" | "unchanged";

/** What the analysis knows of the block through which a change came. */
export type Behind = "seed" | "follows" | "error" | "cascade" | "guess" | "silent";

/**
 * One block of one case: what was known of it, and whether it changed. Plain data, one line of
 * JSON.
 */
export interface ImpactRow {
  readonly repo: string;
  readonly case: string;
  readonly block: string;
  readonly kind: string;
  readonly outcome: Outcome;
  /** The change that the case begins with. */
  readonly seedLabel: string;
  /** Absent where the type checker reports nothing of it. */
  readonly checked?: {
    readonly certainty: "error" | "follows" | "cascade" | "guess";
    readonly wave: number;
    readonly codes: readonly string[];
    readonly isInSignature: boolean;
    readonly isFromParameter: boolean;
  };
  /** Absent where no rule leads to it. */
  readonly reach?: {
    readonly hops: number;
    readonly label: ChangeLabel;
    readonly relation: ImpactReach["relation"];
    readonly crowd: number;
    readonly behind: Behind;
    readonly isBehindSignature: boolean;
  };
  readonly signs: readonly ImpactSign[];
  /**
   * How many blocks call the one for which this block `calls-what-has-to-change`: of several, the
   * one with the fewest.
   */
  readonly callers?: number;
  /** Whether it is in a file of the seed edit. */
  readonly isInSeedFile: boolean;
  /** Whether it is in a file of tests. */
  readonly isTest: boolean;
  /**
   * How many other blocks of its file the type checker refuses for good, or changes with certainty.
   */
  readonly brokenBeside: number;
  /** How many blocks of the whole case the type checker refuses for good. */
  readonly broken: number;
}

/**
 * The rows of one analysed case: all affected blocks, and forced ones that the analysis did not
 * name.
 */
export function rowsOf(one: ImpactCase, { affected, changes }: ImpactReport, graph: DependencyGraph): ImpactRow[] {
  const { seed } = one;
  const seeds = new Set([caseKey(seed), caseKey({ ...seed.after, file: seed.file })]);
  const forced = new Map(one.forced.map((block) => [caseKey(block), block]));
  const linked = new Set(one.linked.map(caseKey));
  const other = new Set(one.other.map(caseKey));
  const byId = new Map(affected.map((each) => [blockId(each.block), each]));
  const files = new Set(changes.flatMap(({ before, after }) => [before?.path, after?.path]));
  const isBroken = ({ checked }: AffectedBlock) =>
    checked !== undefined && (checked.certainty === "error" || checked.certainty === "follows");
  const broken = affected.filter(isBroken);
  const crowds = callersOf(graph, affected);
  const rows: ImpactRow[] = [];
  const seen = new Set<string>();
  const shared = { repo: one.repo, case: one.id, seedLabel: changes[0]?.label ?? "" };
  for (const each of affected) {
    const { block, checked, reach, signs } = each;
    const key = caseKey({ file: block.path, kind: block.kind, name: block.name });
    if (seeds.has(key) || seen.has(key)) continue;
    seen.add(key);
    const outcome = forced.has(key) ? "forced" : linked.has(key) ? "linked" : other.has(key) ? "other" : "unchanged";
    const from = reach && byId.get(reach.from);
    rows.push({
      ...shared,
      block: key,
      kind: block.kind,
      outcome,
      ...(checked && {
        checked: {
          certainty: checked.certainty,
          wave: checked.wave,
          codes: checked.codes,
          isInSignature: checked.isInSignature,
          isFromParameter: checked.isFromParameter,
        },
      }),
      ...(reach && {
        reach: {
          hops: reach.hops,
          label: reach.change.label,
          relation: reach.relation,
          crowd: reach.crowd,
          behind: reach.hops === 1 ? "seed" : (from?.checked?.certainty ?? "silent"),
          isBehindSignature: from?.checked?.isInSignature ?? false,
        },
      }),
      signs,
      ...(signs.includes("calls-what-has-to-change") && { callers: crowds.get(blockId(block)) ?? 1 }),
      isInSeedFile: files.has(block.path),
      isTest: isTestFile(block.path),
      brokenBeside: broken.filter((one) => one !== each && one.block.path === block.path).length,
      broken: broken.length,
    });
  }
  for (const [key, { kind, file }] of forced) {
    if (seen.has(key)) continue;
    const [isInSeedFile, isTest] = [files.has(file), isTestFile(file)];
    const nothing = { signs: [] as const, brokenBeside: 0, broken: broken.length };
    rows.push({ ...shared, ...nothing, block: key, kind, outcome: "forced", isInSeedFile, isTest });
  }
  return rows;
}

/**
 * What the analysis makes of a row by the weights that it has now; 0 where it does not name the
 * block at all.
 */
export function likelihoodNow({ checked, reach, signs, callers, block }: ImpactRow): number {
  const [path = "", id = ""] = block.split("|");
  // A row has no more of a block than its name: nothing else of it is weighed.
  const named = { path, name: id, kind: "statement", simpleName: "", isExported: false, signature: [] } as const;
  const nowhere = { start: 0, end: 0 };
  const bare = { ...named, range: nowhere, ownRange: nowhere };
  return likelihoodOf({
    ...(checked && { checked: { ...checked, block: bare } }),
    ...(reach && {
      reach: {
        block: bare,
        from: "",
        hops: reach.hops,
        crowd: reach.crowd,
        relation: reach.relation,
        change: { label: reach.label, removedNames: [], addedNames: [], changedNames: [] },
      },
    }),
    ...(callers !== undefined && { callers }),
    signs,
    wasChecked: true,
  });
}

/**
 * How many call what a block calls, as far as that is refused in its signature or hands through
 * what it is given.
 */
function callersOf(graph: DependencyGraph, affected: readonly AffectedBlock[]): Map<BlockId, number> {
  const crowds = new Map<BlockId, number>();
  for (const { block, checked } of affected) {
    if (checked?.certainty !== "error" || !(checked.isFromParameter || checked.isInSignature)) continue;
    const calls = [...graph.dependentsOf(blockId(block))].filter(({ relation }) =>
      /^(calls|instantiates)$/.test(relation),
    );
    const callers = new Set(calls.map(({ from }) => from));
    for (const caller of callers) crowds.set(caller, Math.min(callers.size, crowds.get(caller) ?? callers.size));
  }
  return crowds;
}

function isTestFile(path: string): boolean {
  return /(^|\/)(__tests__|tests?|specs?|typings)\/|\.(test|spec|test-d)\.[cm]?tsx?$/.test(path);
}
