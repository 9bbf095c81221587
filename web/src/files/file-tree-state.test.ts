import { describe, expect, test } from "vitest";
import type { FileEntry } from "../page-services.ts";
import { FileTreeState } from "./file-tree-state.ts";
import { findStartFile } from "./start-file.ts";

/** A disk with these files, and the folders that were listed. */
function diskOf(...paths: readonly string[]) {
  const files = [...paths];
  const read: string[] = [];
  const list = async (folder: string): Promise<readonly FileEntry[]> => {
    read.push(folder);
    const depth = folder === "" ? 0 : folder.split("/").length;
    const inside = files.filter((path) => folder === "" || path.startsWith(`${folder}/`));
    const names = [...new Set(inside.map((path) => path.split("/")[depth]!))].sort();
    return names.map((name) => {
      const path = folder === "" ? name : `${folder}/${name}`;
      const kind = files.includes(path) ? "file" : "folder";
      return { name, path, kind, isIgnored: name === "dist" };
    });
  };
  return { files, read, list };
}

/** The rows as text, indented by level, with `>` at the focused row. */
function printTree(tree: FileTreeState): string {
  return tree.rows.value
    .map(({ entry, level, isExpanded }) => {
      const mark = isExpanded === undefined ? "" : isExpanded ? "- " : "+ ";
      return `${tree.current.value === entry.path ? ">" : " "}${"  ".repeat(level - 1)}${mark}${entry.name}`;
    })
    .join("\n");
}

describe("FileTreeState", () => {
  test("is empty when no file was found, until one is created", async () => {
    const { files, list } = diskOf();
    const tree = new FileTreeState(list);
    expect(tree.isEmpty.value).toBe(false);
    await tree.expand("");
    expect(tree.isEmpty.value).toBe(true);
    files.push("a.ts");
    await tree.changed(["a.ts"]);
    expect(tree.isEmpty.value).toBe(false);
  });

  test("reads a folder when it is opened for the first time", async () => {
    const { list, read } = diskOf("a.ts", "src/b.ts", "src/deep/c.ts");
    const tree = new FileTreeState(list);
    await tree.expand("");
    expect(printTree(tree)).toBe(" a.ts\n + src");
    await tree.expand("src");
    tree.collapse("src");
    await tree.expand("src");
    expect(printTree(tree)).toBe(" a.ts\n - src\n   b.ts\n   + deep");
    expect(read).toEqual(["", "src"]);
  });

  test("reveals a file: opens its folders and focuses its row", async () => {
    const { list } = diskOf("src/deep/c.ts");
    const tree = new FileTreeState(list);
    await tree.expand("");
    await tree.reveal("src/deep/c.ts");
    expect(printTree(tree)).toBe(" - src\n   - deep\n>    c.ts");
  });

  test("reads only changed folders again", async () => {
    const { list, read, files } = diskOf("a.ts", "src/b.ts");
    const tree = new FileTreeState(list);
    await tree.expand("");
    files.push("c.ts", "src/d.ts");
    await tree.changed(["c.ts", "src/d.ts"]);
    expect(printTree(tree)).toBe(" a.ts\n c.ts\n + src");
    expect(read).toEqual(["", ""]);
  });

  const keys: readonly (readonly [keys: string, expected: string])[] = [
    ["ArrowDown", " a.ts\n>+ src\n z.md"],
    ["ArrowDown ArrowDown ArrowDown", " a.ts\n + src\n>z.md"],
    ["End Home ArrowUp", ">a.ts\n + src\n z.md"],
    ["s ArrowRight", " a.ts\n>- src\n   b.ts\n z.md"],
    ["s ArrowRight ArrowRight", " a.ts\n - src\n>  b.ts\n z.md"],
    ["s ArrowRight ArrowRight ArrowLeft", " a.ts\n>- src\n   b.ts\n z.md"],
    ["s ArrowRight ArrowLeft", " a.ts\n>+ src\n z.md"],
    ["z", " a.ts\n + src\n>z.md"],
  ];
  for (const [pressed, expected] of keys) {
    test(`selects a row by the keys ${pressed}`, async () => {
      const tree = new FileTreeState(diskOf("a.ts", "src/b.ts", "z.md").list);
      await tree.expand("");
      for (const key of pressed.split(" ")) {
        expect(tree.press(key, () => undefined)).toBe(true);
        await Promise.resolve();
        await Promise.resolve();
      }
      expect(printTree(tree)).toBe(expected);
    });
  }

  test("opens a file by Enter, and ignores other keys", async () => {
    const tree = new FileTreeState(diskOf("a.ts").list);
    await tree.expand("");
    const opened: string[] = [];
    expect(tree.press("Enter", (path) => opened.push(path))).toBe(true);
    expect(tree.press("Tab", () => undefined)).toBe(false);
    expect(opened).toEqual(["a.ts"]);
  });
});

describe("findStartFile", () => {
  const cases: readonly (readonly [paths: readonly string[], expected: string | undefined])[] = [
    [["README.md", "src/deep/a.ts", "lib/b.py"], "lib/b.py"],
    [["README.md", "tests/a.ts", "vite.config.ts"], "README.md"],
    [["README.md", "dist/a.js"], "README.md"],
    [["notes.txt"], "notes.txt"],
    [["main.go", "src/a.ts"], "main.go"],
    [[], undefined],
  ];
  for (const [paths, expected] of cases) {
    test(`among ${paths.join(", ") || "no files"} finds ${expected}`, async () => {
      expect(await findStartFile(diskOf(...paths).list)).toBe(expected);
    });
  }
});
