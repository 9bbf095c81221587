import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { InlineCompletionTriggerKind } from "vscode-languageserver";
import { readRecording } from "../next/index.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { disk } from "../workspace/node/index.ts";
import { TestClient } from "./fixtures/test-client.ts";
import type {
  NextEditAcceptResult,
  NextEditItem,
  NextEditParams,
  NextEditResult,
} from "./suggestions/next-edit-methods.ts";

const folders: string[] = [];
let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
  for (const folder of folders.splice(0)) removeFolder(folder);
});

const files = {
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "nodenext" }, "include": ["src"] }\n',
  "package.json": '{ "type": "module" }\n',
  "src/price.ts": [
    "export function priceOf(count: number): number {",
    "  return count * 3;",
    "}",
    "",
    "export function twice(count: number): number {",
    "  return priceOf(count) + priceOf(count);",
    "}",
    "",
  ].join("\n"),
  "src/shop.ts": [
    'import { priceOf } from "./price.js";',
    "",
    "export function bill(counts: readonly number[]): number {",
    "  return counts.reduce((sum, count) => sum + priceOf(count), 0);",
    "}",
    "",
  ].join("\n"),
  "src/twice.ts": 'import { twice } from "./price.js";\n\nexport const four = twice(2);\n',
  "src/other.ts": "// priceOf is somebody else's here.\nexport const other = { priceOf: 1 };\n",
};

/** A server for these files on the disk, with TypeScript's own service, and `src/price.ts` open. */
async function start(settings: object = {}) {
  const root = folders[0] ?? realpathSync(mkdtempSync(join(tmpdir(), "emend-next-")));
  if (folders.length === 0) folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  client = await TestClient.start({
    host: { fileSystem: disk, nextEdits: undefined },
    initialize: {
      workspaceFolders: [{ uri: pathToFileURL(root).href, name: "shop" }],
      initializationOptions: { emend: settings },
    },
  });
  const { connection } = client;
  const uriOf = (path: string) => pathToFileURL(join(root, path)).href;
  const texts = new Map<string, { version: number; text: string }>();
  return {
    ...{ root, client, connection, uriOf, texts },
    async open(path: keyof typeof files) {
      await client!.open(uriOf(path), files[path], "typescript");
      texts.set(uriOf(path), { version: 100, text: files[path] });
    },
    /** Does edits in an open document, as an editor does. */
    async apply(uri: string, edits: NextEditItem["edits"]) {
      const open = texts.get(uri)!;
      const changes = [...edits].reverse();
      for (const { range, newText } of changes) {
        const lines = open.text.split("\n");
        const offset = ({ line, character }: { line: number; character: number }) =>
          lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
        open.text = open.text.slice(0, offset(range.start)) + newText + open.text.slice(offset(range.end));
      }
      open.version += 1;
      await connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version: open.version },
        contentChanges: changes.map(({ range, newText }) => ({ range, text: newText })),
      });
    },
    ask: (uri: string, line: number, character: number, context?: NextEditParams["context"]) =>
      connection.sendRequest<NextEditResult>("emend/nextEdit", {
        textDocument: { uri, version: texts.get(uri)!.version },
        ...{ position: { line, character }, context },
      }),
  };
}

function offered(answer: NextEditResult): NextEditItem {
  if (answer.kind === "no-suggestion") throw new Error(answer.text);
  return answer.suggestion;
}

const renamed = [{ range: { start: { line: 0, character: 16 }, end: { line: 0, character: 23 } }, newText: "costOf" }];

