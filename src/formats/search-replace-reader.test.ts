import { expect, test } from "vitest";
import { printParts } from "./format.laws.ts";
import { searchReplace } from "./search-replace.ts";

/**
 * `[` is replaced by `<<<<<<< SEARCH`, `=` by the divider, `]` by `>>>>>>> REPLACE`, each alone in
 * its row.
 */
const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["a path above the fence", "a.ts\n```ts\n[\nx\n=\ny\n]\n```", "a.ts block `x` => `y`"],
  ["a path inside of the fence", "```\na.ts\n[\nx\n=\ny\n]\n```", "a.ts block `x` => `y`"],
  ["a path behind the fence", "```ts a.ts\n[\nx\n=\ny\n]\n```", "a.ts block `x` => `y`"],
  ["no fence", "a.ts\n[\nx\n=\ny\n]", "a.ts block `x` => `y`"],
  ["a tag for a fence", "a.ts\n<source>ts\n[\nx\n=\ny\n]\n</source>", "a.ts block `x` => `y`"],
  ["tildes for a fence", "a.ts\n~~~~ts\n[\nx\n=\ny\n]\n~~~~", "a.ts block `x` => `y`"],
  ["a fence that is not closed", "a.ts\n```\n[\nx\n=\ny\n]\nDone.", "a.ts block `x` => `y`"],
  ["a decorated path", "**`a.ts`:**\n\n```\n[\nx\n=\ny\n]\n```", "a.ts block `x` => `y`"],
  ["a path as a remark", "```\n# a.py\n[\nx\n=\ny\n]\n```", "a.py block `x` => `y`"],
  ["a tag around the path", "<path>a b</path>\n<diff>\n[\nx\n=\ny\n]\n</diff>", "a b block `x` => `y`"],
  [
    "a name of a language is no path",
    "b/Dockerfile\n```dockerfile\n[\nx\n=\ny\n]\n```",
    "b/Dockerfile block `x` => `y`",
  ],
  [
    "the path of the block before",
    "a.ts\n```\n[\nx\n=\ny\n]\n```\nAnd then:\n```\n[\nu\n=\nv\n]\n```",
    "a.ts block `x` => `y`; a.ts block `u` => `v`",
  ],
  [
    "two blocks in a fence",
    "a.ts\n```\n[\nx\n=\ny\n]\n\nb.ts\n[\nu\n=\nv\n]\n```",
    "a.ts block `x` => `y`; b.ts block `u` => `v`",
  ],
  [
    "tryFindPathIn finds a known path among words",
    "Now `src/a.ts` gets one:\n```\n[\nx\n=\ny\n]\n```",
    "normalization path 3; src/a.ts block `x` => `y`",
  ],
  ["no path at all", "Here it is:\n```\n[\nx\n=\ny\n]\n```", "block `x` => `y`"],
  [
    "words and commands around",
    "Run it:\n```bash\nnpm test a.ts\n```\na.ts\n[\nx\n=\ny\n]\nSo be it.",
    "a.ts block `x` => `y`",
  ],
  ["lines for a new file", "new.ts\n[\n=\nx\n\n]", "new.ts block => `x` ``"],
  ["lines to delete", "a.ts\n[\nx\n=\n]", "a.ts block `x` =>"],
  ["blanks behind marks", "a.ts\n<<<<<<< SEARCH \nx\n=======  \ny\n>>>>>>> REPLACE \n", "a.ts block `x` => `y`"],
  [
    "an indented block",
    "1. a.ts\n   [\n   x\n   =\n   y\n   ]".replaceAll("   =", "   ======="),
    "a.ts block `   x` => `   y`",
  ],

  ["Cline's marks", "a.ts\n------- SEARCH\nx\n=\ny\n+++++++ REPLACE", "a.ts block `x` => `y`"],
  ["Cline's first mark, aider's last", "a.ts\n------- SEARCH\nx\n=\ny\n]", "a.ts block `x` => `y`"],
  ["aider's former words", "a.ts\n<<<<<<< ORIGINAL\nx\n=\ny\n>>>>>>> UPDATED", "a.ts block `x` => `y`"],
  [
    "five and nine signs",
    "a.ts\n<<<<< SEARCH\nx\n=====\ny\n>>>>>>>>> REPLACE",
    "normalization marks 2; normalization marks 4; a.ts block `x` => `y`; normalization marks 6",
  ],
  [
    "Roo's escaped marks",
    "a.ts\n[\n\\=======\n\\\\<<<<<<< SEARCH\n=\n\\>>>>>>> REPLACE\n]",
    "a.ts block `=======` `\\<<<<<<< SEARCH` => `>>>>>>> REPLACE`",
  ],

  ["SEARCH>", "a.ts\n<<<<<<< SEARCH>\nx\n=\ny\n]", "normalization marks 2; a.ts block `x` => `y`"],
  [
    "marks without words",
    "a.ts\n<<<<<<<\nx\n=\ny\n>>>>>>>",
    "normalization marks 2; a.ts block `x` => `y`; normalization marks 6",
  ],
  ["four signs", "a.ts\n<<<< SEARCH\nx\n=\ny\n]", "normalization marks 2; a.ts block `x` => `y`"],
  ["a path on the mark's row", "<<<<<<< SEARCH a.ts\nx\n=\ny\n]", "normalization marks 1; a.ts block `x` => `y`"],
  ["a fence on the mark's row", "a.ts\n[\nx\n=\ny\n>>>>>>> REPLACE```", "a.ts block `x` => `y`"],

  [
    "a conflict in the code",
    "a.ts\n[\n<<<<<<< HEAD\nx\n=\ny\n>>>>>>> other\n=\ny\n]",
    "a.ts block `<<<<<<< HEAD` `x` `=======` `y` `>>>>>>> other` => `y`",
  ],
  [
    "a title in the code",
    "a.md\n[\nChanges\n=\nx\n=\nChanges\n=\ny\n]",
    "a.md block `Changes` `=======` `x` => `Changes` `=======` `y`",
  ],
  ["a line of another length in the code", "a.md\n[\nNews\n=====\n=\nOld\n]", "a.md block `News` `=====` => `Old`"],
  ["an indented divider is code", "a.py\n[\n    =======\n=\ny\n]", "a.py block `    =======` => `y`"],
  ["fences in the code", "a.md\n```\n[\n```\nx\n```\n=\ny\n]\n```", "a.md block ````` `x` ````` => `y`"],
  ["a row of dots among others", "a.ts\n[\nx\n...\n=\ny\n...\n]", "a.ts block `x` `...` => `y` `...`"],

  ["a divider too many", "a.ts\n[\nx\n=\n=\ny\n]", "refusal unreadable-row 2"],
  ["a divider at the end", "a.ts\n[\nx\n=\ny\n=\n]", "refusal unreadable-row 2"],
  ["no divider", "a.ts\n[\nx\n]", "refusal unreadable-row 2"],
  ["no last mark", "a.ts\n[\nx\n=\ny\n[\nu\n=\nv\n]", "refusal unreadable-row 2; a.ts block `u` => `v`"],
  ["no first mark", "a.ts\nx\n=\ny\n]", "refusal unreadable-row 5"],
  ["text on the first mark's row", "a.ts\n<<<<<<< SEARCH const x\n=\ny\n]", "refusal unreadable-row 2"],
  ["text on the last mark's row", "a.ts\n[\nx\n=\ny\n>>>>>>> REPLACE and so on", "refusal unreadable-row 2"],
  [
    "a last mark behind code",
    "a.ts\n[\nx\n=\ny >>>>>>> REPLACE\n[\nu\n=\nv\n]",
    "refusal unreadable-row 2; a.ts block `u` => `v`",
  ],
  ["a hint that is none", "a.ts\n[\n:start_line: ten\n-------\nx\n=\ny\n]", "refusal unreadable-row 2"],
  ["another hint that is none", "a.ts\n[\n:line:10\n-------\nx\n=\ny\n]", "refusal unreadable-row 2"],
  ["a file without a block", "a.ts\n```ts\nconst x = 1;\n```", "refusal unreadable-row 2"],
  ["a sample without a path", "For example:\n```ts\nconst x = 1;\n```\na.ts\n[\nx\n=\ny\n]", "a.ts block `x` => `y`"],
  [
    "code behind, without a path",
    "a.ts\n[\nx\n=\ny\n]\nAlso:\n```ts\nconst x = 1;\n```",
    "a.ts block `x` => `y`; normalization marks 8",
  ],
  ["commands behind", "a.ts\n[\nx\n=\ny\n]\n```sh\nnpm test\n```", "a.ts block `x` => `y`"],
  ["the same lines", "a.ts\n[\nx\n=\nx\n]", "refusal no-change 2"],
  [
    "the same lines beside others",
    "a.ts\n[\nx\n=\nx\n]\n[\nu\n=\nv\n]",
    "a.ts block `u` => `v`; normalization marks 2",
  ],
  ["cut in the first half", "a.ts\n[\nx", "refusal cut-off 2"],
  ["cut in the second half", "a.ts\n[\nx\n=\ny\n", "refusal cut-off 2"],
  ["cut in the last mark", "a.ts\n[\nx\n=\ny\n>>>>>>> REPL", "refusal cut-off 2"],
  ["nothing to change", "I looked.\n\nNo changes.", "no change"],
  ["nothing to change in one file", "No changes needed.\na.ts\n[\nx\n=\ny\n]", "a.ts block `x` => `y`"],
  ["nothing but words", "I cannot do that.", "refusal no-edits"],
];

