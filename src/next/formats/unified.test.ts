import fc from "fast-check";
import { expect, test } from "vitest";
import { Edit, isSubsequence } from "../../text/index.ts";
import { play, printQuestion, promptInputOf, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { unifiedMarks } from "./read-unified.ts";
import { unified } from "./unified.ts";

testNextEditFormat(unified, {
  answer: (lines) => `<EDIT>\n${lines.map((line) => `${line}\n`).join("")}</EDIT>`,
  none: [
    "<NO_CHANGE>",
    "NO_CHANGE\n",
    "Nothing to do here.\n\n<NO_CHANGE>",
    "<EDIT>\n<NO_CHANGE>\n</EDIT>",
    "<INSERT></INSERT>",
  ],
  unreadable: [
    "const z = 3;",
    "</EDIT>\na\nb\nc\n",
    "<DELETE>\na\n</DELETE>",
    "<think>\n<EDIT>\na\n</EDIT>",
    "<EDIT>\n<INSERT>\nb\nc\n</INSERT>",
    "<INSERT>\n<|current_file_content|>\n</INSERT>",
  ],
  marks: unifiedMarks.anywhere,
  cursor: "<|cursor|>",
});

const input = "x = 1\n«y = 2\nz = |\n»w = 4\n";
const edited = "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n";
const kept = "x = 1\ny = 2\nz = \nw = 4\n";

test.each([
  ["in its tag", "<EDIT>\ny = 2\nz = 3\n</EDIT>", edited],
  ["in small letters", "<edit>\ny = 2\nz = 3\n</edit>", edited],
  ["lines in the rows of the marks", "<EDIT>y = 2\nz = 3</EDIT>", edited],
  ["behind words", "The value is missing.\n\n<EDIT>\ny = 2\nz = 3\n</EDIT>\nNow it is there.", edited],
  ["after reasoning", "<think>\n<NO_CHANGE>\n</think>\n<EDIT>\ny = 2\nz = 3\n</EDIT>", edited],
  ["in a fence", "```\n<EDIT>\ny = 2\nz = 3\n</EDIT>\n```", edited],
  ["with a fence in it", "<EDIT>\n```ts\ny = 2\nz = 3\n```\n</EDIT>", edited],
  ["in a fence, the end left out", "```\n<EDIT>\ny = 2\nz = 3\n```", edited],
  ["in a fence, the end left out, fewer lines", "```\n<EDIT>\ny = 2\n```", "x = 1\ny = 2\n[z = \n|]w = 4\n"],
  ["with the marks around the lines", "<EDIT>\n<|code_to_edit|>\ny = 2\nz = 3\n<|/code_to_edit|>\n</EDIT>", edited],
  ["with the mark of the cursor", "<EDIT>\ny = 2\nz = 3<|cursor|>\n</EDIT>", edited],
  ["the end left out", "<EDIT>\ny = 2\nz = 3", edited],
  [
    "its end as text",
    "<EDIT>\ny = 2 // </EDIT> is the end\nz = 3\n</EDIT>",
    `${kept}(unreadable: The answer contains </EDIT> where it has no meaning.)`,
  ],
  [
    "its end as text at the end of a line",
    "<EDIT>\ny = 2 // </EDIT>\nz = \n</EDIT>",
    `${kept}(unreadable: The answer continues after </EDIT>, which ends it.)`,
  ],
  [
    "the end left out, and a line",
    "<EDIT>\ny = 2",
    `${kept}(unreadable: The answer has fewer lines than there are to edit, and marks no end.)`,
  ],
  ["all lines gone", "<EDIT>\n</EDIT>", `${kept}(unreadable: The answer has none of the lines to edit.)`],
  ["nothing at all", "\n", `${kept}(unreadable: The answer is empty.)`],
  ["nothing, and words about it", "<NO_CHANGE>\nAll is well.", kept],
  [
    "nothing, and lines",
    "<NO_CHANGE>\n<EDIT>\ny = 2\nz = 3\n</EDIT>",
    `${kept}(unreadable: The answer contains <NO_CHANGE> and <EDIT>.)`,
  ],
  [
    "the end of an insertion",
    "<EDIT>\ny = 2\nz = 3\n</INSERT>",
    `${edited}(unreadable: The answer contains </INSERT> where it has no meaning.)`,
  ],
  [
    "a mark among the lines",
    "<EDIT>\ny = 2\n<|edit_diff_history|>\n</EDIT>",
    `${kept}(unreadable: The answer contains <|edit_diff_history|> where it has no meaning.)`,
  ],
  ["no tag", "y = 2\nz = 3", `${kept}(unreadable: The answer has none of <EDIT>, <INSERT> and <NO_CHANGE>.)`],
  [
    "another tag",
    "<REPLACE>\ny = 2\nz = 3",
    `${kept}(unreadable: The answer contains <REPLACE> where one of <EDIT>, <INSERT> and <NO_CHANGE> belongs.)`,
  ],
  ["its reasoning alone", "<think>\nThe value", `${kept}(unreadable: The answer ends inside its reasoning.)`],
])("the unified reader reads an edit: %s", async (_, answer, shown) =>
  expect(await readAs(unified, input, answer)).toBe(shown),
);

test.each([
  ["at the end of a line", "a\n«x = |\n»b", "<INSERT>\n3\n</INSERT>", "a\n[x = |x = 3]\nb"],
  ["in the row of the marks", "a\n«x = |\n»b", "<INSERT>3</INSERT>", "a\n[x = |x = 3]\nb"],
  ["in the middle of a line", "«f(|);\n»", "<INSERT>\nx\n</INSERT>", "[f();|f(x);]\n"],
  ["with lines below", "«if (|) {\n}\n»", "<INSERT>\nx\n  y();\n</INSERT>", "[if () {|if (x) {]\n[|  y();\n]}\n"],
  ["lines below alone", "«a|\nb\n»", "<INSERT>\n\nc\n</INSERT>", "a\n[|c\n]b\n"],
  ["line endings as in the file", "«a|\r\nb\r\n»", "<INSERT>\r\n;\r\nc\r\n</INSERT>", "[a|a;]\r\n[|c\r\n]b\r\n"],
  [
    "the indentation repeated",
    "«{\n    |\n}\n»",
    "<INSERT>\n    a();\n    b();\n</INSERT>",
    "{\n[    |    a();]\n[|    b();\n]}\n",
  ],
  ["the last line of a file", "«a|»", "<INSERT>\nb\nc\n</INSERT>", "[a|ab][|\nc]"],
  ["in a fence", "«a|\n»", "<INSERT>\n```ts\nb\n```\n</INSERT>", "[a|ab]\n"],
  ["around it a fence", "«a|\n»", "```\n<INSERT>\nb\n</INSERT>\n```", "[a|ab]\n"],
  ["around it a fence, the end left out", "«a|\n»", "```\n<INSERT>\nb\n```", "[a|ab]\n"],
  ["with marks", "«a|\n»", "<INSERT>\n<|code_to_edit|>\nb<|cursor|>\n<|/code_to_edit|>\n</INSERT>", "[a|ab]\n"],
  ["the end left out", "«a|\n»", "<INSERT>\nb\nc", "[a|ab]\n[|c\n]"],
  ["nothing", "«a|\n»", "<INSERT>\n</INSERT>", "a\n"],
  ["the empty last line, which stays", "a\n«|»", "<INSERT>\nb\n</INSERT>", "a\n[|b\n]"],
  [
    "the empty last line, which stays, with lines below",
    "a\r\n«|»",
    "<INSERT>\nb\nc\n</INSERT>",
    "a\r\n[|b\r\n][|c\r\n]",
  ],
  [
    "a block for its brackets",
    "«  f() {|}\n»",
    "<INSERT>\n\n    g();\n</INSERT>",
    "[  f() {}|  f() {\n    g();\n  }]\n",
  ],
  ["a block that is closed, too", "«f() {|}\n»", "<INSERT>\n\n  g();\n}\n</INSERT>", "[f() {}|f() {\n  g();\n}]\n"],
  ["and the text behind it", "«f({|});\n»", "<INSERT>\n\n  a: 1,\n});\n</INSERT>", "[f({});|f({\n  a: 1,\n});]\n"],
  ["arguments on lines of their own", "«f(|);\n»", "<INSERT>\n\n  a,\n  b\n</INSERT>", "[f();|f(\n  a,\n  b\n);]\n"],
  ["arguments on two lines", "«f(|);\n»", "<INSERT>\na,\n  b\n</INSERT>", "[f();|f(a,\n  b);]\n"],
  ["an argument, and a line below", "«f(|);\n»", "<INSERT>\na\ng();\n</INSERT>", "[f();|f(a);\ng();]\n"],
  ["a line below brackets alone", "«let a = []|;\nb\n»", "<INSERT>\n\nc();\n</INSERT>", "let a = [];\n[|c();\n]b\n"],
  ["a line below empty brackets", "«f(|);\nb\n»", "<INSERT>\n\nc();\n</INSERT>", "f();\n[|c();\n]b\n"],
  [
    "with the lines below it",
    "«a;|\nlog(b);\nlog(c);\n»",
    "<INSERT>\n\nd;\nlog(b);\nlog(c);\n</INSERT>",
    "a;\n[|d;\n]log(b);\nlog(c);\n",
  ],
  [
    "with lines below the window",
    "«a;|\n»log(b);\nc;\n",
    "<INSERT>\n\nd;\nlog(b);\n</INSERT>",
    "a;\n[|d;\n]log(b);\nc;\n",
  ],
  [
    "with the word that is begun",
    "«  return tot|\n»",
    "<INSERT>\ntotal(1);\n</INSERT>",
    "[  return tot|  return total(1);]\n",
  ],
  ["with its line", "«  a();|\n»", "<INSERT>\n  a(); // b\n</INSERT>", "[  a();|  a(); // b]\n"],
  [
    "a mark behind the first line",
    "«a|\n»",
    "<INSERT>\nb\n<EDIT>",
    "[a|ab]\n(unreadable: The answer contains <EDIT> where it has no meaning.)",
  ],
])("the unified reader reads an insertion: %s", async (_, notation, answer, shown) =>
  expect(await readAs(unified, notation, answer)).toBe(shown),
);

test("a cut insertion keeps the text at the cursor, and the lines below only if complete", async () => {
  const notation = "«a|\nb\n»";
  const cut = { reason: "length", limit: "tokens" } as const;
  expect(await readAs(unified, notation, "<INSERT>\n;\nc\nd", cut)).toBe("[a|a;]\nb\n(cut: length)");
  expect(await readAs(unified, notation, "<INSERT>\n;", cut)).toBe("a\nb\n(cut: length)");
  expect(await readAs(unified, notation, "<INS", cut)).toBe("a\nb\n(cut: length)");
});

const anyRows = fc.array(fc.constantFrom("", "  ", "a", "  b();", "}", "]);", "😀", "```"), { maxLength: 5 });
const anyInsertion = fc.record({
  notation: fc.constantFrom(
    "«a|\nb\n»",
    "x\r\n«f(|);\r\n»",
    "«  |\n»y",
    "x\n«|»",
    "x\n«a|»",
    "«😀|😀»",
    "«f() {|}\n»",
    "«f([|]);»",
  ),
  answer: fc
    .tuple(anyRows, fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "```\n"), fc.constantFrom("", "<|cursor|>"))
    .map(([rows, ending, fence, mark]) => `${fence}<INSERT>\n${rows.join(ending)}${mark}\n</INSERT>\n${fence}`),
});

