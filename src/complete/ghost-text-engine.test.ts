import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Model, ModelError } from "../model/index.ts";
import { closing } from "../syntax/node/fixtures/closing.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { EmendError } from "../text/index.ts";
import { Scene, type SceneOptions } from "./fixtures/scene.ts";
import type { ScriptStep } from "./fixtures/scripted-model.ts";
import type { GhostTextOutcome } from "./outcome.ts";

const syntax = openSyntax();
beforeAll(async () => {
  for (const id of ["typescript", "python"]) await syntax.load(id);
});
afterAll(() => syntax[Symbol.dispose]());

function open(options: Omit<SceneOptions, "syntax">): Scene {
  return closing(new Scene({ syntax, ...options }));
}

/** A model behind a network: its first token comes after 300 ms. */
const slow = (...pieces: (string | number)[]) => [300, ...pieces];

describe("requests of the ghost text engine", () => {
  test("a model request is sent after the debounce delay", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => slow("b + ", "c;\nmore") } });
    await scene.type("x");
    await scene.pass(30);
    await scene.type(".");
    await scene.pass(600);
    expect(scene.transcript).toEqual([
      '80 remote is asked at "const a = x.|"',
      '380 remote is stopped at "const a = x.|"',
      "380 model: const a = x.«b + c;»",
    ]);
  });

  test("an instant model has no debounce delay", async () => {
    const scene = open({ text: "const a = |\n", models: { builtin: () => ["b;"] } });
    await scene.type("x + ");
    expect(scene.transcript).toEqual(['0 builtin is asked at "const a = x + |"', "0 model: const a = x + «b;»"]);
  });

  test("a request by key has no debounce delay", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => slow("b;") } });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(310);
    expect(scene.transcript).toEqual(['0 remote is asked at "const a = |"', "300 model: const a = «b;»"]);
  });

  test.each([
    ["a sentence", "Here is the completion:\n\nb + c;\n"],
    ["thoughts", "<think>We need b.\nAnd c.</think>\n\nb + c;"],
    ["all of it", "<think>So.</think>\nSure! Here's the code:\n```ts\nconst a = b + c;\n```\nThis adds them."],
  ])("what a model says before its answer is not offered: %s", async (_, answer) => {
    for (const pieces of [[answer], answer.split("")]) {
      const scene = open({ text: "const a = |\n", models: { remote: () => pieces } });
      void scene.ask({ trigger: "invoked" });
      await scene.pass(10);
      expect(scene.show()).toBe("model: const a = «b + c;»");
    }
  });

  test("the next model answers if a model fails", async () => {
    const failure = new EmendError("unreachable", "Nobody listens.");
    const scene = open({ text: "const a = |\n", models: { remote: () => [failure], builtin: () => ["b;"] } });
    await scene.type("x + ");
    await scene.pass(100);
    expect(scene.show()).toBe("model: const a = x + «b;»");
    expect(scene.outcome?.trace.map(({ detail }) => detail)).toContain(
      "remote: The model failed (unreachable): Nobody listens.",
    );
    const reason = { kind: "model-failed", code: "unreachable", message: "Nobody listens." };
    expect(scene.outcome).toMatchObject({ kind: "offered", failures: [{ model: "remote", reason }] });
  });

  test.each<[answer: ScriptStep, kind: string]>([
    ["= = =", "breaks-syntax"],
    [{ reason: "silent" }, "model-silent"],
  ])(
    "the next model answers where a model has nothing to offer, %j, and the outcome has the reason",
    async (answer, kind) => {
      const scene = open({ text: "const a = |\n", models: { remote: () => [answer], builtin: () => ["b;"] } });
      await scene.type("x + ");
      await scene.pass(100);
      expect(scene.outcome).toMatchObject({ kind: "offered", failures: [{ model: "remote", reason: { kind } }] });
    },
  );

  test("a model that has failed is asked again at the same text, once the next model's answer is old", async () => {
    const failure = new EmendError("unreachable", "Nobody listens.");
    let isBack = false;
    const scene = open({
      text: "const a = |\n",
      models: { remote: () => (isBack ? ["c;"] : [failure]), builtin: () => ["b;"] },
    });
    const typedAgain = async () => {
      await scene.erase();
      await scene.type("x");
      await scene.pass(100);
      return scene.show();
    };
    await scene.type("x");
    await scene.pass(100);
    expect(scene.show()).toBe("model: const a = x«b;»");
    isBack = true;
    expect(await typedAgain()).toBe("cache: const a = x«b;»");
    await scene.pass(5_000);
    expect(await typedAgain()).toBe("model: const a = x«c;»");
    await scene.pass(60_000);
    expect(await typedAgain()).toBe("cache: const a = x«c;»");
  });

  test("the failure of a model is reported before the empty answer of the next model", async () => {
    const failure = new EmendError("unreachable", "Nobody listens.");
    const scene = open({
      text: "const a = |\n",
      models: { remote: () => [failure], builtin: () => [{ reason: "silent" }] },
    });
    await scene.type("x + ");
    await scene.pass(100);
    const reason = { kind: "model-failed", code: "unreachable", next: { kind: "model-silent" } };
    expect(scene.outcome).toMatchObject({ kind: "no-suggestion", reason });
    expect(scene.outcome?.trace.at(-1)?.detail).toBe(
      "The model failed (unreachable): Nobody listens. Next model: builtin has no suggestion here: it is not confident enough.",
    );
  });

  test("complete lines are suggested if the connection breaks after them", async () => {
    const failure = new ModelError("cut-off", "The server stopped in the middle of its answer. Ask again.");
    const scene = open({
      text: "function f() {\n  |\n}\n",
      models: { remote: () => ["a();\n", "  b();\n  cc", failure], builtin: () => ["d();"] },
    });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(100);
    expect(scene.show()).toBe("model:   «a();\n  b();»");
    expect(scene.outcome).toMatchObject({ suggestions: [{ changes: expect.arrayContaining(["kept-whole-lines"]) }] });
    const details = scene.outcome!.trace.map(({ detail }) => detail);
    expect(details).toContain(`remote: 12 characters, cut-off: ${failure.message}`);
    expect(scene.engine.load.answers).toBe(0);
  });

  test("the next model answers if no line is complete or none fits", async () => {
    for (const pieces of [["a"], ["= = =\n", "b"]]) {
      const failure = new ModelError("cut-off", "The server stopped.");
      const scene = open({
        text: "f();\n|\n",
        models: { remote: () => [...pieces, failure], builtin: () => ["b;"] },
      });
      void scene.ask({ trigger: "invoked" });
      await scene.pass(100);
      expect(scene.show()).toBe("model: «b;»");
    }
  });

  test("the first failure is reported if all models fail", async () => {
    const scene = open({
      text: "const a = |\n",
      models: { remote: () => [new EmendError("unreachable", "Nobody listens.")], other: () => [new Error("Broken")] },
    });
    await scene.type("x + ");
    await scene.pass(100);
    expect(scene.outcome).toMatchObject({
      reason: { kind: "model-failed", code: "unreachable", message: "Nobody listens." },
    });
  });

  test.each([
    ["a model that is not sure", { remote: () => [{ reason: "silent" } as const] }, /it is not confident enough\.$/],
    ["an empty answer", { remote: () => [] }, /no suggestion here: its answer was empty\.$/],
    ["a blank answer", { remote: () => ["  \n"] }, /its answer was empty\.$/],
    [
      "an answer held back",
      { remote: () => [{ reason: "content-filter" } as const] },
      /content filter of its provider blocked the answer/,
    ],
    ["only thoughts", { remote: () => ["<think>So"] }, /its answer contains only reasoning/],
    ["no tokens left", { remote: () => [{ reason: "length" } as const] }, /its tokens were used up/],
    ["no model", {}, /No model can fill in code/],
  ])("%s", async (_, models, expected) => {
    const scene = open({ text: "const a = |\n", models });
    await scene.type("x + ");
    await scene.pass(100);
    expect(scene.outcome?.trace.at(-1)?.detail).toMatch(expected);
  });

  test("a model that cannot fill is skipped", async () => {
    const chatOnly: Model = { name: "chat" };
    const scene = open({ text: "const a = |\n", models: {} });
    expect(chatOnly.fill).toBeUndefined();
    await scene.type("x + ");
    expect(scene.show()).toBe("no-suggestion: no-model");
  });

  test("a model that never answers times out, even if it ignores the signal", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => [1e9] }, settings: { timeoutMs: 2000 } });
    await scene.type("x + ");
    await scene.pass(2100);
    expect(scene.show()).toBe("no-suggestion: timed-out");
    expect(scene.engine.load.requests).toBe(0);
  });

  test("building a prompt times out", async () => {
    const scene = open({ text: "const a = |\n", models: { builtin: () => ["b"] }, promptMs: 5000 });
    await scene.type("x + ");
    await scene.pass(1300);
    const reason = { kind: "timed-out", waitedFor: "prompt", afterMs: 1200, limit: "typing", model: "builtin" };
    expect(scene.outcome).toMatchObject({ reason });
  });

  const timedOut = { kind: "timed-out", waitedFor: "prompt", model: "remote" };
  test.each<[builtin: ScriptStep[], outcome: object]>([
    [
      ["b;"],
      { kind: "offered", suggestions: [{ model: "builtin" }], failures: [{ model: "remote", reason: timedOut }] },
    ],
    [[{ reason: "silent" }], { reason: { ...timedOut, next: { kind: "model-silent", model: "builtin" } } }],
    [["= = ="], { reason: { ...timedOut, next: { kind: "breaks-syntax", model: "builtin" } } }],
  ])("the next model answers if the prompt of a model is not ready in time: %j", async (builtin, outcome) => {
    const models = { remote: () => ["c;"], builtin: () => builtin };
    const settings = { timeoutMs: 2000, promptMs: 500 };
    const scene = open({
      text: "const a = |;\n",
      models,
      settings,
      promptMs: (model) => (model === "remote" ? 5000 : 0),
    });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(20_000);
    expect(scene.outcome).toMatchObject(outcome);
  });

  test.each([
    [1000, { kind: "offered" }],
    [5000, { reason: { kind: "timed-out", waitedFor: "prompt", afterMs: 2000, limit: "complete.timeoutMs" } }],
  ])("a request by key waits for its prompt as long as for an answer, 2,000 ms: %i ms", async (promptMs, outcome) => {
    const settings = { timeoutMs: 2000, promptMs: 500 };
    const scene = open({ text: "const a = |\n", models: { builtin: () => ["b"] }, promptMs, settings });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(2100);
    expect(scene.outcome).toMatchObject(outcome);
  });

  test("the lines so far of a slow answer are suggested", async () => {
    const line = (n: number): (number | string)[] => [400, `  f${n}();\n`];
    const scene = open({
      text: "function f() {\n|\n}\n",
      models: { remote: () => [1, 2, 3, 4, 5, 6, 7].flatMap(line) },
    });
    void scene.ask();
    await scene.pass(5000);
    expect(scene.transcript.at(-1)).toMatch(/^\d+ model: « {2}f1\(\);\n {2}f2\(\);\n {2}f3\(\);»$/);
  });

  test("a block is requested in an empty block, and the model is stopped when the block is closed", async () => {
    const scene = open({
      text: "function f() {\n  |\n}\n",
      models: { remote: () => [100, "a();\n", "  b();\n", "}\n", "\nfunction g() {"] },
    });
    void scene.ask();
    await scene.pass(300);
    expect(scene.transcript.slice(1)).toEqual(['150 remote is stopped at "  |"', "150 model:   «a();\n  b();»"]);
    expect(scene.models[0]!.calls[0]).toMatchObject({ maxLines: 16, maxTokens: 640 });
  });
});

