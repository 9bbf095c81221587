// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of other languages.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageById, languageOf, languages, plaintext } from "../languages/index.ts";
import { fixtures } from "./node/fixtures/read-fixtures.ts";
import { Structure } from "./structure.ts";

/**
 * The context of a cursor `|`: the brackets open before it, those closed after it, and the kind of
 * text that it is in.
 */
function around(language: string, marked: string): string {
  const at = marked.indexOf("|");
  const structure = Structure.of(marked.slice(0, at) + marked.slice(at + 1), languageById(language)!);
  const brackets = (list: readonly { readonly text: string }[]) => list.map(({ text }) => text).join("");
  const region = structure.regionAt(at)?.kind ?? "code";
  expect(structure.isInsideString(at)).toBe(region === "string");
  expect(structure.isInsideComment(at)).toBe(region === "comment");
  return `${brackets(structure.openersBefore(at))}|${brackets(structure.closersAfter(at))} ${region}`;
}

describe("a cursor sees", () => {
  const cases: readonly (readonly [language: string, marked: string, expected: string])[] = [
    ["typescript", "|", "| code"],
    ["typescript", "f(a, [|", "([| code"],
    ["typescript", "f(a, [|])", "([|]) code"],
    ["typescript", "f(a)|)", "|) code"],
    ["typescript", "{ f(|}", "{(|} code"],
    ["typescript", "{ f( } |", "| code"],
    ["typescript", "[ ) |]", "[|] code"],
    // Comments and strings.
    ["typescript", "f( // (|", "(| comment"],
    ["typescript", "f( // (\n|", "(| code"],
    ["typescript", "/* ( | */ )", "|) comment"],
    ["typescript", "/* ( */|", "| code"],
    ["typescript", "/* ( |", "| comment"],
    ["typescript", "|'(' ", "| code"],
    ["typescript", "'(|' ", "| string"],
    ["typescript", "'('| ", "| code"],
    ["typescript", "'(|\n)", "|) string"],
    ["typescript", "'\\'(|'", "| string"],
    ["typescript", "'a \\\n(|'", "| string"],
    ["typescript", "'a \\\r\n(|'", "| string"],
    ["typescript", "`(${f(|)})`", "{(|)} code"],
    ["typescript", "`(${f(`[${|}]`)})`", "{({|})} code"],
    ["typescript", "`a ${b} (|", "| string"],
    ["typescript", "`${{ a: `}` }}|`", "| string"],
    // Regular expressions or divisions.
    ["typescript", "x = /[/(]\\//g; (|", "(| code"],
    ["typescript", "x = /(|/", "| regex"],
    ["typescript", "a / b(|) / c", "(|) code"],
    ["typescript", "f(a) / g(|) / 2", "(|) code"],
    ["typescript", "if (a) /(/.test(|)", "(|) code"],
    ["typescript", "return /(/ + (|", "(| code"],
    ["typescript", "a.return / (|) / 2", "(|) code"],
    ["typescript", "i++ / (|) / 2", "(|) code"],
    ["typescript", "a! / (|) / 2", "(|) code"],
    ["typescript", "a /* = */ / (|) / 2", "(|) code"],
    ["typescript", "x = 1 /(\n|", "(| code"],
    // Elements.
    ["typescriptreact", "f(<p>it's (|</p>)", "(|) text"],
    ["typescriptreact", "f(<p a={b(|)}>(</p>)", "({(|)}) code"],
    ["typescriptreact", "f(<p>{(|)} don't</p>)", "({(|)}) code"],
    ["typescriptreact", "f(<><A.B x='(' />|</>)", "(|) text"],
    ["typescriptreact", "f(a < b, (|c) > d)", "((|)) code"],
    ["typescriptreact", "const f = <T,>(a: T) => g(|)", "(|) code"],
    ["typescriptreact", "type F = <T>(a: T) => { b: (|) }", "{(|)} code"],
    ["typescriptreact", "f(<A<B<C>> b={|} />)", "({|}) code"],
    ["typescriptreact", "function A() {\n  return (\n    <p>it|\n  );\n}", "{(|)} text"],
    ["typescriptreact", "function A() {\n  return <p>{b}\n}\n(|", "(| code"],
    ["typescript", "const a = <T>(b); (|", "(| code"],
    // Python.
    ["python", "f('''(\n|''')", "(|) string"],
    ["python", "x = rb'\\'(|'", "| string"],
    ["python", "f'{a['(']}{|}'", "{|} code"],
    ["python", "f'{{(|}}'", "| string"],
    ["python", "f'{a:#x}(|'", "| string"],
    ["python", "f'{a\n(|", "(| code"],
    ["python", "x = 'a # (|'", "| string"],
    ["python", "x = 1 # '(|", "| comment"],
    // Rust.
    ["rust", "fn f<'a>(x: &'a str, c: char) { '(' ; '\\'' ; (|", "{(| code"],
    ["rust", 'r#"(" |"# )', "|) string"],
    ["rust", "/* ( /* ( */ | */ )", "|) comment"],
    ["rust", "'outer: loop { (|", "{(| code"],
    // The C family.
    ["c", "'(' + '\\'' + (|", "(| code"],
    ["cpp", "1'000'000 + (|", "(| code"],
    ["cpp", 'R"x()" (|)x" )', "|) string"],
    ["cpp", "u8'(' + L'(' + (|", "(| code"],
    ["java", '"""\n("|\n""" + (', "| string"],
    ["csharp", '@"\\" + (|', "(| code"],
    ["csharp", '@"""(|"', "| string"],
    ["csharp", '$"{a[|]} {{("', "{[|]} code"],
    ["csharp", '"""" """( """" + (|', "(| code"],
    ["csharp", '$$"""{ {{a(|)}} """', "{(|)} code"],
    ["go", "`(\\` + (|", "(| code"],
    ["kotlin", '"""${f(|)}"""', "{(|)} code"],
    ["swift", '"\\(f(|)) ("', "((|)) code"],
    ["dart", "'${f(|)} ('", "{(|)} code"],
    // Ruby.
    ["ruby", "a = %w[( ( ] + [|", "[| code"],
    ["ruby", "a % (|b)", "(|) code"],
    ["ruby", 'x "a #{b(|)} ("', "{(|)} code"],
    ["ruby", "f(<<~A, [|\n  (\nA\n)", "([|) code"],
    ["ruby", "f(<<~A, 1\n  (|\nA\n)", "(|) string"],
    ["ruby", "class A\n  class << self; (|\nend", "(| code"],
    ["ruby", "a.size / 2 + (|) / 2", "(|) code"],
    ["ruby", "puts /(/ if x(|", "(| code"],
    ["ruby", "x\n=begin\n(|\n=end\n", "| comment"],
    ["ruby", 'putc(?") + (|', "(| code"],
    ["ruby", "a.empty?(|)", "(|) code"],
    // Shells.
    ["shellscript", "f() { echo ${#a} (|", "{(| code"],
    ["shellscript", 'echo "${a:-it\'s"("}" $(|)', "(|) code"],
    ["shellscript", 'echo "a $(b "$(|)") ("', "((|)) code"],
    ["shellscript", "cat <<A; (|\n((\nA\n)", "(|) code"],
    ["shellscript", "cat <<A\n((|\nA\n", "| string"],
    ["shellscript", "x=$((1 << n)) (|", "(| code"],
    ["shellscript", "cat <<< it; (|", "(| code"],
    ["shellscript", "case $a in\n b) (|) ;;\nesac", "(|) code"],
    ["shellscript", "x=$(case $a in (b) c;; d) e;; esac) (|", "(| code"],
    ["shellscript", "a=b#c(|", "(| code"],
    // PHP and tags.
    ["php", "it's ( <?php f(|) ?> (", "(|) code"],
    ["php", "<p>(|</p><?php f() ?>", "| text"],
    ["php", "<?php // ( ?> ( <?php (|", "(| code"],
    ["php", "<?php if (a) { ?> (<br> <?php |}", "{|} code"],
    ["php", '<?php "{$a[|]} ("', "{[|]} code"],
    ["php", "<?php #[A(|)]", "[(|)] code"],
    ["php", "<?php f(<<<A\n  (|\n  A);", "(|) string"],
    ["html", "<p class='>(|'>", "<|> string"],
    ["html", "<p>it's > 1 (|</p>", "| text"],
    ["html", "<p>|</p>", "| text"],
    ["html", "<p |>", "<|> code"],
    ["html", "<!-- <p> | --> <", "| comment"],
    ["html", "<script>f(|)</script>", "(|) code"],
    ["html", "<script>f('(</script><b|>", "<|> code"],
    ["html", "<script type='text/template'>(|</script>", "| text"],
    ["html", "<style>a { b: '('; |}</style>", "{|} code"],
    ["html", "<p <b|>", "<|> code"],
    ["vue", '<script lang="ts">const a = <T>(|b)</script>', "(|) code"],
    // The rest.
    ["css", "a { b: url(data:x;(); c: '(|'", "{| string"],
    ["scss", "a { b: c; // (|", "{| comment"],
    ["json", '{"a": ["(|"]}', "{[|]} string"],
    ["sql", "f('it''s (|') -- (", "(|) string"],
    ["lua", "--[[ ( \n ]] [[ (|]]", "| string"],
    ["yaml", "a: it's [|] # (", "[|] code"],
    ["toml", "a = '\\' # (|", "| comment"],
    ["haskell", "x' = f (|) {- {- ( -} -}", "(|) code"],
    ["markdown", "it's (|)", "(|) code"],
    ["plaintext", "(|", "| code"],
  ];
  for (const [language, marked, expected] of cases) {
    test(`${language}: ${JSON.stringify(marked)}`, () => expect(around(language, marked)).toBe(expected));
  }
});

