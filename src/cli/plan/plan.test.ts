import { describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../../model/node/fixtures/scripted-chat-server.ts";
import {
  cart,
  cartRenamed,
  cartWithRate,
  price,
  renamed,
  Shop,
  show,
  showRenamed,
  showWithRate,
  tsconfig,
  withRate,
} from "../fixtures/plan-shop.ts";

describe("a plan of a renamed function", () => {
  test("changes the files that use it without a model, and is undone", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    const { exitCode, err, out } = await work.run(["plan", "--yes"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("Written: src/cart.ts and src/show.ts.")]);
    expect(out).toContain("+  return list.reduce((sum, one) => sum + cents(one), 0);\n");
    expect(work.texts()).toEqual([renamed, cartRenamed, showRenamed]);
    expect((await work.run(["undo"])).exitCode).toBe(0);
    expect(work.texts()).toEqual([renamed, cart, show]);
  });

  test("is written after a confirmation, also later", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    expect((await work.run(["plan"])).exitCode).toBe(8);
    expect((await work.run(["plan", "--dry-run"])).exitCode).toBe(0);
    expect((await work.run(["plan"], { answers: ["n"] })).exitCode).toBe(8);
    expect(work.texts()).toEqual([renamed, cart, show]);
    expect((await work.run(["plan", "apply"], { answers: ["y"] })).exitCode).toBe(0);
    expect(work.texts()).toEqual([renamed, cartRenamed, showRenamed]);
    const again = await work.run(["plan", "apply"]);
    expect([again.exitCode, again.err]).toEqual([0, expect.stringContaining("There is nothing to write.")]);
  });

  test("from a diff that is not applied yet applies the diff too", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    const diff = work.git("diff");
    work.git("checkout", "--quiet", ".");
    expect((await work.run(["plan", "--seed", "-", "--yes"], { input: diff })).exitCode).toBe(0);
    expect(work.texts()).toEqual([renamed, cartRenamed, showRenamed]);
    expect((await work.run(["undo"])).exitCode).toBe(0);
    expect(work.texts()).toEqual([price, cart, show]);
  });

  test("from the last commit leaves uncommitted files unchanged", async () => {
    const work = new Shop();
    work.commit({ "src/price.ts": renamed });
    const dirty = `${show}\nexport const dirty = 1;\n`;
    work.write({ "src/show.ts": dirty, "notes.txt": "mine\n" });
    const { exitCode, out } = await work.run(["plan", "--seed", "HEAD~1..HEAD", "--yes"]);
    expect([exitCode, out]).toEqual([0, expect.not.stringMatching(/^[+-].*dirty/m)]);
    expect(work.texts()).toEqual([renamed, cartRenamed, `${showRenamed}\nexport const dirty = 1;\n`]);
    expect(work.read("notes.txt")).toBe("mine\n");
  });

  test.each([1, 2, 3, 5])("killed after event %i continues to the same end", async (count) => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    await work.run(["plan", "--dry-run"]);
    work.cutJournal(count);
    expect((await work.run(["plan", "apply"])).err).toContain("has not ended");
    expect((await work.run(["plan", "continue", "--yes"])).exitCode).toBe(0);
    expect(work.texts()).toEqual([renamed, cartRenamed, showRenamed]);
  });

  test.each(["", "plan continue", "plan apply", "plan continue, plan apply, undo, plan apply --yes, plan continue"])(
    "can be written again after an undo, with %j in between",
    async (between) => {
      const work = new Shop();
      work.write({ "src/price.ts": renamed });
      await work.run(["plan", "--yes"]);
      for (const line of between.split(", ").filter((one) => one !== ""))
        expect((await work.run(line.split(" "))).exitCode).toBe(0);
      await work.run(["undo"]);
      expect(work.texts()).toEqual([renamed, cart, show]);
      expect((await work.run(["plan", "apply", "--yes"])).exitCode).toBe(0);
      expect(work.texts()).toEqual([renamed, cartRenamed, showRenamed]);
    },
  );

  test("killed right after writing is known as written", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    await work.run(["plan", "--dry-run"]);
    work.write({ "src/cart.ts": cartRenamed, "src/show.ts": showRenamed });
    const { exitCode, err } = await work.run(["plan", "continue"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("There is nothing to write.")]);
  });

  test("undoes a rejected step", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    await work.run(["plan", "--yes"]);
    expect((await work.run(["plan", "show"])).out).toContain(
      "   3 done        import ./price in src/show.ts by rule rename\n",
    );
    const { exitCode, err } = await work.run(["plan", "reject", "3", "--reason", "not there", "--yes"]);
    expect(err).toContain("Step 3 is rejected: not there\n");
    expect(work.texts()).toEqual([renamed, cartRenamed, show]);
    // The import now names what does not exist, which is left to the person.
    expect([exitCode, err.slice(err.indexOf("Left to you"))]).toEqual([
      12,
      expect.stringMatching(
        /^Left to you, 1 step:\n {2}Rejected \(not there\); the type checker reports an error here without that change\.\n(?: .*\n)* +src\/show.ts:2 import \.\/price \(step 3\)\n +Line 2: .* \(2305\)\n/,
      ),
    ]);
    // A repair by hand ends the step, and no rule makes the rejected change again.
    const repaired = show.replace("{ price }", "{ cents as price }");
    work.write({ "src/show.ts": repaired });
    expect((await work.run(["plan", "continue"])).exitCode).toBe(0);
    expect((await work.run(["plan", "show"])).out).toContain("   3 done        import ./price in src/show.ts by you\n");
    expect(work.texts()).toEqual([renamed, cartRenamed, repaired]);
  });
});

