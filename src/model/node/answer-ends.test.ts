import { describe, expect, onTestFinished, test } from "vitest";
import type { ModelEnd } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { openModel } from "../open-model.ts";
import { ScriptedServer } from "./fixtures/scripted-server.ts";
import { webHost } from "./web-host.ts";

type Face = "chat" | "fill" | "raw";

/**
 * What a server streams: each object is the choice or the event of one message, a text is sent as
 * it is.
 */
type Stream = readonly (string | Readonly<Record<string, unknown>>)[];

/** The wire of a provider: one message for each item of a stream. */
const providers: Readonly<Record<string, { readonly faces: readonly Face[]; toData(item: object): unknown }>> = {
  "openai-compatible": { faces: ["chat", "fill", "raw"], toData: toCompletion },
  openai: { faces: ["chat"], toData: toCompletion },
  mistral: { faces: ["chat", "fill"], toData: toCompletion },
  deepseek: { faces: ["chat", "fill"], toData: toCompletion },
  lmstudio: { faces: ["chat", "raw"], toData: toCompletion },
};

function toCompletion({ text, usage, ...choice }: { readonly text?: string; readonly usage?: unknown }): unknown {
  const delta = { content: text ?? "" };
  return {
    ...{ id: "1", object: "chat.completion.chunk", model: "m" },
    choices: [{ index: 0, text: text ?? "", delta, ...choice }],
    ...(usage === undefined ? {} : { usage }),
  };
}

const cases = Object.entries(providers).flatMap(([provider, { faces }]) => faces.map((face) => ({ provider, face })));

const events = (data: readonly unknown[]): string =>
  data.map((item) => (typeof item === "string" ? item : `data: ${JSON.stringify(item)}\n\n`)).join("");

/**
 * What becomes of an answer: its text and why it ended, `text ¦ reason`, or the code of the error,
 * `text ¦ !code`.
 */
async function outcomeOf(provider: string, face: Face, body: string, type = "text/event-stream"): Promise<string> {
  const server = await ScriptedServer.start(() => ({ headers: { "content-type": type }, chunks: [body] }));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const model = openModel(`${provider}:${server.url}#m`, webHost({ environment: {}, settings: { retries: 0 } }));
  const place = { path: "a.ts", language: "typescript", prefix: "const a = ", suffix: "" };
  const stream = {
    chat: () => model.chat!({ messages: [{ role: "user", text: "a" }] }),
    fill: () => model.fill!(place),
    raw: () => model.completeRaw!({ prompt: "a" }),
  }[face]();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await stream.next();
      if (done) return `${text} ¦ ${(value satisfies ModelEnd).reason}`;
      text += value.text;
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return `${text} ¦ !${error.code}`;
  }
}

describe.each(cases)("row 50: $face by $provider", ({ provider, face }) => {
  const done = "data: [DONE]\n\n";
  const table: readonly (readonly [string, Stream, string])[] = [
    [
      "an empty reason on every piece, then one",
      [{ text: "a", finish_reason: "" }, { text: "b", finish_reason: "" }, { finish_reason: "stop" }, done],
      "ab ¦ finished",
    ],
    [
      "an empty reason on every piece, then [DONE]",
      [{ text: "a", finish_reason: "" }, { text: "b", finish_reason: "" }, done],
      "ab ¦ finished",
    ],
    [
      "a reason of white space on every piece",
      [{ text: "a", finish_reason: " " }, { text: "b", finish_reason: "stop" }, done],
      "ab ¦ finished",
    ],
    ["an empty reason behind the limit of tokens", [{ text: "a", finish_reason: "length" }, done], "a ¦ length"],
    ["no reason at all, then [DONE]", [{ text: "a" }, { text: "b" }, done], "ab ¦ finished"],
    [
      "the reason null, then [DONE]",
      [{ text: "a", finish_reason: null }, { text: "b", finish_reason: null }, done],
      "ab ¦ finished",
    ],
    ["[DONE] without the empty line behind it", [{ text: "a" }, "data: [DONE]"], "a ¦ finished"],
    ["[DONE] with white space around it", [{ text: "a" }, "data:  [DONE] \n\n"], "a ¦ finished"],
    ["[DONE] alone", [done], " ¦ finished"],
    ["no end, with an empty reason", [{ text: "a", finish_reason: "" }], "a ¦ !cut-off"],
    ["no end, without a reason", [{ text: "a" }], "a ¦ !cut-off"],
    ["cut inside of [DONE]", [{ text: "a" }, "data: [DO"], "a ¦ !cut-off"],
    ["cut inside of an event", [{ text: "a" }, 'data: {"choices":[{"te'], "a ¦ !cut-off"],
  ];
  test.each(table)("%s", async (_, stream, expected) => {
    const data = stream.map((item) => (typeof item === "string" ? item : providers[provider]!.toData(item)));
    expect(await outcomeOf(provider, face, events(data))).toBe(expected);
  });
});

