/**
 * The names of the tags between which models write their reasoning, such as `<think>`. All engines
 * use this list.
 */
export const reasoningTagNames = ["think", "thinking", "thought", "reasoning"] as const;

const names = reasoningTagNames.join("|");
const anyTag = new RegExp(`</?(?:${names})>`);
const anyOpening = new RegExp(`<(?:${names})>`);
const leadingOpening = new RegExp(`^\\s*<(${names})>`);
const leadingTag = new RegExp(`^\\s*</?(?:${names})>`);
const closingRow = new RegExp(`^[ \\t]*</(${names})>[ \\t]*\\r?$`);

/**
 * Whether a text contains a tag of {@link reasoningTagNames}, such as `<think>` or `</think>`. Tags
 * are in lower case and have no attributes.
 */
export function hasReasoningTag(text: string): boolean {
  return anyTag.test(text);
}

/** Whether a text contains an opening tag of {@link reasoningTagNames}, such as `<think>`. */
export function hasReasoningOpening(text: string): boolean {
  return anyOpening.test(text);
}

/**
 * Returns the opening tag at the start of a text: its name, and as `opening` the tag with the white
 * space before it; `undefined` if there is none.
 */
export function leadingReasoningTag(text: string): { readonly opening: string; readonly name: string } | undefined {
  const [opening, name] = leadingOpening.exec(text) ?? [];
  return opening === undefined ? undefined : { opening, name: name! };
}

/**
 * Returns the name of the closing tag that a row consists of, with blanks around it and a `\r`
 * behind it allowed; `undefined` for any other row.
 */
export function closingReasoningRow(row: string): string | undefined {
  return closingRow.exec(row)?.[1];
}

/**
 * Whether a row begins with a tag of {@link reasoningTagNames}, opening or closing, after white
 * space.
 */
export function beginsWithReasoningTag(row: string): boolean {
  return leadingTag.test(row);
}