describe("typing the suggested text", () => {
  const text = "const a = |\n";

  test("keeps the suggestion and sends no request", async () => {
    const scene = open({ text, models: { remote: () => slow("f(b) + c;") } });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(400);
    const before = scene.models[0]!.calls.length;
    for (const key of "f(b) + c") await scene.type(key);
    expect(scene.transcript.slice(-3)).toEqual([
      "400 typed-as-suggested: const a = f(b) +« c;»",
      "400 typed-as-suggested: const a = f(b) + «c;»",
      "400 typed-as-suggested: const a = f(b) + c«;»",
    ]);
    expect(scene.models[0]!.calls).toHaveLength(before);
  });

  test("keeps the suggestion when the editor adds closing brackets", async () => {
    const scene = open({ text, models: { builtin: () => ["f([b]) + c;"] } });
    void scene.ask();
    await scene.settle();
    scene.replace({ start: scene.offset, end: scene.offset, text: "f()" });
    scene.offset -= 1;
    void scene.ask({ autoClosed: { start: scene.offset, end: scene.offset + 1 } });
    await scene.settle();
    expect(scene.show()).toBe("typed-as-suggested: const a = f(«[b]) + c;»");
  });

  test("and deleting it again keeps the suggestion and its id", async () => {
    const scene = open({ text, models: { builtin: () => ["b + c;"] } });
    void scene.ask();
    await scene.settle();
    const ids = [scene.outcome].map(idOf);
    await scene.type("b +");
    ids.push(idOf(scene.outcome));
    await scene.erase(2);
    ids.push(idOf(scene.outcome));
    expect(scene.show()).toBe("typed-as-suggested: const a = b« + c;»");
    expect(new Set(ids).size).toBe(1);
  });

  test("ends with other text or the last character", async () => {
    const scene = open({ text, models: { builtin: ({ prefix }) => [prefix.endsWith("x") ? ".y;" : "b + c;"] } });
    void scene.ask();
    await scene.settle();
    await scene.type("x");
    expect(scene.show()).toBe("model: const a = x«.y;»");
    await scene.type(".y;");
    expect(scene.show()).toBe("model: const a = x.y;«b + c;»");
  });
});

