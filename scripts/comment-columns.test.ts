import { describe, expect, test } from "vitest";
import { wrapComments } from "./comment-columns.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");

describe("wrapComments", () => {
  const cases: readonly (readonly [name: string, before: string, after: string])[] = [
    ["keeps a comment that fits", "/** Fits. */\nconst a = 1;\n", "/** Fits. */\nconst a = 1;\n"],
    [
      "breaks a docstring of one line",
      `  /** ${words(22)} */\n  f();\n`,
      `  /**\n   * ${words(19)}\n   * ${words(3)}\n   */\n  f();\n`,
    ],
    ["joins line comments of one paragraph", `// ${words(20)}\n// end\nf();\n`, `// ${words(19)}\n// word end\nf();\n`],
    [
      "moves a comment at the end of a line above it",
      `  f(); // ${words(20)}\n`,
      `  // ${words(19)}\n  // word\n  f();\n`,
    ],
    [
      "indents the lines of a list item",
      `/**\n * - ${words(20)}\n * - short\n */\n`,
      `/**\n * - ${words(19)}\n *   word\n * - short\n */\n`,
    ],
    [
      "keeps code in backticks on one line",
      `// ${words(18)} \`one two three\` end\n`,
      `// ${words(18)}\n// \`one two three\` end\n`,
    ],
  ];
  test.each(cases)("%s", (_, before, after) => {
    expect(wrapComments("a.ts", before).text).toBe(after);
    expect(wrapComments("a.ts", after)).toEqual({ text: after, longLines: [] });
  });

  const kept: readonly (readonly [name: string, text: string])[] = [
    ["a link", `// https://example.com/${"a".repeat(100)}\n`],
    ["a table", `/**\n * | ${words(22)} |\n */\n`],
    ["a code fence", `/**\n * \`\`\`\n * ${words(22)}\n * \`\`\`\n */\n`],
    ["a suppression of Biome", `// biome-ignore lint/x: ${words(20)}\n`],
    ["a string that looks like a comment", `const a = "// ${words(22)}";\n`],
  ];
  test.each(kept)("leaves %s as it is", (_, text) => {
    expect(wrapComments("a.ts", text).text).toBe(text);
  });
});
