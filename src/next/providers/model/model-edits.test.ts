import { afterAll, describe, expect, test } from "vitest";
import { FakeClock } from "../../../async/fixtures/fake-clock.ts";
import { ModelError } from "../../../model/index.ts";
import { SyntaxErrorCache } from "../../../syntax/index.ts";
import { openSyntax } from "../../../syntax/node/open-syntax.ts";
import { showEdit } from "../../../text/edit.laws.ts";
import type { Edit } from "../../../text/index.ts";
import { defaultNextEditSettings, type NextEditSettings } from "../../engine/settings.ts";
import { type AnswerStep, ScriptedAnswers, type SeenQuestion } from "../../fixtures/scripted-answers.ts";
import type { KnownModel } from "../../formats/next-edit-formats.ts";
import { type ModelEditsEnd, modelEdits } from "./model-edits.ts";
import type { ModelRequestEnd } from "./request-next-edits.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** A file with more lines than the editable region. */
const file = (first: string): string => {
  const more = Array.from({ length: 40 }, (_, i) => `let v${i} = ${i};\n`);
  return `${first}\n${more.join("")}`;
};

interface RequestCase {
  readonly text?: string;
  readonly faces?: readonly SeenQuestion["face"][];
  readonly known?: Partial<KnownModel>;
  readonly settings?: Partial<NextEditSettings>;
  readonly contextTokens?: number;
  /** All requested models in their order, instead of one that gives `answers`. */
  readonly models?: readonly ScriptedAnswers[];
  readonly clock?: FakeClock;
}

function open(
  answers: readonly (readonly AnswerStep[])[],
  { text: marked = file("let a = |1;"), faces = ["chat"], known, settings, contextTokens, ...more }: RequestCase = {},
) {
  const { clock = new FakeClock() } = more;
  const [model, ...others] = more.models ?? [
    new ScriptedAnswers(faces, { clock, answers, ...(contextTokens && { contextTokens }) }),
  ];
  const knownModel = { name: "scripted", can: { fill: false, chat: true }, ...known };
  const text = marked.replace("|", "");
  const abort = new AbortController();
  const place = { path: "src/a.ts", language: "typescript", text, cursor: marked.indexOf("|") };
  const edits = modelEdits(
    { ...place, history: [], viewed: [], diagnostics: [] },
    {
      ...{ model: model!, known: knownModel, syntaxErrors: new SyntaxErrorCache(syntax), clock },
      others: others.map((other) => ({ model: other, known: knownModel })),
      settings: { ...defaultNextEditSettings, ...settings },
    },
    { signal: abort.signal },
  );
  return { model: model!, text, edits, abort };
}

/** Returns the steps, each as the line that it changes, and the end. */
async function play({ edits, text }: { edits: AsyncGenerator<Edit, ModelEditsEnd>; text: string }) {
  const steps: string[] = [];
  for (;;) {
    const next = await edits.next();
    if (next.done === true) return { steps, end: next.value };
    const shown = showEdit(text, next.value).split("\n");
    steps.push(shown.filter((line) => /[[|\]]/.test(line)).join("/"));
  }
}

const shownLines = (question: SeenQuestion): number => {
  if (question.face !== "chat") throw new Error("The request was not a chat.");
  const [, window] = /<\|rewrite\|>\n([\s\S]*)<\|\/rewrite\|>/.exec(question.messages.at(-1)!.text)!;
  return window!.split("\n").length - 1;
};

test("an unknown model is requested in the chat format, and its edits are steps", async () => {
  const rows = ["let a = 2;", "let v0 = 0;", "let v1 = 10;", "let v2 = 2;", "let v3 = 3;", "let v4 = 4;"];
  const bench = open([[`\`\`\`\n${rows.join("\n")}\n\`\`\`\n`]]);
  expect(await play(bench)).toEqual({
    steps: ["[let a = 1;|let a = 2;]", "[let v1 = 1;|let v1 = 10;]"],
    end: { answer: { kind: "read" }, requests: 1, dropped: [] },
  });
});

test("a model that proposes nothing is requested a second time with more lines, and not again", async () => {
  const bench = open([["NO_CHANGE"], ["NO_CHANGE"]]);
  const { steps, end } = await play(bench);
  expect([steps, end]).toEqual([[], { answer: { kind: "read" }, requests: 2, dropped: [] }]);
  expect(bench.model.seen.map(shownLines)).toEqual([6, 16]);
});

test("edits proposed for the larger region are yielded", async () => {
  const rows = ["let a = 1;", ...Array.from({ length: 15 }, (_, i) => `let v${i} = ${i === 12 ? 99 : i};`)];
  const bench = open([["NO_CHANGE"], [`\`\`\`\n${rows.join("\n")}\n\`\`\``]]);
  expect(await play(bench)).toEqual({
    steps: ["[let v12 = 12;|let v12 = 99;]"],
    end: { answer: { kind: "read" }, requests: 2, dropped: [] },
  });
});

