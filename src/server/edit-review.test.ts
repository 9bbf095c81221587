import { afterEach, describe, expect, test } from "vitest";
import type { ClientCapabilities, TextDocumentEdit } from "vscode-languageserver/node";
import { type ScriptedAnswer, ScriptedChatModel } from "../edit/fixtures/scripted-chat-model.ts";
import type { EditAnswer, EditPromptAnswer } from "./edit/edit-command.ts";
import { TestClient } from "./fixtures/test-client.ts";
import type { EditPreviewParams } from "./protocol/edit-preview.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/src/a.ts";
const source = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
const swap = "@@ 2 return a + b\n  return b + a;\n@@ end\n";
const swapped = source.replace("a + b", "b + a");
const block = (path: string, search: string, replace: string) =>
  `${path}\n<<<<<<< SEARCH\n${search === "" ? "" : `${search}\n`}=======\n${replace}\n>>>>>>> REPLACE\n`;

const capabilities: ClientCapabilities = {
  workspace: {
    applyEdit: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
  },
};

/**
 * A server with one document open, and whatever is on the disk. Its model gives these answers, if
 * there is one.
 */
async function start({
  answers,
  files = {},
}: {
  readonly answers?: readonly ScriptedAnswer[];
  readonly files?: Readonly<Record<string, string>>;
} = {}) {
  const handed: unknown[] = [];
  const previews: EditPreviewParams[] = [];
  const scripted = answers && new ScriptedChatModel(answers);
  const model = scripted && { name: "ollama:scripted", chat: scripted.chat.bind(scripted) };
  client = await TestClient.start({
    ...{ files, initialize: { capabilities }, ...(model && { model }) },
    onConnection: (connection) => {
      connection.onRequest("workspace/applyEdit", (params: unknown) => {
        handed.push(params);
        return { applied: true };
      });
      connection.onNotification("emend/edit/preview", (params: EditPreviewParams) => void previews.push(params));
    },
  });
  await client.open(uri, source, "typescript");
  const { connection } = client;
  const run = <Answer>(command: string, argument: object): Promise<Answer> =>
    connection.sendRequest("workspace/executeCommand", { command, arguments: [argument] });
  const ask = (argument: object) => run<EditAnswer>("emend.edit", argument);
  return { ask, prompt: (argument: object) => run<EditPromptAnswer>("emend.editPrompt", argument), handed, previews };
}

/** What an edit writes, by address. */
function writtenBy({ edit }: EditAnswer): readonly string[] {
  return (edit?.documentChanges ?? []).map((change) => {
    if ("kind" in change) return `${change.kind} ${"uri" in change ? change.uri : change.newUri}`;
    const { textDocument, edits } = change as TextDocumentEdit;
    return `${textDocument.uri} ${textDocument.version} ${edits.map((one) => JSON.stringify("newText" in one && one.newText)).join(" ")}`;
  });
}

describe("a reviewed change", () => {
  test("returns the edit in the answer and sends none to the editor", async () => {
    const { ask, handed } = await start({ answers: [swap] });
    const answer = await ask({ instruction: "swap", isReviewed: true });
    expect(answer).toMatchObject({ kind: "offered", isApplied: false, model: "ollama:scripted" });
    expect(answer.failureReason).toBeUndefined();
    expect(writtenBy(answer)).toEqual([`${uri} 1 "b + a"`]);
    expect(handed).toEqual([]);
  });

  test("sends the edit to the editor, not in the answer, without a review", async () => {
    const { ask, handed } = await start({ answers: [swap] });
    const answer = await ask({ instruction: "swap" });
    expect(answer).toMatchObject({ kind: "offered", isApplied: true });
    expect(answer.edit).toBeUndefined();
    expect(handed).toHaveLength(1);
  });
});

describe("previews", () => {
  test("contain the model, its place, and the texts before and after; the last one is always sent", async () => {
    const { ask, previews } = await start({ answers: [swap] });
    await ask({ instruction: "swap", preview: "one", isReviewed: true });
    expect(previews[0]).toEqual({ preview: "one", model: "ollama:scripted", activity: "is answering", files: [] });
    expect(previews.at(-1)).toEqual({
      ...{ preview: "one", model: "ollama:scripted", activity: "has answered" },
      files: [{ uri, path: "src/a.ts", before: source, after: swapped }],
    });
  });

  test("are sent only where the argument names a preview", async () => {
    const { ask, previews } = await start({ answers: [swap] });
    await ask({ instruction: "swap" });
    expect(previews).toEqual([]);
  });

  test("contain a created and a deleted file", async () => {
    const { ask, previews } = await start();
    const answer = `*** Begin Patch\n*** Add File: src/b.ts\n+export const b = 1;\n*** Delete File: src/a.ts\n*** End Patch\n`;
    await ask({ answer, preview: "p", isReviewed: true });
    const last = previews.at(-1)!;
    expect(last.files.map(({ path, before, after }) => [path, before, after]).sort()).toEqual([
      ["src/a.ts", source, null],
      ["src/b.ts", null, "export const b = 1;\n"],
    ]);
  });
});

