/**
 * A text of the server for a place of VS Code that shows plain text, such as a message: code is in
 * single quotes, as in the messages of VS Code, instead of Markdown's backticks.
 */
export function quotedCode(text: string): string {
  return text.replace(/`([^`\n]+)`/g, "'$1'");
}

/** The text of a message of the extension, which begins with its name. */
export function messageText(text: string): string {
  return `Emend: ${quotedCode(text)}`;
}
