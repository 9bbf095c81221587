import { estimatingCounter } from "../context/index.ts";
import {
  type ChatRequest,
  type Model,
  type ModelCallOptions,
  type ModelEnd,
  type PromptLimits,
  type PromptLimitsOptions,
  promptLimits,
  type TextPart,
} from "../model/index.ts";
import { splitPatchLines } from "../text/index.ts";
import type { ModelAnswer } from "./plan-event.ts";

/** Stores the answers of models. */
export interface AnswerMemory {
  /** The id of the step; distinguishes equal requests of different steps. */
  readonly step: number;
  tryAnswer(question: string): ModelAnswer | undefined;
  /** Stores an answer; it is durable when the promise resolves. */
  record(question: string, answer: ModelAnswer): Promise<void>;
  /** Aborted when the whole plan is stopped; an incomplete answer is then not stored. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Wraps a model so that its answers are stored: an equal request gets the stored answer without
 * another call.
 *
 * An answer is passed on line by line, and is stored before its end is passed on or when the
 * consumer leaves it early. In the latter case it is repeated up to the same line and then ends as
 * one that was cut off, so the consumer receives the same both times. An abort of the call alone
 * counts as leaving early. A failed answer is not stored; its error is passed on, and so is that of
 * a memory that cannot store an answer.
 *
 * The wrapped model can only chat. A model that cannot chat is returned as it is.
 */
export function rememberedModel(model: Model, memory: AnswerMemory): Model {
  const { chat, name, tokenCounter } = model;
  if (chat === undefined) return model;
  // What is learnt of tokens differs from run to run, and an equal request has to be found again.
  const limits = async (options: PromptLimitsOptions): Promise<PromptLimits> => {
    const { contextTokens } = await promptLimits(model, options);
    return { ...(contextTokens !== undefined && { contextTokens }), ...(tokenCounter && { counter: tokenCounter }) };
  };
  const counter = tokenCounter ?? estimatingCounter("plaintext");
  async function* chatWithMemory(
    request: ChatRequest,
    options: ModelCallOptions = {},
  ): AsyncGenerator<TextPart, ModelEnd> {
    const question = requestName(memory.step, request);
    const known = memory.tryAnswer(question);
    if (known !== undefined) {
      options.signal?.throwIfAborted();
      for (const line of splitPatchLines(known.text)) yield { kind: "text-delta", text: line };
      return { reason: known.end === "stopped" ? "length" : known.end };
    }
    const shownTokens = request.messages.reduce((sum, { text }) => sum + counter.count(text), 0);
    const keep = (text: string, end: ModelAnswer["end"]) =>
      memory.record(question, { text, end, shownTokens, writtenTokens: counter.count(text) });
    let passedOn = "";
    let partialLine = "";
    let isOver = false;
    const parts = chat!.call(model, request, options);
    try {
      for (;;) {
        const step = await parts.next().catch((error: unknown) => {
          // A failure is no answer. An abort of this call alone means that the rest is not needed.
          isOver = options.signal?.aborted !== true;
          throw error;
        });
        partialLine += step.done === true ? "" : step.value.text;
        const completeLines =
          step.done === true ? partialLine : partialLine.slice(0, partialLine.lastIndexOf("\n") + 1);
        partialLine = partialLine.slice(completeLines.length);
        if (step.done === true) {
          await keep(passedOn + completeLines, step.value.reason);
          isOver = true;
        }
        for (const line of splitPatchLines(completeLines)) {
          passedOn += line;
          yield { kind: "text-delta", text: line };
        }
        if (step.done === true) return step.value;
      }
    } finally {
      if (!isOver && memory.signal?.aborted !== true) await keep(passedOn, "stopped");
      await parts.return({ reason: "finished" });
    }
  }
  return { name, chat: chatWithMemory, limits, ...(tokenCounter && { tokenCounter }) };
}

/**
 * A name for a request that no other request of the plan has in practice: the step, the length, and
 * 106 bits of a hash.
 */
function requestName(step: number, { messages, maxTokens }: ChatRequest): string {
  const text = JSON.stringify([messages.map((message) => [message.role, message.text]), maxTokens ?? 0]);
  return `${step}:${text.length}:${fingerprint(text, 0)}${fingerprint(text, 1)}`;
}

/**
 * 53 bits of a hash over all characters of a text, in base 36. Source: cyrb53 (bryc, public
 * domain).
 */
function fingerprint(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, "0");
}
