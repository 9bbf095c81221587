import type { FormatName, ShownFile } from "./edit-format.ts";
import { fileLines } from "./placing/line-table.ts";

/** What is known when a format is chosen. */
export interface FormatQuestion {
  /**
   * The model's name as a person writes it, such as `openai:gpt-5` or `ollama:qwen2.5-coder:7b`;
   * absent for an unknown chat.
   */
  readonly model?: string;
  /** The files that the model is shown. */
  readonly files: readonly ShownFile[];
  /** An estimate of the number of lines that change, where one is known. */
  readonly changeSize?: number;
}

/** A format, and why it was chosen. */
export interface FormatChoice {
  readonly format: FormatName;
  /** One sentence for people. */
  readonly reason: string;
}

/**
 * Chooses the format in which a model most likely writes edits correctly and briefly: the first
 * rule that holds decides. `whole` where the files have no lines or nearly all of them change;
 * `range` for an unknown model.
 */
export function chooseFormat(question: FormatQuestion): FormatChoice {
  const facts = factsOf(question);
  const { format, reason } = rules.find(({ holds }) => holds(facts))!;
  return { format, reason };
}

interface Facts {
  /** The model's name in lower case; empty where there is none. */
  readonly model: string;
  /** Billions of parameters, where the name contains them. */
  readonly size: number | undefined;
  /** The number of lines of all files. */
  readonly lines: number;
  readonly changeSize: number;
}

interface Rule extends FormatChoice {
  readonly holds: (facts: Facts) => boolean;
}

const rules: readonly Rule[] = [
  {
    holds: ({ lines }) => lines === 0,
    format: "whole",
    reason: "There are no lines yet that an edit could name.",
  },
  {
    // A range costs its new lines and a few words; where nearly all lines change, the complete file
    // costs no more.
    holds: ({ lines, changeSize }) => changeSize >= 0.8 * lines,
    format: "whole",
    reason: "Nearly every line changes.",
  },
  {
    // Source: OpenAI, "GPT-4.1 Prompting Guide", and the instructions of Codex, which all its
    // models receive.
    holds: ({ model }) => /(?:^|[:/#])(?:gpt-4\.1|gpt-[5-9]|gpt-oss|o[1-9])(?![a-z\d])|codex/.test(model),
    format: "v4a",
    reason: "The model was trained on patches of this form.",
  },
  {
    // Source: aider's benchmark over many files and languages, where Qwen2.5-Coder-32B wrote 99.6 %
    // of its answers correctly as whole files and 71.6 % as search/replace blocks, and solved twice
    // as many tasks.
    holds: ({ size, lines }) => isSmall(size) && lines < 60,
    format: "whole",
    reason: "A small model makes fewer mistakes in a whole file, and this one is short.",
  },
  {
    // Source: the measurements of line anchors by the author of oh-my-pi, in which the weakest of
    // 16 models went from 7 % to 68 %, and those of RakuenSoftware/aimee: old text is what small
    // models copy wrongly.
    holds: ({ size }) => isSmall(size),
    format: "range",
    reason: "A small model names lines more surely than it copies them.",
  },
  {
    // Source: reports of users of Roo Code about marks such as `<<<<<<<`
    // (RooCodeInc/Roo-Code#4035); aider has a separate format for Gemini because of it.
    holds: ({ model }) => /gemini|gemma/.test(model),
    format: "range",
    reason: "The model often misspells the marks of search/replace blocks, and this format has none to close.",
  },
  {
    // Source: `npm run bench:tokens`.
    holds: () => true,
    format: "range",
    reason: "It is the shortest of the formats in which a wrong place is noticed.",
  },
];

/** The most billions of parameters of a small model. */
const smallSize = 34;

function isSmall(size: number | undefined): boolean {
  return size !== undefined && size <= smallSize;
}

function factsOf({ model = "", files, changeSize = 0 }: FormatQuestion): Facts {
  const name = model.toLowerCase();
  // The size follows the family: `qwen2.5-coder:7b`, `mixtral-8x7b`, `qwen3-30b-a3b`, in millions
  // `smollm2:360m`.
  const [, experts = "1", amount, unit] = /(?:^|[^a-z\d.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z\d])/.exec(name) ?? [];
  const size = amount === undefined ? undefined : (Number(experts) * Number(amount)) / (unit === "m" ? 1000 : 1);
  const lines = files.reduce((sum, { text }) => sum + fileLines(text).length, 0);
  return { model: name, size, lines, changeSize };
}
