import { afterEach, describe, expect, test } from "vitest";
import type {
  ApplyWorkspaceEditParams,
  ClientCapabilities,
  ProtocolConnection,
  TextDocumentEdit,
} from "vscode-languageserver/node";
import { type ScriptedAnswer, ScriptedChatModel } from "../../edit/fixtures/scripted-chat-model.ts";
import { RegionGuides } from "../../edit/index.ts";
import { grammarFor, threadSlices } from "../../grammar/node/index.ts";
import { type Model, ModelError } from "../../model/index.ts";
import { Edit, Lines } from "../../text/index.ts";
import { TestClient } from "../fixtures/test-client.ts";
import type { LanguageServerHost } from "../language-server.ts";
import { type PositionEncoding, Positions } from "../positions.ts";
import type { EditAnswer, EditPromptAnswer } from "./edit-command.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/src/a.ts";
const source = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
const change = "@@ 2 return a + b\n  return b + a;\n@@ end\n";
const changed = source.replace("a + b", "b + a");

const all: ClientCapabilities = {
  workspace: {
    applyEdit: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
  },
  window: { workDoneProgress: true },
};

/** An editor with documents, that applies the server's requests. */
class TestEditor {
  readonly texts = new Map<string, { text: string; version: number }>();
  readonly received: ApplyWorkspaceEditParams[] = [];
  readonly progress: unknown[] = [];
  encoding: PositionEncoding = "utf-16";
  /** Is called when the server wants to show progress. */
  onProgress: (token: string | number) => void = () => undefined;

  listen(connection: ProtocolConnection): void {
    connection.onRequest("workspace/applyEdit", (params: ApplyWorkspaceEditParams) => {
      this.received.push(params);
      return this.#apply(params);
    });
    connection.onRequest("window/workDoneProgress/create", ({ token }: { token: string | number }) => {
      this.onProgress(token);
      return null;
    });
    connection.onNotification("$/progress", ({ value }: { value: unknown }) => void this.progress.push(value));
  }

  #apply({ edit }: ApplyWorkspaceEditParams): { applied: boolean; failureReason?: string } {
    const byAddress = Object.entries(edit.changes ?? {}).map(
      ([address, edits]): TextDocumentEdit => ({ textDocument: { uri: address, version: null }, edits }),
    );
    for (const one of edit.documentChanges ?? byAddress) {
      if ("kind" in one) {
        if (one.kind === "create") this.texts.set(one.uri, { text: "", version: 0 });
        continue;
      }
      const { uri: address, version } = one.textDocument;
      const document = this.texts.get(address)!;
      if (version !== null && version !== document.version) return { applied: false, failureReason: "another version" };
      const lines = Lines.of(document.text);
      const positions = new Positions(this.encoding);
      const edits = one.edits.map((each) => {
        if (!("range" in each) || !("newText" in each)) throw new Error("An edit of another kind");
        return { ...positions.toTextRange(lines, each.range), text: each.newText };
      });
      document.text = Edit.of(edits).apply(document.text);
    }
    return { applied: true };
  }
}

/** A server whose model gives these answers, and an editor with one document open. */
async function start({
  answers = [change],
  model = new ScriptedChatModel(answers),
  capabilities = all,
  text = source,
  files = {},
  host = {},
}: {
  readonly host?: Partial<LanguageServerHost>;
  readonly answers?: readonly ScriptedAnswer[];
  readonly model?: Model;
  readonly capabilities?: ClientCapabilities;
  readonly text?: string;
  readonly files?: Readonly<Record<string, string>>;
} = {}) {
  const editor = new TestEditor();
  const chat = { ...model, name: "ollama:scripted", ...(model.chat && { chat: model.chat.bind(model) }) };
  client = await TestClient.start({
    ...{ files, host, model: chat, initialize: { capabilities } },
    onConnection: (connection) => editor.listen(connection),
  });
  const { textDocument } = await client.open(uri, text, "typescript");
  editor.texts.set(textDocument.uri, { text, version: 1 });
  const { connection } = client;
  const ask = (argument?: object): Promise<EditAnswer> =>
    connection.sendRequest("workspace/executeCommand", { command: "emend.edit", arguments: argument && [argument] });
  const lastPrompt = () => (model as ScriptedChatModel).calls.at(-1)!.messages.at(-1)!.text;
  return { editor, ask, lastPrompt, connection, client };
}

