import { afterEach, describe, expect, test } from "vitest";
import { ScriptedChat } from "../next/fixtures/scripted-chat.ts";
import { TestClient } from "./fixtures/test-client.ts";
import type { NextEditResult } from "./suggestions/next-edit-methods.ts";

const opened: TestClient[] = [];
afterEach(async () => {
  for (const client of opened.splice(0)) await client[Symbol.asyncDispose]();
});

const uriOf = (path: string) => new URL(path, "file:///w/").href;

/** So long that no page shows all of it; its lines say where they are. */
const longText = (path: string) => Array.from({ length: 1000 }, (_, line) => `${path} ${line};\n`).join("");

/**
 * A client of a server whose model for next edits answers in a chat that there is nothing to
 * change.
 */
async function startAsking({ editor = {}, files = {} }: { editor?: object; files?: Record<string, string> } = {}) {
  const chat = new ScriptedChat(["<NO_CHANGE>"]);
  const name = "openai-compatible:http://127.0.0.1:1/v1#scripted";
  const next = { model: name, format: "unified", origins: ["model"], debounceMs: 0, ...editor };
  const client = await TestClient.start({
    files,
    model: { ...chat.model, name },
    initialize: { initializationOptions: { emend: { next, complete: { enabled: false } } } },
  });
  opened.push(client);
  return { client, chat };
}

/** A person in an editor. Each act names a file, and the line that it is about. */
class Acts {
  readonly #client: TestClient;
  #version = 100;

  constructor(client: TestClient) {
    this.#client = client;
  }

  async open(path: string, _line: number, text = longText(path)): Promise<void> {
    await this.#client.open(uriOf(path), text, "plaintext");
  }

  async focus(path: string): Promise<void> {
    await this.#client.connection.sendNotification("textDocument/didFocus", { textDocument: { uri: uriOf(path) } });
  }

  async close(path: string): Promise<void> {
    await this.#client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
  }

  async edit(path: string, line: number): Promise<void> {
    const start = { line, character: 0 };
    await this.#client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: uriOf(path), version: ++this.#version },
      contentChanges: [{ range: { start, end: start }, text: "x" }],
    });
  }

  ask(path: string, line: number): Promise<NextEditResult> {
    const params = { textDocument: { uri: uriOf(path) }, position: { line, character: 0 } };
    return this.#client.connection.sendRequest<NextEditResult>("emend/nextEdit", params);
  }
}

/**
 * What a question shows of files that were looked at: their paths, the oldest first, and the text
 * of each.
 */
function shownIn(question: string): readonly (readonly [path: string, text: string])[] {
  const snippets = question.matchAll(/code_snippet_file_path: (\S+)\n([\s\S]*?)<\|\/recently_viewed_code_snippet\|>/g);
  return [...snippets].map(([, path, text]) => [path!, text!]);
}