describe("an earlier request of the ghost text engine", () => {
  test("is reused after deleting and typing again", async () => {
    const scene = open({
      text: "const a = |\n",
      models: { remote: ({ prefix }) => [prefix.endsWith("z") ? "oo;" : "b + c;"] },
    });
    await scene.type(" ");
    await scene.pass(200);
    await scene.type("z");
    await scene.pass(200);
    await scene.erase();
    expect(scene.show()).toBe("cache: const a =  «b + c;»");
    await scene.type("b");
    expect(scene.show()).toBe("typed-as-suggested: const a =  b« + c;»");
    expect(scene.models[0]!.calls).toHaveLength(2);
  });

  test("is reused some characters later without the typed text", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => [100, "f(b) + c;"] } });
    await scene.type(" ");
    await scene.pass(60);
    // The editor takes the request back; the answer comes all the same.
    void scene.ask({ trigger: "invoked" });
    await scene.pass(200);
    scene.dismiss();
    await scene.type("f(b");
    expect(scene.show()).toBe("cache: const a =  f(b«) + c;»");
  });

  test("in flight is joined while the typed text agrees with it", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => slow("foo", "(b);") } });
    await scene.type(" ");
    await scene.pass(100);
    await scene.type("f");
    await scene.pass(100);
    await scene.type("o");
    await scene.pass(300);
    expect(scene.transcript).toEqual(['50 remote is asked at "const a =  |"', "350 joined: const a =  fo«o(b);»"]);
  });

  test("in flight is stopped, and another one sent, where the typed text differs", async () => {
    const scene = open({
      text: "const a = |\n",
      models: { remote: ({ prefix }) => (prefix.endsWith("x") ? slow("yz;") : slow("foo", 100, "(b);")) },
    });
    await scene.type(" ");
    await scene.pass(100);
    await scene.type("x");
    await scene.pass(700);
    expect(scene.transcript).toEqual([
      '50 remote is asked at "const a =  |"',
      '350 remote is stopped at "const a =  |"',
      '400 remote is asked at "const a =  x|"',
      "700 model: const a =  x«yz;»",
    ]);
  });

  test.each([
    ["a fence around it", ["```ts\n", "foo(b);\n```\n"]],
    ["the line said again before it", ["const a = ", "foo(b);"]],
  ])("an answer is kept and joined without %s", async (_, pieces) => {
    const joining = open({ text: "const a =|\n", models: { remote: () => slow(...pieces) } });
    await joining.type(" ");
    await joining.pass(100);
    await joining.type("fo");
    await joining.pass(300);
    expect(joining.show()).toBe("joined: const a = fo«o(b);»");
    const keeping = open({ text: "const a =|\n", models: { remote: () => slow(...pieces) } });
    await keeping.type(" ");
    await keeping.pass(400);
    keeping.dismiss();
    await keeping.type("f");
    expect(keeping.show()).toBe("cache: const a = f«oo(b);»");
  });

  test("in flight without a caller is stopped after a while", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => [5000, "b;"] } });
    const controller = new AbortController();
    const outcome = scene.engine.complete(scene.request({ trigger: "invoked" }), { signal: controller.signal });
    await scene.pass(100);
    controller.abort();
    expect(await outcome).toMatchObject({ reason: { kind: "cancelled" } });
    await scene.pass(900);
    expect(scene.engine.load.requests).toBe(1);
    await scene.pass(100);
    expect(scene.engine.load.requests).toBe(0);
    expect(scene.transcript.at(-1)).toBe('1100 remote is stopped at "const a = |"');
  });
});

