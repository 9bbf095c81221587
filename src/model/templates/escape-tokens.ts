/**
 * `text` with a blank inside of each special token, so that no tokeniser can take it for one.
 *
 * Source text may well contain such tokens: the files next to this one do. With the token itself in
 * the prompt, the model would assume that the file ends there; if such files were refused, their
 * authors would have no completions. The blank goes after the token's first character. Law: the
 * result contains none of `tokens`, and is `text` without those blanks.
 */
export function escapeTokens(text: string, tokens: readonly string[]): string {
  let escaped = text;
  for (const token of tokens) {
    // A blank may complete a token only if one has a blank in its second place, and none has.
    if (escaped.includes(token)) escaped = escaped.replaceAll(token, `${token[0]} ${token.slice(1)}`);
  }
  return escaped;
}
