import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { cart, cartRenamed, price, renamed, Shop, shop, show, showRenamed, withRate } from "./fixtures/plan-shop.ts";
import { hasPseudoTerminal, PseudoTerminal } from "./fixtures/pseudo-terminal.ts";
import { buildPackage } from "./fixtures/run-cli.ts";

/** A shop with a renamed function: a plan with two changes. */
async function reviewed(...answers: readonly string[]) {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  const { exitCode, err } = await work.run(["plan"], { answers });
  return { work, exitCode, err };
}

test("a review shows each step, and writes the plan when all are kept", async () => {
  const { work, exitCode, err } = await reviewed("r", "y", "y", "y");
  expect([exitCode, work.texts()]).toEqual([0, [renamed, cartRenamed, showRenamed]]);
  expect(err).toContain("Write these 2 files? [y/n, r to review step by step] r\n");
  const seen = err.slice(err.indexOf(" r\n"));
  expect(seen.match(/^\d of 2\. Step \d, round 1: .*$/gm)).toHaveLength(2);
  expect(seen).toContain("  `price` in src/price.ts was renamed to `cents`; this block imports it.\n");
  expect(seen).toContain('+import { cents } from "./price";\n');
});

test("a review keeps all remaining steps or writes nothing on request", async () => {
  expect((await reviewed("r", "a", "y")).exitCode).toBe(0);
  const { work, exitCode, err } = await reviewed("review", "y", "quit");
  expect([exitCode, work.texts(), err.endsWith("`emend plan apply` shows the change again and writes it.\n")]).toEqual([
    8,
    [renamed, cart, show],
    true,
  ]);
  // What was looked at can be written later.
  expect((await work.run(["plan", "apply", "--yes"])).exitCode).toBe(0);
});

test.each([
  ["another word is typed, until it is answered", ["r?", "maybe", "no"], 3],
  ["an empty line is typed", [""], 1],
  ["the input ends", ["\u0004"], 1],
])("the question about the plan: %s", async (_, answers, questions) => {
  const { work, exitCode, err } = await reviewed(...answers);
  expect([exitCode, work.texts()]).toEqual([8, [renamed, cart, show]]);
  expect(err.match(/^Write these 2 files\? /gm)).toHaveLength(questions);
  expect(err).toContain("Nothing is written. `emend plan apply` shows the change again");
});

test("a review undoes a rejected step, plans again, and shows the result", async () => {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  const { steps } = JSON.parse((await work.run(["plan", "--json", "--dry-run"])).out);
  const changes = (steps as readonly { readonly block: { readonly path: string }; readonly diff?: string }[]).slice(1);
  const words = changes.flatMap(({ block, diff }) =>
    diff === undefined ? [] : [block.path === "src/show.ts" ? "n" : "y"],
  );
  const { exitCode, err } = await work.run(["plan"], { answers: ["r", "?", ...words, "y"] });
  // The rejected import names what does not exist.
  expect([exitCode, work.texts()]).toEqual([12, [renamed, cartRenamed, show]]);
  expect(err.match(/^Step \d is rejected\.?$/gm)).toHaveLength(1);
  expect(err.match(/^Write this file\? /gm)).toHaveLength(1);
});

test("a review without a terminal asks once", async () => {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  const { exitCode, err } = await work.run(["plan"]);
  expect([exitCode, err]).toEqual([8, expect.stringContaining("there is no terminal to confirm at")]);
});

