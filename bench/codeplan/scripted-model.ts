import { type BlockId, baseName, blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { fenceFor } from "../../src/formats/index.ts";
import { serveChatBy } from "../../src/model/node/fixtures/scripted-chat-server.ts";
import { withLineFeeds } from "../../src/text/index.ts";
import type { OpenTask } from "./open-task.ts";
import { seedTexts } from "./seed-texts.ts";
import type { BlocksOf } from "./target-blocks.ts";

/**
 * A server on this machine that answers by a script. It is no model: it proves that a plan is
 * carried through.
 */
export interface ScriptedModel extends AsyncDisposable {
  /** The value of `--model`, which contains that it is scripted. */
  readonly name: string;
}

/** The scripted answers: the target's code at the requested place, or text that is no edit. */
export type Script = "target" | "garbage";

/** Starts it for one task. */
export async function serveScripted(script: Script, task: OpenTask, blocksOf: BlocksOf): Promise<ScriptedModel> {
  const knower = new TargetKnower(task, blocksOf);
  const server = await serveChatBy("openai", ({ body }, index) => {
    const messages = body["messages"] as readonly { readonly content: string }[];
    const question = messages.map(({ content }) => content).join("\n\n");
    const text = script === "target" ? knower.answer(question) : garbage[index % garbage.length]!;
    return { deltas: [text] };
  });
  return {
    name: `openai-compatible:${server.url}#scripted-${script}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const garbage: readonly string[] = [
  "Certainly! The best change is no change, or perhaps all of them.",
  "```\n)))] ?? end end {{{\n```",
  "",
  "```\none\n```\n\nor else\n\n```\ntwo\n```",
];

/** Answers the questions of a plan's steps with what the target has there. */
class TargetKnower {
  readonly #task: OpenTask;
  readonly #blocksOf: BlocksOf;
  /**
   * What came with the seeds, or was sent along with the answer for a block: sent once, and again
   * if that is requested again.
   */
  readonly #brought = new Map<BlockId, BlockId | "seeds">();

  constructor(task: OpenTask, blocksOf: BlocksOf) {
    this.#task = task;
    this.#blocksOf = blocksOf;
    for (const [path, text] of seedTexts(task, blocksOf))
      for (const block of blocksOf(path, text))
        if (task.target.additionOf(blockId(block))) this.#brought.set(blockId(block), "seeds");
  }

  answer(question: string): string {
    const header = /^Now it is about the (\w+) (.+) in (\S+), which is the region\.$/m.exec(question);
    if (header === null) return this.#imports(question);
    const [, kind, name, path] = header as unknown as [string, CodeBlock["kind"], string, string];
    const region = regionIn(question);
    const { target, texts } = this.#task;
    const source = this.#blockWithText({ path, kind, name }, region, texts.source);
    const goal = source && target.goalOf(blockId(source));
    if (source !== undefined && target.isGone(blockId(source))) return fenced("");
    if (goal === undefined) return noChanges;
    const isLines = !question.includes("It is a part of its lines");
    return fenced(this.#newText(goal, isLines));
  }

  /**
   * The block of a file that reads as the region does; of several of one name that, and else the
   * one of this name.
   */
  #blockWithText(
    wanted: Pick<CodeBlock, "path" | "kind" | "name">,
    region: string,
    texts: ReadonlyMap<string, string>,
  ): CodeBlock | undefined {
    const text = texts.get(wanted.path) ?? "";
    const plain = baseName(wanted.name);
    const named = this.#blocksOf(wanted.path, text).filter(
      ({ kind, name }) => kind === wanted.kind && baseName(name) === plain,
    );
    const same = (block: CodeBlock) =>
      withoutBlanks(region).includes(withoutBlanks(text.slice(block.ownRange.start, block.ownRange.end)));
    return named.find(same);
  }

  /**
   * A block as the target has it, in the lines that the region has, with the members that come
   * along.
   */
  #newText(goal: CodeBlock, isLines: boolean): string {
    const { target, texts } = this.#task;
    const file = withLineFeeds(texts.target.get(goal.path)!);
    const shown = this.#blocksOf(goal.path, file).find((one) => blockId(one) === blockId(goal))!;
    const brought = target.broughtBy(goal, (id) => (this.#brought.get(id) ?? blockId(goal)) !== blockId(goal));
    for (const one of brought) this.#brought.set(blockId(one), blockId(goal));
    const linesOf = ({ range }: CodeBlock) => file.slice(lineStart(file, range.start), lineEnd(file, range.end));
    const isBefore = (one: CodeBlock) => goal.kind !== "class" && one.range.start < goal.range.start;
    const membersOf = (side: boolean) =>
      this.#blocksOf(goal.path, file)
        .filter((one) => brought.some((other) => blockId(other) === blockId(one)) && isBefore(one) === side)
        .map(linesOf);
    if (isLines) return [...membersOf(true), linesOf(shown), ...membersOf(false)].join("\n");
    const own = file.slice(shown.ownRange.start, shown.ownRange.end);
    const indent = /[ \t]*$/.exec(file.slice(0, shown.ownRange.start))![0];
    const above = membersOf(true).map((lines) => `${lines.trimStart()}\n${indent}`);
    return [...above, own, ...membersOf(false).map((lines) => `\n\n${lines.trimEnd()}`)].join("");
  }

  /** The imports that the target has where a file's imports are requested. */
  #imports(question: string): string {
    const path = /^(?:The file|A part of the file), with the region .* in it:\n\n# (.+)$/m.exec(question)?.[1];
    const text = path === undefined ? undefined : this.#task.texts.target.get(path);
    if (path === undefined || text === undefined) return noChanges;
    const file = withLineFeeds(text);
    const imports = this.#blocksOf(path, file).filter(({ kind }) => kind === "import");
    const region = regionIn(question);
    const lines = imports.map(({ ownRange }) => file.slice(ownRange.start, ownRange.end));
    return lines.every((line) => region.includes(line)) ? noChanges : fenced(`${lines.join("\n")}\n`);
  }
}

const noChanges = "No changes.";

/** The text of the region in a question. */
function regionIn(question: string): string {
  return /^What stands in the region between .* now:\n\n(`{3,})\n([\s\S]*?)\n\1$/m.exec(question)?.[2] ?? "";
}

function fenced(code: string): string {
  const fence = fenceFor(code);
  return `${fence}\n${code.replace(/\n$/, "")}\n${fence}\n`;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", Math.max(0, offset - 1));
  return at < 0 ? text.length : at + 1;
}
