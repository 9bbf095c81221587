import { describe, expect, test } from "vitest";
import { compileText } from "../fixtures/compile-text.ts";
import { openHole } from "./fill-session.ts";
import { recognise } from "./recognise.ts";

const grammar = compileText(`
token Name   = /[a-z]+/
token Number = /[0-9]+/
token RegExp = /\\/[^\\/ \\n]+\\//
trivia Space = /[ \\n]+/
word Name
mode main
mode regexp = main - "/" + RegExp
insert Asi = newline | next end
Text      = Statement*
Statement = Name ("/" Name)* End | Name "of" Number End | "let" Name "=" Number End | RegExp End
End       = ";" | Asi
`);

describe("recognise inserts a terminal exactly where a reading can't take the next lexeme without it", () => {
  // With a hole at the mark the first lexeme behind it is judged as without one.
  const cases: readonly (readonly [text: string, kind: string])[] = [
    ["a‸⏎b", "whole"],
    ["a‸ b;", "refused"],
    ["a‸⏎of 1", "whole"],
    // The lexeme can be taken as a keyword, so it is no name of a new statement.
    ["a‸⏎of⏎b;", "refused"],
    // It can be taken in another mode, so no regular expression begins.
    ["a‸⏎/b/", "unfinished"],
    ["a‸;/b/", "whole"],
    // One way takes a name behind the keyword, the other ends a statement behind the name.
    ["let‸⏎x", "whole"],
    ["let‸⏎x = 1", "whole"],
  ];
  for (const [text, kind] of cases) {
    test(`${text}: ${kind}`, () => {
      const [before = "", behind = ""] = text.replaceAll("⏎", "\n").split("‸");
      expect(recognise(grammar, new TextEncoder().encode(before + behind)).kind).toBe(kind);
      const opening = openHole(grammar, { before, behind });
      expect(opening.kind === "open" && opening.hole.canStop(opening.hole.empty)).toBe(kind === "whole");
    });
  }
});