function spell(answer: string): string {
  const signs: Readonly<Record<string, string>> = { "[": "<<<<<<< SEARCH", "=": "=======", "]": ">>>>>>> REPLACE" };
  return answer.replace(/^( *)([[=\]])$/gm, (_, indent: string, sign: string) => indent + signs[sign]!);
}

for (const [name, answer, expected] of cases) {
  test(`the search-replace reader reads ${name}`, () => {
    const reader = searchReplace.read({ paths: ["src/a.ts", "src/b.ts"] });
    expect(printParts([...reader.push(spell(answer)), ...reader.end(false)])).toBe(expected);
  });
}

const hints: readonly (readonly [name: string, rows: string, near: number | undefined])[] = [
  ["Roo's hint", ":start_line:12\n-------\nx", 11],
  ["Roo's hints", ":start_line: 12\n:end_line:13\n-------\nx", 11],
  ["a hint without its dashes", ":start_line:12\nx", 11],
  ["no hint", "x", undefined],
];

for (const [name, rows, near] of hints) {
  test(`the search-replace reader reads a line hint: ${name}`, () => {
    const reader = searchReplace.read({ paths: ["a.ts"] });
    const [part] = reader.push(spell(`[\n${rows}\n=\ny\n]\n`));
    const found = { kind: "block", search: ["x"], replace: ["y"] };
    expect(part).toMatchObject({ kind: "operation", operation: near === undefined ? found : { ...found, near } });
  });
}

