import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/**
 * A model server that speaks llama.cpp's protocols and answers at once: the same short text to a
 * completion, {@link chatAnswer} to a chat.
 */
export class InstantServer implements AsyncDisposable {
  chatAnswer = "";
  readonly #server: Server;

  /** Listens on a free port of this machine. */
  static async open(): Promise<InstantServer> {
    const server = new InstantServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** The model's name for Emend. */
  get model(): string {
    return `llamacpp:http://127.0.0.1:${(this.#server.address() as { readonly port: number }).port}#instant`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const _ of request);
    const isChat = request.url?.endsWith("/chat/completions") === true;
    if (!isChat && request.url !== "/infill" && request.url !== "/completion") {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const choice = (delta: object, reason: string | null) => ({
      ...{ id: "chat-1", object: "chat.completion.chunk", created: 1, model: "instant" },
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const messages = isChat
      ? [choice({ role: "assistant", content: this.chatAnswer }, null), choice({}, "stop")]
      : [
          { content: "value1", stop: false },
          { content: "", stop: true, stop_type: "eos" },
        ];
    const data = messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join("");
    response.end(isChat ? `${data}data: [DONE]\n\n` : data);
  }
}
