import type { BlockId, CodeBlockKind } from "../codebase/index.ts";
import { type BlockAt, compareFindings, findingKey } from "./oracles/compare-findings.ts";
import { type Finding, printFinding } from "./oracles/finding.ts";
import type { PlacedFinding } from "./plan-event.ts";
import type { PlanStep, StepId } from "./plan-graph.ts";
import { isAboutOracles, saidFindingsOf } from "./plan-seed.ts";
import type { PlanState } from "./plan-state.ts";

/** The seeds of another round. */
export interface NextRound {
  /** A step for each block in which oracles found what was not there before the plan. */
  readonly found: readonly PlanStep[];
  /** New findings that lie in no block, as people read them. */
  readonly unplaced: readonly string[];
}

/**
 * Makes what the oracles newly found steps. Findings are new by block, tool and code, against what the oracles said before the
 * plan; those that the plan is about are new until they are gone. What was said of other texts than those of this round counts no more.
 */
export function nextRound(
  state: PlanState,
  { round, firstId, maxVisits }: { readonly round: number; readonly firstId: StepId; readonly maxVisits: number },
): NextRound {
  const isAboutAll = isAboutOracles(state.seeds);
  const said = saidFindingsOf(state.seeds).map(({ by }) => by);
  const isAbout = keysOf(said.flatMap((by) => state.oraclesBefore.get(by)?.findings ?? []));
  const byBlock = new Map<BlockId, Finding[]>();
  const unplaced: string[] = [];
  for (const [oracle, { findings, round: asked }] of state.oracles) {
    if (asked !== state.round) continue;
    const known = isAboutAll || said.includes(oracle) ? [] : (state.oraclesBefore.get(oracle)?.findings ?? []);
    const before = known.filter((one) => !isAbout.has(keyOfPlaced(one)));
    const { appeared } = compareFindings(runOf(before), runOf(findings));
    const blocks = new Map(findings.map(({ finding, block }) => [finding, block]));
    for (const finding of appeared) {
      const block = blocks.get(finding);
      if (block === undefined) unplaced.push(printFinding(finding));
      else byBlock.set(block, [...(byBlock.get(block) ?? []), finding]);
    }
  }
  const found: PlanStep[] = [];
  for (const [id, findings] of byBlock) {
    // A person knows of it already.
    if (state.graph.isObligation(id)) continue;
    const visits = state.graph.visitsTo(id);
    const isTried = visits >= maxVisits;
    found.push({
      id: firstId + found.length,
      block: blockOfId(id),
      status: isTried ? "obligation" : "pending",
      causes: findings.map(({ message, code }) => ({ kind: "finding", message, ...(code !== undefined && { code }) })),
      likelihood: 1,
      round,
      ...(isTried && { note: `It was looked at ${visits} times already, and is still not right.` }),
    });
  }
  return { found, unplaced };
}

function runOf(placed: readonly PlacedFinding[]): { readonly findings: readonly Finding[]; readonly blockAt: BlockAt } {
  const blocks = new Map(placed.map(({ finding, block }) => [keyOf(finding), block]));
  return { findings: placed.map(({ finding }) => finding), blockAt: (place) => blocks.get(keyOf(place)) };
}

function keysOf(placed: readonly PlacedFinding[]): ReadonlySet<string> {
  return new Set(placed.map(keyOfPlaced));
}

function keyOfPlaced({ finding, block }: PlacedFinding): string {
  return findingKey(finding, () => block);
}

function keyOf({ path, line, column }: Pick<Finding, "path" | "line" | "column">): string {
  return `${path}:${line}:${column}`;
}

function blockOfId(id: BlockId): PlanStep["block"] {
  const bar = id.indexOf("|");
  const colon = id.indexOf(":", bar);
  return { path: id.slice(0, bar), kind: id.slice(bar + 1, colon) as CodeBlockKind, name: id.slice(colon + 1) };
}
