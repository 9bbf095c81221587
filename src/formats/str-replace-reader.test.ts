import { expect, test } from "vitest";
import { printParts } from "./format.laws.ts";
import { readAnswer } from "./reading/answer-reader.ts";
import { strReplace } from "./str-replace.ts";

const edit = '{"path": "a.ts", "old_string": "x", "new_string": "y"}';

const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["one edit", edit, "a.ts string `x` => `y`"],
  ["one edit a row", `${edit}\n${edit.replace("x", "u")}`, "a.ts string `x` => `y`; a.ts string `u` => `y`"],
  ["several on a row", `${edit}, ${edit.replace("x", "u")}`, "a.ts string `x` => `y`; a.ts string `u` => `y`"],
  [
    "an edit over several rows",
    '{\n  "path": "a.ts",\n  "old_string": "x",\n  "new_string": "y"\n}',
    "a.ts string `x` => `y`",
  ],
  ["a list", `[\n${edit},\n${edit.replace("x", "u")}\n]`, "a.ts string `x` => `y`; a.ts string `u` => `y`"],
  [
    "a list of edits of one file",
    '{"file_path": "a.ts", "edits": [{"old_string": "x", "new_string": "y"}, {"oldText": "u", "newText": ""}]}',
    "a.ts string `x` => `y`; a.ts string `u` => ``",
  ],
  ["no path", '{"edits": [{"old_string": "x", "new_string": "y"}]}', "string `x` => `y`"],
  ["other names", '{"filePath": "a.ts", "oldString": "x", "newString": "y"}', "a.ts string `x` => `y`"],
  ["a call", `{"name": "edit", "arguments": ${edit}}`, "a.ts string `x` => `y`"],
  [
    "a call with its arguments in a string",
    `{"name": "edit", "arguments": ${JSON.stringify(edit)}}`,
    "a.ts string `x` => `y`",
  ],
  [
    "a list of calls",
    `{"tool_calls": [{"type": "function", "function": {"name": "edit", "arguments": ${edit}}}]}`,
    "a.ts string `x` => `y`",
  ],
  ["tags around a call", `<tool_call>${edit}</tool_call>`, "a.ts string `x` => `y`"],
  ["words and a fence around", `Here:\n\`\`\`json\n${edit}\n\`\`\`\nDone {so far}.`, "a.ts string `x` => `y`"],
  ["samples in another language", `\`\`\`ts\n{ "a": 1 }\n\`\`\`\n${edit}`, "a.ts string `x` => `y`"],
  ["brackets in strings", edit.replace('"x"', '"}]\\"{"'), 'a.ts string `}]"{` => `y`'],
  ["a new file", '{"path": "n.ts", "old_string": "", "new_string": "x\\n\\n"}', "n.ts create `x` ``"],
  ["the whole of a new file", '{"path": "n.ts", "content": "x\\n"}', "n.ts create `x`"],
  ["the whole of a file that was shown", '{"path": "src/a.ts", "content": "x\\n"}', "src/a.ts whole `x`"],
  ["no text in an old file", '{"path": "src/a.ts", "old_string": "", "new_string": "x"}', "src/a.ts string `` => `x`"],

  [
    "str_replace",
    '{"command": "str_replace", "path": "a.ts", "old_str": "x", "new_str": "y"}',
    "a.ts string `x` => `y`",
  ],
  ["str_replace by nothing", '{"command": "str_replace", "path": "a.ts", "old_str": "x"}', "a.ts string `x` => ``"],
  ["insert", '{"command": "insert", "path": "a.ts", "insert_line": 2, "new_str": "x\\ny\\n"}', "a.ts [2,2) => `x` `y`"],
  [
    "insert at the top",
    '{"command": "insert", "path": "a.ts", "insert_line": 0, "insert_text": "x"}',
    "a.ts [0,0) => `x`",
  ],
  ["create", '{"command": "create", "path": "n.ts", "file_text": "x"}', "n.ts create `x`"],
  ["view beside an edit", `{"command": "view", "path": "a.ts"}\n${edit}`, "a.ts string `x` => `y`"],

  [
    "line breaks in strings",
    '{"path": "a.ts", "old_string": "x\n\ty", "new_string": ""}',
    "normalization escapes 1; a.ts string `x\n\ty` => ``",
  ],
  [
    "a comma behind the last item",
    '{"edits": [{"old_string": "x", "new_string": "y",},],}',
    "normalization marks 1; string `x` => `y`",
  ],
  ["escaped apostrophes", edit.replace('"x"', '"it\\\'s"'), "normalization escapes 1; a.ts string `it's` => `y`"],

  [
    "a comma that is missing",
    `{"old_string": "x" "new_string": "y"}\n${edit}`,
    "refusal unreadable-row 1; a.ts string `x` => `y`",
  ],
  ["a quote that is not escaped", '{"old_string": "say "x"", "new_string": "y"}', "refusal unreadable-row 1"],
  ["a backslash that is not escaped", '{"old_string": "\\d+", "new_string": "y"}', "refusal unreadable-row 1"],
  ["no new text", '{"old_string": "x"}', "refusal unreadable-row 1"],
  ["no old text", '{"path": "a.ts", "new_string": "x"}', "refusal unreadable-row 1"],
  ["a number for a text", '{"old_string": 1, "new_string": "x"}', "refusal unreadable-row 1"],
  ["an object of another kind", '{"name": "x"}', "refusal unreadable-row 1"],
  ["an insertion without a line", '{"command": "insert", "path": "a.ts", "new_str": "x"}', "refusal unreadable-row 1"],
  ["undo_edit", '{"command": "undo_edit", "path": "a.ts"}', "refusal unreadable-row 1"],
  ["the same text", edit.replace("y", "x"), "refusal no-change 1"],
  ["no end", `${edit}\n{"path": "a.ts", "old_string": "x", "new_st`, "a.ts string `x` => `y`; refusal cut-off 2"],
  ["no edits", '{"edits": []}', "no change"],
  ["nothing to change", "No changes.", "no change"],
  ["nothing but words", "I cannot do that.", "refusal no-edits"],
];

for (const [name, answer, expected] of cases) {
  test(`the str-replace reader reads ${name}`, () => {
    const reader = strReplace.read({ paths: ["src/a.ts"] });
    expect(printParts([...reader.push(answer), ...reader.end(false)])).toBe(expected);
  });
}

const everywhere = ['"replace_all": true', '"replaceAll": "true"', '"expected_replacements": 3'];

test("replace_all replaces every occurrence", () => {
  const flags = [...everywhere, '"replace_all": false', '"expected_replacements": 1'];
  const answer = flags.map((flag) => edit.replace("}", `, ${flag}}`)).join("\n");
  const { operations } = readAnswer(strReplace.read({ paths: [] }), answer);
  expect(operations.map((ask) => ask.kind === "string" && ask.isEvery === true)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("the refusal of invalid JSON has the place of the error", () => {
  const { refusals } = readAnswer(
    strReplace.read({ paths: [] }),
    'Here:\n{\n  "old_string": "x"\n  "new_string": "y"\n}',
  );
  expect(refusals[0]!.message).toBe("The JSON that begins in row 2 breaks at row 4, character 3: comma expected.");
});

test("an edit in JSON is reported at its last bracket", () => {
  const reader = strReplace.read({ paths: [] });
  expect(reader.push(`${edit.slice(0, -1)}\n`)).toEqual([]);
  expect(printParts(reader.push("}\n"))).toBe("a.ts string `x` => `y`");
  expect(reader.end(true)).toMatchObject([{ refusal: { kind: "cut-off" } }]);
});
