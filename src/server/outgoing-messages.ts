import type { Message, MessageWriter, NotificationMessage, ResponseMessage } from "vscode-languageserver";
import type { ProtocolConnection } from "vscode-languageserver/node";
import { maskTexts, type SecretMask } from "../model/index.ts";

/**
 * Wraps a writer so that configured secrets are masked in texts for people and logs: messages,
 * progress, status and errors.
 *
 * Results that contain code stay as they are, because an editor writes them into files.
 */
export function maskedMessages(writer: MessageWriter, mask: SecretMask): MessageWriter {
  return {
    onError: writer.onError,
    onClose: writer.onClose,
    dispose: () => writer.dispose(),
    end: () => writer.end(),
    write: (message) => writer.write(maskedMessage(message, mask)),
  };
}

function maskedMessage(message: Message, mask: SecretMask): Message {
  const { method, params } = message as Partial<NotificationMessage>;
  if (method !== undefined) {
    return proseMethods.test(method) ? ({ ...message, params: maskTexts(params, mask) } as Message) : message;
  }
  const { error } = message as ResponseMessage;
  return error === undefined ? message : ({ ...message, error: maskTexts(error, mask) } as Message);
}

/** Methods whose parameters contain no code. */
const proseMethods = /^(window\/(logMessage|showMessage|showMessageRequest)|\$\/(progress|logTrace)|didChangeStatus)$/;

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
