import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { disk } from "../workspace/node/index.ts";
import { loadConfig } from "./load-config.ts";

let root: string;

beforeEach(async () => {
  root = (await mkdtemp(join(tmpdir(), "emend-config-"))).replaceAll("\\", "/");
});

afterEach(async () => {
  removeFolder(root);
});

async function load(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  const options = { root, userFolder: `${root}/none`, environment: {}, fileSystem: disk, isTrusted: true };
  const { config, issues } = await loadConfig(options);
  return { maxLines: config.complete.maxLines, messages: issues.map(({ message }) => message) };
}

const settings = "{ complete: { maxLines: 2 + 1 } }";

test.each([
  ["emend.config.mjs", `export default ${settings};`],
  ["emend.config.js", `module.exports = ${settings};`],
  ["emend.config.ts", `const lines: number = 3;\nexport default { complete: { maxLines: lines } } satisfies object;`],
  ["emend.config.ts", `enum Lines { few = 3 }\nexport default { complete: { maxLines: Lines.few } };`],
])("%s is run: %s", async (name, text) => {
  expect(await load({ [name]: text })).toEqual({ maxLines: 3, messages: [] });
  expect(await readdir(root)).toEqual([name]);
});

test("a configuration file with code can import other files, also in TypeScript", async () => {
  const files = { "lines.ts": "export const lines: number = 3;" };
  const text = 'import { lines } from "./lines.ts";\nexport default { complete: { maxLines: lines } };';
  expect(await load({ ...files, "emend.config.ts": text })).toEqual({ maxLines: 3, messages: [] });
});

test.each([
  ["emend.config.mjs", "export default"],
  ["emend.config.js", "module.exports ="],
  ["emend.config.ts", "export default"],
])("a file that has changed is run anew: %s", async (name, front) => {
  expect((await load({ [name]: `${front} { complete: { maxLines: 3 } };` })).maxLines).toBe(3);
  expect((await load({ [name]: `${front} { complete: { maxLines: 4 } };` })).maxLines).toBe(4);
});

test.each(["mjs", "ts"])("a configuration file that fails to run is reported: %s", async (ending) => {
  const name = `emend.config.${ending}`;
  const { maxLines, messages } = await load({ [name]: "throw new Error('not today');" });
  expect(maxLines).toBe(16);
  expect(messages).toEqual([`${join(root, name)} does not run: not today. Its settings are ignored.`]);
  expect((await load({ [name]: "// Mine.\nexport default {" })).messages[0]).toMatch(
    /^\S*emend\.config\.\w+:2 does not run: ParseError: .*\S\. Its settings are ignored\.$/,
  );
});
