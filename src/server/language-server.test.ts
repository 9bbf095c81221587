import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Model } from "../model/index.ts";
import { MemoryFileSystem, type WatchRequest } from "../workspace/index.ts";
import { modelAnswering, TestClient, type TestClientOptions } from "./fixtures/test-client.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

async function start(options: TestClientOptions = {}): Promise<TestClient> {
  client = await TestClient.start(options);
  return client;
}

/** Code that repeats one statement so often that its continuation is certain. */
const clear = "export function first(items: readonly string[]): string {\n  return items.at(0) ?? missing(items);\n}\n";
const files = { "/w/src/a.ts": clear.repeat(12), "/w/src/b.ts": clear.repeat(3) };
const source = `${clear.repeat(3)}export function first(items: readonly string[]): string {\n  return ite|\n}\n`;
const uri = "file:///w/src/new.ts";

/** A server that has learnt {@link files}, with {@link source} open. */
async function startWithSource(options: TestClientOptions = {}) {
  const client = await start({ files, ...options });
  await client.waitUntilLearnt();
  return { client, place: await client.open(uri, source, "typescript") };
}

describe("a completion", () => {
  test("is learnt from the workspace and has the range that it replaces", async () => {
    const { client, place } = await startWithSource();
    const [item, ...others] = await client.complete(place);
    expect(others).toEqual([]);
    expect(item?.insertText).toMatch(/^ms\.at\(0\)/);
    expect(item?.range).toEqual({ start: place.position, end: place.position });
    expect(item?.command).toMatchObject({ command: "emend.didAcceptCompletion", arguments: [expect.any(String)] });
  });

  test("is requested automatically too where the language is enabled", async () => {
    const { client, place } = await startWithSource();
    expect(await client.complete(place, { context: { triggerKind: 2 } })).toHaveLength(1);
    const prose = await client.open("file:///w/notes.md", `${clear}|`, "markdown");
    expect(await client.complete(prose, { context: { triggerKind: 2 } })).toEqual([]);
    expect(await client.lastReasonKind()).toBe("language-off");
  });

  test.each(["utf-16", "utf-8", "utf-32"])("in %s", async (encoding) => {
    const { client } = await startWithSource({
      initialize: { capabilities: { general: { positionEncodings: [encoding] } } },
    });
    expect(client.initialized.capabilities.positionEncoding).toBe(encoding);
    const marked = source.replace("  return ite|", '  const 名 = "😀ä"; return ite|');
    const { position } = await client.open("file:///w/src/wide.ts", marked, "typescript");
    const line = marked.split("\n")[position.line]!.replace("|", "");
    const character = { "utf-16": line.length, "utf-8": Buffer.byteLength(line), "utf-32": [...line].length }[
      encoding
    ]!;
    const here = { line: position.line, character };
    const [item] = await client.complete({ textDocument: { uri: "file:///w/src/wide.ts" }, position: here });
    expect(item?.insertText).toMatch(/^ms/);
    expect(item?.range).toEqual({ start: here, end: here });
  });

  test("follows the text as it changes", async () => {
    const { client, place } = await startWithSource();
    const { position } = place;
    const change = (start: object, end: object, text: string, version: number) =>
      client.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ range: { start, end }, text }],
      });
    await change(position, position, "ms.a", 20);
    const after = { line: position.line, character: position.character + 4 };
    const [item] = await client.complete({ textDocument: { uri }, position: after });
    expect(item?.insertText).toMatch(/^t\(0\)/);
  });

  test("continues from the item selected in the editor's list", async () => {
    const { client, place } = await startWithSource();
    const { line, character } = place.position;
    const range = { start: { line, character: character - 3 }, end: place.position };
    const pick = (text: string) =>
      client.complete(place, { context: { triggerKind: 2, selectedCompletionInfo: { range, text } } });
    const [item] = await pick("items");
    expect(item?.insertText).toMatch(/^items\.at\(0\)/);
    expect(item?.range).toEqual(range);
  });

  test.each<[typed: readonly string[], answer: string, text: string, covered: number]>([
    [["ms.at", "()"], "0) ?? missing;", "0) ?? missing;", 1],
    [["ms.at(", "[]"], "0]);", "0]);", 1],
    [["ms.at(", ")"], "0", "0", 0],
  ])("over brackets: %j and %j", async (typed, answer, text, covered) => {
    const { client, place } = await startWithSource({ model: modelAnswering(answer) });
    const { line } = place.position;
    let { character } = place.position;
    for (const [i, text] of typed.entries()) {
      const at = { line, character };
      await client.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version: 30 + i },
        contentChanges: [{ range: { start: at, end: at }, text }],
      });
      character += i === typed.length - 1 ? text.length - 1 : text.length;
    }
    const position = { line, character };
    const [item] = await client.complete({ textDocument: { uri }, position });
    expect([item?.insertText, await client.lastReasonKind()]).toEqual([text, undefined]);
    expect(item?.range).toEqual({ start: position, end: { line, character: character + covered } });
  });
});

