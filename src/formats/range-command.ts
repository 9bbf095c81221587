import { quotePath, tryReadQuotedPath, unquotePath } from "../text/index.ts";
import type { LineAnchor } from "./edit-operation.ts";

/** The content of a row of the format `range` that begins with `@@`. Lines count from 0. */
export type RangeCommand =
  /**
   * Replaces lines `start` up to `end` by the rows that follow; inserts before `start` where both
   * are equal.
   */
  | {
      readonly kind: "replace";
      readonly start: number;
      readonly end: number;
      readonly anchors: readonly LineAnchor[];
    }
  | { readonly kind: "delete"; readonly start: number; readonly end: number; readonly anchors: readonly LineAnchor[] }
  /** Names the file of the commands that follow. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "create"; readonly path: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string }
  | { readonly kind: "none" }
  | { readonly kind: "end" };

/** What is wrong with a row that begins with `@@`, and what would be correct. */
export interface UnreadableCommand {
  readonly kind: "unreadable";
  readonly message: string;
}

/** Whether a row is a command: it begins with `@@`. */
export function isCommand(row: string): boolean {
  return row.startsWith("@@");
}

/**
 * Reads a row that begins with `@@`; returns `unreadable` with a message where it is no command.
 */
export function readCommand(row: string): RangeCommand | UnreadableCommand {
  const text = row.slice(2).trim();
  const [, verb = "", rest = ""] = /^([a-z]+)(?:\s+(?!\s)(.*))?$/s.exec(text) ?? [];
  switch (verb) {
    case "none":
    case "end":
      if (rest === "" || rest === "@@") return { kind: verb };
      break;
    case "file":
    case "create":
    case "remove":
      if (rest !== "") return { kind: verb, path: readPath(rest) };
      return unreadable(`"@@ ${verb}" needs a path behind it.`);
    case "move":
      return readMove(rest);
    case "delete":
      return readLines(rest, "delete");
  }
  return readLines(text, "replace");
}

/** Prints the row that {@link readCommand} reads. */
export function printCommand(command: RangeCommand): string {
  switch (command.kind) {
    case "none":
    case "end":
      return `@@ ${command.kind}`;
    case "file":
    case "create":
    case "remove":
      return `@@ ${command.kind} ${printPath(command.path)}`;
    case "move":
      return `@@ move ${printPath(command.path)} ${printPath(command.to)}`;
    case "delete":
      return `@@ delete ${printLines(command)}`;
    case "replace":
      return `@@ ${printLines(command)}`;
  }
}

/**
 * Adds a backslash to a row of code that could be taken for a command or a fence, also to one that
 * is escaped already.
 */
export function escapeRow(code: string): string {
  return code.replace(/^(?=\\*@@)|(?<=^ {0,3})(?=\\*(?:`{3}|~{3}))/, "\\");
}

/** Removes what {@link escapeRow} added. Law: `unescapeRow(escapeRow(code))` equals `code`. */
export function unescapeRow(row: string): string {
  return row.replace(/^\\(?=\\*@@)|(?<=^ {0,3})\\(?=\\*(?:`{3}|~{3}))/, "");
}

type LinesCommand = Extract<RangeCommand, { readonly kind: "replace" | "delete" }>;

function readLines(text: string, kind: LinesCommand["kind"]): LinesCommand | UnreadableCommand {
  const [, first, plus, last, words = ""] = /^(\d+)(?:(\+)|[-–](\d+))?:?(?:\s+(?!\s)(.*))?$/s.exec(text) ?? [];
  if (first === undefined) {
    return unreadable(
      'It is no command of this format, such as "@@ 12-14 first words | last words". A line of code that begins with "@@" needs a backslash in front.',
    );
  }
  // Heads of unified diffs end with the sign that begins them. An opening works without its last
  // words.
  const rest = words.replace(/(?<=[^\s|])\s+@@$/, "");
  const from = Number(first);
  if (plus !== undefined) {
    if (kind === "delete") return unreadable('What is deleted is named "12" or "12-14", without a plus.');
    const anchors = from === 0 ? [] : [{ line: from - 1, opening: rest }];
    return { kind, start: from, end: from, anchors };
  }
  const to = Number(last ?? first);
  if (from === 0) return unreadable('Lines count from 1. "@@ 0+" inserts at the top of the file.');
  if (to < from) return unreadable(`A range begins with its smaller number: "${last}-${first}".`);
  return { kind, start: from - 1, end: to, anchors: readAnchors(rest, from - 1, to - 1) };
}

function readAnchors(text: string, first: number, last: number): readonly LineAnchor[] {
  if (first === last) return [{ line: first, opening: text }];
  if (text === "") return [];
  // A bar at the very start belongs to the line if another bar follows; otherwise the first line is
  // blank.
  const bar = /(?<=.) \|(?= |$)/g;
  bar.lastIndex = /^\|+ /.exec(text)?.[0].length ?? 0;
  const found = bar.exec(text);
  if (found !== null) {
    return [
      { line: first, opening: text.slice(0, found.index) },
      { line: last, opening: text.slice(found.index + 2).trim() },
    ];
  }
  if (!/^\|(?: |$)/.test(text)) return [{ line: first, opening: text }];
  return [
    { line: first, opening: "" },
    { line: last, opening: text.slice(1).trim() },
  ];
}

function printLines({ start, end, anchors }: LinesCommand): string {
  const [first, last] = anchors;
  const numbers = start === end ? `${start}+` : end - start === 1 ? `${end}` : `${start + 1}-${end}`;
  const openings = last === undefined ? (first?.opening ?? "") : `${first!.opening} | ${last.opening}`;
  return `${numbers} ${openings.trim()}`.trimEnd();
}

function readMove(text: string): RangeCommand | UnreadableCommand {
  const path = takePath(text);
  const to = path && takePath(path.rest);
  if (path !== undefined && to?.rest === "") return { kind: "move", path: path.path, to: to.path };
  return unreadable('"@@ move" needs the old path and the new one, in double quotes where they hold blanks.');
}

function takePath(text: string): { readonly path: string; readonly rest: string } | undefined {
  const quoted = tryReadQuotedPath(text);
  if (quoted !== undefined) return { path: quoted.path, rest: text.slice(quoted.length).trimStart() };
  const [word] = /^\S+/.exec(text) ?? [];
  return word === undefined ? undefined : { path: readPath(word), rest: text.slice(word.length).trimStart() };
}

function readPath(text: string): string {
  return unquotePath(/^`(.+)`$/.exec(text)?.[1] ?? text);
}

function printPath(path: string): string {
  const quoted = quotePath(path);
  return quoted === path && /[\s`]/.test(path) ? `"${path}"` : quoted;
}

function unreadable(message: string): UnreadableCommand {
  return { kind: "unreadable", message };
}
