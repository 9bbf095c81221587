import { window } from "vscode";
import { errorMessage } from "../../../src/text/index.ts";
import type { EditAnswer } from "./protocol.ts";
import type { ServerLink } from "./server-link.ts";

/**
 * Prompts for an instruction and requests the server to edit the active document, or its selection.
 */
export async function editWithInstruction(server: ServerLink): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    void window.showInformationMessage("Open the document to edit.");
    return;
  }
  const { document, selection } = editor;
  const instruction = await window.showInputBox({
    title: selection.isEmpty ? "Edit the document" : "Edit the selection",
    prompt: "The instruction, in any language",
    placeHolder: "for example: handle an empty list",
    ignoreFocusOut: true,
  });
  if (instruction === undefined || instruction.trim() === "") return;
  const argument = {
    ...{ instruction, uris: [document.uri.toString()] },
    ...(!selection.isEmpty && { range: { start: selection.start, end: selection.end } }),
  };
  try {
    const params = { command: "emend.edit", arguments: [argument] };
    const answer = await server.request<EditAnswer>("workspace/executeCommand", params);
    await showOutcome(answer);
  } catch (error) {
    void window.showErrorMessage(`Emend: ${errorMessage(error)}`);
  }
}

async function showOutcome({ isApplied, failureReason, explanation, notes, model }: EditAnswer): Promise<void> {
  const first = explanation.split("\n")[0] ?? "";
  if (isApplied) {
    // Only repairs and omitted edits deserve a message that the user has to close.
    if (notes.length === 0 && !explanation.includes("\n"))
      window.setStatusBarMessage(`Emend: edited by ${model}.`, 5_000);
    else void window.showInformationMessage(`Emend: ${first}`, { detail: explanation });
    return;
  }
  void window.showWarningMessage(`Emend: nothing was changed. ${failureReason ?? first}`);
}