test("emend/edit changes the open document, for the version that the change was made for", async () => {
  const { editor, ask, lastPrompt } = await start();
  const answer = await ask({ instruction: "順序を入れ替える" });
  expect(answer).toMatchObject({
    ...{ kind: "offered", isApplied: true, model: "ollama:scripted", root: "/w", notes: [] },
    proposal: { repairs: [], normalizations: [], requests: 1, changes: [{ kind: "edit", path: "src/a.ts" }] },
    explanation: expect.stringMatching(/^Edit src\/a\.ts \(format range, 1 request\)\.\n/),
  });
  expect(editor.texts.get(uri)!.text).toBe(changed);
  expect(editor.received[0]!.edit.documentChanges).toMatchObject([{ textDocument: { uri, version: 1 } }]);
  expect(lastPrompt()).toContain("順序を入れ替える");
  expect(client!.initialized.capabilities.executeCommandProvider?.commands).toContain("emend.edit");
});

test("emend/edit uses unsaved text, reads documents that are not open, and creates new files", async () => {
  const answers = [
    "@@ file src/a.ts\n@@ 2 return a + b\n  return sum(a, b);\n@@ file src/b.ts\n@@ 1 export\nexport const b = 2;\n@@ create src/sum.ts\nexport const sum = (a: number, b: number) => a + b;\n@@ end\n",
  ];
  const files = { "/w/src/a.ts": "an older text\n", "/w/src/b.ts": "export const b = 1;\n" };
  const { editor, ask } = await start({ answers, files });
  editor.texts.set("file:///w/src/b.ts", { text: files["/w/src/b.ts"], version: 0 });
  const answer = await ask({ instruction: "x", uris: [uri, "file:///w/src/b.ts"] });
  expect(answer).toMatchObject({ kind: "offered", isApplied: true });
  expect(Object.fromEntries([...editor.texts].map(([address, { text }]) => [address, text]))).toEqual({
    [uri]: source.replace("a + b", "sum(a, b)"),
    "file:///w/src/b.ts": "export const b = 2;\n",
    "file:///w/src/sum.ts": "export const sum = (a: number, b: number) => a + b;\n",
  });
});

test("emend/edit changes the present text of a document that is not open and changes during the request", async () => {
  const path = "/w/src/b.ts";
  const text = "// note\nexport const b = 1;\n";
  const model = new ScriptedChatModel(["@@ file src/b.ts\n@@ 1 export\nexport const b = 2;\n@@ end\n"]);
  const chat = model.chat.bind(model);
  model.chat = (...request) => {
    client!.disk.writeFile(path, text);
    return chat(...request);
  };
  const { editor, ask } = await start({ model, files: { [path]: "export const b = 1;\n" } });
  editor.texts.set(`file://${path}`, { text, version: 0 });
  expect(await ask({ instruction: "x", uris: [`file://${path}`] })).toMatchObject({ isApplied: true });
  expect(editor.texts.get(`file://${path}`)!.text).toBe("// note\nexport const b = 2;\n");
});

test.each<PositionEncoding>(["utf-8", "utf-16", "utf-32"])(
  "emend/edit changes a document with positions in %s and CRLF line endings",
  async (encoding) => {
    const text = 'const 名 = "😀";\r\nconst b = "😀 a";\r\n';
    const { editor, ask } = await start({
      ...{ text, answers: ['@@ 2 const b\nconst b = "😀 ä";\n@@ end\n'] },
      capabilities: { ...all, general: { positionEncodings: [encoding] } },
    });
    editor.encoding = encoding;
    expect(await ask({ instruction: "x" })).toMatchObject({ isApplied: true });
    expect(editor.texts.get(uri)!.text).toBe(text.replace("😀 a", "😀 ä"));
  },
);

test("emend/edit names the lines of the range in the instruction", async () => {
  const { ask, lastPrompt } = await start();
  await ask({ instruction: "x", range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } } });
  expect(lastPrompt()).toContain("x\n\n(This is about line 2 of src/a.ts.)");
});

describe("a document that changes during the request", () => {
  test.each<[what: string, line: number, inserted: string, expected: object, received: number, text: string]>([
    ["in other lines is kept", 0, "// note\n", { isApplied: true }, 1, `// note\n${changed}`],
    [
      "in the same line is not overwritten",
      1,
      "  // ",
      { kind: "stale", isApplied: false },
      0,
      source.replace("\n", "\n  // "),
    ],
  ])("%s", async (_, line, inserted, expected, received, text) => {
    let type: () => Promise<void>;
    const slow: Model = {
      name: "slow",
      async *chat() {
        await type();
        yield { kind: "text-delta", text: change };
        return { reason: "finished" };
      },
    };
    const { editor, ask, connection } = await start({ model: slow });
    type = async () => {
      const at = { line, character: 0 };
      const contentChanges = [{ range: { start: at, end: at }, text: inserted }];
      await connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version: 2 },
        contentChanges,
      });
      const rows = source.split("\n");
      rows[line] = inserted + rows[line]!;
      editor.texts.set(uri, { text: rows.join("\n"), version: 2 });
      // An answer behind it shows that it has arrived.
      await connection.sendRequest("emend/status");
    };
    expect(await ask({ instruction: "x" })).toMatchObject(expected);
    expect(editor.texts.get(uri)!.text).toBe(text);
    expect(editor.received).toHaveLength(received);
  });

  test("reports a change that the editor rejected for another version", async () => {
    const { editor, ask } = await start();
    editor.texts.get(uri)!.version = 5;
    expect(await ask({ instruction: "x" })).toMatchObject({
      ...{ kind: "offered", isApplied: false, failureReason: "another version" },
    });
  });
});

