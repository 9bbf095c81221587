import { afterEach, describe, expect, test } from "vitest";
import type { Position, TextEdit } from "vscode-languageserver";
import type { ScriptedRewrite } from "../../next/fixtures/scripted-provider.ts";
import { ScriptedProvider } from "../../next/fixtures/scripted-provider.ts";
import type { NextEditOrigin } from "../../next/index.ts";
import { NextEditProviders } from "../../next/node/index.ts";
import { modelAnswering, TestClient, type TestClientOptions } from "../fixtures/test-client.ts";
import type { ExplainedNextEdit } from "../request-log.ts";
import type { NextEditAcceptResult, NextEditItem, NextEditResult } from "./next-edit-methods.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/src/a.ts";
const text = "const total = 1;\nlet count = 2;\nlog(count);\n";
const files = { "/w/src/a.ts": text, "/w/src/b.ts": "import { count } from './a';\n" };

interface StartOptions extends TestClientOptions {
  readonly rewrites?: readonly ScriptedRewrite[];
  /** Other files in which they are proposed too. */
  readonly paths?: readonly string[];
  readonly origin?: Exclude<NextEditOrigin, "model">;
}

/**
 * A server in which a source proposes what is given, and a document in which something was edited.
 */
async function start({
  rewrites = [{ was: "count", text: "amount" }],
  paths = [],
  origin = "name",
  ...options
}: StartOptions = {}) {
  const source = new ScriptedProvider(rewrites, { paths, origin });
  client = await TestClient.start({
    files,
    ...options,
    host: {
      nextEdits: {
        openTypes: null,
        openSources: (tools) => Object.assign(new NextEditProviders({ ...tools, openTypes: null }), { all: [source] }),
      },
      ...options.host,
    },
  });
  const { connection } = client;
  await client.open(uri, text, "typescript");
  const changed = await change(client, 2, [{ range: rangeOf("const"), newText: "export const" }]);
  return { client, connection, source, ...changed };
}

/** The document after edits, which the server receives. */
async function change(client: TestClient, version: number, edits: readonly TextEdit[]) {
  await client.connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version },
    contentChanges: edits.map(({ range, newText }) => ({ range, text: newText })),
  });
  return { place: { textDocument: { uri, version }, position: { line: 0, character: 12 } } };
}

function rangeOf(word: string, source = text) {
  const start = positionOf(source, source.indexOf(word));
  return { start, end: { line: start.line, character: start.character + word.length } };
}

function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1)!.length };
}

const automatic = { context: { triggerKind: 2 } };

async function nextEdit(client: TestClient, params: object): Promise<NextEditResult> {
  return client.connection.sendRequest<NextEditResult>("emend/nextEdit", params);
}

/** The suggestion; what is silent fails. */
async function offered(client: TestClient, params: object): Promise<NextEditItem> {
  const answer = await nextEdit(client, params);
  if (answer.kind === "no-suggestion") throw new Error(answer.text);
  return answer.suggestion;
}

async function copilotEdits(client: TestClient, params: object) {
  const { edits } = await client.connection.sendRequest<{ readonly edits: readonly CopilotEdit[] }>(
    "textDocument/copilotInlineEdit",
    params,
  );
  return edits;
}

interface CopilotEdit extends TextEdit {
  readonly text: string;
  readonly command: { readonly command: string; readonly arguments: readonly string[] };
}

