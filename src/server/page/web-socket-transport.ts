import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-languageserver";
import type { RawData, WebSocket } from "ws";
import { isRecord } from "../../text/index.ts";
import type { LanguageServerTransport } from "../protocol-gate.ts";

/**
 * The largest message from a page, in bytes: the text of the largest file, and its JSON encoding.
 */
export const maxMessageBytes = 64_000_000;

/**
 * The most bytes that wait for a page that does not read; with more it is disconnected, and
 * reconnects.
 */
const maxWaitingBytes = 64_000_000;

/** A filter for incoming messages; `undefined` drops the message. */
export type MessageGate = (message: Message) => Message | undefined;

/**
 * Messages over a WebSocket, each in one text frame. Incoming messages pass through `gate`, if
 * there is one, which may change a message, or drop it by returning `undefined`.
 */
export function webSocketTransport(
  socket: WebSocket,
  gate: MessageGate = (message) => message,
): LanguageServerTransport {
  return { reader: new WebSocketReader(socket, gate), writer: new WebSocketWriter(socket) };
}

class WebSocketReader extends AbstractMessageReader implements MessageReader {
  readonly #socket: WebSocket;
  readonly #gate: MessageGate;

  constructor(socket: WebSocket, gate: MessageGate) {
    super();
    this.#socket = socket;
    this.#gate = gate;
    socket.on("close", () => this.fireClose());
    socket.on("error", (error) => this.fireError(error));
  }

  listen(callback: DataCallback): Disposable {
    const listener = (data: RawData, isBinary: boolean) => {
      if (isBinary) this.#socket.close(1003, "Messages are text.");
      else this.#read(data.toString(), callback);
    };
    this.#socket.on("message", listener);
    return { dispose: () => void this.#socket.off("message", listener) };
  }

  #read(text: string, callback: DataCallback): void {
    const message = tryMessage(text);
    // The connection logs the error and continues: what is not a message needs no answer.
    const passed = message && this.#gate(message);
    if (message === undefined) this.fireError(new Error(`This is not a message: ${text.slice(0, 80)}`));
    else if (passed !== undefined) callback(passed);
  }
}

function tryMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && "jsonrpc" in value ? (value as unknown as Message) : undefined;
  } catch {
    return undefined;
  }
}

class WebSocketWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #socket: WebSocket;
  #errors = 0;

  constructor(socket: WebSocket) {
    super();
    this.#socket = socket;
    socket.on("close", () => this.fireClose());
  }

  /**
   * Resolves when the message has left this process, so that awaiting it limits writing to the
   * page's reading speed.
   */
  async write(message: Message): Promise<void> {
    try {
      await this.#send(JSON.stringify(message));
      this.#errors = 0;
    } catch (error) {
      this.#errors += 1;
      this.fireError(error, message, this.#errors);
      throw error;
    }
  }

  end(): void {
    this.#socket.close();
  }

  #send(text: string): Promise<void> {
    if (this.#socket.bufferedAmount > maxWaitingBytes) this.#socket.terminate();
    return new Promise((resolve, reject) => {
      this.#socket.send(text, (error) => (error ? reject(error) : resolve()));
    });
  }
}
