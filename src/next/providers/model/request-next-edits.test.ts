import { expect, test } from "vitest";
import { FakeClock } from "../../../async/fixtures/fake-clock.ts";
import { ModelError } from "../../../model/index.ts";
import { showEdit } from "../../../text/edit.laws.ts";
import { Edit, InvariantError, type TextEdit } from "../../../text/index.ts";
import { type AnswerStep, ScriptedAnswers, type SeenQuestion } from "../../fixtures/scripted-answers.ts";
import { promptInputOf } from "../../formats/format.laws.ts";
import type { NextEditFormatName } from "../../formats/next-edit-format.ts";
import { nextEditFormatNamed } from "../../formats/next-edit-formats.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";
import { type ModelRequestEnd, requestNextEdits } from "./request-next-edits.ts";

const promptInput = promptInputOf("let x = 1;\n«let y = 2|;\nlet z = 3;\nlet v = 4;\n»let w = 5;\n");

/** Opens a request on a fake clock. */
function open(
  format: NextEditFormatName,
  answer: readonly AnswerStep[],
  {
    faces = ["chat", "raw", "fill"],
    at = promptInput,
    isDeaf = false,
  }: {
    readonly faces?: readonly SeenQuestion["face"][];
    readonly at?: NextEditPromptInput;
    readonly isDeaf?: boolean;
  } = {},
) {
  const clock = new FakeClock();
  const model = new ScriptedAnswers(faces, { clock, answers: [answer], isDeaf });
  const abort = new AbortController();
  const options = { model, format: nextEditFormatNamed(format)!, clock, limitMs: 1000, signal: abort.signal };
  return { clock, model, abort, edits: requestNextEdits(at, options) };
}

/** Reads a request to its end: the text with its edits, as `[before|after]`, and the end. */
async function play(answer: AsyncGenerator<TextEdit, ModelRequestEnd>, { text } = promptInput) {
  const edits: TextEdit[] = [];
  for (;;) {
    const next = await answer.next();
    if (next.done === true) return { shown: showEdit(text, Edit.of(edits)), end: next.value };
    edits.push(next.value);
  }
}

/** Runs everything that waits for no time to pass. */
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
test.each(answers)(
  "the format %s is requested by the model's method %s, and its edits are yielded",
  async (format, face, answerText) => {
    const { model, edits } = open(format, [...answerText]);
    const shown = "let x = 1;\n[let y = 2;|let y = 20;]\nlet z = 3;\nlet v = 4;\nlet w = 5;\n";
    expect(await play(edits)).toEqual({ shown, end: { kind: "read" } });
    expect(model.seen.map((question) => question.face)).toEqual([face]);
  },
);

test.each(answers)(
  "the format %s without the model's method %s gives an end with a message about what to do",
  async (format, face) => {
    const faces = (["chat", "raw", "fill"] as const).filter((one) => one !== face);
    const { model, edits } = open(format, ["x"], { faces });
    const message = expect.stringMatching(
      new RegExp(`^The model scripted .*format ${format} needs\\. .*next\\.format`),
    );
    expect((await play(edits)).end).toEqual({ kind: "cannot", message });
    expect(model.seen).toEqual([]);
  },
);

test("a text that contains a marker of the format is refused without a request", async () => {
  const at = promptInputOf("«let y = '<|cursor|>';\n»|".replace("<|cursor|>", "</EDIT>"));
  const { model, edits } = open("unified", ["x"], { at });
  expect((await play(edits, at)).end).toEqual({ kind: "refused", reason: { kind: "says-mark", mark: "</EDIT>" } });
  expect(model.seen).toEqual([]);
});

test("a raw request has the stop texts of its family, and tokens for the editable region and more", async () => {
  const { model, edits } = open("sweep", ["let y = 20;\n"]);
  await play(edits);
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
test.each<[string, readonly AnswerStep[], ModelRequestEnd]>([
  ["is not in the format", ["Hello.\n"], { kind: "unreadable", message: expect.stringContaining("<EDIT>") }],
  ["is cut at the token limit", [edit, { reason: "length", limit: "tokens" }], { kind: "cut", why: "length" }],
  ["is stopped by a content filter", [edit, { reason: "content-filter" }], { kind: "cut", why: "content-filter" }],
  ["is silent", [{ reason: "silent" }], { kind: "cut", why: "silent" }],
  [
    "fails midway",
    [edit, new ModelError("cut-off", "Ask again.")],
    { kind: "failed", code: "cut-off", message: "Ask again." },
  ],
  ["fails at once", [new ModelError("no-key", "Set it.")], { kind: "failed", code: "no-key", message: "Set it." }],
  [
    "fails with another error",
    [new TypeError("x is no function")],
    { kind: "failed", code: "unknown", message: "x is no function" },
  ],
])("an answer that %s ends with its kind", async (_, answer, end) => {
  expect((await play(open("unified", answer).edits)).end).toEqual(end);
});

test("an InvariantError is thrown, not reported as the model's failure", async () => {
  const error = new InvariantError("we broke it");
  await expect(play(open("unified", [error]).edits)).rejects.toBe(error);
});

test("the first edit is yielded while the rest of the answer still arrives", async () => {
  const { clock, edits } = open("unified", [edit, "let z = 3;\n", 500, "let v = 4;\n</EDIT>\n"]);
  expect(await edits.next()).toMatchObject({ value: { text: "let y = 20;" } });
  const rest = play(edits);
  await settle();
  clock.advance(500);
  expect((await rest).end).toEqual({ kind: "read" });
});

for (const isDeaf of [false, true]) {
  const who = isDeaf ? "a model that ignores the abort" : "a model";

  test.each([
    ["the first edit", [], 999],
    ["the next edit", ["<EDIT>\nlet y = 20;\nlet z = 3;\n"], 999],
  ] as const)(`${who} times out after the limit for %s`, async (_, begun, ms) => {
    const { clock, model, edits } = open("unified", [...begun, 5000], { isDeaf });
    const played = play(edits);
    await settle();
    clock.advance(ms);
    await settle();
    expect(model.stopped).toBe(0);
    clock.advance(1);
    expect((await played).end).toEqual({ kind: "timed-out", afterMs: 1000 });
    expect(model.stopped).toBe(isDeaf ? 0 : 1);
    expect(clock.waiting).toBe(isDeaf ? 1 : 0);
  });

  test(`an abort stops ${who} at once and rejects with the signal's reason`, async () => {
    const { model, abort, edits } = open("unified", [edit, 5000], { isDeaf });
    expect(await edits.next()).toMatchObject({ value: { text: "let y = 20;" } });
    const rest = edits.next();
    await settle();
    const reason = new Error("no longer wanted");
    abort.abort(reason);
    expect(model.stopped).toBe(isDeaf ? 0 : 1);
    await expect(rest).rejects.toBe(reason);
  });

  test(`leaving the loop early stops ${who}`, async () => {
    const { clock, model, edits } = open("unified", [`${edit}let z = 3;\n`, 5000], { isDeaf });
    expect((await edits.next()).done).toBe(false);
    await edits.return({ kind: "read" });
    await settle();
    expect(await edits.next()).toMatchObject({ done: true });
    expect(clock.waiting).toBe(0);
    expect(model.stopped).toBe(isDeaf ? 0 : 1);
  });
}

test("no request is sent when the signal is aborted before", async () => {
  const { model, abort, edits } = open("unified", [edit]);
  const reason = new Error("no longer wanted");
  abort.abort(reason);
  await expect(edits.next()).rejects.toBe(reason);
  expect(model.seen).toEqual([]);
});
