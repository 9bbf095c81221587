import {
  LineLimit,
  OpeningFilter,
  pipeline,
  RepeatedSuffixFilter,
  repeatedPrefixFilter,
  StopFilter,
  WholeCharacters,
} from "../../answers/index.ts";
import type { ChatMessage, FillRequest, Model, ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { withOpeningTag } from "./restore-opening-tag.ts";
import type { WirePart } from "./server-client.ts";
import { filterParts } from "./stream-text.ts";

/**
 * A model that fills by chat: its `chat` face gets the file with the hole marked and the
 * instruction to answer with nothing but the text for it. Fences, reasoning and repetitions of the
 * text around the hole are taken out while it streams.
 *
 * A model that was trained to fill is quicker and better at it; this is for those which have only a
 * chat. Throws {@link ModelError} `unsupported` for a model without one.
 */
export function fillByChat(model: Model): Model & Required<Pick<Model, "fill" | "chat">> {
  if (model.chat === undefined)
    throw new ModelError("unsupported", `The model ${model.name} cannot chat, so it cannot fill by it.`);
  const chat = withOpeningTag(model.chat.bind(model));
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
  const filters = [
    new OpeningFilter(request),
    repeatedPrefixFilter(request.prefix),
    new RepeatedSuffixFilter(request.suffix),
    new StopFilter([mark]),
    new WholeCharacters(),
    new LineLimit(maxLines),
  ];
  return yield* filterParts(readAnswer(answer), pipeline(filters), options.signal);
}

/**
 * The prompt of a chat model for a hole, which `mark` marks: a message of the system with the
 * instruction, and one of the user with texts of other places and the file.
 */
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

/** A mark for the hole that is nowhere else. */
function markFor({ prefix, suffix, context = [] }: FillRequest): string {
  const texts = [prefix, suffix, ...context.map(({ text }) => text)];
  for (let number = 1; ; number++) {
    const mark = number === 1 ? "<HOLE/>" : `<HOLE_${number}/>`;
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
}

/** The parts of a chat answer as those of a fill. */
async function* readAnswer(answer: AsyncGenerator<TextPart, ModelEnd>): AsyncGenerator<WirePart, void> {
  try {
    for (;;) {
      const { done, value } = await answer.next();
      if (done !== true) {
        yield { text: value.text };
        continue;
      }
      yield { end: value.reason === "silent" ? "finished" : value.reason };
      return;
    }
  } finally {
    await answer.return({ reason: "finished" });
  }
}
