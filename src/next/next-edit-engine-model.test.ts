import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../syntax/node/index.ts";
import { NextEditHarness } from "./fixtures/next-edit-harness.ts";
import { ScriptedChat } from "./fixtures/scripted-chat.ts";
import { ScriptedProvider, type ScriptedRewrite } from "./fixtures/scripted-provider.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** A scripted model with these answers; the user has just replaced `a` by `b` in the first line. */
function open(
  answers: readonly string[],
  rewrites: readonly ScriptedRewrite[] = [],
  files: Readonly<Record<string, string>> = { "m.ts": "let a = 1;\nuse(a);\nput(1);\nput(2);\nput(3);\nget(a);\n" },
) {
  const chat = new ScriptedChat(answers);
  const paths = Object.keys(files).slice(1);
  const sources = [new ScriptedProvider(rewrites, { origin: "impact", paths })];
  const settings = { format: "unified", debounceMs: 0 } as const;
  const made = new NextEditHarness({ files, syntax, sources, settings, parts: { model: chat.parts } });
  made.replace("a", "b");
  return Object.assign(made, { chat });
}

const both = "<EDIT>\nlet b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\n⏸get(b);\n</EDIT>";

describe("a model", () => {
  test("is used where no provider has an edit, and its first edit is suggested while the rest still streams", async () => {
    const prompts = open([both]);
    expect(await prompts.see()).toBe("m.ts: let b = 1;\nuse(‹a›«b»);\nput(1);\nput(2);\nput(3);\nget(a);\n");
  });

  test("gives the next edit without another request", async () => {
    const prompts = open([both]);
    await prompts.see();
    prompts.accept();
    prompts.chat.go();
    await new Promise((resolve) => setTimeout(resolve));
    expect([await prompts.see(), prompts.chat.requests.length]).toEqual([
      "m.ts: let b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\nget(‹a›«b»);\n",
      1,
    ]);
  });

  test("reports its prompt input, also for a reused answer", async () => {
    const prompts = open([both]);
    const first = await prompts.ask();
    expect(first.shown).toMatchObject({
      ...{ model: "scripted-chat", format: "unified" },
      parts: expect.arrayContaining([expect.objectContaining({ kind: "window", path: "m.ts" })]),
    });
    prompts.accept();
    prompts.chat.go();
    await new Promise((resolve) => setTimeout(resolve));
    expect((await prompts.ask()).shown).toEqual(first.shown);
  });

  test("is not used where a provider has an edit", async () => {
    const prompts = open([both], [{ was: "(a)", text: "(b)" }]);
    await prompts.see();
    expect(prompts.chat.requests).toEqual([]);
  });

  test("is used at a location to look at, in any file", async () => {
    const files = { "m.ts": "let a = 1;\n", "n.ts": "use(a);\n" };
    const prompts = open(["<EDIT>\nuse(b);\n</EDIT>"], [{ was: "use(a)", reason: "uses a" }], files);
    const outcome = await prompts.ask();
    expect(outcome).toMatchObject({ suggestion: { path: "n.ts", origin: "model", reason: "uses a" } });
  });

  test("is used instead of a stub, which is suggested where the model has no edit", async () => {
    const files = { "m.ts": "let a = 1;\n", "n.ts": "use(a);\n" };
    const skeleton = { was: "use(a)", text: "use(TODO)", isStub: true };
    const prompts = open(["<EDIT>\nuse(b);\n</EDIT>"], [skeleton], files);
    expect(await prompts.see()).toBe("n.ts: use(‹a›«b»);\n");
    const silent = open(["<NO_CHANGE>"], [skeleton], files);
    expect(await silent.see()).toBe("n.ts: ‹use(a)›«use(TODO)»;\n");
  });

  test("without an edit leaves the location to look at", async () => {
    const prompts = open(["<NO_CHANGE>"], [{ was: "use(a)", reason: "uses a" }]);
    expect(await prompts.see()).toBe("m.ts: ?uses a");
  });

  test("without an edit is not used again for the same text", async () => {
    const prompts = open(["<NO_CHANGE>"]);
    const seen = [await prompts.see(), await prompts.see()];
    expect([seen, prompts.chat.requests.length]).toEqual([["-model-silent", "-model-silent"], 1]);
  });

  test("with an unreadable answer gives that reason", async () => {
    expect(await open(["I would rename it."]).see()).toBe("-model-unreadable");
  });

  test("with an edit that adds a syntax error gives no suggestion", async () => {
    const outcome = await open(["<EDIT>\nlet b = 1;\nif use b) {\nput(1);\nput(2);\nput(3);\nget(a);\n</EDIT>"]).ask();
    expect([outcome.kind, outcome.filteredOut.map(({ reason }) => reason.kind)]).toEqual([
      "no-suggestion",
      ["breaks-syntax"],
    ]);
  });

  test("keeps its requested answer while the user types the suggestion", async () => {
    const prompts = open([both]);
    await prompts.see();
    prompts.replace("(a", "(b");
    prompts.cursor = prompts.text.indexOf("get");
    prompts.chat.go();
    await new Promise((resolve) => setTimeout(resolve));
    expect([await prompts.see(), prompts.chat.requests.length]).toEqual([
      "m.ts: let b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\nget(‹a›«b»);\n",
      1,
    ]);
  });

  test("is requested again where its answer conflicts with the typed text", async () => {
    const prompts = open(["<EDIT>\n⏸let b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\nget(a);\n</EDIT>", "<NO_CHANGE>"]);
    const first = prompts.see();
    await new Promise((resolve) => setTimeout(resolve));
    prompts.replace("(a", "(c");
    const second = prompts.see();
    prompts.chat.go();
    expect([await first, await second, prompts.chat.requests.length]).toEqual(["-superseded", "-model-silent", 2]);
  });

  test("is stopped when the user rejects its answer", async () => {
    const prompts = open(["<EDIT>\n⏸let b = 1;\n</EDIT>"]);
    const stop = new AbortController();
    const outcome = prompts.ask("automatic", stop.signal);
    await new Promise((resolve) => setTimeout(resolve));
    stop.abort();
    expect(await outcome).toMatchObject({ kind: "no-suggestion", reason: { kind: "cancelled" } });
  });

  describe("with an answer that is partly filtered out", () => {
    const file = "let b = 1;\nuse(a);\nput(1);\nput(2);\nput(3);\nget(a);\n";
    const blanks = "<EDIT>\nlet b = 1;\nuse( a );\nput(1);\nput(2);\nput(3);\n⏸get(a);\n</EDIT>";

    test("is read to the end, and an edit that passes is suggested", async () => {
      const prompts = open([blanks.replace("get(a)", "get(b)")]);
      const seen = prompts.see();
      prompts.chat.go();
      expect(await seen).toBe(`m.ts: ${file.replace("get(a)", "get(‹a›«b»)")}`);
    });

    test("gives the reason where all is filtered out, and is not used again for the same text", async () => {
      const prompts = open([blanks]);
      const first = prompts.ask();
      prompts.chat.go();
      const reason = { kind: "model-withheld", reason: { kind: "white-space-only" } };
      expect(await first).toMatchObject({ kind: "no-suggestion", reason });
      expect(await prompts.ask()).toMatchObject({ kind: "no-suggestion", reason });
      expect(prompts.chat.requests).toHaveLength(1);
    });

    test("gives the rest when the user rejects the first edit", async () => {
      const prompts = open([both]);
      const settled = () => new Promise((resolve) => setTimeout(resolve));
      const seen = [await prompts.see()];
      prompts.chat.go();
      await settled();
      for (let i = 0; i < 2; i++) {
        prompts.reject();
        prompts.clock.advance(10_000);
        seen.push(await prompts.see());
      }
      seen.push(await prompts.see());
      expect(seen).toEqual([
        `m.ts: ${file.replace("use(a)", "use(‹a›«b»)")}`,
        `m.ts: ${file.replace("get(a)", "get(‹a›«b»)")}`,
        "-model-withheld",
        "-model-withheld",
      ]);
      expect(prompts.chat.requests).toHaveLength(1);
    });
  });

  test("is reported once as just answered, and then as reused", async () => {
    const prompts = open([both]);
    const outcomes = [await prompts.ask(), await prompts.ask()];
    expect(outcomes).toMatchObject([{ suggestion: { isReused: false } }, { suggestion: { isReused: true } }]);
  });

  describe("with a request in flight", () => {
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    const long = Array.from({ length: 60 }, (_, i) => `put(${i});\n`).join("");

    test("is requested again where it had no edit for the earlier text", async () => {
      const prompts = open(["⏸<NO_CHANGE>", both.replace("= 1;", "= 1; ")]);
      const first = prompts.see();
      await turn();
      prompts.cursor = prompts.text.indexOf("\n");
      prompts.type(" ");
      const second = prompts.see();
      prompts.chat.go();
      expect([await first, (await second).slice(0, 24), prompts.chat.requests.length]).toEqual([
        "-superseded",
        "m.ts: let b = 1; \nuse(‹a",
        2,
      ]);
    });

    test("has no answer for a location outside its prompt", async () => {
      const prompts = open(["⏸<NO_CHANGE>", "<NO_CHANGE>"], [], { "m.ts": `let a = 1;\n${long}` });
      const first = prompts.see();
      await turn();
      prompts.cursor = prompts.text.length;
      const second = prompts.see();
      prompts.chat.go();
      expect([await first, await second, prompts.chat.requests.length]).toEqual(["-superseded", "-model-silent", 2]);
    });

    test("is dropped when the file is replaced", async () => {
      const prompts = open(["⏸<NO_CHANGE>"]);
      const seen = prompts.see();
      await turn();
      prompts.engine.replaced("m.ts");
      prompts.chat.go();
      expect(await seen).toBe("-superseded");
    });

    test.each([
      ["is joined by the next request, where the first was cancelled", 900, 1],
      ["is stopped where no request comes for a second", 1_000, 2],
    ])("%s", async (_, ms, questions) => {
      const prompts = open(["⏸<NO_CHANGE>", "<NO_CHANGE>"]);
      const stop = new AbortController();
      const first = prompts.ask("automatic", stop.signal);
      await turn();
      stop.abort();
      expect(await first).toMatchObject({ reason: { kind: "cancelled" } });
      prompts.clock.advance(ms);
      await turn();
      const second = prompts.see();
      await turn();
      prompts.chat.go();
      expect([await second, prompts.chat.requests.length]).toEqual(["-model-silent", questions]);
    });
  });

  test("has its answer cached to the end, also where the request was cancelled", async () => {
    const prompts = open([both.replace("<EDIT>", "⏸<EDIT>").replace("⏸get", "get")]);
    const stop = new AbortController();
    const first = prompts.ask("automatic", stop.signal);
    await new Promise((resolve) => setTimeout(resolve));
    stop.abort();
    expect(await first).toMatchObject({ reason: { kind: "cancelled" } });
    prompts.chat.go();
    await new Promise((resolve) => setTimeout(resolve));
    const seen: string[] = [];
    for (let i = 0; i < 2; i++) {
      expect(await prompts.ask()).toMatchObject({ suggestion: { isReused: true, model: "scripted-chat" } });
      seen.push(await prompts.see());
      prompts.accept();
    }
    expect([seen, prompts.chat.requests.length]).toEqual([
      [
        "m.ts: let b = 1;\nuse(‹a›«b»);\nput(1);\nput(2);\nput(3);\nget(a);\n",
        "m.ts: let b = 1;\nuse(b);\nput(1);\nput(2);\nput(3);\nget(‹a›«b»);\n",
      ],
      1,
    ]);
  });

  test("waits for a pause, but not after an accepted suggestion", async () => {
    const chat = new ScriptedChat([both]);
    const settings = { format: "unified", debounceMs: 200 } as const;
    const slow = new NextEditHarness({ files: { "m.ts": "let a;\n" }, syntax, settings, parts: { model: chat.parts } });
    slow.replace("a", "b");
    const seen = slow.see();
    while (slow.clock.waiting === 0) await new Promise((resolve) => setTimeout(resolve));
    expect(chat.requests).toEqual([]);
    slow.clock.advance(200);
    await seen;
    expect(chat.requests).toHaveLength(1);
  });

  test("hides its suggestion while the cursor is away, and shows it again", async () => {
    const rest = Array.from({ length: 40 }, (_, i) => `put(${i});\n`).join("");
    const prompts = open(
      ["<EDIT>\nlet b = 1;\nuse(b);\nput(0);\nput(1);\nput(2);\nput(3);\n</EDIT>", "<NO_CHANGE>"],
      [],
      {
        "m.ts": `let a = 1;\nuse(a);\n${rest}`,
      },
    );
    const seen = [await prompts.see()];
    const back = prompts.cursor;
    prompts.cursor = prompts.text.length;
    seen.push(await prompts.see());
    prompts.cursor = back;
    seen.push(await prompts.see());
    expect(seen.map((outcome) => outcome.split("\n").slice(0, 2).join(" "))).toEqual([
      "m.ts: let b = 1; use(‹a›«b»);",
      "-hidden",
      "m.ts: let b = 1; use(‹a›«b»);",
    ]);
  });
});
