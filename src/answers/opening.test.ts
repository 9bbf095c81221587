import fc from "fast-check";
import { expect, test } from "vitest";
import { readOpening, readOpeningAt } from "./opening.ts";

const all = { sentences: true, fences: true };

/** The text of an answer behind its opening. */
function textOf(answer: string, options: Partial<typeof all> = {}): string {
  return answer.slice(readOpening(answer, { ...all, ...options, isWhole: true })!.length);
}

test.each([
  ["a = 1", "a = 1"],
  ["  a = 1", "  a = 1"],
  ["<think>One.\nTwo.</think>\n\n  a = 1", "  a = 1"],
  ["<thinking>One.</thinking> a = 1", "a = 1"],
  ["\n<think>One.", ""],
  ["Here is the completion:\n\n  a = 1", "  a = 1"],
  ["Here's the completed line: a = 1", "a = 1"],
  ["Sure! Here is the missing code:\r\n  a = 1", "  a = 1"],
  ["Sure, here's the rest of the function:\na = 1", "a = 1"],
  ["Certainly!\n\nThe completed code:\n```ts\na = 1\n```", "a = 1\n```"],
  ["<think>One.</think>\nHere is the code:\n```\na = 1", "a = 1"],
  ["Here is the completion:", ""],
  ["Okay, it adds one.\n\nThat is all:\n```ts\na = 1\n```", "a = 1\n```"],
  ["~~~ts\na = 1\n~~~", "a = 1\n~~~"],
  ["````\na = 1\n````", "a = 1\n````"],
  ["Here is the list of fruit:\napples", "Here is the list of fruit:\napples"],
  ["Here + b", "Here + b"],
  ["The item : items) {", "The item : items) {"],
  ["Here.code(): x", "Here.code(): x"],
  ["Sure.then(a);", "Sure.then(a);"],
  ["Sure! We can.", "Sure! We can."],
])("behind the opening of %j stands %j", (answer, text) => expect(textOf(answer)).toBe(text));

test("an opening that may belong to the text is kept", () => {
  expect(textOf("Here is the code:\na", { sentences: false, fences: false })).toBe("Here is the code:\na");
  expect(textOf("```ts\na", { fences: false })).toBe("```ts\na");
  expect(textOf("This is it:\n```ts\na", { sentences: false })).toBe("This is it:\n```ts\na");
});

test("law: the opening of a partial answer is that of the whole answer", () => {
  const unit = fc.constantFrom(
    ...[
      "Sure",
      "!",
      ", ",
      "here is",
      "Here is",
      " the",
      " code",
      ":",
      ".",
      "\n",
      "\r\n",
      "  ",
      "a = 1",
      "The",
      "Okay, it is one",
    ],
    ...["~~~", "````", "```", "ts", "`", "<think>", "</think>", "<thi"],
  );
  let early = 0;
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 10 }), (units) => {
      const answer = units.join("");
      const whole = readOpening(answer, { ...all, isWhole: true });
      for (let length = 0; length <= answer.length; length++) {
        const opening = readOpening(answer.slice(0, length), { ...all, isWhole: false });
        expect(opening ?? whole).toEqual(whole);
        if (opening !== undefined) early += 1;
      }
    }),
  );
  expect(early).toBeGreaterThan(300);
});

/** Files with tags of reasoning as text; `@` is a tag's name. */
const tagged: readonly (readonly [language: string, text: string])[] = [
  ["typescript", 'const open = "<@>";\nconst close = "</@>";\nexport const all = [open, close].join("\\n");\n'],
  ["typescript", "const at = text.indexOf('</@>');\n// <@> begins reasoning.\nconst all = `\n<@>\nat\n</@>\n`;\n"],
  ["typescriptreact", 'const tag = "<@>";\nexport const view = <p>{tag} {"</@>"}</p>;\n'],
  ["python", 'OPEN = "<@>"\n"""\n<@>\nSo it is.\n</@>\n"""\nCLOSE = "</@>"  # </@>\n'],
  ["markdown", "# Tags\n\nUse `<@>`:\n\n<@>\nThis is it.\n</@>\n\n```\n<@>\n```\n"],
  ["json", '{ "open": "<@>", "close": "</@>" }\n'],
];

test("row 51: law: completions of a file with reasoning tags as text are kept like those with other tags", () => {
  let interesting = 0;
  const file = fc.constantFrom(...tagged);
  const name = fc.constantFrom("think", "thinking", "thought", "reasoning");
  fc.assert(
    fc.property(file, name, fc.nat(200), fc.nat(200), fc.nat(1), ([language, text], tag, one, other, atTag) => {
      const cut = (written: string) => {
        const whole = text.replaceAll("@", written);
        const tags = [...whole.matchAll(/<\/?\w{5,}>/g)].map(({ index }) => index);
        const start = atTag === 1 ? tags[one % tags.length]! : one % whole.length;
        const end = start + (other % (whole.length - start)) + 1;
        const place = { language, prefix: whole.slice(0, start), suffix: whole.slice(end) };
        const answer = whole.slice(start, end);
        if (answer.startsWith(`<${tag}>`)) interesting += 1;
        return [0.3, 0.7, 1].map((share) => {
          const beginning = answer.slice(0, Math.ceil(answer.length * share));
          const opening = readOpeningAt(beginning, place, share === 1);
          return share === 1 ? opening : opening === undefined || opening.length === 0;
        });
      };
      // No model knows this tag, so that nothing of it is taken for reasoning.
      expect(cut(tag)).toEqual(cut(tag.replace(/^../, "qq")));
    }),
    { numRuns: 2000 },
  );
  expect(interesting).toBeGreaterThan(200);
});

test.each([
  ["code", { language: "typescript", prefix: "a = ", suffix: "" }, "<reasoning>We add.</reasoning>\nb;", "b;"],
  ["a string", { language: "typescript", prefix: 'a = "', suffix: '";' }, "<think>\nWe add.\n</think>\nb", "b"],
  [
    "a string with an apostrophe",
    { language: "python", prefix: "a = '", suffix: "" },
    "<think>It's\n</think>\nb'",
    "b'",
  ],
  ["a document", { language: "markdown", prefix: "", suffix: "" }, "<thought>We add.</thought>\n# A\n", "# A\n"],
  ["a comment", { language: "go", prefix: "// ", suffix: "" }, "<think>\nWe add.\n</think>\nAdds.", "Adds."],
])("row 51: reasoning at the beginning of an answer is left out in %s", (_, place, answer, text) => {
  expect(answer.slice(readOpeningAt(answer, place, true)!.length)).toBe(text);
});

test.each([
  ["We need add.\n</think>\n\nadd(1, 2)", "add(1, 2)"],
  ["Okay, we add.\n\nThat is all we need.\n</thinking>\nadd(1, 2)", "add(1, 2)"],
  ["const a = 1;\n</think>\nadd(1, 2)", "const a = 1;\n</think>\nadd(1, 2)"],
  ["<b>\n</think>", "<b>\n</think>"],
])("row 51: a lone closing tag behind sentences, and behind code: %j", (answer, text) => {
  expect(textOf(answer)).toBe(text);
});