describe("a request in advance", () => {
  const models = {
    remote: ({ prefix }: { prefix: string }) => (prefix.endsWith(";") ? slow("\nconst d = 1;") : slow("b;")),
  };

  test("is sent when a suggestion is shown, and answered when it is accepted", async () => {
    const scene = open({ text: "const a = |\n", models });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(310);
    await scene.shown();
    await scene.pass(400);
    await scene.accept();
    expect(scene.transcript).toEqual([
      '0 remote is asked at "const a = |"',
      "300 model: const a = «b;»",
      '310 remote is asked at "const a = b;|"',
      "710 ahead: const a = b;«\nconst d = 1;»",
    ]);
  });

  test("is joined while it is in flight", async () => {
    const scene = open({ text: "const a = |\n", models });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(310);
    await scene.shown();
    await scene.pass(100);
    await scene.accept();
    await scene.type("\n");
    await scene.pass(300);
    expect(scene.transcript.slice(-1)).toEqual(["610 ahead: «const d = 1;»"]);
    expect(scene.models[0]!.calls).toHaveLength(2);
  });

  test("continues while the suggested text is typed, and is stopped by other text", async () => {
    const scene = open({ text: "const a = |\n", models });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(310);
    await scene.shown();
    await scene.type("b");
    expect(scene.transcript.at(-1)).toBe("310 typed-as-suggested: const a = b«;»");
    await scene.type("x");
    expect(scene.transcript.at(-1)).toBe('310 remote is stopped at "const a = b;|"');
  });

  test("is stopped when the suggestion is dismissed", async () => {
    const scene = open({ text: "const a = |\n", models });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(310);
    await scene.shown();
    scene.dismiss();
    await scene.settle();
    expect(scene.transcript.at(-1)).toBe('310 remote is stopped at "const a = b;|"');
  });

  test("is not sent twice, and not sent where the setting is off", async () => {
    for (const ahead of [true, false]) {
      const scene = open({ text: "const a = |\n", models, settings: { ahead } });
      void scene.ask({ trigger: "invoked" });
      await scene.pass(310);
      await scene.shown();
      await scene.shown();
      expect(scene.models[0]!.calls).toHaveLength(ahead ? 2 : 1);
    }
  });
});

