import { expect, test } from "vitest";
import { fileSystemLaws } from "./file-system.laws.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";

fileSystemLaws("the disk in memory", () => {
  const fileSystem = new MemoryFileSystem();
  const root = "/work";
  fileSystem.makeFolder(root);
  return {
    fileSystem,
    root,
    write: (path, content) => fileSystem.writeFile(`${root}/${path}`, content),
    makeFolder: (path) => fileSystem.makeFolder(`${root}/${path}`),
    makeLink: (path, target) => fileSystem.makeLink(`${root}/${path}`, target),
    makeSpecial: (path) => fileSystem.makeSpecial(`${root}/${path}`),
    lock: (path) => fileSystem.lock(`${root}/${path}`),
  };
});

test("MemoryFileSystem.rename keeps the time of change and replaces the target", async () => {
  let now = 1;
  const disk = new MemoryFileSystem({ "/a": "old" }, () => now);
  now = 2;
  disk.writeFile("/b", "new");
  now = 3;
  disk.rename("/b", "/a");
  expect(await disk.stat("/a")).toEqual({ kind: "file", size: 3, mtimeMs: 2, ctimeMs: 2 });
  expect((await disk.readFolder("/")).map((entry) => entry.name)).toEqual(["a"]);
});
