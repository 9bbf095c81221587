import { pick } from "../../scripts/train/seeded-random.ts";

/** What is done to the middle of a file. */
export const mutationKinds = [
  "as it was",
  "token dropped",
  "token doubled",
  "tokens swapped",
  "token replaced",
  "line dropped",
  "bracket changed",
  "indentation changed",
  "truncated",
] as const;

export type MutationKind = (typeof mutationKinds)[number];

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The middle after one mutation; `undefined` where it holds nothing of that kind. Tokens are words
 * and single signs; `file` is where replacements come from.
 */
export function mutate(kind: MutationKind, middle: string, file: string, random: () => number): string | undefined {
  const replace = ({ start, end }: Omit<Token, "text">, text: string): string =>
    middle.slice(0, start) + text + middle.slice(end);
  const tokens = tokensOf(middle);
  const token = tokens.length === 0 ? undefined : pick(tokens, random);
  switch (kind) {
    case "as it was":
      return middle;
    case "token dropped":
      return token && replace(token, "");
    case "token doubled":
      return token && replace(token, `${token.text} ${token.text}`);
    case "tokens swapped": {
      const next = tokens[tokens.indexOf(token!) + 1];
      if (token === undefined || next === undefined) return undefined;
      return replace(
        { start: token.start, end: next.end },
        next.text + middle.slice(token.end, next.start) + token.text,
      );
    }
    case "token replaced":
      return token && replace(token, pick(tokensOf(file), random).text);
    case "line dropped":
      return tryReplaceOne(/^.*\n/gm, () => "");
    case "bracket changed":
      return tryReplaceOne(/[()[\]{}]/g, (bracket) =>
        pick(
          [..."()[]{}"].filter((one) => one !== bracket),
          random,
        ),
      );
    case "indentation changed":
      return tryReplaceOne(/(?<=\n)[ \t]+(?=\S)/g, (blanks) =>
        pick([` ${blanks}`, `    ${blanks}`, blanks.slice(1), blanks.slice(4)], random),
      );
    case "truncated":
      return middle === "" ? undefined : middle.slice(0, Math.floor(random() * middle.length));
  }

  function tryReplaceOne(pattern: RegExp, text: (found: string) => string): string | undefined {
    const found = [...middle.matchAll(pattern)];
    if (found.length === 0) return undefined;
    const { index, 0: old } = pick(found, random);
    return replace({ start: index, end: index + old.length }, text(old));
  }
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{ID_Continue}$]+|[^\s]/gu)].map(({ 0: token, index }) => ({
    text: token,
    start: index,
    end: index + token.length,
  }));
}
