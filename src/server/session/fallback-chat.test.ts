import { expect, test } from "vitest";
import { type Model, ModelError } from "../../model/index.ts";
import { FallbackChat } from "./fallback-chat.ts";

let left: string[];

/** A model that answers its words one by one; `!` is a failure of its server, `?` one of ours. */
function modelOf(name: string, script: string): Model {
  return {
    name,
    async *chat() {
      try {
        for (const word of script.split(" ")) {
          if (word === "!") throw new ModelError("unreachable", `${name} is away.`);
          if (word === "?") throw new Error("a mistake of ours");
          yield { kind: "text-delta", text: word };
        }
        return { reason: "finished" };
      } finally {
        left.push(name);
      }
    },
  };
}

test.each([
  ["the first one answers", ["yes indeed", "no"], "yes indeed finished", []],
  ["the next one where it is away", ["!", "no"], "no finished", ["a is away. -> b"]],
  ["all that are away", ["!", "!", "no"], "no finished", ["a is away. -> b", "b is away. -> c"]],
  ["what the last one fails with", ["!", "!"], "b is away.", ["a is away. -> b"]],
  ["an answer that has begun is not left", ["yes !", "no"], "yes a is away.", []],
  ["a mistake of ours is no reason", ["?", "no"], "a mistake of ours", []],
])("the fallback chat: %s", async (_, scripts, answer, passed) => {
  left = [];
  const fallbacks: string[] = [];
  const model = new FallbackChat({
    models: scripts.map((script, i) => modelOf("abc"[i]!, script)),
    onFallback: (_name, error, next) => fallbacks.push(`${error.message} -> ${next}`),
  });
  expect(await answerOf(model)).toBe(answer);
  expect(fallbacks).toEqual(passed);
});

test("requests the model that answered again, and closes an abandoned stream", async () => {
  left = [];
  const model = new FallbackChat({ models: [modelOf("a", "!"), modelOf("b", "one two")] });
  for await (const part of model.chat({ messages: [] })) {
    expect(part.text).toBe("one");
    break;
  }
  expect(left).toEqual(["a", "b"]);
  expect(model.name).toBe("b");
  await answerOf(model);
  expect(left).toEqual(["a", "b", "b"]);
});

async function answerOf(model: FallbackChat): Promise<string> {
  const words: string[] = [];
  try {
    const stream = model.chat({ messages: [] });
    for (;;) {
      const step = await stream.next();
      words.push(step.done ? step.value.reason : step.value.text);
      if (step.done) break;
    }
  } catch (error) {
    words.push((error as Error).message);
  }
  return words.join(" ");
}
