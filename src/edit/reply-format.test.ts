import { describe, expect, test } from "vitest";
import type { FormatName } from "../formats/index.ts";
import {
  formatOfAnswer,
  formatOfReply,
  mayBeWholeFile,
  pathsOfAnswer,
  printUnclearFormat,
  promptFormat,
  type ReplyFormat,
} from "./reply-format.ts";

const block = "a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
const patch = "*** Begin Patch\n*** Add File: b.ts\n+b\n*** Delete File: a.ts\n*** Move File: c.ts\n*** End Patch\n";
const letters = [..."abcdefgh"];
const file = {
  path: "a.ts",
  text: letters.map((name, i) => `export const ${name} = ${i};\n`).join(""),
  language: "typescript",
};
const talk = "I would rename it.";

/** The name of the format, or its candidates. */
const show = (format: ReplyFormat<string>) =>
  format.kind === "format" ? format.name : `unclear: ${format.candidates.join(" ")}`;

describe("the format of a pasted answer", () => {
  test.each<[answer: string, requested: FormatName | undefined, format: string]>([
    [block, undefined, "search-replace"],
    [patch, undefined, "v4a"],
    // Marks outrank the requested format.
    [block, "v4a", "search-replace"],
    [talk, undefined, "unclear: "],
    [talk, "range", "range"],
  ])("%j, asked for %s: %s", (answer, requested, format) => {
    expect(show(formatOfAnswer(answer, requested))).toBe(format);
  });

  test("may be the bare text of the only file in a reply", () => {
    const question = { named: "auto", requested: "range", files: [file] } as const;
    expect(show(formatOfReply(`\`\`\`ts\n${file.text.replace("= 1", "= 9")}\`\`\`\n`, question))).toBe("detect");
    expect(show(formatOfReply(block, question))).toBe("search-replace");
    expect(show(formatOfReply(talk, question))).toBe("range");
    expect(show(formatOfReply(block, { ...question, named: "udiff" }))).toBe("udiff");
  });

  test("is printed as unclear with its candidates", () => {
    expect(printUnclearFormat({ candidates: [] })).toBe(
      "The answer's format is not clear. It shows the marks of no format.",
    );
    expect(printUnclearFormat({ candidates: ["range", "v4a"] })).toBe(
      "The answer's format is not clear. It may be range or v4a.",
    );
  });
});

const lines = (count: number) => `Like this:\n\n\`\`\`ts\n${"go();\n".repeat(count)}\`\`\`\n`;

test.each([
  [lines(4), [file], true],
  [lines(3), [file], false],
  [talk, [file], false],
  ["go();\n".repeat(4), [file], true],
  [lines(4), [file, file], false],
  [block, [file], false],
])("whether %j may be the text of the only file of %j: %s", (reply, files, may) => {
  expect(mayBeWholeFile(reply, files)).toBe(may);
});

test("pathsOfAnswer returns each file of an answer once", () => {
  expect(pathsOfAnswer(block + block.replace("a.ts", "b.ts") + block, "search-replace")).toEqual(["a.ts", "b.ts"]);
  expect(pathsOfAnswer(patch, "v4a").slice(0, 2)).toEqual(["b.ts", "a.ts"]);
  expect(pathsOfAnswer(talk, "search-replace")).toEqual([]);
});

test("promptFormat returns the format of the settings", () => {
  expect(promptFormat({ format: "udiff", files: [file] })).toBe("udiff");
  expect(promptFormat({ format: "auto", files: [file] })).toMatch(/^[a-z-]+$/);
});
