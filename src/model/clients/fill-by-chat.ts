import type { ChatMessage, FillRequest, Model, ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { readOpening } from "./answer-opening.ts";
import { EchoFilter } from "./echo-filter.ts";
import { readPrefixEcho } from "./prefix-echo.ts";
import { StopFilter } from "./stop-filter.ts";
import { cutText } from "./stream-fill.ts";
import type { WirePart } from "./text-call.ts";

/**
 * A model that fills by talking: its `chat` face is shown the file with the hole marked and told to answer with nothing
 * but the text for it. Fences, thinking and repetitions of the text around the hole are taken out while it streams.
 *
 * A model that was trained to fill is quicker and better at it; this is for those which have only a chat. Throws
 * {@link ModelError} `unsupported` for a model without one.
 */
export function fillByChat(model: Model): Model & Required<Pick<Model, "fill" | "chat">> {
  const chat = model.chat?.bind(model);
  if (chat === undefined)
    throw new ModelError("unsupported", `The model ${model.name} cannot chat, so it cannot fill by it.`);
  const { name, contextTokens, tokenCounter } = model;
  return {
    name,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(tokenCounter === undefined ? {} : { tokenCounter }),
    chat,
    fillsByChat: true,
    fill: (request, options = {}) => fill(chat, request, options),
  };
}

async function* fill(
  chat: NonNullable<Model["chat"]>,
  request: FillRequest,
  options: ModelCallOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  const mark = markFor(request);
  const { maxTokens, maxLines = 1 } = request;
  const messages = holePrompt(request, mark);
  const answer = chat({ messages, ...(maxTokens === undefined ? {} : { maxTokens }) }, options);
  return yield* cutText(readAnswer(answer, request), { cuts: [mark], maxLines, ...options });
}

/** What a chat model is shown for a hole, which `mark` stands for. */
export function holePrompt(request: FillRequest, mark: string): readonly ChatMessage[] {
  const { path, language, prefix, suffix, maxLines = 1, context = [] } = request;
  const lines = maxLines === 1 ? "one line" : `${maxLines} lines`;
  const system = [
    `You write the missing piece of a file. The file is shown with ${mark} where the piece is missing.`,
    `Answer with the exact text that takes the place of ${mark}: at most ${lines}, with its indentation, without an explanation, without a code fence, and without repeating what stands before or behind it.`,
    `The text before ${mark} may end in the middle of a word or a line; go on from there.`,
    "Where nothing is missing, answer nothing.",
  ].join("\n");
  const others = context.map((piece) => `${piece.path}:\n${piece.text.replace(/\n$/, "")}\n\n`).join("");
  const file = `${path} (${language}):\n${prefix}${mark}${suffix}`;
  return [
    { role: "system", text: system },
    { role: "user", text: others + file },
  ];
}

/** A mark for the hole that stands nowhere else. */
function markFor({ prefix, suffix, context = [] }: FillRequest): string {
  const texts = [prefix, suffix, ...context.map(({ text }) => text)];
  for (let number = 1; ; number++) {
    const mark = number === 1 ? "<HOLE/>" : `<HOLE_${number}/>`;
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
}

/** The text for the hole in what a chat model says, while it says it. */
async function* readAnswer(
  answer: AsyncGenerator<TextPart, ModelEnd>,
  { prefix, suffix, language }: FillRequest,
): AsyncGenerator<WirePart, void> {
  const sentences = language !== "markdown" && language !== "plaintext";
  let beginning = "";
  let fence: StopFilter | undefined;
  const echo = new EchoFilter(suffix);
  const pass = (text: string): WirePart => ({ text: echo.push(fence === undefined ? text : fence.push(text)) });
  try {
    for (;;) {
      const { done, value } = await answer.next();
      if (fence === undefined) {
        beginning += done === true ? "" : value.text;
        const isWhole = done === true;
        const opening = readOpening(beginning, { isWhole, sentences, fences: true });
        const said = opening && beginning.slice(opening.length);
        const echoed = said === undefined ? undefined : readPrefixEcho(said, { prefix, isWhole });
        if (opening === undefined || said === undefined || echoed === undefined) continue;
        fence = new StopFilter(opening.fence === undefined ? [] : closersOf(opening.fence));
        yield pass(said.slice(echoed));
      } else if (done !== true) {
        yield pass(value.text);
      }
      if (done === true) {
        const { reason } = value;
        const text = echo.push(fence.end()) + echo.end();
        yield { text, end: reason === "silent" ? "finished" : reason };
        return;
      }
      if (fence.isStopped) {
        yield { text: echo.end(), end: "finished" };
        return;
      }
    }
  } finally {
    await answer.return({ reason: "finished" });
  }
}

function closersOf(fence: string): readonly string[] {
  return [`\r\n${fence}`, `\n${fence}`, fence];
}
