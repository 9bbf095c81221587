import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";

/** What became of a JSON text. */
export type ModelJson =
  | {
      readonly kind: "value";
      readonly value: unknown;
      /** What was not as JSON wants it, and could mean one thing only. */
      readonly mended: readonly ("raw-characters" | "trailing-commas" | "escaped-apostrophes")[];
    }
  /** `offset` counts UTF-16 code units from 0. */
  | { readonly kind: "broken"; readonly offset: number; readonly message: string };

/** Reads JSON as models write it: with line breaks and tabs in strings, commas behind the last item, and `\'`. */
export function parseModelJson(text: string): ModelJson {
  const value = tryParse(text);
  if (value !== undefined) return { kind: "value", value: value.value, mended: [] };
  const { text: better, mended } = mend(text);
  const mendedValue = tryParse(better);
  if (mendedValue !== undefined) return { kind: "value", value: mendedValue.value, mended: [...mended] };
  // What follows goes one call deeper with each bracket.
  if (isTooDeep(text)) return { kind: "broken", offset: 0, message: "too many brackets inside of one another" };
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

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > 500) return true;
  }
  return false;
}

type Mended = Extract<ModelJson, { kind: "value" }>["mended"][number];

function mend(text: string): { readonly text: string; readonly mended: ReadonlySet<Mended> } {
  const mended = new Set<Mended>();
  const strings = /"(?:[^"\\]|\\[\s\S])*"?/g;
  let better = "";
  let passed = 0;
  for (const { 0: string, index } of text.matchAll(strings)) {
    better += mendBetween(text.slice(passed, index), mended) + mendString(string, mended);
    passed = index + string.length;
  }
  return { text: better + mendBetween(text.slice(passed), mended), mended };
}

function mendBetween(text: string, mended: Set<Mended>): string {
  return text.replace(/,(?=\s*[}\]])/g, () => {
    mended.add("trailing-commas");
    return "";
  });
}

function mendString(string: string, mended: Set<Mended>): string {
  return string.replace(/\\[\s\S]|[\n\r\t]/g, (found) => {
    if (found === "\\'") mended.add("escaped-apostrophes");
    else if (found.length === 1) mended.add("raw-characters");
    return found === "\\'" ? "'" : (escapes[found] ?? found);
  });
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
