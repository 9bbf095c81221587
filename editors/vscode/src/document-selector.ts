/** The documents that get next edits: files and untitled documents. */
export const documentSelector = [{ scheme: "file" }, { scheme: "untitled" }];
