import { readOpeningAt } from "../../answers/index.ts";
import type { ChatMessage, FillRequest, Model, ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { readPrefixEcho } from "./prefix-echo.ts";
import { withOpeningTag } from "./restore-opening-tag.ts";
import type { WirePart } from "./server-client.ts";
import { StopFilter } from "./stop-filter.ts";
import { cutText } from "./stream-text.ts";

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
  const opening = (text: string, isWhole: boolean) => readOpeningAt(text, request, isWhole);
  return yield* cutText(readAnswer(answer, request), { cuts: [mark], maxLines, opening, ...options });
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

/** The text for the hole in the answer of a chat model, while it streams. */
async function* readAnswer(
  answer: AsyncGenerator<TextPart, ModelEnd>,
  request: FillRequest,
): AsyncGenerator<WirePart, void> {
  const { prefix, suffix } = request;
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
        const opening = readOpeningAt(beginning, request, isWhole);
        const code = opening && beginning.slice(opening.length);
        const echoed = code === undefined ? undefined : readPrefixEcho(code, { prefix, isWhole });
        if (opening === undefined || code === undefined || echoed === undefined) continue;
        fence = new StopFilter(opening.fence === undefined ? [] : closersOf(opening.fence));
        yield pass(code.slice(echoed));
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

/**
 * Takes off a stream of text its end where that repeats the beginning of what follows the place.
 *
 * What may be such a repetition is held back until it is distinguished; what is held is the
 * beginning of what follows. One or two characters are no repetition: closing brackets alike are
 * distinguished by the caller, who sees the syntax.
 */
class EchoFilter {
  readonly #suffix: string;
  readonly #failure: Int32Array;
  /** How much of the suffix's beginning is held back. */
  #matched = 0;

  /** `suffix` is what follows the place. */
  constructor(suffix: string) {
    this.#suffix = suffix.slice(0, maxEcho);
    this.#failure = failureOf(this.#suffix);
  }

  /** What may be let through, now that `text` has come. */
  push(text: string): string {
    const suffix = this.#suffix;
    const whole = suffix.slice(0, this.#matched) + text;
    let matched = this.#matched;
    for (const unit of text.split("")) {
      while (matched > 0 && (matched === suffix.length || unit !== suffix[matched]))
        matched = this.#failure[matched - 1]!;
      if (unit === suffix[matched]) matched += 1;
    }
    this.#matched = matched;
    return whole.slice(0, whole.length - matched);
  }

  /** The text held back that is no repetition, at the end of the answer. */
  end(): string {
    const held = this.#suffix.slice(0, this.#matched);
    this.#matched = 0;
    return held.trim().length < minEcho ? held : "";
  }
}

/** No more of what follows is compared: twice this is more than anyone waits for. */
const maxEcho = 4_000;

const minEcho = 3;

/**
 * For each beginning of `text`, how long its longest end is that is a shorter beginning.
 *
 * Source: the failure function of Knuth, Morris and Pratt 1977.
 */
function failureOf(text: string): Int32Array {
  const failure = new Int32Array(text.length);
  for (let i = 1, k = 0; i < text.length; i++) {
    while (k > 0 && text[i] !== text[k]) k = failure[k - 1]!;
    if (text[i] === text[k]) k += 1;
    failure[i] = k;
  }
  return failure;
}
