import { hideSecrets, messageLanguage } from "../context/index.ts";
import { formatNamed } from "../formats/index.ts";
import type { EditOutcome } from "./edit-outcome.ts";
import { showReport } from "./edit-prompt.ts";
import type { EditRequest } from "./edit-request.ts";
import { explainEdit, proposalOf } from "./explain-edit.ts";
import { refusalPrompt } from "./refusal-prompt.ts";
import { promptFormat } from "./reply-format.ts";

/**
 * Builds the prompt that asks a chat to correct an answer that could not be used; `undefined` where
 * there is nothing to correct. The next answer is checked on its own, so all edits are requested
 * again.
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
  if (outcome.kind === "failed-verification") {
    return `Your answer could be used, and a check of the files with it is not content:\n\n${showReport(hideSecrets(outcome.report, messageLanguage).text)}\n\n${again}`;
  }
  if (outcome.kind !== "broken" || proposalOf(outcome) === undefined) return undefined;
  const [, ...rows] = explainEdit(outcome).trimEnd().split("\n");
  const errors = rows
    .map((row) => hideSecrets(row.trim(), messageLanguage).text)
    .filter((row) => row.startsWith("broken"));
  return `Your answer breaks the syntax of the files; lines are those after the change:\n\n${errors
    .map((row) => `- ${row.replace(/^broken\s+/, "")}`)
    .join("\n")}\n\n${again}`;
}

const again = "Nothing was changed. Answer again, in the same way as before, with all edits.\n";
