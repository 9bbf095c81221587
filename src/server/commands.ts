import type { Connection, ProgressToken } from "vscode-languageserver";
import { checkParams } from "./check-params.ts";
import { type CrashLog, fenceRequest } from "./fence.ts";

/** What a command does with its arguments. Whatever it answers goes to the client. */
export type CommandHandler = (values: readonly unknown[], call: CommandCall) => unknown;

/** The call of a command. */
export interface CommandCall {
  readonly signal: AbortSignal;
  /** Where the client wants to hear how it goes on, if it said so. */
  readonly progress: ProgressToken | undefined;
}

/** `workspace/executeCommand`, by the commands' names. A command that there is not does nothing. */
export function serveCommands(
  connection: Connection,
  log: CrashLog,
  commands: Readonly<Record<string, CommandHandler>>,
): void {
  connection.onExecuteCommand(
    fenceRequest("workspace/executeCommand", log, (params, signal) => {
      checkParams("workspace/executeCommand", params, { command: "text" });
      const { command, arguments: values, workDoneToken } = params;
      const handler = Object.hasOwn(commands, command) ? commands[command] : undefined;
      return handler?.(Array.isArray(values) ? values : [], { signal, progress: workDoneToken }) ?? null;
    }),
  );
}
