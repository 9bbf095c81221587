import { afterEach, expect, test } from "vitest";
import { NextEditProviders } from "../next/node/index.ts";
import { TestClient } from "./fixtures/test-client.ts";
import type { NextEditResult } from "./suggestions/next-edit-methods.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/src/a.ts";

test.each([
  ["ternaries", `${"a?b:".repeat(10_000)}c\n`],
  ["members", `a${".b".repeat(10_000)}\n`],
  ["sums", `let a = b${" + c".repeat(10_000)};\n`],
  ["brackets", `${"[".repeat(60_000)}a${"]".repeat(60_000)}\n`],
  ["calls", `a${"()".repeat(10_000)}\n`],
])("row 14: 10,000 nested %s get an answer to each request", { timeout: 60_000 }, async (_, deep) => {
  const text = `const first = 1;\n${deep}first;\n`;
  client = await TestClient.start({
    files: { "/w/src/a.ts": text },
    host: {
      nextEdits: { openTypes: null, openSources: (tools) => new NextEditProviders({ ...tools, openTypes: null }) },
    },
  });
  const { connection } = client;
  await client.open(uri, text, "typescript");
  const position = { line: 0, character: 11 };
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: position, end: position }, text: "Name" }],
  });
  const textDocument = { uri, version: 2 };
  for (const triggerKind of [1, 2]) {
    const params = { textDocument, position: { line: 0, character: 15 }, context: { triggerKind } };
    const answer = await connection.sendRequest<NextEditResult>("emend/nextEdit", params);
    expect(["offered", "no-suggestion"]).toContain(answer.kind);
    // It rejects where something is broken.
    await connection.sendRequest("textDocument/inlineCompletion", params);
  }
});
