import { commands, type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { isLanguageOn, languageName } from "./language-switch.ts";
import { wrapped } from "./message-text.ts";
import { type StatusFacts, statusText } from "./status-text.ts";

/** How long `emend.snooze` pauses automatic suggestions, in minutes. */
export const snoozeMinutes = 5;

/** The longest row of the state, in UTF-16 code units. */
const maxRow = 80;

interface MenuItem extends QuickPickItem {
  readonly command: string;
  readonly values?: readonly unknown[];
}

/** Shows the menu of the status bar item: the state of Emend, and commands. */
export async function showMenu(facts: StatusFacts): Promise<void> {
  const language = window.activeTextEditor?.document.languageId;
  const { tooltip } = statusText(facts);
  const items: MenuItem[] = [
    ...(language === undefined
      ? []
      : [
          {
            label: `$(${isLanguageOn(language) ? "circle-slash" : "check"}) Turn ${isLanguageOn(language) ? "off" : "on"} for ${languageName(language)}`,
            command: "emend.toggleLanguage",
          },
        ]),
    facts.snoozedMinutes === undefined
      ? { label: `$(bell-slash) Snooze for ${snoozeMinutes} minutes`, command: "emend.snooze" }
      : { label: "$(bell) End the snooze", command: "emend.endSnooze" },
    { label: "$(question) Explain the last suggestion", command: "emend.explainLast" },
    { label: "$(arrow-right) Suggest the next edit", command: "emend.nextEdit.ask" },
    { label: "$(edit) Edit with an instruction…", command: "emend.editWithInstruction" },
    { label: "$(type-hierarchy) Plan a change from the selection…", command: "emend.planFromSelection" },
    { label: "$(type-hierarchy) Plan from uncommitted Git changes", command: "emend.planFromGitChanges" },
    { label: "$(discard) Undo the last edit by Emend", command: "emend.undoLastEdit" },
    { label: "$(server-environment) Set up a model", command: "emend.setUp" },
    { label: "$(key) Set an API key", command: "emend.setApiKey" },
    { label: "$(gear) Settings", command: "workbench.action.openSettings", values: ["@ext:emend.emend"] },
    { label: "$(output) Show the log", command: "emend.showLog" },
    { label: "$(debug-restart) Restart the language server", command: "emend.restart" },
  ];
  // A row cuts a long text, so the state has as many rows as it needs.
  const rows = wrapped(tooltip.replace(/\n+/g, " "), maxRow);
  const state: MenuItem[] = rows.map((row, index) => ({
    ...{ label: index === 0 ? `$(info) ${row}` : `$(blank) ${row}`, command: "emend.explainLast", alwaysShow: true },
  }));
  const separator: MenuItem = { label: "", kind: QuickPickItemKind.Separator, command: "" };
  const options = { title: "Emend", placeHolder: "Select a command" };
  const picked = await window.showQuickPick([...state, separator, ...items], options);
  if (picked !== undefined) await commands.executeCommand(picked.command, ...(picked.values ?? []));
}
