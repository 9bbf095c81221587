import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Edit, workspaceEdit } from "../text/index.ts";
import { type PlanEvent, planEventFromJson, planEventToJson } from "./plan-event.ts";
import { causingStep, PlanGraph, type PlanStep, type StepCause } from "./plan-graph.ts";
import { afterEvent, foldPlan, noPlan, type PlanState } from "./plan-state.ts";
import { rejectStep } from "./review.ts";

const step = (id: number, causes: readonly StepCause[], name = `f${id}`): PlanStep => ({
  ...{ id, block: { path: "a.ts", kind: "function", name }, status: "pending", causes, likelihood: 1 / id, round: 1 },
});
const change = (from: number): StepCause => ({ kind: "change", from, label: "MMS", relation: "called-by", hops: 1 });

/** A random action on a plan, with numbers that are taken modulo the number of candidates. */
const action = fc.record({
  kind: fc.constantFrom(
    "begin",
    "settle",
    "settle",
    "settle",
    "answer",
    "put back",
    "reject",
    "round",
    "resume",
    "end",
  ),
  which: fc.nat(20),
  status: fc.constantFrom("done", "done", "done", "unchanged", "obligation", "dropped"),
  /** Affected blocks: one with a pending step gets a cause, others get a new step. */
  affects: fc.array(fc.nat(6), { maxLength: 3 }),
  at: fc.nat(9),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * The event that an action causes in this state, as the engine would write it; `undefined` when it
 * is impossible.
 */
function eventOf(state: PlanState, { kind, which, status, affects, at }: Action): PlanEvent | undefined {
  const { graph, begun } = state;
  const pending = graph.pending[which % Math.max(1, graph.pending.length)];
  switch (kind) {
    case "begin": {
      const task = { path: "a.ts", language: "typescript", regions: [], instruction: "", context: [], tokens: 1 };
      return pending && !begun.has(pending.id) ? { kind: "steps-begun", tasks: [{ id: pending.id, task }] } : undefined;
    }
    case "settle": {
      if (pending === undefined) return undefined;
      const { id } = pending;
      if (status !== "done")
        return { kind: "step-settled", id, status: status as "dropped", found: [], causes: [], moved: [] };
      const others = new Set([...begun.keys(), id]);
      const found: PlanStep[] = [];
      const causes: { id: number; cause: StepCause }[] = [];
      for (const name of new Set(affects)) {
        const known = graph.pendingFor(`a.ts|function:f${name}`, others);
        if (known === undefined) found.push(step(graph.nextId + found.length, [change(id)], `f${name}`));
        else causes.push({ id: known.id, cause: change(id) });
      }
      const edit = workspaceEdit([{ kind: "edit", uri: "a.ts", edit: Edit.insert(2 * at, `${id}`) }]);
      const undo = workspaceEdit([
        { kind: "edit", uri: "a.ts", edit: Edit.delete({ start: 2 * at, end: 2 * at + `${id}`.length }) },
      ]);
      const rewrite = { edit, undo, diff: "", by: { kind: "person" } } as const;
      return { kind: "step-settled", id, status: "done", rewrite, found, causes, moved: [] };
    }
    case "answer":
      return {
        kind: "model-answered",
        id: 1,
        request: `${which}`,
        text: "x",
        end: "finished",
        shownTokens: 2,
        writtenTokens: 1,
      };
    case "put back":
      return pending && begun.has(pending.id) ? { kind: "step-reopened", id: pending.id, why: "" } : undefined;
    case "reject": {
      const answer = rejectStep(state, 1 + (which % Math.max(1, graph.steps.length)));
      return answer.kind === "rejection" ? answer.event : undefined;
    }
    case "round":
      return {
        ...({ kind: "round-started", round: state.round + 1, causes: [], moved: [] } as const),
        found: [step(graph.nextId, [{ kind: "finding", message: "no" }], `f${which % 7}`)],
      };
    case "resume":
      return { kind: "plan-resumed", at };
    default:
      return { kind: "plan-ended", why: "done" };
  }
}

/** The events of a plan with these actions. */
const plans = fc.array(action, { maxLength: 30, size: "+1" }).map((actions) => {
  const events: PlanEvent[] = [
    { kind: "plan-started", plan: "p", base: "b", seeds: [], at: 0 },
    {
      kind: "round-started",
      round: 1,
      found: [1, 2, 3].map((id) => step(id, [{ kind: "instruction" }])),
      causes: [],
      moved: [],
    },
  ];
  let state = foldPlan(events);
  for (const one of actions) {
    const event = eventOf(state, one);
    if (event === undefined) continue;
    events.push(event);
    state = afterEvent(state, event);
  }
  return events;
});

/** The steps that caused a step directly. */
function causingSteps({ causes }: Pick<PlanStep, "causes">): readonly number[] {
  return causes.map(causingStep).filter((id) => id !== undefined);
}

/** Whether no step causes itself, directly or through others. */
function isAcyclic({ steps }: PlanGraph): boolean {
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (id: number): boolean => {
    if (done.has(id)) return true;
    if (open.has(id)) return false;
    open.add(id);
    const isFine = steps[id - 1]!.causes.every((cause) => visit(causingStep(cause) ?? -1 - id));
    done.add(id);
    return isFine;
  };
  for (const { id, causes } of steps)
    for (const cause of causes) if (causingStep(cause) === undefined) done.add(-1 - id);
  return steps.every(({ id }) => visit(id));
}

describe("foldPlan", () => {
  test("gives a valid state for every prefix of a journal: no cycle, no pending cause, and begun steps are pending", () => {
    let caused = 0;
    fc.assert(
      fc.property(plans, (events) => {
        let state = noPlan;
        for (const event of events) {
          state = afterEvent(state, event);
          const { graph, begun } = state;
          expect(isAcyclic(graph)).toBe(true);
          expect(graph.steps.map(({ id }) => id)).toEqual(graph.steps.map((_, index) => index + 1));
          const kept = graph.steps.filter(({ status }) => status !== "dropped" && status !== "rejected");
          const causing = kept.flatMap(causingSteps);
          caused += causing.length;
          expect(causing.filter((id) => graph.step(id).status !== "done")).toEqual([]);
          for (const id of begun.keys()) expect(graph.step(id).status).toBe("pending");
          const written = graph.steps.filter(({ status }) => status === "done").map(({ id }) => id);
          expect(state.writes.map((write) => write.step).sort((a, b) => a - b)).toEqual(written);
        }
      }),
    );
    expect(caused).toBeGreaterThan(500);
  });

  test("gives the same state when it continues after any prefix, also with events that were stored as JSON", () => {
    fc.assert(
      fc.property(plans, fc.nat(30), (events, cut) => {
        const read = events.map((event) => planEventFromJson(planEventToJson(event)));
        let state = foldPlan(read.slice(0, cut));
        for (const event of read.slice(cut)) state = afterEvent(state, event);
        expect(state).toEqual(foldPlan(events));
      }),
    );
  });

  test("law: pathTo contains all causes of a step, each after its own causes", () => {
    let caused = 0;
    fc.assert(
      fc.property(plans, (events) => {
        const { graph } = foldPlan(events);
        for (const { id } of graph.steps) {
          const path = graph.pathTo(id).map((one) => one.id);
          const known = new Set<number>();
          for (const one of path) {
            const causing = causingSteps(graph.step(one));
            caused += causing.length;
            expect(causing.filter((from) => !known.has(from))).toEqual([]);
            known.add(one);
          }
        }
      }),
    );
    expect(caused).toBeGreaterThan(20);
  });
});

test("PlanGraph throws for a cause that is pending, the step itself, or missing", () => {
  const graph = PlanGraph.empty.withStep(step(1, []));
  expect(() => graph.withStep(step(2, [change(1)]))).toThrow("Step 1 is pending: it causes nothing yet.");
  expect(() => graph.withStep(step(2, [change(2)]))).toThrow("Step 2 cannot be caused by step 2.");
  expect(() => graph.withCause(1, change(7))).toThrow("Step 1 cannot be caused by step 7.");
  expect(() => graph.withChanged(1, { status: "done" }).withCause(1, { kind: "instruction" })).toThrow(
    "Step 1 is done",
  );
});

test("a step that is settled again has the note, errors, proposal and marks of its last result alone", () => {
  const error = { code: "1", message: "wrong", names: [], line: 1 };
  const settled = { kind: "step-settled", id: 1, found: [], causes: [], moved: [] } as const;
  const begun: readonly PlanEvent[] = [
    { kind: "plan-started", plan: "p", base: "b", seeds: [], at: 0 },
    { kind: "round-started", round: 1, found: [step(1, [])], causes: [], moved: [] },
    {
      ...settled,
      status: "obligation",
      note: "No rule applies here.",
      errors: [error],
      proposal: "@@",
      modelFailed: true,
    },
  ];
  const { graph } = foldPlan([...begun, { ...settled, status: "done" }]);
  expect(graph.step(1)).toEqual({ ...step(1, []), status: "done" });
});