describe("invalid requests are refused with a reason, without hanging", () => {
  const here = { line: 0, character: 0 };
  const big = "x = 1;\n".repeat(3_000_000);

  test.each<[what: string, uri: string, text: string, more: object, reason: string | undefined]>([
    ["a secret file", "file:///w/.env", "KEY=|", {}, "secret-file"],
    ["an older state of a secret file", "git:/w/.env?%7B%22ref%22%3A%22~%22%7D", "KEY=|", {}, "secret-file"],
    ["a file outside, in a folder of secrets", "file:///home/x/.ssh/config", "Host |", {}, "secret-file"],
    ["one on another machine", "ssh://me@host/home/x/%2Eaws/config#x", "[default]\n|", {}, "secret-file"],
    ["an ignored file", "file:///w/out/a.ts", source, {}, "ignored-file"],
    ["an older state of an ignored file", "git:/w/out/a.ts?%7B%22ref%22%3A%22~%22%7D", source, {}, "ignored-file"],
    ["a file of 20 MB", "file:///w/big.ts", big, { position: here }, "too-large"],
    ["a binary file", "file:///w/a.bin", "MZ\0\u0001\0|", {}, "not-text"],
    ["an older version", uri, source, { textDocument: { uri, version: 0 } }, "stale-version"],
    ["a version that has not come", uri, source, { textDocument: { uri, version: 99 } }, "stale-version"],
    ["a document that is not open", uri, source, { textDocument: { uri: "file:///w/no.ts" } }, "unknown-document"],
    ["an address that is none", uri, source, { textDocument: { uri: "" } }, "unknown-document"],
    ["an unknown language", "file:///w/a.tlh", "nuqneH\n|", { context: { triggerKind: 2 } }, "language-off"],
    ["an empty document", uri, "|", { context: { triggerKind: 2 } }, "too-little-context"],
  ])("%s", async (_, at, text, more, reason) => {
    const client = await start({ files: { "/w/.gitignore": "out/\n" } });
    const place = await client.open(at, text);
    expect(await client.complete(place, more)).toEqual([]);
    expect(await client.lastReasonKind()).toBe(reason);
    expect(client.logged.filter((line) => line.startsWith("No suggestion: "))).toHaveLength(1);
  });

  test.each<[what: string, position: object]>([
    ["past the end of the text", { line: 99_999, character: 3 }],
    ["past the end of the line", { line: 10, character: 99_999 }],
    ["before the start", { line: -1, character: -1 }],
    ["between two", { line: 1.5, character: 0.5 }],
  ])("a position %s", async (_, position) => {
    const { client, place } = await startWithSource();
    const items = await client.complete(place, { position });
    for (const { range } of items) expect(range?.start.line).toBe(range?.end.line);
  });

  test("accepts positions at and after half a surrogate pair", async () => {
    const { client } = await startWithSource();
    const text = `const s = "\ud83d";\n${source.replace("ite|", "ite\ude00|")}`;
    const place = await client.open("file:///w/src/half.ts", text, "typescript");
    await client.complete(place);
    await client.complete(place, { position: { line: 0, character: 12 } });
    expect(client.logged.filter((line) => /crashed|failed/.test(line))).toEqual([]);
  });

  const at = { textDocument: { uri }, position: here };
  test.each<[what: string, params: unknown, missing: string]>([
    ["no document", { position: here, context: { triggerKind: 1 } }, "textDocument.uri"],
    ["no position", { textDocument: { uri }, context: { triggerKind: 1 } }, "position"],
    ["an empty position", { ...at, position: {} }, "position"],
    ["a position that is no number", { ...at, position: { line: 1, character: "x" } }, "position"],
    [
      "a picked item without a range",
      { ...at, context: { triggerKind: 1, selectedCompletionInfo: { text: "x" } } },
      "context.selectedCompletionInfo.range.start",
    ],
    ["nothing", {}, "textDocument.uri"],
  ])("a request with %s in it", async (_, params, missing) => {
    const { client, place } = await startWithSource();
    await expect(client.connection.sendRequest("textDocument/inlineCompletion", params)).rejects.toMatchObject({
      ...{ code: -32602, message: expect.stringContaining(`textDocument/inlineCompletion requires \`${missing}\`, `) },
    });
    expect(client.logged.filter((line) => /crashed|\n {4}at /.test(line))).toEqual([]);
    expect(await client.complete(place)).toHaveLength(1);
  });

  test("ignores changes of a document that is not open and invalid notifications", async () => {
    const { client, place } = await startWithSource();
    const send = (method: string, params: object) => client.connection.sendNotification(method, params);
    await send("textDocument/didChange", { textDocument: { uri: "file:///w/no.ts", version: 1 }, contentChanges: [] });
    await send("textDocument/didChange", { textDocument: { uri, version: 50 } });
    await send("textDocument/didChange", {
      textDocument: { uri, version: 51 },
      contentChanges: [{ range: {}, text: "" }],
    });
    await send("textDocument/didOpen", {});
    await send("textDocument/didFocus", { textDocument: { uri: 1 } });
    await send("textDocument/didShowCompletion", { item: { command: { arguments: 1 } } });
    await send("workspace/didChangeWorkspaceFolders", {});
    await send("textDocument/didClose", { textDocument: { uri: "file:///w/no.ts" } });
    await send("$/unheardOf", {});
    expect(await client.complete(place)).toHaveLength(1);
    expect(client.logged.filter((line) => line.includes("crashed"))).toEqual([]);
    expect(client.logged).toContain("textDocument/didOpen requires `textDocument.uri`, which is a string.");
  });
});

