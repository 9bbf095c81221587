/**
 * Why `text` looks minified, or `undefined`.
 *
 * There are two criteria, and both need at least 2,000 characters: lines of more than 200
 * characters on average of which fewer than 8% are blank (prose has 15%, code 20%), or a line of
 * more than 20,000 characters.
 */
export function tryMinified(text: string): string | undefined {
  if (text.length < 2000) return undefined;
  let lines = 1;
  let blanks = 0;
  let lineStart = 0;
  let longest = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 10) {
      lines += 1;
      longest = Math.max(longest, i - lineStart);
      lineStart = i + 1;
    } else if (code === 32 || code === 9) blanks += 1;
  }
  longest = Math.max(longest, text.length - lineStart);
  if (longest > 20_000) return `a line of ${longest} characters`;
  const average = Math.round(text.length / lines);
  if (average > 200 && blanks < text.length * 0.08) return `lines of ${average} characters on average`;
  return undefined;
}
