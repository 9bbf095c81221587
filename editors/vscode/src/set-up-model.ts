import { type ExtensionContext, window, workspace } from "vscode";
import { storedKeys } from "./api-keys.ts";
import { serverProgram } from "./language-client.ts";
import { emendCommand } from "./server-command.ts";

/**
 * Runs a program with the terminal, and waits for a key after its end: VS Code closes a terminal
 * whose program has ended.
 */
const keepOpen = `
const [command, ...args] = process.argv.slice(1);
process.on("SIGINT", () => {});
const child = require("node:child_process").spawn(command, args, { stdio: "inherit" });
child.on("error", (error) => console.error(error.message));
child.on("close", () => {
  console.log("\\nPress Enter to close.");
  process.stdin.once("data", () => process.exit());
});
`;

/** Opens a terminal that runs `emend setup` of the configured server. */
export async function setUpModel(context: ExtensionContext): Promise<void> {
  const { command, args, environment } = emendCommand(serverProgram(context), ["setup"]);
  const { document } = window.activeTextEditor ?? {};
  const folder = (document && workspace.getWorkspaceFolder(document.uri)) ?? workspace.workspaceFolders?.[0];
  const terminal = window.createTerminal({
    ...{ name: "Emend: Set Up a Model", shellPath: process.execPath, shellArgs: ["-e", keepOpen, command, ...args] },
    env: { ...environment, ELECTRON_RUN_AS_NODE: "1", ...(await storedKeys(context)) },
    ...(folder && { cwd: folder.uri }),
  });
  terminal.show();
}
