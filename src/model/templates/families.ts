/**
 * How one family of models is shown a hole in a file, as data.
 *
 * A pattern is text with the slots `{prefix}` and `{suffix}` in the order in which the family was
 * trained to read them, and `{path}` and `{language}` where it wants those. A token for the
 * beginning of a text is the server's to add.
 */
export interface FillTemplate {
  /** The family's name, as a person writes it. */
  readonly name: string;
  /** The models it is for, in words for a person. */
  readonly models: string;
  /** The whole prompt where nothing but the file is shown. */
  readonly fill: string;
  /** For texts of other places. Without it they are shown as comments above the prefix. */
  readonly repository?: {
    /** One other place, with the slots `{path}` and `{text}`. */
    readonly each: string;
    /** The whole prompt, with the slot `{others}` for all of them. */
    readonly fill: string;
  };
  /** Texts that end an answer, the most needed first, for a host may take only some of them. */
  readonly stops: readonly string[];
  /** Every text that the family's tokeniser may read as one special token. */
  readonly specialTokens: readonly string[];
}

const bars = ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"] as const;
const angles = ["<fim_prefix>", "<fim_suffix>", "<fim_middle>"] as const;
const seedMarks = ["<[fim-suffix]>", "<[fim-prefix]>", "<[fim-middle]>"] as const;
const deepseekMarks = ["<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"] as const;
const codeMarks = ["<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"] as const;

/** The row of a family that stops at each of its special tokens, and at nothing else. */
function row(
  name: string,
  models: string,
  prompts: Pick<FillTemplate, "fill" | "repository">,
  specialTokens: readonly string[],
): FillTemplate {
  return { name, models, ...prompts, stops: specialTokens, specialTokens };
}

/**
 * The templates of the families of models that are known to fill in the middle.
 *
 * Sources: the models' cards and papers, and the tokens that llama.cpp looks for. Bars written `｜`
 * are U+FF5C and `▁` is U+2581; the same words with plain bars and blanks are not these tokens.
 */
