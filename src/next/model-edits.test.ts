import { afterAll, describe, expect, test } from "vitest";
import { FakeClock } from "../codebase/fake-clock.ts";
import { ModelError } from "../model/index.ts";
import { openSyntax } from "../syntax/node/open-syntax.ts";
import { showEdit } from "../text/edit.laws.ts";
import type { Edit } from "../text/index.ts";
import type { AskEnd } from "./ask-model.ts";
import { type AnswerStep, ScriptedAnswers, type SeenQuestion } from "./fixtures/scripted-answers.ts";
import type { KnownModel } from "./formats/format-for.ts";
import { type ModelEditsEnd, modelEdits } from "./model-edits.ts";
import { defaultNextEditSettings, type NextEditSettings } from "./settings.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** A file of as many lines as it takes to have more than one window. */
const file = (first: string): string => {
  const more = Array.from({ length: 40 }, (_, i) => `let v${i} = ${i};\n`);
  return `${first}\n${more.join("")}`;
};

interface Asked {
  readonly text?: string;
  readonly faces?: readonly SeenQuestion["face"][];
  readonly known?: Partial<KnownModel>;
  readonly settings?: Partial<NextEditSettings>;
  readonly contextTokens?: number;
  /** All that are asked, in their order, instead of one that gives the answers. */
  readonly models?: readonly ScriptedAnswers[];
  readonly clock?: FakeClock;
}

function open(
  answers: readonly (readonly AnswerStep[])[],
  { text: marked = file("let a = |1;"), faces = ["chat"], known, settings, contextTokens, ...told }: Asked = {},
) {
  const { clock = new FakeClock() } = told;
  const [model, ...others] = told.models ?? [
    new ScriptedAnswers(faces, { clock, answers, ...(contextTokens && { contextTokens }) }),
  ];
  const asked = { name: "scripted", can: { fill: false, chat: true }, ...known };
  const text = marked.replace("|", "");
  const abort = new AbortController();
  const place = { path: "src/a.ts", language: "typescript", text, cursor: marked.indexOf("|") };
  const edits = modelEdits(
    { ...place, history: [], viewed: [], diagnostics: [] },
    {
      ...{ model: model!, known: asked, syntax, clock },
      others: others.map((other) => ({ model: other, known: asked })),
      settings: { ...defaultNextEditSettings, ...settings },
    },
    { signal: abort.signal },
  );
  return { model: model!, text, asked: edits, abort };
}

/** The steps, each as the line that it changes, and the end. */
async function play({ asked, text }: { asked: AsyncGenerator<Edit, ModelEditsEnd>; text: string }) {
  const steps: string[] = [];
  for (;;) {
    const next = await asked.next();
    if (next.done === true) return { steps, end: next.value };
    const shown = showEdit(text, next.value).split("\n");
    steps.push(shown.filter((line) => /[[|\]]/.test(line)).join("/"));
  }
}

const shownLines = (question: SeenQuestion): number => {
  if (question.face !== "chat") throw new Error("It was not asked in a chat.");
  const [, window] = /<\|rewrite\|>\n([\s\S]*)<\|\/rewrite\|>/.exec(question.messages.at(-1)!.text)!;
  return window!.split("\n").length - 1;
};

test("a model that nothing is known of is asked in a chat, and its edits come as steps", async () => {
  const rows = ["let a = 2;", "let v0 = 0;", "let v1 = 10;", "let v2 = 2;", "let v3 = 3;", "let v4 = 4;"];
  const bench = open([[`\`\`\`\n${rows.join("\n")}\n\`\`\`\n`]]);
  expect(await play(bench)).toEqual({
    steps: ["[let a = 1;|let a = 2;]", "[let v1 = 1;|let v1 = 10;]"],
    end: { answer: { kind: "read" }, asks: 1, dropped: [] },
  });
});

test("where nothing is proposed it is asked again, with more lines, and once", async () => {
  const bench = open([["NO_CHANGE"], ["NO_CHANGE"]]);
  const { steps, end } = await play(bench);
  expect([steps, end]).toEqual([[], { answer: { kind: "read" }, asks: 2, dropped: [] }]);
  expect(bench.model.seen.map(shownLines)).toEqual([6, 16]);
});

