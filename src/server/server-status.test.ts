import { afterEach, describe, expect, test } from "vitest";
import { InlineCompletionTriggerKind } from "vscode-languageserver";
import { FakeClock } from "../async/fixtures/fake-clock.ts";
import { type Model, ModelError } from "../model/index.ts";
import { modelAnswering, TestClient, type TestClientOptions } from "./fixtures/test-client.ts";
import type { EmendStatusParams } from "./protocol/emend-status.ts";
import type { ServerStatus } from "./server-status.ts";
import type { SetUp } from "./setup/setup-method.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/src/a.ts";
const name = "openai-compatible:http://127.0.0.1:1/v1#scripted";
const shownName = "openai-compatible:http://127.0.0.1:1#scripted";

/** A server, its notifications, and a way to request its status. */
async function start(options: TestClientOptions = {}) {
  const notifications: EmendStatusParams[] = [];
  client = await TestClient.start({
    ...{ model: modelAnswering("1;"), initialize: { initializationOptions: { emendStatus: true } } },
    onConnection: (connection) =>
      void connection.onNotification(
        "emend/didChangeStatus",
        (status: EmendStatusParams) => void notifications.push(status),
      ),
    ...options,
  });
  const { connection } = client;
  return { client, notifications, status: () => connection.sendRequest<ServerStatus>("emend/status") };
}

describe("emend/status", () => {
  test("contains how the last requests were answered", async () => {
    const { client, status } = await start();
    const place = await client.open(uri, "const a = |\n", "typescript");
    await client.complete(place);
    await client.complete(place);
    await client.connection.sendRequest("emend/nextEdit", place);
    const { requests } = await status();
    expect(requests.ghostText).toMatchObject({ count: 2, suggestionShare: 1, byReason: {} });
    expect(requests.ghostText.byOrigin).toEqual({ model: 1, "typed-as-suggested": 1 });
    expect(requests.ghostText.p50Ms).toBeLessThanOrEqual(requests.ghostText.p95Ms!);
    expect(requests.nextEdits).toMatchObject({ count: 1, suggestionShare: 0, byReason: { "nothing-edited": 1 } });
  });

  test("contains the state of the models and the sizes of the caches", async () => {
    const { client, status } = await start();
    await client.complete(await client.open(uri, "const a = |\n", "typescript"));
    const [session] = (await status()).sessions;
    expect(session?.models).toEqual([name]);
    expect(session?.modelDetails).toEqual([
      expect.objectContaining({
        name,
        uses: ["ghost-text"],
        answered: 1,
        failed: 0,
        answeredAgoMs: expect.any(Number),
      }),
    ]);
    expect(session?.load).toEqual({ answers: 1, requests: 0 });
  });

  test("contains the problem of a model", async () => {
    const model: Model = {
      name,
      // biome-ignore lint/correctness/useYield: it fails before it answers.
      async *fill() {
        throw new ModelError("unreachable", "Nobody listens there. Start the server.");
      },
    };
    const { client, status } = await start({ model });
    await client.complete(await client.open(uri, "const a = |\n", "typescript"));
    const { sessions, condition } = await status();
    expect(sessions[0]?.modelDetails).toMatchObject([
      { failed: 1, problem: "Nobody listens there. Start the server." },
    ]);
    const problem = "Nobody listens there. Start the server.";
    const failedModel = { name, problem, failure: "unreachable", isLoading: false };
    expect(condition).toMatchObject({ kind: "warning", noSuggestion: { kind: "model-failed" }, failedModel });
  });
});

