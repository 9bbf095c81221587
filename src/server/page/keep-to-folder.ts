import { DidChangeWorkspaceFoldersNotification, InitializeRequest, Message } from "vscode-languageserver";
import { nameOf } from "../../codebase/index.ts";
import { toFileUri } from "../file-uri.ts";

/**
 * What becomes of a message on its way from a page to its language server: the server works in the folder that is served and in no other,
 * whatever the page says. `undefined` for a message that would be about another one.
 *
 * A page has only this folder to show. So one that was led astray has no way to have others read, searched or changed.
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