describe("a prompt grows", () => {
  const models = { remote: () => slow("b;") };
  const growthMs = [100, 100, 100, 100];

  test("step by step after an answer, and after the request ahead, until the next key", async () => {
    const scene = open({ text: "const a = |\n", models, growthMs });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(310);
    await scene.shown();
    await scene.pass(500);
    await scene.type("x");
    await scene.pass(1);
    expect(scene.transcript).toEqual([
      '0 remote is asked at "const a = |"',
      "300 model: const a = «b;»",
      "300 remote evaluates step 1",
      '310 remote is asked at "const a = b;|"',
      "610 remote evaluates step 2",
      "710 remote evaluates step 3",
      "810 remote evaluates step 4",
      "810 growth is stopped",
    ]);
  });

  test("again where a key has stopped it, also where nothing is requested", async () => {
    const scene = open({ text: "const a = |\n", models, growthMs, settings: { ahead: false } });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(350);
    await scene.type("b");
    await scene.pass(150);
    expect(scene.transcript.slice(2)).toEqual([
      "300 remote evaluates step 1",
      "350 growth is stopped",
      "350 typed-as-suggested: const a = b«;»",
      "350 remote evaluates step 2",
      "450 remote evaluates step 3",
    ]);
  });

  test.each<[string, Partial<SceneOptions>]>([
    ["where the model answers at once", { models: { builtin: () => ["b;"] } }],
    ["in a file that no model may see", { access: { kind: "secret" } }],
    [
      "where ghost text is off",
      { settings: { switches: { enabled: false, languages: {}, fileTypes: {}, folders: {} } } },
    ],
  ])("never %s", async (_, options) => {
    const scene = open({ text: "const a = |\n", models, growthMs, ...options });
    await scene.type("x + ");
    await scene.pass(600);
    expect(scene.transcript.join()).not.toContain("evaluates");
  });

  test("no further once the engine is closed", async () => {
    const scene = open({ text: "const a = |\n", models, growthMs });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(310);
    scene.engine[Symbol.dispose]();
    await scene.pass(500);
    expect(scene.transcript.slice(2)).toEqual(["300 remote evaluates step 1", "310 growth is stopped"]);
  });
});

