import { afterEach, expect, test } from "vitest";
import { type FileSystem, MemoryFileSystem } from "../../workspace/index.ts";
import { modelAnswering, TestClient } from "../fixtures/test-client.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

test("what is learnt, searched and edited next is read from the disk once", async () => {
  const disk = new MemoryFileSystem({
    "/w/.git/HEAD": "",
    "/w/lib/a.ts": "export const first = 1;\n",
    "/w/lib/b.ts": 'import { first } from "./a";\nfirst;\n',
  });
  const read = new Map<string, number>();
  const count = (path: string) => void read.set(path, (read.get(path) ?? 0) + 1);
  const fileSystem: FileSystem = {
    readFile(path, options) {
      count(path);
      return disk.readFile(path, options);
    },
    readFolder(path) {
      count(path);
      return disk.readFolder(path);
    },
    stat: (path) => disk.stat(path),
    readLink: (path) => disk.readLink(path),
    realPath: (path) => disk.realPath(path),
  };
  client = await TestClient.start({ host: { fileSystem }, model: modelAnswering("x") });
  await client.waitUntilLearnt();
  const session = async () => {
    const { sessions } = await client!.connection.sendRequest<{ readonly sessions: readonly object[] }>("emend/status");
    return sessions[0];
  };
  await expect.poll(session).toMatchObject({ indexedFiles: 2 });
  const { textDocument, position } = await client.open("file:///w/src/c.ts", "one|\n", "typescript");
  const params = { textDocument: { ...textDocument, version: 1 }, position, context: { triggerKind: 1 } };
  await client.connection.sendRequest("textDocument/copilotInlineEdit", params);
  await expect.poll(session).toMatchObject({ nextEditFiles: 2 });
  // The folders are listed again when the watch on the disk begins.
  expect(["/w/lib/a.ts", "/w/lib/b.ts", "/w/lib"].map((path) => read.get(path))).toEqual([1, 1, 2]);
});