test("answers a crash in a request with an error, logs it, and continues", async () => {
  let isBroken = false;
  class Breaking extends MemoryFileSystem {
    override readFolder(path: string) {
      if (isBroken) throw new TypeError("the disk is made of cheese");
      return super.readFolder(path);
    }
  }
  const fileSystem = new Breaking({ "/w/.git/HEAD": "", ...files });
  const { client, place } = await startWithSource({ host: { fileSystem } });
  isBroken = true;
  const other = await client.open("file:///w/elsewhere/a.ts", source, "typescript");
  await expect(client.complete(other)).rejects.toThrow(
    "textDocument/inlineCompletion failed: the disk is made of cheese",
  );
  expect(client.logged.some((line) => /^textDocument\/inlineCompletion crashed: TypeError: the disk/.test(line))).toBe(
    true,
  );
  isBroken = false;
  expect(await client.complete(place)).toHaveLength(1);
  expect(await client.complete(other)).toHaveLength(1);
});

test("answers a cancelled request as cancelled", async () => {
  const { client, place } = await startWithSource();
  const { CancellationTokenSource } = await import("vscode-languageserver/node");
  const cancellation = new CancellationTokenSource();
  const params = { ...place, context: { triggerKind: 1 } };
  const answer = client.connection.sendRequest("textDocument/inlineCompletion", params, cancellation.token);
  cancellation.cancel();
  await expect(answer).rejects.toMatchObject({ code: -32800 });
  expect(await client.complete(place)).toHaveLength(1);
});