describe("row 50: a requested stream that arrives as one message", () => {
  test.each([
    ["with a reason", { finish_reason: "stop" }, "a ¦ finished"],
    ["with an empty reason", { finish_reason: "" }, "a ¦ finished"],
    ["with the reason null", { finish_reason: null }, "a ¦ finished"],
    ["without a reason", {}, "a ¦ finished"],
    ["at the limit of tokens", { finish_reason: "length" }, "a ¦ length"],
  ])("%s", async (_, choice, expected) => {
    const body = JSON.stringify(toCompletion({ text: "a", ...choice }));
    expect(await outcomeOf("openai-compatible", "fill", body, "application/json")).toBe(expected);
    expect(await outcomeOf("openai-compatible", "raw", body, "application/json")).toBe(expected);
  });
});

describe("row 50: a chat by Anthropic's protocol", () => {
  const start = {
    type: "message_start",
    message: { id: "1", role: "assistant", model: "m", content: [], type: "message" },
  };
  const text = (value: string) => [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: value } },
    { type: "content_block_stop", index: 0 },
  ];
  const delta = (stop_reason: unknown) => ({
    type: "message_delta",
    delta: { stop_reason },
    usage: { output_tokens: 1 },
  });
  const stop = { type: "message_stop" };
  test.each([
    ["a reason", [start, ...text("a"), delta("end_turn"), stop], "a ¦ finished"],
    ["an empty reason and then one", [start, ...text("a"), delta(""), delta("max_tokens"), stop], "a ¦ length"],
    ["an empty reason", [start, ...text("a"), delta(""), stop], "a ¦ finished"],
    ["the reason null", [start, ...text("a"), delta(null), stop], "a ¦ finished"],
    ["no reason", [start, ...text("a"), stop], "a ¦ finished"],
    ["no end", [start, ...text("a"), delta("")], "a ¦ !cut-off"],
  ])("%s", async (_, data, expected) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const whole = data.map((event) => (event === start ? { ...start, message: { ...start.message, usage } } : event));
    const body = whole.map((event) => `event: ${event.type}\n${events([event])}`).join("");
    expect(await outcomeOf("anthropic", "chat", body)).toBe(expected);
  });
});

/** What is no count, where one is expected. */
const noCounts: readonly unknown[] = [...[-5, 1.5, 1e300, "5", "many", "", true, null, [], {}, [5], { total: -1 }]];

describe("row 12: invalid token counts do not discard the answer", () => {
  test.each(cases)("$face by $provider", async ({ provider, face }) => {
    const usages = noCounts.flatMap((count) => [
      count,
      { prompt_tokens: 3, completion_tokens: count, total_tokens: count },
      { prompt_tokens: count },
      { prompt_tokens: 1, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: count } },
      { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: count },
    ]);
    for (const usage of usages) {
      const last = { ...(toCompletion({ finish_reason: "stop" } as object) as object), usage, created: usage };
      const body = events([toCompletion({ text: "a" }), last, { ...last, choices: [] }, "data: [DONE]\n\n"]);
      expect(await outcomeOf(provider, face, body), JSON.stringify(usage)).toBe("a ¦ finished");
    }
  });

  test("chat by Anthropic's protocol", async () => {
    for (const count of noCounts) {
      for (const usage of [count, { input_tokens: count, output_tokens: count }, undefined]) {
        const message = { id: "1", role: "assistant", model: "m", content: [], type: "message", usage };
        const data = [
          { type: "message_start", message },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
          { type: "message_stop" },
        ];
        const body = data.map((event) => `event: ${event.type}\n${events([event])}`).join("");
        expect(await outcomeOf("anthropic", "chat", body), JSON.stringify(usage)).toBe("a ¦ finished");
      }
    }
  });

  test("chat by Google's protocol", async () => {
    for (const count of noCounts) {
      for (const usageMetadata of [count, { promptTokenCount: count, candidatesTokenCount: count }]) {
        const candidate = { content: { role: "model", parts: [{ text: "a" }] }, finishReason: "STOP", index: 0 };
        const body = events([{ candidates: [candidate], usageMetadata }]);
        expect(await outcomeOf("google", "chat", body), JSON.stringify(usageMetadata)).toBe("a ¦ finished");
      }
    }
  });
});
