/**
 * Copies what the compiler does not: the grammars' wasm files, each with the licence of the package
 * it comes from, into `dist/syntax/grammars/`. Runs after the compiler, since the list of files is
 * part of the sources.
 */
import { copyFile, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { languages } from "../dist/languages/languages.js";
import { grammarFile } from "../dist/syntax/node/open-syntax.js";

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL("../dist/syntax/grammars/", import.meta.url));

await mkdir(target, { recursive: true });
for (const { grammar } of languages) {
  if (grammar === undefined) continue;
  const file = grammarFile(grammar);
  const source = require.resolve(file);
  const name = dirname(file);
  await copyFile(source, join(target, basename(file)));
  await copyFile(join(dirname(source), "LICENSE"), join(target, `${name}.LICENSE`));
}
