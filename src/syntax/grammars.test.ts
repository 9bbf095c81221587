import { expect, onTestFinished, test, vi } from "vitest";
import { Language as WasmGrammar } from "web-tree-sitter";
import { languages } from "../languages/index.ts";
import type { EmendError } from "../text/errors.ts";
import { type GrammarSource, Grammars } from "./grammars.ts";
import { readGrammar } from "./node/open-syntax.ts";

const grammarNames = [...new Set(languages.flatMap(({ grammar }) => grammar ?? []))];
const grammarsOnDisk = { readGrammar };

function opened(source: GrammarSource): Grammars {
  const grammars = new Grammars(source);
  onTestFinished(() => grammars[Symbol.dispose]());
  return grammars;
}

test("grammars that two owners request at once are loaded one after another", async () => {
  let underWay = 0;
  let most = 0;
  const load = WasmGrammar.load.bind(WasmGrammar);
  const spy = vi.spyOn(WasmGrammar, "load").mockImplementation(async (bytes) => {
    underWay += 1;
    most = Math.max(most, underWay);
    const grammar = await load(bytes);
    underWay -= 1;
    return grammar;
  });
  try {
    const first = opened(grammarsOnDisk);
    const second = opened(grammarsOnDisk);
    const parsers = await Promise.all(
      [first, second].flatMap((grammars) => grammarNames.map((name) => grammars.load(name))),
    );
    expect(parsers.map((parser) => parser.language)).not.toContain(null);
    expect(most).toBe(1);
  } finally {
    spy.mockRestore();
  }
});

test("a grammar that cannot be read rejects with the reason, and the next one loads", async () => {
  const grammars = opened({
    readGrammar: async (name) => {
      if (name === "python") return new Uint8Array([1, 2, 3, 4]);
      return grammarsOnDisk.readGrammar(name);
    },
  });
  const [python, json] = await Promise.allSettled([grammars.load("python"), grammars.load("json")]);
  expect((python as PromiseRejectedResult).reason as EmendError).toMatchObject({
    code: "grammar-unreadable",
    message: expect.stringMatching(/^The grammar python could not be loaded: .+/),
  });
  expect(json.status).toBe("fulfilled");
});
