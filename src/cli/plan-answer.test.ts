import { describe, expect, test } from "vitest";
import { cart, cartWithRate, Shop, show, showWithRate, withRate } from "./fixtures/plan-shop.ts";

/**
 * A shop with a changed signature, and a plan that leaves `show` (step 2) and `total` (step 3) to a
 * person.
 */
async function planned(): Promise<Shop> {
  const work = new Shop();
  work.write({ "src/price.ts": withRate });
  expect((await work.run(["plan", "Take the rate.", "--yes"])).exitCode).toBe(12);
  return work;
}

function functionOf(file: string): string {
  return file.slice(file.indexOf("export function"));
}

describe("a step that is left to the person", () => {
  test("has a prompt for a chat, and the plan continues with its answer", async () => {
    const work = await planned();
    const shown = await work.run(["plan", "show", "--step", "2", "--prompt"]);
    expect(shown.exitCode).toBe(0);
    expect(shown.err).toBe("`emend plan answer 2 FILE` applies the chat's answer.\n");
    for (const part of [
      "Answer with all that shall stand in the region",
      "Take the rate.",
      "changed its signature (+rate)",
      functionOf(cart),
    ])
      expect(shown.out).toContain(part);
    const input = `Here you are:\n\n\`\`\`ts\n${functionOf(cartWithRate)}\`\`\`\n`;
    const first = await work.run(["plan", "answer", "2", "--yes"], { input });
    expect([first.exitCode, work.read("src/cart.ts")]).toEqual([0, cartWithRate]);
    // The other place follows the example.
    expect(work.read("src/show.ts")).toBe(showWithRate);
    expect((await work.run(["plan", "show", "--step", "2"])).err).toContain("done by you: From a pasted answer");
    expect((await work.run(["undo", "--steps", "1"])).exitCode).toBe(0);
    expect(work.texts()).toEqual([withRate, cart, show]);
  });

  test("is copied to the clipboard, through the terminal on a remote machine", async () => {
    const work = await planned();
    const prompt = (await work.run(["plan", "show", "--step", "2", "--prompt"])).out;
    const far = { isWatched: true, environment: { ...work.environment, SSH_TTY: "/dev/pts/1", TERM: "xterm" } };
    const { out, err } = await work.run(["plan", "show", "--step", "2", "--copy"], far);
    expect(out).toBe("");
    expect(err).toContain(Buffer.from(prompt).toString("base64"));
    expect(err).toContain(`: ${prompt.length.toLocaleString("en")} characters to paste into a chat.\n`);
  });

  test("has its context in the JSON output", async () => {
    const work = await planned();
    for (const args of [
      ["plan", "show", "--json"],
      ["plan", "continue", "--json", "--dry-run"],
    ]) {
      const { open } = JSON.parse((await work.run(args)).out);
      expect(open.map(({ id, line }: { readonly id: number; readonly line: number }) => [id, line])).toEqual([
        [2, 3],
        [3, 4],
      ]);
      expect(open[0].prompt.map(({ role }: { readonly role: string }) => role)).toEqual(["system", "user"]);
      expect(open[0].prompt[1].text).toContain(functionOf(cart));
    }
  });

  test.each([
    ["talk alone", "I would rather not.", "The answer cannot be used: The answer holds no new text."],
    ["broken code", "```ts\nexport function total( {\n```\n", "The answer cannot be used: "],
    ["nothing", " ", "Standard input is empty. Paste the chat's answer into it."],
  ])("refuses an answer that is %s without a change", async (_, input, message) => {
    const work = await planned();
    const before = (await work.run(["plan", "show", "--json"])).out;
    const { exitCode, err } = await work.run(["plan", "answer", "2", "-", "--yes"], { input });
    expect([exitCode === 0, err]).toEqual([false, expect.stringContaining(message)]);
    expect((await work.run(["plan", "show", "--json"])).out).toBe(before);
    expect(work.texts()).toEqual([withRate, cart, show]);
  });

  test("is written only in its block whatever the answer contains", async () => {
    const work = await planned();
    const input = `\`\`\`ts\nimport { other } from "./other";\n\n${functionOf(cartWithRate)}\nexport const more = 1;\n\`\`\`\n`;
    await work.run(["plan", "answer", "2", "--yes"], { input });
    const [head] = work.read("src/cart.ts").split("\n");
    expect(head).toBe('import { price } from "./price";');
  });
});

describe("failures contain what to do", () => {
  test.each([
    ["plan show --prompt", "--prompt and --copy are about one step"],
    ["plan show --html --step 3", "Give --html or --step."],
    ["plan show --step 9", "There is no step 9: the plan has 3."],
    ["plan show --step 1 --prompt", "Step 1 is done: only steps that are left to do have a prompt."],
    ["plan answer 1 -", "Step 1 is done: only steps that are left to do take an answer."],
    ["plan answer 9 -", "There is no step 9"],
    ["plan answer x -", "Give a whole number from 1 on."],
    ["plan answer 3 no-such-file", "There is no file no-such-file."],
  ])("%s", async (line, message) => {
    const work = await planned();
    const { exitCode, err } = await work.run(line.split(" "), { input: "x" });
    expect([exitCode === 2 || exitCode === 3, err]).toEqual([true, expect.stringContaining(message)]);
  });

  test("for files that have changed since", async () => {
    const work = await planned();
    work.write({ "src/cart.ts": cartWithRate });
    expect((await work.run(["plan", "show", "--step", "2", "--prompt"])).err).toContain("src/cart.ts changed since");
    const { exitCode, err } = await work.run(["plan", "answer", "3", "-"], { input: "No changes." });
    expect([exitCode, err]).toEqual([1, expect.stringContaining("includes that; then an answer can be given.")]);
  });

  test("for a killed plan without prompts", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": withRate });
    await work.run(["plan", "--dry-run"]);
    work.cutJournal(3);
    const { exitCode, err } = await work.run(["plan", "show", "--step", "2", "--prompt"]);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("`emend plan continue` continues it")]);
  });
});