describe.skipIf(!hasPseudoTerminal)("the built program at a terminal", () => {
  beforeAll(buildPackage, 180_000);

  interface Run {
    readonly typed: readonly string[];
    readonly rows?: number;
    readonly environment?: Readonly<Record<string, string>>;
    /** Called when the program runs, with its terminal. */
    readonly whenStarted?: (terminal: PseudoTerminal) => Promise<void>;
  }

  /**
   * Runs a command in a shop, types a line at each question about writing, and returns what was
   * printed.
   */
  async function atTerminal(work: Shop, args: readonly string[], run: Run) {
    const { typed, rows = 40, environment, whenStarted } = run;
    const own = Object.fromEntries(Object.entries(work.environment).filter(([name]) => name.startsWith("EMEND_")));
    const terminal = new PseudoTerminal(args, {
      ...{ folder: work.folder, rows, columns: 100 },
      environment: { ...(own as Readonly<Record<string, string>>), NO_COLOR: "1", ...environment },
    });
    onTestFinished(() => terminal[Symbol.dispose]());
    await whenStarted?.(terminal);
    for (const [index, line] of typed.entries()) {
      await terminal.shows((lines) => lines.filter((one) => one.startsWith("Write th")).length > index);
      terminal.type(line);
    }
    return { exitCode: await terminal.ended, printed: terminal.printed.replaceAll("\r\n", "\n") };
  }

  /** A shop with a renamed function, whose plan was answered with no. */
  async function declined(...typed: readonly string[]) {
    const work = new Shop({
      "src/price.ts": price,
      "src/cart.ts": cart,
      "src/show.ts": show,
      "src/other.ts": "export {};\n",
    });
    work.write({ "src/price.ts": renamed });
    return { work, ...(await atTerminal(work, ["plan"], { typed })) };
  }

  test.each([
    ["another word and no", ["r?\n", "n\n"]],
    ["an empty line", ["\n"]],
    ["Ctrl-D", ["\u0004"]],
  ])("a plan that is declined by %s is written later without planning", async (_, typed) => {
    const { work, exitCode, printed } = await declined(...typed);
    expect([exitCode, work.texts()]).toEqual([8, [renamed, cart, show]]);
    expect(printed).toContain("Nothing is written. `emend plan apply` shows the change again and writes it.\n");
    // No copy of the workspace can be made there.
    const apply = await atTerminal(work, ["plan", "apply"], {
      ...{ typed: ["y\n"], environment: { EMEND_CACHE_DIR: "/dev/null/cache" } },
    });
    expect([apply.exitCode, work.texts()]).toEqual([0, [renamed, cartRenamed, showRenamed]]);
    expect(apply.printed).not.toContain("step 1, your change");
  });

  const remarked = { "src/price.ts": `${renamed}// A remark.\n` };
  const longer = { "src/cart.ts": `${cart}export const longer = 1;\n` };
  test.each<[changed: string, files: Readonly<Record<string, string>>, texts: readonly string[]]>([
    ["src/price.ts", remarked, [remarked["src/price.ts"], cartRenamed, showRenamed]],
    ["src/cart.ts", longer, [renamed, `${cartRenamed}export const longer = 1;\n`, showRenamed]],
    ["src/other.ts", { "src/other.ts": "export const other = 1;\n" }, [renamed, cartRenamed, showRenamed]],
  ])("where %s changed meanwhile, apply names it and plans again", async (changed, files, texts) => {
    const { work } = await declined("n\n");
    work.write(files);
    const { exitCode, printed } = await atTerminal(work, ["plan", "apply"], { typed: ["y\n"] });
    expect(printed).toMatch(new RegExp(`^${changed} changed since the plan \\S+, so it is planned again\\.\n`));
    expect(printed).toContain("Round 1:\n");
    expect([exitCode, work.texts()]).toEqual([0, texts]);
  });

  describe("the diff of a plan", () => {
    let work: Shop;
    /** Prints its arguments and the number of its lines, and ends when its whole input was read. */
    const pager = `#!/usr/bin/env node
      const read = require("node:fs").readFileSync(0, "utf8");
      console.log(["paged", ...process.argv.slice(2), read.split("\\n").length].join(" "));\n`;

    beforeEach(async () => {
      work = new Shop();
      work.write({ "src/price.ts": renamed, "own pager.js": pager });
      expect((await work.run(["plan", "--dry-run"])).exitCode).toBe(0);
    });

    const apply = (run: Omit<Run, "typed">) => atTerminal(work, ["plan", "apply"], { ...run, typed: ["n\n"] });
    const question = "Write these 2 files? [y/n, r to review step by step] n\n";
    const last = "+  return [total(list), cents(7)].join();\n }\n";

    test("is shown by the program of PAGER where it is longer than the terminal, before the question", async () => {
      const paged = { PAGER: `${process.execPath} 'own pager.js' -x "two words"` };
      const { exitCode, printed } = await apply({ rows: 12, environment: paged });
      expect([exitCode, printed]).toEqual([8, expect.stringContaining(`6 done.\npaged -x two words 24\n${question}`)]);
      expect((await apply({ rows: 40, environment: paged })).printed).toContain(last + question);
    });

    test.skipIf(!existsSync("/usr/bin/less"))("is shown by less until it is left", async () => {
      const { printed } = await apply({
        rows: 12,
        whenStarted: async (terminal) => {
          await terminal.shows((lines) => lines.at(-1) === ":");
          expect(terminal.printed).not.toContain("Write these");
          terminal.type("q");
        },
      });
      expect(printed).toMatch(/Write these 2 files\? .*\n/);
      expect(printed).not.toContain(last);
    });

    test.each([
      ["less | cat", "PAGER is not used, because it needs a shell: name a program and its arguments.\n"],
      ["no-such-pager -R", "PAGER is not used, because no-such-pager is not installed.\n"],
      ["sh -c 'exit 3'", "PAGER is not used, because sh exited with 3.\n"],
      ["", ""],
    ])("is printed where PAGER is %j, with the reason", async (PAGER, reason) => {
      const { printed } = await apply({ rows: 12, environment: { PAGER } });
      expect(printed).toContain(`6 done.\n${reason}diff --git a/src/cart.ts b/src/cart.ts\n`);
      expect(printed).toContain(last + question);
    });

    test("is printed without a word where no pager is installed", async () => {
      const bin = join(work.folder, "bin");
      mkdirSync(bin);
      for (const name of ["script", "stty", "git"]) symlinkSync(`/usr/bin/${name}`, join(bin, name));
      const { printed } = await apply({ rows: 12, environment: { PATH: bin } });
      expect(printed).toContain("6 done.\ndiff --git a/src/cart.ts b/src/cart.ts\n");
      expect(printed).toContain(last + question);
    });
  });
});

