import { type EditFormat, fenceFor, showFenced } from "../formats/index.ts";
import type { ChatMessage, RedactedText } from "../model/index.ts";
import { comparePaths } from "../workspace/index.ts";
import type { EditRequest } from "./edit-request.ts";

/** What a prompt for edits contains: the request, and the report on an earlier change for it. */
export interface EditPromptRequest extends Pick<EditRequest, "instruction" | "newPaths" | "context"> {
  /** The files that may be changed, with their current texts. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /**
   * The report of the verification command, where the files show a change made for the instruction.
   */
  readonly report?: RedactedText;
}

/**
 * Builds the messages that ask a model to carry out an instruction in a format.
 *
 * The order is from what changes least to what changes most, so that servers with a prompt cache
 * can reuse the beginning: rules, read-only texts, files sorted by path, and last the instruction,
 * word for word.
 */
export function editPrompt(request: EditPromptRequest, format: EditFormat): readonly ChatMessage[] {
  const files = [...request.files].sort((a, b) => comparePaths(a.path, b.path));
  const context = request.context ?? [];
  const newPaths = [...(request.newPaths ?? [])].sort();
  const sections = [
    ...(context.length === 0 ? [] : ["Texts to read, which stay as they are:"]),
    ...context.map(({ path, text }) => showFenced(path, text)),
    ...(files.length === 0 ? [] : ["Files that you may change:"]),
    ...files.map((file) => format.showFile(file)),
    ...(files.length === 0 && newPaths.length === 0 ? ["There are no files yet: make those that are needed."] : []),
    ...(newPaths.length === 0 ? [] : [showNewPaths(newPaths)]),
    `The instruction:\n\n${request.instruction}`,
    ...(request.report === undefined
      ? []
      : [
          "The change for this instruction was made, and the files above show it. A check of them is not content yet:",
          showReport(request.report),
          "Change what is needed so that the check is content, and nothing else.",
        ]),
  ];
  return [
    { role: "system", text: `${rules}\n\nHow to answer:\n\n${format.instructions.trimEnd()}\n` },
    { role: "user", text: `${sections.map((section) => section.trimEnd()).join("\n\n")}\n` },
  ];
}

function showNewPaths(paths: readonly string[]): string {
  return `Files that are not there yet, and that you may make, by these paths:\n\n${paths.map((path) => `- ${path}`).join("\n")}`;
}

/**
 * The messages as one text, for pasting into a chat: without their roles, with a blank line between
 * two.
 */
export function printPrompt(messages: readonly ChatMessage[]): string {
  return messages
    .map(({ text }) => text.trimEnd())
    .join("\n\n")
    .concat("\n");
}

const rules = `You change files of source code as an instruction says. Your answer is read by a program, which makes the edits in it.

- Change what the instruction asks for and nothing else. All other lines stay as they are: no tidying, renaming, moving or formatting beside it.
- Write new code in full. Never put dots or a remark such as "rest as before" in the place of code.
- Write new lines with the indentation that they have in the file, in the manner of the code around them.
- The files must still parse. When you replace a line that opens or closes a bracket, write that bracket again.
- Answer with edits only, without an explanation.
- If the files are as the instruction wants them already, answer that there is nothing to change, as shown below.
- The instruction may be in any language. The way to answer stays the same.`;

/** The most UTF-16 units of a report in a prompt, from its end, where programs print the result. */
const maxReportCharacters = 4000;

/**
 * Prints a verification report in a fence. Of a longer one than 4,000 UTF-16 units only the end is
 * printed, after `…`.
 */
export function showReport(report: RedactedText): string {
  const tail = report.length > maxReportCharacters ? `…${report.slice(-maxReportCharacters)}` : report;
  const fence = fenceFor(tail);
  return `${fence}\n${tail.trimEnd()}\n${fence}`;
}
