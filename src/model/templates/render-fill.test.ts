import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redacted } from "../fixtures/redacted.ts";
import type { FillRequest } from "../model.ts";
import { allSpecialTokens, fillTemplateByName, fillTemplates, unmistakableTokens } from "./families.ts";
import { escapeTokens, renderFill } from "./render-fill.ts";

const request: FillRequest = { path: "src/a.ts", language: "typescript", prefix: "P\n", suffix: "\nS" };
const context = [
  { path: "src/b.ts", text: redacted("B1\nB2\n") },
  { path: "words", text: redacted("C") },
];

const asComments = "// src/b.ts:\n// B1\n// B2\n// words:\n// C\n";

describe("a fill prompt has the format of the family's training, with and without other files:", () => {
  const cases: readonly (readonly [name: string, alone: string, withOthers: string])[] = [
    [
      "qwen",
      "<|fim_prefix|>P\n<|fim_suffix|>\nS<|fim_middle|>",
      "<|repo_name|>workspace\n<|file_sep|>src/b.ts\nB1\nB2\n<|file_sep|>words\nC\n<|file_sep|>src/a.ts\n<|fim_prefix|>P\n<|fim_suffix|>\nS<|fim_middle|>",
    ],
    [
      "codestral",
      "[SUFFIX]\nS[PREFIX]P\n",
      "[SUFFIX]\nS[PREFIX]+++++ src/b.ts\nB1\nB2\n+++++ words\nC\n+++++ src/a.ts\nP\n",
    ],
    [
      "deepseek",
      "<｜fim▁begin｜>P\n<｜fim▁hole｜>\nS<｜fim▁end｜>",
      "<｜fim▁begin｜>#src/b.ts\nB1\nB2\n#words\nC\n#src/a.ts\nP\n<｜fim▁hole｜>\nS<｜fim▁end｜>",
    ],
    [
      "starcoder",
      "<fim_prefix>P\n<fim_suffix>\nS<fim_middle>",
      `<fim_prefix>${asComments}P\n<fim_suffix>\nS<fim_middle>`,
    ],
    [
      "starcoder-suffix-first",
      "<fim_prefix><fim_suffix>\nS<fim_middle>P\n",
      `<fim_prefix><fim_suffix>\nS<fim_middle>${asComments}P\n`,
    ],
    [
      "starcoder2",
      "<fim_prefix>P\n<fim_suffix>\nS<fim_middle>",
      "<repo_name>workspace\n<file_sep>src/b.ts\nB1\nB2\n<file_sep>words\nC\n<file_sep><fim_prefix>src/a.ts\nP\n<fim_suffix>\nS<fim_middle>",
    ],
    [
      "granite",
      "<fim_prefix>P\n<fim_suffix>\nS<fim_middle>",
      "<reponame>workspace\n<filename>src/b.ts\nB1\nB2\n<filename>words\nC\n<filename>src/a.ts\n<fim_prefix>P\n<fim_suffix>\nS<fim_middle>",
    ],
    [
      "granite4",
      "<|fim_prefix|>P\n<|fim_suffix|>\nS<|fim_middle|>",
      `<|fim_prefix|>${asComments}P\n<|fim_suffix|>\nS<|fim_middle|>`,
    ],
    [
      "santacoder",
      "<fim-prefix>P\n<fim-suffix>\nS<fim-middle>",
      `<fim-prefix>${asComments}P\n<fim-suffix>\nS<fim-middle>`,
    ],
    ["codellama", "<PRE> P\n <SUF>\nS <MID>", `<PRE> ${asComments}P\n <SUF>\nS <MID>`],
    [
      "codegemma",
      "<|fim_prefix|>P\n<|fim_suffix|>\nS<|fim_middle|>",
      "src/b.ts\nB1\nB2<|file_separator|>words\nC<|file_separator|>src/a.ts\n<|fim_prefix|>P\n<|fim_suffix|>\nS<|fim_middle|>",
    ],
    [
      "seed-coder",
      "<[fim-suffix]>\nS<[fim-prefix]>P\n<[fim-middle]>",
      `<[fim-suffix]>\nS<[fim-prefix]>${asComments}P\n<[fim-middle]>`,
    ],
    [
      "mellum",
      "<filename>src/a.ts\n<fim_suffix>\nS<fim_prefix>P\n<fim_middle>",
      "<filename>src/b.ts\nB1\nB2\n<filename>words\nC\n<filename>src/a.ts\n<fim_suffix>\nS<fim_prefix>P\n<fim_middle>",
    ],
    [
      "glm",
      "<|code_prefix|>P\n<|code_suffix|>\nS<|code_middle|>",
      `<|code_prefix|>${asComments}P\n<|code_suffix|>\nS<|code_middle|>`,
    ],
    [
      "codegeex4",
      "<|user|>\n###PATH:src/a.ts\n###LANGUAGE:typescript\n###MODE:BLOCK\n<|code_suffix|>\nS<|code_prefix|>P\n<|code_middle|><|assistant|>\n",
      `<|user|>\n###PATH:src/a.ts\n###LANGUAGE:typescript\n###MODE:BLOCK\n<|code_suffix|>\nS<|code_prefix|>${asComments}P\n<|code_middle|><|assistant|>\n`,
    ],
    ["falcon-coder", "<|prefix|>P\n<|suffix|>\nS<|middle|>", `<|prefix|>${asComments}P\n<|suffix|>\nS<|middle|>`],
  ];
  for (const [name, alone, withOthers] of cases) {
    test(name, () => {
      const template = fillTemplateByName(name)!;
      expect(renderFill(template, request)).toBe(alone);
      expect(renderFill(template, { ...request, context })).toBe(withOthers);
    });
  }
  test("for every family", () => expect(cases.map(([name]) => name)).toEqual(fillTemplates.map(({ name }) => name)));
});

