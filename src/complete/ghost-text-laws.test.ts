import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeClock } from "../async/fixtures/fake-clock.ts";
import type { Prompt } from "../context/index.ts";
import type { Model } from "../model/index.ts";
import { type Fixture, fixtures } from "../syntax/node/fixtures/read-fixtures.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { AcceptanceModel } from "./feedback/acceptance-model.ts";
import { Scene } from "./fixtures/scene.ts";
import { GhostTextEngine } from "./ghost-text-engine.ts";
import type { GhostTextRequest } from "./request.ts";
import { defaultGhostTextSettings } from "./settings.ts";

const syntax = openSyntax();
beforeAll(async () => {
  for (const id of ["typescript", "python", "go"]) await syntax.load(id);
});
afterAll(() => syntax[Symbol.dispose]());

const answers = fc.constantFrom(
  "b + c;",
  "f(a, [b], { c: 1 })",
  'g("text", `x`);',
  "if (a) {\n    b();\n  } else {\n    c();\n  }",
  "for (const a of b) {\n    if (c) {\n      d();\n    }\n  }\n  return e;",
  "😀 + '😀'",
  "(x) => {\n    y();\n  }",
  "a.b.c()\n    .d()\n    .e();",
);
const places = fc.constantFrom(
  "function f() {\n  const a = |\n}\n",
  "function f() {\n  |\n}\n",
  "function f() {|\n}\n",
  "function f() {\r\n  |\r\n}\r\n",
  "call(|);\nother();\n",
  "const a = |",
);

test("law: typing the suggested text never changes the suggestion and sends no request", async () => {
  await fc.assert(
    fc.asyncProperty(answers, places, fc.boolean(), async (answer, text, isReported) => {
      const scene = new Scene({ syntax, text, models: { builtin: () => [answer] } });
      try {
        await scene.ask();
        fc.pre(scene.outcome?.kind === "offered");
        const { edit } = scene.outcome.suggestions[0];
        const goal = scene.text.slice(0, edit.start) + edit.text + scene.text.slice(edit.end);
        fc.pre(edit.start === edit.end);
        if (isReported) await scene.shown();
        for (const key of edit.text.match(/\r\n|./gsu)!) {
          scene.replace({ start: scene.offset, end: scene.offset, text: key });
          if (scene.text === goal) break;
          const outcome = await scene.ask();
          if (outcome.kind !== "offered") throw new Error(`It is gone: ${scene.show(outcome)}`);
          const [{ edit: rest, origin }] = outcome.suggestions;
          expect(origin).toBe("typed-as-suggested");
          expect(scene.text.slice(0, rest.start) + rest.text + scene.text.slice(rest.end)).toBe(goal);
        }
        expect(scene.models[0]!.calls).toHaveLength(1);
      } finally {
        scene[Symbol.dispose]();
      }
    }),
  );
});

test("law: for any answer, a suggested edit is on the cursor's line, contains the cursor and is not empty", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 30, unit: fc.constantFrom(..."ab ()[]{};\n\"'") }),
      places,
      async (answer, text) => {
        const scene = new Scene({ syntax, text, models: { builtin: () => [answer] } });
        try {
          const outcome = await scene.ask();
          fc.pre(outcome.kind === "offered");
          const [{ edit, ghost }] = outcome.suggestions;
          const line = scene.text.slice(0, scene.offset).lastIndexOf("\n") + 1;
          expect(edit.start).toBeGreaterThanOrEqual(line);
          expect(edit.start).toBeLessThanOrEqual(scene.offset);
          expect(edit.end).toBeGreaterThanOrEqual(scene.offset);
          expect(scene.text.slice(edit.start, edit.end)).not.toMatch(/[\r\n]/);
          expect(ghost.trim()).not.toBe("");
        } finally {
          scene[Symbol.dispose]();
        }
      },
    ),
  );
});

test("law: in any order of prompts and answers, only the last request of a document gives a suggestion, for its own text", async () => {
  const keys = fc.array(fc.record({ key: fc.constantFrom("a", "b", "."), cancels: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  });
  let offered = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), keys, async (scheduler, strokes) => {
      const clock = new FakeClock();
      const model: Model = {
        name: "builtin",
        async *fill() {
          // Text that the keys do not contain: repeated context is no suggestion.
          yield { kind: "text-delta" as const, text: await scheduler.schedule(Promise.resolve("cd"), "piece") };
          await scheduler.schedule(Promise.resolve(), "end");
          return { reason: "finished" as const };
        },
      };
      const engine = new GhostTextEngine({
        models: [model],
        prompt: (request) => scheduler.schedule(Promise.resolve(promptOf(request)), "prompt"),
        access: () => ({ kind: "allowed" }),
        ...{ syntax, clock, settings: defaultGhostTextSettings, acceptance: new AcceptanceModel() },
      });
      let text = "const value = ";
      const requests = strokes.map(({ key, cancels }, index) => {
        text += key;
        const document = { uri: "file:///a", language: "plain", version: index, text };
        const controller = new AbortController();
        const outcome = engine.complete(
          { document, path: "a", offset: text.length, trigger: "automatic" },
          { signal: controller.signal },
        );
        if (cancels) void scheduler.schedule(Promise.resolve(), "cancel").then(() => controller.abort());
        return { outcome, text };
      });
      const outcomes = await scheduler.waitFor(Promise.all(requests.map(({ outcome }) => outcome)));
      // Where the ghost text starts, or why there is none.
      const results = outcomes.map((outcome) =>
        outcome.kind === "offered" ? outcome.suggestions[0].edit.start : outcome.reason.kind,
      );
      const last = results.pop();
      for (const result of results) expect(["superseded", "cancelled"]).toContain(result);
      offered += last === text.length ? 1 : 0;
      expect(strokes.at(-1)!.cancels ? [text.length, "cancelled"] : [text.length]).toContain(last);
      engine[Symbol.dispose]();
      expect(engine.load.requests).toBe(0);
    }),
  );
  expect(offered).toBeGreaterThan(20);
});

