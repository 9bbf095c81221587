import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Lexer } from "../fixtures/lexer.ts";
import { anyPattern, anySomeText, someCharacters } from "../fixtures/patterns.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import type { LexicalSource, TokenRule } from "../tables/grammar-source.ts";
import { toPlainGrammar } from "../tables/plain-grammar.ts";
import { buildLexer } from "./build-lexer.ts";
import type { LexTables } from "./lex-tables.ts";
import { parsePattern, printPattern } from "./parse-pattern.ts";
import type { Pattern } from "./pattern.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function patternOf(source: string): Pattern {
  const parsed = parsePattern(source);
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed.pattern;
}

const newline = patternOf("[\\n\\r]");

function grammarOf(text: string) {
  const { grammar, issues } = parseGrammar(`grammar test\n\n${text}`);
  if (grammar === undefined) throw new Error(issues.map((issue) => issue.message).join());
  return { lexical: grammar.lexical, terminals: toPlainGrammar(grammar).terminals };
}

const script = grammarOf(`
word     Name
reserved "if" "else" "enum"
newline  /[\\n\\r\\u2028\\u2029]/
token Name     = /[\\p{ID_Start}$_][\\p{ID_Continue}$]*/
token Number   = /[0-9]+(\\.[0-9]+)?/
token Hex      = /0x[0-9a-f]+/
token Late     = /0x[0-9a-f]/
token Text     = /"[^"\\n]*"/
token RegExp   = /\\/[^\\/*\\n][^\\/\\n]*\\//
split Optional = /\\?[0-9]+/ as "?" Number
trivia Space   = /[ \\n\\u2028]+/
trivia Comment = /\\/\\*([^*]|\\*+[^*\\/])*\\*+\\//
never  Open    = /\\/\\*([^*]|\\*+[^*\\/])*\\**/
mode main + Name
mode regexp = main - "/" "else" + RegExp
mode close  = "*/" Name

Start = ("if" | "else" | "of" | "=" | "==" | "===" | "?" | "?." | "/" | "*/" | Name | Number | Hex | Text | RegExp)*
`);

/**
 * What the lexemes of `text` are, one after the other: `text:readings`; `~` is trivia, `~~` with a
 * line break, `!` what nothing takes.
 */
function lexemesOf(lex: LexTables, terminals: readonly string[], modeName: string, text: string): string {
  const lexer = new Lexer(lex);
  const mode = lex.modes.findIndex(({ name }) => name === modeName);
  const bytes = encoder.encode(text);
  const lexemes: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { end, match, isBrokenLine } = lexer.longestMatch(mode, bytes, at, bytes.length);
    if (end === at) return [...lexemes, "?"].join(" ");
    const { isTrivia, readings } = lex.matches[match]!;
    const named = readings.map((reading) => [...reading].map((terminal) => terminals[terminal]).join("+")).join("|");
    const meaning = isTrivia ? (isBrokenLine ? "~~" : "~") : named === "" ? "!" : `:${named}`;
    lexemes.push(decoder.decode(bytes.subarray(at, end)).replace(/\s/g, "_") + meaning);
    at = end;
  }
  return lexemes.join(" ");
}

