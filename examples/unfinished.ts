import { Edit } from "../src/text/edit.ts";

/** Puts a line at the very start of a text. */
export function prepend(line: string): Edit {
  return Edit.ins
}
