import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A hole in a real file, and what truly is there. */
export interface InfillCase {
  /** With `/`; of the same file in several cases it is the same. */
  readonly path: string;
  /** The language's id; default: by the path. */
  readonly language?: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly middle: string;
}

/** Reads cases, one JSON object a line. Throws an error that names the line where one is none. */
export function readInfillCases(file: string): InfillCase[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const cases = lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [parseInfillCase(line, `${file}:${index + 1}`)],
  );
  if (cases.length === 0) throw new Error(`${file} has no case: write one JSON object a line.`);
  return cases;
}

const required = ["path", "prefix", "suffix", "middle"] as const;

/** Reads a case. `place` is named where it is none. */
export function parseInfillCase(line: string, place: string): InfillCase {
  const value = parseObject(line, place);
  const known: Record<string, string> = {};
  for (const field of [...required, ...("language" in value ? ["language"] : [])]) {
    const text = value[field];
    if (typeof text !== "string")
      throw new Error(`${place}: "${field}" is ${text === undefined ? "missing" : "no text"}.`);
    known[field] = text;
  }
  return known as unknown as InfillCase;
}

function parseObject(line: string, place: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`${place}: this line is no JSON. ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${place}: this line is no object.`);
  return value as Readonly<Record<string, unknown>>;
}

/**
 * The texts of all files below a folder, by path, without those of packages and of version control.
 */
export function readTexts(folder: string, isWanted: (path: string) => boolean): Map<string, string> {
  const texts = new Map<string, string>();
  const visit = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name)) visit(inner);
      else if (entry.isFile() && isWanted(inner)) texts.set(inner, readFileSync(join(folder, inner), "utf8"));
    }
  };
  visit("");
  return texts;
}

const skipped: ReadonlySet<string> = new Set([".git", "node_modules", "dist", "build"]);

/** Whether there is a folder at `path`. */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/**
 * Holes of a text: one of each kind, where the text has room for it. The same seed cuts the same
 * holes.
 */
export function cutHoles(path: string, text: string, random: () => number): InfillCase[] {
  const lines = text.split("\n").map((line, index, all) => ({
    line,
    start: all.slice(0, index).reduce((length, above) => length + above.length + 1, 0),
  }));
  const written = lines.filter(({ line }) => line.trim().length >= 4);
  if (written.length < 3) return [];
  const any = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const cut = (start: number, end: number): InfillCase => ({
    ...{ path, prefix: text.slice(0, start), middle: text.slice(start, end), suffix: text.slice(end) },
  });
  const rest = any(written);
  const tokensOf = ({ line, start }: (typeof lines)[number]) =>
    [...line.matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)].map(({ index, 0: token }) => ({
      start: start + index,
      end: start + index + token.length,
    }));
  const begin = any(tokensOf(rest)).start;
  const tokens = tokensOf(any(written));
  const first = Math.floor(random() * tokens.length);
  const last = Math.min(tokens.length - 1, first + Math.floor(random() * 6));
  const from = Math.floor(random() * (lines.length - 1));
  const to = Math.min(lines.length - 1, from + 1 + Math.floor(random() * 4));
  return [
    cut(begin, rest.start + rest.line.trimEnd().length),
    cut(tokens[first]!.start, tokens[last]!.end),
    cut(lines[from]!.start, lines[to]!.start),
  ].filter(({ middle }) => middle.trim() !== "");
}
