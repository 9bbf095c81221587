import { expect, test } from "vitest";
import { countFromBlock } from "./fit-indentation.ts";

/** What becomes of an answer at the `|`. */
function counted(text: string, answer: string, language = "typescript"): string {
  const [prefix, suffix] = text.split("|") as [string, string];
  return countFromBlock(answer, { prefix, suffix, language, lineBefore: /[^\r\n]*$/.exec(prefix)![0] });
}

const empty = "a(() => {\n  b();\n});\nfunction f() {\n|\n}\n";
const begun = "class A {\n  f() {\n    |\n  }\n}\n";
const python = "def f():\n    a()\n\ndef g():\n|\n";
const deep = "def f():\n    |\n";
const tabs = "package a\n\nfunc f() {\n\ta()\n}\n\nfunc g() {\n|\n}\n";

test.each([
  ["the first line of a block", "typescript", empty, "c();", "  c();"],
  ["and those below it", "typescript", empty, "c();\nd();", "  c();\n  d();"],
  ["and what they open", "typescript", empty, "if (c) {\n  d();\n}\ne();", "  if (c) {\n    d();\n  }\n  e();"],
  ["but not those that are there", "typescript", empty, "c();\n  d();", "  c();\n  d();"],
  ["but not what closes the block", "typescript", empty, "c();\nd();\n}\n", "  c();\n  d();\n}\n"],
  ["nor its closer alone", "typescript", empty, "}", "}"],
  ["nor what is indented", "typescript", empty, "  c();\nd();", "  c();\nd();"],
  ["in Python", "python", python, "if a:\n    b()\nc()", "    if a:\n        b()\n    c()"],
  ["with tabs", "go", tabs, "if a {\n\tb()\n}\nc()", "\tif a {\n\t\tb()\n\t}\n\tc()"],
  ["behind blank lines", "typescript", empty, "\nc();\nd();", "\n  c();\n  d();"],
  [
    "what the first line opens",
    "typescript",
    begun,
    "if (c) {\n  d();\n}\ne();",
    "if (c) {\n      d();\n    }\n    e();",
  ],
  ["what it opens in Python", "python", deep, "if a:\n    b()\nc()", "if a:\n        b()\n    c()"],
  ["what the cursor's line opens", "python", "def f():\n    if a|\n", ":\n    b()", ":\n        b()"],
  ["not what is deep enough", "typescript", begun, "if (c) {\n      d();\n    }", "if (c) {\n      d();\n    }"],
  ["not what ends the block", "python", deep, "a()\nb()", "a()\nb()"],
  ["not the cases of a switch", "go", "\n\t|\n", "switch a {\n\tcase 1:\n\t}", "switch a {\n\tcase 1:\n\t}"],
  ["not the keys of YAML", "yaml", "a:\n  b: 1\nc:\n|\n", "d:\ne: 1", "d:\ne: 1"],
  ["not a string's own", "typescript", empty, "c(`\n  d`);\ne();", "  c(`\n  d`);\n  e();"],
  ["nothing where the step is not known", "typescript", "function f() {\n|\n}\n", "c();", "c();"],
  ["nothing yet", "typescript", empty, "\n", "\n"],
])("indentation is counted from the block: %s", (_, language, text, answer, expected) =>
  expect(counted(text, answer, language)).toBe(expected),
);
