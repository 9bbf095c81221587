import { describe, expect, test } from "vitest";
import { parseGrammar } from "../notations/emend-notation.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import { openHole } from "./fill-session.ts";
import { recognise } from "./recognise.ts";

const encoder = new TextEncoder();

describe("row 40: recognise: the longest token wins in a grammar of our notation", () => {
  const { compiled } = compileGrammar(parseGrammar('token Number = /[+-]?[0-9]+/\nSum = Number % "+"\n').grammar!);

  test.each<[string, unknown]>([
    ["1+2", { kind: "refused", offset: 1 }],
    ["1-2", { kind: "refused", offset: 1 }],
    ["+1+2", { kind: "refused", offset: 2 }],
    ["1+", { kind: "unfinished" }],
    ["1++2", { kind: "whole" }],
    ["1", { kind: "whole" }],
    ["", { kind: "unfinished" }],
  ])("row 40: %j is judged as expected", (text, verdict) => {
    expect(recognise(compiled!, encoder.encode(text))).toEqual(verdict);
  });

  test("row 40: openHole behind a refused text reports a dead prefix", () => {
    expect(openHole(compiled!, { before: "1+2", behind: "" })).toEqual({ kind: "dead-prefix", offset: 1 });
    expect(openHole(compiled!, { before: "1+", behind: "+2" }).kind).toBe("open");
  });
});
