import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from "vscode-languageserver";

/** Who is told of a crash. */
export interface CrashLog {
  /** `what` names the message that was being answered. */
  crashed(what: string, error: unknown): void;
  /** A message that nobody waits for an answer to is not as the protocol wants it. */
  refused(message: string): void;
}

/**
 * Makes a handler of requests out of a function that takes a signal. A crash in it is logged and answered as an error,
 * and a request that the client took back is answered as the protocol wants it, so that the server lives on.
 */
export function fenceRequest<Params, Result>(
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
      const message = error instanceof Error ? error.message : String(error);
      return new ResponseError<void>(ErrorCodes.InternalError, `${what} failed: ${message}`);
    } finally {
      listening.dispose();
    }
  };
}

/** Answers a request that the protocol does not know. It may come with parameters or without: `params` is `{}` then. */
export function serveRequest<Params extends object, Result>(
  connection: Connection,
  what: string,
  log: CrashLog,
  answer: (params: Partial<Params>, signal: AbortSignal) => Result | Promise<Result>,
): void {
  const fenced = fenceRequest<Partial<Params>, unknown>(what, log, answer);
  connection.onRequest(what, (...given: unknown[]) => {
    const token = given.at(-1) as CancellationToken;
    const [params] = given.length > 1 ? given : [];
    return fenced(typeof params === "object" && params !== null ? params : {}, token);
  });
}

/** Makes a handler of notifications: a crash in it is logged, as is a message that cannot be read, and harms nobody else. */
export function fenceNotification<Params>(
  what: string,
  log: CrashLog,
  take: (params: Params) => void | Promise<void>,
): (params: Params) => Promise<void> {
  return async (params) => {
    try {
      await take(params);
    } catch (error) {
      if (error instanceof ResponseError) log.refused(error.message);
      else log.crashed(what, error);
    }
  };
}
