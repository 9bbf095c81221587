import { afterEach, describe, expect, test, vi } from "vitest";
import type { InlineCompletionItem } from "vscode-languageserver";
import { modelAnswering, TestClient, type TestClientOptions } from "../fixtures/test-client.ts";
import { type SuggestionEvent, SuggestionFeedback } from "../suggestions/suggestion-feedback.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
  vi.restoreAllMocks();
});

const uri = "file:///w/src/a.ts";
const text = "const value = 1;\n  return val|\n";

async function start(options: TestClientOptions = {}): Promise<TestClient> {
  client = await TestClient.start({ model: modelAnswering("ue + 1;"), ...options });
  return client;
}

/**
 * The events that the server reads from a client's messages about suggestions, in one line each.
 */
function listen(): string[] {
  const events: string[] = [];
  vi.spyOn(SuggestionFeedback.prototype, "notify").mockImplementation((id: string, event: SuggestionEvent) => {
    const rest = "characters" in event ? ` ${event.characters} of ${event.from}` : "";
    events.push(`${id} ${event.kind}${rest}`);
  });
  return events;
}

describe("beside textDocument/inlineCompletion", () => {
  test("an inline completion request may contain a version and formatting options", async () => {
    const client = await start();
    const { position } = await client.open(uri, text, "typescript");
    const [item] = await client.complete({
      textDocument: { uri, version: 1 },
      position,
      formattingOptions: { tabSize: 2, insertSpaces: true },
    });
    expect(item?.insertText).toBe("ue + 1;");
  });

  test("a suggestion that is shown, partially accepted and accepted is reported by its item", async () => {
    const events = listen();
    const client = await start();
    const [item] = await client.complete(await client.open(uri, text, "typescript"));
    const { connection } = client;
    await connection.sendNotification("textDocument/didShowCompletion", { item });
    await connection.sendNotification("textDocument/didPartiallyAcceptCompletion", { item, acceptedLength: 2 });
    await connection.sendRequest("workspace/executeCommand", {
      command: item!.command!.command,
      arguments: item!.command!.arguments,
    });
    const [id] = item!.command!.arguments!;
    expect(events).toEqual([`${id} shown`, `${id} partly-accepted 2 of insertion`, `${id} accepted`]);
  });

  test("ignores feedback without an id and on forgotten suggestions", async () => {
    const client = await start();
    const { connection } = client;
    const item: Partial<InlineCompletionItem> = { command: { title: "", command: "x", arguments: ["suggestion-99"] } };
    for (const params of [{ item }, { item: {} }, {}, { item: null }]) {
      await connection.sendNotification("textDocument/didShowCompletion", params);
      await connection.sendNotification("textDocument/didPartiallyAcceptCompletion", params);
    }
    await connection.sendNotification("textDocument/didFocus", {});
    await connection.sendNotification("textDocument/didFocus", { textDocument: { uri: "file:///w/no.ts" } });
    await connection.sendRequest("workspace/executeCommand", { command: "emend.didAcceptCompletion" });
    await connection.sendRequest("workspace/executeCommand", { command: "unheard.of", arguments: [1] });
    expect(await client.complete(await client.open(uri, text, "typescript"))).toHaveLength(1);
    expect(client.logged.filter((line) => line.includes("crashed"))).toEqual([]);
  });

  test("answers no next edit for a document that is not open", async () => {
    const { connection } = await start();
    const params = { textDocument: { uri, version: 1 }, position: { line: 0, character: 0 } };
    expect(await connection.sendRequest("textDocument/copilotInlineEdit", params)).toEqual({ edits: [] });
  });

  test.each<[method: string, params: object | undefined, answer: unknown]>([
    ["checkStatus", {}, { status: "OK", user: "no sign-in needed" }],
    ["checkStatus", undefined, { status: "OK", user: "no sign-in needed" }],
    ["signIn", {}, { status: "AlreadySignedIn", user: "no sign-in needed" }],
    ["signInInitiate", {}, { status: "AlreadySignedIn", user: "no sign-in needed" }],
    ["signInConfirm", { userCode: "x" }, { status: "OK", user: "no sign-in needed" }],
    ["signOut", {}, { status: "OK", user: "no sign-in needed" }],
    ["getVersion", {}, { version: "0.0.0-test" }],
    ["setEditorInfo", { editorInfo: { name: "x", version: "1" } }, "OK"],
  ])("%s %j", async (method, params, answer) => {
    const { connection } = await start();
    expect(
      await (params === undefined ? connection.sendRequest(method) : connection.sendRequest(method, params)),
    ).toEqual(answer);
  });
});

