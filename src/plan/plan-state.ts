import { invariant } from "../text/index.ts";
import type { Finding } from "./oracles/finding.ts";
import type { PlanEnd, PlanEvent } from "./plan-event.ts";
import { PlanGraph, type StepId } from "./plan-graph.ts";

/** What is known of a plan: the fold of its events. Immutable. */
export interface PlanState {
  readonly plan: string;
  readonly instruction?: string;
  readonly base: string;
  readonly graph: PlanGraph;
  /** The round of the oracle, from 1. */
  readonly round: number;
  /** What the oracles said last, by their names. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Steps that were begun and not settled: what a killed run left. */
  readonly begun: ReadonlySet<StepId>;
  /** Answers of models by the hash of their question. */
  readonly answers: ReadonlyMap<string, string>;
  /** How many tokens models were shown and wrote. */
  readonly tokens: number;
  readonly ended?: PlanEnd;
}

/** The state before the first event. */
export const noPlan: PlanState = {
  ...{ plan: "", base: "", graph: PlanGraph.empty, round: 1, tokens: 0 },
  ...{ findings: new Map(), begun: new Set(), answers: new Map() },
};

/** The state after one more event. */
export function afterEvent(state: PlanState, event: PlanEvent): PlanState {
  switch (event.kind) {
    case "plan-started": {
      const { plan, instruction, base } = event;
      return { ...state, plan, base, ...(instruction !== undefined && { instruction }) };
    }
    case "step-found":
      return { ...state, graph: state.graph.withStep(event.step) };
    case "cause-added": {
      const { causes, status } = state.graph.step(event.id);
      invariant(status === "pending", `Step ${event.id} is ${status}: what affects it now is a new step.`);
      return { ...state, graph: state.graph.withChanged(event.id, { causes: [...causes, event.cause] }) };
    }
    case "step-begun":
      return { ...state, begun: new Set([...state.begun, event.id]) };
    case "model-answered":
      return {
        ...state,
        answers: new Map([...state.answers, [event.question, event.answer]]),
        tokens: state.tokens + (event.tokens ?? 0),
      };
    case "step-settled": {
      const { id, status, rewrite, changes, note } = event;
      const settled = {
        status,
        ...(rewrite !== undefined && { rewrite }),
        ...(changes !== undefined && { changes }),
        ...(note !== undefined && { note }),
      };
      return { ...state, begun: without(state.begun, id), graph: state.graph.withChanged(id, settled) };
    }
    case "step-rejected": {
      let graph = state.graph.withChanged(event.id, {
        status: "rejected",
        ...(event.reason && { note: event.reason }),
      });
      for (const { id, status } of graph.consequencesOf(event.id)) {
        if (status === "pending") graph = graph.withChanged(id, { status: "dropped" });
      }
      return { ...state, graph };
    }
    case "oracle-answered":
      return {
        ...state,
        round: event.findings.length > 0 ? event.round + 1 : event.round,
        findings: new Map([...state.findings, [event.oracle, event.findings]]),
      };
    case "plan-ended":
      return { ...state, ended: event.why };
  }
}

/** The state after all of these events. */
export function foldPlan(events: Iterable<PlanEvent>): PlanState {
  let state = noPlan;
  for (const event of events) state = afterEvent(state, event);
  return state;
}

function without(ids: ReadonlySet<StepId>, id: StepId): ReadonlySet<StepId> {
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}
