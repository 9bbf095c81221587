import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** How slowly a scripted server answers. */
export interface ScriptedServerOptions {
  /** Milliseconds until the first piece of an answer. */
  readonly firstMs: number;
  /** Milliseconds between two pieces. */
  readonly pieceMs: number;
}

/** UTF-16 units of a piece, about a token. */
const pieceLength = 4;

/** The most lines of an answer. */
const maxLines = 4;

/** On every so-manieth line the script answers something else than what is going to be typed. */
const wrongEvery = 3;

/**
 * A model server that speaks llama.cpp's protocol and knows what is going to be typed: it streams
 * the next lines of the file, slowly, and on every third line something wrong.
 */
export class ScriptedSlowServer implements AsyncDisposable {
  /** What is being typed. */
  truth = "";
  /** Requests for text, and how many of them were given up before their end. */
  readonly counts = { requests: 0, abandoned: 0 };
  readonly #options: ScriptedServerOptions;
  readonly #server: Server;

  /** Listens on a free port of this machine. */
  static async open(options: ScriptedServerOptions): Promise<ScriptedSlowServer> {
    const server = new ScriptedSlowServer(options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  private constructor(options: ScriptedServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** The model's name for Emend. */
  get model(): string {
    const { port } = this.#server.address() as { readonly port: number };
    return `llamacpp:http://127.0.0.1:${port}#scripted-slow`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    if (request.url !== "/infill") {
      response.writeHead(404).end();
      return;
    }
    this.counts.requests += 1;
    const { input_prefix: before, prompt } = JSON.parse(body) as Readonly<Record<"input_prefix" | "prompt", string>>;
    const answer = this.#continuationOf(before + prompt);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const { firstMs, pieceMs } = this.#options;
    await wait(firstMs);
    for (let at = 0; at < answer.length; at += pieceLength) {
      if (response.destroyed) break;
      response.write(`data: ${JSON.stringify({ content: answer.slice(at, at + pieceLength), stop: false })}\n\n`);
      await wait(pieceMs);
    }
    if (response.destroyed) this.counts.abandoned += 1;
    else response.end(`data: ${JSON.stringify({ content: "", stop: true, stop_type: "eos" })}\n\n`);
  }

  /**
   * What the script answers behind `prefix`: nothing when that is not the beginning of what is
   * typed.
   */
  #continuationOf(prefix: string): string {
    if (!this.truth.startsWith(prefix)) return "";
    const lines = this.truth.slice(prefix.length).split("\n").slice(0, maxLines);
    const lineIndex = prefix.split("\n").length;
    return lineIndex % wrongEvery === 0 ? `scripted_${lineIndex};` : lines.join("\n");
  }
}