describe("didChangeStatus", () => {
  interface Status {
    readonly kind: string;
    readonly message: string;
  }

  async function startWithStatus(initializationOptions: unknown) {
    const statuses: Status[] = [];
    const client = await start({
      initialize: { initializationOptions },
      onConnection: (connection) =>
        void connection.onNotification("didChangeStatus", (status: Status) => void statuses.push(status)),
    });
    return { client, statuses };
  }

  test("notifies a client that sends editor info of the server's status, once for each change", async () => {
    const { client, statuses } = await startWithStatus({ editorInfo: { name: "x", version: "1" } });
    await client.waitUntilLearnt();
    await client.complete(await client.open("file:///w/.env", "KEY=|"));
    await client.complete({ textDocument: { uri: "file:///w/.env" }, position: { line: 0, character: 0 } });
    await client.complete(await client.open(uri, text, "typescript"));
    const kinds = statuses.map(({ kind }) => kind).filter((kind, i, all) => kind !== all[i - 1]);
    expect(kinds).toEqual(["Normal", "Inactive", "Normal"]);
    expect(statuses.filter(({ kind }) => kind === "Inactive")).toEqual([
      { kind: "Inactive", busy: false, message: ".env may hold keys or passwords, so no model is shown it." },
    ]);
  });

  test("is not sent to clients without editor info", async () => {
    const { client, statuses } = await startWithStatus(undefined);
    await client.complete(await client.open("file:///w/.env", "KEY=|"));
    expect(statuses).toEqual([]);
  });
});

describe("the older dialect", () => {
  interface Completions {
    readonly completions: readonly { readonly uuid: string; readonly text: string; readonly displayText: string }[];
  }

  async function ask(client: TestClient, method: string, marked = text, more: object = {}): Promise<Completions> {
    const { position } = await client.open(uri, marked, "typescript");
    const doc = { uri, position, insertSpaces: true, tabSize: 2, indentSize: 2, relativePath: "src/a.ts", ...more };
    return client.connection.sendRequest<Completions>(method, { doc });
  }

  test.each(["getCompletions", "getCompletionsCycling"])("%s gives whole lines", async (method) => {
    const client = await start();
    expect(await ask(client, method)).toEqual({
      completions: [
        {
          uuid: expect.any(String),
          text: "  return value + 1;",
          displayText: "ue + 1;",
          range: { start: { line: 1, character: 0 }, end: { line: 1, character: 12 } },
          position: { line: 1, character: 12 },
          docVersion: 1,
        },
      ],
    });
  });

  test.each<[what: string, more: object]>([
    ["another version", { version: 99 }],
    ["a document that is not open", { uri: "file:///w/no.ts" }],
  ])("%s answers no completions", async (_, more) => {
    expect(await ask(await start(), "getCompletions", text, more)).toEqual({ completions: [] });
  });

  test("a request without a document gets no completions", async () => {
    const { connection } = await start();
    expect(await connection.sendRequest("getCompletions", {})).toEqual({ completions: [] });
  });

  test("a suggestion that is shown, accepted and rejected is reported by its id", async () => {
    const events = listen();
    const client = await start();
    const uuid = (await ask(client, "getCompletions")).completions[0]!.uuid;
    const { connection } = client;
    const answers = [
      await connection.sendRequest("notifyShown", { uuid }),
      await connection.sendRequest("notifyAccepted", { uuid, acceptedLength: 3 }),
      await connection.sendRequest("notifyAccepted", { uuid }),
      await connection.sendRequest("notifyRejected", { uuids: [uuid, "suggestion-99"] }),
      await connection.sendRequest("notifyShown", {}),
      await connection.sendRequest("notifyAccepted", {}),
      await connection.sendRequest("notifyRejected", {}),
    ];
    expect(new Set(answers)).toEqual(new Set(["OK"]));
    expect(events).toEqual([
      ...[`${uuid} shown`, `${uuid} partly-accepted 3 of ghost`, `${uuid} accepted`],
      ...[`${uuid} dismissed`, "suggestion-99 dismissed"],
    ]);
  });
});
