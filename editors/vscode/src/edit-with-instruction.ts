import { commands, env, window } from "vscode";
import { errorMessage } from "../../../src/text/index.ts";
import { changedFiles, messageText } from "./message-text.ts";
import type { EditAnswer, EditArgument, EditPromptAnswer, EditUndoParams, EditUndoResult } from "./protocol.ts";
import type { ServerLink } from "./server-link.ts";

/**
 * Prompts for an instruction and requests the server to edit the active document, or its selection.
 * Where no model can do it, the prompt can be copied for any chat, and the chat's answer pasted.
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
  const argument: EditArgument = {
    ...{ instruction, uris: [document.uri.toString()] },
    ...(!selection.isEmpty && { range: { start: selection.start, end: selection.end } }),
  };
  let answer: EditAnswer;
  try {
    answer = await run<EditAnswer>(server, "emend.edit", argument);
  } catch (error) {
    return offerFirstPrompt(server, argument, errorMessage(error));
  }
  if (answer.kind !== "refused") return showOutcome(server, argument, answer);
  await offerFirstPrompt(server, argument, notChanged(answer));
}

/**
 * Undoes the last edit that was saved, such as before a restart. VS Code reads the files from the
 * disk again.
 */
export async function undoSavedEdit(server: ServerLink): Promise<void> {
  const uri = window.activeTextEditor?.document.uri;
  const params: EditUndoParams = uri?.scheme === "file" ? { uri: uri.toString() } : {};
  const { isUndone, edit, failureReason } = await server.request<EditUndoResult>("emend/edit/undo", params);
  const message =
    edit === undefined
      ? "There is no edit by Emend to undo."
      : isUndone
        ? `undone and saved in ${changedFiles(edit.paths)}: ${edit.instruction}`
        : (failureReason ?? "The edit was not undone.");
  void window.showInformationMessage(messageText(message));
}

/** Offers another model, or the prompt for any chat, where no model carried out the instruction. */
async function offerFirstPrompt(server: ServerLink, argument: EditArgument, message: string): Promise<void> {
  // Fails in the same way where the document must not be sent to a model.
  const { text } = await run<EditPromptAnswer>(server, "emend.editPrompt", argument);
  await offerPrompt(server, argument, { message, prompt: text, choices: [chooseModel] });
}

function notChanged({ failureReason, explanation }: EditAnswer): string {
  return `nothing was changed. ${failureReason ?? explanation.split("\n")[0] ?? ""}`;
}

const chooseModel = "Choose a Model";
const copyPrompt = "Copy the Prompt";
const pasteAnswer = "Paste the Answer";

function run<Answer>(server: ServerLink, command: string, argument: EditArgument): Promise<Answer> {
  return server.request<Answer>("workspace/executeCommand", { command, arguments: [argument] });
}

async function showOutcome(server: ServerLink, argument: EditArgument, answer: EditAnswer): Promise<void> {
  const { isApplied, explanation, notes, model, followUpPrompt } = answer;
  if (isApplied) {
    // Only repairs and omitted edits deserve a message that the user has to close.
    if (notes.length === 0 && !explanation.includes("\n"))
      window.setStatusBarMessage(`Emend: edited by ${model}.`, 5_000);
    else void window.showInformationMessage(messageText(explanation.split("\n")[0] ?? ""), { detail: explanation });
    return;
  }
  const message = notChanged(answer);
  if (argument.answer === undefined || followUpPrompt === undefined)
    return void window.showWarningMessage(messageText(message));
  await offerPrompt(server, argument, { message, prompt: followUpPrompt, choices: [] });
}

/**
 * Shows a message with a button that copies a prompt for a chat, then one that reads its answer.
 */
async function offerPrompt(
  server: ServerLink,
  argument: EditArgument,
  offer: { readonly message: string; readonly prompt: string; readonly choices: readonly string[] },
): Promise<void> {
  const choice = await window.showErrorMessage(messageText(offer.message), ...offer.choices, copyPrompt);
  if (choice === chooseModel) await commands.executeCommand("workbench.action.openSettings", "emend.edit.model");
  if (choice !== copyPrompt) return;
  await env.clipboard.writeText(offer.prompt);
  let request = "The prompt is in the clipboard. Paste it into any chat, and copy the whole answer.";
  for (;;) {
    if ((await window.showInformationMessage(messageText(request), pasteAnswer)) !== pasteAnswer) return;
    const answer = await env.clipboard.readText();
    if (answer.trim() !== "" && answer !== offer.prompt) {
      const pasted = { ...argument, answer };
      return showOutcome(server, pasted, await run<EditAnswer>(server, "emend.edit", pasted));
    }
    request = "The clipboard has no answer yet. Copy the whole answer of the chat.";
  }
}
