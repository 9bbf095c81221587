import { invariant } from "../text/index.ts";
import type {
  Consequences,
  ModelAnswer,
  ModelTask,
  PlacedFinding,
  PlanEnd,
  PlanEvent,
  PlanSeed,
} from "./plan-event.ts";
import { causingStep, PlanGraph, type StepId } from "./plan-graph.ts";
import { type PlanWrite, revertWrites } from "./take-back.ts";

/** The state of a plan: the fold of its events. Immutable. */
export interface PlanState {
  readonly plan: string;
  readonly instruction?: string;
  readonly base: string;
  readonly seeds: readonly PlanSeed[];
  readonly graph: PlanGraph;
  /** From 1; 0 before the first. */
  readonly round: number;
  /**
   * The result of each verification command for the current texts, and the result before the plan.
   */
  readonly verifiers: ReadonlyMap<string, VerifierAnswer>;
  readonly verifiersBefore: ReadonlyMap<string, VerifierAnswer>;
  /**
   * Steps with a started model request that are not settled, in the order in which they were begun.
   */
  readonly begun: ReadonlyMap<StepId, BegunStep>;
  /** The answers of models, by the names of their requests. */
  readonly answers: ReadonlyMap<string, ModelAnswer>;
  /**
   * All changes of texts that have not been reverted, in order; applied one after the other, they
   * give the current texts.
   */
  readonly writes: readonly PlanWrite[];
  /** The number of tokens in prompts and answers. */
  readonly tokens: { readonly shown: number; readonly written: number };
  readonly ended?: { readonly why: PlanEnd; readonly note?: string };
}

/** The result of a verification command, with its round. */
export type VerifierAnswer = Pick<
  Extract<PlanEvent, { kind: "verifier-finished" }>,
  "round" | "verdict" | "summary"
> & {
  readonly findings: readonly PlacedFinding[];
};

/** A step with a started model request. */
export interface BegunStep {
  readonly task: ModelTask;
  /** The number of writes at that time; the task refers to the texts after them. */
  readonly writes: number;
}

/** The state before the first event. */
export const noPlan: PlanState = {
  ...{ plan: "", base: "", seeds: [], graph: PlanGraph.empty, round: 0, tokens: { shown: 0, written: 0 } },
  ...{ verifiers: new Map(), verifiersBefore: new Map(), begun: new Map(), answers: new Map(), writes: [] },
};

/**
 * The state after one more event. Throws an `InvariantError` where the event does not fit the
 * state, such as one about an unknown step.
 */
export function afterEvent(state: PlanState, event: PlanEvent): PlanState {
  switch (event.kind) {
    case "plan-started": {
      const { plan, instruction, base, seeds } = event;
      return { ...state, plan, base, seeds, ...(instruction !== undefined && { instruction }) };
    }
    case "plan-resumed": {
      const { ended: _, ...rest } = state;
      return { ...rest, verifiers: new Map() };
    }
    case "round-started": {
      const made = event.found.flatMap(({ id, rewrite }) => (rewrite === undefined ? [] : [writeOf(id, rewrite)]));
      const graph = withConsequences(state.graph, event);
      const verifiers = made.length === 0 ? state.verifiers : new Map();
      return { ...state, round: event.round, graph, verifiers, writes: [...state.writes, ...made] };
    }
    case "steps-begun": {
      const writes = state.writes.length;
      const begun = event.tasks.map(({ id, task }) => [id, { task, writes }] as const);
      return { ...state, begun: new Map([...state.begun, ...begun]) };
    }
    case "model-answered": {
      const { request, text, end, shownTokens, writtenTokens } = event;
      const { shown, written } = state.tokens;
      return {
        ...state,
        answers: new Map([...state.answers, [request, { text, end, shownTokens, writtenTokens }]]),
        tokens: { shown: shown + shownTokens, written: written + writtenTokens },
      };
    }
    case "step-reopened": {
      const { graph } = state;
      const isLeft = graph.step(event.id).status === "obligation";
      return {
        ...state,
        begun: without(state.begun, [event.id]),
        ...(isLeft && { graph: graph.withPending(event.id) }),
      };
    }
    case "step-settled": {
      const { id, status, rewrite, changes, note, errors, proposal, modelFailed } = event;
      const settled = {
        status,
        ...(status === "obligation" && state.graph.step(id).isRejected && { isRejected: true as const }),
        ...(rewrite !== undefined && { rewrite }),
        ...(changes !== undefined && { changes }),
        ...(note !== undefined && { note }),
        ...(errors !== undefined && { errors }),
        ...(proposal !== undefined && { proposal }),
        ...(modelFailed && { modelFailed }),
      };
      return {
        ...state,
        begun: without(state.begun, [id]),
        graph: withConsequences(state.graph.withPending(id).withChanged(id, settled), event),
        ...(rewrite !== undefined && { verifiers: new Map(), writes: [...state.writes, writeOf(id, rewrite)] }),
      };
    }
    case "step-rejected":
      return afterRejection(state, event);
    case "verifier-finished": {
      const { round, verifier, verdict, summary, findings } = event;
      const answer = { round, verdict, summary, findings };
      const verifiers = new Map([...state.verifiers, [verifier, answer]]);
      const verifiersBefore =
        round === 0 ? new Map([...state.verifiersBefore, [verifier, answer]]) : state.verifiersBefore;
      return { ...state, verifiers, verifiersBefore };
    }
    case "plan-ended": {
      const { why, note } = event;
      return { ...state, ended: { why, ...(note !== undefined && { note }) } };
    }
  }
}

