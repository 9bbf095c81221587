import { estimatingCounter } from "../context/index.ts";
import type { ChatRequest, Model, ModelCallOptions, ModelEnd, TextPart } from "../model/index.ts";
import type { ModelAnswer } from "./plan-event.ts";

/** Where answers are kept. */
export interface AnswerMemory {
  /** Sets questions of different steps apart. */
  readonly step: number;
  tryAnswer(question: string): ModelAnswer | undefined;
  /** Keeps an answer for good before the promise is kept. */
  record(question: string, answer: ModelAnswer): Promise<void>;
  /** Aborts when the whole plan is stopped: what a model said until then is no answer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A model whose answers are kept: who asks the same once more gets the same, and the model is not asked.
 *
 * An answer passes line by line while it comes, and is kept before its end is told or it is left. One that was left early is told again as
 * far as it was heard, and then as one that was cut off. So whoever listens hears the same both times.
 */
export function rememberedModel(model: Model, memory: AnswerMemory): Model {
  const { chat, name, contextTokens, tokenCounter } = model;
  if (chat === undefined) return model;
  const shared = { ...(contextTokens !== undefined && { contextTokens }), ...(tokenCounter && { tokenCounter }) };
  const counter = tokenCounter ?? estimatingCounter("plaintext");
  async function* ask(request: ChatRequest, options: ModelCallOptions = {}): AsyncGenerator<TextPart, ModelEnd> {
    const question = nameOfQuestion(memory.step, request);
    const known = memory.tryAnswer(question);
    if (known !== undefined) {
      options.signal?.throwIfAborted();
      for (const line of linesOf(known.text)) yield { kind: "text-delta", text: line };
      return { reason: known.end === "stopped" ? "length" : known.end };
    }
    const shownTokens = request.messages.reduce((sum, { text }) => sum + counter.count(text), 0);
    const keep = (text: string, end: ModelAnswer["end"]) =>
      memory.record(question, { text, end, shownTokens, writtenTokens: counter.count(text) });
    let heard = "";
    let rest = "";
    let isOver = false;
    const parts = chat!.call(model, request, options);
    try {
      for (;;) {
        const step = await parts.next().catch((error: unknown) => {
          // A failure is no answer; who aborts this call alone has heard enough of it.
          isOver = options.signal?.aborted !== true;
          throw error;
        });
        rest += step.done === true ? "" : step.value.text;
        const whole = step.done === true ? rest : rest.slice(0, rest.lastIndexOf("\n") + 1);
        rest = rest.slice(whole.length);
        if (step.done === true) {
          await keep(heard + whole, step.value.reason);
          isOver = true;
        }
        for (const line of linesOf(whole)) {
          heard += line;
          yield { kind: "text-delta", text: line };
        }
        if (step.done === true) return step.value;
      }
    } finally {
      if (!isOver && memory.signal?.aborted !== true) await keep(heard, "stopped");
      await parts.return({ reason: "finished" });
    }
  }
  return { name, chat: ask, ...shared };
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A name that two different questions do not share: of the step, its length, and 106 bits that depend on every character. */
function nameOfQuestion(step: number, { messages, maxTokens }: ChatRequest): string {
  const text = JSON.stringify([messages.map((message) => [message.role, message.text]), maxTokens ?? 0]);
  return `${step}:${text.length}:${fingerprint(text, 0)}${fingerprint(text, 1)}`;
}

/** 53 bits that depend on every character of a text, in base 36. Source: cyrb53 (bryc, public domain). */
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
