/**
 * Refuses assertions of tests that may never run: `tsx scripts/lint-tests.ts`, a part of
 * `npm run lint`. An `expect` must not depend on a condition, and a property or test must not
 * return early; `fc.pre`, a filtered list or a table with two tests do the same visibly.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ts } from "@ts-morph/common";

/**
 * The places of a test file where an assertion may silently not run, as `line: reason`, lines from
 * 1.
 */
export function silentAssertions(text: string): readonly string[] {
  const source = ts.createSourceFile("test.ts", text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node, reason: string) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    if (!found.includes(`${line}: ${reason}`)) found.push(`${line}: ${reason}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^expect(\.\w+)?$/.test(node.expression.getText(source))) {
      const condition = conditionOf(node);
      if (condition !== undefined) report(node, `an expect depends on ${condition}`);
    }
    if (ts.isReturnStatement(node) && node.expression === undefined && returnsEarly(node, source))
      report(node, "a test or property returns early");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What decides inside of its function whether a node runs. */
function conditionOf(node: ts.Node): string | undefined {
  let child = node;
  for (let parent = node.parent; parent && !ts.isFunctionLike(parent); parent = parent.parent) {
    if (ts.isIfStatement(parent) && child !== parent.expression) return "an if";
    if (ts.isConditionalExpression(parent) && child !== parent.condition) return "a ?:";
    if (ts.isCatchClause(parent)) return "a catch";
    if (ts.isCaseOrDefaultClause(parent)) return "a switch";
    if (ts.isBinaryExpression(parent) && child === parent.right && isLogical(parent)) return "a logical operator";
    child = parent;
  }
  return undefined;
}

function isLogical({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  const { AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken } = ts.SyntaxKind;
  return [AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken].some((one) => one === kind);
}

/** Whether a conditional return ends the function of a test or property. */
function returnsEarly(node: ts.ReturnStatement, source: ts.SourceFile): boolean {
  let isConditional = false;
  let parent: ts.Node = node.parent;
  for (; parent && !ts.isFunctionLike(parent); parent = parent.parent) isConditional ||= ts.isIfStatement(parent);
  const call = parent?.parent;
  if (!isConditional || call === undefined || !ts.isCallExpression(call)) return false;
  return /^(?:fc\.(?:async)?property|(?:it|test)\b.*|law)$/i.test(call.expression.getText(source).split("(")[0]!);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = execFileSync("git", ["ls-files", "src", "bench", "scripts", "web", "editors"], { encoding: "utf8" })
    .split("\n")
    .filter((path) => /\.(?:test|laws)\.ts$/.test(path));
  const found = files.flatMap((path) => silentAssertions(readFileSync(path, "utf8")).map((item) => `${path}:${item}`));
  for (const item of found) console.error(item);
  process.exitCode = found.length > 0 ? 1 : 0;
}