describe("a draft of an instant model", () => {
  const models = {
    remote: () => [3000, "b.remote();"],
    builtin: () => ["b.draft();", { reason: "finished", probability: 0.6 } as const],
  };

  test("is suggested while the first model is slow, and stays while it is typed", async () => {
    const scene = open({ text: "const a = |\n", models });
    await scene.type(" ");
    await scene.pass(300);
    await scene.type("b.");
    await scene.pass(2000);
    await scene.type("d");
    expect(scene.transcript).toEqual([
      '50 remote is asked at "const a =  |"',
      '200 builtin is asked at "const a =  |"',
      "200 model: const a =  «b.draft();»",
      "300 typed-as-suggested: const a =  b.«draft();»",
      "2300 typed-as-suggested: const a =  b.d«raft();»",
    ]);
  });

  test("is replaced by the answer when other text is typed", async () => {
    const scene = open({ text: "const a = |\n", models });
    await scene.type(" ");
    await scene.pass(4000);
    await scene.type("b.r");
    expect(scene.transcript.at(-1)).toBe("4000 cache: const a =  b.r«emote();»");
    expect(scene.models.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });

  test("is not suggested where the first model is fast", async () => {
    const scene = open({ text: "const a = |\n", models: { ...models, remote: () => [50, "b.remote();"] } });
    await scene.type(" ");
    await scene.pass(2000);
    expect(scene.transcript).toEqual(['50 remote is asked at "const a =  |"', "100 model: const a =  «b.remote();»"]);
  });

  test("is not suggested for a request by key", async () => {
    const scene = open({ text: "const a = |\n", models });
    void scene.ask({ trigger: "invoked" });
    await scene.pass(4000);
    expect(scene.transcript).toEqual(['0 remote is asked at "const a = |"', "3000 model: const a = «b.remote();»"]);
  });
});

describe("alternatives by key", () => {
  test("come from the same model at a higher temperature and from the other models, without duplicates, the shown one first", async () => {
    const scene = open({
      text: "const a = |\n",
      models: { remote: ({ temperature }) => [temperature === undefined ? "b;" : "c;"], builtin: () => ["d;"] },
    });
    await scene.type(" ");
    await scene.pass(200);
    expect(texts(scene.outcome)).toEqual(["b;"]);
    void scene.ask({ trigger: "invoked", limit: 4 });
    await scene.pass(200);
    expect(texts(scene.outcome)).toEqual(["b;", "c;", "d;"]);
    await scene.type("c");
    expect(texts(scene.outcome)).toEqual([";"]);
  });
});

describe("obsolete requests of the ghost text engine", () => {
  test("a newer request supersedes one of the same document but not of another", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => slow("b;") } });
    const first = scene.engine.complete(scene.request());
    const second = scene.engine.complete(scene.request());
    const { document } = scene.request();
    const other = scene.engine.complete(scene.request({ document: { ...document, uri: "file:///b.ts" } }));
    await scene.pass(1000);
    expect((await Promise.all([first, second, other])).map((outcome) => scene.show(outcome))).toEqual([
      "no-suggestion: superseded",
      "model: const a = «b;»",
      "model: const a = «b;»",
    ]);
  });

  test("a suggestion of one document is not suggested in another, and is still shown afterwards", async () => {
    const scene = open({ text: "const a = |\n", models: { builtin: ({ path }) => [path === "b.ts" ? "c;" : "b;"] } });
    await scene.ask();
    const { document } = scene.request();
    const other = { ...document, uri: "file:///b.ts" };
    expect(texts(await scene.engine.complete(scene.request({ document: other, path: "b.ts" })))).toEqual(["c;"]);
    await scene.ask();
    expect(scene.show()).toBe("cache: const a = «b;»");
  });

  test("a request that is already cancelled sends nothing", async () => {
    const scene = open({ text: "const a = |\n", models: { builtin: () => ["b;"] } });
    const controller = new AbortController();
    controller.abort();
    const outcome = await scene.engine.complete(scene.request(), { signal: controller.signal });
    expect(outcome).toMatchObject({ kind: "no-suggestion", reason: { kind: "cancelled" } });
    expect(scene.models[0]!.calls).toHaveLength(0);
  });

  test("a closed engine stops its requests and gives no suggestion", async () => {
    const scene = open({ text: "const a = |\n", models: { remote: () => slow("b;") } });
    const outcome = scene.engine.complete(scene.request({ trigger: "invoked" }));
    await scene.pass(100);
    scene.engine[Symbol.dispose]();
    scene.engine[Symbol.dispose]();
    expect(await outcome).toMatchObject({ reason: { kind: "cancelled" } });
    expect(await scene.engine.complete(scene.request())).toMatchObject({ reason: { kind: "cancelled" } });
    expect(scene.engine.load).toEqual({ answers: 0, requests: 0 });
    expect(scene.clock.waiting).toBe(0);
  });
});

