import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import type { Shape } from "../fit/shape.ts";
import { StatementStarts } from "../fit/statement-starts.ts";
import { Trimmer } from "./trim.ts";

const syntax = openSyntax();
const ids = ["typescript", "python", "ruby", "shellscript", "html", "go", "rust", "java", "c", "css", "php", "csharp"];
beforeAll(async () => {
  for (const id of ids) await syntax.load(id);
});
afterAll(() => syntax[Symbol.dispose]());

interface Case {
  readonly language?: string;
  readonly shape: Shape;
  readonly maxLines?: number;
}

function trimmerAt(text: string, { language = "typescript", shape, maxLines = 8 }: Case, withGrammar = true): Trimmer {
  const [prefix, suffix] = text.split("|") as [string, string];
  const place = {
    prefix,
    suffix,
    language,
    lineBefore: /[^\r\n]*$/.exec(prefix)![0],
    rest: /^[^\r\n]*/.exec(suffix)![0],
  };
  const starts = new StatementStarts(syntax, place);
  const startsStatement = (written: string, line: number) => starts.startsAt(written, line);
  return new Trimmer({ place, shape, maxLines, ...(withGrammar && { startsStatement }) });
}

/**
 * Streams the answer character by character until enough has come, and marks with `¦` where that
 * was; what is kept of it comes first.
 */
function streamed(text: string, answer: string, options: Case, withGrammar = true): string {
  const trimmer = trimmerAt(text, options, withGrammar);
  for (let end = 1; end <= answer.length; end++) {
    if (!trimmer.isEnough(answer.slice(0, end))) continue;
    return `${trimmer.trim(answer.slice(0, end), false).text}¦${answer.slice(end)}`;
  }
  return trimmer.trim(answer, true).text;
}

describe("an answer of one line is trimmed", () => {
  const shape = "line";
  test.each([
    ["const a = |\n", "b + c;\nconst d = e;\n", "b + c;¦const d = e;\n"],
    ["const a = |\n", "b + c;", "b + c;"],
    ["f();|\n", "\ng();\nh();", "\ng();¦h();"],
    ["f();|\n", "\n\n\n\ng();\nh();", "\n\ng();¦h();"],
    ["  |\n", "\n  g();\nh();", "  g();¦h();"],
    ["f(|)", "a,\nb)", "a,¦b)"],
    ["f(|)", "() => {\n  g();\n})", "() => {\n  g();\n})"],
    ["f(|)", "() => {\n  g();\n}\n)", "() => {\n  g();\n}¦)"],
    ["f(|)", "\n  a\n)", "¦\n)"],
  ])("%j + %j = %j", (text, answer, expected) => expect(streamed(text, answer, { shape })).toBe(expected));
});

describe("an answer is trimmed to a statement", () => {
  const shape = "statement";
  test.each([
    ["  |\n}", "f();\n  g();\n", "f();¦"],
    ["  |\n}", "f(\n    a,\n  );\n  g();\n", "f(\n    a,\n  );¦"],
    ["  |\n}", "f()\n    .g()\n  h();\n", "f()\n    .g()¦"],
    ["  |\n}", "if (a) {\n    b();\n  }\n  c();\n", "if (a) {\n    b();\n  }¦"],
    [
      "  |\n}",
      "if (a) {\n    b();\n  } else {\n    c();\n  }\n  d();\n",
      "if (a) {\n    b();\n  } else {\n    c();\n  }¦",
    ],
    ["  |\n}", "f();\n\n  g();\n", "f();¦  g();\n"],
    ["function f() {\n  g();\n  |\n}", "h();\n}\n\nfunction", "h();¦\n\nfunction"],
    ["  |\n", "const a = `\n  b\n`;\n  c();\n", "const a = `\n  b\n`;¦"],
  ])("%j + %j = %j", (text, answer, expected) => expect(streamed(text, answer, { shape })).toBe(expected));

  test.each([
    [
      "python",
      "def f():\n    |\n",
      "if a:\n        b()\n    else:\n        c()\n    d()\n",
      "if a:\n        b()\n    else:\n        c()¦",
    ],
    ["python", "def f():\n    |\n", "x = g(\n        1,\n    )\n    y = 2\n", "x = g(\n        1,\n    )¦"],
    ["python", "def f():\n    |\n", "return 1\n\n\ndef g():", "return 1¦\ndef g():"],
    ["python", "def f():\n    |\n", "return 1\ndef g():", "return 1¦ef g():"],
    ["ruby", "def f\n  |\nend\n", "if a\n    b\n  else\n    c\n  end\n  d\n", "if a\n    b\n  else\n    c\n  end¦"],
    ["go", "package a\n\nfunc f() {\n\t|\n}\n", "if a {\n\t\tb()\n\t}\n\tc()\n", "if a {\n\t\tb()\n\t}¦"],
    [
      "rust",
      "fn f() {\n    |\n}\n",
      "let a = b\n        .c()\n        .d();\n    e();\n",
      "let a = b\n        .c()\n        .d();¦",
    ],
    ["shellscript", "f() {\n  |\n}\n", "if a; then\n    b\n  fi\n  c\n", "if a; then\n    b\n  fi¦"],
    ["html", "<ul>\n  |\n</ul>\n", "<li>\n    a\n  </li>\n  <li>b</li>\n", "<li>\n    a\n  </li>¦"],
    ["css", "a {\n  |\n}\n", "color: red;\n  top: 0;\n", "color: red;¦"],
  ])("%s %j + %j", (language, text, answer, expected) => {
    expect(streamed(text, answer, { shape, language })).toBe(expected);
  });

  test("the parse tree shows that a statement continues on the next line", () => {
    const text = "class A:\n    |\n";
    const answer = "@cached\n    def f(self):\n        pass\n    b = 1\n";
    expect(streamed(text, answer, { shape, language: "python" })).toBe("@cached\n    def f(self):\n        pass¦");
    expect(streamed(text, answer, { shape, language: "python" }, false)).toBe("@cached¦        pass\n    b = 1\n");
  });
});

