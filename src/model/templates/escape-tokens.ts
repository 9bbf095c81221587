/**
 * `text` with a blank inside of each special token, so that no tokeniser can take it for one.
 *
 * Source text may well hold such tokens: this file's neighbours do. A prompt with the token itself would tell the model
 * that the file ends there; refusing the file would leave its author without completions. The blank goes behind the
 * token's first character.
 * Law: the answer holds none of `tokens`, and is `text` without those blanks.
 */
export function escapeTokens(text: string, tokens: readonly string[]): string {
  let escaped = text;
  for (const token of tokens) {
    // A blank may complete a token only if one has a blank in its second place, and none has.
    if (escaped.includes(token)) escaped = escaped.replaceAll(token, `${token[0]} ${token.slice(1)}`);
  }
  return escaped;
}
