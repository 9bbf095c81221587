import { ConnectionError, type ProtocolConnection } from "vscode-languageserver/node";

/**
 * Changes a connection so that notifications after its end are dropped. A handler, a timer or a
 * workspace that opens may finish later and report something; `sendNotification` would throw
 * synchronously, which ends the process with all other connections of a served page.
 */
export function dropLateNotifications(connection: ProtocolConnection): ProtocolConnection {
  const send = connection.sendNotification as (...message: readonly unknown[]) => Promise<void>;
  const sendNotification = async (...message: readonly unknown[]) => {
    try {
      await send(...message);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  };
  return Object.assign(connection, { sendNotification });
}