describe("an answer is trimmed to a block", () => {
  const shape = "block";
  test.each([
    ["typescript", "function f() {\n  |\n}\n", "a();\n  b();\n}\n\nfunction g", "a();\n  b();¦\n\nfunction g"],
    ["typescript", "function f() {|\n}\n", "\n  a();\n\n  b();\n}\n", "\n  a();\n\n  b();¦\n"],
    ["typescript", "function f() {\n  |", "a();\n}\ng();", "a();\n}¦g();"],
    ["typescript", "function f() {\n|", "}\ng();", "}¦g();"],
    ["typescript", "function f() {\n  |", "}\ng();", "¦g();"],
    ["typescript", "function f() {\n  if (a) {\n    |\n  }\n", "b();\n  }\n}", "b();\n  }¦}"],
    ["python", "def f():\n    |\n", "a()\n    b()\n\n\ndef g():", "a()\n    b()¦ef g():"],
    ["python", "def f():|\n", "\n    a()\n    b()\nc()", "\n    a()\n    b()¦()"],
    ["ruby", "def f\n  |\nend\n", "a\n  b\nend\n", "a\n  b¦nd\n"],
  ])("%s %j + %j", (language, text, answer, expected) => {
    expect(streamed(text, answer, { shape, language })).toBe(expected);
  });

  test("a block over the limit is cut after a statement", () => {
    const answer = "a();\n  if (b) {\n    c();\n    d();\n  }\n  e();\n  f();\n";
    expect(streamed("function f() {\n  |\n}\n", answer, { shape, maxLines: 4 })).toBe("a();¦  }\n  e();\n  f();\n");
    expect(streamed("function f() {\n  |\n}\n", answer, { shape, maxLines: 5 })).toBe(
      "a();\n  if (b) {\n    c();\n    d();\n  }¦  f();\n",
    );
  });
});

test("an answer cut off by a broken connection loses its last line and unclosed brackets", () => {
  const trimmer = trimmerAt("function f() {\n  |\n}\n", { shape: "block" });
  expect(trimmer.trim("a();\n  b();\n  c(", false).text).toBe("a();\n  b();");
  expect(trimmer.trim("a();\n  if (b) {\n    c();\n  ", false).text).toBe("a();");
  expect(trimmer.trim("if (b) {\n    c();\n  ", false).text).toBe("if (b) {");
  expect(trimmer.trim("a(", false).text).toBe("a(");
});

test("an incomplete line alone is no usable answer", () => {
  const trimmer = trimmerAt("const a = |\n", { shape: "line" });
  expect(["b", "b +", "\n", " \nb", "b;\n"].map((text) => trimmer.isUsable(text))).toEqual([
    ...[false, false, false, false, true],
  ]);
});

test("law: trimming does not depend on how an answer is split, and a complete answer stays complete", () => {
  const line = fc.constantFrom("a();", "if (b) {", "}", "", "  c();", "  }", "x = [", "];", "return;");
  const answers = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n  "));
  const shapes = fc.constantFrom("line", "statement", "block");
  fc.assert(
    fc.property(answers, shapes, (answer, shape) => {
      const text = "function f() {\n  g();\n  |\n}\n";
      const whole = trimmerAt(text, { shape }).trim(answer, true).text;
      const [kept, rest] = streamed(text, answer, { shape }).split("¦");
      expect(kept).toBe(whole);
      fc.pre(rest !== undefined);
      const trimmer = trimmerAt(text, { shape });
      for (let end = answer.length - rest.length; end <= answer.length; end++) {
        expect(trimmer.trim(answer.slice(0, end), false).text).toBe(whole);
      }
    }),
  );
});
