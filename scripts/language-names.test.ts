import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { languages } from "../src/syntax/index.ts";

const ids = new Set(languages.map(({ id }) => id));

/** What holds the id of a language, as it is named in the sources. */
const holder = /\blanguage(Id)?\b|\bid\b|\blanguageOf\b/i;

/** The nodes of a source for which `isFound` holds, as `line: text`, lines from 1. */
function find(text: string, isFound: (node: Node) => readonly Node[]): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    for (const { start, end } of isFound(node)) {
      found.push(`${text.slice(0, start).split("\n").length}: ${text.slice(start, end)}`);
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(parseSync("source.ts", text).program as unknown as Node);
  return found;
}

const isId = (node: Node) => node.type === "Literal" && ids.has(String(node["value"]));

/** The comparisons with the id of a language in a source. */
function comparisonsIn(text: string): string[] {
  return find(text, (node) => {
    if (node.type === "BinaryExpression" && /^[!=]==?$/.test(String(node["operator"]))) {
      const sides = [node["left"], node["right"]] as [Node, Node];
      const other = isId(sides[0]) ? sides[1] : isId(sides[1]) ? sides[0] : undefined;
      return other !== undefined && holder.test(text.slice(other.start, other.end)) ? [node] : [];
    }
    if (node.type !== "SwitchStatement") return [];
    const { start, end } = node["discriminant"] as Node;
    const labels = (node["cases"] as Node[]).map((one) => one["test"] as Node | null).filter((one) => one !== null);
    return holder.test(text.slice(start, end)) ? labels.filter(isId) : [];
  });
}

/** The keys of the tables and lists in a source of which most, and at least three, are ids. */
function tablesIn(text: string): string[] {
  return find(text, (node) => {
    if (node.type !== "ObjectExpression" && node.type !== "ArrayExpression") return [];
    const parts = (node["properties"] ?? node["elements"]) as readonly (Node | null)[];
    const names = parts.flatMap((part) => (part === null ? [] : [(part["key"] ?? part) as Node]));
    const languages = names.filter(
      (name) => isId(name) || (name.type === "Identifier" && ids.has(String(name["name"]))),
    );
    return languages.length > 2 && languages.length * 2 > names.length ? [languages[0]!] : [];
  });
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

test.each<[source: string, ...expected: string[]]>([
  ['const a = language === "python";', '1: language === "python"'],
  ['\nif ("csharp" !== place.language.id) a();', '2: "csharp" !== place.language.id'],
  ['a(languageOf(path).id == "go" ? b : c);', '1: languageOf(path).id == "go"'],
  ['switch (language) {\n  case "klingon":\n  case "rust":\n    a();\n}', '3: "rust"'],
  ['const a = framing === "json" || language === "klingon" || kind === "python";'],
])("the scan finds each comparison with the id of a language in %j", (source, ...expected) => {
  expect(comparisonsIn(source)).toEqual(expected);
});

test.each<[source: string, ...expected: string[]]>([
  ["const a = { python: 1, go: 2, rust: 3 };", "1: python"],
  ['const a = new Set([\n  "c_sharp", "csharp", "java", "php"]);', '2: "csharp"'],
  ["const a = { python, go };"],
  ["const a = { json, html, css, summary, graph, list };"],
])("the scan finds each table and list of languages in %j", (source, ...expected) => {
  expect(tablesIn(source)).toEqual(expected);
});

test.each([
  ["no source compares with the id of a language", comparisonsIn],
  ["no source outside of the records has a table or a list of languages", tablesIn],
])("%s", (_, scan) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const files = execFileSync("git", ["ls-files", "src"], { cwd: root, encoding: "utf8" }).split("\n");
  const sources = files.filter(
    (path) => /^src\/(?!languages\/).*(?<!\.test|\.laws)\.ts$/.test(path) && !path.includes("/fixtures/"),
  );
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((path) => scan(readFileSync(join(root, path), "utf8")).map((one) => `${path}:${one}`));
  expect(found).toEqual([]);
});
