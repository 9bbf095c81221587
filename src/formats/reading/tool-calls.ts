import type { EditOperation } from "../edit-operation.ts";
import { normalizedPath, tryRestoreBackslashes } from "./path-match.ts";

/** The operation of an edit in JSON, or why it is none. */
export type ToolCall =
  | { readonly kind: "operation"; readonly operation: EditOperation }
  /** A call that only reads files. */
  | { readonly kind: "look" }
  | { readonly kind: "no-change"; readonly path: string | undefined }
  | { readonly kind: "unreadable"; readonly message: string; readonly path: string | undefined };

/**
 * Reads a JSON value as calls of editing tools. Returns them in order; what is no edit is
 * `unreadable`.
 *
 * Supports old and new text under the names that tools use (`old_string`, `old_str`, `oldText`,
 * `search`, …), lists of edits, the commands of Anthropic's text editor, whole files, and the
 * wrappers in which models and servers put the arguments of a call. `paths` are those that the
 * model was shown. Sources: Anthropic, "Text editor tool"; the edit tools of Continue, Gemini CLI,
 * opencode and Zed.
 */
export function readToolCalls(
  value: unknown,
  { row, paths }: { readonly row: number; readonly paths: readonly string[] },
): readonly ToolCall[] {
  return callsIn(value, { row, paths, path: undefined, depth: 0 });
}

interface Around {
  readonly row: number;
  readonly paths: readonly string[];
  /** The path in an enclosing object. */
  readonly path: string | undefined;
  readonly depth: number;
}

type Fields = Readonly<Record<string, unknown>>;

function callsIn(value: unknown, around: Around): readonly ToolCall[] {
  const inside = { ...around, depth: around.depth + 1 };
  // Bounds the recursion; real calls are three or four levels deep.
  if (around.depth > 20) return [unreadable("It is nested too deep.", around.path)];
  if (Array.isArray(value)) return value.flatMap((item) => callsIn(item, inside));
  if (typeof value === "string") {
    const parsed = tryParse(value);
    if (parsed !== undefined) return callsIn(parsed, inside);
  }
  if (typeof value !== "object" || value === null) {
    return [unreadable(`${JSON.stringify(value)?.slice(0, 40)} is no edit.`, around.path)];
  }
  const fields = value as Fields;
  const path = textAt(fields, pathKeys) ?? around.path;
  for (const key of wrapperKeys) {
    const wrapped = fields[key];
    const holdsCall =
      (typeof wrapped === "object" && wrapped !== null) ||
      (typeof wrapped === "string" && tryParse(wrapped) !== undefined);
    if (holdsCall) return callsIn(wrapped, { ...inside, path });
  }
  const edits = listKeys.map((key) => fields[key]).find(Array.isArray);
  if (edits !== undefined) {
    if (edits.length === 0) return [{ kind: "no-change", path }];
    return edits.flatMap((item: unknown) => callsIn(item, { ...inside, path }));
  }
  return [callOf(fields, { ...around, path })];
}

function callOf(fields: Fields, { row, paths, path }: Around): ToolCall {
  const command = typeof fields["command"] === "string" ? fields["command"] : undefined;
  if (command === "view") return { kind: "look" };
  if (command === "insert") return insertion(fields, { row, path });
  const wrong = [...oldKeys, ...newKeys, ...contentKeys].find(
    (key) => key in fields && typeof fields[key] !== "string",
  );
  if (wrong !== undefined) return unreadable(`"${wrong}" must be a string.`, path);

  const old = textAt(fields, oldKeys);
  const fresh = textAt(fields, newKeys) ?? (command === "str_replace" && old !== undefined ? "" : undefined);
  const content = textAt(fields, contentKeys);
  const isShown = path === undefined || isIn(paths, path) || isIn(paths, tryRestoreBackslashes(path) ?? path);
  if (old === undefined && fresh === undefined && content !== undefined) {
    return { kind: "operation", operation: { kind: isShown ? "whole" : "create", row, path, ...linesOf(content) } };
  }
  if (old === undefined || fresh === undefined) {
    const missing = old === undefined ? "old_string" : "new_string";
    return unreadable(`An edit has "old_string" and "new_string"; "${missing}" is missing.`, path);
  }
  if (old === "" && !isShown) return { kind: "operation", operation: { kind: "create", row, path, ...linesOf(fresh) } };
  if (old === fresh) return { kind: "no-change", path };
  const isEvery = everyKeys.some((key) => fields[key] === true || fields[key] === "true" || Number(fields[key]) > 1);
  const operation = { kind: "string", row, path, search: old, replace: fresh } as const;
  return { kind: "operation", operation: isEvery ? { ...operation, isEvery } : operation };
}

function isIn(paths: readonly string[], path: string): boolean {
  return paths.includes(normalizedPath(path) ?? path);
}

function insertion(fields: Fields, { row, path }: Pick<Around, "row" | "path">): ToolCall {
  const line = Number(fields["insert_line"] ?? fields["line"]);
  const text = textAt(fields, [...newKeys, "insert_text", "text"]);
  if (!Number.isSafeInteger(line) || line < 0 || text === undefined) {
    return unreadable('An insertion has "insert_line", the number of the line in front, and "new_str".', path);
  }
  const { lines } = linesOf(text);
  return { kind: "operation", operation: { kind: "lines", row, path, start: line, end: line, lines, anchors: [] } };
}

/** The lines of a new text, and whether the last one has an ending. */
function linesOf(text: string): { readonly lines: readonly string[]; readonly finalNewline: boolean } {
  const lines = text.split(/\r?\n/);
  const finalNewline = lines.at(-1) === "";
  if (finalNewline) lines.pop();
  return { lines, finalNewline };
}

function textAt(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

function tryParse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function unreadable(message: string, path: string | undefined): ToolCall {
  return { kind: "unreadable", message, path };
}

const pathKeys = ["file_path", "filepath", "filePath", "path", "file", "filename", "target_file", "uri"];
const oldKeys = ["old_string", "oldString", "old_str", "oldStr", "old_text", "oldText", "search", "find"];
const newKeys = ["new_string", "newString", "new_str", "newStr", "new_text", "newText", "replace", "replacement"];
const contentKeys = ["file_text", "content", "contents"];
const everyKeys = ["replace_all", "replaceAll", "expected_replacements"];
const listKeys = ["edits", "changes", "replacements", "files"];
const wrapperKeys = [
  "tool_calls",
  "toolCalls",
  "function",
  "arguments",
  "input",
  "parameters",
  "params",
  "args",
  "tool_input",
];

/** Whether a text contains a key of an edit in JSON. */
export function mentionsToolCall(text: string): boolean {
  return anyKey.test(text);
}

const anyKey = new RegExp(`["'](?:${[...oldKeys.slice(0, 6), "file_text", "insert_line"].join("|")})["']\\s*:`);
