import { expect, test } from "vitest";
import type { FileSystem } from "../file-system.ts";
import { MemoryFileSystem } from "../memory-file-system.ts";
import { TextStore, type UnsavedDocument } from "./text-store.ts";

interface Started {
  readonly store: TextStore;
  readonly disk: MemoryFileSystem;
  /** The files that were read from the disk since the last call. */
  reads(): string;
  /** The texts at these paths as the store has them; `-` for a file that is skipped. */
  texts(...paths: string[]): Promise<string>;
}

function start(files: Readonly<Record<string, string>>, maxHeldCharacters?: number): Started {
  const disk = new MemoryFileSystem(files);
  let found: string[] = [];
  const fileSystem: FileSystem = {
    readFile(path, options) {
      found.push(path.slice("/w/".length));
      return disk.readFile(path, options);
    },
    readFolder: (path) => disk.readFolder(path),
    stat: (path) => disk.stat(path),
    readLink: (path) => disk.readLink(path),
    realPath: (path) => disk.realPath(path),
  };
  const store = new TextStore({ root: "/w", fileSystem, ...(maxHeldCharacters && { maxHeldCharacters }) });
  return {
    ...{ store, disk },
    reads() {
      const read = found.join(" ");
      found = [];
      return read;
    },
    async texts(...paths) {
      const texts: string[] = [];
      for await (const answer of store.read(paths)) texts.push(answer.kind === "source" ? answer.text : "-");
      return texts.join(" ");
    },
  };
}

function unsaved(text: string): UnsavedDocument {
  return { path: "Untitled-1", language: "python", text };
}

test("texts of the disk are read each time, in the order of paths", async () => {
  const { texts, reads, store } = start({ "/w/a.ts": "a", "/w/b.ts": "b" });
  expect(await texts("b.ts", "none.ts", "a.ts")).toBe("b - a");
  expect(await texts("a.ts")).toBe("a");
  expect(reads()).toBe("b.ts a.ts a.ts");
  expect(store.heldCharacters).toBe(0);
});

test("texts are read once where they are held, and dropped with the last holder", async () => {
  const { texts, reads, store } = start({ "/w/a.ts": "aaa", "/w/b.ts": "b" });
  const holders = [store.hold(), store.hold()];
  await texts("a.ts", "b.ts");
  expect(await texts("a.ts", "b.ts")).toBe("aaa b");
  expect([reads(), store.heldCharacters]).toEqual(["a.ts b.ts", 4]);
  holders[0]![Symbol.dispose]();
  holders[0]![Symbol.dispose]();
  await texts("a.ts");
  expect(reads()).toBe("");
  holders[1]![Symbol.dispose]();
  expect(store.heldCharacters).toBe(0);
  await texts("a.ts");
  expect(reads()).toBe("a.ts");
});

test("two readers at a time share what is read", async () => {
  const { texts, reads } = start({ "/w/a.ts": "a" });
  expect(await Promise.all([texts("a.ts"), texts("a.ts")])).toEqual(["a", "a"]);
  expect(reads()).toBe("a.ts");
});

test("texts beyond the limit are not held", async () => {
  const { texts, reads, store } = start({ "/w/a.ts": "aaa", "/w/b.ts": "bbb", "/w/c.ts": "c" }, 4);
  store.hold();
  await texts("a.ts", "b.ts", "c.ts");
  expect(store.heldCharacters).toBe(4);
  reads();
  expect(await texts("a.ts", "b.ts", "c.ts")).toBe("aaa bbb c");
  expect(reads()).toBe("b.ts");
});

test("a changed file is read again, also where it changes while it is read", async () => {
  const { texts, store, disk } = start({ "/w/a.ts": "old" });
  store.hold();
  const before = texts("a.ts");
  disk.writeFile("/w/a.ts", "new!");
  store.changed(["a.ts"]);
  expect(await texts("a.ts")).toBe("new!");
  await before;
  expect([await texts("a.ts"), store.heldCharacters]).toEqual(["new!", 4]);
  disk.writeFile("/w/a.ts", "again");
  expect(await texts("a.ts")).toBe("new!");
  store.forget("a.ts");
  expect(await texts("a.ts")).toBe("again");
  disk.remove("/w/a.ts");
  store.changed(["a.ts"]);
  expect([await texts("a.ts"), store.heldCharacters]).toEqual(["-", 0]);
});

test("followers get the paths of changes until they unsubscribe", () => {
  const { store } = start({});
  const followed: string[] = [];
  const following = store.subscribe((paths) => followed.push(paths.join(" ")));
  store.changed(["a.ts", "b.ts"]);
  for (const text of ["x", "x", "xy"]) store.setUnsaved([unsaved(text)]);
  following[Symbol.dispose]();
  store.changed(["b.ts"]);
  expect(followed).toEqual(["a.ts b.ts", "Untitled-1", "Untitled-1"]);
});

test("a document that was never saved is read like a file until it is closed", async () => {
  const { texts, reads, store } = start({});
  store.setUnsaved([unsaved("x = 1"), unsaved("of the same name")]);
  expect([await texts("Untitled-1"), reads(), [...store.unsaved.keys()]]).toEqual(["x = 1", "", ["Untitled-1"]]);
  store.setUnsaved([]);
  expect([await texts("Untitled-1"), store.unsaved.size]).toEqual(["-", 0]);
});

test("a document over a file has precedence while it is open", async () => {
  const { texts, store } = start({ "/w/a.ipynb": "{}" });
  store.hold();
  expect(await texts("a.ipynb")).toBe("{}");
  store.setUnsaved([{ path: "a.ipynb", language: "python", text: "x" }]);
  expect(await texts("a.ipynb")).toBe("x");
  expect(await store.read(["a.ipynb"], { of: "disk" }).next()).toMatchObject({ value: { text: "{}" } });
  store.setUnsaved([]);
  expect(await texts("a.ipynb")).toBe("{}");
});

test("an aborted reading ends with the signal's reason", async () => {
  const { store } = start({ "/w/a.ts": "a" });
  const controller = new AbortController();
  controller.abort(new Error("closed"));
  await expect(store.read(["a.ts"], { signal: controller.signal }).next()).rejects.toThrow("closed");
});