describe("text of other files becomes comments where the family has no format for it", () => {
  const starcoder = fillTemplateByName("starcoder")!;
  const shown = (language: string, text: string) =>
    renderFill(starcoder, {
      ...request,
      language,
      prefix: "",
      suffix: "",
      context: [{ path: "b", text: redacted(text) }],
    })
      .replace("<fim_prefix>", "")
      .replace("<fim_suffix><fim_middle>", "");
  test("as line comments", () => expect(shown("python", "x\n\ny\n")).toBe("# b:\n# x\n#\n# y\n"));
  test("for any line ending", () => expect(shown("go", "x\r\ny\rz")).toBe("// b:\n// x\n// y\n// z\n"));
  test("as a block comment that the text cannot close", () =>
    expect(shown("css", "a */ b\n")).toBe("/* b:\na  b\n*/\n"));
  test("not in languages without comments", () => expect(shown("plaintext", "x")).toBe(""));
});

test("text that looks like a slot of a template is kept", () => {
  const shown = renderFill(fillTemplateByName("qwen")!, { ...request, prefix: "{suffix}{path}", suffix: "$&{prefix}" });
  expect(shown).toBe("<|fim_prefix|>{suffix}{path}<|fim_suffix|>$&{prefix}<|fim_middle|>");
});

const tokenText = fc
  .array(
    fc.oneof(fc.constantFrom(...allSpecialTokens), fc.string({ maxLength: 3 }), fc.constantFrom("<", "|>", "<|fim_")),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));

test("law: an escaped text has no special token and differs only by blanks", () => {
  fc.assert(
    fc.property(tokenText, (text) => {
      const escaped = escapeTokens(text, allSpecialTokens);
      for (const token of allSpecialTokens) expect(escaped).not.toContain(token);
      expect(escaped.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }),
  );
});

test("law: a fill prompt has only the special tokens of its template, for any file text", () => {
  const count = (text: string, tokens: readonly string[]) =>
    tokens.map((token) => text.split(token).length - 1).join(",");
  fc.assert(
    fc.property(fc.constantFrom(...fillTemplates), tokenText, tokenText, tokenText, (template, a, b, c) => {
      const hostile = { ...request, path: a, prefix: b, suffix: c, context: [{ path: c, text: redacted(a) }] };
      const tame = { ...request, path: "a", prefix: "b", suffix: "c", context: [{ path: "c", text: redacted("a") }] };
      const { specialTokens } = template;
      expect(count(renderFill(template, hostile), specialTokens)).toBe(
        count(renderFill(template, tame), specialTokens),
      );
    }),
  );
});

test("every marker of a fill prompt is a special token of its family", () => {
  for (const { fill, repository, specialTokens } of fillTemplates) {
    const marks = `${fill}${repository?.fill ?? ""}${repository?.each ?? ""}`.match(/<[^\s<>{}]+>|\[[A-Z]+\]/g) ?? [];
    for (const mark of marks) expect(specialTokens).toContain(mark);
  }
});

test("tokens that occur in code are not listed as unmistakable", () => {
  const mistakable = allSpecialTokens.filter((token) => !unmistakableTokens.includes(token));
  expect(mistakable.join(" ")).toBe(
    "</s> [PREFIX] [SUFFIX] [MIDDLE] <filename> <reponame> <gh_stars> <repo_name> <EOT> <PRE> <SUF> <MID> <eos>",
  );
});