test("what is proposed for the greater window is given", async () => {
  const rows = ["let a = 1;", ...Array.from({ length: 15 }, (_, i) => `let v${i} = ${i === 12 ? 99 : i};`)];
  const bench = open([["NO_CHANGE"], [`\`\`\`\n${rows.join("\n")}\n\`\`\``]]);
  expect(await play(bench)).toEqual({
    steps: ["[let v12 = 12;|let v12 = 99;]"],
    end: { answer: { kind: "read" }, asks: 2, dropped: [] },
  });
});

test.each<[string, readonly AnswerStep[], Asked, Partial<ModelEditsEnd>]>([
  ["the window is greater no more", ["NO_CHANGE"], { text: "let a = |1;\n" }, { asks: 1, answer: { kind: "read" } }],
  [
    "a retry adds no lines",
    ["NO_CHANGE"],
    { settings: { scene: { ...defaultNextEditSettings.scene, moreLinesBelow: 0 } } },
    { asks: 1 },
  ],
  [
    "the question is the same for more lines",
    ["1;\n"],
    {
      ...{ text: file("let a = |1;\n"), faces: ["fill"], settings: { format: "fill-in-the-middle" } },
    },
    { asks: 1, answer: { kind: "read" } },
  ],
  ["the answer was cut", [{ reason: "length" }], {}, { asks: 1, answer: { kind: "cut", why: "length" } }],
  ["it has nothing to say", [{ reason: "silent" }], {}, { asks: 1, answer: { kind: "cut", why: "silent" } }],
  ["it failed", [new Error("no")], {}, { asks: 1, answer: { kind: "failed", code: "unknown", message: "no" } }],
  [
    "it says what nobody can read",
    ["What?"],
    {},
    { asks: 1, answer: { kind: "unreadable", message: expect.any(String) } },
  ],
])("it is asked once where %s", async (_, answer, asked, end) => {
  const bench = open([answer], asked);
  expect((await play(bench)).end).toMatchObject(end);
  expect(bench.model.seen).toHaveLength(1);
});

