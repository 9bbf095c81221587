import { describe, expect, test } from "vitest";
import { cart, price, Shop, shop, show } from "./fixtures/plan-shop.ts";

/**
 * `total` uses what it does not import, `show` calls with too much, and a test of the shell finds a
 * word.
 */
const broken = {
  ...shop,
  "src/cart.ts": cart.replace(/^.*\n\n/, ""),
  "src/show.ts": show.replace("price(7)", "price(7, 8)"),
};
const output = `src/cart.ts(2,42): error TS2304: Cannot find name 'price'.
src/show.ts(5,33): error TS2554: Expected 1 arguments, but got 2.
../elsewhere/a.ts(1,1): error TS2304: Cannot find name 'a'.
`;
/** Says what is wrong with the two files as they are. */
const check = `grep -q '^import' src/cart.ts || { echo "src/cart.ts(2,42): error TS2304: Cannot find name 'price'."; bad=1; }
grep -q '7, 8' src/show.ts && { echo "src/show.ts(5,33): error TS2554: Expected 1 arguments, but got 2."; bad=1; }
exit \${bad:-0}
`;

async function openOf(work: Shop) {
  const { open } = JSON.parse((await work.run(["plan", "show", "--json"])).out);
  return (open as { readonly name: string; readonly reasons: readonly string[] }[]).map(({ name, reasons }) => [
    name,
    ...reasons,
  ]);
}

const showLeft = [
  "show",
  "A check finds here (TS2554): Expected 1 arguments, but got 2.",
  expect.stringContaining("No rule can tell what to write here"),
];

describe("a plan starts from the diagnostics of verification commands", () => {
  test("repairs what rules cover, leaves the rest, and ends after manual repairs", async () => {
    const work = new Shop({ ...broken, "check.sh": check });
    const { exitCode, err } = await work.run(["plan", "--fix", "--verify", "tsc:sh check.sh", "--yes"]);
    expect([exitCode, work.read("src/cart.ts")]).toEqual([12, cart]);
    expect(err).toContain("sh check.sh before the plan: 2 errors\n");
    expect(await openOf(work)).toEqual([showLeft]);
    work.write({ "src/show.ts": show });
    expect((await work.run(["plan", "continue", "--yes"])).exitCode).toBe(0);
    expect(work.texts()).toEqual([price, cart, show]);
  });

  test("does nothing when verification passes", async () => {
    const { exitCode, err } = await new Shop().run(["plan", "--fix", "--verify", "tsc:true"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("There is nothing to write.")]);
  });

  test("continues to the same end after a kill at any event", async () => {
    for (const count of [1, 2, 3]) {
      const work = new Shop({ ...broken, "check.sh": check });
      await work.run(["plan", "--fix", "--verify", "tsc:sh check.sh", "--dry-run"]);
      work.cutJournal(count);
      expect((await work.run(["plan", "continue", "--yes"])).exitCode).toBe(12);
      expect(work.texts()).toEqual([price, cart, broken["src/show.ts"]]);
    }
  });
});

describe("a plan starts from saved output", () => {
  test.each([
    ["a file", ["--findings", "tsc.log"], ""],
    ["a file with a given format", ["--findings", "tsc:tsc.log"], ""],
    ["standard input", ["--findings", "-"], output],
  ])("%s", async (_, args, input) => {
    const work = new Shop({ ...broken, "tsc.log": output });
    const { exitCode, err } = await work.run(["plan", ...args, "--yes"], { input });
    expect([exitCode, work.read("src/cart.ts")]).toEqual([12, cart]);
    expect(err).toContain("Left out, because they name no file here: 1 error of ");
    expect(await openOf(work)).toEqual([showLeft]);
  });

  test("verifies the result against all earlier diagnostics except the seed's", async () => {
    const old = `${price}\nexport const old: string = 1;\n`;
    const more = 'echo "src/price.ts(5,14): error TS2322: Type number."\n';
    const work = new Shop({ ...broken, "src/price.ts": old, "check.sh": `${more}bad=1\n${check}`, "tsc.log": output });
    await work.run(["plan", "--findings", "tsc.log", "--verify", "tsc:sh check.sh", "--yes"]);
    expect(await openOf(work)).toEqual([showLeft]);
    // The person answers that nothing changes there, and the verification command still complains.
    const { exitCode } = await work.run(["plan", "continue", "--done", "2"]);
    expect([exitCode, (await openOf(work)).length]).toEqual([12, 1]);
  });
});

describe("failures contain what to do", () => {
  test.each([
    ["plan --fix", "--fix needs a verification command: emend plan --fix --verify"],
    ["plan --fix --findings tsc.log", "A plan starts from only one of --fix and --findings."],
    ["plan --findings no-such", "There is no file no-such."],
    ["plan --findings src/price.ts", "No error was found in src/price.ts. Name its format"],
    ["plan --findings other.log", "other.log names no file in "],
  ])("%s", async (line, message) => {
    const work = new Shop({ ...shop, "tsc.log": output, "other.log": output.split("\n")[2]! });
    const { exitCode, err } = await work.run(line.split(" "));
    expect([exitCode === 2 || exitCode === 3, err]).toEqual([true, expect.stringContaining(message)]);
  });
});