describe("a plan of a rename, a new property and a new parameter", () => {
  const priceBefore =
    "export interface Item {\n  cents: number;\n}\nexport function format(cents: number): string {\n  return String(cents);\n}\nexport function total(item: Item): number {\n  return item.cents;\n}\n";
  const priceAfter = priceBefore
    .replace("number;\n}", "number;\n  currency: string;\n}")
    .replace("cents: number)", "cents: number, currency: string)")
    .replace("function total", "function totalOf");
  const order =
    'import { format, type Item, total } from "./price";\n\nexport function sum(items: Item[]): number {\n  return items.reduce((all, item) => all + total(item), 0);\n}\n\nexport function print(items: Item[]): string {\n  return items.map((item) => format(total(item))).join();\n}\n';
  const main = 'import { print } from "./order";\n\nconst items = [{ cents: 450 }];\nconsole.log(print(items));\n';

  test("leaves only blocks that have errors in the end, with their messages and causes", async () => {
    const work = new Shop({
      ...{ "tsconfig.json": tsconfig, "src/price.ts": priceBefore, "src/order.ts": order, "src/main.ts": main },
    });
    work.write({ "src/price.ts": priceAfter });
    const { err } = await work.run(["plan", "--dry-run"]);
    const left = err.slice(err.indexOf("Left to you"), err.indexOf("Nothing is written"));
    expect(
      left
        .replaceAll(/ \(step \d+\)/g, "")
        .split("\n")
        .map((row) => row.trim()),
    ).toEqual([
      "Left to you, 2 steps:",
      "No rule can tell what to write here, and no model is configured.",
      expect.stringMatching(/^`format` in src\/price.ts changed its signature \(\+currency\)/),
      "src/order.ts:7 function print",
      "Line 8: Expected 2 arguments, but got 1. (2554)",
      expect.stringMatching(/^`Item` in src\/price.ts changed \(\+currency\); by way of 1 other, this block calls it/),
      "src/main.ts:4 statement `console.log(print(items));`",
      "Line 4 (`items` is declared in line 3): Argument of type '{ cents: number; }[]' is not assignable to parameter of type 'Item[]'. Property 'currency' is missing in type '{ cents: number; }' but required in type 'Item'. (2345)",
      "",
    ]);
    const { out } = await work.run(["plan", "show"]);
    expect(out).toMatch(/unchanged +function sum in src\/order.ts: The type checker reports no error here any more/);
    expect(out + err).not.toMatch(/obligation|instruction|MMS|_|<-|hops|-by/);
    const impact = (await work.run(["impact"])).out;
    expect(impact).toMatch(/function sum .*total \(renamed from total\)|function sum .*Cannot find name 'total'/);
    expect(impact).toMatch(/function print .*calls function format .*Expected 2 arguments, but got 1\. \(2554\)/);
    expect(impact).toMatch(/main\.ts[\s\S]*Property 'currency' is missing.*`items` is declared in line 3/);
    expect(impact).not.toMatch(/mended|refuses|nobody/);
  });
});

