import { expect, test } from "vitest";
import { Lines } from "../../../text/index.ts";
import { conflictBlocks } from "./conflict-blocks.ts";

test.each([
  ["", []],
  ["a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd", ["1-6"]],
  ["<<<<<<< HEAD\r\n=======\r\n>>>>>>>", ["0-3"]],
  ["<<<<<<<\n>>>>>>>\n<<<<<<<\n>>>>>>>\n", ["0-2", "2-4"]],
  ["<<<<<<< a\nb\n<<<<<<< c\n>>>>>>> c", ["2-4"]],
  ["<<<<<<< a\nb", []],
  [">>>>>>> a\n<<<<<<< b", []],
  ["<<<<<<<<<<< a\n>>>>>>>>>>> b", ["0-2"]],
  [" <<<<<<< a\n>>>>>>> b", []],
  ["<<<<<< a\n>>>>>> b", []],
  ["<<<<<<<a>\n>>>>>>>a", []],
])("%j has the conflicts %j", (text, blocks) => {
  expect(conflictBlocks(Lines.of(text)).map(({ start, end }) => `${start}-${end}`)).toEqual(blocks);
});