describe("emend/snooze", () => {
  test("pauses automatic suggestions until its end, and leaves requests by key alone", async () => {
    const clock = new FakeClock();
    const { client, notifications, status } = await start({ host: { clock } });
    const place = await client.open(uri, "const a = |\n", "typescript");
    const request = (method: string, triggerKind: number) =>
      client.connection.sendRequest<object>(method, { ...place, context: { triggerKind } });
    const automatic = InlineCompletionTriggerKind.Automatic;
    expect(await client.connection.sendRequest("emend/snooze", { minutes: 5 })).toEqual({ minutes: 5 });
    const text = "Automatic suggestions are snoozed for 5 more minutes.";
    expect(await request("textDocument/inlineCompletion", automatic)).toEqual({ items: [] });
    expect(await request("emend/nextEdit", automatic)).toMatchObject({ reason: { kind: "snoozed" }, text });
    expect(await status()).toMatchObject({
      lastGhostTextReason: { kind: "snoozed", minutesLeft: 5 },
      condition: { kind: "inactive", message: text, snoozedMinutes: 5 },
    });
    clock.advance(1_000);
    await expect.poll(() => notifications.at(-1)).toMatchObject({ snoozedMinutes: 5 });
    const byKey = InlineCompletionTriggerKind.Invoked;
    expect(await request("emend/nextEdit", byKey)).toMatchObject({ reason: { kind: "nothing-edited" } });
    clock.advance(61_000);
    expect((await status()).condition.snoozedMinutes).toBe(4);
    clock.advance(4 * 60_000);
    await expect.poll(() => notifications.at(-1)).not.toHaveProperty("snoozedMinutes");
    expect(await request("emend/nextEdit", automatic)).toMatchObject({ reason: { kind: "nothing-edited" } });
  });

  test("ends with 0 minutes, and refuses what is not a number of minutes", async () => {
    const { client, status } = await start();
    const snooze = (minutes: unknown) => client.connection.sendRequest("emend/snooze", { minutes });
    await snooze(5);
    expect(await snooze(0)).toEqual({ minutes: 0 });
    expect((await status()).condition).not.toHaveProperty("snoozedMinutes");
    for (const minutes of [-1, 1_441, "5", null, Number.NaN]) {
      await expect(snooze(minutes)).rejects.toThrow("emend/snooze requires `minutes`, a number from 0 to 1440.");
    }
  });
});

