/**
 * Tokens that models of all known families use among themselves: around the hole, between files, at the end.
 *
 * Bars written `｜` are U+FF5C and `▁` is U+2581. Sources: the models' cards and papers.
 */
export const specialTokens: readonly string[] = [
  // StarCoder, StarCoder2, Granite 3, Mellum; SantaCoder and Refact.
  ...["<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<fim_pad>", "<file_sep>", "<repo_name>", "<reponame>"],
  ...["<fim-prefix>", "<fim-suffix>", "<fim-middle>", "<fim-pad>", "<filename>", "<gh_stars>", "<issue_start>"],
  // Code Llama and Llama.
  ...["<PRE>", "<SUF>", "<MID>", "<EOT>", "<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>", "[INST]", "[/INST]"],
  // Qwen, CodeGemma, Granite 4, GLM, Falcon and all that write `<|…|>`: see `barred`.
  ...["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|endoftext|>", "<|file_separator|>", "<|cursor|>"],
  ...["<eos>", "<bos>", "<start_of_turn>", "<end_of_turn>"],
  // DeepSeek.
  ...[
    "<｜fim▁begin｜>",
    "<｜fim▁hole｜>",
    "<｜fim▁end｜>",
    "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>",
    "<|EOT|>",
  ],
  // Seed-Coder.
  ...["<[fim-suffix]>", "<[fim-prefix]>", "<[fim-middle]>", "<[end▁of▁sentence]>", "<[begin▁of▁sentence]>"],
  ...["<[PAD▁TOKEN]>", "<[SEP▁TOKEN]>"],
  // Codestral; and the end of a text as many write it.
  ...["[SUFFIX]", "[PREFIX]", "[MIDDLE]", "</s>"],
  // Models for edits.
  ...["<|editable_region_start|>", "<|editable_region_end|>", "<|user_cursor_is_here|>", "<|start_of_file|>"],
];

/** Most families write a token as a name between bars; new ones come every month. */
const barred = /<[|｜]\/?[\p{L}\p{N}▁_.:/-]{1,40}[|｜]>/u;

/** Tokens that are code too, by what shows that they are: `[PREFIX]` behind a name reads an item, `</s>` ends an element. */
const lookalikes: Readonly<Record<string, { readonly after?: RegExp; readonly in?: ReadonlySet<string> }>> = {
  "[SUFFIX]": { after: /[\w)\]]$/ },
  "[PREFIX]": { after: /[\w)\]]$/ },
  "[MIDDLE]": { after: /[\w)\]]$/ },
  "[INST]": { after: /[\w)\]]$/ },
  "</s>": {
    in: new Set(["html", "vue", "svelte", "xml", "markdown", "typescriptreact", "javascriptreact", "javascript"]),
  },
};

/** Where and what {@link findSpecialToken} looks for. */
export interface SpecialTokenSearch {
  /** The tokens, beside everything that is written `<|name|>`. */
  readonly tokens: readonly string[];
  /** The id of the language. */
  readonly language: string;
  /** What stands right before the text. */
  readonly before: string;
}

/**
 * The offset of the first special token in `text`, or -1.
 *
 * A token's beginning at the end of the text counts from its third character on, since a text may be cut inside of it.
 */
export function findSpecialToken(text: string, { tokens, language, before }: SpecialTokenSearch): number {
  let first = barred.exec(text)?.index ?? -1;
  const found = (offset: number) => {
    if (first < 0 || offset < first) first = offset;
  };
  for (const token of tokens) {
    const code = lookalikes[token];
    if (code?.in?.has(language)) continue;
    for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
      if (code?.after?.test(before + text.slice(0, at))) continue;
      found(at);
      break;
    }
    const torn = tornAt(text, token);
    if (torn >= 0) found(torn);
  }
  return first;
}

/** Where `text` ends with a beginning of `token` that is no code: `<|` and one character more. */
function tornAt(text: string, token: string): number {
  if (!/^<[|｜[]/.test(token)) return -1;
  for (let length = Math.min(token.length - 1, text.length); length > 2; length--) {
    if (text.endsWith(token.slice(0, length))) return text.length - length;
  }
  return -1;
}
