import { window } from "vscode";
import type { EditAnswer } from "./protocol.ts";
import type { ServerLink } from "./server-link.ts";

/**
 * Asks the person for an instruction, and the server to carry it out in the document that is looked
 * at; what is selected is what it is about.
 */
export async function editWithInstruction(server: ServerLink): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    void window.showInformationMessage("Open the document that is to be edited.");
    return;
  }
  const { document, selection } = editor;
  const instruction = await window.showInputBox({
    title: selection.isEmpty ? "Edit the document" : "Edit the selection",
    prompt: "What is to be done, in any language",
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
    await tellOutcome(answer);
  } catch (error) {
    void window.showErrorMessage(`Emend: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function tellOutcome({ isApplied, failureReason, explanation, notes, model }: EditAnswer): Promise<void> {
  const first = explanation.split("\n")[0] ?? "";
  if (isApplied) {
    // What was repaired or left out is worth a look; nothing else is worth a message that has to be
    // closed.
    if (notes.length === 0 && !explanation.includes("\n"))
      window.setStatusBarMessage(`Emend: edited by ${model}.`, 5_000);
    else void window.showInformationMessage(`Emend: ${first}`, { detail: explanation });
    return;
  }
  void window.showWarningMessage(`Emend: nothing is changed. ${failureReason ?? first}`);
}