test("law: caches of the ghost text engine stay bounded, however much is typed", async () => {
  const scene = new Scene({
    syntax,
    text: "const value = |\n",
    models: { remote: ({ prefix }) => [20, `${prefix.length} + x;`] },
    settings: { cacheEntries: 20 },
  });
  try {
    for (let i = 0; i < 300; i++) {
      await scene.type("abc.("[i % 5]!);
      await scene.pass(i % 7 === 0 ? 100 : 10);
      if (i % 50 === 0 && scene.outcome?.kind === "offered") await scene.shown();
      expect(scene.engine.load.answers).toBeLessThanOrEqual(20);
      expect(scene.engine.load.requests).toBeLessThanOrEqual(2);
      expect(scene.clock.waiting).toBeLessThan(12);
    }
    await scene.pass(30_000);
    expect(scene.engine.load.requests).toBe(0);
    expect(scene.clock.waiting).toBe(0);
  } finally {
    scene[Symbol.dispose]();
  }
});

test("law: the ghost text engine leaves no parse tree open", async () => {
  const scene = new Scene({
    syntax,
    text: "def f():\n    |\n",
    path: "a.py",
    language: "python",
    models: { builtin: () => ["if a:\n        b(\n    c()"] },
  });
  try {
    await scene.ask();
    expect(scene.outcome?.kind).toBe("offered");
    expect(syntax.openTrees).toBe(0);
  } finally {
    scene[Symbol.dispose]();
  }
});

describe("text removed from a file is suggested by a model that never stops", () => {
  /**
   * What is offered at an offset where a piece is missing, by a model that knows what followed and
   * does not stop.
   */
  async function offered(file: Fixture, start: number, end: number): Promise<string> {
    const text = file.text.slice(0, start) + file.text.slice(end);
    const pieces = file.text.slice(start, start + 1200).match(/[\s\S]{1,7}/g)!;
    const scene = new Scene({
      syntax,
      text,
      offset: start,
      path: file.name,
      language: file.language,
      models: { builtin: () => pieces },
    });
    try {
      const outcome = await scene.ask({ trigger: "invoked" });
      return outcome.kind === "offered" ? outcome.suggestions[0].edit.text : "";
    } finally {
      scene[Symbol.dispose]();
    }
  }

  const indentOf = (line: string) => /^\s*/.exec(line)![0].length;

  test("as the whole rest of a line", async () => {
    const wrong: string[] = [];
    for (const file of fixtures) {
      const lines = [...file.text.matchAll(/^[^\S\n]*\S.*$/gm)].filter((_, index) => index % 5 === 0);
      for (const { 0: line, index } of lines) {
        const start = index + indentOf(line) + Math.floor((line.length - indentOf(line)) * 0.4);
        const end = index + line.length;
        const found = await offered(file, start, end);
        if (found !== file.text.slice(start, end)) wrong.push(`${file.name}: ${line} => ${found}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("as a line with its indented block, or the beginning of it", async () => {
    const wrong: string[] = [];
    let whole = 0;
    let all = 0;
    for (const file of fixtures) {
      const lines = [...file.text.matchAll(/^.*$/gm)];
      for (const [first, { 0: line, index }] of lines.entries()) {
        if (first % 4 !== 1 || line.trim() === "") continue;
        let last = first;
        const isUnder = (next: string | undefined) =>
          next !== undefined && (next.trim() === "" || indentOf(next) > indentOf(line));
        while (isUnder(lines[last + 1]?.[0])) last++;
        const next = lines[last + 1]?.[0] ?? "";
        if (last > first && indentOf(next) === indentOf(line) && /^\s*(?:[)\]}]|end|fi|done|<\/)/.test(next)) last++;
        while (lines[last]![0].trim() === "") last--;
        const start = index + indentOf(line);
        const removed = file.text.slice(start, lines[last]!.index + lines[last]![0].length);
        if (last - first >= 8) continue;
        const found = await offered(file, start, start + removed.length);
        all++;
        if (found === removed) whole++;
        else if (!removed.startsWith(found)) wrong.push(`${file.name}: ${removed} => ${found}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(whole / all).toBeGreaterThan(0.95);
  });
});

function promptOf({ document, offset }: GhostTextRequest): Prompt {
  return {
    ...{ prefix: document.text.slice(0, offset), suffix: document.text.slice(offset) },
    ...{ context: [], pieces: [], tokens: 1 },
    budget: { maxTokens: 100, suffixShare: 0.15 },
    counter: { name: "an estimate", isExact: false },
  };
}