/**
 * The state after all of these events; {@link noPlan} after none. Throws as {@link afterEvent} does
 * where an event does not fit those before it.
 */
export function foldPlan(events: Iterable<PlanEvent>): PlanState {
  let state = noPlan;
  for (const event of events) state = afterEvent(state, event);
  return state;
}

function withConsequences(before: PlanGraph, { found, causes, moved }: Consequences): PlanGraph {
  let graph = before;
  for (const { id, block } of moved) graph = graph.withChanged(id, { block });
  for (const step of found) graph = graph.withStep(step);
  for (const { id, cause } of causes) graph = graph.withCause(id, cause);
  return graph;
}

function afterRejection(state: PlanState, event: Extract<PlanEvent, { kind: "step-rejected" }>): PlanState {
  const { id, reason, reverted, dropped, replanned } = event;
  let graph = state.graph.withPending(id);
  const note = reason === undefined ? {} : { note: reason };
  graph = graph.withChanged(id, { status: "rejected", isRejected: true, ...note });
  for (const one of dropped) graph = graph.withPending(one).withChanged(one, { status: "dropped" });
  // Remove causes that are gone or pending again from the steps that remain.
  const gone = new Set([id, ...dropped, ...replanned]);
  for (const { id: one, causes, status } of graph.steps) {
    const left = causes.filter((cause) => !gone.has(causingStep(cause) ?? 0));
    if (left.length < causes.length && status !== "dropped" && one !== id)
      graph = graph.withChanged(one, { causes: left });
  }
  for (const one of replanned) graph = graph.withPending(one);
  const { writes } = state;
  const answer = revertWrites(writes, reverted);
  invariant(answer.kind === "taken-back", () => `The rewrite of step ${id} cannot be taken back.`);
  // The tasks of begun steps refer to other texts.
  return { ...state, graph, begun: new Map(), verifiers: new Map(), writes: answer.left };
}

function writeOf(step: StepId, { edit, undo }: Pick<PlanWrite, "edit" | "undo">): PlanWrite {
  return { step, edit, undo };
}

function without<Value>(map: ReadonlyMap<StepId, Value>, ids: readonly StepId[]): ReadonlyMap<StepId, Value> {
  return new Map([...map].filter(([id]) => !ids.includes(id)));
}

/** The note of a step that is settled unchanged, without a model or a person. */
export const noErrorLeft = "The type checker reports no error here any more.";

/**
 * Whether a plan has ended with an instruction that neither a model nor a person has read: it did
 * not start with the instruction, and rules and the type checker settled all of its steps.
 */
export function isInstructionUnread({ instruction, ended, seeds, graph }: PlanState): boolean {
  if (instruction === undefined || ended?.why !== "done") return false;
  if (seeds.some(({ kind }) => kind === "instruction")) return false;
  return graph.steps.every(({ status, rewrite, note }) =>
    status === "unchanged"
      ? note === noErrorLeft
      : status !== "done" || rewrite?.by.kind === "seed" || rewrite?.by.kind === "mechanical",
  );
}