test.each<[string, readonly AnswerStep[], RequestCase, Partial<ModelEditsEnd>]>([
  ["the region cannot be larger", ["NO_CHANGE"], { text: "let a = |1;\n" }, { requests: 1, answer: { kind: "read" } }],
  [
    "a retry adds no lines",
    ["NO_CHANGE"],
    { settings: { context: { ...defaultNextEditSettings.context, moreLinesBelow: 0 } } },
    { requests: 1 },
  ],
  [
    "the prompt is the same for more lines",
    ["1;\n"],
    {
      ...{ text: file("let a = |1;\n"), faces: ["fill"], settings: { format: "fill-in-the-middle" } },
    },
    { requests: 1, answer: { kind: "read" } },
  ],
  ["the answer was cut", [{ reason: "length" }], {}, { requests: 1, answer: { kind: "cut", why: "length" } }],
  ["the answer is silent", [{ reason: "silent" }], {}, { requests: 1, answer: { kind: "cut", why: "silent" } }],
  [
    "the model failed",
    [new Error("no")],
    {},
    { requests: 1, answer: { kind: "failed", code: "unknown", message: "no" } },
  ],
  [
    "the answer is unreadable",
    ["What?"],
    {},
    { requests: 1, answer: { kind: "unreadable", message: expect.any(String) } },
  ],
])("a model is requested once when %s", async (_, answer, settings, end) => {
  const bench = open([answer], settings);
  expect((await play(bench)).end).toMatchObject(end);
  expect(bench.model.seen).toHaveLength(1);
});

test("an edit that adds a syntax error waits for the one that completes it, and is dropped without one", async () => {
  const rows = [
    "if (x) {",
    "let a = 1;",
    "let v0 = 0;",
    "}",
    "let v1 = 1;",
    "let v2 = (2;)",
    "let v3 = 3;",
    "let v4 = 4;",
  ];
  const bench = open([[`\`\`\`\n${rows.join("\n")}\n\`\`\`\n`]]);
  const { steps, end } = await play(bench);
  expect(steps).toEqual(["[|if (x) {/]let a = 1;/[|}/]let v1 = 1;"]);
  expect(end.dropped.map(({ edit, issue }) => [edit.edits[0]!.text, issue.message])).toEqual([
    ["let v2 = (2;)", expect.any(String)],
  ]);
});

test.each<[string, RequestCase, RegExp]>([
  ["the format is unknown", { settings: { format: "haiku" as never } }, /no format `haiku`.*zeta/],
  [
    "the model can neither fill nor chat",
    { known: { can: { fill: false, chat: false } } },
    /neither fill in the middle nor chat/,
  ],
  [
    "the model lacks the method that the format needs",
    { settings: { format: "zeta-2" } },
    /cannot complete a raw prompt.*`next\.format`/,
  ],
  ["the line is too long", { text: `let a = "|${"a b ".repeat(10_000)}";\n` }, /more than 2000 tokens/],
])("no request is sent when %s, and the end has the reason", async (_, settings, message) => {
  const bench = open([["NO_CHANGE"]], settings);
  const { end } = await play(bench);
  expect(end.answer).toEqual({ kind: "cannot", message: expect.stringMatching(message) });
  expect(bench.model.seen).toEqual([]);
});

test("a model that was trained for a format is requested in it", async () => {
  const bench = open([["let a = 3;\n>>>>>>> UPDATED"]], {
    ...{ text: "let a = |1;\n", faces: ["raw"], known: { name: "ollama:zeta-2", can: { fill: false, chat: true } } },
  });
  expect((await play(bench)).steps).toEqual(["[let a = 1;|let a = 3;]"]);
  expect(bench.model.seen[0]).toMatchObject({ face: "raw", prompt: expect.stringContaining("<<<<<<< CURRENT") });
});

test("a model with a small context gets a shorter prompt", async () => {
  const text = `${file("let a = |1;")}${"// a line of words that stands below\n".repeat(300)}`;
  const lengths: number[] = [];
  for (const contextTokens of [undefined, 1000]) {
    const bench = open([["NO_CHANGE"]], { text, ...(contextTokens && { contextTokens }) });
    await play(bench);
    lengths.push(JSON.stringify(bench.model.seen[0]).length);
  }
  expect(lengths[1]! * 2).toBeLessThan(lengths[0]!);
});