describe("workspace folders", () => {
  const event = (added: readonly string[], removed: readonly string[]) => ({
    event: {
      added: added.map((folder) => ({ uri: `file://${folder}`, name: folder })),
      removed: removed.map((folder) => ({ uri: `file://${folder}`, name: folder })),
    },
  });
  const roots = async (client: TestClient) => {
    const { sessions } = await client.connection.sendRequest<{
      readonly sessions: readonly { readonly root?: string }[];
    }>("emend/status");
    return sessions.map(({ root }) => root);
  };

  test("are added and removed, each with its own files", async () => {
    const client = await start({ files: { "/x/src/a.ts": clear.repeat(12) } });
    const place = await client.open("file:///x/src/new.ts", "export function first(items|", "typescript");
    await client.waitUntilLearnt();
    expect(await client.complete(place)).toEqual([]);
    await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", event(["/x", "/gone"], []));
    await client.waitUntilLearnt();
    expect(await client.complete(place)).toHaveLength(1);
    expect(await roots(client)).toEqual(["/w", "/x", "/gone", undefined]);
    await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", event([], ["/w", "/x", "/never"]));
    expect(await client.complete(place)).toEqual([]);
    expect(await roots(client)).toEqual(["/gone", undefined]);
  });

  test("the innermost folder answers for a file", async () => {
    const workspaceFolders = ["/w", "/w/packages/x"].map((folder) => ({ uri: `file://${folder}`, name: folder }));
    const client = await start({ files: { "/w/packages/x/.gitignore": "b.ts\n" }, initialize: { workspaceFolders } });
    const place = await client.open("file:///w/packages/x/b.ts", "|a", "typescript");
    await client.complete(place);
    const last = await client.connection.sendRequest<{ readonly path: string }>("emend/explain");
    expect(last).toMatchObject({ path: "b.ts", reason: { kind: "ignored-file", by: ".gitignore:1: b.ts" } });
  });

  test("a missing folder does not stop the server", async () => {
    const client = await start({ initialize: { workspaceFolders: [{ uri: "file:///nowhere", name: "x" }] } });
    await client.waitUntilLearnt();
    const place = await client.open("file:///nowhere/a.ts", `${clear}${clear}export fun|`, "typescript");
    expect(await client.complete(place)).toHaveLength(1);
    expect(client.logged.filter((line) => line.startsWith("Learning /nowhere failed: "))).toHaveLength(1);
  });

  test.each<[what: string, initialize: object, root: string | undefined]>([
    ["rootUri", { workspaceFolders: null, rootUri: "file:///w" }, "/w"],
    ["rootPath", { workspaceFolders: null, rootUri: null, rootPath: "/w" }, "/w"],
    ["nothing", { workspaceFolders: null, rootUri: null }, undefined],
  ])("an older client names %s", async (_, initialize, root) => {
    const client = await start({ files, initialize });
    await client.waitUntilLearnt();
    const place = await client.open("file:///w/src/new.ts", source, "typescript");
    expect(await client.complete(place)).toHaveLength(1);
    expect(await roots(client)).toEqual([root]);
  });
});

test("progress is shown while learning", async () => {
  const steps: string[] = [];
  const client = await start({
    files: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`/x/src/${i}.ts`, clear.repeat(5)])),
    initialize: { capabilities: { window: { workDoneProgress: true } } },
    onConnection(connection) {
      connection.onRequest("window/workDoneProgress/create", () => null);
      connection.onNotification("$/progress", ({ value }: { readonly value: { readonly kind: string } }) => {
        steps.push(value.kind);
      });
    },
  });
  await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
    event: { added: [{ uri: "file:///x", name: "x" }], removed: [] },
  });
  await expect.poll(() => steps.at(-1)).toBe("end");
  expect(steps[0]).toBe("begin");
  expect(client.logged).toEqual([]);
});