test("law: an insertion does not depend on its pieces, deletes nothing, and a cut one is the start of the whole one", () =>
  fc.assert(
    fc.asyncProperty(anyInsertion, fc.nat(60), async ({ notation, answer }, at) => {
      const input = promptInputOf(notation);
      const whole = await play(unified, input, [answer]);
      expect(whole.end).toEqual({ kind: "read" });
      expect(await play(unified, input, [...answer])).toEqual(whole);
      expect(whole.text).toSatisfy((text: string) => isSubsequence(input.text, text));
      const { edits } = await play(unified, input, [answer.slice(0, at)], { reason: "length", limit: "tokens" });
      expect(edits).toEqual(whole.edits.slice(0, edits.length));
    }),
  ));

test("repeated lines of an insertion are inserted at most once", async () => {
  const notation = "«a();\nb();\nc|();\nd();\n»e();\n";
  const once = "a();\nb();\ncc();\nd();\n";
  const why = "(unreadable: The answer repeats its lines.)";
  expect(await readAs(unified, notation, `<EDIT>\n${once}${once}</EDIT>`)).toBe(
    `a();\nb();\n[c();|cc();]\nd();\ne();\n${why}`,
  );
  const before = once.replace("cc", "c");
  expect(await readAs(unified, notation, `<EDIT>\n${before}${once}</EDIT>`)).toBe(`${before}e();\n${why}`);
});

