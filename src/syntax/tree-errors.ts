import type { Node as WasmNode } from "web-tree-sitter";
import { runSteps, type Steps } from "../async/index.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";
import { rootOf, type SyntaxTree } from "./tree.ts";

/** The most errors that are reported for one text. */
const maxTreeErrors = 1_000;

/** The number of nodes after which {@link treeErrorsInSlices} yields. */
const nodesAtATime = 2_000;

/**
 * The syntax errors of a parsed text, in the order of the text; empty for a valid one. About 1,000
 * at most, to which JSON adds what plain JSON does not allow. Throws as {@link rootOf} does.
 *
 * A range that the parser skipped counts as one error, on its first line only: after a serious
 * error a parser may skip half a file, and an error that covers it all is no help.
 */
export function treeErrors(tree: SyntaxTree): SyntaxDiagnostic[] {
  return runSteps(treeErrorsInSlices(tree));
}

/**
 * As {@link treeErrors}, in slices of 2,000 nodes: the generator yields between two, and returns
 * the errors. The caller decides when to continue, and keeps the tree open. Throws at the first
 * step, as {@link rootOf} does.
 */
export function* treeErrorsInSlices(tree: SyntaxTree): Steps<SyntaxDiagnostic[]> {
  const errors: SyntaxDiagnostic[] = [];
  const { json } = tree.language;
  const root = rootOf(tree);
  if (root.hasError) yield* collect(root, tree.text, errors);
  if (json === "strict") return [...errors, ...notPlainJson(root)].sort((a, b) => a.start - b.start);
  if (json === "with-comments") return errors.filter((error) => !isTrailingComma(error, tree.text));
  return errors;
}

function* collect(root: WasmNode, text: string, errors: SyntaxDiagnostic[]): Steps<void> {
  const cursor = root.walk();
  try {
    for (let count = 1; errors.length < maxTreeErrors; count++) {
      if (count % nodesAtATime === 0) yield;
      const node = cursor.currentNode;
      if (node.isMissing) errors.push(missing(node));
      else if (node.isError) errors.push(unexpected(node, text));
      if (node.hasError && cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return;
    }
  } finally {
    cursor.delete();
  }
}

function missing(node: WasmNode): SyntaxDiagnostic {
  const what = node.isNamed ? node.type.replaceAll("_", " ") : `"${node.type}"`;
  return { code: "missing", start: node.startIndex, end: node.startIndex, message: `Missing ${what}` };
}

function unexpected(node: WasmNode, text: string): SyntaxDiagnostic {
  const { startIndex: start, endIndex } = node;
  const firstLine = /^[^\r\n]*/.exec(text.slice(start, endIndex))![0].trimEnd();
  const end = start + firstLine.length;
  const shown = firstLine.length > 40 ? `${firstLine.slice(0, 40)}…` : firstLine;
  return { code: "unexpected", start, end, message: shown === "" ? "Unexpected end" : `Unexpected "${shown}"` };
}

/** The grammar accepts comments and several values in a row. */
function notPlainJson(root: WasmNode): SyntaxDiagnostic[] {
  const invalid = (node: WasmNode, message: string): SyntaxDiagnostic => ({
    code: "invalid",
    start: node.startIndex,
    end: node.endIndex,
    message,
  });
  const values = root.namedChildren.filter((node) => node.type !== "comment" && !node.isError);
  return [
    ...root.descendantsOfType("comment").map((node) => invalid(node, "JSON has no comments")),
    ...values.slice(1).map((node) => invalid(node, "JSON has one value only")),
  ];
}

/**
 * The grammar ignores a comma before a brace, and reports a missing value after one before a square
 * bracket.
 */
function isTrailingComma({ code, start, end }: SyntaxDiagnostic, text: string): boolean {
  const comma = code === "missing" ? start - 1 : start;
  if (text[comma] !== "," || end > comma + 1) return false;
  return /^(?:\s|\/\/[^\n]*(?![^\n])|\/\*(?:(?!\*\/)[\s\S])*\*\/)*[}\]]/.test(text.slice(comma + 1));
}
