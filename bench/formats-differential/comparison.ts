import { formatNamed, type RefusalKind, readAnswer, resolveOperations } from "../../src/formats/index.ts";
import { applyWorkspaceEdit, type FileTexts } from "../../src/text/index.ts";
import type { ToolResult } from "./external-tool.ts";
import type { WrittenEdit } from "./written-edits.ts";

/** What Emend makes of an edit. */
export type OwnResult =
  | { readonly kind: "applied"; readonly files: FileTexts }
  | { readonly kind: "refused"; readonly refusal: RefusalKind; readonly message: string };

/**
 * How the results of a tool and of Emend compare.
 *
 * Where the tool's result is the intended one: `same`; `ambiguous` and `refused`, where Emend
 * refuses; and `different`. Where it is not: `only-ours`, where Emend's result is the intended one;
 * `neither`, where Emend refuses; and `both-wrong`, where Emend writes something else.
 */
export type Verdict = "same" | "ambiguous" | "refused" | "different" | "only-ours" | "neither" | "both-wrong";

/** Reads and resolves an answer as `emend apply` does: one refused part refuses it all. */
export function ownResult({ edit, format, answer }: WrittenEdit): OwnResult {
  const content = readAnswer(formatNamed(format).read({ paths: [...edit.before.keys()] }), answer);
  const placement = resolveOperations(content.operations, edit.before);
  const outcome = applyWorkspaceEdit(edit.before, placement.edit);
  // A part that changes nothing does not stop the others.
  const refusals = [...content.refusals, ...placement.refusals].filter(
    ({ kind }) => kind !== "no-change" || placement.placed.length === 0,
  );
  // Of several refusals the one counts that is not about ambiguity.
  const refusal = refusals.find(({ kind }) => kind !== "ambiguous") ?? refusals[0];
  if (refusal !== undefined) return { kind: "refused", refusal: refusal.kind, message: refusal.message };
  if (outcome.kind !== "applied") return { kind: "refused", refusal: "overlap", message: JSON.stringify(outcome) };
  return { kind: "applied", files: outcome.files };
}

/** Compares the results of one edit. */
export function verdictOf(intended: FileTexts, tool: ToolResult, own: OwnResult): Verdict {
  const isToolRight = tool !== undefined && isSame(tool, intended);
  const isOwnRight = own.kind === "applied" && isSame(own.files, intended);
  if (isToolRight) {
    if (isOwnRight) return "same";
    if (own.kind === "applied") return "different";
    return own.refusal === "ambiguous" ? "ambiguous" : "refused";
  }
  if (isOwnRight) return "only-ours";
  return own.kind === "refused" ? "neither" : "both-wrong";
}

function isSame(one: FileTexts, other: FileTexts): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}