describe("emend/nextEdit", () => {
  test("answers all fields of a suggestion", async () => {
    const { client, place } = await start({ paths: ["src/b.ts"] });
    const suggestion = await offered(client, place);
    const edit = { range: { start: { line: 1, character: 4 }, end: { line: 1, character: 9 } }, newText: "amount" };
    expect(suggestion).toEqual({
      id: "suggestion-1",
      textDocument: { uri, version: 2 },
      ...{ isElsewhere: false, isReused: false, origin: "name", reason: "as scripted", likelihood: 0.9 },
      ...{ range: edit.range, edits: [edit], workspaceEdit: { changes: { [uri]: [edit] } } },
      others: [
        {
          ...{
            textDocument: { uri, version: 2 },
            isSameChain: true,
            origin: "name",
            reason: "as scripted",
            likelihood: 0.9,
          },
          range: { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } },
          edits: [{ range: { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } }, newText: "amount" }],
        },
        expect.objectContaining({ textDocument: { uri: "file:///w/src/b.ts", version: null }, isSameChain: true }),
      ],
    });
  });

  test("answers an edit in another file, with versions where the client supports them", async () => {
    const { client, place } = await start({
      ...{ rewrites: [{ was: "./a", text: "./b" }], paths: ["src/b.ts"] },
      initialize: { capabilities: { workspace: { workspaceEdit: { documentChanges: true } } } },
    });
    const suggestion = await offered(client, place);
    const textDocument = { uri: "file:///w/src/b.ts", version: null };
    expect(suggestion).toMatchObject({
      ...{
        textDocument,
        isElsewhere: true,
        range: { start: { line: 0, character: 23 }, end: { line: 0, character: 26 } },
      },
      workspaceEdit: { documentChanges: [{ textDocument, edits: suggestion.edits }] },
    });
    // An open document counts, and its version is reported.
    await client.open("file:///w/src/b.ts", "\nimport './a';\n", "typescript");
    expect(await offered(client, place)).toMatchObject({
      ...{ textDocument: { uri: "file:///w/src/b.ts", version: expect.any(Number) }, range: { start: { line: 1 } } },
    });
  });

  test("answers a place without edits as such, but not in Copilot's dialect", async () => {
    const { client, place } = await start({ rewrites: [{ was: "count" }], origin: "impact" });
    expect(await offered(client, place)).toMatchObject({
      edits: [],
      range: { start: { line: 1, character: 4 } },
      origin: "impact",
    });
    expect(await copilotEdits(client, place)).toEqual([]);
  });

  test.each(["utf-16", "utf-8", "utf-32"] as const)("converts positions of %s", async (encoding) => {
    const { client } = await start({ initialize: { capabilities: { general: { positionEncodings: [encoding] } } } });
    const line = 'const 名 = "😀ä"; ';
    await change(client, 3, [
      { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, newText: line },
    ]);
    const width = { "utf-16": line.length, "utf-8": Buffer.byteLength(line), "utf-32": [...line].length }[encoding];
    const place = { textDocument: { uri, version: 3 }, position: { line: 1, character: 0 } };
    expect((await offered(client, place)).range.start).toEqual({ line: 1, character: width + 4 });
  });

  test("contains ghost text for an edit that only inserts behind the cursor", async () => {
    const { client } = await start({ rewrites: [{ was: "log(count);", text: "log(count); // done" }] });
    const at = (character: number) => ({ textDocument: { uri }, position: { line: 2, character } });
    // The edit is of words that stand already; what is new is behind them.
    const suggestion = await offered(client, at(11));
    expect(suggestion.edits).toHaveLength(1);
    const end = { line: 2, character: 11 };
    expect(suggestion.ghostText).toEqual({ insertText: " // done", range: { start: end, end } });
    const behind = await offered(client, { textDocument: { uri }, position: { line: 3, character: 0 } });
    expect([behind.id, behind.ghostText]).toEqual([suggestion.id, undefined]);
  });

  test.each<[what: string, params: object, kind: string, line: RegExp]>([
    [
      "a document that is not open",
      { textDocument: { uri: "file:///w/no.ts" } },
      "unknown-document",
      /was not opened by the editor/,
    ],
    ["an older version", { textDocument: { uri, version: 1 } }, "stale-version", /version 1 .* version 2/],
    [
      "another state of a file",
      { textDocument: { uri: "git:/w/src/a.ts?x" } },
      "no-file",
      /not the current text of a file/,
    ],
    ["a secret file", { textDocument: { uri: "file:///w/.env" } }, "secret-file", /may contain keys/],
    ["an ignored file", { textDocument: { uri: "file:///w/out/a.ts" } }, "ignored-file", /\.gitignore:1: out\//],
    ["a document in no folder", { textDocument: { uri: "file:///x/count.ts" } }, "nothing-follows", /follows/],
  ])("answers the reason without a next edit for %s", async (_, params, kind, line) => {
    const { client, place } = await start({ files: { ...files, "/w/.gitignore": "out/\n" }, rewrites: [] });
    for (const other of ["git:/w/src/a.ts?x", "file:///w/.env", "file:///w/out/a.ts", "file:///x/count.ts"]) {
      await client.open(other, "count\n");
      await client.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri: other, version: 9 },
        contentChanges: [{ range: rangeOf("c", "c"), text: "" }],
      });
    }
    const answer = await nextEdit(client, { ...place, ...params });
    expect(answer).toMatchObject({ kind: "no-suggestion", reason: { kind }, text: expect.stringMatching(line) });
    const explained = await client.connection.sendRequest<ExplainedNextEdit>("emend/nextEdit/explain");
    expect(explained.reason?.kind).toBe(kind);
    expect(await client.connection.sendRequest("emend/status")).toMatchObject({ lastNextEditReason: { kind } });
  });

  test("suggests nothing before an edit, and uses edits from before the first request", async () => {
    const { client, place } = await start();
    expect((await nextEdit(client, place)).kind).toBe("offered");
    const fresh = await TestClient.start({ files });
    await fresh.open(uri, text, "typescript");
    expect(await nextEdit(fresh, { ...place, textDocument: { uri } })).toMatchObject({
      reason: { kind: "nothing-edited" },
    });
    await fresh[Symbol.asyncDispose]();
  });

  test.each<[what: string, params: unknown, missing: string]>([
    ["no document", { position: { line: 0, character: 0 } }, "textDocument.uri"],
    ["no position", { textDocument: { uri } }, "position"],
    ["nothing", {}, "textDocument.uri"],
  ])("refuses a request with %s in it", async (_, params, missing) => {
    const { client, connection, place } = await start();
    for (const method of ["emend/nextEdit", "textDocument/copilotInlineEdit"]) {
      const message = expect.stringContaining(`${method} requires \`${missing}\`, `);
      await expect(connection.sendRequest(method, params)).rejects.toMatchObject({ code: -32602, message });
    }
    for (const method of ["emend/nextEdit/shown", "emend/nextEdit/reject"])
      await connection.sendNotification(method, {});
    await expect(connection.sendRequest("emend/nextEdit/accept", {})).rejects.toMatchObject({ code: -32602 });
    expect((await nextEdit(client, place)).kind).toBe("offered");
    expect(client.logged.filter((line) => line.includes("crashed"))).toEqual([]);
  });

  test("counts what was edited in an open document before the server was started", async () => {
    const renamed = text.replace("let count", "let amount");
    const cases: readonly (readonly [saved: string, opened: string, then: string, kind: string])[] = [
      [text, renamed, renamed, "offered"],
      [text, text, text, "nothing-edited"],
      // The editor adds a line break at the end of the file.
      [text.trimEnd(), text, text, "nothing-edited"],
      // Edited and saved before the first request.
      [renamed, text, renamed, "offered"],
    ];
    const answers = [];
    for (const [saved, opened, then] of cases) {
      const started = await TestClient.start({ files: { "/w/src/a.ts": saved } });
      client = started;
      await started.open(uri, opened, "typescript");
      await started.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version: 2 },
        contentChanges: then === opened ? [] : [{ range: rangeOf("count"), text: "amount" }],
      });
      const answer = await nextEdit(started, {
        textDocument: { uri, version: 2 },
        position: { line: 1, character: 10 },
      });
      answers.push([saved, opened, then, answer.kind === "offered" ? answer.kind : answer.reason.kind]);
      await started[Symbol.asyncDispose]();
      client = undefined;
    }
    expect(answers).toEqual(cases);
  });

  test("answers a cancelled request as cancelled", async () => {
    const { client, connection, place } = await start();
    const { CancellationTokenSource } = await import("vscode-languageserver/node");
    const source = new CancellationTokenSource();
    const answer = connection.sendRequest("emend/nextEdit", place, source.token);
    source.cancel();
    await expect(answer).rejects.toMatchObject({ code: -32800 });
    expect((await nextEdit(client, place)).kind).toBe("offered");
  });

  test("gives no answer for a text that has changed", async () => {
    const { client, place } = await start();
    const answer = nextEdit(client, place);
    await change(client, 3, [{ range: rangeOf("const"), newText: "x" }]);
    expect(await answer).toMatchObject({
      kind: "no-suggestion",
      reason: { kind: "stale-version", requested: 2, known: 3 },
    });
  });
});

