import { EmendError, type FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { elide } from "./elide.ts";
import { ElidedReader } from "./elided-reader.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { fileLines } from "./reading/file-lines.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { printPathRow } from "./reading/path-row.ts";
import { fenceFor, showFenced } from "./show-file.ts";

/**
 * New code with rows such as `// ... existing code ...` for unchanged lines, as chats and apply
 * models write it.
 *
 * Easy to write and hard to resolve: an operation is applied only where its place is unambiguous.
 * It cannot express the deletion or move of a file, nor many small changes that other formats can.
 */
export const elided: EditFormat = {
  name: "elided",
  title: "new code, with remarks for what stays",
  instructions: `Answer with the parts of each file that change, in a fenced block below its path. A remark \`... existing code ...\` stands for lines that stay as they are:

src/math.ts
\`\`\`ts
// ... existing code ...

export function half(value: number) {
  return value / 2;
}

// ... existing code ...
\`\`\`

Rules:

- Write whole functions, members and statements. Within a class or a function, show its first line and its last, and the remark for what stays inside.
- Write the remark in the style of the language, alone on its row, wherever lines are left out.
- What stands between two parts without such a remark is all that is to be there. To delete a function, show what is in front of it and what is behind it, both as they are.
- A new statement stands next to a statement that is there already, repeated above it or below it.
- A new file is written in full.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, text),
  read: (options) => new AnswerAfterReasoning(() => new ElidedReader(options)),
  encode: (changes) => {
    const blocks = changes.flatMap(encodeChange);
    return checkedAnswer(elided, changes, blocks.length === 0 ? `${noChangeRow}\n` : blocks.join("\n"));
  },
};

function encodeChange(change: FileChangeTexts): readonly string[] {
  const { before, after, path, pathBefore = path } = change;
  if ((before !== undefined && after === undefined) || path !== pathBefore) {
    throw new EmendError("not-encodable", "The format elided cannot say that a file goes or moves.");
  }
  if (after === undefined || before === after) return [];
  const lines = fileLines(after);
  if (before === undefined) return [printBlock(path, lines)];
  const row = remarkFor(path);
  let last: unknown;
  // Leave out as much as can be restored unambiguously.
  for (const depth of [3, 1, 0, undefined]) {
    const shown = depth === undefined ? lines : elide(fileLines(before), lines, { row, depth });
    try {
      return [checkedAnswer(elided, [change], printBlock(path, shown))];
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function printBlock(path: string, lines: readonly string[]): string {
  const content = lines.map((line) => `${line}\n`).join("");
  const fence = fenceFor(content);
  const language = /\.([\w+-]+)$/.exec(path)?.[1] ?? "";
  return `${printPathRow(path)}\n${fence}${language}\n${content}${fence}\n`;
}

function remarkFor(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const [, open = "//", close = ""] = remarks.find(([endings]) => endings!.split(" ").includes(ending)) ?? [];
  return `${open} ... existing code ...${close}`;
}

/** The comment syntax by file extension, where it is not `//`. */
const remarks: readonly (readonly string[])[] = [
  ["py pyi rb sh bash zsh yml yaml toml pl r jl ex exs tf nix cmake mk dockerfile conf ini", "#"],
  ["html htm xml svg vue svelte md mdx", "<!--", " -->"],
  ["css", "/*", " */"],
  ["sql lua hs elm ada", "--"],
  ["lisp clj cljs cljc el scm rkt", ";;"],
  ["tex erl", "%"],
];