test("the reader reports the open operation before it is complete", () => {
  const reader = searchReplace.read({ paths: ["a.ts"] });
  expect(reader.push("a.ts\n<<<<<<< SEARCH\nx\ny")).toEqual([]);
  expect(reader.open).toMatchObject({ path: "a.ts", search: ["x"], replace: [] });
  expect(reader.push("\n=======\nz\n")).toEqual([]);
  expect(reader.open).toMatchObject({ search: ["x", "y"], replace: ["z"] });
  expect(printParts(reader.push(">>>>>>> REPLACE\n"))).toBe("a.ts block `x` `y` => `z`");
  expect(reader.open).toBeUndefined();
});

test.each([
  ["src/new\nline.ts\n[\n=\nx\n]", "normalization path 3; line.ts block => `x`"],
  ["Create src/\nline.ts\n```\n[\n=\nx\n]\n```", "normalization path 4; line.ts block => `x`"],
  ["src\\lib\na.ts\n[\ny\n=\nx\n]", "normalization path 3; a.ts block `y` => `x`"],
  ["See https://a.b/c\na.ts\n[\ny\n=\nx\n]", "a.ts block `y` => `x`"],
  ["In src/lib\n\na.ts\n[\ny\n=\nx\n]", "a.ts block `y` => `x`"],
])("row 9: a row above the path that ends like a path is listed: %j", (answer, expected) => {
  const reader = searchReplace.read({ paths: [] });
  expect(printParts([...reader.push(spell(answer)), ...reader.end(false)])).toBe(expected);
});

