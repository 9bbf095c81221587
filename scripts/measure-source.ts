/**
 * Measures how the sources read: `npm run measure:source`. Prints a table; `--json FILE` writes the
 * figures, `--list NAME` prints what one of them counts. Needs a built `dist`.
 */

import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";
import { type Measure, measureExports, textOf, tracked } from "./measure-exports.ts";

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

/** The lines of a source without those that are blank or contain only comments. */
function codeLines(path: string): number {
  const text = textOf(path);
  let code = text;
  for (const { start, end } of parseSync(path, text).comments)
    code = code.slice(0, start) + code.slice(start, end).replaceAll(/[^\n]/g, " ") + code.slice(end);
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

function filesPerFolder(): readonly (readonly [folder: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
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
    {
      name: "code lines",
      figure: sources.reduce((sum, path) => sum + codeLines(path), 0),
      bar: "≤ 101,398",
      items: [],
    },
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
