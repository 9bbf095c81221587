import fc from "fast-check";
import { expect, test } from "vitest";
import { fitIndentation } from "./fit-indentation.ts";

/** What becomes of an answer at the `|`. */
function fitted(text: string, answer: string, language = "typescript"): string {
  const [prefix, suffix] = text.split("|") as [string, string];
  return fitIndentation(answer, { prefix, suffix, language, lineBefore: /[^\r\n]*$/.exec(prefix)![0] });
}

const blanks = "function f() {\n    if (a) {\n        b();\n    }\n    |\n}\n";
const narrow = "function f() {\n  if (a) {\n    b();\n  }\n  |\n}\n";
const tabs = "function f() {\n\tif (a) {\n\t\tb();\n\t}\n\t|\n}\n";

test.each([
  ["as it is", blanks, "if (c) {\n        d();\n    }", "if (c) {\n        d();\n    }"],
  ["one line", blanks, "d();", "d();"],
  ["blanks to tabs", tabs, "if (c) {\n        d();\n    }", "if (c) {\n\t\td();\n\t}"],
  ["narrow blanks to tabs", tabs, "if (c) {\n      d();\n    }", "if (c) {\n\t\td();\n\t}"],
  ["tabs to blanks", blanks, "if (c) {\n\t\td();\n\t}", "if (c) {\n        d();\n    }"],
  ["tabs to narrow blanks", narrow, "if (c) {\n\t\td();\n\t}", "if (c) {\n    d();\n  }"],
  ["narrow to wide", blanks, "if (c) {\n      d();\n    }", "if (c) {\n        d();\n    }"],
  ["wide to narrow", narrow, "if (c) {\n      d();\n  }", "if (c) {\n    d();\n  }"],
  ["a forgotten base", blanks, "if (c) {\n    d();\n}", "if (c) {\n        d();\n    }"],
  ["said again", blanks, "    d();\n    e();", "d();\n    e();"],
  ["too little above", "function f() {\n    if (a) {\n    |\n", "    d();", "    d();"],
  ["a string's own", tabs, "const a = `\n    b\n`;", "const a = `\n    b\n`;"],
  ["nothing known", "|", "d();", "d();"],
  ["its own when the document has none", "|", "if (c) {\n  d();\n}", "if (c) {\n  d();\n}"],
])("an answer gets the indentation of its place: %s", (_, text, answer, expected) =>
  expect(fitted(text, answer)).toBe(expected),
);

test("a Python answer is indented to fit the cursor", () => {
  const text = "def f():\n    if a:\n        b()\n    |\n";
  expect(fitted(text, "if c:\n      d()\n    e()", "python")).toBe("if c:\n        d()\n    e()");
});

test("law: fitting changes only white space at the start of lines", () => {
  const line = fc.tuple(
    fc.constantFrom("", "  ", "    ", "      ", "\t", "\t\t", "        "),
    fc.constantFrom("a();", "if (b) {", "}", "", "c: d,", "`", "]"),
  );
  const answers = fc
    .array(line, { minLength: 1, maxLength: 6 })
    .map((parts) => parts.map((p) => p.join("")).join("\n"));
  fc.assert(
    fc.property(answers, fc.constantFrom(blanks, narrow, tabs, "|"), (answer, text) => {
      const bare = (code: string) => code.replace(/^[ \t]+/gm, "");
      const once = fitted(text, answer);
      expect(bare(once)).toBe(bare(answer));
    }),
  );
});