test("a prompt that is too long is sent again at once with fewer lines, and only once", async () => {
  const text = `${file("let a = |1;")}${"// a line of words that stands below\n".repeat(300)}`;
  const tooLong = new ModelError("context-too-long", "It does not fit.");
  const bench = open([[tooLong], ["NO_CHANGE"]], { text });
  expect(await play(bench)).toMatchObject({ end: { answer: { kind: "read" } } });
  const [first, second] = bench.model.seen.map((question) => JSON.stringify(question).length);
  expect(second!).toBeLessThan(first! * 0.75);
  const never = open([[tooLong]], { text });
  expect(await play(never)).toMatchObject({ end: { answer: { kind: "failed", code: "context-too-long" } } });
  expect(never.model.seen).toHaveLength(2);
});

test("an abort between two steps stops the model and rejects with the signal's reason", async () => {
  const bench = open([["```\nlet a = 2;\nlet v0 = 0;\nlet v1 = 1;\n", 5000]]);
  expect(await bench.edits.next()).toMatchObject({ done: false });
  const reason = new Error("no longer wanted");
  const rest = bench.edits.next();
  await new Promise((resolve) => setTimeout(resolve, 0));
  bench.abort.abort(reason);
  await expect(rest).rejects.toBe(reason);
  expect(bench.model.stopped).toBe(1);
});

test("leaving the loop of model edits early stops the model", async () => {
  const bench = open([["```\nlet a = 2;\nlet v0 = 0;\nlet v1 = 1;\n", 5000]]);
  for await (const step of bench.edits) {
    expect(step.isEmpty).toBe(false);
    break;
  }
  expect(bench.model.stopped).toBe(1);
});

describe("when a model has no answer, the next of several is requested", () => {
  const unreachable = new ModelError("unreachable", "It is away.");
  const overloaded = new ModelError("busy", "It is busy.");
  const begun = "```\nlet a = 2;\nlet v0 = 0;\nlet v1 = 1;\n";
  const edit = `${begun}let v2 = 2;\nlet v3 = 3;\nlet v4 = 4;\n\`\`\``;
  const proposed = ["[let a = 1;|let a = 2;]"];

  // What each model answers, how often each is requested, the steps, and the end.
  test.each<
    [string, readonly (readonly AnswerStep[])[], readonly number[], readonly string[], Partial<ModelRequestEnd>]
  >([
    ["the first model answers", [[edit], ["NO_CHANGE"]], [1, 0], proposed, { kind: "read" }],
    ["the first is unreachable", [[unreachable], [edit]], [1, 1], proposed, { kind: "read" }],
    ["two models fail", [[unreachable], [overloaded], [edit]], [1, 1, 1], proposed, { kind: "read" }],
    ["the first times out", [[20_000, edit], [edit]], [1, 1], proposed, { kind: "read" }],
    ["the first proposes nothing, so no other is requested", [["NO_CHANGE"], [edit]], [2, 0], [], { kind: "read" }],
    ["the first is unreadable, so no other is requested", [["What?"], [edit]], [1, 0], [], { kind: "unreadable" }],
    ["the next proposes nothing", [[unreachable], ["NO_CHANGE"]], [1, 2], [], { kind: "read" }],
    ["all fail: the end has the first failure", [[unreachable], [overloaded]], [1, 1], [], { message: "It is away." }],
    [
      "the first fails after an edit, so no other is requested",
      [[begun, overloaded], [edit]],
      [1, 0],
      proposed,
      { kind: "failed" },
    ],
  ])("%s", async (_, scripts, counts, steps, end) => {
    const clock = new FakeClock();
    const models = scripts.map((steps) => new ScriptedAnswers(["chat"], { clock, answers: [steps] }));
    const bench = open([], { models, clock });
    const played = play(bench);
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setTimeout(resolve));
      if (clock.waiting > 0 && i % 5 === 4) clock.advance(10_000);
    }
    const { steps: came, end: last } = await played;
    expect([models.map(({ seen }) => seen.length), came]).toEqual([counts, steps]);
    expect(last.answer).toMatchObject(end);
  });

  test("a model that cannot be requested is skipped, and the end has the failure of another", async () => {
    const clock = new FakeClock();
    const models = [
      new ScriptedAnswers([], { clock, answers: [] }),
      new ScriptedAnswers(["chat"], { clock, answers: [[unreachable]] }),
    ];
    expect((await play(open([], { models, clock }))).end.answer).toMatchObject({ code: "unreachable" });
  });

  test("no further model is requested after an abort", async () => {
    const clock = new FakeClock();
    const models = [5000, 0].map((ms) => new ScriptedAnswers(["chat"], { clock, answers: [[ms, edit]] }));
    const bench = open([], { models, clock });
    const first = bench.edits.next();
    await new Promise((resolve) => setTimeout(resolve));
    const reason = new Error("no longer wanted");
    bench.abort.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(models.map(({ seen }) => seen.length)).toEqual([1, 0]);
  });
});
