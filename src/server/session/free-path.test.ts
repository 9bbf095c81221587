import { expect, test } from "vitest";
import { MemoryFileSystem } from "../../workspace/index.ts";
import { isFreePath } from "./free-path.ts";

test.each<[path: string, isFree: boolean]>([
  ["b.ts", true],
  ["src/b.ts", true],
  ["new/folder/b.ts", true],
  ["src/a.ts", false],
  ["src", false],
  ["src/a.ts/b.ts", false],
  ["../b.ts", false],
  ["src//b.ts", false],
  ["src/", false],
  ["inside/b.ts", true],
  ["outside/b.ts", false],
  ["dangling.ts", false],
])("isFreePath checks %s", async (path, isFree) => {
  const disk = new MemoryFileSystem({ "/w/src/a.ts": "", "/elsewhere/c.ts": "" });
  disk.makeLink("/w/inside", "/w/src");
  disk.makeLink("/w/outside", "/elsewhere");
  disk.makeLink("/w/dangling.ts", "/elsewhere/gone.ts");
  expect(await isFreePath("/w", path, disk)).toBe(isFree);
});

test("finds no free path without a workspace", async () => {
  expect(await isFreePath("/gone", "a.ts", new MemoryFileSystem({}))).toBe(false);
});
