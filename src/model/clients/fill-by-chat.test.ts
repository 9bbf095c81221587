import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redacted } from "../fixtures/redacted.ts";
import type { ChatRequest, FillRequest, Model, ModelEnd } from "../model.ts";
import { fillByChat, holePrompt } from "./fill-by-chat.ts";

/** A chat model that answers these pieces, and remembers its requests and whether it was left. */
function scriptedChat(pieces: readonly string[], end: ModelEnd = { reason: "finished" }) {
  const requests: ChatRequest[] = [];
  const state = { wasLeft: false };
  const model: Model = {
    name: "scripted",
    async *chat(request, options = {}) {
      requests.push(request);
      try {
        for (const text of pieces) {
          options.signal?.throwIfAborted();
          yield { kind: "text-delta", text };
        }
        return end;
      } finally {
        state.wasLeft = true;
      }
    },
  };
  return { model, requests, state };
}

/** The request for a hole at `|`. */
function hole(text: string, extra: Partial<FillRequest> = {}): FillRequest {
  const [prefix, suffix] = text.split("|") as [string, string];
  return { path: "a.ts", language: "typescript", prefix, suffix, maxLines: 10, ...extra };
}

async function fillText(pieces: readonly string[], request: FillRequest, end?: ModelEnd): Promise<string> {
  let text = "";
  for await (const part of fillByChat(scriptedChat(pieces, end).model).fill(request)) text += part.text;
  return text;
}

describe("the text for the hole is read from the answer of a chat model", () => {
  const place = "function add(a, b) {\n  return a|;\n}\nadd(1, 2);\n";
  const cases: readonly (readonly [string, string, string])[] = [
    ["the text alone", " + b", " + b"],
    ["nothing", "", ""],
    ["in a fence", "```ts\n + b\n```", " + b"],
    ["in a fence that is not closed", "```\n + b", " + b"],
    ["in a fence behind a sentence", "Here is the code:\n```ts\n + b\n```\nIt adds.", " + b"],
    ["behind a sentence", "Here is the missing code:\n\n + b", " + b"],
    ["behind a sentence and its line", "Sure! Here's the completed line:\n\n  return a + b", " + b"],
    ["an empty fence", "```\n```", ""],
    ["behind thoughts", "<think>We add.\n</think>\n\n + b", " + b"],
    ["thoughts without an end", "<think>We add", ""],
    ["behind its line", "  return a + b", " + b"],
    ["behind its line without the indentation", "return a + b", " + b"],
    ["behind two lines, in a fence", "```js\nfunction add(a, b) {\n  return a + b\n```", " + b"],
    ["before what follows", " + b;\n}\nadd(1, 2);\n", " + b"],
    ["with the whole of the file", "function add(a, b) {\n  return a + b;\n}\nadd(1, 2);", " + b"],
    ["before a closer, which is for others to judge", " + b;", " + b;"],
    ["with a fence inside", 'x = "`"', 'x = "`"'],
    ["with the mark", " + b<HOLE/> and more", " + b"],
    ["a type that looks like a sentence", "Here + b", "Here + b"],
  ];
  for (const [name, answer, text] of cases) {
    test(name, async () => {
      expect(await fillText([answer], hole(place))).toBe(text);
      // However it was cut into pieces.
      expect(await fillText(answer.split(""), hole(place))).toBe(text);
    });
  }
});

test("a fill by chat stops the chat after the requested lines", async () => {
  const { model, state } = scriptedChat(["one\n", "two\n", "three"]);
  const parts: string[] = [];
  const stream = fillByChat(model).fill(hole("a = |", { maxLines: 1 }));
  const end = await (async () => {
    for (;;) {
      const { done, value } = await stream.next();
      if (done) return value;
      parts.push(value.text);
    }
  })();
  expect(parts).toEqual(["one"]);
  expect(end).toEqual({ reason: "length", limit: "lines" });
  expect(state.wasLeft).toBe(true);
});

test("leaving a fill by chat early stops the chat", async () => {
  const { model, state } = scriptedChat(["one ", "two"]);
  for await (const _ of fillByChat(model).fill(hole("a = |"))) break;
  expect(state.wasLeft).toBe(true);
});

test("the cursor mark of a fill by chat occurs nowhere else in the prompt", async () => {
  const { model, requests } = scriptedChat(["x"]);
  for await (const _ of fillByChat(model).fill(hole("// <HOLE/>\na = |"))) break;
  expect(requests[0]!.messages[1]!.text).toBe("a.ts (typescript):\n// <HOLE/>\na = <HOLE_2/>");
});

test("a fill by chat shows context from other places first", () => {
  const context = [{ path: "b.ts", text: redacted("export const b = 1;\n") }];
  const [system, user] = holePrompt(hole("a = |;", { context }), "<HOLE/>");
  expect(user!.text).toBe("b.ts:\nexport const b = 1;\n\na.ts (typescript):\na = <HOLE/>;");
  expect(system!.text).toContain("at most 10 lines");
});

test("a fill by chat refuses a model without chat", () => {
  expect(() => fillByChat({ name: "mute" })).toThrow(/cannot chat/);
});

test("law: a fill by chat does not depend on the division of the answer into parts", async () => {
  const unit = fc.constantFrom("a", " = ", ";", "\n", "}", "```", "`", "<think>", "</think>", "return a", "🙂", "\r\n");
  const request = hole("  return a|;\n}\n");
  await fc.assert(
    fc.asyncProperty(
      fc.array(unit, { maxLength: 12 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
      async (units, cuts) => {
        const answer = units.join("");
        const pieces: string[] = [];
        for (let start = 0; start < answer.length; ) {
          const length = cuts.next().value;
          pieces.push(answer.slice(start, start + length));
          start += length;
        }
        expect(await fillText(pieces, request)).toBe(await fillText([answer], request));
      },
    ),
  );
});
