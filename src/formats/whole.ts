import { closesFence, type Fence, tryReadFence } from "../answers/index.ts";
import { EmendError } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { EditOperation } from "./edit-operation.ts";
import { fileLines } from "./placing/line-table.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { type AnswerRow, RowReader } from "./reading/answer-rows.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { isNoChangeRow, noChangeRow } from "./reading/no-change-row.ts";
import { printPathRow, tryReadFenceInfoPath, tryReadPathAbove, tryReadPathRow } from "./reading/path-row.ts";
import { isProseFile, readsAsWords } from "./reading/reads-as-words.ts";
import { tryOutdent } from "./reading/wrapped-code.ts";
import { fenceFor, showFenced } from "./show-file.ts";

/**
 * The complete new text of each file that changes, in a fence below its path.
 *
 * Every model can write it; it costs the length of the file. It cannot move or remove files, nor
 * express a change of the file's final line ending or the kind of line ending of a new line in a
 * file that mixes them.
 */
export const whole: EditFormat = {
  name: "whole",
  title: "the whole new text of each file",
  instructions: `Answer with the whole new text of each file that changes or is new, from its first line to its last.

Write the path of the file in a row of its own, and below it the text in a fenced block:

# src/math.ts

\`\`\`ts
export function half(value: number) {
  return value / 2;
}
\`\`\`

Rules:

- Every line of the file stands in the answer, also those that stay as they are. Never leave code out, and never write a remark such as "rest of the code" in its place.
- Files that do not change are not repeated.
- Where the text has a fence itself, the fence around it is longer, such as four backticks.
- If nothing needs to be changed, answer with the row \`${noChangeRow}\` alone.
- No explanations.
`,
  showFile: ({ path, text }) => showFenced(path, linesAsText(fileLines(text))),
  read: (options) => new AnswerAfterReasoning(() => new WholeReader(options)),
  encode: (changes) => {
    const blocks = changes.flatMap(({ before, after, path, pathBefore = path }) => {
      if (after === undefined || (before !== undefined && pathBefore !== path)) {
        throw new EmendError("not-encodable", `The format whole cannot move or remove a file such as ${path}`);
      }
      return before === after ? [] : [encodeFile(path, after, changes.length > 1 || before === undefined)];
    });
    return checkedAnswer(whole, changes, blocks.length === 0 ? `${noChangeRow}\n` : blocks.join("\n"));
  },
};

function encodeFile(path: string, text: string, isNamed: boolean): string {
  const content = linesAsText(fileLines(text));
  const fence = fenceFor(content);
  const heading = tryReadPathRow(`# ${path}`, []) === path ? `# ${path}` : printPathRow(path);
  return `${isNamed ? `${heading}\n\n` : ""}${fence}\n${content}${fence}\n`;
}

function linesAsText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * Reads answers in the format `whole`.
 *
 * A block is reported when the next one begins, or at the end. Markdown may contain fences: there
 * the last row that could close a block closes it; elsewhere a second one is refused. A block
 * without a path is accepted only if it is the only block and one file was shown.
 */
class WholeReader extends RowReader {
  /** The last path outside of blocks. */
  #path: PathRow | undefined;
  /** The path that the last row outside of blocks may name, where it is uncertain. */
  #unclearPath: string | undefined;
  #isBehindBlank = false;
  #block: Block | undefined;
  /** The number of blocks that are files. */
  #blocks = 0;
  /** The readable blocks without a path. */
  readonly #unnamed: Block[] = [];
  /** The first row outside of blocks that may be code. */
  #besideRow: AnswerRow | undefined;
  #noneRow: number | undefined;

