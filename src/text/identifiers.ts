/**
 * Whether a text is an identifier of JavaScript, reserved words included. Escapes (`\u0061`) and
 * the joiners U+200C and U+200D count as no part of one.
 */
export function isIdentifier(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text);
}
