import type { ProtocolConnection } from "vscode-languageserver/node";

/**
 * Changes a connection so that notifications which it cannot send are dropped: the client has
 * disconnected. A handler, a timer or a workspace that opens may finish after that and report
 * something. `sendNotification` throws synchronously on a closed connection and rejects for a
 * failed write; unhandled, both end the process with all other connections of a served page.
 */
export function dropLateNotifications(connection: ProtocolConnection): ProtocolConnection {
  const send = connection.sendNotification as (...message: readonly unknown[]) => Promise<void>;
  const sendNotification = async (...message: readonly unknown[]) => {
    try {
      await send(...message);
    } catch {
      // The connection logs a failed write itself.
    }
  };
  return Object.assign(connection, { sendNotification });
}
