import { DidChangeWorkspaceFoldersNotification, InitializeRequest, Message } from "vscode-languageserver";
import { nameOf } from "../../codebase/index.ts";
import { toFileUri } from "../file-uri.ts";

/**
 * Makes a filter for messages from a page to its language server that restricts the server to the
 * served folder: `initialize` gets that folder only, and changes of the folders are dropped
 * (`undefined`).
 *
 * The page has only this folder to show. So a compromised page cannot have others read, searched or
 * changed.
 */
export function keepToFolder(root: string): (message: Message) => Message | undefined {
  const workspaceFolders = [{ uri: toFileUri(root), name: nameOf(root) || root }];
  return (message) => {
    if (Message.isRequest(message) && message.method === InitializeRequest.method) {
      const { rootPath: _, rootUri: __, ...params } = { ...message.params } as Record<string, unknown>;
      return { ...message, params: { ...params, rootUri: null, workspaceFolders } } as Message;
    }
    const isOfFolders =
      Message.isNotification(message) && message.method === DidChangeWorkspaceFoldersNotification.method;
    return isOfFolders ? undefined : message;
  };
}