test("lines below a line that begins a block are put into the block", async () => {
  const python = promptInputOf("«if f(|):\n»", { language: "python" });
  const { text } = await play(unified, python, ["<INSERT>\nx\n    y()\n</INSERT>"]);
  expect(text).toBe("if f(x):\n    y()\n");
});

test("an insertion in Markdown may begin with a fence", async () => {
  const markdown = promptInputOf("«Like this:|\n»", { language: "markdown" });
  const { text } = await play(unified, markdown, ["<INSERT>\n\n```sh\nnpm test\n```\n</INSERT>"]);
  expect(text).toBe("Like this:\n```sh\nnpm test\n```\n");
});

test("the insertion at the cursor is yielded before the answer ends", async () => {
  const read: string[] = [];
  async function* answer() {
    for (const text of ["<INSERT>\nb", "\n", "c\n", "</INSERT>"]) {
      read.push(text);
      yield { kind: "text-delta", text } as const;
    }
    return { reason: "finished" } as const;
  }
  const edits: string[] = [];
  const input = promptInputOf("«a|\n»");
  for await (const edit of unified.read(answer(), input))
    edits.push(`${Edit.of([edit]).apply(input.text)}@${read.length}`);
  expect(edits).toEqual(["ab\n@2", "a\nc\n@4"]);
});

test("the prompt in the unified format is the golden one", async () => {
  await expect(printQuestion(unified.ask(goldenPromptInput))).toMatchFileSnapshot("./fixtures/unified.md");
});

test("the prompt of a file without history in the unified format is the golden one", () => {
  const question = unified.ask(promptInputOf("«add(value) {\n  this.sum += value;|\n}\n»"));
  expect(question.kind === "chat" && question.messages[1]!.text).toBe(`<|recently_viewed_code_snippets|>
<|/recently_viewed_code_snippets|>
<|current_file_content|>
current_file_path: src/a.ts
add(value) {
  this.sum += value;
}
<|/current_file_content|>
<|edit_diff_history|>
<|/edit_diff_history|>
<|area_around_code_to_edit|>
<|code_to_edit|>
add(value) {
  this.sum += value;<|cursor|>
}
<|/code_to_edit|>
<|/area_around_code_to_edit|>
`);
});
