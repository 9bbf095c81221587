import { expect, test } from "vitest";
import type { FileSystem } from "./file-system.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";
import { readSources } from "./read-sources.ts";

const memory = new MemoryFileSystem({ "/work/a.ts": "a", "/work/b.ts": "b", "/work/c.ts": "c", "/work/d.ts": "d" });

/** A file system that answers late for early files, and counts concurrent reads. */
function slow(): { readonly fileSystem: FileSystem; readonly most: () => number; readonly read: string[] } {
  let running = 0;
  let most = 0;
  const read: string[] = [];
  const fileSystem: FileSystem = {
    realPath: (path) => memory.realPath(path),
    stat: (path) => memory.stat(path),
    readFolder: (path) => memory.readFolder(path),
    readFile: async (path) => {
      running += 1;
      most = Math.max(most, running);
      read.push(path);
      for (let turn = path.endsWith("a.ts") ? 20 : 1; turn > 0; turn -= 1) await Promise.resolve();
      running -= 1;
      return memory.readFile(path);
    },
  };
  return { fileSystem, most: () => most, read };
}

test("readSources yields in the order of the paths and reads at most atOnce files at the same time", async () => {
  const { fileSystem, most } = slow();
  const seen: string[] = [];
  for await (const answer of readSources("/work", ["a.ts", "b.ts", ".env", "c.ts", "d.ts"], {
    fileSystem,
    atOnce: 3,
  })) {
    seen.push(answer.kind === "source" ? answer.text : `${answer.path} ${answer.reason.kind}`);
  }
  expect(seen).toEqual(["a", "b", ".env secret", "c", "d"]);
  expect(most()).toBeLessThanOrEqual(3);
});

test("readSources reads no further file when the consumer leaves early", async () => {
  const { fileSystem, read } = slow();
  for await (const _ of readSources("/work", ["a.ts", "b.ts", "c.ts", "d.ts"], { fileSystem, atOnce: 2 })) break;
  expect(read).toEqual(["/work/a.ts", "/work/b.ts"]);
});
