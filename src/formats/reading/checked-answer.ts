import { applyWorkspaceEdit, EmendError, type FileChangeTexts, type FileTexts } from "../../text/index.ts";
import type { EditFormat } from "../edit-format.ts";
import { resolveOperations } from "../placing/resolve-operations.ts";
import { readAnswer } from "./answer-reader.ts";

/**
 * Returns `answer` if reading and resolving it reproduces these changes byte for byte.
 *
 * Throws `EmendError` `not-encodable` otherwise. With it, an encoder need not predict what its
 * format cannot express, such as which of a file's two line endings a new line has.
 */
export function checkedAnswer(
  format: Pick<EditFormat, "name" | "read">,
  changes: readonly FileChangeTexts[],
  answer: string,
): string {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const change of changes) {
    if (change.before !== undefined) before.set(change.pathBefore ?? change.path, change.before);
    if (change.after !== undefined) after.set(change.path, change.after);
  }
  const content = readAnswer(format.read({ paths: [...before.keys()] }), answer);
  const { edit, refusals } = resolveOperations(content.operations, before);
  const refusal = content.refusals[0] ?? refusals[0];
  const outcome = applyWorkspaceEdit(before, edit);
  if (refusal === undefined && outcome.kind === "applied" && hasSameTexts(outcome.files, after)) return answer;
  const why = refusal?.message ?? "The text would be another, such as in its line endings.";
  throw new EmendError("not-encodable", `The format ${format.name} cannot say this change. ${why}`);
}

function hasSameTexts(a: FileTexts, b: FileTexts): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}
