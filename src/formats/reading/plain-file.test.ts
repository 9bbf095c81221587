import { expect, test } from "vitest";
import { tryReadPlainFile } from "./plain-file.ts";

const code = "import a;||f() {|  one();|  two();|}||g() {|  six();|}|";

/**
 * Lines are separated by `|`. The expectation is the lines of the file; `undefined` where the
 * answer is no plain file.
 */
const cases: readonly (readonly [name: string, answer: string, lines: string | undefined, path?: string])[] = [
  ["a line that changes", code.replace("two", "ten"), code.replace("two", "ten")],
  ["a function that is new", `${code}|h() {|  ten();|}|`, `${code}|h() {|  ten();|}|`],
  ["blank rows around", `||${code.replace("two", "ten")}||`, code.replace("two", "ten")],
  ["a last line that changes", code.replace(/\}\|$/, "};|"), code.replace(/\}\|$/, "};|")],
  ["thoughts in front", `So.|</think>||${code.replace("two", "ten")}`, code.replace("two", "ten")],
  ["a fence", `Here:||\`\`\`ts|${code.replace("two", "ten")}\`\`\`|Done.`, code.replace("two", "ten")],
  ["fences in prose", "# One||```sh|b|```||Six.|", "# One||```sh|b|```||Six.|", "a.md"],

  ["the beginning of the file", code.slice(0, code.indexOf("|}||g")).replace("two", "ten"), undefined],
  ["the file without its end", code.replace("|g() {|  six();|}|", ""), undefined],
  ["the file without its beginning", code.replace("import a;||f() {|", ""), undefined],
  ["a part that changes", "f() {|  one();|  ten();|}|", undefined],
  ["another text", "h() {|  ten();|}|", undefined],
  ["words in front", `Here is it:|${code}`, undefined],
  ["words behind", `${code}|I changed nothing else.`, undefined],
  ["a remark for code", code.replace("  two();", "  // ... existing code ..."), undefined],
  ["words in front of prose", "well, here:|# One||```sh|a|```||Six.", undefined, "a.md"],
  ["two files", `\`\`\`|${code}\`\`\`|\`\`\`|${code}\`\`\``, undefined],
  ["an edit", code.replace("  two();", "<<<<<<< SEARCH|  two();|=======|  ten();|>>>>>>> REPLACE"), undefined],
  ["nothing", "", undefined],
];

for (const [name, answer, lines, path = "a.ts"] of cases) {
  test(`a whole file without a format is read: ${name}`, () => {
    const text = (path === "a.ts" ? code : "# One||```sh|a|```||Six.|").replaceAll("|", "\n");
    const content = tryReadPlainFile(answer.replaceAll("|", "\n"), [{ path, text }]);
    const [ask] = content?.operations ?? [];
    expect(ask?.kind === "whole" ? `${ask.lines.join("|")}|` : undefined).toBe(lines);
    const normalization = content?.normalizations.at(-1);
    const isRead = lines !== undefined;
    expect(content !== undefined).toBe(isRead);
    expect([normalization?.kind, normalization?.path]).toEqual(isRead ? ["fence", path] : [undefined, undefined]);
  });
}

test("no answer is the plain text of an empty file", () => {
  expect(tryReadPlainFile("f();\n", [{ path: "a.ts", text: "" }])).toBeUndefined();
});

test("a plain text is not assigned to one of two files", () => {
  const file = { path: "a.ts", text: code.replaceAll("|", "\n") };
  expect(tryReadPlainFile(file.text, [file, { ...file, path: "b.ts" }])).toBeUndefined();
});

test.each(["think", "reasoning", "thought"])("row 51: rows of a file that are tags of %s stay", (tag) => {
  const text = `a();\n<b>\n${code.replaceAll("|", "\n")}</${tag}>\nc();\nd();\n`;
  const answer = text.replace("two", "ten");
  const [ask] = tryReadPlainFile(answer, [{ path: "a.ts", text }])?.operations ?? [];
  expect(ask?.kind === "whole" && `${ask.lines.join("\n")}\n`).toBe(answer);
});