describe("the selected completion item", () => {
  test("is continued by the suggestion", async () => {
    const scene = open({
      text: "console.lo|;\n",
      models: { builtin: ({ prefix }) => [prefix.endsWith("log") ? "(a)" : "cale"] },
    });
    void scene.ask({ picked: { start: 8, end: 10, text: "log" } });
    await scene.settle();
    expect(scene.show()).toBe("model: console.«log(a)»;");
    expect(scene.outcome).toMatchObject({ suggestions: [{ ghost: "g(a)", edit: { start: 8, end: 10 } }] });
  });

  test("is refused if it could not be typed at the cursor", async () => {
    const scene = open({ text: "console.lo|;\n", models: { builtin: () => ["(a)"] } });
    void scene.ask({ picked: { start: 0, end: 3, text: "log" } });
    await scene.settle();
    expect(scene.show()).toBe("no-suggestion: disagrees-with-picked");
  });
});

test("closing brackets inserted by the editor are replaced by the text that contains them", async () => {
  const scene = open({ text: "someName(|)\n", models: { builtin: () => ["a, b)"] } });
  void scene.ask({ autoClosed: { start: 9, end: 10 } });
  await scene.settle();
  expect(scene.outcome).toMatchObject({
    suggestions: [{ edit: { start: 9, end: 10, text: "a, b)" }, ghost: "a, b", changes: ["cut-closers"] }],
  });
});

