import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { deepPlaceInJson } from "../../text/index.ts";

/** The result of reading a JSON text. */
export type ModelJson =
  | {
      readonly kind: "value";
      readonly value: unknown;
      /** The deviations from JSON that were repaired, each with only one possible meaning. */
      readonly repaired: readonly ("raw-characters" | "trailing-commas" | "escaped-apostrophes" | "path-backslashes")[];
    }
  /** A syntax error; `offset` counts UTF-16 code units from 0. */
  | { readonly kind: "broken"; readonly offset: number; readonly message: string };

/**
 * Parses JSON as models write it: with line breaks and tabs in strings, trailing commas, `\'`, and
 * paths such as `"lib\money.ts"`.
 */
export function parseModelJson(text: string): ModelJson {
  const value = tryParse(text);
  if (value !== undefined) return { kind: "value", value: value.value, repaired: [] };
  const { text: better, repaired } = repair(text);
  const repairedValue = tryParse(better);
  if (repairedValue !== undefined) return { kind: "value", value: repairedValue.value, repaired: [...repaired] };
  // The error-tolerant parser recurses once for each bracket.
  const deep = deepPlaceInJson(text);
  if (deep !== undefined) return { kind: "broken", offset: deep, message: "too many brackets inside of one another" };
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true, disallowComments: true });
  const [first] = errors;
  const name = first === undefined ? "no JSON" : printParseErrorCode(first.error);
  const message = name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return { kind: "broken", offset: Math.min(first?.offset ?? 0, text.length), message };
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

type JsonRepair = Extract<ModelJson, { kind: "value" }>["repaired"][number];

function repair(text: string): { readonly text: string; readonly repaired: ReadonlySet<JsonRepair> } {
  const repaired = new Set<JsonRepair>();
  const strings = /"(?:[^"\\]|\\[\s\S])*"?/g;
  let better = "";
  let passed = 0;
  for (const { 0: string, index } of text.matchAll(strings)) {
    better += repairBetween(text.slice(passed, index), repaired) + repairString(string, repaired);
    passed = index + string.length;
  }
  return { text: better + repairBetween(text.slice(passed), repaired), repaired };
}

function repairBetween(text: string, repaired: Set<JsonRepair>): string {
  return text.replace(/,(?=\s*[}\]])/g, () => {
    repaired.add("trailing-commas");
    return "";
  });
}

function repairString(string: string, repaired: Set<JsonRepair>): string {
  if (windowsPath.test(string) && tryParse(string) === undefined) {
    repaired.add("path-backslashes");
    return string.replaceAll("\\", "\\\\");
  }
  return string.replace(/\\[\s\S]|[\n\r\t]/g, (found) => {
    if (found === "\\'") repaired.add("escaped-apostrophes");
    else if (found.length === 1) repaired.add("raw-characters");
    return found === "\\'" ? "'" : (escapes[found] ?? found);
  });
}

/** Matches a path with a folder and an extension and with single backslashes. */
const windowsPath = /^"(?:[\w.@-]+\\)+[\w@-]+(?:\.[\w@-]+)+"$/;

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
