import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../syntax/node/index.ts";
import { applyWorkspaceEdit } from "../text/index.ts";
import { EditEngine } from "./edit-engine.ts";
import { namesDefinedIn, tryReadDefinitions } from "./read-definitions.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const cart = `import { price } from "./price";

/** The sum. */
export function total(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + price(one), 0);
}

export const count = (list: readonly number[]): number => list.length; // All.

export const limit = 7;

export class Cart {
  add(one: number): void {}
  clear(): void {}
}
`;
const shop = `export function limit(): void {}

export function open(): void {
  function total(): void {}
  total();
}
`;
const python = "def area(r):\n    return 3 * r\n\n\n@cached\ndef name():\n    return 1\n";

const given: Readonly<Record<string, string>> = { "src/cart.ts": cart, "src/shop.ts": shop, "shape.py": python };
const languages: Readonly<Record<string, string>> = { ts: "typescript", py: "python" };
const filesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => ({ path, text, language: languages[path.split(".").at(-1)!]! }));

/** The answer of a chat with this code. */
const chat = (...codes: readonly string[]) =>
  `Sure:\n\n${codes.map((code) => `\`\`\`ts\n${code}\n\`\`\`\n`).join("\nand\n\n")}\nThat is all.\n`;

async function read(answer: string, texts = given) {
  const files = filesOf(texts);
  const reading = await tryReadDefinitions(answer, files, syntax);
  if (reading?.kind !== "content") return reading?.message;
  const { content } = reading;
  const outcome = await new EditEngine({ syntax }).judgeAnswer({ files }, { text: answer, format: "elided", content });
  if (outcome.kind !== "offered") return outcome;
  const { edit, files: before, normalizations } = outcome.proposal;
  const applied = applyWorkspaceEdit(before, edit);
  const after = applied.kind === "applied" ? applied.files : new Map<string, string>();
  const changed = Object.fromEntries([...after].filter(([path, text]) => texts[path] !== text));
  return { changed, notes: normalizations.map(({ message }) => message) };
}

const body = "export function total(list: readonly number[]): number {\n  return 0;\n}";
const totalNote =
  "The answer has the marks of no format. Its code was taken for the new text of function `total` in src/cart.ts, the only definition of that name.";
const bodyBefore = /export function total[\s\S]*?\n\}/;

describe("code without marks is read as definitions:", () => {
  test.each<[what: string, answer: string, changed: Readonly<Record<string, string>>]>([
    ["a function, whose comment stays", chat(body), { "src/cart.ts": cart.replace(bodyBefore, body) }],
    [
      "a function with another comment",
      chat(`/** None. */\n${body}`),
      { "src/cart.ts": cart.replace(bodyBefore, body).replace("The sum.", "None.") },
    ],
    [
      "below a path, and with an import that the file has",
      chat(`// src/cart.ts\nimport { price } from "./price";\n\n${body}`),
      { "src/cart.ts": cart.replace(bodyBefore, body) },
    ],
    [
      "in two fences, one of which is indented",
      `1. First:\n\n   \`\`\`ts\n${body.replace(/^/gm, "   ")}\n   \`\`\`\n${chat("export function open(): void {}")}`,
      {
        "src/cart.ts": cart.replace(bodyBefore, body),
        "src/shop.ts": shop.replace(/export function open[\s\S]*?\n\}/, "export function open(): void {}"),
      },
    ],
    [
      "a class with all of its members and a new one",
      chat("export class Cart {\n  add(one: number): void {}\n  clear(): void {}\n  size(): void {}\n}"),
      { "src/cart.ts": cart.replace("clear(): void {}\n", "clear(): void {}\n  size(): void {}\n") },
    ],
    [
      "in another language",
      chat("@cached\ndef name():\n    return 2"),
      { "shape.py": python.replace("return 1", "return 2") },
    ],
    [
      "beside a command for a shell",
      `${chat(body)}\`\`\`sh\nnpm test\n\`\`\`\n`,
      { "src/cart.ts": cart.replace(bodyBefore, body) },
    ],
  ])("%s", async (_, answer, changed) => {
    const result = await read(answer);
    expect(result).toMatchObject({ changed });
  });

  test("and commands for a shell are reported to be left out", async () => {
    const answer = `\`\`\`sh\nnpm test\n\`\`\`\n${chat(body)}`;
    expect(await read(answer)).toMatchObject({ notes: ["Commands for a shell were left out.", totalNote] });
  });

  test("with Windows' line endings, which stay", async () => {
    const windows = { "src/cart.ts": cart.replaceAll("\n", "\r\n") };
    const after = cart.replace(bodyBefore, body).replaceAll("\n", "\r\n");
    expect(await read(chat(body), windows)).toEqual({ changed: { "src/cart.ts": after }, notes: [totalNote] });
  });

  test.each([
    [chat("def name():\n    return 2"), "`@cached`"],
    [chat("const count = (): number => 0;"), "`export`"],
  ])("%s is reported to leave out %s", async (answer, word) => {
    const texts = { ...given, "src/cart.ts": cart.replace(" // All.", "") };
    const result = await read(answer, texts);
    expect(result).toMatchObject({
      notes: [expect.stringContaining(`only definition of that name. It leaves out ${word}.`)],
    });
  });

  test.each<[what: string, answer: string, message: string | undefined]>([
    [
      "a name that two files define",
      chat("export const limit = 8;"),
      "`limit` is defined in several places of the given files: src/cart.ts:10, src/shop.ts:1.",
    ],
    [
      "a name that no file defines",
      chat("function rest(): void {}"),
      "`rest` is defined nowhere on the outermost level of the given files.",
    ],
    [
      "a name that is only defined inside of another definition",
      chat("function add(one: number): void {}"),
      "`add` is defined nowhere on the outermost level of the given files: src/cart.ts:13 (nested).",
    ],
    [
      "a class without one of its members",
      chat("export class Cart {\n  add(one: number): void {}\n}"),
      "The answer leaves out `clear` of `Cart` (src/cart.ts:14), which may stay or go.",
    ],
    [
      "a definition that shares a line",
      chat("export const count = (): number => 0;"),
      "`count` shares its lines with other code (src/cart.ts:8).",
    ],
    ["a name that is defined twice", chat(body, body), "The answer defines `total` twice."],
    [
      "other code beside",
      chat(`${body}\ntotal([]);`),
      'The code of the answer has more than definitions: "total([]);".',
    ],
    [
      "an import that the file lacks",
      chat(`import { x } from "./x";\n${body}`),
      'The answer imports more than src/cart.ts does: "import { x } from \\"./x\\";".',
    ],
    ["code that defines nothing beside", chat(body, "total([]);"), "The code in row 12 of the answer defines nothing."],
    [
      "broken code",
      chat(`${body}\n}`),
      "The code of the answer does not parse as typescript: Unexpected token (row 7).",
    ],
    ["code that defines nothing", chat("total([]);"), undefined],
    ["no code", "Just do it.\n", undefined],
    ["an answer with marks", `src/cart.ts\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n${chat(body)}`, undefined],
    ["code with rows that stand for code", chat(`// ... existing code ...\n${body}`), undefined],
  ])("%s is refused", async (_, answer, message) => {
    expect(await read(answer)).toBe(message);
  });
});

test("a function that becomes a constant leaves out no keyword", async () => {
  const code = "export const total = (list: readonly number[]): number => 0;";
  expect(await read(chat(code))).toMatchObject({ notes: [totalNote] });
});

test("refuses a member alone with the place of the error and what it lacks", async () => {
  const answer = "```py\n    def clear(self):\n        self.items = []\n```\n";
  expect(await read(answer, { "shape.py": python })).toBe(
    "The code of the answer does not parse as python: Unexpected indentation (row 2). Its first line is indented, like a part of a class or function: the answer needs all of that, or a patch with the lines around it.",
  );
});

test("namesDefinedIn returns the names in any of the languages", async () => {
  expect(await namesDefinedIn(chat(body, "def area(r): return r"), ["typescript", "python"], syntax)).toEqual(
    new Set(["total", "area"]),
  );
});