describe("emend/didChangeStatus", () => {
  test("is sent at the beginning and after each change", async () => {
    const { client, notifications, status } = await start();
    await client.waitUntilLearnt();
    const secret = await client.open("file:///w/.env", "KEY=|");
    await client.complete(secret);
    await expect.poll(() => notifications.at(-1)).toEqual((await status()).condition);
    const text = ".env may hold keys or passwords, so no model is shown it.";
    expect(notifications.at(-1)).toEqual({
      ...{ kind: "inactive", busy: false, message: text },
      noSuggestion: { kind: "secret-file", text, uri: "file:///w/.env" },
      editModel: shownName,
    });
    await client.complete(await client.open(uri, "const a = |\n", "typescript"));
    await expect
      .poll(() => notifications.at(-1))
      .toEqual({ kind: "normal", busy: false, message: "", editModel: shownName });
  });

  test.each([
    ["{}", shownName],
    ['{ "edit": { "model": ["builtin", "ollama:b", "ollama:c"] } }', "ollama:b"],
    ['{ "edit": { "model": ["gguf:/models/a.gguf", "builtin"] } }', null],
  ])("names the model for instructions with the person's settings %s", async (settings, editModel) => {
    const { notifications } = await start({ files: { "/home/me/.config/emend/emend.config.json": settings } });
    await expect.poll(() => notifications.at(-1)?.editModel).toEqual(editModel);
  });

  test("names no model for instructions that has shown that it cannot chat", async () => {
    const model: Model = {
      ...modelAnswering("1;"),
      name: shownName,
      chat: () => {
        throw new Error("No conversation is sent.");
      },
      canChat: () => Promise.resolve(false),
    };
    const { client, notifications } = await start({ model });
    // Before the first request.
    await expect.poll(() => notifications.at(-1)?.editModel).toBe(null);
    const settings = { emend: { edit: { model: [shownName, "ollama:b"] } } };
    await client.connection.sendNotification("workspace/didChangeConfiguration", { settings });
    await expect.poll(() => notifications.at(-1)?.editModel).toBe("ollama:b");
  });

  test("names the problems of the settings", async () => {
    const { notifications, status } = await start({ files: { "/w/emend.config.json": '{ "modle": "builtin" }' } });
    const issues = ["`modle` (emend.config.json:1) is no setting. Did you mean `model`?"];
    await expect.poll(() => notifications.at(-1)?.issues).toEqual(issues);
    expect((await status()).condition.issues).toEqual(issues);
  });

  test("names no failure of a model that the settings no longer name", async () => {
    const failing: Model = {
      ...{ name, contextTokens: 2_048 },
      // biome-ignore lint/correctness/useYield: It fails before its first text.
      async *fill() {
        throw new ModelError("unreachable", "The server does not respond.");
      },
    };
    const own = { userFolder: "/home/me/.config/emend", environment: {}, flags: [], openModel: () => failing };
    const { client, notifications } = await start({
      host: { settings: own },
      initialize: { initializationOptions: { emendStatus: true, emend: { model: name } } },
    });
    await client.complete(await client.open(uri, "const a = |\n", "typescript"));
    await expect
      .poll(() => notifications.at(-1))
      .toMatchObject({ kind: "warning", failedModel: { problem: "The server does not respond." } });
    const settings = { emend: { model: "builtin" } };
    await client.connection.sendNotification("workspace/didChangeConfiguration", { settings });
    await expect
      .poll(() => notifications.at(-1))
      .toEqual({ kind: "normal", busy: false, message: "", editModel: null });
  });

  test("names no failure of a model that a setup has tried with success since", async () => {
    let trials: readonly object[] = [];
    const failing: Model = {
      ...{ name, contextTokens: 2_048 },
      // biome-ignore lint/correctness/useYield: It fails before its first text.
      async *fill() {
        throw new ModelError("unreachable", "Nothing listens there.");
      },
    };
    const setUp: SetUp = async () =>
      ({ kind: "unchanged", servers: [], tried: trials, file: "/f", settings: [], notes: [] }) as never;
    const { client, notifications, status } = await start({ model: failing, host: { setUp } });
    await client.complete(await client.open(uri, "const a = |\n", "typescript"));
    await expect.poll(() => notifications.at(-1)?.kind).toBe("warning");
    for (const [fills, kind] of [
      [false, "warning"],
      [true, "normal"],
    ] as const) {
      trials = [{ name, fills, chats: false }];
      await client.connection.sendRequest("emend/setup", {});
      expect((await status()).condition).toMatchObject({ kind });
    }
    expect((await status()).condition).toEqual({ kind: "normal", busy: false, message: "", editModel: shownName });
    expect((await status()).sessions[0]?.modelDetails[0]).not.toHaveProperty("problem");
  });

  test("names no reason that new settings have ended, and keeps those of the file itself", async () => {
    const off = { emend: { complete: { languages: { typescript: false } } } };
    const { client, notifications } = await start({
      initialize: { initializationOptions: { emendStatus: true, ...off } },
    });
    const configure = (settings: object) =>
      client.connection.sendNotification("workspace/didChangeConfiguration", { settings });
    const place = await client.open(uri, "const a = |\n", "typescript");
    const context = { triggerKind: InlineCompletionTriggerKind.Automatic };
    await client.connection.sendRequest("textDocument/inlineCompletion", { ...place, context });
    await expect.poll(() => notifications.at(-1)?.noSuggestion?.kind).toBe("language-off");
    await configure({ emend: {} });
    await expect
      .poll(() => notifications.at(-1))
      .toEqual({ kind: "normal", busy: false, message: "", editModel: shownName });
    await client.complete(await client.open("file:///w/.env", "KEY=|"));
    await expect.poll(() => notifications.at(-1)?.noSuggestion?.kind).toBe("secret-file");
    await configure({ emend: { edit: { model: "ollama:b" } } });
    await expect.poll(() => notifications.at(-1)?.editModel).toBe("ollama:b");
    expect(notifications.at(-1)?.noSuggestion?.kind).toBe("secret-file");
  });

  test("names a model that its server is loading, and the request is repeated until it answers", async () => {
    let refusals = 2;
    const answering = modelAnswering("1;");
    const model: Model = {
      ...{ name: answering.name, contextTokens: 2_048 },
      async *fill(request, options) {
        refusals -= 1;
        const message = "llama.cpp is still loading its model. Ask again in a moment.";
        if (refusals >= 0) throw new ModelError("busy", message);
        return yield* answering.fill!(request, options);
      },
    };
    const { client, notifications, status } = await start({ model });
    const items = await client.complete(await client.open(uri, "const a = |\n", "typescript"));
    expect(items).toMatchObject([{ insertText: "1;" }]);
    const problem = "llama.cpp is still loading its model. Ask again in a moment.";
    expect(notifications).toContainEqual(
      expect.objectContaining({
        message: `Loading ${name}`,
        failedModel: { name, problem, failure: "busy", isLoading: true },
      }),
    );
    expect((await status()).condition).toEqual({ kind: "normal", busy: false, message: "", editModel: shownName });
  });

  test("is not sent to clients that did not request it", async () => {
    const { client, notifications } = await start({ initialize: {} });
    await client.complete(await client.open("file:///w/.env", "KEY=|"));
    await client.waitUntilLearnt();
    expect(notifications).toEqual([]);
  });
});
