import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  type RemoteConsole,
  ResponseError,
} from "vscode-languageserver";
import { errorMessage } from "../text/index.ts";

/** Logs the errors of guarded handlers in the client. */
export class CrashLog {
  readonly #console: RemoteConsole;

  constructor(console: RemoteConsole) {
    this.#console = console;
  }

  /** Logs an error that is a bug; `what` is the method that was handled. */
  crashed(what: string, error: unknown): void {
    const detail = (error instanceof Error ? error.stack : undefined) ?? errorMessage(error);
    this.#console.error(`${what} crashed: ${detail}`);
  }

  /** Logs that a notification is invalid. (For requests, the error is the answer.) */
  refused(message: string): void {
    this.#console.warn(message);
  }
}

/**
 * Makes a request handler of a function that takes an `AbortSignal`. A thrown `ResponseError` is
 * the answer; any other error is logged and answered as `InternalError`, so that the server keeps
 * running. A request that the client cancelled is answered with `RequestCancelled`.
 */
export function guardRequest<Params, Result>(
  what: string,
  log: CrashLog,
  answer: (params: Params, signal: AbortSignal) => Result | Promise<Result>,
): (params: Params, token: CancellationToken) => Promise<Result | ResponseError<void>> {
  return async (params, token) => {
    const controller = new AbortController();
    const cancelled = new ResponseError<void>(LSPErrorCodes.RequestCancelled, `${what} was cancelled`);
    const listening = token.onCancellationRequested(() => controller.abort(cancelled));
    try {
      if (token.isCancellationRequested) return cancelled;
      const result = await answer(params, controller.signal);
      return controller.signal.aborted ? cancelled : result;
    } catch (error) {
      if (controller.signal.aborted) return cancelled;
      if (error instanceof ResponseError) return error;
      log.crashed(what, error);
      const message = errorMessage(error);
      return new ResponseError<void>(ErrorCodes.InternalError, `${what} failed: ${message}`);
    } finally {
      listening.dispose();
    }
  };
}

/**
 * Serves a request that is not part of the protocol. `params` is `{}` where the client sends none.
 * Errors are answered as by {@link guardRequest}.
 */
export function serveRequest<Params extends object, Result>(
  connection: Connection,
  what: string,
  log: CrashLog,
  answer: (params: Partial<Params>, signal: AbortSignal) => Result | Promise<Result>,
): void {
  const guarded = guardRequest<Partial<Params>, unknown>(what, log, answer);
  connection.onRequest(what, (...args: unknown[]) => {
    const token = args.at(-1) as CancellationToken;
    const [params] = args.length > 1 ? args : [];
    return guarded(typeof params === "object" && params !== null ? params : {}, token);
  });
}

/**
 * Makes a notification handler that never throws: a `ResponseError`, such as for invalid
 * parameters, is logged as refused, any other error as a crash.
 */
export function guardNotification<Params>(
  what: string,
  log: CrashLog,
  handle: (params: Params) => void | Promise<void>,
): (params: Params) => Promise<void> {
  return async (params) => {
    try {
      await handle(params);
    } catch (error) {
      if (error instanceof ResponseError) log.refused(error.message);
      else log.crashed(what, error);
    }
  };
}

/**
 * Makes the error of a request with invalid parameters, to be thrown; `message` contains what is
 * required instead.
 */
export function wrongParams(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

/**
 * Makes the error of a request that could not be carried out, to be thrown; `message` contains why,
 * and what helps.
 */
export function requestFailed(message: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
