import { ErrorCodes, LSPErrorCodes, ResponseError } from "vscode-languageserver";

/** A request that asks for what cannot be: the message says what is wanted instead. */
export function wrongParams(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

/** A request that could not be carried out: the message says why, and what helps. */
export function requestFailed(message: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
