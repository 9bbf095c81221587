import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Model } from "../../model/index.ts";
import { modelAnswering, TestClient, type TestClientOptions } from "../fixtures/test-client.ts";
import type { Explanation } from "../protocol/explanation.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/src/a.ts";

/**
 * A server whose model answers `answer`, a document with a cursor, and a way to request the
 * explanation.
 */
async function start(answer: string, text: string, options: TestClientOptions = {}) {
  client = await TestClient.start({ model: modelAnswering(answer), ...options });
  const place = await client.open(uri, text, "typescript");
  const { connection } = client;
  const explain = (params?: object) => connection.sendRequest<Explanation | null>("emend/explanation", params);
  return { client, place, explain };
}

describe("emend/explanation", () => {
  test("explains nothing before the first request", async () => {
    const { explain } = await start("", "|");
    expect(await explain()).toBeNull();
    expect(await explain({ of: "next-edit" })).toBeNull();
  });

  test("explains the suggestion, its trace and the prompt", async () => {
    const { client, place, explain } = await start(
      "a + b;",
      "export function add(a: number, b: number) {\n  return |\n}\n",
    );
    expect(await client.complete(place)).toHaveLength(1);
    const explanation = (await explain())!;
    expect(explanation).toMatchObject({
      ...{ of: "ghost-text", uri, position: place.position },
      result: expect.stringMatching(/^"a \+ b;" by openai-compatible:/),
      model: expect.stringContaining("scripted"),
      ...{ changes: [], refusals: [] },
    });
    expect(explanation.noSuggestion).toBeUndefined();
    expect(explanation.steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["gate", "prompt", "model", "check", "offer"]),
    );
    expect(explanation.pieces.find(({ title }) => title === "the text before the cursor")).toMatchObject({
      ...{ origin: expect.stringContaining("src/a.ts"), status: "whole" },
      text: expect.stringContaining("export function add"),
    });
    expect(explanation.tokens!.used).toBeGreaterThan(0);
    expect(explanation.tokens!.used).toBeLessThanOrEqual(explanation.tokens!.budget);
  });

  test("explains why there was no suggestion", async () => {
    const { client, place, explain } = await start("", "const a = |\n");
    expect(await client.complete(place)).toEqual([]);
    const explanation = (await explain({ of: "ghost-text" }))!;
    expect(explanation.noSuggestion).toEqual({
      kind: "model-silent",
      text: expect.stringContaining("its answer was empty"),
    });
    expect(explanation.result).toBe(explanation.noSuggestion!.text);
    expect(explanation.model).toBeUndefined();
  });

  test("explains the tokens of a cached answer too", async () => {
    const { client, place, explain } = await start("a + b;", "const sum = |\n");
    await client.complete(place);
    const textDocument = { uri, version: 2 };
    const range = { start: place.position, end: place.position };
    await client.connection.sendNotification("textDocument/didChange", {
      ...{ textDocument, contentChanges: [{ range, text: "a" }] },
    });
    const position = { ...place.position, character: place.position.character + 1 };
    expect(await client.complete({ ...place, position })).toHaveLength(1);
    const explanation = (await explain())!;
    expect(explanation.steps.at(-1)).toMatchObject({ name: "reuse", detail: "The text was typed as suggested." });
    expect(explanation.pieces.find(({ title }) => title === "the text before the cursor")?.text).toContain(
      "const sum = ",
    );
  });

  test("explains shortened and discarded answers", async () => {
    const cut = await start("a + b;\n}\n\nfunction other() {", "function add(a, b) {\n  return |\n}\n");
    await cut.client.complete(cut.place);
    expect((await cut.explain())!.refusals).toEqual([
      { what: expect.stringContaining("}"), why: expect.stringContaining("cut"), by: expect.any(String) },
    ]);
    await client?.[Symbol.asyncDispose]();
    const broken = await start(") ] }", "const a = |\n");
    await broken.client.complete(broken.place);
    const explanation = (await broken.explain())!;
    expect(explanation.noSuggestion?.kind).toBe("breaks-syntax");
    expect(explanation.refusals).toEqual([
      { what: ") ] }", why: explanation.noSuggestion!.text, by: expect.any(String) },
    ]);
  });

  test("contains the time of the first token of a streamed answer", async () => {
    const model: Model = {
      name: modelAnswering("").name,
      async *fill() {
        await setTimeout(5);
        yield { kind: "text-delta", text: "a + " };
        await setTimeout(5);
        yield { kind: "text-delta", text: "b;" };
        return { reason: "finished" };
      },
    };
    const { client, place, explain } = await start("", "const sum = |\n", { model });
    await client.complete(place);
    const { steps, totalMs } = (await explain())!;
    const [first, model_] = steps.filter(({ name }) => name === "first token" || name === "model");
    expect(first).toMatchObject({ name: "first token", detail: "the answer begins" });
    expect(model_?.startMs).toBeCloseTo(first!.startMs + first!.tookMs);
    const last = steps.at(-1)!;
    expect(last.startMs + last.tookMs).toBeCloseTo(totalMs);
  });

  test("explains where the built-in model's tokens come from, and what its grammar refused", async () => {
    const learnt =
      "export function first(items: readonly string[]): string {\n  return items.at(0) ?? missing(items);\n}\n";
    client = await TestClient.start({ files: { "/w/src/b.ts": learnt.repeat(12) } });
    await client.waitUntilLearnt();
    const place = await client.open(
      uri,
      `${learnt}\n${learnt.replace("items.at(0) ?? missing(items);", "ite|")}`,
      "typescript",
    );
    expect(await client.complete(place)).toHaveLength(1);
    const explanation = (await client.connection.sendRequest<Explanation>("emend/explanation"))!;
    expect(explanation.model).toBe("builtin");
    expect(explanation.likelihood).toBeGreaterThan(0.5);
    expect(explanation.evidence?.map(({ text }) => text).join("")).toContain("at");
    expect(explanation.evidence?.[1]).toMatchObject({
      ...{ likelihood: expect.any(Number), contexts: expect.arrayContaining([expect.any(String)]) },
      match: { origin: expect.stringMatching(/^src\/b\.ts:\d+$/), tokens: expect.any(Number) },
    });
  });

  test("explains the best guess of the built-in model without a suggestion", async () => {
    client = await TestClient.start();
    await client.waitUntilLearnt();
    await client.complete(await client.open(uri, "zzz|\n", "typescript"));
    const explanation = (await client.connection.sendRequest<Explanation>("emend/explanation"))!;
    expect(explanation.noSuggestion).toEqual({ kind: "model-silent", text: expect.stringMatching(/it|line/) });
  });

  test("explains the later of ghost text and next edit, or the requested one", async () => {
    const { client, place, explain } = await start("a;", "const a = |\n");
    await client.complete(place);
    await client.connection.sendRequest("emend/nextEdit", place);
    expect(await explain()).toMatchObject({ of: "next-edit", noSuggestion: { kind: "nothing-edited" }, pieces: [] });
    expect(await explain({ of: "ghost-text" })).toMatchObject({ of: "ghost-text" });
    await client.complete(place);
    expect(await explain()).toMatchObject({ of: "ghost-text" });
  });

  test("refuses an unknown subject", async () => {
    const { explain } = await start("", "|");
    await expect(explain({ of: "all" })).rejects.toThrow('"ghost-text" or "next-edit"');
  });
});