test("steps that are left to do are grouped by their reasons", async () => {
  const callers = ["one", "two", "three"].map((name) => [
    `src/${name}.ts`,
    `import { price } from "./price";\n\nexport const ${name} = (): number => price(1);\n`,
  ]);
  const work = new Shop({ ...shop, ...Object.fromEntries(callers) });
  work.write({ "src/price.ts": withRate });
  const { err } = await work.run(["plan", "--dry-run"]);
  expect(err).toMatch(/^Step \d is left to you$/m);
  expect(err.slice(err.indexOf("Left to you"))).toMatchInlineSnapshot(`
    "Left to you, 5 steps:
      No rule can tell what to write here, and no model is configured.
        \`price\` in src/price.ts changed its signature (+rate); this block calls it.
          src/cart.ts:3 function total (step 2)
            Line 4: Expected 2 arguments, but got 1. (2554)
          src/one.ts:3 function one (step 3)
            Line 3: Expected 2 arguments, but got 1. (2554)
          src/show.ts:4 function show (step 4)
            Line 5: Expected 2 arguments, but got 1. (2554)
          src/three.ts:3 function three (step 5)
            Line 3: Expected 2 arguments, but got 1. (2554)
          src/two.ts:3 function two (step 6)
            Line 3: Expected 2 arguments, but got 1. (2554)
    There is nothing to write.
    Change the blocks of the open steps by hand and run \`emend plan continue\`, or mark a step as done with \`emend plan continue --done STEP\`. A model writes such steps where --model names one. Any chat can help: \`emend plan show --step STEP --prompt\` prints a prompt, \`emend plan answer STEP FILE\` applies the chat's answer.
    "
  `);
});

test("a proposal of rules is printed with its step, and is written by `emend apply`", async () => {
  const room = "export interface Room {\n  name: string;\n}\n";
  const use = 'import type { Room } from "./room";\n\nexport const blue: Room = { name: "blue" };\n';
  const work = new Shop({ "src/room.ts": room, "src/use.ts": use });
  work.write({ "src/room.ts": room.replace("}", "  floor: number;\n}") });
  const { exitCode, err } = await work.run(["plan", "--yes"]);
  expect([exitCode, work.read("src/use.ts")]).toEqual([12, use]);
  expect(err).toContain(`
      src/use.ts:3 variable blue (step 2)
        Line 3: Property 'floor' is missing in type '{ name: string; }' but required in type 'Room'. (2741)
        A proposal, not written:
        -export const blue: Room = { name: "blue" };
        +export const blue: Room = { name: "blue", floor: 0 };
There is nothing to write.
`);
  const advice = "`emend plan show --step STEP | emend apply - --yes` writes a proposal";
  expect(err).toContain(advice);
  const shown = await work.run(["plan", "show", "--step", "2"]);
  expect(shown.err).toContain(advice.replace("STEP", "2").replace("writes a proposal", "writes it:\n"));
  const applied = await work.run(["apply", "-", "--yes"], { input: shown.out });
  expect([applied.exitCode, work.read("src/use.ts")]).toEqual([0, use.replace('"blue" }', '"blue", floor: 0 }')]);
});