describe("feedback on a suggestion", () => {
  test("suggests the next edit after an accepted one, and no rejected one again", async () => {
    const { client, connection, place } = await start();
    const first = await offered(client, place);
    await change(client, 3, first.edits);
    expect(await connection.sendRequest("emend/nextEdit/accept", { id: first.id })).toEqual({});
    const here = { ...place, textDocument: { uri, version: 3 } };
    const second = await offered(client, here);
    expect(second.range.start).toEqual({ line: 2, character: 4 });
    await connection.sendNotification("emend/nextEdit/shown", { id: second.id });
    await connection.sendNotification("emend/nextEdit/reject", { id: second.id });
    expect(await nextEdit(client, here)).toMatchObject({ kind: "no-suggestion", reason: { kind: "nothing-follows" } });
    // By itself nothing comes for a while.
    expect(await nextEdit(client, { ...here, ...automatic })).toMatchObject({ reason: { kind: "rejected-lately" } });
  });

  test("gives the whole chain as one edit of all its files, which the client applies", async () => {
    const { client, connection, place } = await start({ paths: ["src/b.ts"] });
    const { id } = await offered(client, place);
    const { edit } = await connection.sendRequest<NextEditAcceptResult>("emend/nextEdit/accept", { id, chain: true });
    const count = Object.entries(edit?.changes ?? {}).map(([file, edits]) => [file, edits.length]);
    expect(count).toEqual([
      [uri, 2],
      ["file:///w/src/b.ts", 1],
    ]);
    expect(await connection.sendRequest("emend/nextEdit/accept", { id: "suggestion-99", chain: true })).toEqual({
      edit: null,
    });
  });

  test("gives no chain for a text that has changed", async () => {
    const { client, connection, place } = await start();
    const { id } = await offered(client, place);
    await change(client, 3, [{ range: rangeOf("const"), newText: "x" }]);
    expect(await connection.sendRequest("emend/nextEdit/accept", { id, chain: true })).toEqual({
      ...{ edit: null, changed: ["src/a.ts"] },
    });
  });

  describe("in a file that is not open and has changed on the disk since,", () => {
    const changed = `// A new line.\n${files["/w/src/b.ts"]}`;
    const elsewhere = { rewrites: [{ was: "./a", text: "./b" }], paths: ["src/b.ts"] };

    test("suggests nothing, and reads the file again", async () => {
      const { client, place } = await start(elsewhere);
      await offered(client, place);
      client.disk.writeFile("/w/src/b.ts", changed);
      expect(await nextEdit(client, place)).toMatchObject({
        ...{ kind: "no-suggestion", reason: { kind: "changed-on-disk", path: "src/b.ts" } },
        text: "src/b.ts was changed on the disk meanwhile; request the next edit again.",
        repeatAfterMs: expect.any(Number),
      });
      expect((await offered(client, place)).range.start.line).toBe(1);
    });

    test("says so before a suggestion is accepted there", async () => {
      const { client, connection, place } = await start(elsewhere);
      const { id } = await offered(client, place);
      const check = (one: string) => connection.sendRequest("emend/nextEdit/check", { id: one });
      expect(await check(id)).toEqual({ changed: [] });
      client.disk.writeFile("/w/src/b.ts", changed);
      expect(await check(id)).toEqual({ changed: ["src/b.ts"] });
      // What counts then is the text in the editor.
      await client.open("file:///w/src/b.ts", files["/w/src/b.ts"], "typescript");
      expect(await check(id)).toEqual({ changed: [] });
      expect(await check("suggestion-99")).toEqual({ changed: [] });
    });

    test("gives no chain, and names the file", async () => {
      const { client, connection, place } = await start({ paths: ["src/b.ts"] });
      const { id } = await offered(client, place);
      client.disk.writeFile("/w/src/b.ts", changed);
      const accepted = connection.sendRequest("emend/nextEdit/accept", { id, chain: true });
      expect(await accepted).toEqual({ edit: null, changed: ["src/b.ts"] });
    });
  });

  test("accepts a suggestion in part, and ignores feedback on forgotten ones", async () => {
    const { client, connection, place } = await start({ rewrites: [{ was: "count", text: "amountOfAll" }] });
    const { id, edits } = await offered(client, place);
    const part = [{ ...edits[0]!, newText: "amount" }];
    expect(await connection.sendRequest("emend/nextEdit/accept", { id, part })).toEqual({});
    for (const method of ["emend/nextEdit/shown", "emend/nextEdit/reject"]) {
      await connection.sendNotification(method, { id: "suggestion-99" });
    }
    expect(await connection.sendRequest("emend/nextEdit/accept", { id: "suggestion-99" })).toEqual({});
    expect((await nextEdit(client, place)).kind).toBe("offered");
  });

  test("keeps a suggestion with the same id while it is typed", async () => {
    const { client, place } = await start({ rewrites: [{ was: "let count = 2;", text: "let count = 2; // items" }] });
    const first = await offered(client, { ...place, position: { line: 1, character: 14 } });
    const end = { line: 1, character: 14 };
    await change(client, 3, [{ range: { start: end, end }, newText: " // it" }]);
    const after = await offered(client, { textDocument: { uri, version: 3 }, position: { line: 1, character: 20 } });
    expect(after).toMatchObject({ id: first.id, isReused: true });
    expect(after.ghostText?.insertText ?? after.edits[0]?.newText).toContain("ems");
  });
});

