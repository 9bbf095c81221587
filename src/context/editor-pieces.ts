import { type Diagnostic, Lines, type TextRange } from "../text/index.ts";
import { holdsPrivateKey, trySecretPath } from "../workspace/index.ts";
import { printPastEdit } from "./edit-history.ts";
import type { PastEdit } from "./edit-steps.ts";
import type { ContextPiece } from "./prompt.ts";

/** A diagnostic as a prompt shows it. */
export interface PromptDiagnostic extends Required<Pick<Diagnostic, "severity" | "message">> {
  /** The line, from 0. */
  readonly line: number;
}

/** The declaration of a name near the cursor, as an editor knows it. */
export interface SymbolDeclaration {
  readonly name: string;
  /** The path of its file from the workspace's root. */
  readonly path: string;
  /** Its text, best without bodies. */
  readonly text: string;
}

/**
 * The last 12 edits as pieces, the oldest first; later ones have a higher priority. Of the line of
 * the cursor (from 0) only the old text is included. Edits of which nothing is left are left out.
 */
export function recentEditPieces(edits: readonly PastEdit[], cursor: { path: string; line: number }): ContextPiece[] {
  const latest = edits.slice(-maxEdits);
  return latest.flatMap((edit, i) => {
    const text = printPastEdit(edit, edit.path === cursor.path ? cursor.line : undefined);
    const priority = priorities.recentEdits - (latest.length - i) / 1000;
    return text === "" ? [] : [{ kind: "recent-edits", path: edit.path, text, priority }];
  });
}

/**
 * The five diagnostics nearest to the cursor, at most 30 lines away, as one piece in the order of
 * their lines; hints are left out. `text` is the document's. `cursor.line` counts from 0, the lines
 * in the piece from 1. Empty without diagnostics.
 */
export function diagnosticPieces(
  diagnostics: readonly Diagnostic[],
  cursor: { path: string; line: number },
  text: string,
): ContextPiece[] {
  const shown = diagnostics.filter(({ severity }) => severity !== "hint");
  const within = { start: cursor.line - maxDiagnosticDistance, end: cursor.line + maxDiagnosticDistance + 1 };
  const near = nearestDiagnostics(shown, text, { line: cursor.line, within, max: maxDiagnostics });
  if (near.length === 0) return [];
  const listed = near
    .map((one) => `line ${one.line + 1}: ${one.severity}: ${one.message.replace(/\s+/g, " ")}\n`)
    .join("");
  return [{ kind: "diagnostics", path: cursor.path, text: listed, priority: priorities.diagnostics }];
}

/**
 * The `max` diagnostics of a text that are nearest to a line, of those that begin in the lines
 * `within` (`[start, end)`), in the order of their lines. Lines count from 0. Diagnostics that
 * begin behind the text are left out.
 */
export function nearestDiagnostics(
  diagnostics: readonly Diagnostic[],
  text: string,
  { line, within, max }: { readonly line: number; readonly within: TextRange; readonly max: number },
): readonly PromptDiagnostic[] {
  if (diagnostics.length === 0) return [];
  const lines = Lines.of(text);
  return diagnostics
    .filter(({ start }) => start <= text.length)
    .map(({ start, severity = "error", message }) => ({ line: lines.lineAt(start), severity, message }))
    .filter((one) => one.line >= within.start && one.line < within.end)
    .sort((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))
    .slice(0, max)
    .sort((one, other) => one.line - other.line);
}

/**
 * Declarations that an editor gives, one piece a file, in the order in which files come. They end
 * before the declaration that exceeds `maxLines` in all. Secret files, and repeated declarations,
 * are left out.
 */
export function symbolPieces(symbols: readonly SymbolDeclaration[], maxLines: number): ContextPiece[] {
  const texts = new Map<string, string>();
  let room = maxLines;
  for (const { path, text } of symbols) {
    const ended = text.endsWith("\n") ? text : `${text}\n`;
    room -= ended.split("\n").length - 1;
    if (room < 0) break;
    const known = texts.get(path) ?? "";
    if (trySecretPath(path) === undefined && !known.includes(ended)) texts.set(path, known + ended);
  }
  return Array.from(texts, ([path, text], i) => ({
    kind: "symbols",
    path,
    text,
    priority: priorities.symbols - i / 1000,
  }));
}

/**
 * The first 60 lines of a git diff as one piece, without files that are secret by their name or
 * contain a private key. Empty where nothing is left.
 */
export function gitDiffPieces(diff: string): ContextPiece[] {
  const files = diff.split(/^(?=diff --git )/m).filter((part) => !isSecretDiff(part));
  const text = files.join("").split("\n").slice(0, maxDiffLines).join("\n").trimEnd();
  return text === "" ? [] : [{ kind: "git-diff", path: "git diff", text: `${text}\n`, priority: priorities.gitDiff }];
}

/** Whether a file of a diff keeps secrets: by its name, or by a key in the lines that are shown. */
function isSecretDiff(part: string): boolean {
  if (holdsPrivateKey(part.replace(/^[ +-]/gm, ""))) return true;
  const names = [...part.matchAll(/^(?:\+\+\+|---) "?(?:[ab]\/)?([^\t\n"]+)|^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/gm)];
  return names.some((match) => match.slice(1).some((name) => name !== undefined && trySecretPath(name) !== undefined));
}

const priorities = { recentEdits: 0.96, symbols: 0.92, diagnostics: 0.7, gitDiff: 0.6 } as const;
const maxEdits = 12;
const maxDiagnostics = 5;
/** Diagnostics of lines further away are about something else. */
const maxDiagnosticDistance = 30;
const maxDiffLines = 60;
