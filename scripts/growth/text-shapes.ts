/**
 * Texts of any length that ask much of a pattern or a loop: each repeats one thing that a reader
 * may look at again and again.
 */
export const textShapes: Readonly<Record<string, (length: number) => string>> = {
  "a name, spaces and a sign": (length) => `k${" ".repeat(length)}+ 1\n`,
  "lines of a name, spaces and a sign": (length) => `k${" ".repeat(200)}+ 1\n`.repeat(length / 205),
  "blank lines": (length) => `a = 1\n${"\n".repeat(length)}b = 2\n`,
  "blank lines with spaces": (length) => `${"  \t \n".repeat(length / 5)}x`,
  "carriage returns": (length) => `${"\r".repeat(length)}x`,
  "equal statements": (length) => "f(1)\n".repeat(length / 5),
  "statements that differ": (length) => repeated(length, (at) => `call${at}(${at})\n`),
  functions: (length) => repeated(length, (at) => `function f${at}(a, b) { return a + ${at}; }\n`),
  "functions of Python": (length) => repeated(length, (at) => `def f${at}(a, b):\n    return a + ${at}\n`),
  "open round brackets": (length) => "(".repeat(length),
  "open square brackets": (length) => "[".repeat(length),
  "open braces": (length) => "{".repeat(length),
  "open angle brackets": (length) => "<".repeat(length),
  "type arguments that never close": (length) => "a<".repeat(length / 2),
  "closing brackets": (length) => ")]}>".repeat(length / 4),
  "open brackets before closing ones of another kind": (length) => "(".repeat(length / 2) + "]".repeat(length / 2),
  "closing brackets of indented lines": (length) => "  a)\n".repeat(length / 5),
  "expansions of a shell that stay open": (length) => "${".repeat(length / 2),
  "nested brackets": (length) => `${"(".repeat(length / 2)}${")".repeat(length / 2)}`,
  "objects in a list": (length) => `x = [${"{ a: 1 }, ".repeat(length / 10)}];\n`,
  "double quotes": (length) => '"'.repeat(length),
  "single quotes": (length) => "'".repeat(length),
  backticks: (length) => "`".repeat(length),
  "quotes in turn": (length) => `"'`.repeat(length / 2),
  "an open string": (length) => `x = "${"a ".repeat(length / 2)}`,
  "escapes in a string": (length) => `x = "${"\\".repeat(length)}`,
  commas: (length) => ",".repeat(length),
  "names and commas": (length) => `${"a, ".repeat(length / 3)}+ 1\n`,
  "a long import": (length) => `import { ${"a, ".repeat(length / 3)}\n`,
  imports: (length) => repeated(length, (at) => `import { a${at} } from "./m${at}";\n`),
  "openers of comments": (length) => "/*".repeat(length / 2),
  "openers of comments before one end": (length) => `${"/* ".repeat(length / 3)}*/`,
  "openers of comments of HTML": (length) => "<!--".repeat(length / 4),
  "line comments": (length) => "// a comment\n".repeat(length / 13),
  "comments in one line": (length) => "/**/".repeat(length / 4),
  "a long line": (length) => `x = ${"a + ".repeat(length / 4)}1\n`,
  "a long name": (length) => `${"a".repeat(length)}\n`,
  "a long name with dots": (length) => `${"a.".repeat(length / 2)}b\n`,
  digits: (length) => "1".repeat(length),
  "tiny lines": (length) => "a\n".repeat(length / 2),
  "deeper lines": (length) => deeper(length),
  "equals signs": (length) => "=".repeat(length),
  colons: (length) => "a?b:".repeat(length / 4),
  dashes: (length) => "-".repeat(length),
  "at signs": (length) => "@@ ".repeat(length / 3),
  stars: (length) => "*".repeat(length),
  slashes: (length) => "/".repeat(length),
  "tags that stay open": (length) => "<a ".repeat(length / 3),
  "mustaches that stay open": (length) => "{{".repeat(length / 2),
  "reasoning tags": (length) => "<think>".repeat(length / 7),
  fences: (length) => "```js\n".repeat(length / 6),
  "raw strings of Rust that stay open": (length) => 'r#"a '.repeat(length / 5),
  "raw strings of C++ that stay open": (length) => 'R"a(b '.repeat(length / 6),
  "raw strings of Swift that stay open": (length) => '#"a '.repeat(length / 4),
  "addresses of CSS that stay open": (length) => "url(a ".repeat(length / 6),
  "generic functions": (length) => repeated(length, (at) => `x = <T${at}>(a) => a;\n`),
  "classes of characters that stay open": (length) => "[a".repeat(length / 2),
  "rules of GBNF": (length) => `root ::= r0\n${repeated(length, (at) => `r${at} ::= "a" | r${at + 1}\n`)}`,
  "rules of Lark": (length) => `start: r0\n${repeated(length, (at) => `r${at}: "a" | r${at + 1}\n`)}`,
  "export words": (length) => "export default ".repeat(length / 15),
  "modifier words": (length) => "public static ".repeat(length / 14),
};

/**
 * The shapes that a parser of scripts reads as one thing within the other: how deep it can go is
 * not what is measured.
 */
export const nestedShapes: ReadonlySet<string> = new Set([
  "open round brackets",
  "open square brackets",
  "open braces",
  "open angle brackets",
  "type arguments that never close",
  "open brackets before closing ones of another kind",
  "expansions of a shell that stay open",
  "nested brackets",
  "colons",
  "dashes",
  "at signs",
  "stars",
  "tags that stay open",
  "mustaches that stay open",
  "reasoning tags",
]);

function repeated(length: number, piece: (at: number) => string): string {
  let text = "";
  for (let at = 0; text.length < length; at += 1) text += piece(at);
  return text;
}

/**
 * Lines each of which is one level deeper, up to a depth at which a text of people ends, and again.
 */
function deeper(length: number): string {
  return repeated(length, (at) => `${" ".repeat(at % 60)}if a:\n`);
}
