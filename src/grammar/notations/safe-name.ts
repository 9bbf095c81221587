/**
 * The name that a rule or a token of another notation has here: `end` is the end of the text in
 * ours.
 */
export function safeName(name: string): string {
  return name === "end" ? "end_" : name;
}