describe("prompts contain recently viewed snippets, the oldest first, around the last cursor", () => {
  // An act is `WHAT FILE LINE`; what is shown is `FILE LINE`, the line being one that is on the
  // page. The last question counts.
  test.each<[name: string, acts: string, shown: string]>([
    ["none but the one at hand", "open a 0, edit a 5, ask a 5", ""],
    ["one that was opened, from its top", "open b 0, open a 0, edit a 5, ask a 5", "b 0"],
    ["one that was edited, there", "open b 0, edit b 500, open a 0, edit a 5, ask a 5", "b 500"],
    ["one with a request in it, there", "open b 0, edit b 500, ask b 700, open a 0, ask a 5", "b 700"],
    ["one that was edited behind that, there", "open b 0, ask b 700, edit b 500, open a 0, ask a 5", "b 500"],
    ["those of before, by when they were opened", "open c 0, open b 0, open a 0, edit a 5, ask a 5", "c 0, b 0"],
    ["by when they were focused", "open c 0, open b 0, open a 0, edit a 5, focus c, ask a 5", "b 0, c 0"],
    ["by when they were edited", "open c 0, open b 0, open a 0, edit c 300, edit a 5, ask a 5", "b 0, c 300"],
    [
      "by the time of their requests",
      "open c 0, open b 0, open a 0, edit c 9, edit b 9, ask c 300, ask a 5",
      "b 9, c 300",
    ],
    ["none that was closed", "open c 0, open b 0, open a 0, edit a 5, close b, ask a 5", "c 0"],
    [
      "five of them",
      "open g 0, open f 0, open e 0, open d 0, open c 0, open b 0, open a 0, edit a 5, ask a 5",
      "f 0, e 0, d 0, c 0, b 0",
    ],
  ])("%s", async (_, script, shown) => {
    const { client, chat } = await startAsking();
    const acts = new Acts(client);
    for (const act of script.split(", ")) {
      const [what, path, line] = act.split(" ") as ["open" | "focus" | "close" | "edit" | "ask", string, string];
      await acts[what](path, Number(line));
    }
    const pages = shownIn(chat.requests.at(-1)!);
    const wanted = shown === "" ? [] : shown.split(", ").map((one) => one.split(" ") as [string, string]);
    expect(pages.map(([path]) => path)).toEqual(wanted.map(([path]) => path));
    for (const [i, [path, line]] of wanted.entries()) expect(pages[i]![1]).toMatch(new RegExp(`${path} ${line};`));
    // All together have at most 2,000 tokens, which are never more than their characters.
    expect(pages.reduce((sum, [, text]) => sum + text.length, 0)).toBeLessThan(8_000);
  });

  test.each<[name: string, path: string, text: string]>([
    ["a secret file", ".env", "TOKEN=1\n"],
    ["a file with a key in it", "keys.txt", "-----BEGIN PRIVATE KEY-----\nMIIE\n"],
    ["an ignored file", "out/b.txt", "text\n"],
    ["a file of another folder", "../x/b.txt", "text\n"],
  ])("prompts contain no recently viewed snippet of %s", async (_, path, text) => {
    const { client, chat } = await startAsking({ files: { "/w/.gitignore": "out/\n" } });
    const acts = new Acts(client);
    await acts.open(path, 0, text);
    await acts.open("c", 0);
    await acts.open("a", 0);
    await acts.edit("a", 5);
    await acts.ask("a", 5);
    expect(shownIn(chat.requests.at(-1)!).map(([shown]) => shown)).toEqual(["c"]);
  });

  test("limits snippets and excerpt by the settings", async () => {
    const context = { viewedSnippets: 1, viewedTokens: 60, linesAbove: "up-to-text", linesBelow: 1 };
    const { client, chat } = await startAsking({ editor: { context } });
    const acts = new Acts(client);
    for (const path of ["c", "b"]) await acts.open(path, 0);
    await acts.open("a", 0, `first;\n\n\nlast;\nbehind;\n`);
    await acts.edit("a", 4);
    await acts.ask("a", 2);
    const question = chat.requests[0]!;
    const pages = shownIn(question);
    expect([pages.map(([path]) => path), pages[0]![1].split("\n").length < 50]).toEqual([["b"], true]);
    const window = /<\|code_to_edit\|>\n([\s\S]*?)<\|\/code_to_edit\|>/.exec(question)?.[1];
    expect(window?.replace(/<\|cursor\|>/, "|")).toBe("first;\n\n|\nlast;\n");
  });

  test("secrets in recently viewed snippets are redacted", async () => {
    const { client, chat } = await startAsking();
    const acts = new Acts(client);
    await acts.open("b", 0, 'password = "hunter2"\n');
    await acts.open("a", 0);
    await acts.edit("a", 5);
    await acts.ask("a", 5);
    expect(shownIn(chat.requests.at(-1)!)[0]![1]).toBe('password = "…"\n');
  });
});

describe("prompts contain the client's diagnostics near the cursor", () => {
  const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });
  const diagnostics = [
    { range: at(5), message: "no semicolon", severity: 1 },
    { range: at(6), message: "not used", severity: 2 },
    { range: at(6), message: "a hint", severity: 4 },
    { range: at(900), message: "far away", severity: 1 },
    { range: at(6) },
  ];

  test.each(["emend/nextEdit", "textDocument/copilotInlineEdit"])("by %s", async (method) => {
    const { client, chat } = await startAsking();
    const acts = new Acts(client);
    await acts.open("a", 0);
    await acts.edit("a", 5);
    const place = { textDocument: { uri: uriOf("a") }, position: { line: 5, character: 0 } };
    await client.connection.sendRequest(method, { ...place, context: { triggerKind: 1, diagnostics } });
    const prompt = chat.requests.at(-1)!;
    expect(["no semicolon", "not used", "a hint", "far away"].filter((message) => prompt.includes(message))).toEqual([
      "no semicolon",
      "not used",
    ]);
    await expect(
      client.connection.sendRequest(method, { ...place, context: { diagnostics: 5 } }),
    ).rejects.toMatchObject({ code: -32602 });
  });
});