  get open(): EditOperation | undefined {
    if (this.#block === undefined) return undefined;
    const { row, path } = this.#block;
    return { kind: "whole", row, path, lines: linesOf(this.#block) };
  }

  protected takeRow(row: AnswerRow): void {
    const fence = tryReadFence(row.text);
    const block = this.#block;
    if (block === undefined) {
      if (fence !== undefined) this.#open(row, fence);
      else this.#takeOutside(row);
      return;
    }
    // Once the block may be closed, a later fence can begin the next one.
    if (block.depth <= 0 && fence !== undefined && this.#begins(fence, block)) {
      this.#close(block);
      this.#open(row, fence);
      return;
    }
    block.rows.push(row);
    if (fence !== undefined && fence.info !== "" && block.depth > 0) {
      // A shorter fence in the code closes nothing, and neither does the end of it.
      if (fence.marks.startsWith(block.fence.marks)) block.depth++;
    } else if (fence !== undefined && closesFence(fence, block.fence)) {
      block.depth--;
      if (block.depth <= 0) block.ends.push(block.rows.length - 1);
      this.#path = undefined;
      this.#isBehindBlank = false;
    } else if (block.depth <= 0) {
      this.#takeOutside(row);
    }
  }

  protected takeEnd(isCut: boolean): void {
    const block = this.#block;
    if (isCut || (block !== undefined && block.ends.length === 0)) {
      const why = isCut ? "The answer was cut off" : "The block is not closed";
      const path = block?.path;
      this.addRefusal("cut-off", `${why}, so that the file may be incomplete. It is not taken.`, {
        row: block?.row,
        path,
      });
    } else {
      if (block !== undefined) this.#close(block);
      this.#settleUnnamed();
      if (this.#besideRow !== undefined && this.#blocks > 0) this.reportSkippedRow(this.#besideRow);
    }
    this.#block = undefined;
    if (this.#noneRow === undefined) return;
    if (this.#blocks === 0) this.addPart({ kind: "no-change", row: this.#noneRow });
    else this.addRefusal("unreadable-row", "The answer has files and says that none changes.", { row: this.#noneRow });
  }

  #takeOutside(row: AnswerRow): void {
    const isBlank = row.text.trim() === "";
    const isApart = this.#isBehindBlank;
    this.#isBehindBlank = isBlank;
    if (isBlank) return;
    if (this.#block === undefined || !this.#isProse(this.#block)) this.skipRow(row, "whole");
    if (this.#block === undefined && isNoChangeRow(row.text)) this.#noneRow = row.index;
    const path = tryReadPathRow(row.text, this.known);
    const isProseOrPath = path !== undefined || isNoChangeRow(row.text) || readsAsWords(row.text);
    if (!isProseOrPath && !(this.#block !== undefined && this.#isProse(this.#block))) this.#besideRow ??= row;
    const pathAbove = path === undefined ? tryReadPathAbove(row.text, this.known) : undefined;
    this.#unclearPath = pathAbove?.kind === "unclear" ? pathAbove.path : undefined;
    this.#path =
      path === undefined ? undefined : { path, row: row.index, isApart: isApart || this.known.includes(path) };
  }

  /** Whether a fence after a block that may be closed begins another block. */
  #begins(fence: Fence, block: Block): boolean {
    const closes = closesFence(fence, block.fence);
    if (this.#isProse(block)) return this.#path !== undefined && (!closes || this.#path.isApart);
    return this.#path !== undefined || !closes;
  }

  #open(row: AnswerRow, fence: Fence): void {
    const path = this.#path?.path ?? tryReadFenceInfoPath(fence.info, this.known);
    this.#block = {
      fence,
      fenceRow: row.text,
      row: this.#path?.row ?? row.index,
      path,
      rows: [],
      depth: 1,
      ends: [],
      unclearPath: path === undefined ? this.#unclearPath : undefined,
    };
    this.#unclearPath = undefined;
    if (!this.#isForPerson(this.#block)) {
      this.#blocks++;
      this.refuseCodeInFence(row, fence.info, this.known);
    }
    this.#path = undefined;
  }

  #close(written: Block): void {
    if (this.#isForPerson(written)) return;
    const outdented = this.#outdented(written);
    const lines = linesOf(outdented);
    const unwrapped = this.tryUnwrap({ ...outdented, lines }, "text");
    if (unwrapped === undefined) return;
    const isPlain = unwrapped.lines === lines;
    const block = isPlain ? outdented : { ...withLines(outdented, unwrapped.lines), path: unwrapped.path };
    const { row, path, ends, fence } = block;
    const code = { row, path: path ?? this.known[0], lines: linesOf(block), info: fence.info };
    if (this.refuseEditInCode(code, "whole")) return;
    if (ends.length > 1 && !this.#isProse(block)) {
      const message = `The block of row ${row + 1} could end at several fences. A text that holds fences stands in a longer one.`;
      this.addRefusal("unreadable-row", message, { row, path });
      return;
    }
    const fences = linesOf(block).filter((line) => tryReadFence(line) !== undefined).length;
    if (fences % 2 === 1) {
      this.addNormalization("fence", `The text of row ${row + 1} has a fence that is opened and not closed.`, {
        row,
        path,
      });
    }
    if (path === undefined && written.unclearPath !== undefined) {
      this.refuseUnclearPath({ row, path: written.unclearPath });
    } else if (path === undefined) {
      this.#unnamed.push(block);
    } else {
      this.addOperation({ kind: "whole", row, path, lines: linesOf(block) });
    }
  }

  /** The block without the indentation that all its rows and its fence have. */
  #outdented(block: Block): Block {
    const lines = tryOutdent(linesOf(block), block.fenceRow);
    if (lines === undefined) return block;
    this.addNormalization("indentation", `The block of row ${block.row + 1} was indented, and its lines lost that.`, {
      row: block.row,
      path: block.path,
    });
    return withLines(block, lines);
  }

  /**
   * Assigns a block without a path to the only file, if it is the only block; refuses it otherwise.
   */
  #settleUnnamed(): void {
    for (const block of this.#unnamed) {
      const { row } = block;
      if (this.known.length === 1 && this.#blocks === 1) {
        this.addOperation({ kind: "whole", row, path: undefined, lines: linesOf(block) });
      } else {
        const message = `No path stands above the block of row ${row + 1}. Each file is named in the row above its block.`;
        this.addRefusal("unknown-file", message, { row });
      }
    }
  }

  #isProse({ path }: Block): boolean {
    return isProseFile(path ?? this.known[0] ?? "");
  }

  /** Whether a block contains shell commands for a person instead of a file. */
  #isForPerson({ path, fence }: Block): boolean {
    return path === undefined && shells.test(fence.info) && !shellFile.test(this.known[0] ?? "");
  }
}

interface PathRow {
  readonly path: string;
  readonly row: number;
  /** Whether it is separate from the code: it follows a blank row, or the path was shown. */
  readonly isApart: boolean;
}

interface Block {
  readonly fence: Fence;
  /** The row of the fence, with its indentation. */
  readonly fenceRow: string;
  readonly row: number;
  readonly path: string | undefined;
  /** The uncertain path, where the block has none. */
  readonly unclearPath: string | undefined;
  readonly rows: AnswerRow[];
  /** The number of open fences, including this one, judged by languages and bare fences. */
  depth: number;
  /** The indexes of rows that could close the block. */
  readonly ends: number[];
}

const shells = /^(?:sh|bash|zsh|shell|console|terminal|powershell|cmd)\b/i;
const shellFile = /\.(?:sh|bash|zsh|ps1|cmd|bat)$/i;

function withLines(block: Block, lines: readonly string[]): Block {
  return { ...block, rows: lines.map((text) => ({ index: block.row, text })), ends: [lines.length] };
}

function linesOf({ rows, ends }: Block): readonly string[] {
  return rows.slice(0, ends.at(-1)).map(({ text }) => text);
}
