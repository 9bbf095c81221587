import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { filesOfDisk, filesOfTree, filesWithTexts } from "./typescript-files.ts";

const tree = filesOfTree(
  "/root",
  new Map([
    ["a.ts", "a"],
    ["src/b.ts", "b"],
    ["src/deep/c.ts", "c"],
  ]),
);

it("filesOfTree hides the files on the disk inside its folder only", () => {
  expect(tree.readFile("/root/src/b.ts")).toBe("b");
  expect(tree.readFile("/root/none.ts")).toBeNull();
  expect(tree.readFile("/rooted/a.ts")).toBeUndefined();
  expect([tree.hasFile("/root/a.ts"), tree.hasFile("/root/src"), tree.hasFile("/a.ts")]).toEqual([
    true,
    false,
    undefined,
  ]);
  expect([tree.hasFolder("/root"), tree.hasFolder("/root/src/deep"), tree.hasFolder("/root/no")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(tree.namesIn("/root")).toEqual({ files: ["a.ts"], folders: ["src"] });
  expect(tree.namesIn("/root/no")).toEqual({ files: [], folders: [] });
  expect(tree.namesIn("/")).toBeUndefined();
});

it("filesWithTexts adds, changes and hides texts", () => {
  const texts = new Map<string, string | null>([
    ["/root/a.ts", null],
    ["/root/src/b.ts", "new"],
    ["/root/more/d.ts", "d"],
  ]);
  const files = filesWithTexts(tree, texts);
  expect([files.readFile("/root/a.ts"), files.readFile("/root/src/b.ts"), files.readFile("/root/more/d.ts")]).toEqual([
    ...[null, "new", "d"],
  ]);
  expect([files.hasFile("/root/a.ts"), files.hasFile("/root/more/d.ts")]).toEqual([false, true]);
  expect(files.hasFolder("/root/more")).toBe(true);
  expect(files.namesIn("/root")).toEqual({ files: [], folders: ["src", "more"] });
  texts.delete("/root/more/d.ts");
  expect(files.hasFolder("/root/more")).toBe(false);
});

it("filesWithTexts adds texts to the names of a folder on the disk", () => {
  const root = mkdtempSync(join(tmpdir(), "emend-files-"));
  try {
    writeFileSync(join(root, "a.ts"), "a");
    const files = filesWithTexts(filesOfDisk, new Map([[`${root}/b/c.ts`, "c"]]));
    expect(files.namesIn(root)).toEqual({ files: ["a.ts"], folders: ["b"] });
    expect(files.namesIn(`${root}/b`)).toEqual({ files: ["c.ts"], folders: [] });
  } finally {
    removeFolder(root);
  }
});