describe("in a text that its parser accepts, every bracket has its partner", () => {
  for (const { name, language, text } of fixtures) {
    test(name, () => {
      for (const variant of [text, text.replaceAll("\n", "\r\n")]) {
        expect(Structure.of(variant, languageById(language)!).unmatched).toEqual([]);
      }
    });
  }

  test("the sources of this repository have no unmatched bracket", () => {
    const root = new URL("../", import.meta.url);
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!/\.(ts|tsx|json)$/.test(name)) continue;
      const text = readFileSync(new URL(name.replaceAll("\\", "/"), root), "utf8");
      expect({ name, unmatched: Structure.of(text, languageOf(name)).unmatched }).toEqual({ name, unmatched: [] });
    }
  });
});

describe("laws for any text in any language", () => {
  const piece = fc.oneof(
    fc.constantFrom("(", ")", "[", "]", "{", "}", "<", ">", '"', "'", "`", "/", "\\", "#", "$", "${", "%w[", "=", "?>"),
    fc.constantFrom(
      "\n",
      "\r\n",
      " ",
      "a",
      "f",
      "R",
      "case x in ",
      "esac",
      "<<A",
      "A",
      "//",
      "/*",
      "*/",
      "<!--",
      "-->",
      "<?php ",
    ),
    fc.constantFrom("<p>", "</p>", "<script>", "</script>", '"""', "'''", "return ", "😀", "@", "$$", ":", ";", ","),
  );
  const anyText = fc.array(piece, { maxLength: 60, size: "max" }).map((pieces) => pieces.join(""));
  const anyLanguage = fc.constantFrom(...languages);

  test("brackets are paired, regions do not overlap, and no bracket is inside a region", () => {
    let withPairs = 0;
    fc.assert(
      fc.property(anyLanguage, anyText, (language, text) => {
        const structure = Structure.of(text, language);
        const paired = structure.brackets.filter(({ partner }) => partner !== undefined);
        const back = paired.map(({ partner }) => structure.bracketAt(partner!)?.partner);
        expect(back).toEqual(paired.map(({ offset }) => offset));
        if (paired.length > 0) withPairs += 1;
        let last = 0;
        for (const { start, end } of structure.regions) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(structure.brackets.filter(({ offset }) => start <= offset && offset < end)).toEqual([]);
          last = end;
        }
      }),
    );
    expect(withPairs).toBeGreaterThan(6);
  });

  test("openersBefore returns the brackets of a stack in code without literals", () => {
    const code = fc.array(fc.constantFrom(..."()[]{}a\n"), { maxLength: 40 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(code, fc.nat({ max: 40 }), (text, at) => {
        const offset = Math.min(at, text.length);
        const structure = Structure.of(text, languageById("go")!);
        const open: string[] = [];
        for (const character of text.slice(0, offset)) {
          const opener = { ")": "(", "]": "[", "}": "{" }[character];
          if ("([{".includes(character)) open.push(character);
          else if (opener !== undefined && open.includes(opener)) open.length = open.lastIndexOf(opener);
        }
        expect(structure.openersBefore(offset).map((bracket) => bracket.text)).toEqual(open);
        for (const closer of structure.closersAfter(offset)) {
          expect(closer.offset).toBeGreaterThanOrEqual(offset);
          expect(closer.partner ?? -1).toBeLessThan(offset);
        }
      }),
    );
  });

  test("a text of one hundred thousand brackets does not overflow the call stack", () => {
    const text = "(".repeat(50_000) + ")".repeat(50_000);
    expect(Structure.of(text, languageById("go")!).openersBefore(50_000)).toHaveLength(50_000);
    expect(Structure.of(text, plaintext).brackets).toEqual([]);
  });
});