describe("buildLexer: the lexer of a script grammar", () => {
  const { lex, issues } = buildLexer(script.lexical, script.terminals);
  const cases: readonly (readonly [mode: string, text: string, lexemes: string])[] = [
    ["main", "if iffy", 'if:"if" _~ iffy:Name'],
    ["main", "of", 'of:"of"|Name'],
    ["main", "enum enums", "enum! _~ enums:Name"],
    ["main", "==== =", '===:"===" =:"=" _~ =:"="'],
    ["main", "0x1 0x1f 1.5 1.a", "0x1:Hex _~ 0x1f:Hex _~ 1.5:Number _~ 1:Number ?"],
    ["main", "?5?.", '?5:"?"+Number ?.:"?."'],
    ["main", "naïve 变量𝒳1", "naïve:Name _~ 变量𝒳1:Name"],
    ["main", '"𝒳"', '"𝒳":Text'],
    ["main", '"a\nb', "?"],
    ["main", " \n x", "___~~ x:Name"],
    ["main", "\u2028x", "_~~ x:Name"],
    ["main", "/* a *//**//*\n*/", "/*_a_*/~ /**/~ /*_*/~~"],
    ["main", "/* a\n", "/*_a_!"],
    ["main", "a /b/ c", 'a:Name _~ /:"/" b:Name /:"/" _~ c:Name'],
    ["regexp", "/b/ /**/ /", "/b/:RegExp _~ /**/~ _~ ?"],
    // A reserved word is no word, even where the mode does not look for it.
    ["regexp", "else if", 'else! _~ if:"if"'],
    ["close", "*/if", '*/:"*/" if!'],
    ["close", "of x", "of:Name ?"],
  ];
  for (const [mode, text, lexemes] of cases) {
    test(`${mode}: ${JSON.stringify(text)}`, () => {
      expect(lexemesOf(lex!, script.terminals, mode, text)).toBe(lexemes);
    });
  }

  test("reports a token that always loses to others", () => {
    expect(issues.map(({ code, severity, message }) => [code, severity, message.split(" ")[0]])).toEqual([
      ["never-matched", "error", "Late"],
    ]);
  });

  test("shares states between modes", () => {
    const stateBehind = (mode: number, text: string) =>
      new Lexer(lex!).longestMatch(mode, encoder.encode(text), 0, text.length).state;
    for (const text of ["something", '"anything', "if", "0x"]) expect(stateBehind(0, text)).toBe(stateBehind(1, text));
    expect(stateBehind(0, "/")).not.toBe(stateBehind(1, "/"));
    expect(new Set(lex!.modes.map((mode) => mode.start)).size).toBe(3);
  });

  test("prefers letters in shortest lexemes", () => {
    const shortest = script.terminals.map((name, i) => [name, decoder.decode(lex!.shortest[i])]);
    expect(Object.fromEntries(shortest)).toMatchObject({
      '"if"': "if",
      '"?"': "?",
      '"of"': "of",
      Name: "a",
      Number: "0",
      Hex: "0xa",
      RegExp: "/a/",
      Text: '""',
      end: "",
    });
  });

  test("modes list the terminals that they can match", () => {
    const missing = lex!.modes.map((mode) => script.terminals.filter((_, i) => mode.terminals[i] === 0));
    expect(missing.slice(0, 2)).toEqual([
      ["end", "Late", "RegExp", '"*/"'],
      ["end", "Late", '"else"', '"/"', '"*/"'],
    ]);
  });
});

const lexical: LexicalSource = { tokens: [], reserved: [], modes: [], virtuals: [], newline };
const token = (name: string, pattern: string, rest: Partial<TokenRule> = {}): TokenRule => ({
  name,
  pattern: patternOf(pattern),
  kind: "token",
  ...rest,
});

describe("buildLexer reports", () => {
  const cases: readonly (readonly [code: string, about: string, source: Partial<LexicalSource>, terminals: string])[] =
    [
      ["empty-lexeme", "A", { tokens: [token("A", "a*")] }, "A"],
      ["empty-lexeme", '""', {}, '""'],
      ["never-matched", "B", { tokens: [token("A", "[ab]"), token("B", "a|b")] }, "A B"],
      ["never-matched", "A", { tokens: [token("A", "if")] }, 'A "if"'],
      ["never-matched", "A", { tokens: [token("A", "[]")] }, "A"],
      ["in-no-mode", "A", { tokens: [token("A", "a")], modes: [{ name: "m", members: [] }] }, "A"],
      ["in-no-mode", '"a"', { modes: [{ name: "m", members: [] }] }, '"a"'],
      ["unknown-name", "B", { modes: [{ name: "m", members: ["B"] }] }, ""],
      ["reserved-no-word", '"if"', { reserved: ["if"] }, '"if"'],
      ["reserved-no-word", '"+"', { tokens: [token("A", "a")], word: "A", reserved: ["+"] }, 'A "+"'],
      ["newline-not-characters", "newline", { newline: patternOf("\\r\\n") }, ""],
      ["too-many-states", "too many states", { tokens: [token("A", "(a|b)*a(a|b){20}")] }, "A"],
      ["too-many-states", "too many states", { tokens: [token("A", "((a{1000}){1000}){1000}")] }, "A"],
    ];
  for (const [code, about, source, terminals] of cases) {
    test(`${code}: ${about}`, () => {
      const { lex, issues } = buildLexer({ ...lexical, ...source }, `end ${terminals}`.trim().split(" "));
      expect(issues.map((issue) => issue.code)).toEqual([code]);
      expect(issues[0]!.message).toContain(about);
      expect(lex === undefined).toBe(code === "too-many-states");
    });
  }
});

