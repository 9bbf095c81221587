import { estimatingCounter } from "../../../context/index.ts";
import { type Model, type ModelCallOptions, StopFilter } from "../../../model/index.ts";
import { Lines } from "../../../text/index.ts";
import type { ModelAnswer, NextEditFormatName, NextEditQuestion } from "../../formats/next-edit-format.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";

/** A prompt that can be sent. */
export type SendablePrompt = Exclude<NextEditQuestion, { kind: "refused" }>;

/** The prompt input and format of a request, and the signal that aborts it. */
export interface QuestionContext extends ModelCallOptions {
  readonly promptInput: NextEditPromptInput;
  readonly format: NextEditFormatName;
}

/**
 * Starts a model's answer with the method of the model that the prompt needs (chat, raw or fill),
 * or returns a message that says what to do where the model lacks it. The request is sent when the
 * answer is first read.
 */
export function openAnswer(
  model: Model,
  question: SendablePrompt,
  { promptInput, format, signal }: QuestionContext,
): ModelAnswer | { readonly message: string } {
  const options = signal === undefined ? {} : { signal };
  switch (question.kind) {
    case "chat": {
      const { messages, stop } = question;
      // The tokens of a chat answer are not limited, because the length of a model's reasoning is
      // unknown.
      return model.chat === undefined
        ? lacks(model, format, "cannot chat", "Set `next.format` to `auto`, or name a model that can chat.")
        : untilStop(model.chat({ messages }, options), stop);
    }
    case "raw": {
      const { prompt, stop } = question;
      const request = { prompt, stop, maxTokens: answerTokens(promptInput, model), temperature: 0 };
      const cure = "Serve it by llama.cpp, Ollama, vLLM or LM Studio, or set `next.format` to `chat`.";
      return model.completeRaw?.(request, options) ?? lacks(model, format, "cannot complete a raw prompt", cure);
    }
    case "fill": {
      const { prefix, suffix, stop } = question;
      const { path, language, window } = promptInput;
      const limits = { maxLines: window.end - window.start + moreLines, maxTokens: answerTokens(promptInput, model) };
      const request = { path, language, prefix, suffix, ...limits, temperature: 0 };
      return model.fill === undefined
        ? lacks(model, format, "cannot fill in the middle", "Set `next.format` to `chat` if it can chat.")
        : untilStop(model.fill(request, options), stop);
    }
  }
}

function lacks({ name }: Model, format: NextEditFormatName, what: string, cure: string): { readonly message: string } {
  return { message: `The model ${name} ${what}, which the format ${format} needs. ${cure}` };
}

/**
 * The most tokens of an answer that rewrites the editable region: twice its tokens, and at least
 * {@link moreTokens} more.
 */
function answerTokens({ text, window, language }: NextEditPromptInput, { tokenCounter }: Model): number {
  const lines = Lines.of(text);
  const shown = text.slice(lines.start(window.start), lines.end(window.end - 1));
  const tokens = (tokenCounter ?? estimatingCounter(language)).count(shown);
  return tokens + Math.max(tokens, moreTokens);
}

/** How many lines more than the editable region may fill a hole in it. */
const moreLines = 15;

/** How many tokens an answer may always have beyond the editable region. */
const moreTokens = 512;

/** Cuts an answer before the first of the stop texts, for methods without a stop option. */
async function* untilStop(answer: ModelAnswer, stops: readonly string[]): ModelAnswer {
  const filter = new StopFilter(stops);
  try {
    for (;;) {
      const next = await answer.next();
      const text = next.done === true ? filter.end() : filter.push(next.value.text);
      if (text !== "") yield { kind: "text-delta", text };
      if (filter.isStopped) return { reason: "finished" };
      if (next.done === true) return next.value;
    }
  } finally {
    await answer.return({ reason: "finished" });
  }
}
