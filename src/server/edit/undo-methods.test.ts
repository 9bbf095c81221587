import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ScriptedChatModel } from "../../edit/fixtures/scripted-chat-model.ts";
import { listJournal } from "../../edit/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { disk } from "../../workspace/node/index.ts";
import { toFileUri } from "../file-uri.ts";
import { TestClient } from "../fixtures/test-client.ts";
import type { EditUndoResult, LastEdit } from "../protocol/edit-undo.ts";

const source = "one\ntwo\nthree\nfour\n";
const edited = source.replace("two", "2");

/**
 * An editor with the document `a.txt` of a folder on the disk, and models that write `2` for `two`.
 */
async function start() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-saved-")));
  onTestFinished(() => removeFolder(top));
  const root = join(top, "work");
  mkdirSync(join(root, ".git"), { recursive: true });
  const file = join(root, "a.txt");
  writeFileSync(file, source);
  const journal = { folder: join(top, "journal") };
  const editJournal = { journal, rootOf: async () => root, explainStop: ({ kind }: { kind: string }) => kind };
  const chat = new ScriptedChatModel(["@@ 2 two\n2\n@@ end\n"]);
  const model = { ...chat, name: "ollama:scripted", chat: chat.chat.bind(chat) };
  const uri = toFileUri(file);
  const connect = async () => {
    const capabilities = { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } };
    const client = await TestClient.start({
      ...{ model, host: { fileSystem: disk, editJournal } },
      initialize: { capabilities, workspaceFolders: [{ uri: toFileUri(root), name: "work" }] },
      onConnection: (connection) => void connection.onRequest("workspace/applyEdit", () => ({ applied: true })),
    });
    await client.open(uri, readFileSync(file, "utf8"), "plaintext");
    return client;
  };
  let client = await connect();
  let hasHungUp = false;
  const end = () => (hasHungUp ? client.ended : client[Symbol.asyncDispose]());
  onTestFinished(async () => void (await end()));
  return {
    ...{ root, file, uri },
    initialized: client.initialized,
    disk: () => readFileSync(file, "utf8"),
    edit: () => {
      const argument = { instruction: "digits", uris: [uri] };
      return client.connection.sendRequest("workspace/executeCommand", {
        command: "emend.edit",
        arguments: [argument],
      });
    },
    /** Saves a text as the editor does. */
    async save(text: string) {
      writeFileSync(file, text);
      await client.connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
    },
    notify: (method: string, params: object) => client.connection.sendNotification(method, params),
    async type(text: string) {
      const textDocument = { uri, version: 9 };
      await client.connection.sendNotification("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    },
    async restart() {
      await end();
      client = await connect();
    },
    /** Disconnects without a word, and waits for the end of the server. */
    hangUp() {
      hasHungUp = true;
      client.hangUp();
      return client.ended;
    },
    last: () => client.connection.sendRequest<LastEdit | null>("emend/edit/last", {}),
    undo: (params: object = {}) => client.connection.sendRequest<EditUndoResult>("emend/edit/undo", params),
    recorded: async () => (await listJournal(root, journal)).map(({ id, instruction }) => `${id} ${instruction}`),
  };
}

test("an edit by instruction is undone after it was saved and the server restarted", async () => {
  const editor = await start();
  expect(editor.initialized.capabilities.textDocumentSync).toMatchObject({ save: true });
  await editor.edit();
  expect(await editor.last()).toBeNull();
  await editor.type(edited);
  await editor.save(edited);
  await editor.restart();
  expect(await editor.recorded()).toEqual(["1 digits"]);
  const last = { id: 1, instruction: "digits", paths: ["a.txt"] };
  expect(await editor.last()).toEqual(last);
  expect(await editor.undo({ id: 7 })).toMatchObject({ isUndone: false, edit: last });
  expect(editor.disk()).toBe(edited);
  expect(await editor.undo()).toEqual({ isUndone: true, edit: last, undoneBy: 2 });
  expect(editor.disk()).toBe(source);
  expect(await editor.last()).toBeNull();
  expect(await editor.undo()).toEqual({
    ...{ isUndone: false, failureReason: `There is no edit to undo in ${editor.root}.` },
  });
});

test("a save right before the client disconnects is recorded", async () => {
  const editor = await start();
  await editor.edit();
  // The server has received them, and handles them one after the other.
  const focus = { textDocument: { uri: editor.uri } };
  const earlier = Array.from({ length: 50 }, () => editor.notify("textDocument/didFocus", focus));
  await Promise.all([...earlier, editor.save(edited)]);
  await editor.hangUp();
  expect(await editor.recorded()).toEqual(["1 digits"]);
});

test("an edit that is taken back before the save is not recorded", async () => {
  const editor = await start();
  await editor.edit();
  await editor.save(`${source}five\n`);
  expect(await editor.last()).toBeNull();
  expect(await editor.recorded()).toEqual([]);
});

test("an edit is not undone while its file has unsaved changes, or other changes of its lines", async () => {
  const editor = await start();
  await editor.edit();
  await editor.save(edited);
  await editor.type(`${edited}five\n`);
  expect((await editor.undo()).failureReason).toBe("Nothing was undone: a.txt has unsaved changes. Save them first.");
  const changed = edited.replace("2", "zwei");
  await editor.type(changed);
  await editor.save(changed);
  expect(await editor.undo()).toMatchObject({ isUndone: false, failureReason: "moved-on" });
  expect(editor.disk()).toBe(changed);
});

test("a client that applies edits itself has what it saves recorded", async () => {
  const editor = await start();
  const { uri } = editor;
  const other = toFileUri(join(editor.root, "b.txt"));
  writeFileSync(join(editor.root, "b.txt"), "new\n");
  const files = [
    { uri, before: source, after: edited },
    { uri: other, before: null, after: "new\n" },
    { uri: "file:///elsewhere/c.txt", before: "", after: "x" },
  ];
  await editor.notify("emend/edit/applied", { instruction: "digits", files });
  expect(await editor.last()).toEqual({ id: 1, instruction: "digits", paths: ["b.txt"] });
  await editor.type(edited);
  await editor.save(edited);
  expect(await editor.last()).toMatchObject({ id: 1, paths: ["a.txt", "b.txt"] });
  expect((await editor.undo()).failureReason).toBeUndefined();
  expect(editor.disk()).toBe(source);
});

test.each([
  ["files without a text", { files: [{ uri: "file:///w/a" }] }],
  ["no files", {}],
])("%s are refused", async (_, params) => {
  const editor = await start();
  await editor.notify("emend/edit/applied", params);
  expect(await editor.last()).toBeNull();
});
