/**
 * A string in code: in single quotes where those are asked for and it needs no escape in them, else
 * in double ones.
 */
export function quoted(text: string, quote: string | undefined): string {
  return quote === "'" && !/['\\\n]/.test(text) ? `'${text}'` : JSON.stringify(text);
}