test.each<[title: string, answers: readonly string[], expected: object]>([
  ["nothing to change", ["@@ none\n@@ end\n"], { kind: "unchanged", isApplied: false }],
  ["no edit", Array(4).fill("I cannot.\n"), { kind: "refused", isApplied: false, refusals: [expect.anything()] }],
  ["a mended answer", ["@@ 9 x\ny\n@@ end\n", change], { kind: "offered", isApplied: true, proposal: { requests: 2 } }],
])("reports the repairs of an answer with %s", async (_, answers, expected) => {
  const { ask } = await start({ answers });
  expect(await ask({ instruction: "x" })).toMatchObject(expected);
});

test("reports an editor without support for the operations, with the change in the answer", async () => {
  const { ask } = await start({ capabilities: {} });
  expect(await ask({ instruction: "x" })).toMatchObject({
    ...{ isApplied: false, failureReason: "The editor does not support edits from a server." },
    proposal: { diff: expect.stringContaining("+  return b + a;") },
  });
});

test("an editor without document versions gets plain changes, and no new files", async () => {
  const capabilities = { workspace: { applyEdit: true } };
  const { editor, ask } = await start({ capabilities, answers: [change, "@@ create src/b.ts\nlet b;\n@@ end\n"] });
  expect(await ask({ instruction: "x" })).toMatchObject({ isApplied: true });
  expect(editor.texts.get(uri)!.text).toBe(changed);
  expect(await ask({ instruction: "x" })).toMatchObject({
    failureReason: "The editor does not support operations of the change: create.",
  });
});

test.each<[what: string, uris: readonly string[], note: string]>([
  ["beside one that is there", [uri, "file:///w/src/new/b.ts"], "src/new/b.ts"],
  ["alone", ["file:///w/src/b.ts"], "src/b.ts"],
])("emend/edit creates a missing file, %s", async (_, uris, path) => {
  const { editor, ask, lastPrompt } = await start({ answers: [`@@ create ${path}\nexport const b = 1;\n@@ end\n`] });
  const answer = await ask({ instruction: "Add b.", uris });
  expect(answer).toMatchObject({ isApplied: true, notes: [`Will be created: ${path}.`] });
  expect(lastPrompt()).toContain(path);
  expect(editor.texts.get(`file:///w/${path}`)!.text).toBe("export const b = 1;\n");
});

test("names a new file in the prompt for a chat, and creates it from the answer", async () => {
  const { editor, ask, connection } = await start();
  const argument = { instruction: "Add b.", uris: ["file:///w/src/b.ts"] };
  const { text } = await connection.sendRequest<EditPromptAnswer>("workspace/executeCommand", {
    ...{ command: "emend.editPrompt", arguments: [argument] },
  });
  expect(text).toContain("src/b.ts");
  const answer = "src/b.ts\n<<<<<<< SEARCH\n=======\nexport const b = 1;\n>>>>>>> REPLACE\n";
  expect(await ask({ ...argument, answer })).toMatchObject({ isApplied: true, model: "pasted" });
  expect(editor.texts.get("file:///w/src/b.ts")!.text).toBe("export const b = 1;\n");
});

