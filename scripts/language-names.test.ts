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

/** The comparisons with the id of a language in a source, as `line: text`, lines from 1. */
function comparisonsIn(text: string): string[] {
  const found: string[] = [];
  const isId = (node: Node) => node.type === "Literal" && ids.has(String(node["value"]));
  const report = ({ start, end }: Node) =>
    found.push(`${text.slice(0, start).split("\n").length}: ${text.slice(start, end)}`);
  const visit = (node: Node): void => {
    if (node.type === "BinaryExpression" && /^[!=]==?$/.test(String(node["operator"]))) {
      const sides = [node["left"], node["right"]] as [Node, Node];
      const other = isId(sides[0]) ? sides[1] : isId(sides[1]) ? sides[0] : undefined;
      if (other !== undefined && holder.test(text.slice(other.start, other.end))) report(node);
    } else if (node.type === "SwitchStatement") {
      const { start, end } = node["discriminant"] as Node;
      const labels = (node["cases"] as Node[]).map((one) => one["test"] as Node | null).filter((one) => one !== null);
      if (holder.test(text.slice(start, end))) labels.filter(isId).forEach(report);
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(parseSync("source.ts", text).program as unknown as Node);
  return found;
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

test("no source compares with the id of a language", () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const files = execFileSync("git", ["ls-files", "src"], { cwd: root, encoding: "utf8" }).split("\n");
  const sources = files.filter((path) => path.endsWith(".ts") && !/\.(test|laws)\.ts$|\/fixtures\//.test(path));
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((path) =>
    comparisonsIn(readFileSync(join(root, path), "utf8")).map((one) => `${path}:${one}`),
  );
  expect(found).toEqual([]);
});
