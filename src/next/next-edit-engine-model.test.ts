import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../syntax/node/index.ts";
import { NextScene } from "./fixtures/next-scene.ts";
import { ScriptedChat } from "./fixtures/scripted-chat.ts";
import { type ScriptedRewrite, ScriptedSource } from "./fixtures/scripted-source.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** A model with these answers, and a person who has just written `b` for `a` in the first line. */
function scene(
  answers: readonly string[],
  rewrites: readonly ScriptedRewrite[] = [],
  files: Readonly<Record<string, string>> = { "m.ts": "let a = 1;\nuse(a);\nput(1);\nput(2);\nput(3);\nget(a);\n" },
) {
  const chat = new ScriptedChat(answers);
  const paths = Object.keys(files).slice(1);
  const sources = [new ScriptedSource(rewrites, { origin: "impact", paths })];
  const settings = { format: "unified", debounceMs: 0 } as const;
  const made = new NextScene({ files, syntax, sources, settings, parts: { model: chat.parts } });
  made.replace("a", "b");
  return Object.assign(made, { chat });
}

const both = "<EDIT>\nlet b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\n⏸get(b);\n</EDIT>";

describe("a model", () => {
  test("is asked where nothing else is proposed, and its first edit offered while the rest still streams", async () => {
    const asked = scene([both]);
    expect(await asked.see()).toBe("m.ts: let b = 1;\nuse(‹a›«b»);\nput(1);\nput(2);\nput(3);\nget(a);\n");
  });

  test("gives the next edit without another request", async () => {
    const asked = scene([both]);
    await asked.see();
    asked.accept();
    asked.chat.go();
    await new Promise((resolve) => setTimeout(resolve));
    expect([await asked.see(), asked.chat.asked.length]).toEqual([
      "m.ts: let b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\nget(‹a›«b»);\n",
      1,
    ]);
  });

  test("says what it was shown, also of an answer that is used again", async () => {
    const asked = scene([both]);
    const first = await asked.ask();
    expect(first.shown).toMatchObject({
      ...{ model: "scripted-chat", format: "unified" },
      parts: expect.arrayContaining([expect.objectContaining({ kind: "window", path: "m.ts" })]),
    });
    asked.accept();
    asked.chat.go();
    await new Promise((resolve) => setTimeout(resolve));
    expect((await asked.ask()).shown).toEqual(first.shown);
  });

  test("is not asked where something else is proposed", async () => {
    const asked = scene([both], [{ was: "(a)", text: "(b)" }]);
    await asked.see();
    expect(asked.chat.asked).toEqual([]);
  });

  test("is asked where there is something to look at, in whichever file", async () => {
    const files = { "m.ts": "let a = 1;\n", "n.ts": "use(a);\n" };
    const asked = scene(["<EDIT>\nuse(b);\n</EDIT>"], [{ was: "use(a)", reason: "uses a" }], files);
    const outcome = await asked.ask();
    expect(outcome).toMatchObject({ suggestion: { path: "n.ts", origin: "model", reason: "uses a" } });
  });

  test("is asked in the stead of what leaves something open, which is offered where it has nothing to say", async () => {
    const files = { "m.ts": "let a = 1;\n", "n.ts": "use(a);\n" };
    const skeleton = { was: "use(a)", text: "use(TODO)", isSkeleton: true };
    const asked = scene(["<EDIT>\nuse(b);\n</EDIT>"], [skeleton], files);
    expect(await asked.see()).toBe("n.ts: use(‹a›«b»);\n");
    const silent = scene(["<NO_CHANGE>"], [skeleton], files);
    expect(await silent.see()).toBe("n.ts: ‹use(a)›«use(TODO)»;\n");
  });

  test("that has nothing to say leaves the place to look at", async () => {
    const asked = scene(["<NO_CHANGE>"], [{ was: "use(a)", reason: "uses a" }]);
    expect(await asked.see()).toBe("m.ts: ?uses a");
  });

  test("that has nothing to say is not asked again for the same text", async () => {
    const asked = scene(["<NO_CHANGE>"]);
    const seen = [await asked.see(), await asked.see()];
    expect([seen, asked.chat.asked.length]).toEqual([["-model-silent", "-model-silent"], 1]);
  });

  test("that answers in no format says so", async () => {
    expect(await scene(["I would rename it."]).see()).toBe("-model-unreadable");
  });

  test("whose edit breaks the syntax is not heard", async () => {
    const outcome = await scene(["<EDIT>\nlet b = 1;\nif use b) {\nput(1);\nput(2);\nput(3);\nget(a);\n</EDIT>"]).ask();
    expect([outcome.kind, outcome.held.map(({ reason }) => reason.kind)]).toEqual(["silent", ["breaks-syntax"]]);
  });

  test("whose answer was asked for is kept while the person types what it says", async () => {
    const asked = scene([both]);
    await asked.see();
    asked.replace("(a", "(b");
    asked.cursor = asked.text.indexOf("get");
    asked.chat.go();
    await new Promise((resolve) => setTimeout(resolve));
    expect([await asked.see(), asked.chat.asked.length]).toEqual([
      "m.ts: let b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\nget(‹a›«b»);\n",
      1,
    ]);
  });

  test("whose answer does not go with what was typed is asked anew", async () => {
    const asked = scene(["<EDIT>\n⏸let b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\nget(a);\n</EDIT>", "<NO_CHANGE>"]);
    const first = asked.see();
    await new Promise((resolve) => setTimeout(resolve));
    asked.replace("(a", "(c");
    const second = asked.see();
    asked.chat.go();
    expect([await first, await second, asked.chat.asked.length]).toEqual(["-superseded", "-model-silent", 2]);
  });

  test("is stopped when the person does not want an answer", async () => {
    const asked = scene(["<EDIT>\n⏸let b = 1;\n</EDIT>"]);
    const stop = new AbortController();
    const outcome = asked.ask("automatic", stop.signal);
    await new Promise((resolve) => setTimeout(resolve));
    stop.abort();
    expect(await outcome).toMatchObject({ kind: "silent", reason: { kind: "cancelled" } });
  });

  describe("of whose answer a part may not be offered", () => {
    const file = "let b = 1;\nuse(a);\nput(1);\nput(2);\nput(3);\nget(a);\n";
    const blanks = "<EDIT>\nlet b = 1;\nuse( a );\nput(1);\nput(2);\nput(3);\n⏸get(a);\n</EDIT>";

    test("is heard to its end: what may be offered is", async () => {
      const asked = scene([blanks.replace("get(a)", "get(b)")]);
      const seen = asked.see();
      asked.chat.go();
      expect(await seen).toBe(`m.ts: ${file.replace("get(a)", "get(‹a›«b»)")}`);
    });

    test("says why where it is all of it, and is not asked again for the same text", async () => {
      const asked = scene([blanks]);
      const first = asked.ask();
      asked.chat.go();
      const reason = { kind: "model-withheld", reason: { kind: "white-space-only" } };
      expect(await first).toMatchObject({ kind: "silent", reason });
      expect(await asked.ask()).toMatchObject({ kind: "silent", reason });
      expect(asked.chat.asked).toHaveLength(1);
    });

    test("gives the rest when the person does not want its beginning", async () => {
      const asked = scene([both]);
      const settled = () => new Promise((resolve) => setTimeout(resolve));
      const seen = [await asked.see()];
      asked.chat.go();
      await settled();
      for (let i = 0; i < 2; i++) {
        asked.reject();
        asked.clock.advance(10_000);
        seen.push(await asked.see());
      }
      seen.push(await asked.see());
      expect(seen).toEqual([
        `m.ts: ${file.replace("use(a)", "use(‹a›«b»)")}`,
        `m.ts: ${file.replace("get(a)", "get(‹a›«b»)")}`,
        "-model-withheld",
        "-model-withheld",
      ]);
      expect(asked.chat.asked).toHaveLength(1);
    });
  });

  test("is told of once as just answered, and then as found before", async () => {
    const asked = scene([both]);
    const outcomes = [await asked.ask(), await asked.ask()];
    expect(outcomes).toMatchObject([{ suggestion: { isReused: false } }, { suggestion: { isReused: true } }]);
  });

  describe("that is under way", () => {
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    const long = Array.from({ length: 60 }, (_, i) => `put(${i});\n`).join("");

    test("is asked anew where it has nothing to say of what was there before more was typed", async () => {
      const asked = scene(["⏸<NO_CHANGE>", both.replace("= 1;", "= 1; ")]);
      const first = asked.see();
      await turn();
      asked.cursor = asked.text.indexOf("\n");
      asked.type(" ");
      const second = asked.see();
      asked.chat.go();
      expect([await first, (await second).slice(0, 24), asked.chat.asked.length]).toEqual([
        "-superseded",
        "m.ts: let b = 1; \nuse(‹a",
        2,
      ]);
    });

    test("has no answer for a place that it was not shown", async () => {
      const asked = scene(["⏸<NO_CHANGE>", "<NO_CHANGE>"], [], { "m.ts": `let a = 1;\n${long}` });
      const first = asked.see();
      await turn();
      asked.cursor = asked.text.length;
      const second = asked.see();
      asked.chat.go();
      expect([await first, await second, asked.chat.asked.length]).toEqual(["-superseded", "-model-silent", 2]);
    });

    test("is not waited for when the file becomes another one", async () => {
      const asked = scene(["⏸<NO_CHANGE>"]);
      const seen = asked.see();
      await turn();
      asked.engine.replaced("m.ts");
      asked.chat.go();
      expect(await seen).toBe("-superseded");
    });

    test.each([
      ["is joined by the next request, where the first was taken back", 900, 1],
      ["is stopped where none comes for a second", 1_000, 2],
    ])("%s", async (_, ms, questions) => {
      const asked = scene(["⏸<NO_CHANGE>", "<NO_CHANGE>"]);
      const stop = new AbortController();
      const first = asked.ask("automatic", stop.signal);
      await turn();
      stop.abort();
      expect(await first).toMatchObject({ reason: { kind: "cancelled" } });
      asked.clock.advance(ms);
      await turn();
      const second = asked.see();
      await turn();
      asked.chat.go();
      expect([await second, asked.chat.asked.length]).toEqual(["-model-silent", questions]);
    });
  });

  test("waits for a pause, but not behind what was accepted", async () => {
    const chat = new ScriptedChat([both]);
    const settings = { format: "unified", debounceMs: 200 } as const;
    const slow = new NextScene({ files: { "m.ts": "let a;\n" }, syntax, settings, parts: { model: chat.parts } });
    slow.replace("a", "b");
    const seen = slow.see();
    while (slow.clock.waiting === 0) await new Promise((resolve) => setTimeout(resolve));
    expect(chat.asked).toEqual([]);
    slow.clock.advance(200);
    await seen;
    expect(chat.asked).toHaveLength(1);
  });

  test("hides while the cursor is away, and is back with it", async () => {
    const rest = Array.from({ length: 40 }, (_, i) => `put(${i});\n`).join("");
    const asked = scene(
      ["<EDIT>\nlet b = 1;\nuse(b);\nput(0);\nput(1);\nput(2);\nput(3);\n</EDIT>", "<NO_CHANGE>"],
      [],
      {
        "m.ts": `let a = 1;\nuse(a);\n${rest}`,
      },
    );
    const seen = [await asked.see()];
    const back = asked.cursor;
    asked.cursor = asked.text.length;
    seen.push(await asked.see());
    asked.cursor = back;
    seen.push(await asked.see());
    expect(seen.map((said) => said.split("\n").slice(0, 2).join(" "))).toEqual([
      "m.ts: let b = 1; use(‹a›«b»);",
      "-hidden",
      "m.ts: let b = 1; use(‹a›«b»);",
    ]);
  });
});
