import type { Message, MessageWriter, NotificationMessage, ResponseMessage } from "vscode-languageserver";
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