describe("a plan of a changed signature", () => {
  test("leaves to the person what no rule can write, and the others follow one manual edit", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": withRate });
    const first = await work.run(["plan", "--yes"]);
    expect([first.exitCode, first.err]).toEqual([12, expect.stringContaining("src/cart.ts:3 function total (step ")]);
    expect(first.err).toContain("`price` in src/price.ts changed its signature (+rate); this block calls it.\n");
    work.write({ "src/cart.ts": cartWithRate });
    const second = await work.run(["plan", "continue", "--json", "--yes"]);
    const { open, steps } = JSON.parse(second.out);
    expect([second.exitCode, open]).toEqual([0, []]);
    const authors = steps.map(({ by }: { readonly by?: { readonly kind: string } }) => by?.kind);
    // The other place follows the example.
    expect(authors.slice(1).sort()).toEqual(["mechanical", "person"]);
    expect(work.texts()).toEqual([withRate, cartWithRate, showWithRate]);
  });

  test("sends a model the change, and requests the rest", async () => {
    const work = new Shop({ "tsconfig.json": tsconfig, "src/price.ts": price, "src/cart.ts": cart });
    work.write({ "src/price.ts": withRate });
    const answer = `\`\`\`ts\n${cartWithRate.slice(cartWithRate.indexOf("export"))}\`\`\`\n`;
    const server = await serveChat("openai", { deltas: [answer] });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const model = `openai-compatible:${server.url}#scripted`;
    const { exitCode, err } = await work.run(["plan", "Take the rate.", "--model", model, "--yes"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("Written: src/cart.ts.")]);
    expect(JSON.stringify(server.calls[0]!.body)).toContain("changed its signature (+rate)");
    expect(work.read("src/cart.ts")).toBe(cartWithRate);
  });

  test("changes the other places after the example of a manual edit", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": withRate, "src/cart.ts": cartWithRate });
    expect((await work.run(["plan", "--yes"])).exitCode).toBe(0);
    expect(work.texts()).toEqual([withRate, cartWithRate, showWithRate]);
  });

  test("marks a step as done that needs no change for the person", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": withRate });
    await work.run(["plan", "--yes"]);
    expect((await work.run(["plan", "continue", "--done", "2", "--done", "3"])).exitCode).toBe(0);
  });

  test("runs a verification command, whose new diagnostics are the next round", async () => {
    const work = new Shop();
    const check = 'grep -q "dollars" src/cart.ts || { echo "src/cart.ts(3,17): error TS1: Say dollars."; exit 2; }\n';
    work.commit({ "check.sh": check.replace('"dollars"', '"price(one)"'), "src/note.ts": "export const note = 1;\n" });
    work.write({ "src/price.ts": renamed });
    const { exitCode, err } = await work.run(["plan", "--verify", "tsc:sh check.sh", "--yes"]);
    expect(err).toContain("before the plan: no findings\n");
    expect([exitCode, err]).toEqual([12, expect.stringContaining("A check finds here (TS1): Say dollars.\n")]);
  });
});

test("a plan of a rename in Python names the command that writes it by its names", async () => {
  const priced = "def price(euros):\n    return euros * 100\n";
  const cartOf = "from price import price\n\n\ndef total(items):\n    return sum(price(one) for one in items)\n";
  const work = new Shop({ "price.py": priced, "cart.py": cartOf });
  work.write({ "price.py": priced.replace("price(", "cents(") });
  const { exitCode, err } = await work.run(["plan", "--dry-run"]);
  expect([exitCode, err]).toEqual([12, expect.stringContaining("`emend next --chain` writes a rename by its names")]);
  const chain = await work.run(["next", "--chain"]);
  expect(chain.out).toContain("+from price import cents\n");
});

describe("a plan of an instruction at a place", () => {
  test("is left to the person with the place without a model, and needs no repository", async () => {
    const work = new Shop();
    work.removeGit();
    const { exitCode, err } = await work.run(["plan", "Count in cents.", "--at", "src/price.ts:2", "--yes"]);
    expect([exitCode, err]).toEqual([
      12,
      expect.stringContaining("    Count in cents.\n      src/price.ts:1 function price (step 1)\n"),
    ]);
  });
});

