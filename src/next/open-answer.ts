import { estimatingCounter } from "../context/index.ts";
import { type Model, type ModelCallOptions, StopFilter } from "../model/index.ts";
import { Lines } from "../text/index.ts";
import type { ModelAnswer, NextEditFormatName, NextEditQuestion } from "./next-edit-format.ts";
import type { NextEditScene } from "./next-edit-scene.ts";

/** A question that can be asked. */
export type AskedQuestion = Exclude<NextEditQuestion, { kind: "refused" }>;

/** What a question is about, and who may stop its answer. */
export interface QuestionContext extends ModelCallOptions {
  readonly scene: NextEditScene;
  readonly format: NextEditFormatName;
}

/** The answer of a model to a question, by the face that the question needs, or what helps where the model lacks it. Nothing is asked until it is read. */
export function openAnswer(
  model: Model,
  question: AskedQuestion,
  { scene, format, signal }: QuestionContext,
): ModelAnswer | { readonly message: string } {
  const options = signal === undefined ? {} : { signal };
  switch (question.kind) {
    case "chat": {
      const { messages, stop } = question;
      // How many tokens a model thinks before it answers is not known, so these are not limited.
      return model.chat === undefined
        ? lacks(model, format, "does not chat", "Let it fill, or name a model that chats: set `next.format` to `auto`.")
        : untilStop(model.chat({ messages }, options), stop);
    }
    case "raw": {
      const { prompt, stop } = question;
      const request = { prompt, stop, maxTokens: answerTokens(scene, model), temperature: 0 };
      const cure = "Serve it by llama.cpp, Ollama, vLLM or LM Studio, or set `next.format` to `chat`.";
      return model.completeRaw?.(request, options) ?? lacks(model, format, "completes no prompt as it is", cure);
    }
    case "fill": {
      const { prefix, suffix, stop } = question;
      const { path, language, window } = scene;
      const limits = { maxLines: window.end - window.start + moreLines, maxTokens: answerTokens(scene, model) };
      const request = { path, language, prefix, suffix, ...limits, temperature: 0 };
      return model.fill === undefined
        ? lacks(model, format, "does not fill in the middle", "Set `next.format` to `chat` if it chats.")
        : untilStop(model.fill(request, options), stop);
    }
  }
}

function lacks({ name }: Model, format: NextEditFormatName, what: string, cure: string): { readonly message: string } {
  return { message: `The model ${name} ${what}, which the format ${format} needs. ${cure}` };
}

/** The most tokens of an answer that is the window anew: as many more as it has, and some for a short one. */
function answerTokens({ text, window, language }: NextEditScene, { tokenCounter }: Model): number {
  const lines = Lines.of(text);
  const shown = text.slice(lines.start(window.start), lines.end(window.end - 1));
  const tokens = (tokenCounter ?? estimatingCounter(language)).count(shown);
  return tokens + Math.max(tokens, moreTokens);
}

/** So many lines more than the window has may fill a hole in it. */
const moreLines = 15;

/** So many tokens an answer may have more than the window, however short that is. */
const moreTokens = 512;

/** An answer up to the first of the texts that end it, for faces that know none. */
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
