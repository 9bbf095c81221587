import { describe, expect, test } from "vitest";
import { type FileSystem, FileSystemError } from "./file-system.ts";

/** A {@link FileSystem} under test, with an empty folder and functions that fill it. */
export interface FileSystemBench {
  readonly fileSystem: FileSystem;
  /** The absolute real path of the folder. */
  readonly root: string;
  write(path: string, content: string | Uint8Array): void;
  makeFolder(path: string): void;
  makeLink(path: string, target: string): void;
  /** Makes a named pipe; absent where the system has no pipes. */
  readonly makeSpecial?: (path: string) => void;
  /**
   * Removes the permission to read; absent where the tests run with the right to read everything.
   */
  readonly lock?: (path: string) => void;
}

/** The contract suite of {@link FileSystem}. `open` returns a new, empty folder for each test. */
export function fileSystemLaws(name: string, open: () => FileSystemBench): void {
  describe(`${name} keeps the contract of a file system`, () => {
    const failure = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(FileSystemError);
      return (error as FileSystemError).code;
    };

    test("readFile returns the bytes of a file as they were written", async () => {
      const { fileSystem, root, write } = open();
      const bytes = new Uint8Array([0, 255, 13, 10, 0xef, 0xbb, 0xbf]);
      write("a b/é.bin", bytes);
      expect(Array.from(await fileSystem.readFile(`${root}/a b/é.bin`))).toEqual(Array.from(bytes));
    });

    test("statAll answers for each path as stat does", async (context) => {
      const { fileSystem, root, write } = open();
      if (fileSystem.statAll === undefined) return context.skip("this file system has no such function");
      write("a.txt", "12345");
      const paths = ["a.txt", "missing.txt", "", "a.txt/below"].map((name) => `${root}/${name}`);
      const alone = await Promise.all(
        paths.map((path) => fileSystem.stat(path).catch((error: unknown) => (error as FileSystemError).code)),
      );
      const answers = await fileSystem.statAll(paths);
      expect(answers.map((answer) => (answer instanceof FileSystemError ? answer.code : answer))).toEqual(alone);
    });

    test("row 8: readFile rejects files over the limit at once, also behind links", async () => {
      const bench = open();
      bench.write("large.txt", "12345");
      bench.makeLink("link.txt", "large.txt");
      for (const name of ["large.txt", "link.txt"]) {
        expect(await failure(bench.fileSystem.readFile(`${bench.root}/${name}`, { maxBytes: 4 }))).toBe("too-large");
        expect(await bench.fileSystem.readFile(`${bench.root}/${name}`, { maxBytes: 5 })).toHaveLength(5);
      }
    });

    test("row 8: readFile rejects special files at once, also behind links", async (context) => {
      const bench = open();
      if (bench.makeSpecial === undefined) return context.skip("this system has no pipes");
      bench.makeSpecial("pipe");
      bench.makeLink("to-pipe", "pipe");
      for (const name of ["pipe", "to-pipe"]) {
        expect(await failure(bench.fileSystem.readFile(`${bench.root}/${name}`))).toBe("special-file");
        expect(await bench.fileSystem.stat(`${bench.root}/${name}`)).toMatchObject({ kind: "special" });
      }
    });

    test("row 6: readLink returns the target of a link, also of a broken one, and undefined for anything else", async () => {
      const { fileSystem, root, write, makeLink } = open();
      write("folder/file.ts", "");
      makeLink("folder/link", "../nowhere/.env");
      expect(await fileSystem.readLink?.(`${root}/folder/link`)).toBe("../nowhere/.env");
      expect(await fileSystem.readLink?.(`${root}/folder/file.ts`)).toBeUndefined();
      expect(await fileSystem.readLink?.(`${root}/folder`)).toBeUndefined();
      for (const missing of ["folder/nothing", "nothing/file.ts", "folder/file.ts/inside"])
        await expect(fileSystem.readLink?.(`${root}/${missing}`)).rejects.toThrow(FileSystemError);
    });

    test("stat returns the size in bytes and the time of the last change", async () => {
      const { fileSystem, root, write, makeFolder } = open();
      write("a.txt", "é\n");
      makeFolder("folder");
      const stat = await fileSystem.stat(`${root}/a.txt`);
      expect(stat).toMatchObject({ kind: "file", size: 3 });
      expect(stat.mtimeMs).toBeTypeOf("number");
      expect(await fileSystem.stat(`${root}/folder`)).toMatchObject({ kind: "folder" });
    });

    test("readFolder lists names and kinds without following links", async () => {
      const bench = open();
      bench.write("folder/file.ts", "");
      bench.makeFolder("folder/empty");
      bench.makeLink("folder/link", "file.ts");
      bench.makeLink("folder/broken", "nowhere");
      bench.makeSpecial?.("folder/pipe");
      const entries = await bench.fileSystem.readFolder(`${bench.root}/folder`);
      const listed = entries.map(({ name: entry, kind }) => `${entry} ${kind}`).sort();
      const pipe = bench.makeSpecial === undefined ? [] : ["pipe special"];
      expect(listed).toEqual(["broken link", "empty folder", "file.ts file", "link link", ...pipe]);
      expect(await bench.fileSystem.readFolder(`${bench.root}/folder/empty`)).toEqual([]);
    });

    test("readFile, stat and realPath follow links", async () => {
      const { fileSystem, root, write, makeLink } = open();
      write("deep/er/file.ts", "text");
      makeLink("short", "deep/er");
      makeLink("deep/up", "../short/../er/file.ts");
      expect(await fileSystem.stat(`${root}/short`)).toMatchObject({ kind: "folder" });
      expect(await fileSystem.realPath(`${root}/short/file.ts`)).toBe(`${root}/deep/er/file.ts`);
      expect(await fileSystem.realPath(`${root}/deep/up`)).toBe(`${root}/deep/er/file.ts`);
      expect((await fileSystem.readFile(`${root}/deep/up`)).length).toBe(4);
      expect(await fileSystem.realPath(root)).toBe(root);
    });

    test("a missing path, a wrong kind and a link loop are rejected with codes of their own", async () => {
      const { fileSystem, root, write, makeFolder, makeLink } = open();
      write("file.ts", "");
      makeFolder("folder");
      makeLink("loop", "loop");
      makeLink("broken", "nowhere");
      for (const method of ["readFile", "readFolder", "stat", "realPath"] as const) {
        expect(await failure(fileSystem[method](`${root}/missing`))).toBe("file-missing");
        expect(await failure(fileSystem[method](`${root}/broken`))).toBe("file-missing");
        expect(await failure(fileSystem[method](`${root}/loop`))).toBe("link-loop");
        expect(await failure(fileSystem[method](`${root}/file.ts/below`))).toBe("not-a-folder");
      }
      expect(await failure(fileSystem.readFile(`${root}/folder`))).toBe("not-a-file");
      expect(await failure(fileSystem.readFolder(`${root}/file.ts`))).toBe("not-a-folder");
    });

    test("readFile and readFolder reject with no-permission for what may not be read", async (context) => {
      const { fileSystem, root, write, lock } = open();
      if (lock === undefined) return context.skip("we may read everything here, as root or on this system");
      write("file.ts", "");
      write("folder/inside.ts", "");
      lock("file.ts");
      lock("folder");
      expect(await failure(fileSystem.readFile(`${root}/file.ts`))).toBe("no-permission");
      expect(await failure(fileSystem.readFolder(`${root}/folder`))).toBe("no-permission");
    });
  });
}
