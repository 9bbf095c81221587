import { afterEach, expect, test } from "vitest";
import type { InlineCompletionItem } from "vscode-languageserver/node";
import type { Model } from "../model/index.ts";
import { TestClient } from "./fixtures/test-client.ts";
import type { ServerStatus } from "./server-status.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

/** A model that answers `orders(path)`, and the texts around the places that it was asked for. */
function listening(): { readonly model: Model; readonly shown: string[] } {
  const shown: string[] = [];
  const model: Model = {
    name: "ollama:scripted",
    async *fill({ prefix, suffix }) {
      shown.push(`${prefix}|${suffix}`);
      yield { kind: "text-delta", text: "orders(path)" };
      return { reason: "finished" };
    },
  };
  return { model, shown };
}

const notebook = "file:///w/shop.ipynb";
const above = "def load_orders(path):\n    return path";
const cell = (name: string) => `vscode-notebook-cell:/w/shop.ipynb#${name}`;
const item = (uri: string, text: string, languageId = "python") => ({ uri, languageId, version: 1, text });
const at = (uri: string, line: number, character: number) => ({ textDocument: { uri }, position: { line, character } });
const inNewOrder = { notebookDocument: { synchronization: {} } };

function printItem({ insertText, range }: InlineCompletionItem): string {
  return `${range?.start.line}:${range?.start.character}-${range?.end.line}:${range?.end.character} ${insertText}`;
}

test("a cell is completed with the cells of its notebook around it, in their order", async () => {
  const { model, shown } = listening();
  client = await TestClient.start({ model, initialize: { capabilities: inNewOrder } });
  expect(client.initialized.capabilities.notebookDocumentSync).toEqual({ notebookSelector: [{ notebook: "*" }] });
  const { connection } = client;
  const cells = ["W3s", "W2s", "W1s"].map((name) => ({ kind: 2, document: cell(name) }));
  await connection.sendNotification("notebookDocument/didOpen", {
    notebookDocument: { uri: notebook, notebookType: "jupyter-notebook", version: 1, cells },
    cellTextDocuments: [
      item(cell("W3s"), above),
      item(cell("W2s"), "# Orders", "markdown"),
      item(cell("W1s"), "x = 1\n"),
    ],
  });
  await connection.sendNotification("notebookDocument/didChange", {
    notebookDocument: { uri: notebook, version: 2 },
    change: {
      cells: {
        structure: {
          array: { start: 2, deleteCount: 0, cells: [{ kind: 2, document: cell("W4s") }] },
          didOpen: [item(cell("W4s"), "a = 0\nb = loa")],
        },
        textContent: [
          {
            document: { uri: cell("W4s"), version: 2 },
            changes: [{ range: { start: { line: 1, character: 7 }, end: { line: 1, character: 7 } }, text: "d_" }],
          },
        ],
      },
    },
  });
  const items = await client.complete(at(cell("W4s"), 1, 9));
  expect(shown[0]).toBe(`${above}\n\na = 0\nb = load_|\n\nx = 1\n`);
  expect(items.map(printItem)).toEqual(["1:9-1:9 orders(path)"]);

  await connection.sendNotification("notebookDocument/didClose", {
    notebookDocument: { uri: notebook },
    cellTextDocuments: ["W1s", "W2s", "W3s", "W4s"].map((name) => ({ uri: cell(name) })),
  });
  expect(await client.complete(at(cell("W4s"), 1, 9))).toEqual([]);
  expect(await client.lastReasonKind()).toBe("unknown-document");
});

test("a cell is completed with the cells around it where the client sends no notebooks", async () => {
  const { model, shown } = listening();
  client = await TestClient.start({ model });
  expect(client.initialized.capabilities.notebookDocumentSync).toBeUndefined();
  await client.open(cell("W0s"), above, "python");
  await client.open("vscode-notebook-cell:/w/other.ipynb#W0s", "other = 1", "python");
  const place = await client.open(cell("W1s"), "b = load_|", "python");
  expect((await client.complete(place)).map(printItem)).toEqual(["0:9-0:9 orders(path)"]);
  expect(shown[0]).toBe(`${above}\n\nb = load_|`);
});

test("a cell whose notebook contains a private key is not shown to a model", async () => {
  const { model, shown } = listening();
  client = await TestClient.start({ model });
  await client.open(cell("W0s"), "-----BEGIN PRIVATE KEY-----\nMIIE\n", "python");
  expect(await client.complete(await client.open(cell("W1s"), "b = load_|", "python"))).toEqual([]);
  expect([shown, await client.lastReasonKind()]).toEqual([[], "secret-file"]);
});

test("invalid notifications about notebooks are refused with what they lack", async () => {
  client = await TestClient.start({ initialize: { capabilities: inNewOrder } });
  const { connection } = client;
  await connection.sendNotification("notebookDocument/didOpen", {
    notebookDocument: { uri: notebook, cells: [{}] },
    cellTextDocuments: [],
  });
  await connection.sendNotification("notebookDocument/didChange", {
    notebookDocument: { uri: notebook },
    change: { cells: { textContent: 1 } },
  });
  await connection.sendNotification("notebookDocument/didChange", { notebookDocument: { uri: notebook } });
  await connection.sendNotification("notebookDocument/didClose", { notebookDocument: { uri: notebook } });
  await connection.sendRequest("emend/status");
  expect(client.logged).toEqual([
    "notebookDocument/didOpen requires `document`, which is a string.",
    "notebookDocument/didChange requires `change.cells.textContent`, which is a list.",
    "notebookDocument/didClose requires `cellTextDocuments`, which is a list.",
  ]);
});

const clear = "export function first(items: string[]): string {\n  return items.at(0) ?? missing(items);\n}\n";

test.each([
  ["that was never saved", "untitled:Untitled-1", "typescript"],
  ["of a notebook", "vscode-notebook-cell:/w/deno.ipynb#W0s", "typescript"],
])("the built-in model learns an open document %s, and forgets it when it is closed", async (_, uri, language) => {
  client = await TestClient.start({ files: { "/w/src/a.ts": "export {};\n" } });
  await client.waitUntilLearnt();
  const { connection } = client;
  const learnt = async () => (await connection.sendRequest<ServerStatus>("emend/status")).sessions[0]?.statistics.files;
  const [head] = clear.split("items.at");
  const place = await client.open("file:///w/src/new.ts", `${head}ite|\n}\n`, "typescript");
  expect(await learnt()).toBe(1);
  await client.open(uri, clear.repeat(12), language);
  await expect.poll(learnt).toBe(2);
  expect((await client.complete(place))[0]?.insertText).toBe("ms.at(0) ?? missing(items);");
  await connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  await expect.poll(learnt).toBe(1);
});