describe("settings", () => {
  const python = (client: TestClient) =>
    client.open("file:///w/a.py", "value = first(value)\nvalue = fir|\n", "python");
  const automatic = { context: { triggerKind: 2 } };
  const off = { complete: { languages: { python: false } } };

  test("of a file in the workspace", async () => {
    const client = await start({ files: { "/w/emend.config.json": JSON.stringify(off) } });
    expect(await client.complete(await python(client), automatic)).toEqual([]);
    expect(await client.lastReasonKind()).toBe("language-off");
  });

  test("a language unknown to the registry is switched by the editor's id or by `*`", async () => {
    const settings = (languages: object) => ({
      initialize: { initializationOptions: { emend: { complete: { languages } } } },
    });
    for (const [languages, ...off] of [
      [{}],
      [{ zorklang: false }, "languages.zorklang"],
      [{ "*": false }, "languages.*"],
      [{ "*": false, zorklang: true }],
    ] as const) {
      const client = await start(settings(languages));
      const place = await client.open("file:///w/a.zork", "value = first(value)\nvalue = fir|\n", "zorklang");
      await client.complete(place, automatic);
      const reason = "Switched off for zorklang by complete.";
      const logged = client.logged.filter((line) => line.includes(reason));
      expect(logged).toEqual(off.map((setting) => expect.stringContaining(reason + setting)));
    }
  });

  test("are requested for each folder, and again after a change notification", async () => {
    let settings: unknown = off;
    const requests: unknown[] = [];
    const client = await start({
      initialize: {
        capabilities: { workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } } },
      },
      onConnection(connection) {
        connection.onRequest("client/registerCapability", () => null);
        connection.onRequest("workspace/configuration", ({ items }) => {
          requests.push(...items);
          return items.map(() => settings);
        });
      },
    });
    const place = await python(client);
    await expect
      .poll(async () => [await client.complete(place, automatic), await client.lastReasonKind()][1])
      .toBe("language-off");
    expect(requests[0]).toEqual({ section: "emend", scopeUri: "file:///w" });
    settings = {};
    await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
    await expect
      .poll(async () => [await client.complete(place, automatic), await client.lastReasonKind()][1])
      .not.toBe("language-off");
  });

  test("of a file in no folder are requested; those that the client sends with their defaults do not count", async () => {
    const client = await start({
      initialize: { capabilities: { workspace: { configuration: true } } },
      onConnection(connection) {
        connection.onRequest("workspace/configuration", ({ items }) =>
          items.map(({ scopeUri }: { readonly scopeUri?: string }) => (scopeUri === undefined ? off : {})),
        );
      },
    });
    await python(client);
    const all = { emend: { trace: { server: "off" }, complete: { languages: { zorklang: false } } } };
    await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: all });
    const place = await client.open("file:///elsewhere/a.py", "value = first(value)\nvalue = fir|\n", "python");
    await expect
      .poll(async () => [await client.complete(place, automatic), await client.lastReasonKind()][1])
      .toBe("language-off");
    expect(client.logged.filter((line) => line.includes("is no setting"))).toEqual([]);
  });

  test.each<[what: string, initializationOptions: unknown, change: unknown]>([
    ["with its first message", { emend: off }, undefined],
    ["later", undefined, { emend: off }],
  ])("that a client sends without a request, %s", async (_, initializationOptions, settings) => {
    const client = await start({ initialize: { initializationOptions } });
    if (settings !== undefined)
      await client.connection.sendNotification("workspace/didChangeConfiguration", { settings });
    await client.complete(await python(client), automatic);
    expect(await client.lastReasonKind()).toBe("language-off");
  });

  test("that are invalid are reported, and valid ones still apply", async () => {
    const client = await start({ initialize: { initializationOptions: { emend: { ...off, modell: "x" } } } });
    await client.complete(await python(client), automatic);
    expect(await client.lastReasonKind()).toBe("language-off");
    expect(client.logged.filter((line) => line.includes("emend.modell of the editor"))).toHaveLength(1);
  });

  test("a model that cannot be opened is reported, and is the reason without a suggestion", async () => {
    const model = "openai-compatible:http://127.0.0.1:1/v1#none";
    const client = await start({ initialize: { initializationOptions: { emend: { model } } } });
    await client.complete(await python(client), automatic);
    const cure = `There is no server for ${model} in this test.`;
    expect(client.logged[0]).toBe(cure);
    const last = await client.connection.sendRequest("emend/explain");
    expect(last).toMatchObject({ reason: { kind: "no-model", cure }, outcome: { reason: { cure } } });
  });

  test("an unknown template is reported with the names of the known ones", async () => {
    const model = "ollama:some-coder";
    const models = { [model]: { template: "qwenn" } };
    const client = await start({ initialize: { initializationOptions: { emend: { model, models } } } });
    await client.complete(await python(client), automatic);
    expect(client.logged.filter((line) => /"qwenn"; it may be "qwen", /.test(line))).toHaveLength(1);
  });
});

