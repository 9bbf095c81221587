import { EmendError } from "../text/index.ts";
import { maskAddresses } from "./mask-secrets.ts";

/**
 * Why a model did not answer.
 *
 * `no-key`: a key is needed and none is there. `key-refused`: the server does not take the key.
 * `unreachable`: no server listens there, or the connection broke. `not-found`: no such model, or
 * no such route. `context-too-long`: the prompt does not fit. `rate-limited`: too many requests, or
 * the credit is used up. `busy`: the server is loading or has too much to do. `server-failed`: the
 * server broke. `request-refused`: the server does not take the request. `not-an-answer`: what came
 * is not what this protocol answers, such as a page of HTML. `cut-off`: the answer stopped without
 * an end. `timed-out`: nothing came for too long, or the whole answer took too long. `redirected`:
 * the server sends the request to another origin. `unsupported`: the model does not support the
 * request.
 */
export type ModelFailure =
  | "no-key"
  | "key-refused"
  | "unreachable"
  | "not-found"
  | "context-too-long"
  | "rate-limited"
  | "busy"
  | "server-failed"
  | "request-refused"
  | "not-an-answer"
  | "cut-off"
  | "timed-out"
  | "redirected"
  | "unsupported";

/** The sizes in a server's answer that a prompt is too long, as far as it names them. */
export interface TooLong {
  /** The tokens of the prompt. */
  readonly promptTokens?: number;
  /** The tokens that the model's context has. */
  readonly contextTokens?: number;
}

/** That a server took a request and sent nothing within a time limit. */
export interface Silence {
  /** A sentence without its full stop: `llama.cpp said nothing for 20 s`. */
  readonly what: string;
  /** The setting of the limit. */
  readonly setting: string;
}

/** A model could not answer. The message is one line: the cause, and what to do about it. */
export class ModelError extends EmendError {
  declare readonly code: ModelFailure;
  /** The request, where one was sent to a server. */
  readonly url: string | undefined;
  /** The HTTP status of the answer, where there was one. */
  readonly status: number | undefined;
  /** Set where the code is `context-too-long` and the server names sizes. */
  readonly tooLong: TooLong | undefined;
  /** Set where the code is `timed-out` since nothing came for too long. */
  readonly silence: Silence | undefined;

  /** Names, passwords and keys in the addresses of `message` and `url` are masked. */
  constructor(
    code: ModelFailure,
    message: string,
    options: {
      readonly url?: string | undefined;
      readonly status?: number | undefined;
      readonly tooLong?: TooLong | undefined;
      readonly silence?: Silence | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    // An address may hold a password, and its query a key.
    super(code, maskAddresses(message), { cause: options.cause });
    this.url = options.url === undefined ? undefined : maskAddresses(options.url);
    this.status = options.status;
    this.tooLong = options.tooLong;
    this.silence = options.silence;
  }

  /** Whether the server refuses requests because it is still loading its model. */
  get isLoading(): boolean {
    return this.code === "busy" && /loading/i.test(this.message);
  }
}