test("suggests all uses of a renamed function in all files, one after the other", async () => {
  const { connection, open, apply, ask, uriOf, texts } = await start();
  const price = uriOf("src/price.ts");
  await open("src/price.ts");
  await apply(price, renamed);

  const first = offered(await ask(price, 0, 22));
  expect(first).toMatchObject({ isElsewhere: false, range: { start: { line: 5, character: 9 } } });
  expect(first.others.some(({ textDocument }) => textDocument.uri === uriOf("src/shop.ts"))).toBe(true);
  await apply(price, first.edits);
  await connection.sendRequest("emend/nextEdit/accept", { id: first.id });
  expect(texts.get(price)!.text).toContain("return costOf(count) + costOf(count);");

  const second = offered(await ask(price, 5, 30));
  expect(second).toMatchObject({ isElsewhere: true, textDocument: { uri: uriOf("src/shop.ts"), version: null } });
  await open("src/shop.ts");
  await apply(second.textDocument.uri, second.edits);
  await connection.sendRequest("emend/nextEdit/accept", { id: second.id });

  const third = offered(await ask(uriOf("src/shop.ts"), second.range.start.line, 0));
  await connection.sendNotification("emend/nextEdit/shown", { id: third.id });
  await connection.sendNotification("emend/nextEdit/reject", { id: third.id });
  const after = await ask(uriOf("src/shop.ts"), second.range.start.line, 0);
  expect(after.kind === "offered" ? after.suggestion.edits : []).not.toEqual(third.edits);
}, 60_000);

test("names when to request again while the type checker is being opened, which then finds the next edit", async () => {
  const { open, apply, ask, uriOf } = await start();
  const price = uriOf("src/price.ts");
  await open("src/price.ts");
  // A use in another file alone is not certain without types.
  await apply(price, [
    { range: { start: { line: 4, character: 16 }, end: { line: 4, character: 21 } }, newText: "double" },
  ]);
  const automatic = { triggerKind: InlineCompletionTriggerKind.Automatic };
  let answer = await ask(price, 4, 22, automatic);
  expect(answer).toMatchObject({
    reason: { kind: "nothing-follows", leftOut: [{ kind: "types-opening" }] },
    text: expect.stringContaining("the type checker is being opened"),
    repeatAfterMs: 1_000,
  });
  for (let times = 0; answer.kind === "no-suggestion" && answer.repeatAfterMs !== undefined && times < 50; times++) {
    await wait(answer.repeatAfterMs);
    answer = await ask(price, 4, 22, automatic);
  }
  expect(offered(answer)).toMatchObject({ isElsewhere: true, textDocument: { uri: uriOf("src/twice.ts") } });
}, 60_000);

test("records sessions where the settings name a file, each to its own", async () => {
  for (const name of ["session.edits.json", "session-2.edits.json"]) {
    const { root, connection, open, apply, ask, uriOf } = await start({ next: { recordTo: "session.edits.json" } });
    const price = uriOf("src/price.ts");
    await open("src/price.ts");
    await apply(price, renamed);
    const { id, edits } = offered(await ask(price, 0, 22));
    await connection.sendNotification("emend/nextEdit/shown", { id });
    await apply(price, edits);
    await connection.sendRequest("emend/nextEdit/accept", { id });
    await client?.[Symbol.asyncDispose]();
    client = undefined;
    const reading = await readRecording(readFileSync(join(root, name), "utf8"));
    const events = reading.kind === "read" ? reading.recording.events : [];
    expect(events.map(({ kind }) => kind)).toEqual([
      ...["opened", "changed", "opened", "cursor", "shown", "changed", "accepted"],
    ]);
  }
}, 60_000);

test("all uses of a renamed function are accepted together, checked by types", async () => {
  const { connection, open, apply, ask, uriOf } = await start();
  const price = uriOf("src/price.ts");
  await open("src/price.ts");
  await apply(price, renamed);
  const { id } = offered(await ask(price, 0, 22));
  const { edit } = await connection.sendRequest<NextEditAcceptResult>("emend/nextEdit/accept", { id, chain: true });
  const words = Object.entries(edit?.changes ?? {}).map(([uri, edits]) => [uri, edits.map(({ newText }) => newText)]);
  expect(words).toEqual([
    [price, ["costOf", "costOf"]],
    [uriOf("src/shop.ts"), ["costOf", "costOf"]],
  ]);
}, 60_000);
