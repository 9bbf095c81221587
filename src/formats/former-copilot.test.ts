import { describe, expect, test } from "vitest";
import { applyWorkspaceEdit } from "../text/index.ts";
import { printParts } from "./format.laws.ts";
import { resolveOperations } from "./placing/resolve-operations.ts";
import { readAnswer } from "./reading/answer-reader.ts";
import { detectFormat } from "./reading/detect-format.ts";
import { searchReplace } from "./search-replace.ts";
import { udiff } from "./udiff.ts";

describe("row 36: blocks of ---FILEPATH, ---FIND and ---REPLACE", () => {
  /** `p`, `f`, `r` and `c` alone in a row, or before `: `, are replaced by the marks. */
  const spell = (answer: string) => {
    const words: Readonly<Record<string, string>> = { p: "FILEPATH", f: "FIND", r: "REPLACE", c: "COMPLETE" };
    return answer.replace(/^([pfrc])(?=$|: )/gm, (mark) => `---${words[mark]!}`).replace(/^(---\w+): /gm, "$1 ");
  };
  test.each([
    ["p\nsrc/a.ts\nf\n```ts\nx\n```\nr\n```ts\ny\n```\nc\n", "src/a.ts block `x` => `y`"],
    ["I change it.\n\np: src/a.ts\nf\n```\nx\n```\nr\n```\ny\n```\nc\nDone.", "src/a.ts block `x` => `y`"],
    ["p\n`sp ace/a b.ts`\nf\n````\n```\n````\nr\n````\ny\n````\nc", "sp ace/a b.ts block ````` => `y`"],
    ["p\na.ts\nf\n```\nx\n```\nr\n```\n```\nc", "a.ts block `x` =>"],
    ["p\na.ts\nf\n```\n```\nr\n```\ny\n```\nc", "a.ts block => `y`"],
    ["p\na.ts\nf\nx\nr\ny\nc", "a.ts block `x` => `y`"],
    [
      "p\na.ts\nf\n```\nx\n```\nr\n```\ny\n```\nf\n```\nu\n```\nr\n```\nv\n```\np\nb.ts\nf\n```\nx\n```\nr\n```\nz\n```\nc",
      "a.ts block `x` => `y`; a.ts block `u` => `v`; b.ts block `x` => `z`",
    ],
    ["p\na.ts\nf\n```\nx\n```\nr\n```\ny\n```\n", "a.ts block `x` => `y`"],
    ["p\na.ts\nf\n```\nf\nx\n```\nr\n```\n---REPLACE\n```\nc", "a.ts block `---FIND` `x` => `---REPLACE`"],
    ["p\na.ts\nf\n```\nx\n```\nr\n```\ny\n", "refusal cut-off 7"],
    ["p\na.ts\nf\n```\nx\n```\n", "refusal cut-off 3"],
    ["p\na.ts\nf\n```\nx\n```\nc\n", "refusal unreadable-row 3"],
    ["p\na.ts\nr\n```\nx\n```\nc\n", "refusal unreadable-row 3"],
    ["p\na.ts\nf\n```\nx\n```\nr\n```\nx\n```\nc\n", "refusal no-change 3"],
  ])("%j", (answer, expected) => {
    const text = spell(answer);
    const reader = searchReplace.read({ paths: [] });
    expect(printParts([...reader.push(text), ...reader.end(false)])).toBe(expected);
    expect(detectFormat(text)).toEqual({ kind: "format", name: "search-replace" });
  });
});

describe("row 36: a diff without heads below its path", () => {
  const before = "/**\n * Halves.\n */\nfunction half(a) {\n  log(a);\n  return a;\n}\nend();\n";
  const after = before.replace("return a;", "return a / 2;");
  const rows = "function half(a) {\n  log(a);\n-  return a;\n+  return a / 2;\n}";
  const marked = rows.replace(/^(?=[^-+])/gm, " ");
  test.each([
    [`src/a.ts\n\`\`\`diff\n${rows}\n\`\`\`\n`, after],
    [`### src/a.ts\n\n\`\`\`diff\n${marked}\n\`\`\`\n`, after],
    [`\`\`\`diff\n// src/a.ts\n${rows}\n\`\`\`\n`, after],
    [`\`\`\`diff src/a.ts\n${rows}\n\`\`\`\n`, after],
    [`I halve it.\n\n**src/a.ts**\n\`\`\`\n${rows}\n\`\`\`\nDone.`, after],
    [`src/a.ts\n${rows}\n`, after],
    [`File: src/a.ts\n${marked}\n\nThis halves it.\n`, after],
    [
      `src/a.ts\n\`\`\`diff\n/**\n- * Halves.\n+ * Divides.\n */\n// ...\n${rows}\n\`\`\`\n`,
      after.replace("Halves", "Divides"),
    ],
    [
      `src/a.ts\n\`\`\`diff\n  log(a);\n+  check(a);\n  return a;\n\`\`\`\n`,
      before.replace("log(a);", "log(a);\n  check(a);"),
    ],
    [`src/a.ts\n\`\`\`diff\n-end();\n\`\`\`\n`, before.replace("end();\n", "")],
    [`src/a.ts\n\`\`\`diff\n+end();\n\`\`\`\n`, undefined],
    [`src/a.ts\n\`\`\`diff\n${rows}\n`, undefined],
  ])("%j", (answer, expected) => {
    const files = new Map([["src/a.ts", before]]);
    const content = readAnswer(udiff.read({ paths: ["src/a.ts"] }), answer);
    const placement = resolveOperations(content.operations, files);
    const outcome = applyWorkspaceEdit(files, placement.edit);
    expect(outcome.kind === "applied" && outcome.files.get("src/a.ts")).toBe(expected ?? before);
    expect([...content.refusals, ...placement.refusals].length).toBe(expected === undefined ? 1 : 0);
    expect(detectFormat(answer)).toEqual({ kind: "format", name: "udiff" });
  });

  test.each([
    "src/a.ts\n\n- one\n- two\n",
    "src/a.ts\n- it halves\n- it logs\n",
    "docs/a.md\n```\n- one\n+ two\n```\n",
    "src/a.ts\n```ts\n-1\n+2\n```\n",
  ])("is not any text with signs in front: %j", (answer) => {
    expect(detectFormat(answer)).not.toEqual({ kind: "format", name: "udiff" });
  });
});
