import { expect, test } from "vitest";
import { FakeClock } from "../codebase/fake-clock.ts";
import { ModelError } from "../model/index.ts";
import { showEdit } from "../text/edit.laws.ts";
import { Edit, InvariantError, type TextEdit } from "../text/index.ts";
import { type AskEnd, askModel } from "./ask-model.ts";
import { type AnswerStep, ScriptedAnswers, type SeenQuestion } from "./fixtures/scripted-answers.ts";
import { sceneOf } from "./formats/format.laws.ts";
import { nextEditFormatNamed } from "./formats/formats.ts";
import type { NextEditFormatName } from "./next-edit-format.ts";
import type { NextEditScene } from "./next-edit-scene.ts";

const scene = sceneOf("let x = 1;\n«let y = 2|;\nlet z = 3;\nlet v = 4;\n»let w = 5;\n");

/** An ask on a clock that stands still. */
function open(
  format: NextEditFormatName,
  answer: readonly AnswerStep[],
  {
    faces = ["chat", "raw", "fill"],
    at = scene,
    isDeaf = false,
  }: { readonly faces?: readonly SeenQuestion["face"][]; readonly at?: NextEditScene; readonly isDeaf?: boolean } = {},
) {
  const clock = new FakeClock();
  const model = new ScriptedAnswers(faces, { clock, answers: [answer], isDeaf });
  const abort = new AbortController();
  const options = { model, format: nextEditFormatNamed(format)!, clock, limitMs: 1000, signal: abort.signal };
  return { clock, model, abort, asked: askModel(at, options) };
}

/** What came of an ask: the scene's text with its edits, as `[before|after]`, and the end. */
async function play(asked: AsyncGenerator<TextEdit, AskEnd>, { text } = scene) {
  const edits: TextEdit[] = [];
  for (;;) {
    const next = await asked.next();
    if (next.done === true) return { shown: showEdit(text, Edit.of(edits)), end: next.value };
    edits.push(next.value);
  }
}