test("a model is disposed of when the configuration names another, and at the end", async () => {
  const log: string[] = [];
  const openHeld = (name: string) => {
    log.push(`open ${name}`);
    return { ...modelAnswering("x"), name, [Symbol.dispose]: () => void log.push(`close ${name}`) };
  };
  const settings = { userFolder: "/home/me/.config/emend", environment: {}, flags: [], openModel: openHeld };
  const [one, two] = ["gguf:/one.gguf", "gguf:/two.gguf"] as const;
  const client = await TestClient.start({
    ...{ files, host: { settings }, initialize: { initializationOptions: { emend: { model: one } } } },
  });
  const place = await client.open(uri, source, "typescript");
  await client.complete(place);
  await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: { emend: { model: two } } });
  await expect.poll(async () => [await client.complete(place), log.at(-1)][1]).toBe(`close ${one}`);
  await client[Symbol.asyncDispose]();
  expect(log).toEqual([`open ${one}`, `open ${two}`, `close ${one}`, `close ${two}`]);
});

test("a request during which the settings change is answered with the new settings", async () => {
  let asked!: () => void;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const openSlow = (name: string): Model => ({
    name,
    async *fill(_, { signal } = {}) {
      if (name === two) yield { kind: "text-delta", text: "ms;" };
      else {
        asked();
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      }
      return { reason: "finished" };
    },
  });
  const settings = { userFolder: "/home/me/.config/emend", environment: {}, flags: [], openModel: openSlow };
  const [one, two] = ["gguf:/one.gguf", "gguf:/two.gguf"] as const;
  const client = await TestClient.start({
    ...{ files, host: { settings }, initialize: { initializationOptions: { emend: { model: one } } } },
  });
  const completed = client.complete(await client.open(uri, source, "typescript"));
  await isAsked;
  await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: { emend: { model: two } } });
  expect((await completed).map(({ insertText }) => insertText)).toEqual([expect.stringContaining("ms;")]);
  await client[Symbol.asyncDispose]();
});

test("earlier answers stay where the settings are read again and are the same", async () => {
  const log: string[] = [];
  const openCounted = (name: string): Model & Disposable => ({
    name,
    async *fill() {
      log.push("fill");
      yield { kind: "text-delta", text: "ms;" };
      return { reason: "finished" };
    },
    [Symbol.dispose]: () => void log.push("close"),
  });
  const settings = { userFolder: "/home/me/.config/emend", environment: {}, flags: [], openModel: openCounted };
  const model = "llamacpp:http://127.0.0.1:1";
  const client = await TestClient.start({
    ...{ files, host: { settings }, initialize: { initializationOptions: { emend: { model } } } },
  });
  const place = await client.open(uri, source, "typescript");
  const logged = (what: string) => log.filter((line) => line === what).length;
  /** How many answers the model has given, with that to a completion after other settings. */
  const reload = async (emend: object) => {
    const closed = logged("close");
    await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: { emend } });
    await expect.poll(() => logged("close")).toBe(closed + 1);
    expect(await client.complete(place)).toHaveLength(1);
    return logged("fill");
  };
  expect(await client.complete(place)).toHaveLength(1);
  expect(await reload({ model, complete: { multiLine: "auto" } })).toBe(1);
  expect(await reload({ model, complete: { multiLine: "never" } })).toBe(2);
  await client[Symbol.asyncDispose]();
});

/**
 * A model that answers `ms;`, and what it was shown besides the file, each text behind its path.
 */
function listeningModel(): { readonly model: Model; readonly shown: string[] } {
  const shown: string[] = [];
  const model: Model = {
    ...modelAnswering("ms;"),
    async *fill({ context = [] }) {
      shown.push(...context.map(({ path, text }) => `${path} ${text}`));
      yield { kind: "text-delta", text: "ms;" };
      return { reason: "finished" };
    },
  };
  return { model, shown };
}

