import { holdsPrivateKey, trySecretPath } from "../workspace/index.ts";
import { printPastEdit } from "./edit-history.ts";
import type { PastEdit } from "./edit-steps.ts";
import type { ContextPiece } from "./prompt.ts";

/** A diagnostic of a compiler or a linter for a line of the document. */
export interface PlaceDiagnostic {
  /** The line, from 0. */
  readonly line: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
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
 * their lines; hints are left out. `cursor.line` counts from 0, the lines in the piece from 1.
 * Empty without diagnostics.
 */
export function diagnosticPieces(
  diagnostics: readonly PlaceDiagnostic[],
  cursor: { path: string; line: number },
): ContextPiece[] {
  const distance = ({ line }: PlaceDiagnostic) => Math.abs(line - cursor.line);
  const near = diagnostics
    .filter((one) => one.severity !== "hint" && distance(one) <= maxDiagnosticDistance)
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, maxDiagnostics)
    .sort((one, other) => one.line - other.line);
  if (near.length === 0) return [];
  const text = near
    .map((one) => `line ${one.line + 1}: ${one.severity}: ${one.message.replace(/\s+/g, " ")}\n`)
    .join("");
  return [{ kind: "diagnostics", path: cursor.path, text, priority: priorities.diagnostics }];
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