test("an edit that adds an error waits for the one that makes it whole, and is dropped without one", async () => {
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

test.each<[string, Asked, RegExp]>([
  ["nobody knows the format", { settings: { format: "haiku" as never } }, /no format `haiku`.*zeta/],
  ["the model can do nothing", { known: { can: { fill: false, chat: false } } }, /neither fill in the middle nor chat/],
  ["the model lacks the face", { settings: { format: "zeta-2" } }, /completes no prompt as it is.*`next\.format`/],
  ["the line is too long", { text: `let a = "|${"a b ".repeat(10_000)}";\n` }, /more than 2000 tokens/],
])("where %s it is not asked, and that is said", async (_, asked, message) => {
  const bench = open([["NO_CHANGE"]], asked);
  const { end } = await play(bench);
  expect(end.answer).toEqual({ kind: "cannot", message: expect.stringMatching(message) });
  expect(bench.model.seen).toEqual([]);
});

test("a model that is known to be trained for a format is asked in it", async () => {
  const bench = open([["let a = 3;\n>>>>>>> UPDATED"]], {
    ...{ text: "let a = |1;\n", faces: ["raw"], known: { name: "ollama:zeta-2", can: { fill: false, chat: true } } },
  });
  expect((await play(bench)).steps).toEqual(["[let a = 1;|let a = 3;]"]);
  expect(bench.model.seen[0]).toMatchObject({ face: "raw", prompt: expect.stringContaining("<<<<<<< CURRENT") });
});

test("a model with a small context is shown less", async () => {
  const text = `${file("let a = |1;")}${"// a line of words that stands below\n".repeat(300)}`;
  const lengths: number[] = [];
  for (const contextTokens of [undefined, 1000]) {
    const bench = open([["NO_CHANGE"]], { text, ...(contextTokens && { contextTokens }) });
    await play(bench);
    lengths.push(JSON.stringify(bench.model.seen[0]).length);
  }
  expect(lengths[1]! * 2).toBeLessThan(lengths[0]!);
});

test("an abort between two steps stops the model and rejects with the signal's reason", async () => {
  const bench = open([["```\nlet a = 2;\nlet v0 = 0;\nlet v1 = 1;\n", 5000]]);
  expect(await bench.asked.next()).toMatchObject({ done: false });
  const reason = new Error("no longer wanted");
  const rest = bench.asked.next();
  await new Promise((resolve) => setTimeout(resolve, 0));
  bench.abort.abort(reason);
  await expect(rest).rejects.toBe(reason);
  expect(bench.model.stopped).toBe(1);
});

test("leaving early stops the model", async () => {
  const bench = open([["```\nlet a = 2;\nlet v0 = 0;\nlet v1 = 1;\n", 5000]]);
  for await (const step of bench.asked) {
    expect(step.isEmpty).toBe(false);
    break;
  }
  expect(bench.model.stopped).toBe(1);
});

describe("of several models the next one is asked where one has no answer", () => {
  const unreachable = new ModelError("unreachable", "It is away.");
  const overloaded = new ModelError("busy", "It is busy.");
  const begun = "```\nlet a = 2;\nlet v0 = 0;\nlet v1 = 1;\n";
  const edit = `${begun}let v2 = 2;\nlet v3 = 3;\nlet v4 = 4;\n\`\`\``;
  const proposed = ["[let a = 1;|let a = 2;]"];

  // What each model does with each question, how often each is asked, the steps, and the end.
  test.each<[string, readonly (readonly AnswerStep[])[], readonly number[], readonly string[], Partial<AskEnd>]>([
    ["the first answers", [[edit], ["NO_CHANGE"]], [1, 0], proposed, { kind: "read" }],
    ["the first is away", [[unreachable], [edit]], [1, 1], proposed, { kind: "read" }],
    ["two cannot answer", [[unreachable], [overloaded], [edit]], [1, 1, 1], proposed, { kind: "read" }],
    ["the first takes too long", [[20_000, edit], [edit]], [1, 1], proposed, { kind: "read" }],
    ["the first has nothing to say", [["NO_CHANGE"], [edit]], [2, 0], [], { kind: "read" }],
    ["the first says what nobody can read", [["What?"], [edit]], [1, 0], [], { kind: "unreadable" }],
    ["the next has nothing to say", [[unreachable], ["NO_CHANGE"]], [1, 2], [], { kind: "read" }],
    [
      "none answers: what is wrong with the first",
      [[unreachable], [overloaded]],
      [1, 1],
      [],
      { message: "It is away." },
    ],
    ["the first breaks behind an edit", [[begun, overloaded], [edit]], [1, 0], proposed, { kind: "failed" }],
  ])("%s", async (_, scripts, asks, steps, end) => {
    const clock = new FakeClock();
    const models = scripts.map((steps) => new ScriptedAnswers(["chat"], { clock, answers: [steps] }));
    const bench = open([], { models, clock });
    const played = play(bench);
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setTimeout(resolve));
      if (clock.waiting > 0 && i % 5 === 4) clock.advance(10_000);
    }
    const { steps: came, end: last } = await played;
    expect([models.map(({ seen }) => seen.length), came]).toEqual([asks, steps]);
    expect(last.answer).toMatchObject(end);
  });

  test("also where it cannot be asked; what is told is what can be done about the others", async () => {
    const clock = new FakeClock();
    const models = [
      new ScriptedAnswers([], { clock, answers: [] }),
      new ScriptedAnswers(["chat"], { clock, answers: [[unreachable]] }),
    ];
    expect((await play(open([], { models, clock }))).end.answer).toMatchObject({ code: "unreachable" });
  });

  test("but not where nobody wants an answer any more", async () => {
    const clock = new FakeClock();
    const models = [5000, 0].map((ms) => new ScriptedAnswers(["chat"], { clock, answers: [[ms, edit]] }));
    const bench = open([], { models, clock });
    const first = bench.asked.next();
    await new Promise((resolve) => setTimeout(resolve));
    const reason = new Error("no longer wanted");
    bench.abort.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(models.map(({ seen }) => seen.length)).toEqual([1, 0]);
  });
});
