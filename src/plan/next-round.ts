import type { BlockId, CodeBlockKind } from "../codebase/index.ts";
import { type BlockAt, compareFindings, findingKey } from "./oracles/compare-findings.ts";
import { type Finding, printFinding } from "./oracles/finding.ts";
import type { PlacedFinding } from "./plan-event.ts";
import type { PlanStep, StepId } from "./plan-graph.ts";
import { givenFindingsOf, isAboutOracles } from "./plan-seed.ts";
import type { PlanState } from "./plan-state.ts";

/** The steps of the next round. */
export interface NextRound {
  /** A step for each block with new findings of verification commands. */
  readonly found: readonly PlanStep[];
  /** New findings outside all blocks, in the format of {@link printFinding}. */
  readonly unplaced: readonly string[];
}

/**
 * Turns the new findings of verification commands into steps. A finding is new when its block, tool
 * and code did not occur before the plan; findings that the plan is meant to repair stay new until
 * they are gone. Findings of earlier rounds do not count, because the texts have changed.
 */
export function nextRound(
  state: PlanState,
  { round, firstId, maxVisits }: { readonly round: number; readonly firstId: StepId; readonly maxVisits: number },
): NextRound {
  const isAboutAll = isAboutOracles(state.seeds);
  const commands = givenFindingsOf(state.seeds).map(({ by }) => by);
  const isAbout = keysOf(commands.flatMap((by) => state.oraclesBefore.get(by)?.findings ?? []));
  const byBlock = new Map<BlockId, Finding[]>();
  const unplaced: string[] = [];
  for (const [oracle, { findings, round: findingsRound }] of state.oracles) {
    if (findingsRound !== state.round) continue;
    const known = isAboutAll || commands.includes(oracle) ? [] : (state.oraclesBefore.get(oracle)?.findings ?? []);
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
    // The block is left to a person already.
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
      ...(isTried && { note: `This block was changed ${visits} times already, and it still has errors.` }),
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
