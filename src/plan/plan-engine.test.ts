import { afterAll, describe, expect, test } from "vitest";
import { ModelError, type ModelFailure } from "../model/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { Edit, minimalEdit, workspaceEdit } from "../text/index.ts";
import { fenced, type PlanCase, playPlan } from "./fixtures/play-plan.ts";
import { ScriptedStep } from "./fixtures/scripted-step.ts";
import type { PlanSeed } from "./plan-event.ts";
import type { MechanicalEdits, ModelStepAnswer } from "./plan-parts.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** A seed that replaces one text of a file. */
function changed(files: Readonly<Record<string, string>>, path: string, from: string, to: string): PlanSeed {
  const before = files[path]!;
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} does not say ${from}`);
  return { kind: "edits", edit: workspaceEdit([{ kind: "edit", uri: path, edit: minimalEdit(before, after) }]) };
}

/** Steps with their status: `2 Circle.area done`. */
function steps({ state }: Awaited<ReturnType<typeof playPlan>>): readonly string[] {
  return state.graph.steps.map(({ id, block, status }) => `${id} ${block.name} ${status}`);
}

const shapes = {
  "shape.ts": `export abstract class Shape {
  area(scale: number): number {
    return scale;
  }
}
`,
  "circle.ts": `import { Shape } from "./shape.ts";

export class Circle extends Shape {
  area(scale: number): number {
    return 3 * scale;
  }
}
`,
  "square.ts": `import { Shape } from "./shape.ts";

export class Square extends Shape {
  area(scale: number): number {
    return 4 * scale;
  }
}
`,
  "total.ts": `import { Shape } from "./shape.ts";

export function total(shapes: Shape[]): number {
  return shapes.reduce((sum, shape) => sum + shape.area(2), 0);
}
`,
};
const shapeSeed = changed(shapes, "shape.ts", "area(scale: number)", "area(scale: number, unit: string)");
const withUnit = (text: string) => text.replace("area(scale: number)", "area(scale: number, unit: string)");
const shapeScript = {
  "Circle.area": withUnit,
  "Square.area": withUnit,
  total: (text: string) => text.replace("area(2)", 'area(2, "m")'),
};

test("a changed signature is followed through overrides, up and down, and to the callers", async () => {
  const modelStep = new ScriptedStep(shapeScript);
  const played = await playPlan({ files: shapes, seeds: [shapeSeed], modelStep });
  expect(played.texts["circle.ts"]).toBe(withUnit(shapes["circle.ts"]));
  expect(played.texts["square.ts"]).toBe(withUnit(shapes["square.ts"]));
  expect(played.texts["total.ts"]).toContain('area(2, "m")');
  expect(played.state.ended).toEqual({ why: "done" });
  await expect(played.transcript).toMatchFileSnapshot("./fixtures/transcripts/overrides.txt");
});

test.each<[what: string, before: string, after: string, step: string]>([
  ["the removed last one", "one\n\ntwo\n", "one\n", "1 two done"],
  ["the removed first one", "one\n\ntwo\n", "two\n", "1 one done"],
  ["the added one", "one\n", "one\n\ntwo\n", "1 two done"],
  ["the only one, removed", "one\n", "", "1 one done"],
])("a seed that removes or adds a block as a whole is the step of that block: %s", async (_, ...texts) => {
  const [before, after, step] = texts.map((text) => text.replaceAll(/^(\w+)$/gm, "export function $1(): void {}"));
  const files = { "a.ts": before! };
  const edit = workspaceEdit([{ kind: "edit", uri: "a.ts", edit: minimalEdit(before!, after!) }]);
  const played = await playPlan({ files, seeds: [{ kind: "edits", edit }], modelStep: new ScriptedStep({}) });
  expect(steps(played)).toEqual([step]);
});

const accounts = {
  "account.ts": `export interface Account {
  readonly age: number;
}

/** Whether an account may be used. */
export function isOpen(account: Account): boolean {
  return account.age > 1;
}
`,
  "list.ts": `import { type Account, isOpen } from "./account.ts";