test("buildLexer makes one mode of all tokens for a grammar without modes", () => {
  const { lex } = buildLexer({ ...lexical, tokens: [token("A", "a")] }, ["end", "A", '"b"', "Virtual"]);
  expect(lex!.modes.map(({ name, terminals }) => [name, [...terminals]])).toEqual([["main", [0, 1, 1, 0]]]);
});

const anyTokens = fc
  .array(fc.tuple(anyPattern, fc.constantFrom("token", "trivia", "never")), { minLength: 1, maxLength: 4 })
  .map((all) =>
    all.map(([pattern, kind], i): TokenRule => ({ name: `T${i}`, pattern, kind: kind as TokenRule["kind"] })),
  );
const anyLiterals = fc.uniqueArray(
  anySomeText.filter((text) => text !== ""),
  { maxLength: 3 },
);

test("law: the longest match wins, then the first token, and line breaks in trivia are known", () => {
  let [matched, brokenLines] = [0, 0];
  fc.assert(
    fc.property(anyTokens, anyLiterals, fc.array(anySomeText, { maxLength: 10 }), (tokens, literals, texts) => {
      const terminals = ["end", ...literals.map((text) => JSON.stringify(text)), ...tokens.map(({ name }) => name)];
      const { lex } = buildLexer({ ...lexical, tokens }, terminals);
      const lexer = new Lexer(lex!);
      for (const text of texts) {
        const bytes = encoder.encode(text);
        const { kind, end, match, isBrokenLine } = lexer.longestMatch(0, bytes, 0, bytes.length);
        const found = expectedMatch(tokens, literals, text);
        expect([text, end]).toEqual([text, encoder.encode(found.lexeme).length]);
        expect(kind === "none" || (kind === "open" && match === 0)).toBe(found.lexeme === "");
        if (found.lexeme === "") continue;
        const { isTrivia, readings } = lex!.matches[match]!;
        expect([text, isTrivia]).toEqual([text, found.isTrivia]);
        expect(readings.map(([terminal]) => terminals[terminal!])).toEqual(found.terminal);
        const hasLineBreak = isTrivia && /[\n\r]/.test(found.lexeme);
        expect(isTrivia && isBrokenLine).toBe(hasLineBreak);
        matched += 1;
        if (hasLineBreak) brokenLines += 1;
      }
    }),
    { numRuns: 500 },
  );
  expect(matched).toBeGreaterThan(200);
  expect(brokenLines).toBeGreaterThan(3);
});

/** The longest match at the start of `text`, by trying all. */
function expectedMatch(tokens: readonly TokenRule[], literals: readonly string[], text: string) {
  const characters = Array.from(text);
  for (let length = characters.length; length > 0; length--) {
    const lexeme = characters.slice(0, length).join("");
    if (literals.includes(lexeme)) return { lexeme, isTrivia: false, terminal: [JSON.stringify(lexeme)] };
    const rule = tokens.find(({ pattern }) => new RegExp(`^(?:${printPattern(pattern)})$`, "u").test(lexeme));
    if (rule === undefined) continue;
    return { lexeme, isTrivia: rule.kind === "trivia", terminal: rule.kind === "token" ? [rule.name] : [] };
  }
  return { lexeme: "", isTrivia: false, terminal: [] };
}

test("law: a shortest lexeme is read as its terminal, and no lexeme is shorter", () => {
  const short = someCharacters.flatMap((a) => [a, ...someCharacters.map((b) => a + b)]);
  let read = 0;
  fc.assert(
    fc.property(anyTokens, (tokens) => {
      const terminals = ["end", ...tokens.map(({ name }) => name)];
      const { lex } = buildLexer({ ...lexical, tokens }, terminals);
      const lexer = new Lexer(lex!);
      const isReadAs = (bytes: Uint8Array, terminal: number) => {
        const { end, match } = lexer.longestMatch(0, bytes, 0, bytes.length);
        return end === bytes.length && lex!.matches[match]!.readings.some((reading) => reading[0] === terminal);
      };
      for (const terminal of terminals.keys()) {
        const shortest = lex!.shortest[terminal]!;
        expect(shortest.length > 0).toBe(lex!.modes[0]!.terminals[terminal] === 1);
        if (shortest.length === 0) continue;
        expect(isReadAs(shortest, terminal)).toBe(true);
        const shorter = short.map((text) => encoder.encode(text)).filter((bytes) => bytes.length < shortest.length);
        expect(shorter.some((bytes) => isReadAs(bytes, terminal))).toBe(false);
        read += 1;
      }
    }),
  );
  expect(read).toBeGreaterThan(20);
});
