import { describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../../model/node/fixtures/scripted-chat-server.ts";
import { cart, cartWithRate, price, Shop, tsconfig, withRate } from "../fixtures/plan-shop.ts";
import { moneyOfPlan } from "./plan-price.ts";

const remote = "openai:gpt-9";
const local = "ollama:qwen";

/** What a plan may spend, with a configuration that a person wrote. */
async function moneyOf(question: Partial<Parameters<typeof moneyOfPlan>[0]>, models: object = {}) {
  const work = new Shop({ "emend.config.json": JSON.stringify({ models }) });
  const terminal = { environment: {} } as Parameters<typeof moneyOfPlan>[1];
  const defaults = { root: work.folder, models: [remote], price: undefined, maxCost: undefined, isTrusted: true };
  return moneyOfPlan({ ...defaults, ...question }, terminal);
}

const priced = { [remote]: { price: { input: 2, output: 10 } } };

describe("the cost limit of a plan", () => {
  test.each([
    ["nothing is known of it", {}, {}, {}],
    ["a model on this machine costs nothing", { models: [local] }, {}, {}],
    ["also with a limit", { models: [local], maxCost: 2 }, {}, { price: [0, 0], maxCost: 2 }],
    ["by the configuration", {}, priced, { price: [2, 10] }],
    ["as it is said", { price: { input: 3, output: 15 }, maxCost: 1 }, priced, { price: [3, 15], maxCost: 1 }],
    [
      "of several the dearest counts",
      { models: [`${local},${remote}`], maxCost: 1 },
      priced,
      { price: [2, 10], maxCost: 1 },
    ],
    [
      "of one that is here and is to cost something",
      { models: [local] },
      { [local]: { price: { input: 1, output: 0 } } },
      { price: [1, 0] },
    ],
  ] as const)("%s", async (_, question, models, wanted) => {
    const { price: known, maxCost } = await moneyOf(question as object, models);
    const perMillion = known && [known.shownToken * 1e6, known.writtenToken * 1e6];
    expect({ ...(perMillion && { price: perMillion }), ...(maxCost !== undefined && { maxCost }) }).toEqual(wanted);
  });

  test.each([
    [
      "a limit without a price",
      { maxCost: 2 },
      {},
      "The price of openai:gpt-9 is unknown, so that --max-cost cannot be kept.",
    ],
    ["a limit without a model", { models: [], maxCost: 2 }, priced, "Name one with --model"],
    ["a price in an untrusted workspace", { maxCost: 2, isTrusted: false }, priced, "is unknown"],
  ] as const)("%s is refused", async (_, question, models, message) => {
    await expect(moneyOf(question as object, models)).rejects.toThrow(message);
  });
});

test("a plan stops at its limit, reports its cost, and continues with a higher one", async () => {
  const work = new Shop({ "tsconfig.json": tsconfig, "src/price.ts": price, "src/cart.ts": cart });
  work.write({ "src/price.ts": withRate });
  const answer = `\`\`\`ts\n${cartWithRate.slice(cartWithRate.indexOf("export"))}\`\`\`\n`;
  const server = await serveChat("openai", { deltas: [answer] });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const model = ["--model", `openai-compatible:${server.url}#scripted`];
  // A thousand tokens cost one: the first question is too dear.
  const first = await work.run([
    "plan",
    "Take the rate.",
    ...model,
    "--price",
    "1000/1000",
    "--max-cost",
    "0.1",
    "--yes",
  ]);
  expect([first.exitCode, server.calls.length]).toEqual([12, 0]);
  expect(first.err).toContain("The plan stopped at the limit of cost. The plan has cost 0.00 of 0.1.\n");
  const second = await work.run(["plan", "continue", "--max-cost", "5", "--price", "1000/1000", "--json", "--yes"]);
  const { cost, maxCost, tokens } = JSON.parse(second.out);
  expect([second.exitCode, server.calls.length, maxCost]).toEqual([0, 1, 5]);
  expect(cost).toBeCloseTo((tokens.shown + tokens.written) / 1000);
  expect((await work.run(["plan", "show"])).out).toMatch(
    /The plan is done\. Nothing is left to do\. Round 1: 2 done, [\d,]+ tokens, cost [\d.]+ of 5\.\n/,
  );
});

test.each([
  ["plan --max-cost 0", "Give an amount without a currency"],
  ["plan --max-cost 2EUR", "Give an amount without a currency"],
  ["plan --price 3", "Give the price of a million input and output tokens, such as 3/15."],
  ["plan --max-cost 2", "Name one with --model, or leave --max-cost out: rules cost nothing."],
])("emend %s is a usage error", async (line, message) => {
  const work = new Shop();
  work.write({ "src/price.ts": withRate });
  const { exitCode, err } = await work.run(line.split(" "));
  expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
});
