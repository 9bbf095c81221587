import type { JSX } from "preact";

/** A text in which the text between backticks is code. */
export function codeIn(text: string): readonly (JSX.Element | string)[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code key={`${at}`}>{part}</code> : part));
}
