/**
 * The colours and the font of VS Code's theme for the page of a plan, which otherwise follows the
 * system. It contains no `<`, `>` or `&`. The label of a link is shown with its link: at the width
 * of an editor beside another one, all labels would lie over the nodes.
 */
export const editorStyle = `
body { color-scheme: inherit; font-family: var(--vscode-font-family); font-size: var(--vscode-font-size);
  --paper: var(--vscode-editor-background); --ink: var(--vscode-editor-foreground); --soft: var(--vscode-descriptionForeground);
  --line: var(--vscode-editorWidget-border, var(--vscode-widget-border, var(--soft))); --mark: var(--vscode-focusBorder);
  --touched: var(--vscode-diffEditor-insertedTextBackground); --broken: var(--vscode-diffEditor-removedTextBackground);
  --changed: var(--vscode-editor-selectionBackground); --todo: var(--vscode-inputValidation-warningBackground); }
.named .link text { opacity: 0; } .link.lit text, .link:hover text { opacity: 1; }
`;
