import type { FormatName, ShownFile } from "./edit-format.ts";
import { fileLines } from "./file-lines.ts";

/** What is known before a model is asked. */
export interface FormatQuestion {
  /** The model's name as a person writes it, such as `openai:gpt-5` or `ollama:qwen2.5-coder:7b`; absent for any chat. */
  readonly model?: string;
  /** The files that it is shown. */
  readonly files: readonly ShownFile[];
  /** About how many of their lines will be replaced, where that is known. */
  readonly changeSize?: number;
}

/** A format, and why it is the best for a question. */
export interface FormatChoice {
  readonly format: FormatName;
  /** One sentence for people. */
  readonly reason: string;
}

/** The format in which a model will most likely say its edits without a mistake, and shortly: the first rule that holds. */
export function chooseFormat(question: FormatQuestion): FormatChoice {
  const facts = factsOf(question);
  const { format, reason } = rules.find(({ holds }) => holds(facts))!;
  return { format, reason };
}

interface Facts {
  /** In small letters; empty where there is none. */
  readonly model: string;
  /** Billions of parameters, where the name tells. */
  readonly size: number | undefined;
  /** The lines of all files. */
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
    // A range costs what it says anew and a few words; of files in which nearly all is said anew, the whole costs no more.
    holds: ({ lines, changeSize }) => changeSize >= 0.8 * lines,
    format: "whole",
    reason: "Nearly every line changes.",
  },
  {
    // Source: OpenAI, "GPT-4.1 Prompting Guide", and the instructions of Codex, which all its models are given.
    holds: ({ model }) => /(?:^|[:/#])(?:gpt-4\.1|gpt-[5-9]|gpt-oss|o[1-9])(?![a-z\d])|codex/.test(model),
    format: "v4a",
    reason: "The model was trained on patches of this form.",
  },
  {
    // Source: aider's benchmark over many files and languages, where Qwen2.5-Coder-32B wrote 99.6 % of its answers well as
    // whole files and 71.6 % as search/replace blocks, and solved twice as many tasks.
    holds: ({ size, lines }) => isSmall(size) && lines < 60,
    format: "whole",
    reason: "A small model makes fewer mistakes in a whole file, and this one is short.",
  },
  {
    // Source: the measurements of line anchors by the author of oh-my-pi, in which the weakest of 16 models went from 7 % to
    // 68 %, and those of RakuenSoftware/aimee: old text is what small models copy wrongly.
    holds: ({ size }) => isSmall(size),
    format: "range",
    reason: "A small model names lines more surely than it copies them.",
  },
  {
    // Source: reports of users of Roo Code about marks such as `<<<<<<<` (RooCodeInc/Roo-Code#4035); aider gives Gemini a
    // format of its own for it.
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

/** How many billions of parameters are few. */
const smallSize = 34;

function isSmall(size: number | undefined): boolean {
  return size !== undefined && size <= smallSize;
}

function factsOf({ model = "", files, changeSize = 0 }: FormatQuestion): Facts {
  const name = model.toLowerCase();
  // The size stands behind the family: `qwen2.5-coder:7b`, `mixtral-8x7b`, `qwen3-30b-a3b`, in millions `smollm2:360m`.
  const [, experts = "1", amount, unit] = /(?:^|[^a-z\d.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z\d])/.exec(name) ?? [];
  const size = amount === undefined ? undefined : (Number(experts) * Number(amount)) / (unit === "m" ? 1000 : 1);
  const lines = files.reduce((sum, { text }) => sum + fileLines(text).length, 0);
  return { model: name, size, lines, changeSize };
}