describe("a plan of a change, with an instruction and without a model", () => {
  test("says that no model has read the instruction where rules make all steps", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    const { exitCode, err } = await work.run(["plan", "Say cents.", "--yes"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("it needs a chat model: name one with")]);
    expect(work.texts()).toEqual([renamed, cartRenamed, showRenamed]);
    const again = await work.run(["plan", "apply", "--json"]);
    expect([again.exitCode, JSON.parse(again.out).notes]).toEqual([
      0,
      [expect.stringContaining("no model has read the instruction")],
    ]);
  });

  test("ends where the person has done its steps", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": withRate });
    await work.run(["plan", "Take the rate.", "--yes"]);
    const { exitCode, err } = await work.run(["plan", "continue", "--done", "2", "--done", "3"]);
    expect([exitCode, err]).toEqual([0, expect.not.stringContaining("no model has read the instruction")]);
  });
});

describe("an instruction of one word", () => {
  const meant = (command: string, word: string) =>
    `emend: \`emend plan\` has no subcommand ${word}. Did you mean \`${command}\`? As an instruction, write \`emend plan -- ${word}\` or a longer sentence.\n`;

  test.each([
    ["shw", "emend plan show"],
    ["cintinue", "emend plan continue"],
    ["lists", "emend plan list"],
    ["undo", "emend undo"],
    ["setup", "emend setup"],
  ])("is refused where it is near a subcommand or is a command: %s", async (word, command) => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    expect(await work.run(["plan", word])).toEqual({ exitCode: 2, out: "", err: meant(command, word) });
    expect((await work.run(["plan", "list"])).out).toBe("");
  });

  test.each([[["plan", "--", "shw"]], [["plan", "shw it"]], [["plan", "refactor"]]])(
    "starts a plan where it is meant as one: %s",
    async (args) => {
      const work = new Shop();
      work.write({ "src/price.ts": renamed });
      expect((await work.run(args)).err).toContain("plan started");
    },
  );
});

describe("a plan that cannot run reports what to do", () => {
  test.each([
    ["plan", 0, "Nothing differs between HEAD and the work tree."],
    ["plan --seed HEAD~9", 2, "no commit called HEAD~9"],
    ["plan --at src/price.ts:2", 2, "Give an instruction: emend plan"],
    ["plan x --at src/price.ts:99", 4, "There is no block at src/price.ts:99"],
    ["plan x --at src/price.ts:1 --seed HEAD", 2, "A plan starts from only one of --at and --seed."],
    ["plan continue", 3, "There is no plan for"],
    ["plan --resume", 3, "There is no plan for"],
    ["plan --resume --fix", 2, "cannot be used with option"],
    ["plan more --resume", 2, "--resume takes no instruction"],
    ["plan show --plan no-such", 3, "There is no plan no-such"],
    ["plan --max-steps 0", 2, "Give a whole number from 1 on."],
  ] as const)("%s", async (line, code, message) => {
    const { exitCode, err } = await new Shop().run(line.split(" "));
    expect([exitCode, err]).toEqual([code, expect.stringContaining(message)]);
  });

  test("in a folder without a repository", async () => {
    const work = new Shop();
    work.removeGit();
    const { exitCode, err } = await work.run(["plan"]);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("is not in a git repository")]);
  });

  test("for a change whose files differ by now", async () => {
    const work = new Shop();
    work.commit({ "src/price.ts": renamed });
    work.write({ "src/price.ts": `${renamed}export const more = 1;\n` });
    const { exitCode, err } = await work.run(["plan", "--seed", "HEAD~1..HEAD"]);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("src/price.ts matches neither side of")]);
  });

  test("for files that changed since, outside of the steps left to the person", async () => {
    const work = new Shop();
    work.write({ "src/price.ts": renamed });
    await work.run(["plan", "--yes"]);
    work.write({ "src/cart.ts": `${cartRenamed}export const more = 1;\n` });
    const { exitCode, err } = await work.run(["plan", "continue", "--yes"]);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("src/cart.ts changed since the plan stopped")]);
  });

  test.each([
    ["reverted", price],
    ["reverted in part", withRate.replace(", rate: number", "")],
    ["edited", withRate.replace("rate: number", "rate: string")],
  ])("when the change that the plan started from was %s", async (_, now) => {
    const work = new Shop();
    work.write({ "src/price.ts": withRate });
    await work.run(["plan", "--dry-run"]);
    work.write({ "src/price.ts": now });
    const { exitCode, err } = await work.run(["plan", "continue"]);
    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(
        /The change that the plan started from was reverted or edited .*: src\/price\.ts, line 1\./,
      ),
    ]);
  });
});
