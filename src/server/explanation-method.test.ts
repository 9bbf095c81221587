import { afterEach, describe, expect, test } from "vitest";
import { modelSaying, TestClient, type TestClientOptions } from "./fixtures/test-client.ts";
import type { Explanation } from "./protocol/explanation.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/src/a.ts";

/** A server whose model says `answer`, a document with a cursor, and a way to ask for the explanation. */
async function start(answer: string, text: string, options: TestClientOptions = {}) {
  client = await TestClient.start({ model: modelSaying(answer), ...options });
  const place = await client.open(uri, text, "typescript");
  const { connection } = client;
  const explain = (params?: object) => connection.sendRequest<Explanation | null>("emend/explanation", params);
  return { client, place, explain };
}

describe("emend/explanation", () => {
  test("nothing is explained before anything was asked", async () => {
    const { explain } = await start("", "|");
    expect(await explain()).toBeNull();
    expect(await explain({ of: "next-edit" })).toBeNull();
  });

  test("what was offered, the walk to it, and what the model was shown", async () => {
    const { client, place, explain } = await start(
      "a + b;",
      "export function add(a: number, b: number) {\n  return |\n}\n",
    );
    expect(await client.complete(place)).toHaveLength(1);
    const told = (await explain())!;
    expect(told).toMatchObject({
      ...{ of: "ghost-text", uri, position: place.position },
      result: expect.stringMatching(/^"a \+ b;" by openai-compatible:/),
      model: expect.stringContaining("scripted"),
      ...{ changes: [], refusals: [] },
    });
    expect(told.silence).toBeUndefined();
    expect(told.steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["gate", "prompt", "model", "check", "offer"]),
    );
    expect(told.pieces.find(({ title }) => title === "the text before the cursor")).toMatchObject({
      ...{ origin: expect.stringContaining("src/a.ts"), fate: "whole" },
      text: expect.stringContaining("export function add"),
    });
    expect(told.tokens!.used).toBeGreaterThan(0);
    expect(told.tokens!.used).toBeLessThanOrEqual(told.tokens!.budget);
  });

  test("why nothing was offered", async () => {
    const { client, place, explain } = await start("", "const a = |\n");
    expect(await client.complete(place)).toEqual([]);
    const told = (await explain({ of: "ghost-text" }))!;
    expect(told.silence).toEqual({ kind: "model-silent", text: expect.stringContaining("its answer was empty") });
    expect(told.result).toBe(told.silence!.text);
    expect(told.model).toBeUndefined();
  });

  test("the later of both, and either of them", async () => {
    const { client, place, explain } = await start("a;", "const a = |\n");
    await client.complete(place);
    await client.connection.sendRequest("emend/nextEdit", place);
    expect(await explain()).toMatchObject({ of: "next-edit", silence: { kind: "nothing-edited" }, pieces: [] });
    expect(await explain({ of: "ghost-text" })).toMatchObject({ of: "ghost-text" });
    await client.complete(place);
    expect(await explain()).toMatchObject({ of: "ghost-text" });
  });

  test("another subject is refused", async () => {
    const { explain } = await start("", "|");
    await expect(explain({ of: "all" })).rejects.toThrow('"ghost-text" or "next-edit"');
  });
});