describe("in Copilot's dialect", () => {
  test("a suggestion is one replacement with a command for its acceptance", async () => {
    const { client, connection, place } = await start();
    const [edit, ...others] = await copilotEdits(client, place);
    expect(others).toEqual([]);
    expect(edit).toEqual({
      text: "amount",
      textDocument: { uri, version: 2 },
      range: { start: { line: 1, character: 4 }, end: { line: 1, character: 9 } },
      command: { title: expect.any(String), command: "emend.didAcceptNextEdit", arguments: [expect.any(String)] },
    });
    expect(client.initialized.capabilities.executeCommandProvider?.commands).toContain(edit!.command.command);
    await connection.sendNotification("textDocument/didShowInlineEdit", { item: { command: edit!.command } });
    await change(client, 3, [{ range: edit!.range, newText: edit!.text }]);
    await connection.sendRequest("workspace/executeCommand", edit!.command);
    const here = { ...place, ...automatic, textDocument: { uri, version: 3 } };
    const [next] = await copilotEdits(client, here);
    expect(next?.range.start.line).toBe(2);
    await connection.sendNotification("textDocument/didShowInlineEdit", { item: { command: next!.command } });
    const reject = { command: "emend.didRejectNextEdit", arguments: next!.command.arguments };
    await connection.sendRequest("workspace/executeCommand", reject);
    expect(await copilotEdits(client, here)).toEqual([]);
  });

  test("no next edit is suggested while ghost text is visible, unless by key", async () => {
    const { client } = await start({ model: modelAnswering(" + 1") });
    const at = { line: 2, character: 9 };
    const place = { textDocument: { uri }, position: at };
    expect(await client.complete({ ...place, position: { line: 2, character: 11 } })).toHaveLength(1);
    const here = { ...place, position: { line: 2, character: 11 } };
    expect(await copilotEdits(client, { ...here, ...automatic })).toEqual([]);
    expect(await client.connection.sendRequest("emend/status")).toMatchObject({
      lastNextEditReason: { kind: "ghost-text-shown" },
    });
    expect(await copilotEdits(client, { ...here, context: { triggerKind: 1 } })).toHaveLength(1);
    // Where the cursor is elsewhere, no ghost text is seen.
    expect(await copilotEdits(client, { ...place, ...automatic, position: { line: 0, character: 0 } })).toHaveLength(1);
  });

  test("no ghost text is suggested while a next edit is visible, unless by key", async () => {
    const { client, connection } = await start({ model: modelAnswering(" + 1") });
    const here = { textDocument: { uri }, position: { line: 2, character: 11 } };
    const [edit] = await copilotEdits(client, { ...here, ...automatic });
    await connection.sendNotification("textDocument/didShowInlineEdit", { item: { command: edit!.command } });
    expect(await client.complete(here, automatic)).toEqual([]);
    expect(await client.lastReasonKind()).toBe("next-edit-shown");
    expect(await client.complete(here)).toHaveLength(1);
  });
});

test("settings choose the providers and automatic next edits, with immediate effect", async () => {
  const settings = { emend: { next: { enabled: false } } };
  const { client, connection, place } = await start({ initialize: { initializationOptions: settings } });
  expect(await nextEdit(client, { ...place, ...automatic })).toMatchObject({ reason: { kind: "language-off" } });
  expect((await nextEdit(client, place)).kind).toBe("offered");
  await connection.sendNotification("workspace/didChangeConfiguration", {
    settings: { emend: { next: { enabled: true, origins: ["fix"] } } },
  });
  await change(client, 3, [{ range: rangeOf("const"), newText: "x" }]);
  const here = { ...place, ...automatic, textDocument: { uri, version: 3 } };
  await expect.poll(() => nextEdit(client, here)).toMatchObject({ reason: { kind: "nothing-follows" } });
});
