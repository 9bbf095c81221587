import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { browser, hasBrowser, inBrowser } from "./fixtures/browser.ts";
import { buildPackage, repository } from "./fixtures/run-cli.ts";

beforeAll(buildPackage, 180_000);

/** Runs a module in a browser, with the built package beside it. */
function ask(code: string): Promise<unknown> {
  return inBrowser(browser!, join(repository, "dist"), code);
}

describe.runIf(hasBrowser())("in a browser", () => {
  test("fills a hole in TypeScript by fetched tables", async () => {
    const code = `
      import { HoleGuide, openHole, unpackGrammar } from "/grammar/index.js";
      const response = await fetch("/grammar/languages/typescript.bin");
      const tables = new Uint8Array(await response.arrayBuffer());
      const text = { before: "function foo(): number {\\n  return ", behind: "\\n}\\n" };
      const { kind, hole } = openHole(unpackGrammar(tables), text);
      const guide = new HoleGuide(hole);
      answer([kind, guide.allows("[1, "), guide.allows("}}"), guide.mayEnd("[1]"), guide.ending("[1, (2")]);
    `;
    expect(await ask(code)).toEqual(["open", true, false, true, ")]"]);
  });

  test("masks tokens of a model", async () => {
    const code = `
      import { openHole, TokenMasker, unpackGrammar, Vocabulary } from "/grammar/index.js";
      const response = await fetch("/grammar/languages/json.bin");
      const grammar = unpackGrammar(new Uint8Array(await response.arrayBuffer()));
      const tokens = ["1", ",", "]", "[", '"', '"a"'].map((text, id) => ({ id, text }));
      const { hole } = openHole(grammar, { before: "[", behind: ", 2]" });
      const masker = new TokenMasker(hole, new Vocabulary(tokens, { end: [6] }));
      const mask = masker.mask();
      answer(tokens.filter(({ id }) => (mask[id >>> 5] >>> (id & 31)) & 1).map(({ text }) => text));
    `;
    expect(await ask(code)).toEqual(["1", "[", '"', '"a"']);
  });

  test("reports an error in a page", async () => {
    await expect(ask('throw new Error("so it is");')).rejects.toThrow("so it is");
    await expect(ask('import "/grammar/nothing.js";')).rejects.toThrow();
  });
});