describe("errors contain what to do", () => {
  test.each<[argument: object | undefined, code: number, message: string]>([
    [undefined, -32602, "emend.edit takes an object with `instruction`"],
    [{ instruction: " " }, -32602, "emend.edit takes an object with `instruction`"],
    [{ instruction: "x", uris: [] }, -32602, "`uris` must be a list"],
    [{ instruction: "x", range: 3 }, -32602, "`range` must be a range"],
    [{ instruction: "x", uris: ["file:///w/a.png"] }, -32803, "a.png is neither open nor a text file on the disk"],
    [{ instruction: "x", uris: ["file:///w/src"] }, -32803, "src is neither open nor a text file on the disk"],
    [{ instruction: "x", uris: ["file:///w/a.png/b.ts"] }, -32803, "a.png/b.ts is neither open nor a text file"],
    [
      {
        instruction: "x",
        uris: ["file:///w/new.ts", uri],
        range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
      },
      -32602,
      "new.ts does not exist yet, so it has no lines.",
    ],
    [
      {
        instruction: "x",
        uris: ["file:///w/new.ts"],
        regions: [{ start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }],
      },
      -32602,
      "new.ts does not exist yet, so it has no lines.",
    ],
    [{ instruction: "x", uris: ["file:///w/.env"] }, -32803, ".env may contain secrets, and is not sent to models."],
    [{ instruction: "x", uris: ["file:///w/out/a.ts"] }, -32803, "out/a.ts is ignored (.gitignore:1: out)"],
    [{ instruction: "x", uris: [uri, "file:///elsewhere/a.ts"] }, -32602, "a.ts is in another workspace folder"],
  ])("%o", async (argument, code, message) => {
    const { ask } = await start({
      files: {
        ...{ "/w/.gitignore": "out\n", "/w/out/a.ts": source, "/w/.env": "KEY=1\n" },
        ...{ "/w/a.png": "\u0000", "/w/src/z.ts": "" },
      },
    });
    await expect(ask(argument)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("reports a model that cannot chat, and an unreachable one", async () => {
    const { ask, client } = await start({ model: { name: "silent" } });
    await expect(ask({ instruction: "x" })).rejects.toMatchObject({
      code: -32803,
      message: "`ollama:scripted` cannot chat, so it takes no instructions. Set `emend.edit.model` to a chat model.",
    });
    expect(client.logged.join("\n")).not.toContain("crashed");
  });

  test("a model that is unreachable", async () => {
    const { ask } = await start({ answers: [new ModelError("unreachable", "Nobody listens there.")] });
    await expect(ask({ instruction: "x" })).rejects.toMatchObject({ code: -32803, message: "Nobody listens there." });
  });
});

test("shows the model in the progress, and stops when the person cancels it", async () => {
  let begin: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const silent: Model = {
    name: "silent",
    async *chat(_, { signal } = {}) {
      begin();
      await new Promise((__, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
      yield { kind: "text-delta", text: change };
      return { reason: "finished" };
    },
  };
  const { editor, ask, connection } = await start({ model: silent });
  let token: string | number | undefined;
  editor.onProgress = (given) => {
    token = given;
  };
  const asking = ask({ instruction: "x" });
  await begun;
  await connection.sendNotification("window/workDoneProgress/cancel", { token });
  await expect(asking).rejects.toMatchObject({ code: -32800 });
  expect(editor.progress).toEqual([
    expect.objectContaining({ kind: "begin", title: "Emend: edit", cancellable: true }),
    expect.objectContaining({ kind: "report", message: "ollama:scripted is answering" }),
    expect.objectContaining({ kind: "end" }),
  ]);
  expect(editor.received).toEqual([]);
});

describe("regions", () => {
  const line = (number: number) => ({ start: { line: number, character: 0 }, end: { line: number + 1, character: 0 } });

  test("are rewritten without other changes", async () => {
    const answers = ["```ts\n  return b + a;\n}\n```\n"];
    const { editor, ask } = await start({
      answers,
      host: { regionGuides: new RegionGuides({ load: grammarFor, slices: threadSlices }) },
    });
    const answer = await ask({ instruction: "swap", regions: [line(1)] });
    expect(answer).toMatchObject({
      ...{ kind: "offered", isApplied: true, proposal: { format: "regions", requests: 1 } },
      notes: ["line 2: constrained by the grammar; 1 request."],
    });
    expect(editor.texts.get(uri)!.text).toBe(changed);
  });

  test("are not checked where the host has no grammars", async () => {
    const { ask } = await start({ answers: ["```ts\n  return b + a;\n```\n"] });
    const { notes } = await ask({ instruction: "swap", regions: [line(1)] });
    expect(notes).toEqual([
      "line 2: not constrained by a grammar, since there is no grammar for typescript; 1 request.",
    ]);
  });

  test.each<[argument: object, message: string]>([
    [{ regions: [] }, "`regions` must be a list of ranges"],
    [{ regions: [line(0)], range: line(1) }, "`regions` are for a single document"],
    [{ regions: [line(0), line(1)] }, "overlaps or touches the one before it"],
    [{ regions: [line(1)] }, "The answer holds no new text. Nothing is changed."],
  ])("%j cannot be rewritten", async (argument, message) => {
    const { ask } = await start({ answers: Array.from({ length: 9 }, () => "No.") });
    await expect(ask({ instruction: "swap", ...argument })).rejects.toThrow(message);
  });
});
