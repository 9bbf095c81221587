/**
 * How the layers of the source import from each other, and what their entries export. Needs a
 * built `dist`.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exportedNames, importsOf, keyOf, layerOf, packageEntries } from "./source-exports.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A figure of the table: what it counts, item by item, and its bar. */
export interface Measure {
  readonly name: string;
  readonly figure: string | number;
  readonly bar: string;
  readonly items: readonly string[];
}

/** Paths of the files that git tracks, relative to the root of the repository. */
export const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter(Boolean);

export const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Code in the fences of a document. */
function codeIn(markdown: string): string {
  const code: string[] = [];
  let isInside = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isInside = !isInside && /^```(?:[jt]sx?|typescript|javascript)\b/.test(line);
    else if (isInside) code.push(line);
  }
  return code.join("\n");
}

/** The figures of exports and imports, each with its items. */
export function measureExports(): readonly Measure[] {
  const entries = tracked.filter((path) => /^src\/.*\/index\.ts$/.test(path) && !path.includes("/fixtures/"));
  const packages = packageEntries(root);
  const exported = exportedNames(root, entries);
  const imports = tracked
    .filter((path) => /\.(?:[cm]?ts|tsx|mjs|md)$/.test(path))
    .flatMap((path) => importsOf(root, path, path.endsWith(".md") ? codeIn(textOf(path)) : textOf(path), packages));
  const pastIndex = imports.filter(
    ({ from, target }) =>
      layerOf(target) !== undefined &&
      layerOf(from) !== layerOf(target) &&
      layerOf(from) !== undefined &&
      !/\.(?:test|laws)\.ts$|\/fixtures\//.test(from) &&
      basename(target) !== "index.ts",
  );
  const used = new Set<string>();
  const use = (key: string) => {
    if (used.has(key)) return;
    used.add(key);
    for (const mentioned of byKey.get(key)?.mentions ?? []) use(mentioned);
  };
  const byKey = new Map(exported.map((one) => [keyOf(one.entry, one.name), one]));
  for (const { from, target, names } of imports) {
    if (!entries.includes(target)) continue;
    const isEntryTest = from.endsWith(".test.ts");
    if (layerOf(from) === layerOf(target) && !isEntryTest && dirname(from) === dirname(target)) continue;
    for (const name of names)
      if (name === "*") for (const one of exported) one.entry === target && use(keyOf(target, one.name));
      else use(keyOf(target, name));
  }
  const unused = exported.filter(({ entry, name }) => !used.has(keyOf(entry, name)));
  const undocumented = exported.filter(({ hasDocstring }) => !hasDocstring);
  const hidden = exported.flatMap(({ entry, name, hidden }) =>
    hidden.map((one) => `${entry}: ${name} mentions ${one}`),
  );
  const share = (100 * (exported.length - undocumented.length)) / exported.length;
  const named = ({ entry, name }: (typeof exported)[number]) => `${entry}: ${name}`;
  return [
    {
      name: "exported names with a docstring",
      figure: `${share.toFixed(1)} % of ${exported.length}`,
      bar: "≥ 97 %",
      items: undocumented.map(named),
    },
    {
      name: "imports past another layer's index",
      figure: pastIndex.length,
      bar: "0",
      items: pastIndex.map(({ from, target }) => `${from}: ${target}`),
    },
    { name: "exports without a user", figure: unused.length, bar: "0", items: unused.map(named) },
    { name: "names that a signature mentions and no entry exports", figure: hidden.length, bar: "0", items: hidden },
  ];
}