describe("a pasted answer", () => {
  test("is resolved and checked like a model's answer, without a model", async () => {
    const { ask } = await start();
    const answer = await ask({
      answer: `Sure!\n\n${block("src/a.ts", "  return a + b;", "  return b + a;")}`,
      isReviewed: true,
    });
    expect(answer).toMatchObject({ kind: "offered", model: "pasted", isApplied: false });
    expect(writtenBy(answer)).toHaveLength(1);
  });

  test("changes the files that it names, open or not, and creates new ones", async () => {
    const { ask } = await start({ files: { "/w/src/b.ts": "export const b = 1;\n" } });
    const answer = await ask({
      answer:
        block("src/b.ts", "export const b = 1;", "export const b = 2;") + block("src/c.ts", "", "export const c = 3;"),
      isReviewed: true,
    });
    expect(answer.kind).toBe("offered");
    expect(writtenBy(answer).map((row) => row.split(" ").slice(0, 2).join(" "))).toEqual([
      "file:///w/src/b.ts null",
      "create file:///w/src/c.ts",
      "file:///w/src/c.ts null",
    ]);
  });

  test("may be the whole text of the visible document", async () => {
    const { ask } = await start();
    const answer = await ask({ answer: `\`\`\`ts\n${swapped}\`\`\`\n`, instruction: "swap", isReviewed: true });
    expect(answer).toMatchObject({ kind: "offered", model: "pasted" });
  });

  test("may be one function of a document", async () => {
    const others = ["b", "c", "d"].map((name) => `export function ${name}() {\n  return 1;\n}\n`).join("");
    const { ask } = await start({ files: { "/w/src/b.ts": others } });
    const answer = "Here it is:\n\n```ts\nexport function c() {\n  return 2;\n}\n```\n";
    const given = await ask({ answer, uris: ["file:///w/src/b.ts"], isReviewed: true });
    expect(given).toMatchObject({ kind: "offered", model: "pasted" });
    expect(given.explanation).toContain("`c` in src/b.ts, the only definition of that name");
    expect(writtenBy(given)).toEqual(['file:///w/src/b.ts null "2"']);
  });

  test("that is unreadable gets a prompt for a retry", async () => {
    const { ask } = await start();
    const answer = await ask({ answer: block("src/a.ts", "  return a * b;", "  return b;"), isReviewed: true });
    expect(answer).toMatchObject({ kind: "refused", model: "pasted" });
    expect(answer.followUpPrompt).toContain("return a + b;");
    expect(answer.edit).toBeUndefined();
  });

  test("that breaks the syntax changes nothing", async () => {
    const { ask } = await start();
    const answer = await ask({ answer: block("src/a.ts", "  return a + b;", "  return (a + b;"), isReviewed: true });
    expect(answer.kind).toBe("broken");
    expect(answer.followUpPrompt).toContain("breaks the syntax");
  });

  test.each([
    ["a file outside", "../out.ts", /is outside of \/w/],
    ["a file with secrets", ".env", /may contain secrets/],
  ])("is refused for %s", async (_, path, message) => {
    const { ask } = await start({ files: { "/out.ts": "a\n", "/w/.env": "a\n" } });
    await expect(ask({ answer: block(path, "a", "b"), isReviewed: true })).rejects.toThrow(message);
  });

  test.each(["../out.ts", "/out.ts", "src/../../out.ts", ".git/hooks/pre-commit"])(
    "creates no file %s besides those that it may change",
    async (path) => {
      const { ask } = await start();
      const answer = `*** Begin Patch\n*** Add File: ${path}\n+a\n*** End Patch\n`;
      const { kind, edit, explanation } = await ask({ answer, uris: [uri], isReviewed: true });
      expect([kind, edit]).toEqual(["refused", undefined]);
      expect(explanation).toContain(`${path} leads out of the root, or to where nothing may be written.`);
    },
  );

  test("is the new text of a region", async () => {
    const { ask } = await start();
    const regions = [{ start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }];
    const answer = await ask({
      instruction: "swap",
      answer: "```ts\n  return b + a;\n```\n",
      regions,
      isReviewed: true,
    });
    expect(answer).toMatchObject({ kind: "offered", model: "pasted" });
  });
});

describe("a prompt for a chat", () => {
  test("has the instruction, the files, and how to answer", async () => {
    const { prompt } = await start();
    const { text } = await prompt({ instruction: "順序を入れ替える", uris: [uri] });
    expect(text).toContain("順序を入れ替える");
    expect(text).toContain("return a + b;");
    expect(text).toContain("How to answer");
  });

  test("for a region requests only its new text", async () => {
    const { prompt } = await start();
    const regions = [{ start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }];
    const { text } = await prompt({ instruction: "swap", regions });
    expect(text).toContain("return a + b;");
  });
});

test.each([
  ["no instruction and no answer", {}, "`instruction`"],
  ["an empty answer", { answer: " " }, "`answer`"],
  ["a preview without a name", { instruction: "x", preview: "" }, "`preview`"],
  ["a review of another kind", { instruction: "x", isReviewed: "yes" }, "`isReviewed`"],
])("an edit request with %s is refused", async (_, argument, message) => {
  const { ask } = await start({ answers: [swap] });
  await expect(ask(argument)).rejects.toThrow(message);
});
