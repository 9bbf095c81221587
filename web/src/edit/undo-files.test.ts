import { expect, test } from "vitest";
import { ScriptedPage } from "../fixtures/scripted-page.ts";
import { printLeft, undoFiles } from "./undo-files.ts";

const [before, after] = ["old\n", "new\n"];

/**
 * The files `a`, `b`, … of a change, written as their current state, a letter each, a capital where
 * the file is open: `c` has the change, `u` has it in an editor with unsaved changes, `z` has its
 * earlier text again, and `o` has another text.
 */
function open(written: string) {
  const now = { c: after, u: after, z: before, o: "other\n" };
  const names = [...written].map((_, index) => `${"abcdef"[index]}.ts`);
  const letters = [...written].map((letter) => letter.toLowerCase() as keyof typeof now);
  const page = new ScriptedPage(Object.fromEntries(names.map((name, index) => [name, now[letters[index]!]])));
  const { files } = page.services;
  for (const [index, name] of names.entries()) {
    if (written[index] !== letters[index]) page.open.add(name);
    if (letters[index] === "u") page.unsaved.value = [...page.unsaved.value, name];
  }
  return { page, names, files: names.map((path) => ({ uri: files.uriOf(path), path, version: null, before, after })) };
}

test.each<[written: string, left: string, saved: string]>([
  ["c", "", ""],
  ["C", "", "a.ts"],
  ["cC", "", "b.ts"],
  ["U", "", ""],
  ["z", "", ""],
  ["Zc", "", ""],
  ["oC", "a.ts", "b.ts"],
  ["coOc", "b.ts c.ts", ""],
  ["o", "a.ts", ""],
])("of %j, undoFiles leaves %j and saves %j", async (written, left, saved) => {
  const { page, names, files } = open(written);
  const result = await undoFiles(files, page.services.texts);
  expect(result.left.map(({ path }) => path).join(" ")).toBe(left);
  expect(page.saved.join(" ")).toBe(saved);
  for (const name of names) expect(page.texts.get(name)).toBe(left.split(" ").includes(name) ? "other\n" : before);
});

test("undoFiles rejects with the reason where the editor refuses", async () => {
  const { page, files } = open("cc");
  page.refusal = "a.ts has unsaved changes. Save the file first.";
  await expect(undoFiles(files, page.services.texts)).rejects.toThrow(page.refusal);
});

test.each([
  ["o", "a.ts has changed since and was not undone."],
  ["oo", "a.ts and b.ts have changed since and were not undone."],
])("printLeft names the files of %j", (written, start) => {
  expect(printLeft(open(written).files)).toContain(start);
});
