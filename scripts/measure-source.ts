/**
 * Measures how the sources read: `npm run measure:source`. Prints a table; `--json FILE` writes the
 * figures, `--list NAME` prints what one of them counts. Needs a built `dist`.
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { exportedNames, importsOf, keyOf, layerOf, packageEntries } from "./source-exports.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A figure of the table: what it counts, item by item, and its bar. */
interface Measure {
  readonly name: string;
  readonly figure: string | number;
  readonly bar: string;
  readonly items: readonly string[];
}

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Files of `src` that are neither tests nor fixtures, nor a table of contents. */
const sources = tracked.filter(
  (path) =>
    path.startsWith("src/") &&
    path.endsWith(".ts") &&
    !/\.(test|laws|d)\.ts$/.test(path) &&
    !path.includes("/fixtures/") &&
    basename(path) !== "index.ts",
);

function commentLinesWith(words: string): readonly string[] {
  const comment = /^\s*(\/\/|\*|\/\*)/;
  const word = new RegExp(`\\b(${words})\\b`, "i");
  return tracked
    .filter((path) => path.startsWith("src/") && path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) =>
      textOf(path)
        .split("\n")
        .flatMap((line, i) => (comment.test(line) && word.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );
}

function filesPerFolder(): readonly (readonly [folder: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

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

function measureExports(): readonly Measure[] {
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

function measureArchitecture(): readonly Measure[] {
  const lines = textOf("ARCHITECTURE.md").trimEnd().split("\n");
  const prose = lines.filter((line) => !/^\s*\||^```|^\[[^\]]+\]:/.test(line));
  const long = prose.filter((line) => line.length > 100);
  return [
    { name: "ARCHITECTURE.md, lines", figure: lines.length, bar: "≤ 200", items: [] },
    {
      name: "ARCHITECTURE.md, longest line of prose",
      figure: Math.max(...prose.map(({ length }) => length)),
      bar: "≤ 100",
      items: long,
    },
  ];
}

function measureAll(): readonly Measure[] {
  const speech = commentLinesWith("told|whoever|nobody|anew|goes on");
  const more = commentLinesWith("told|whoever|nobody|anew|goes on|says|said|stands|asked|hears");
  const folders = filesPerFolder();
  const crowded = folders.filter(([, count]) => count > 40);
  const inFolder = folders.map(([folder, count]) => `${folder}: ${count}`);
  return [
    { name: "comment lines with words of speech", figure: speech.length, bar: "≤ 60", items: speech },
    { name: "comment lines with more of them", figure: more.length, bar: "≤ 400", items: more },
    { name: "source files", figure: sources.length, bar: "≤ 950", items: inFolder },
    {
      name: "most files in a folder",
      figure: folders[0]![1],
      bar: "≤ 40",
      items: crowded.map(([folder, count]) => `${folder}: ${count}`),
    },
    ...measureExports(),
    ...measureArchitecture(),
  ];
}

const { values } = parseArgs({ options: { json: { type: "string" }, list: { type: "string" } } });
const measures = measureAll();
if (values.list !== undefined) {
  const chosen = measures.find(({ name }) => name === values.list);
  if (chosen === undefined)
    throw new Error(
      `There is no figure "${values.list}". Choose one of: ${measures.map(({ name }) => name).join(", ")}`,
    );
  for (const item of chosen.items) console.log(item);
} else {
  const width = Math.max(...measures.map(({ name }) => name.length));
  for (const { name, figure, bar } of measures)
    console.log(`${name.padEnd(width)}  ${String(figure).padStart(16)}  bar ${bar}`);
}
if (values.json !== undefined)
  writeFileSync(
    values.json,
    `${JSON.stringify(Object.fromEntries(measures.map(({ name, figure }) => [name, figure])), undefined, 2)}\n`,
  );
