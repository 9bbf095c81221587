import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { type Model, type ModelEnd, ModelError, type TextPart } from "../../model/index.ts";
import { ModelHealth } from "./model-health.ts";

/**
 * What a model does with one request: text comes, time passes in milliseconds, it fails, or it is
 * over.
 */
type Deed = { readonly text: string } | { readonly waitMs: number } | { readonly fail: Error };

/** A health, and a model that does these things, one list a request. */
function watched(...answers: readonly (readonly Deed[])[]) {
  const clock = new FakeClock();
  const left = [...answers];
  async function* answer(): AsyncGenerator<TextPart, ModelEnd> {
    for (const deed of left.shift() ?? []) {
      if ("fail" in deed) throw deed.fail;
      if ("waitMs" in deed) clock.advance(deed.waitMs);
      else yield { kind: "text-delta", text: deed.text };
    }
    return { reason: "finished" };
  }
  const health = new ModelHealth(clock);
  const model = health.watch(
    { name: "ollama:x", fillWay: "the template y", contextTokens: 4096, fill: answer },
    "edit",
  );
  return { clock, health, model };
}

async function ask({ fill }: Model, most = Number.POSITIVE_INFINITY): Promise<string> {
  let text = "";
  const request = { path: "a.ts", language: "typescript", prefix: "", suffix: "" };
  try {
    for await (const part of fill!(request)) {
      text += part.text;
      if (text.length >= most) break;
    }
  } catch (error) {
    return `${text}!${(error as Error).message}`;
  }
  return text;
}

const unreachable = new ModelError("unreachable", "Nobody listens. Start it.");

test("lists a model without requests by its name", () => {
  const { health } = watched();
  expect(health.status).toEqual([
    { name: "ollama:x", uses: ["edit"], answered: 0, failed: 0, fillWay: "the template y", contextTokens: 4096 },
  ]);
});

test("passes answers through, and counts them with their time", async () => {
  const { clock, health, model } = watched([{ waitMs: 30 }, { text: "a" }, { waitMs: 500 }, { text: "b" }], []);
  expect(await ask(model)).toBe("ab");
  clock.advance(70);
  expect(health.status[0]).toMatchObject({ answered: 1, failed: 0, firstTextMs: 30, answeredAgoMs: 70 });
  expect(await ask(model)).toBe("");
  expect(health.status[0]).toMatchObject({ answered: 2, firstTextMs: 30, answeredAgoMs: 0 });
});

test("reports a problem until the next answer", async () => {
  const { health, model } = watched([{ fail: unreachable }], [{ text: "a" }]);
  expect(await ask(model)).toBe("!Nobody listens. Start it.");
  expect(health.status[0]).toMatchObject({ answered: 0, failed: 1, problem: unreachable.message });
  await ask(model);
  expect(health.status[0]).toMatchObject({ answered: 1, failed: 1 });
  expect(health.status[0]?.problem).toBeUndefined();
});

test("counts an abort as no failure, and an abandoned stream with text as an answer", async () => {
  const { health, model } = watched([{ fail: new Error("aborted") }], [{ text: "a" }, { text: "b" }]);
  await ask(model);
  expect(health.status[0]).toMatchObject({ answered: 0, failed: 0 });
  expect(await ask(model, 1)).toBe("a");
  expect(health.status[0]).toMatchObject({ answered: 1, failed: 0 });
});

test.each<[what: string, fails: Error | undefined, canChat: boolean | undefined, cannotChat: boolean]>([
  ["a refused conversation", new ModelError("unsupported", "There is no chat template."), undefined, true],
  ["a conversation that fails for another reason", unreachable, undefined, false],
  ["a fill, where the server reports no chat template", undefined, false, true],
  ["a fill, where the server reports a chat template", undefined, true, false],
  ["a fill, where the server does not say", undefined, undefined, false],
])("knows whether a model chats after %s", async (_, fails, canChat, cannotChat) => {
  let changes = 0;
  const health = new ModelHealth(new FakeClock(), () => changes++);
  async function* answer(): AsyncGenerator<TextPart, ModelEnd> {
    if (fails) throw fails;
    yield { kind: "text-delta", text: "a" };
    return { reason: "finished" };
  }
  const model = {
    ...{ name: "llamacpp:x", fill: answer, chat: answer },
    ...(canChat !== undefined && { canChat: () => Promise.resolve(canChat) }),
  };
  const watching = health.watch(model, "ghost-text");
  health.watch(model, "edit");
  if (fails === undefined) await ask(watching);
  else
    await watching.chat!({ messages: [] })
      .next()
      .catch(() => undefined);
  await Promise.resolve();
  expect(health.cannotChat("llamacpp:x")).toBe(cannotChat);
  expect(health.status[0]?.uses).toEqual(cannotChat ? ["ghost-text"] : ["ghost-text", "edit"]);
  expect(changes).toBe(cannotChat || fails ? 1 : 0);
  // A refused conversation is no failure: the model still fills in code.
  expect(health.status[0]?.problem).toBe(cannotChat ? undefined : fails?.message);
  health.reset();
  expect(health.cannotChat("llamacpp:x")).toBe(false);
});

test.each([
  ["before the first request", [false], 0, true],
  ["after the first, where the server did not answer before", [true, false], 1, true],
  ["not, where the server never says that it does not", [true], 1, false],
] as const)("knows that a model only fills in code %s", async (_, answers, requests, expected) => {
  const left: boolean[] = [...answers];
  const health = new ModelHealth(new FakeClock());
  async function* fill(): AsyncGenerator<TextPart, ModelEnd> {
    yield { kind: "text-delta", text: "a" };
    return { reason: "finished" };
  }
  const canChat = () => Promise.resolve(left.shift() ?? true);
  const model = health.watch({ name: "llamacpp:x", fill, canChat }, "ghost-text");
  for (let i = 0; i < requests; i++) await ask(model);
  await Promise.resolve();
  expect(health.cannotChat("llamacpp:x")).toBe(expected);
});

test("lists only models that were opened again after a change of settings", async () => {
  const { health, model } = watched([{ text: "a" }]);
  await ask(model);
  health.reset();
  expect(health.status).toEqual([]);
  health.watch({ name: "ollama:x" }, "ghost-text");
  expect(health.status).toMatchObject([{ uses: ["ghost-text"], answered: 1 }]);
});

test("disposes of the wrapped model", () => {
  let isDisposed = false;
  const { health } = watched();
  const dispose = () => {
    isDisposed = true;
  };
  const model = health.watch({ name: "gguf:x", [Symbol.dispose]: dispose }, "edit");
  model[Symbol.dispose]?.();
  expect(isDisposed).toBe(true);
});
