import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Token, Vocabulary } from "../../src/grammar/masks/token-vocabulary.ts";

/** A vocabulary of `gpt-tokenizer`, such as `o200k_base`, and a token more that ends the text. */
export function vocabularyOf(name: string): Vocabulary {
  const tokens = tokensOf(name);
  return new Vocabulary(tokens, { end: [tokens.length] });
}

/** The tokens of a vocabulary: a line for each of the file, its bytes in base64 and its number. */
export function tokensOf(name: string): readonly Token[] {
  const file = fileURLToPath(new URL(`data/${name}.tiktoken`, import.meta.resolve("gpt-tokenizer/package.json")));
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [base64, rank] = line.split(" ");
      return { id: Number(rank), text: new Uint8Array(Buffer.from(base64!, "base64")) };
    });
}