export function closed(accounts: Account[]): Account[] {
  return accounts.filter((account) => !isOpen(account));
}
`,
};

test("changed behaviour leads to a step for its callers although no type changes", async () => {
  const seed = changed(accounts, "account.ts", "account.age > 1", "account.age <= 1");
  const answers = [
    [
      "it is about the function closed",
      fenced(
        "export function closed(accounts: Account[]): Account[] {\n  return accounts.filter((account) => isOpen(account));\n}",
      ),
    ],
  ] as const;
  const played = await playPlan({ files: accounts, seeds: [seed], answers, syntax });
  const [request] = played.model.requests;
  expect(request).toContain("-  return account.age > 1;\n+  return account.age <= 1;\n");
  expect(request).toContain("- `isOpen` in account.ts does something else now; this block calls it.");
  expect(played.texts["list.ts"]).toContain("filter((account) => isOpen(account))");
  expect(steps(played)).toEqual(["1 isOpen done", "2 closed done"]);
});

test("blocks that are repaired after a rename lead to no steps for their callers", async () => {
  const files = {
    "cart.ts": "export function countItems(lines: number[]): number {\n  return lines.length;\n}\n",
    "invoice.ts":
      'import { countItems } from "./cart.ts";\n\nexport const unit = { of: countItems };\n\n' +
      "export function invoiceText(lines: number[]): string {\n  return String(countItems(lines));\n}\n",
    "cart.test.ts":
      'import { invoiceText, unit } from "./invoice.ts";\n\nconsole.log(invoiceText([]));\n\nconsole.log(unit.of([]));\n',
  };
  const seed = changed(files, "cart.ts", "countItems", "itemCount");
  const renameAll: MechanicalEdits = {
    async tryEdit({ block: { path }, text }) {
      const edit = minimalEdit(text, text.replaceAll("countItems", "itemCount"));
      return edit.isEmpty
        ? { kind: "unchanged" }
        : { kind: "edit", edit: workspaceEdit([{ kind: "edit", uri: path, edit }]), rule: "rename" };
    },
  };
  const played = await playPlan({ files, seeds: [seed], mechanical: renameAll });
  expect(steps(played)).toEqual([
    "1 itemCount done",
    "2 invoiceText done",
    "3 unit unchanged",
    "4 ./cart.ts unchanged",
  ]);
  expect(played.state.ended).toEqual({ why: "done" });
});

const calls = {
  "a.ts": "export function a(): number {\n  return 1;\n}\n",
  "b.ts": 'import { a } from "./a.ts";\n\nexport function b(): number {\n  return a();\n}\n',
  "c.ts": "export function c(): number {\n  return 3;\n}\n\nexport const old: string = 1;\n",
};
const aSeed = changed(calls, "a.ts", "a(): number", "a(x: number): number");
const error = (path: string, line: number, message: string, code = "E1") =>
  ({ ...{ path, line, column: 0, message, code }, severity: "error", source: "check" }) as const;
/** Reports an old mistake, and one in `c` once `b` is repaired and until `c` returns 4. */
const checkC: PlanCase["check"] = (texts) => {
  const findings = [error("c.ts", 4, "old mistake")];
  const isRepaired = texts.get("b.ts")!.includes("a(1)");
  return isRepaired && texts.get("c.ts")!.includes("return 3")
    ? [...findings, error("c.ts", 1, "3 is too small")]
    : findings;
};
const callScript = {
  b: (text: string) => text.replace("a()", "a(1)"),
  c: (text: string) => text.replace("return 3", "return 4"),
};

test("new findings of the verification command start a second round, and old ones do not", async () => {
  const modelStep = new ScriptedStep(callScript);
  const played = await playPlan({ files: calls, seeds: [aSeed], modelStep, check: checkC });
  expect(played.texts["c.ts"]).toContain("return 4");
  expect(played.state).toMatchObject({ round: 2, ended: { why: "done" } });
  await expect(played.transcript).toMatchFileSnapshot("./fixtures/transcripts/second-round.txt");
});

test("findings alone can be the seeds", async () => {
  const modelStep = new ScriptedStep({ old: (text) => text.replace("old: string", "old: number"), ...callScript });
  const check: PlanCase["check"] = (texts) =>
    texts.get("c.ts")!.includes("old: string") ? [error("c.ts", 4, "no string")] : [];
  const played = await playPlan({ files: calls, seeds: [{ kind: "findings" }], modelStep, check });
  expect(steps(played)).toEqual(["1 old done"]);
  expect(played.state.ended).toEqual({ why: "done" });
});

const both = {
  "a.ts": calls["a.ts"],
  "two.ts":
    'import { a } from "./a.ts";\n\nexport function one(): number {\n  return a();\n}\n\nexport function two(): number {\n  return a();\n}\n',
};
/** Repairs a function of `both` and imports a name for it. */
const withImport = (name: string) => (text: string) =>
  text
    .replace(`${name}(): number {\n  return a()`, `${name}(): number {\n  return a(x)`)
    .replace(/^(?!.*x\.ts)/, 'import { x } from "./x.ts";\n');

describe("concurrency", () => {
  const many = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `f${index}`);
    const users = Object.fromEntries(
      names.map((name) => [
        `${name}.ts`,
        `import { a } from "./a.ts";\n\nexport function ${name}(): number {\n  return a();\n}\n`,
      ]),
    );
    return { names, files: { "a.ts": calls["a.ts"], ...users } };
  };

  test.each([1, 3, 8])(
    "at most %i requests are concurrent, and the order of answers does not matter",
    async (concurrency) => {
      const { names, files } = many(7);
      const runs = await Promise.all(
        [0, 1].map(async (turn) => {
          const wait = (index: number) =>
            new Promise<void>((done) => setTimeout(done, 2 * (turn === 0 ? index : 7 - index)));
          const script = names.map((name, index) => [
            name,
            async (text: string): Promise<ModelStepAnswer> => {
              await wait(index);
              const edit = minimalEdit(text, text.replace("a()", "a(1)"));
              return { kind: "edit", edit: workspaceEdit([{ kind: "edit", uri: `${name}.ts`, edit }]) };
            },
          ]);
          const modelStep = new ScriptedStep(Object.fromEntries(script));
          const played = await playPlan({ files, seeds: [aSeed], modelStep, limits: { concurrency } });
          return { modelStep, played };
        }),
      );
      const [first, second] = runs;
      expect(first!.modelStep.most).toBe(Math.min(concurrency, 7));
      expect(first!.played.texts["f3.ts"]).toContain("a(1)");
      expect(second!.played.texts).toEqual(first!.played.texts);
      const settled = (played: Awaited<ReturnType<typeof playPlan>>) =>
        played.transcript.split("\n").filter((line) => /^Step \d+ /.test(line));
      expect(settled(second!.played)).toEqual(settled(first!.played));
    },
  );

  test("two blocks of one file are written at once, each moved past the other", async () => {
    const repair = (name: string) => (text: string) =>
      text.replace(`${name}(): number {\n  return a()`, `${name}(): number {\n  return 10 + a(1)`);
    const modelStep = new ScriptedStep({ one: repair("one"), two: repair("two") });
    const played = await playPlan({ files: both, seeds: [aSeed], modelStep });
    expect(modelStep.most).toBe(2);
    expect(played.texts["two.ts"]).toBe(both["two.ts"].replaceAll("a();", "10 + a(1);"));
  });

  test("of two steps that write the same import the second is requested again", async () => {
    const modelStep = new ScriptedStep({ one: withImport("one"), two: withImport("two") });
    const played = await playPlan({ files: both, seeds: [aSeed], modelStep });
    expect(modelStep.requests).toEqual(["one", "two", "two"]);
    expect(played.texts["two.ts"]).toBe(`import { x } from "./x.ts";\n${both["two.ts"].replaceAll("a();", "a(x);")}`);
    expect(played.transcript).toContain(
      "Step 3 is to do again: Another step changed the same lines of two.ts meanwhile.",
    );
  });
});

describe("limits of a plan", () => {
  const script = () => new ScriptedStep(callScript);
  const rounds: PlanCase["check"] = (texts) =>
    texts.get("b.ts")!.includes("a(1)") ? [error("c.ts", 1, "never right")] : [];

  test.each<[what: string, scene: Partial<PlanCase>, why: string, last: string]>([
    ["rounds", { check: rounds, limits: { maxRounds: 1 } }, "rounds", "2 b done"],
    ["visits", { check: rounds, limits: { maxVisits: 2, maxRounds: 9 } }, "obligations", "5 c obligation"],
    ["steps", { limits: { maxSteps: 0 } }, "steps", "2 b pending"],
    ["tokens", { limits: { maxTokens: 99 } }, "tokens", "2 b pending"],
    ["money", { limits: { maxCost: 1, price: { shownToken: 0.02, writtenToken: 0 } } }, "money", "2 b pending"],
  ])("a plan ends at the limit of %s", async (_, planCase, why, last) => {
    const played = await playPlan({ files: calls, seeds: [aSeed], modelStep: script(), ...planCase });
    expect(played.state.ended?.why).toBe(why);
    expect(steps(played).at(-1)).toBe(last);
  });

  test("a plan that ended at a limit continues with another one", async () => {
    const first = await playPlan({ files: calls, seeds: [aSeed], modelStep: script(), limits: { maxTokens: 99 } });
    const still = await playPlan({ files: calls, seeds: [aSeed], modelStep: script(), journal: first.lines });
    expect(still.events).toEqual([]);
    const options = { continues: true };
    const second = await playPlan({ files: calls, seeds: [aSeed], modelStep: script(), journal: first.lines, options });
    expect(second.state.ended).toEqual({ why: "done" });
    expect(second.texts["b.ts"]).toContain("a(1)");
  });

  test("a change made to fit another one causes no step for that one", async () => {
    const files = {
      "a.ts": "export function a(x = 0): number {\n  return x > 9 ? 0 : b();\n}\n",
      "b.ts": "export function b(): number {\n  return a();\n}\n",
    };
    const grow = (name: string) => (text: string) =>
      text.replace(new RegExp(`${name}\\(.*?\\): number {`), `${name}(x = 1): number {`);
    const modelStep = new ScriptedStep({ a: grow("a"), b: grow("b") });
    const seed = { kind: "instruction", block: "a.ts|function:a", instruction: "grow" } as const;
    const played = await playPlan({ files, seeds: [seed], modelStep });
    expect(steps(played)).toEqual(["1 a done", "2 b done"]);
  });

  test.each([{ maxRounds: 0 }, { concurrency: 0 }, { maxVisits: Number.NaN }])(
    "a limit that is no valid number throws: %j",
    async (limits) => {
      await expect(playPlan({ files: calls, seeds: [aSeed], limits })).rejects.toThrow(/must be at least/);
    },
  );
});

describe("a plan", () => {
  const run = (answer: ModelStepAnswer, planCase: Partial<PlanCase> = {}) =>
    playPlan({ files: calls, seeds: [aSeed], modelStep: new ScriptedStep({ b: async () => answer }), ...planCase });

  test("without a model leaves steps without a rule as obligations", async () => {
    const played = await playPlan({ files: calls, seeds: [aSeed] });
    expect(steps(played)).toEqual(["1 a done", "2 b obligation"]);
    expect(played.state.ended).toEqual({ why: "obligations" });
    expect(played.state.graph.step(2).note).toBe("No rule can tell what to write here, and no model is configured.");
  });

  test("leaves a step as an obligation when the model's answer is of no use", async () => {
    const played = await run({ kind: "refused", reason: "I would rather not." });
    expect(played.state.graph.step(2)).toMatchObject({ status: "obligation", note: "I would rather not." });
  });

  test("makes a change outside the block an obligation, refuses a new file, and merges the rest", async () => {
    const repaired = minimalEdit(calls["b.ts"], callScript.b(calls["b.ts"]));
    const played = await run({
      kind: "edit",
      edit: workspaceEdit([
        { kind: "edit", uri: "b.ts", edit: repaired },
        { kind: "edit", uri: "c.ts", edit: Edit.insert(calls["c.ts"].indexOf("3"), "1") },
        { kind: "create", uri: "d.ts", text: "" },
      ]),
    });
    expect(played.texts).toMatchObject({ "b.ts": callScript.b(calls["b.ts"]), "c.ts": calls["c.ts"] });
    expect(played.texts["d.ts"]).toBeUndefined();
    expect(steps(played)).toEqual(["1 a done", "2 b done", "3 c obligation"]);
    expect(played.state.graph.step(2).note).toBe("The model also tried to create d.ts; that was refused.");
    expect(played.state.graph.step(3)).toMatchObject({
      note: "Step 2 also proposed a change here, outside its own block.",
      causes: [{ kind: "proposed", from: 2, diff: expect.stringContaining("+  return 13;") }],
    });
  });

  const failing = (...blocks: readonly (readonly [string, ModelFailure])[]) => {
    const fail = (code: ModelFailure) => async () => {
      throw new ModelError(code, `It failed: ${code}.`);
    };
    return new ScriptedStep({ ...callScript, ...Object.fromEntries(blocks.map(([name, code]) => [name, fail(code)])) });
  };

  test.each<[code: ModelFailure, why: string]>([
    ["unsupported", "the model takes no instructions"],
    ["context-too-long", "the prompt does not fit into the model's context"],
    ["unreachable", "the model cannot be reached"],
    ["timed-out", "the model failed"],
  ])("goes on without a model that failed (%s), says so once, and requests it in the next run", async (code, why) => {
    const first = await playPlan({ files: calls, seeds: [aSeed], modelStep: failing(["b", code]) });
    expect(steps(first)).toEqual(["1 a done", "2 b obligation"]);
    expect(first.state.ended).toEqual({ why: "obligations", note: `The model failed: It failed: ${code}.` });
    expect(first.state.graph.step(2).note).toBe(`No rule can tell what to write here, and ${why}.`);
    const again = { files: calls, seeds: [aSeed], journal: first.lines, options: { continues: true } };
    const without = await playPlan(again);
    expect(steps(without)).toEqual(["1 a done", "2 b obligation"]);
    const second = await playPlan({ ...again, modelStep: new ScriptedStep(callScript) });
    expect(second.state.ended).toEqual({ why: "done" });
    expect(second.texts["b.ts"]).toContain("a(1)");
  });

  test.each<[code: ModelFailure, second: string]>([
    ["context-too-long", "2 b done"],
    ["unreachable", "2 b obligation"],
  ])("requests other steps after %s where they may succeed", async (code, second) => {
    const seed = { kind: "instruction", block: "c.ts|function:c", instruction: "grow" } as const;
    const limits = { concurrency: 1 };
    const played = await playPlan({ files: calls, seeds: [seed, aSeed], modelStep: failing(["c", code]), limits });
    expect(steps(played).some((step) => step.endsWith("c obligation"))).toBe(true);
    expect(steps(played).map((step) => step.replace(/^\d/, "2"))).toContain(second);
  });

  test.each([
    [
      "not there",
      { kind: "failed", reason: "not-found", message: "there is no tsk; install it", tail: "" },
      "check failed: there is no tsk; install it",
    ],
    ["hanging", { kind: "timed-out", timeoutMs: 60_000, tail: "" }, "check stopped after 60 s"],
  ] as const)("ends when the verification command is %s, before anything is written", async (_, verdict, note) => {
    const played = await playPlan({ files: calls, seeds: [aSeed], check: () => verdict });
    expect(played.state.ended).toEqual({ why: "failed", note });
    expect(played.texts).toEqual(calls);
  });

  test("rejects a seed at a missing block", async () => {
    const seed = { kind: "instruction", block: "c.ts|function:d", instruction: "" } as const;
    await expect(playPlan({ files: calls, seeds: [seed] })).rejects.toThrow(
      "There is no block c.ts|function:d. The file has function:c, variable:old.",
    );
  });

  test("rejects a seed that does not fit, and two seeds for one file", async () => {
    const other = workspaceEdit([{ kind: "edit", uri: "a.ts", edit: Edit.insert(999, "x") }]);
    const run = (seeds: readonly PlanSeed[]) => playPlan({ files: calls, seeds });
    await expect(run([{ kind: "edits", edit: other }])).rejects.toThrow(
      "does not apply to a.ts, or changes nothing there",
    );
    await expect(run([aSeed, aSeed])).rejects.toThrow("Two seeds change a.ts: pass them as one edit.");
  });

  test("rejects when files changed under it", async () => {
    const { lines } = await playPlan({ files: calls, seeds: [aSeed], modelStep: new ScriptedStep(callScript) });
    for (const [path, text] of [
      ["b.ts", calls["b.ts"].replace("b()", "bb()")],
      ["b.ts", `\n${calls["b.ts"]}`],
      ["a.ts", calls["a.ts"].replace("1", "2")],
    ] as const) {
      const files = { ...calls, [path]: text };
      await expect(playPlan({ files, seeds: [aSeed], journal: lines })).rejects.toThrow(
        `${path} changed since the plan was started, so it cannot continue.`,
      );
    }
  });

  test("reports new errors outside all blocks at its end", async () => {
    const check: PlanCase["check"] = (texts) =>
      texts.get("a.ts")!.includes("x: number") ? [error("gone.ts", 1, "what?")] : [];
    const played = await playPlan({ files: calls, seeds: [aSeed], modelStep: new ScriptedStep(callScript), check });
    expect(played.state.ended).toEqual({
      why: "obligations",
      note: "Errors outside all blocks: gone.ts:2:1 error E1 (check) what?",
    });
  });

  test("drops a step whose block is gone and follows one whose block was renamed", async () => {
    const files = {
      "a.ts": calls["a.ts"],
      "b.ts":
        'import { a } from "./a.ts";\n\nexport function b(): number {\n  return a() + 11 + 12 + 13;\n}\n\nexport function d(): number {\n  return 5;\n}\n',
    };
    const seeds: PlanSeed[] = [
      { kind: "instruction", block: "a.ts|function:a", instruction: "first" },
      { kind: "instruction", block: "b.ts|function:b", instruction: "second" },
      { kind: "instruction", block: "b.ts|function:d", instruction: "third" },
    ];
    const after = files["b.ts"].replace("function b", "function better").replace(/\nexport function d[\s\S]*/, "");
    const mechanical: MechanicalEdits = {
      tryEdit: async ({ step }) =>
        step.id === 1
          ? {
              kind: "edit",
              rule: "all",
              edit: workspaceEdit([{ kind: "edit", uri: "b.ts", edit: minimalEdit(files["b.ts"], after) }]),
            }
          : undefined,
    };
    const played = await playPlan({ files, seeds, mechanical });
    expect(steps(played)).toEqual(["1 a done", "2 better obligation", "3 d dropped"]);
    expect(played.state.graph.step(3).note).toBe("There is no function d in b.ts any more.");
  });
});

test("tries rules first and names them", async () => {
  const mechanical: MechanicalEdits = {
    tryEdit: async ({ block, text }) => ({
      kind: "edit",
      rule: "argument",
      edit: workspaceEdit([{ kind: "edit", uri: block.path, edit: minimalEdit(text, text.replace("a()", "a(1)")) }]),
    }),
  };
  const modelStep = new ScriptedStep({});
  const played = await playPlan({ files: calls, seeds: [aSeed], mechanical, modelStep });
  expect(modelStep.requests).toEqual([]);
  expect(played.state.graph.step(2).rewrite?.by).toEqual({ kind: "mechanical", rule: "argument" });
});

test("continues from an obligation that a person completed", async () => {
  const first = await playPlan({ files: calls, seeds: [aSeed] });
  const after = callScript.b(calls["b.ts"]).replace("b(): number", "b(): bigint");
  const edit = workspaceEdit([{ kind: "edit", uri: "b.ts", edit: minimalEdit(calls["b.ts"], after) }]);
  const files = { ...calls };
  const second = await playPlan({
    files,
    seeds: [aSeed],
    journal: first.lines,
    options: { manualResults: [{ id: 2, edit }] },
  });
  expect(second.state.graph.step(2)).toMatchObject({ status: "done", rewrite: { by: { kind: "person" } } });
  expect(second.texts["b.ts"]).toBe(after);
  expect(second.state.ended).toEqual({ why: "done" });
});

test("rejects with the signal's reason and continues later", async () => {
  const stopping = new AbortController();
  const reason = new Error("enough");
  const journal: string[] = [];
  const slow = new ScriptedStep({
    b: async (_, { signal }) => {
      stopping.abort(reason);
      signal!.throwIfAborted();
      return { kind: "unchanged" };
    },
  });
  const planCase = { files: calls, seeds: [aSeed], growing: journal };
  const options = { signal: stopping.signal };
  await expect(playPlan({ ...planCase, modelStep: slow, options })).rejects.toBe(reason);
  const count = journal.length;
  await expect(playPlan({ ...planCase, modelStep: slow, options })).rejects.toBe(reason);
  expect(journal.length).toBe(count);
  const modelStep = new ScriptedStep(callScript);
  const later = await playPlan({ ...planCase, modelStep });
  expect(later.texts["b.ts"]).toContain("a(1)");
  // The request was made already and its answer was stored.
  expect(modelStep.requests).toEqual([]);
});

test("stops when the consumer leaves early and continues later", async () => {
  const journal: string[] = [];
  const planCase = { files: calls, seeds: [aSeed], growing: journal };
  let isStopped = false;
  const slow = new ScriptedStep({
    b: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        const stop = () => {
          isStopped = true;
          reject(signal!.reason);
        };
        if (signal!.aborted) stop();
        else signal!.addEventListener("abort", stop);
      }),
  });
  await playPlan({ ...planCase, modelStep: slow, most: 4 });
  expect(isStopped).toBe(true);
  const later = await playPlan({ ...planCase, modelStep: new ScriptedStep(callScript) });
  expect(later.texts["b.ts"]).toContain("a(1)");
});

describe("after a kill at any event the plan comes to the same texts and repeats no request, with", () => {
  test.each<[what: string, scene: () => PlanCase & { readonly modelStep: ScriptedStep }]>([
    ["overrides", () => ({ files: shapes, seeds: [shapeSeed], modelStep: new ScriptedStep(shapeScript) })],
    [
      "two steps that write the same import",
      () => ({
        files: both,
        seeds: [aSeed],
        modelStep: new ScriptedStep({ one: withImport("one"), two: withImport("two") }),
      }),
    ],
    [
      "a second round",
      () => ({ files: calls, seeds: [aSeed], modelStep: new ScriptedStep(callScript), check: checkC }),
    ],
  ])("%s", async (_, planCase) => {
    const one = planCase();
    const complete = await playPlan(one);
    for (let count = 0; count <= complete.lines.length; count++) {
      const journal = complete.lines.slice(0, count);
      const again = planCase();
      const played = await playPlan({ ...again, journal });
      expect(played.texts, `after ${count} events`).toEqual(complete.texts);
      const answered = journal.filter((line) => line.includes('"kind":"model-answered"')).length;
      expect(again.modelStep.requests.length).toBe(one.modelStep.requests.length - answered);
      expect(played.transcript).toBe(complete.transcript);
    }
  });
});
