import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { buildPackage, repository } from "./fixtures/run-cli.ts";

const runner = fileURLToPath(new URL("./fixtures/run-in-page.mjs", import.meta.url));
const grammars = join(repository, "dist/grammar");

beforeAll(buildPackage, 180_000);

/**
 * Runs a module in a page, with the room of grammars as "room" and a packed grammar as `bytes`;
 * what it exports as `answer`.
 */
async function inPage(language: string, code: string): Promise<unknown> {
  const packed = join(grammars, "languages", `${language}.bin`);
  const args = ["--no-warnings", "--experimental-vm-modules", runner, join(grammars, "index.js"), packed, code];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

test("a hole is filled without modules of Node", async () => {
  const code = `
    import { HoleGuide, openHole, unpackGrammar } from "room";
    const opening = openHole(unpackGrammar(bytes), { before: '{"a": [1, ', behind: "}" });
    const guide = new HoleGuide(opening.hole);
    export const answer = [typeof process, opening.kind, guide.allows("2, "), guide.mayEnd("2]"), guide.ending("2, ")];
  `;
  expect(await inPage("json", code)).toEqual(["undefined", "open", true, true, "0]"]);
});

test("a custom grammar is compiled in a page", async () => {
  const code = `
    import { compileGrammar, parseGrammar, recognise } from "room";
    const { grammar } = parseGrammar('grammar zeros\\nS = () | "0" S "1"\\n');
    const { compiled } = compileGrammar(grammar);
    export const answer = ["0011", "001", "10"].map((text) => recognise(compiled, new TextEncoder().encode(text)).kind);
  `;
  expect(await inPage("json", code)).toEqual(["whole", "unfinished", "refused"]);
});

test("fails for something missing in a page", async () => {
  await expect(inPage("json", 'import "node:fs"; export const answer = 1;')).rejects.toThrow("which no page has");
});