/** Lets all happen that takes no time. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

const answers: readonly (readonly [NextEditFormatName, SeenQuestion["face"], string])[] = [
  ["unified", "chat", "<EDIT>\nlet y = 20;\nlet z = 3;\nlet v = 4;\n</EDIT>\n"],
  ["zeta", "raw", "<|editable_region_start|>\nlet y = 20;\nlet z = 3;\nlet v = 4;\n<|editable_region_end|>\n"],
  ["zeta-2", "raw", "let y = 20;\nlet z = 3;\nlet v = 4;\n>>>>>>> UPDATED\n"],
  ["sweep", "raw", "let y = 20;\nlet z = 3;\nlet v = 4;\n<|file_sep|>src/b.ts\n"],
  ["instinct", "chat", "let y = 20;\nlet z = 3;\nlet v = 4;\n"],
  ["mercury", "chat", "```\nlet y = 20;\nlet z = 3;\nlet v = 4;\n```\n"],
  ["chat", "chat", "```\nlet y = 20;\nlet z = 3;\nlet v = 4;\n```\n"],
  ["fill-in-the-middle", "fill", "0;\nlet z = 3;\nlet v = 4;"],
];
test.each(answers)("%s is asked by its face, and its edits are given", async (format, face, said) => {
  const { model, asked } = open(format, [...said]);
  const shown = "let x = 1;\n[let y = 2;|let y = 20;]\nlet z = 3;\nlet v = 4;\nlet w = 5;\n";
  expect(await play(asked)).toEqual({ shown, end: { kind: "read" } });
  expect(model.seen.map((question) => question.face)).toEqual([face]);
});

test.each(answers)("%s cannot be asked without its face, and that says what helps", async (format, face) => {
  const faces = (["chat", "raw", "fill"] as const).filter((one) => one !== face);
  const { model, asked } = open(format, ["x"], { faces });
  const message = expect.stringMatching(new RegExp(`^The model scripted .*format ${format} needs\\. .*next\\.format`));
  expect((await play(asked)).end).toEqual({ kind: "cannot", message });
  expect(model.seen).toEqual([]);
});

test("a scene that says a mark is not shown", async () => {
  const at = sceneOf("«let y = '<|cursor|>';\n»|".replace("<|cursor|>", "</EDIT>"));
  const { model, asked } = open("unified", ["x"], { at });
  expect((await play(asked, at)).end).toEqual({ kind: "refused", reason: { kind: "says-mark", mark: "</EDIT>" } });
  expect(model.seen).toEqual([]);
});

test("a raw question has the stop texts of its family, and room for the window and more", async () => {
  const { model, asked } = open("sweep", ["let y = 20;\n"]);
  await play(asked);
  const [{ face, stop, maxTokens, temperature }] = model.seen as [Extract<SeenQuestion, { face: "raw" }>];
  expect({ face, stop, temperature }).toEqual({
    face: "raw",
    stop: ["<|file_sep|>", "</s>", "<|endoftext|>"],
    temperature: 0,
  });
  expect(maxTokens).toBeGreaterThan(500);
  expect(maxTokens).toBeLessThan(1000);
});

const edit = "<EDIT>\nlet y = 20;\n";
test.each<[string, readonly AnswerStep[], AskEnd]>([
  ["is not in the format", ["Hello.\n"], { kind: "unreadable", message: expect.stringContaining("<EDIT>") }],
  ["is cut at its tokens", [edit, { reason: "length", limit: "tokens" }], { kind: "cut", why: "length" }],
  ["is held back", [edit, { reason: "content-filter" }], { kind: "cut", why: "content-filter" }],
  ["says nothing", [{ reason: "silent" }], { kind: "cut", why: "silent" }],
  [
    "breaks",
    [edit, new ModelError("cut-off", "Ask again.")],
    { kind: "failed", code: "cut-off", message: "Ask again." },
  ],
  ["fails at once", [new ModelError("no-key", "Set it.")], { kind: "failed", code: "no-key", message: "Set it." }],
  [
    "fails in its own way",
    [new TypeError("x is no function")],
    { kind: "failed", code: "unknown", message: "x is no function" },
  ],
])("an answer that %s", async (_, answer, end) => {
  expect((await play(open("unified", answer).asked)).end).toEqual(end);
});

test("a broken rule is no failure of the model", async () => {
  const error = new InvariantError("we broke it");
  await expect(play(open("unified", [error]).asked)).rejects.toBe(error);
});

test("the first edit is given while the rest still comes", async () => {
  const { clock, asked } = open("unified", [edit, "let z = 3;\n", 500, "let v = 4;\n</EDIT>\n"]);
  expect(await asked.next()).toMatchObject({ value: { text: "let y = 20;" } });
  const rest = play(asked);
  await settle();
  clock.advance(500);
  expect((await rest).end).toEqual({ kind: "read" });
});

for (const isDeaf of [false, true]) {
  const who = isDeaf ? "a model that does not listen" : "a model";

  test.each([
    ["the first edit", [], 999],
    ["the next one", ["<EDIT>\nlet y = 20;\nlet z = 3;\n"], 999],
  ] as const)(`${who} has its time for %s`, async (_, begun, ms) => {
    const { clock, model, asked } = open("unified", [...begun, 5000], { isDeaf });
    const played = play(asked);
    await settle();
    clock.advance(ms);
    await settle();
    expect(model.stopped).toBe(0);
    clock.advance(1);
    expect((await played).end).toEqual({ kind: "timed-out", afterMs: 1000 });
    expect(model.stopped).toBe(isDeaf ? 0 : 1);
    if (!isDeaf) expect(clock.waiting).toBe(0);
  });

  test(`an abort stops ${who} at once, with the signal's reason`, async () => {
    const { model, abort, asked } = open("unified", [edit, 5000], { isDeaf });
    expect(await asked.next()).toMatchObject({ value: { text: "let y = 20;" } });
    const rest = asked.next();
    await settle();
    const reason = new Error("no longer wanted");
    abort.abort(reason);
    expect(model.stopped).toBe(isDeaf ? 0 : 1);
    await expect(rest).rejects.toBe(reason);
  });

  test(`leaving early stops ${who}`, async () => {
    const { clock, model, asked } = open("unified", [`${edit}let z = 3;\n`, 5000], { isDeaf });
    expect((await asked.next()).done).toBe(false);
    await asked.return({ kind: "read" });
    await settle();
    expect(await asked.next()).toMatchObject({ done: true });
    expect(clock.waiting).toBe(0);
    expect(model.stopped).toBe(isDeaf ? 0 : 1);
  });
}

test("aborted before, nothing is asked", async () => {
  const { model, abort, asked } = open("unified", [edit]);
  const reason = new Error("no longer wanted");
  abort.abort(reason);
  await expect(asked.next()).rejects.toBe(reason);
  expect(model.seen).toEqual([]);
});