test.each([
  ["sp ace/my file.ts", "refusal unknown-file 7"],
  ["`sp ace/my file.ts`", "sp ace/my file.ts block `u` => `v`"],
  ["**sp ace/my file.ts**", "refusal unknown-file 7"],
  ["### sp ace/my file.ts", "refusal unknown-file 7"],
  ["File: sp ace/my file.ts", "sp ace/my file.ts block `u` => `v`"],
  ['"sp ace/my file.ts"', "sp ace/my file.ts block `u` => `v`"],
  ["with blank.md", "with blank.md block `u` => `v`"],
  ["### with blank.md", "with blank.md block `u` => `v`"],
  ["Now change lib/b.ts", "refusal unknown-file 7"],
  ["And then:", "a.ts block `u` => `v`"],
  ["b.ts\nThis is the other half.", "normalization path 8; b.ts block `u` => `v`"],
  ["b.ts\nc.ts\nThese two change.", "refusal unknown-file 9"],
])("row 21: a block never goes to the file of the block before where a row names another one: %j", (row, expected) => {
  const reader = searchReplace.read({ paths: ["a.ts", "with blank.md"] });
  const answer = spell(`a.ts\n[\nx\n=\n]\n${row}\n[\nu\n=\nv\n]`);
  expect(printParts([...reader.push(answer), ...reader.end(false)])).toBe(`a.ts block \`x\` =>; ${expected}`);
});

test.each([
  ["a.ts\n[\nx\n==========\ny\n]", "normalization marks 4; a.ts block `x` => `y`"],
  ["a.ts\n[\nx\n====\ny\n]", "normalization marks 4; a.ts block `x` => `y`"],
  ["a.ts\n[\nx\n=\ny\n==========\nz\n]", "a.ts block `x` => `y` `==========` `z`"],
  [
    "a.ts\n<<<<<<<<<<<<<<< SEARCH\nx\n=\ny\n>>>>>>>>>>>>>> REPLACE",
    "normalization marks 2; a.ts block `x` => `y`; normalization marks 6",
  ],
  [
    "a.ts\n----------- SEARCH\nx\n=\ny\n+++++++++++ REPLACE",
    "normalization marks 2; a.ts block `x` => `y`; normalization marks 6",
  ],
  ["a.ts\n[\n:start_line:3\n-----------\nx\n=\ny\n]", "normalization marks 4; a.ts block `x` => `y`"],
  ["a.ts\n[\n:start_line:3\n-----\nx\n=\ny\n]", "normalization marks 4; a.ts block `x` => `y`"],
])("row 35: marks of another length are read and listed: %j", (answer, expected) => {
  const reader = searchReplace.read({ paths: [] });
  expect(printParts([...reader.push(spell(answer)), ...reader.end(false)])).toBe(expected);
});

test.each([
  ["a.ts\n```\n[\nx\n=\ny\n```", "a.ts block `x` => `y`; normalization marks 3"],
  ["a.ts\n```ts\n[\nx\n=\n```\n\n", "a.ts block `x` =>; normalization marks 3"],
  ["a.ts\n[\na(1);\n=\na(2);\n", "a.ts block `a(1);` => `a(2);`; normalization marks 2"],
  [
    "a.ts\n[\nu\n=\nv\n]\n[\n{\n}\n=\n{\n  b\n}",
    "a.ts block `u` => `v`; a.ts block `{` `}` => `{` `  b` `}`; normalization marks 7",
  ],
  ["a.ts\n[\na(1);\n=\na(2, [);\n", "refusal cut-off 2"],
  ["a.ts\n[\na();\nb();\nc();\n=\na();\n", "refusal cut-off 2"],
  ["a.ts\n[\na();\n=\nb();\n\nThis calls b();\n", "refusal cut-off 2"],
  ["a.ts\n```\n[\nx\n=\ny\n```\nDone.", "refusal cut-off 3"],
  ["a.ts\n```\n[\nx\n=\ny\n", "refusal cut-off 3"],
])("row 35: no last mark at the end of the answer: %j", (answer, expected) => {
  const read = (isCut: boolean) => {
    const reader = searchReplace.read({ paths: [] });
    return printParts([...reader.push(spell(answer)), ...reader.end(isCut)]);
  };
  expect(read(false)).toBe(expected);
  expect(read(true)).toMatch(/refusal cut-off \d+$/);
});