test("row 5: prompts contain no edit of a file into which a private key was pasted", async () => {
  const { model, shown } = listeningModel();
  const { client, place } = await startWithSource({ model });
  const start = { line: 0, character: 0 };
  const key = `-----BEGIN RSA ${"PRIVATE KEY"}-----\n${"MIIEowIBAAKCAQEA0Z3VS5JJ".repeat(3)}\n`;
  const typed = async (uri: string, version: number, text: string) =>
    client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ range: { start, end: start }, text }],
    });
  for (const name of ["plain", "holder"]) {
    const uri = `file:///w/src/${name}.ts`;
    await client.open(uri, "first = 1;\n");
    await client.complete({ textDocument: { uri }, position: start });
    await typed(uri, 70, `edited_in_${name} = `);
  }
  shown.length = 0;
  await client.complete(place);
  expect(shown.join("\n")).toMatch(/edited_in_plain[\s\S]*edited_in_holder|edited_in_holder[\s\S]*edited_in_plain/);
  const holder = "file:///w/src/holder.ts";
  await typed(holder, 71, key);
  await typed(holder, 72, "edited_beside_the_key\n");
  shown.length = 0;
  await client.complete(await client.open("file:///w/src/again.ts", source, "typescript"));
  expect(shown.join("\n")).toContain("edited_in_plain");
  expect(shown.join("\n")).not.toMatch(/edited_in_holder|edited_beside_the_key|MIIEow/);
});

test("prompts contain recent edits, but none in ignored files", async () => {
  const { model, shown } = listeningModel();
  const { client, place } = await startWithSource({ model, files: { ...files, "/w/.gitignore": "out/\n" } });
  const start = { line: 0, character: 0 };
  for (const [i, uri] of ["file:///w/src/other.ts", "file:///w/out/other.ts"].entries()) {
    await client.open(uri, "first = 1;\n");
    await client.complete({ textDocument: { uri }, position: start });
    await client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 70 + i },
      contentChanges: [{ range: { start, end: start }, text: `edited_lately_${i} = ` }],
    });
  }
  shown.length = 0;
  await client.complete(place);
  expect(shown.join("\n")).toContain("+edited_lately_0 = first = 1;");
  expect(shown.join("\n")).not.toContain("edited_lately_1");
});

test("prompts contain edits of a closed document only if it was saved", async () => {
  const { model, shown } = listeningModel();
  const { client, place } = await startWithSource({ model });
  const start = { line: 0, character: 0 };
  // So that the configuration has been read.
  await client.complete(await client.open("file:///w/src/first.ts", source, "typescript"));
  shown.length = 0;
  for (const name of ["saved", "lost", "untitled"]) {
    const uri = name === "untitled" ? "untitled:Untitled-1" : `file:///w/src/${name}.ts`;
    const text = `edited_${name}();\n`;
    if (name !== "untitled") client.disk.writeFile(`/w/src/${name}.ts`, "first();\n");
    await client.open(uri, "first();\n", "typescript");
    await client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 80 },
      contentChanges: [{ range: { start, end: start }, text }],
    });
    if (name === "saved") client.disk.writeFile("/w/src/saved.ts", `${text}first();\n`);
    await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }
  await client.complete(place);
  const prompt = shown.join("\n");
  expect(prompt).toContain("+edited_saved();");
  expect(prompt).not.toMatch(/edited_(lost|untitled)/);
});

test("prompts contain uncommitted changes, but none of ignored files", async () => {
  const { model, shown } = listeningModel();
  const part = (path: string, text: string) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${text}\n`;
  const readDiff = async () => part("src/b.ts", "uncommitted") + part("out/c.ts", "ignored_text");
  const { client, place } = await startWithSource({
    ...{ model, files: { ...files, "/w/.gitignore": "out/\n" } },
    host: { readDiff },
  });
  await expect.poll(async () => [await client.complete(place), shown.join("\n")][1]).toContain("+uncommitted");
  expect(shown.join("\n")).not.toContain("ignored_text");
});

test("prompts contain code of the workspace, but no secrets and ignored files", async () => {
  const { model, shown } = listeningModel();
  const key = `// -----BEGIN PRIVATE KEY-----\n${clear.repeat(3)}`;
  const { client, place } = await startWithSource({ model, files: { ...files, "/w/.gitignore": "out/\n" } });
  await client.open("file:///w/src/tab.ts", clear.repeat(4), "typescript");
  await client.open("file:///w/out/ignored.ts", clear.repeat(4), "typescript");
  await client.open("git:/w/out/older%20ignored.ts?x", clear.repeat(4), "typescript");
  await client.open("file:///w/.env", clear.repeat(4), "typescript");
  await client.open("git:/w/.env?x", clear.repeat(4), "typescript");
  await client.open("git:/w/.ssh/config?x", clear.repeat(4), "typescript");
  await client.open("file:///w/src/key.ts", key.replace("// ", "").replace("KEY-----", "KEY-----\nMIIE"), "typescript");
  expect(await client.complete(place)).toHaveLength(1);
  expect(shown.map((text) => text.split(" ")[0])).toContain("src/tab.ts");
  expect(shown.join("\n")).not.toMatch(/ignored\.ts|\.env|config|key\.ts/);
});