export const fillTemplates: readonly FillTemplate[] = [
  row(
    "qwen",
    "Qwen2.5-Coder, Qwen3-Coder",
    {
      fill: "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
      repository: {
        each: "<|file_sep|>{path}\n{text}\n",
        fill: "<|repo_name|>workspace\n{others}<|file_sep|>{path}\n<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
      },
    },
    ["<|endoftext|>", "<|file_sep|>", "<|repo_name|>", "<|im_end|>", "<|im_start|>", "<|fim_pad|>", ...bars],
  ),
  {
    name: "codestral",
    models: "Codestral",
    fill: "[SUFFIX]{suffix}[PREFIX]{prefix}",
    repository: {
      each: "+++++ {path}\n{text}\n",
      fill: "[SUFFIX]{suffix}[PREFIX]{others}+++++ {path}\n{prefix}",
    },
    stops: ["</s>", "\n+++++ ", "[PREFIX]", "[SUFFIX]"],
    specialTokens: ["</s>", "[PREFIX]", "[SUFFIX]", "[MIDDLE]"],
  },
  row(
    "deepseek",
    "DeepSeek-Coder, DeepSeek-Coder-V2",
    {
      fill: "<｜fim▁begin｜>{prefix}<｜fim▁hole｜>{suffix}<｜fim▁end｜>",
      repository: {
        each: "#{path}\n{text}\n",
        fill: "<｜fim▁begin｜>{others}#{path}\n{prefix}<｜fim▁hole｜>{suffix}<｜fim▁end｜>",
      },
    },
    ["<｜end▁of▁sentence｜>", "<|EOT|>", ...deepseekMarks, "<｜begin▁of▁sentence｜>"],
  ),
  row("starcoder", "StarCoder, stable-code", { fill: "<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>" }, [
    "<|endoftext|>",
    ...angles,
    "<fim_pad>",
    "<filename>",
    "<reponame>",
    "<gh_stars>",
  ]),
  row(
    "starcoder-suffix-first",
    "StarCoder and its kin, where the text after the cursor is to come first",
    { fill: "<fim_prefix><fim_suffix>{suffix}<fim_middle>{prefix}" },
    ["<|endoftext|>", ...angles, "<fim_pad>", "<filename>", "<reponame>", "<gh_stars>"],
  ),
  row(
    "starcoder2",
    "StarCoder2",
    {
      fill: "<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>",
      repository: {
        each: "<file_sep>{path}\n{text}\n",
        fill: "<repo_name>workspace\n{others}<file_sep><fim_prefix>{path}\n{prefix}<fim_suffix>{suffix}<fim_middle>",
      },
    },
    ["<|endoftext|>", "<file_sep>", ...angles, "<repo_name>", "<fim_pad>"],
  ),
  row(
    "granite",
    "granite-code, Granite 3",
    {
      fill: "<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>",
      repository: {
        each: "<filename>{path}\n{text}\n",
        fill: "<reponame>workspace\n{others}<filename>{path}\n<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>",
      },
    },
    ["<|endoftext|>", "<filename>", ...angles, "<reponame>", "<fim_pad>", "<|end_of_text|>"],
  ),
  row("granite4", "Granite 4", { fill: "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>" }, [
    "<|end_of_text|>",
    "<|fim_pad|>",
    ...bars,
  ]),
  row("santacoder", "SantaCoder, the first Refact", { fill: "<fim-prefix>{prefix}<fim-suffix>{suffix}<fim-middle>" }, [
    "<|endoftext|>",
    "<fim-prefix>",
    "<fim-suffix>",
    "<fim-middle>",
    "<fim-pad>",
  ]),
  row("codellama", "CodeLlama", { fill: "<PRE> {prefix} <SUF>{suffix} <MID>" }, [
    "<EOT>",
    "</s>",
    "<PRE>",
    "<SUF>",
    "<MID>",
  ]),
  row(
    "codegemma",
    "CodeGemma",
    {
      fill: "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
      repository: {
        each: "{path}\n{text}<|file_separator|>",
        fill: "{others}{path}\n<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
      },
    },
    ["<|file_separator|>", "<eos>", ...bars],
  ),
  row("seed-coder", "Seed-Coder", { fill: "<[fim-suffix]>{suffix}<[fim-prefix]>{prefix}<[fim-middle]>" }, [
    "<[end▁of▁sentence]>",
    ...seedMarks,
    "<[begin▁of▁sentence]>",
    "<[PAD▁TOKEN]>",
    "<[SEP▁TOKEN]>",
  ]),
  row(
    "mellum",
    "Mellum, Mellum2",
    {
      fill: "<filename>{path}\n<fim_suffix>{suffix}<fim_prefix>{prefix}<fim_middle>",
      repository: {
        each: "<filename>{path}\n{text}\n",
        fill: "{others}<filename>{path}\n<fim_suffix>{suffix}<fim_prefix>{prefix}<fim_middle>",
      },
    },
    ["<|endoftext|>", "<filename>", ...angles],
  ),
  row("glm", "GLM-4.5", { fill: "<|code_prefix|>{prefix}<|code_suffix|>{suffix}<|code_middle|>" }, [
    "<|user|>",
    "<|endoftext|>",
    ...codeMarks,
  ]),
  row(
    "codegeex4",
    "CodeGeeX4",
    {
      fill: "<|user|>\n###PATH:{path}\n###LANGUAGE:{language}\n###MODE:BLOCK\n<|code_suffix|>{suffix}<|code_prefix|>{prefix}<|code_middle|><|assistant|>\n",
    },
    ["<|endoftext|>", "<|user|>", "<|assistant|>", ...codeMarks],
  ),
  row("falcon-coder", "Falcon-H1-Tiny-Coder", { fill: "<|prefix|>{prefix}<|suffix|>{suffix}<|middle|>" }, [
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|prefix|>",
    "<|suffix|>",
    "<|middle|>",
  ]),
];

/** The special tokens of all families. */
export const allSpecialTokens: readonly string[] = [
  ...new Set(fillTemplates.flatMap(({ specialTokens }) => specialTokens)),
];

/**
 * The special tokens that do not occur in code, so that an answer may be cut at any of them
 * whatever model it is from. The others are words that code may well have: `</s>`, `<filename>`,
 * `[PREFIX]`.
 */
export const unmistakableTokens: readonly string[] = allSpecialTokens.filter((token) =>
  /[|｜▁]|fim[_-]|file_sep/.test(token),
);

/** The template with this name, or `undefined`. Case matters. */
export function fillTemplateByName(name: string): FillTemplate | undefined {
  return fillTemplates.find((template) => template.name === name);
}
