import { fenceFor, formatNamed } from "../formats/index.ts";
import type { EditOutcome } from "./edit-outcome.ts";
import type { EditRequest } from "./edit-request.ts";
import { explainEdit, proposalOf } from "./explain-edit.ts";
import { refusalPrompt } from "./refusal-prompt.ts";
import { promptFormat } from "./reply-format.ts";

/**
 * What to tell a chat whose answer could not be used, with the files as it was shown them; `undefined` where there is
 * nothing that it could do better. The next answer is judged by itself, so all edits are asked for.
 */
export function retryPromptFor(
  outcome: EditOutcome,
  { answer, request }: { readonly answer: string; readonly request: Pick<EditRequest, "files" | "format"> },
): string | undefined {
  const files = new Map(request.files.map(({ path, text }) => [path, text]));
  if (outcome.kind === "refused") {
    const name = outcome.best?.format ?? "regions";
    const format = formatNamed(name === "regions" ? promptFormat(request) : name);
    const messages = refusalPrompt({ answer, refusals: outcome.refusals, placedCount: 0, format, files });
    return messages.at(-1)!.text;
  }
  if (outcome.kind === "failed-check") {
    return `Your answer could be used, and a check of the files with it is not content:\n\n${showReport(outcome.report)}\n\n${again}`;
  }
  if (outcome.kind !== "broken" || proposalOf(outcome) === undefined) return undefined;
  const [, ...rows] = explainEdit(outcome).trimEnd().split("\n");
  const errors = rows.map((row) => row.trim()).filter((row) => row.startsWith("broken"));
  return `Your answer breaks the syntax of the files; lines are those after the change:\n\n${errors
    .map((row) => `- ${row.replace(/^broken\s+/, "")}`)
    .join("\n")}\n\n${again}`;
}

const again = "Nothing was changed. Answer again, in the same way as before, with all edits.\n";

/** The last of what a check said, since checks tell the outcome at the end. */
const maxReportCharacters = 4000;

function showReport(report: string): string {
  const tail = report.length > maxReportCharacters ? `…${report.slice(-maxReportCharacters)}` : report;
  const fence = fenceFor(tail);
  return `${fence}\n${tail.trimEnd()}\n${fence}`;
}
