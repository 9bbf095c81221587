import {
  type DataCallback,
  ErrorCodes,
  type Event,
  type Message,
  type MessageReader,
  type MessageWriter,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
} from "vscode-languageserver";
import type { ProtocolConnection } from "vscode-languageserver/node";
import { maskTexts, type SecretMask } from "../model/index.ts";

/** Receives a client's messages and sends the server's. */
export interface LanguageServerTransport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

/**
 * Wraps a transport so that the lifecycle of the Language Server Protocol is enforced before the
 * connection receives a message.
 *
 * - Before `initialize`, other requests are answered with -32002 (`ServerNotInitialized`), and
 *   notifications except `exit` are dropped. Messages between `initialize` and its answer are
 *   queued until the answer.
 * - A second `initialize`, and every request after `shutdown`, is answered with -32600
 *   (`InvalidRequest`); notifications after `shutdown` except `exit` are dropped.
 * - Anything that is not a message, batches included, is answered with -32600.
 *
 * Source: Language Server Protocol 3.18, "Server lifecycle".
 */
export function protocolGate({ reader, writer }: LanguageServerTransport): LanguageServerTransport {
  const gate = new ProtocolGate(writer);
  return { reader: gate.readerOver(reader), writer: gate.writerOver(writer) };
}

type Stage = "new" | "initializing" | "serving" | "shut-down";

class ProtocolGate {
  readonly #writer: MessageWriter;
  #stage: Stage = "new";
  #initializeId: RequestMessage["id"] = null;
  /** The messages that have arrived since `initialize`, which is not answered yet. */
  #waiting: Message[] = [];
  #callback: DataCallback = () => undefined;

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  readerOver(reader: MessageReader): MessageReader {
    return {
      onError: reader.onError as Event<Error>,
      onClose: reader.onClose,
      onPartialMessage: reader.onPartialMessage,
      dispose: () => reader.dispose(),
      listen: (callback: DataCallback) => {
        this.#callback = callback;
        return reader.listen((message) => this.#receive(message));
      },
    };
  }

  writerOver(writer: MessageWriter): MessageWriter {
    return writerBy(writer, (message) => {
      const written = writer.write(message);
      this.#answered(message);
      return written;
    });
  }

  #receive(message: Message): void {
    if (this.#stage === "initializing" && needsInitialized(message)) this.#waiting.push(message);
    else if (this.#isForwarded(message)) this.#callback(message);
  }

  #isForwarded(message: unknown): boolean {
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      const what = Array.isArray(message) ? "Batches of messages are not supported" : "This is not a message";
      this.#refuse(null, ErrorCodes.InvalidRequest, `${what}. Send one JSON object at a time.`);
      return false;
    }
    const { id, method } = message as Partial<RequestMessage>;
    if (method === undefined) {
      if ("result" in message || "error" in message) return true;
      this.#refuse(idOf(id), ErrorCodes.InvalidRequest, "A message has a method, a result or an error.");
      return false;
    }
    if (typeof method !== "string") {
      this.#refuse(idOf(id), ErrorCodes.InvalidRequest, "The method of a message is a string.");
      return false;
    }
    if (!("id" in message)) return method === "exit" || this.#stage === "serving";
    if (typeof id !== "string" && typeof id !== "number") {
      this.#refuse(null, ErrorCodes.InvalidRequest, "The id of a request is a string or a number.");
      return false;
    }
    return this.#isRequestForwarded(id, method);
  }

  #isRequestForwarded(id: string | number, method: string): boolean {
    switch (this.#stage) {
      case "new":
      case "initializing":
        if (method === "initialize" && this.#stage === "new") {
          this.#stage = "initializing";
          this.#initializeId = id;
          return true;
        }
        if (method === "initialize") this.#refuse(id, ErrorCodes.InvalidRequest, "`initialize` is sent once.");
        else this.#refuse(id, ErrorCodes.ServerNotInitialized, `\`${method}\` came before \`initialize\`.`);
        return false;
      case "serving":
        if (method === "shutdown") this.#stage = "shut-down";
        if (method !== "initialize") return true;
        this.#refuse(id, ErrorCodes.InvalidRequest, "`initialize` is sent once.");
        return false;
      case "shut-down":
        this.#refuse(id, ErrorCodes.InvalidRequest, `\`${method}\` came after \`shutdown\`. Send \`exit\`.`);
        return false;
    }
  }

  /**
   * Starts serving after a successful answer to `initialize`; after an error the client may try
   * again.
   */
  #answered(message: Message): void {
    if (this.#stage !== "initializing" || !("id" in message) || "method" in message) return;
    const { id, error } = message as ResponseMessage;
    if (id !== this.#initializeId) return;
    this.#stage = error === undefined ? "serving" : "new";
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) this.#receive(one);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    const response: ResponseMessage = { jsonrpc: "2.0", id, error: { code, message } };
    // Ignore a failed write: the client has disconnected, which the connection notices.
    this.#writer.write(response).catch(() => undefined);
  }
}

/** Whether a message needs an initialized server, so that it is queued during `initialize`. */
function needsInitialized(message: Message): boolean {
  const { method } = (message ?? {}) as Partial<RequestMessage>;
  return typeof method === "string" && method !== "initialize" && method !== "exit";
}

function idOf(id: unknown): string | number | null {
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/**
 * Wraps a writer so that configured secrets are masked in texts for people and logs: messages,
 * progress, status and errors.
 *
 * Results that contain code stay as they are, because an editor writes them into files.
 */
export function maskedMessages(writer: MessageWriter, mask: SecretMask): MessageWriter {
  return writerBy(writer, (message) => writer.write(maskedMessage(message, mask)));
}

/** A writer that writes each message by `write`. */
function writerBy(writer: MessageWriter, write: MessageWriter["write"]): MessageWriter {
  return {
    onError: writer.onError,
    onClose: writer.onClose,
    dispose: () => writer.dispose(),
    end: () => writer.end(),
    write,
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
