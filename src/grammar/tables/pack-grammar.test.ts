import fc from "fast-check";
import { expect, test } from "vitest";
import { EmendError } from "../../text/index.ts";
import { compileText } from "../fixtures/compile-text.ts";
import { smallGrammars } from "../fixtures/small-languages.ts";
import { compileGrammar } from "./compile-grammar.ts";
import { packGrammar, unpackGrammar } from "./pack-grammar.ts";

const withEverything = compileText(String.raw`
grammar everything
token Name = /[a-z]+/
token Text = /[^<{]+/
trivia Space = /[ \n]+/
never Open = /"[^"]*/
split Pair = /::/ as ":" ":"
word Name
reserved "if"
mode main + "{"
mode text = Text "{"
require SameLine = no newline, next not "if" Name
require Close = glued
insert Stop = newline | next "}" end
layout Line Indent Dedent
suspend "(" ")"
same Name
opening "if a" "( "
Block = Line? (Statement Stop)*
Statement = "if" Name SameLine ":" Indent Statement Dedent | Close "{" Text "}" | Group
Group = "(" Name ")" | Name "=" Name
`);

function codeOf(bytes: Uint8Array): string {
  try {
    unpackGrammar(bytes);
    return "none";
  } catch (error) {
    return error instanceof EmendError ? error.code : String(error);
  }
}

test("unpackGrammar reads what packGrammar wrote", () => {
  expect(unpackGrammar(packGrammar(withEverything))).toEqual(withEverything);
  fc.assert(
    fc.property(smallGrammars, (source) => {
      const { compiled } = compileGrammar(source);
      fc.pre(compiled !== undefined);
      expect(unpackGrammar(packGrammar(compiled))).toEqual(compiled);
    }),
  );
});

test("unpackGrammar refuses other bytes, other versions, and cut or changed bytes", () => {
  const packed = packGrammar(withEverything);
  expect(codeOf(new Uint8Array(0))).toBe("grammar-unknown");
  expect(codeOf(new TextEncoder().encode("{}"))).toBe("grammar-unknown");
  expect(codeOf(packed.with(3, 250))).toBe("grammar-version");
  expect(codeOf(packed.slice(0, 3))).toBe("grammar-version");
  const places = fc.integer({ min: 4, max: packed.length - 1 });
  fc.assert(
    fc.property(places, (at) => {
      expect(codeOf(packed.slice(0, at))).toBe("grammar-cut");
      expect(codeOf(packed.with(at, packed[at]! ^ 1))).toBe("grammar-cut");
    }),
  );
});
