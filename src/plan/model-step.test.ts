import { afterAll, describe, expect, test } from "vitest";
import { RegionGuides } from "../edit/index.ts";
import { grammarFor, threadSlices } from "../grammar/node/index.ts";
import type { Model } from "../model/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { NameImpact } from "./fixtures/name-impact.ts";
import { type AnswerBook, BookModel, fenced } from "./fixtures/play-plan.ts";
import { ChatModelStep, type ChatModelStepOptions } from "./model-step.ts";
import { PlanGraph, type PlanStep } from "./plan-graph.ts";
import type { StepRequest } from "./plan-parts.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const files = {
  "money.ts": "export class Money {\n  constructor(readonly cents: number) {}\n}\n",
  "shop.ts": `import { tax } from "./tax.ts";

/** What a thing costs. */
export function price(cents: number): number {
  return cents + tax(cents);
}

export function other(): number {
  return 1;
}
`,
};

function questionAbout(path: "shop.ts" | "money.ts", name: string, more: Partial<PlanStep> = {}): StepRequest {
  const { graph } = new NameImpact(files);
  const block = graph.blocksOf(path).find((one) => one.name === name)!;
  const step: PlanStep = {
    ...{ id: 1, block, status: "pending", causes: [{ kind: "instruction" }], likelihood: 1, round: 1 },
    ...{ instruction: "Return Money.", ...more },
  };
  const plan = PlanGraph.empty.withStep(step);
  return { step, block, text: files[path], plan, graph, textOf: async (other) => files[other as "shop.ts"] };
}

async function answer(
  book: AnswerBook,
  options: Partial<ChatModelStepOptions> = {},
  question = questionAbout("shop.ts", "price"),
) {
  const model = new BookModel(book);
  const step = new ChatModelStep({
    model,
    syntax,
    guides: new RegionGuides({ load: grammarFor, slices: threadSlices }),
    ...options,
  });
  const task = await step.prepare(question);
  const made = await step.run(task, question.text, { remember: (one) => one });
  const [change] = made.kind === "edit" ? made.edit.changes : [];
  const after = change?.kind === "edit" ? change.edit.apply(question.text) : undefined;
  return { made, after, model, task };
}

const newPrice =
  "/** What a thing costs. */\nexport function price(cents: number): Money {\n  return new Money(cents + tax(cents));\n}";

describe("ChatModelStep", () => {
  test("uses the answer as the block's text and requests the imports when it contains a new name", async () => {
    const book = [
      [/says `Money`/, fenced('import { Money } from "./money.ts";\nimport { tax } from "./tax.ts";')],
      ["", fenced(newPrice)],
    ] as const;
    const { after, model } = await answer(book);
    expect(after).toBe(
      files["shop.ts"]
        .replace("import", 'import { Money } from "./money.ts";\nimport')
        .replace(/\/\*\*[\s\S]*?\n}/, newPrice),
    );
    expect(model.requests.length).toBe(2);
  });

  test("makes one request when the answer contains no new name", async () => {
    const { model, after } = await answer([["", fenced(newPrice.replaceAll("Money", "Number"))]]);
    expect(after).toContain("new Number(");
    expect(model.requests.length).toBe(1);
  });

  test("keeps the block with a note when the imports cannot be written", async () => {
    const { made, after } = await answer([
      [/says `Money`/, fenced(newPrice)],
      ["", fenced(newPrice)],
    ]);
    expect(after?.match(/new Money\(/g)).toHaveLength(1);
    expect(made).toMatchObject({
      note: "The imports of `Money` were not written: The answer contains other code, too.",
    });
  });

  test("refuses an answer that the model did not end", async () => {
    const { made } = await answer([["", fenced("export function price(cents: number): number {\n  return (cents")]]);
    expect(made).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/since the model did not end it|cut back/),
    });
  });

  test.each([
    "No changes.",
    "no changes",
    "**No changes.**\n",
    "<think>\nHm.\n</think>\n\nNo changes.",
    "No changes needed.",
  ])("returns unchanged for %j after one request", async (text) => {
    const { made, model } = await answer([["", text]]);
    expect(made).toEqual({ kind: "unchanged" });
    expect(model.requests.length).toBe(1);
  });

  test("returns unchanged when the answer is the block as it is", async () => {
    const { task } = await answer([["", "No changes."]]);
    const [own] = task.regions;
    const { made } = await answer([["", fenced(files["shop.ts"].slice(own!.start, own!.end).trimEnd())]]);
    expect(made).toEqual({ kind: "unchanged" });
  });

  test("refuses an answer without code, with the answer in the reason", async () => {
    const { made } = await answer([["", "I would rather not change this."]]);
    expect(made).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("The answer was: I would rather not"),
    });
  });

  test("cuts an answer with more than the block to the block", async () => {
    const more = `import { Money } from "./money.ts";\n\n${newPrice}\n`;
    const { made, after } = await answer([
      [/says `Money`/, "No changes."],
      ["", fenced(more)],
    ]);
    expect(made.kind === "edit" ? after?.slice(-50) : files["shop.ts"].slice(-50)).toBe(files["shop.ts"].slice(-50));
  });
});

describe("a prompt of ChatModelStep", () => {
  test("is bounded: a large file becomes an outline, and the least useful texts are left out", async () => {
    const body = Array.from({ length: 400 }, (_, line) => `  console.log("line ${line}");\n`).join("");
    const big = `${files["shop.ts"]}\nexport function noise(): void {\n${body}}\n`;
    const impact = new NameImpact({ ...files, "shop.ts": big });
    const block = impact.graph.blocksOf("shop.ts").find(({ name }) => name === "price")!;
    const question = {
      ...questionAbout("shop.ts", "price"),
      block,
      text: big,
      graph: impact.graph,
      textOf: async () => big,
    };
    const { task, model } = await answer(
      [["", "No changes."]],
      { maxShownTokens: 200, maxContextTokens: 400 },
      question,
    );
    expect(task.context.map(({ path }) => path)).toEqual(["shop.ts, in outline"]);
    expect(task.context[0]!.text).toContain("export function noise(): void { … }");
    expect(task.tokens).toBeLessThan(1_700);
    expect(model.requests[0]).not.toContain("line 300");
  });

  test("about a class with members has the class's header as its region", async () => {
    const { task } = await answer([["", "No changes."]], {}, questionAbout("money.ts", "Money"));
    const [own] = task.regions;
    expect(files["money.ts"].slice(own!.start, own!.end)).not.toContain("constructor");
  });
});

test("ChatModelStep throws for a model that only completes text", () => {
  const model: Model = { name: "fills" };
  expect(() => new ChatModelStep({ model, syntax })).toThrow("fills only completes text: name a model that chats.");
});
