/**
 * Refuses regular expressions whose work grows faster than the text:
 * `tsx scripts/lint-patterns.ts`, a part of `npm run lint`.
 *
 * Every pattern of `src`, `web`, `editors` and `scripts` is looked at, but for those of tests and
 * fixtures, which read what we wrote: literals, and what is given to `RegExp` as a text, with a
 * name in the place of what is only known when the code runs. scslre finds repetitions that can
 * share what they match (`\s*,?\s*`), and those that are tried again from each place of a run that
 * they begin in (`\s+$`). `superlinear-texts.ts` finds and measures texts for the rest, such as
 * openers without an end. npm's `recheck` answers the same question, but takes 190 seconds of two
 * cores where these two take 15 of one, and where a time limit ends its search, the answer depends
 * on the machine.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { analyse } from "scslre";
import { boundedPatterns } from "./bounded-patterns.ts";
import { findSuperlinearText } from "./superlinear-texts.ts";

/** A pattern and the place of it; `line` from 1. */
export interface FoundPattern {
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/**
 * Why a pattern may take long; `undefined` where it is linear. Patterns that cannot be read are
 * left to the compiler.
 */
export function superlinearReason({ source, flags }: Pick<FoundPattern, "source" | "flags">): string | undefined {
  // A sticky pattern is tried at one place only.
  const reportTypes = { Move: !flags.includes("y"), Self: true, Trade: true };
  let reports: ReturnType<typeof analyse>["reports"];
  try {
    ({ reports } = analyse({ source, flags }, { reportTypes }));
  } catch {
    return undefined;
  }
  const [first] = reports;
  if (first === undefined) {
    const text = findSuperlinearText({ source, flags });
    return text && `it takes more than linear time on ${text}`;
  }
  const quantifiers = first.type === "Trade" ? `${first.startQuant.raw} and ${first.endQuant.raw}` : first.quant.raw;
  if (first.type === "Move") return `${quantifiers} is tried again from each place of what it matches`;
  return `${quantifiers} can match the same text in many ways`;
}

/** The patterns of a script. */
export function patternsOf(path: string, text: string): readonly FoundPattern[] {
  const found: FoundPattern[] = [];
  const add = (start: number, source: string, flags: string) =>
    found.push({ path, line: text.slice(0, start).split("\n").length, source, flags });
  const built = ({ callee, arguments: [pattern, flags], start }: BuiltPattern) => {
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const source = textOf(pattern);
    if (source !== undefined) add(start, source, textOf(flags) ?? "");
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node && node.regex) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: (node) => built(node as BuiltPattern),
    CallExpression: (node) => built(node as BuiltPattern),
  }).visit(parseSync(path, text).program);
  return found;
}

interface PatternNode {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly left?: PatternNode;
  readonly right?: PatternNode;
  readonly quasis?: readonly { readonly value: { readonly raw: string; readonly cooked: string | null } }[];
  readonly quasi?: PatternNode;
}

interface BuiltPattern {
  readonly start: number;
  readonly callee: PatternNode;
  readonly arguments: readonly PatternNode[];
}

/** What an expression comes to, with `x` in the place of what is not known. */
function textOf(node: PatternNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "TemplateLiteral") return node.quasis!.map(({ value }) => value.cooked ?? value.raw).join("x");
  if (node.type === "TaggedTemplateExpression") return node.quasi!.quasis!.map(({ value }) => value.raw).join("x");
  if (node.type === "BinaryExpression") return (textOf(node.left) ?? "x") + (textOf(node.right) ?? "x");
  return undefined;
}

function isOfTests(path: string): boolean {
  return /\.(test|laws)\.tsx?$|(^|\/)(fixtures|tests)\//.test(path);
}

/** The patterns of the project that may take long, one in a line. */
export function lintPatterns(root: string): readonly string[] {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "-co", "--exclude-standard", "src", "web", "editors", "scripts"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const paths = listed.split("\0").filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !isOfTests(path));
  const problems: string[] = [];
  const known = new Set<string>();
  for (const path of paths) {
    for (const pattern of patternsOf(path, readFileSync(`${root}/${path}`, "utf8"))) {
      // Not measured: on a busy machine a measurement may miss what the list is for.
      if (boundedPatterns.some((one) => one.path === path && one.source === pattern.source)) {
        known.add(`${path}\n${pattern.source}`);
        continue;
      }
      const reason = superlinearReason(pattern);
      if (reason !== undefined)
        problems.push(`${path}:${pattern.line}: /${pattern.source}/${pattern.flags}: ${reason}.`);
    }
  }
  for (const { path, source } of boundedPatterns)
    if (!known.has(`${path}\n${source}`))
      problems.push(`scripts/bounded-patterns.ts: ${path} has no /${source}/; remove the entry.`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = lintPatterns(fileURLToPath(new URL("..", import.meta.url)));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) {
    process.stderr.write(
      "Write patterns so that each character is looked at a fixed number of times, or say in scripts/bounded-patterns.ts why their texts are short.\n",
    );
    process.exitCode = 1;
  }
}