test("a file that becomes ignored is not completed, not shown to a model, and forgotten", async () => {
  const { model, shown } = listeningModel();
  let watched: WatchRequest | undefined;
  const { client } = await startWithSource({
    ...{ model, files: { ...files, "/w/src/sec.ts": clear.replaceAll("missing", "hidden_name").repeat(3) } },
    host: {
      async watch(request) {
        watched = request;
        return { add: () => undefined, async [Symbol.asyncDispose]() {} };
      },
    },
  });
  const sec = await client.open("file:///w/src/sec.ts", source.replaceAll("missing", "hidden_name"), "typescript");
  let count = 0;
  /** What the model is shown for a place that was not requested before. */
  const ask = async () => {
    shown.length = 0;
    count += 1;
    await client.complete(await client.open(`file:///w/src/new${count}.ts`, source, "typescript"));
    return shown.join("\n");
  };
  await expect.poll(ask).toContain("src/sec.ts");
  expect(await client.complete(sec)).toHaveLength(1);
  const start = { line: 0, character: 0 };
  await client.connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: "file:///w/src/sec.ts", version: 90 },
    contentChanges: [{ range: { start, end: start }, text: "hidden_edit();\n" }],
  });
  await expect.poll(ask).toContain("hidden_edit");

  client.disk.writeFile("/w/.gitignore", "sec.ts\n");
  watched!.onChange("/w/.gitignore");
  await expect.poll(async () => [await client.complete(sec), await client.lastReasonKind()][1]).toBe("ignored-file");
  const indexed = async () => {
    const { sessions } = await client.connection.sendRequest<{
      readonly sessions: readonly { readonly indexedFiles: number; readonly learning: { readonly files: number } }[];
    }>("emend/status");
    return [sessions[0]!.indexedFiles, sessions[0]!.learning.files];
  };
  await expect.poll(indexed).toEqual([2, 2]);
  const prompt = await ask();
  expect(prompt).toContain("src/a.ts");
  expect(prompt).not.toMatch(/sec\.ts|hidden_/);
});

describe("the end", () => {
  test("of the server after shutdown has exit code 0", async () => {
    const client = await TestClient.start();
    await client.connection.sendRequest("shutdown");
    await client.connection.sendNotification("exit");
    expect(await client.ended).toBe(0);
  });

  test("of the server without shutdown has exit code 1", async () => {
    const client = await TestClient.start();
    await client.connection.sendNotification("exit");
    expect(await client.ended).toBe(1);
  });

  test("a client that hangs up ends the server", async () => {
    const client = await TestClient.start();
    client.hangUp();
    expect(await client.ended).toBe(1);
  });

  test("a client that accepts no messages does not keep the server busy with logging", async () => {
    const client = await TestClient.start();
    const failed = client.failWrites();
    client.connection.sendRequest("emend/status").catch(() => undefined);
    await failed;
    await setImmediate();
    client.hangUp();
    expect(await client.ended).toBe(1);
  });

  test("an answer in flight when the client disconnects causes no error", async () => {
    const model: Model = {
      ...modelAnswering(""),
      async *fill(_, { signal } = {}) {
        return await new Promise<never>((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      },
    };
    const client = await TestClient.start({ model, files });
    const place = await client.open(uri, source, "typescript");
    client.complete(place).catch(() => undefined);
    // It is under way when the server has taken up another request.
    await client.connection.sendRequest("emend/status");
    await client.connection.sendNotification("exit");
    expect(await client.ended).toBe(1);
  });

  test("the server ends when the client's process has ended", async () => {
    const due: (() => void)[] = [];
    const clock = {
      now: () => performance.now(),
      after(_: number, task: () => void) {
        due.push(task);
        return { [Symbol.dispose]: () => undefined };
      },
    };
    const client = await TestClient.start({
      initialize: { processId: 4711, workspaceFolders: null },
      host: { isAlive: () => false, clock },
    });
    for (const task of due) task();
    expect(await client.ended).toBe(1);
  });
});
