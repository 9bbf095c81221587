import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { deepPlaceInJson, Lines, maxJsonNesting, nameWords } from "../text/index.ts";
import { type Entry, maxDepth } from "./entries.ts";

/** The value of a JSON file, or the place of its syntax error. */
export type JsonAnswer =
  | { readonly kind: "read"; readonly entries: readonly Entry[]; readonly repeated: readonly RepeatedKey[] }
  /** The line counts from 1. With `isJson` only what is wanted is no object. */
  | { readonly kind: "broken"; readonly line: number; readonly detail: string; readonly isJson?: true };

/** A key that its object has again, in the line `counts`. Lines count from 1. */
export interface RepeatedKey {
  /** The names from the top down. */
  readonly path: readonly string[];
  readonly line: number;
  readonly counts: number;
}

/**
 * The entries of JSON with comments and trailing commas, each with its line, counted from 1. `path`
 * is the file's, for the origins. An empty object, and one below {@link maxDepth} names, is one
 * entry. Where an object has a key several times, the last one counts, as in `JSON.parse`.
 *
 * `under` is the key of the top object whose value is wanted; without that key there are no
 * entries. What is wanted must be an object. Otherwise, and for a syntax error or brackets that
 * nest too deep, the answer is `broken`.
 */
export function readJson(text: string, path: string, under?: string): JsonAnswer {
  const lines = Lines.of(text);
  const lineAt = (offset: number): number => lines.positionAt(Math.min(offset, text.length)).line + 1;
  const deep = deepPlaceInJson(text);
  if (deep !== undefined) {
    return { kind: "broken", line: lineAt(deep), detail: `brackets nest over ${maxJsonNesting} deep` };
  }
  const errors: ParseError[] = [];
  const top = parseTree(text, errors, { allowTrailingComma: true });
  const error = errors[0];
  if (error !== undefined) {
    return {
      kind: "broken",
      line: lineAt(error.offset),
      detail: nameWords(printParseErrorCode(error.error)).join(" "),
    };
  }
  const found = under === undefined ? top : memberOf(top, under);
  if (found === undefined) return { kind: "read", entries: [], repeated: [] };
  if (found.type !== "object") {
    return { kind: "broken", line: lineAt(found.offset), detail: "an object in braces is expected", isJson: true };
  }
  const entries: Entry[] = [];
  const repeated: RepeatedKey[] = [];
  const collect = (node: Node, names: readonly string[], at: number): void => {
    const properties = node.type === "object" ? (node.children ?? []) : [];
    if (properties.length === 0 || names.length >= maxDepth) {
      entries.push({ path: names, value: valueOfNode(node), origin: { kind: "file", path, line: lineAt(at) } });
      return;
    }
    const last = new Map(properties.map((property) => [String(property.children![0]!.value), property]));
    for (const property of properties) {
      const [name, value] = property.children!;
      const below = [...names, String(name!.value)];
      const counting = last.get(below.at(-1)!)!;
      if (counting === property) collect(value!, below, property.offset);
      else repeated.push({ path: below, line: lineAt(property.offset), counts: lineAt(counting.offset) });
    }
  };
  collect(found, [], found.offset);
  return { kind: "read", entries, repeated };
}

function memberOf(object: Node | undefined, name: string): Node | undefined {
  return object?.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** The plain value of a node. */
export function valueOfNode(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOfNode);
  if (node.type !== "object") return node.value;
  const properties = (node.children ?? []).map(({ children }) => [
    String(children![0]!.value),
    valueOfNode(children![1]!),
  ]);
  return Object.fromEntries(properties);
}
