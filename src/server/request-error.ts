import { ErrorCodes, LSPErrorCodes, ResponseError } from "vscode-languageserver";

/** The error of a request with invalid parameters; `message` contains what is required instead. */
export function wrongParams(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

/** The error of a request that could not be carried out; `message` contains why, and what helps. */
export function requestFailed(message: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
