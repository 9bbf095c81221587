import type { Connection, ProgressToken } from "vscode-languageserver";
import { checkParams } from "./check-params.ts";
import { type CrashLog, guardRequest } from "./guard.ts";

/** Carries out a command with its arguments. The result is sent to the client. */
export type CommandHandler = (values: readonly unknown[], call: CommandCall) => unknown;

/** How a command was called. */
export interface CommandCall {
  readonly signal: AbortSignal;
  /** The token for `$/progress`, if the client sent one. */
  readonly progress: ProgressToken | undefined;
}

/**
 * Serves `workspace/executeCommand` with the handler of the command's name. An unknown command
 * answers `null`. A handler gets an empty list where the client sends no arguments; its errors are
 * answered as by {@link guardRequest}.
 */
export function serveCommands(
  connection: Connection,
  log: CrashLog,
  commands: Readonly<Record<string, CommandHandler>>,
): void {
  connection.onExecuteCommand(
    guardRequest("workspace/executeCommand", log, (params, signal) => {
      checkParams("workspace/executeCommand", params, { command: "text" });
      const { command, arguments: values, workDoneToken } = params;
      const handler = Object.hasOwn(commands, command) ? commands[command] : undefined;
      return handler?.(Array.isArray(values) ? values : [], { signal, progress: workDoneToken }) ?? null;
    }),
  );
}