describe("the ghost text engine answers for any text", () => {
  test.each([
    ["an empty document", "|", { minDocumentCharacters: 0 }, "model: «b;»"],
    ["CRLF", "f();\r\n|\r\ng();\r\n", {}, "model: «b;»"],
    ["lone surrogates", "const \ud83d = '\udc00|\n", {}, "model: const \ud83d = '\udc00«b;»"],
    ["only carriage returns", "f();\rconst a = |", {}, "model: f();\rconst a = «b;»"],
  ])("%s", async (_, text, settings, expected) => {
    const scene = open({ text, models: { builtin: () => ["b;"] }, settings, language: "plaintext2" });
    void scene.ask();
    await scene.settle();
    expect(scene.show()).toBe(expected);
  });

  test("twenty megabytes are refused with the limit in the reason", async () => {
    const scene = open({ text: `${"const a = 1;\n".repeat(1_600_000)}|`, models: { builtin: () => ["b;"] } });
    void scene.ask();
    await scene.settle();
    expect(scene.outcome).toMatchObject({ reason: { kind: "too-large", limit: 2_000_000 } });
  });

  test("suggestions have the line endings of the document", async () => {
    const scene = open({ text: "function f() {\r\n  |\r\n}\r\n", models: { builtin: () => ["a();\n  b();\n}"] } });
    void scene.ask();
    await scene.settle();
    expect(texts(scene.outcome)).toEqual(["a();\r\n  b();"]);
    await scene.type("a();\r\n");
    expect(texts(scene.outcome)).toEqual(["  b();"]);
  });
});

describe("the ghost text engine learns from feedback", () => {
  test("that is accepted, partially accepted, dismissed and ignored", async () => {
    const scene = open({ text: "const a = |\n", models: { builtin: () => ["b + c"] } });
    void scene.ask();
    await scene.settle();
    await scene.shown();
    await scene.accept();
    expect(scene.engine.observations).toMatchObject({ seen: 1, accepted: 1, acceptance: { answers: 1 } });
    await scene.type(";\nconst d = ");
    scene.engine.accepted(idOf(scene.outcome), 1);
    expect(scene.engine.observations).toMatchObject({ seen: 2, accepted: 1, partlyAccepted: 1 });
    await scene.type(" x + ");
    await scene.pass(100);
    await scene.type("y + ");
    expect(scene.engine.observations).toMatchObject({ seen: 2, typedOver: 0 });
    await scene.pass(500);
    await scene.type("z + ");
    expect(scene.engine.observations).toMatchObject({ seen: 3, typedOver: 1, dismissed: 0 });
    scene.dismiss();
    expect(scene.engine.observations).toMatchObject({ seen: 4, dismissed: 1, acceptance: { answers: 4 } });
    scene.engine.accepted("of another engine");
    scene.engine.dismissed("of another engine");
    scene.engine.shown("of another engine");
  });

  test("suggestions stop for a person who accepts none, until a request by key", async () => {
    const scene = open({ text: "const a = |\n", models: { builtin: () => ["b + c"] } });
    let offered = 0;
    for (let i = 0; i < 40; i++) {
      await scene.type("x + ");
      if (scene.outcome?.kind !== "offered") continue;
      offered++;
      scene.dismiss();
      await scene.pass(5000);
    }
    expect(offered).toBeGreaterThan(3);
    expect(offered).toBeLessThan(30);
    await scene.type("y + ");
    expect(scene.show()).toBe("no-suggestion: low-acceptance");
    void scene.ask({ trigger: "invoked" });
    await scene.settle();
    expect(scene.outcome?.kind).toBe("offered");
  });
});

function idOf(outcome: GhostTextOutcome | undefined): string {
  return outcome?.kind === "offered" ? outcome.suggestions[0].id : "none";
}

function texts(outcome: GhostTextOutcome | undefined): string[] {
  return outcome?.kind === "offered" ? outcome.suggestions.map(({ edit }) => edit.text) : [];
}

test("text around a streamed answer does not count as a line of it", async () => {
  const steps = ["```ts\n", "const a = ", "b.c;\n", "```\n", "That is it."];
  const scene = open({ text: "f();\nconst a = |\n", models: { remote: () => steps } });
  await scene.ask({ trigger: "invoked" });
  expect(scene.show()).toBe("model: const a = «b.c;»");
});
