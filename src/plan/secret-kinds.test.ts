import { describe, expect, test } from "vitest";
import type { CodeBlock } from "../analysis/index.ts";
import { type SecretKind, secretKinds } from "../context/fixtures/secret-kinds.ts";
import { type ModelTask, type PlanEvent, planEventFromJson, planEventToJson } from "./plan-event.ts";
import { PlanGraph, type PlanStep } from "./plan-graph.ts";
import type { StepRequest } from "./plan-parts.ts";
import { rewriteRequest, stepPrompt, stepTask, usualStepBudget } from "./step-task.ts";

function blockOf(path: string, name: string, text: string, start = 0): CodeBlock {
  const range = { start, end: start + text.length };
  return { path, kind: "function", name, range, ownRange: range, signature: [], ordinal: 0 } as unknown as CodeBlock;
}

const own = "export function own(): void {}\n";

/** A step whose causes, related code, earlier edits and outline all contain a kind of secret. */
function questionAbout({ path, text }: SecretKind): StepRequest {
  const block = blockOf("src/own.ts", "own", own.trimEnd());
  const other = blockOf(path, "marker-related", text);
  const step = (id: number, more: Partial<PlanStep>): PlanStep => ({
    ...{ id, block, status: "pending", causes: [{ kind: "instruction" }], likelihood: 1, round: 1 },
    ...more,
  });
  const diff = `@@ -1 +1,9 @@\n-marker-diff\n${text.replace(/^/gm, "+")}\n`;
  const rewrite = { diff } as NonNullable<PlanStep["rewrite"]>;
  const plan = PlanGraph.empty.withStep(step(1, { block: other, rewrite, status: "done" })).withStep(
    step(2, {
      causes: [
        { kind: "change", from: 1, label: "MMS", relation: "calls", hops: 1 },
        { kind: "finding", message: `marker-finding ${text.replace(/\s+/g, " ")}` },
      ],
    }),
  );
  return {
    ...{ step: plan.step(2), block, text: own, plan },
    graph: {
      tryBlock: () => other,
      blocksOf: () => [block],
      blockAt: () => block,
      dependenciesOf: () => [{ from: "own", to: "related", relation: "calls" }],
      dependentsOf: () => [],
    } as unknown as StepRequest["graph"],
    textOf: async () => text,
  };
}

describe("row 5: the prompt of a step", () => {
  test.each(secretKinds.map((kind) => [kind.name, kind] as const))("contains no %s", async (_, kind) => {
    const question = questionAbout(kind);
    const task = await stepTask(question);
    const shown = stepPrompt(task, question.text)
      .map(({ text }) => text)
      .join("\n");
    expect(shown).not.toContain(kind.secret);
    expect(JSON.stringify(task)).not.toContain(JSON.stringify(kind.secret).slice(1, -1));
    for (const marker of ["marker-diff", "marker-finding", "marker-related"]) expect(shown).toContain(marker);
  });
});

test("row 5: the name of a statement is code, and is redacted", async () => {
  for (const kind of secretKinds.filter(({ path, text }) => path.endsWith(".ts") && !text.includes("\n"))) {
    const question = questionAbout({ ...kind, text: "one" });
    const other = { ...question.graph.tryBlock("x")!, kind: "statement" as const, name: kind.text };
    const task = await stepTask({ ...question, graph: { ...question.graph, tryBlock: () => other } });
    expect(JSON.stringify(task)).toContain("statement ");
    expect(JSON.stringify(task)).not.toContain(JSON.stringify(kind.secret).slice(1, -1));
  }
});

describe("row 5: the prompt of a step from a journal without redaction", () => {
  test.each(secretKinds.map((kind) => [kind.name, kind] as const))("contains no %s", async (_, kind) => {
    const question = questionAbout(kind);
    const task = await stepTask(question);
    const cause = `- marker-finding ${kind.text.replace(/\s+/g, " ")}`;
    const old = {
      ...task,
      instruction: `The task: \`token = "sent-as-it-is"\`\n\nWhy it may have to change:\n\n${cause}\n\nAnswer.`,
      context: [
        { path: `function marker in ${kind.path}`, text: kind.text },
        {
          path: `function marker in ${kind.path}, as it was changed`,
          text: `@@ -1 +1 @@\n${kind.text.replace(/^/gm, "+")}\n`,
        },
        { path: `${kind.path}, in outline`, text: kind.text },
      ],
    };
    const read = planEventFromJson(planEventToJson(begun(old)));
    if (read.kind !== "steps-begun") throw new Error(read.kind);
    const request = rewriteRequest(read.tasks[0]!.task, question.text, usualStepBudget);
    const shown = JSON.stringify([request.instruction, request.context]);
    expect(shown).not.toContain(JSON.stringify(kind.secret).slice(1, -1));
    expect(shown).toContain("sent-as-it-is");
    expect(shown).toContain("marker-finding");
    expect(request.context?.map(({ path }) => path)).toEqual(old.context.map(({ path }) => path));
  });

  test("a task that was redacted when it was stored is sent unchanged", async () => {
    for (const kind of secretKinds) {
      const { instruction, context, ...task } = await stepTask(questionAbout(kind));
      expect(rewriteRequest({ ...task, instruction, context }, own, usualStepBudget)).toMatchObject({
        instruction,
        context,
      });
    }
  });
});

/** The event that begins a step with this task. */
function begun(task: object): PlanEvent {
  return { kind: "steps-begun", tasks: [{ id: 2, task: task as ModelTask }] };
}
