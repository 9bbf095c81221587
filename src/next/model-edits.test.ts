import { afterAll, expect, test } from "vitest";
import { FakeClock } from "../codebase/fake-clock.ts";
import { openSyntax } from "../syntax/node/open-syntax.ts";
import { showEdit } from "../text/edit.laws.ts";
import type { Edit } from "../text/index.ts";
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
}

function open(
  answers: readonly (readonly AnswerStep[])[],
  { text: marked = file("let a = |1;"), faces = ["chat"], known, settings, contextTokens }: Asked = {},
) {
  const clock = new FakeClock();
  const model = new ScriptedAnswers(faces, { clock, answers, ...(contextTokens && { contextTokens }) });
  const text = marked.replace("|", "");
  const abort = new AbortController();
  const place = { path: "src/a.ts", language: "typescript", text, cursor: marked.indexOf("|") };
  const asked = modelEdits(
    { ...place, history: [], viewed: [], diagnostics: [] },
    {
      ...{ model, syntax, clock },
      known: { name: "scripted", can: { fill: false, chat: true }, ...known },
      settings: { ...defaultNextEditSettings, ...settings },
    },
    { signal: abort.signal },
  );
  return { model, text, asked, abort };
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
