import { closesFence, type Fence, ReasoningRows, tryReadFence } from "../../answers/index.ts";
import type { ModelEnd } from "../../model/index.ts";
import { languageById } from "../../syntax/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { ModelAnswer, ReadEdit, ReadEnd } from "./next-edit-format.ts";
import type { FormatMarks } from "./prompt-lines.ts";
import { readInsertion } from "./read-insertion.ts";
import { readWindow, type WindowAnswer } from "./read-window.ts";
import { answerRows } from "./row-stream.ts";

const sections = [
  "recently_viewed_code_snippets",
  "recently_viewed_code_snippet",
  "current_file_content",
  "linter",
  "edit_diff_history",
  "area_around_code_to_edit",
  "code_to_edit",
] as const;

/** The tag of a section of the prompt. */
export type UnifiedTag = (typeof sections)[number];

/** The tags with which the kinds of answers begin. */
export const responseTags = { edit: "<EDIT>", insert: "<INSERT>", noChange: "<NO_CHANGE>" } as const;

/** The cursor marker. */
export const unifiedCursor = "<|cursor|>";

/** Returns the marker that begins a section of the prompt. */
export function opening(tag: UnifiedTag): string {
  return `<|${tag}|>`;
}

/** Returns the marker that ends a section of the prompt, or an answer with this tag. */
export function closing(tag: UnifiedTag | "<EDIT>" | "<INSERT>"): string {
  return tag.startsWith("<") ? `</${tag.slice(1)}` : `<|/${tag}|>`;
}

/** A section of whole lines between its tags. */
export function section(tag: UnifiedTag, lines: string): string {
  return `${opening(tag)}\n${lines}${closing(tag)}\n`;
}

/** Markers that no prompt input in the unified format may contain. */
export const unifiedMarks: FormatMarks = {
  anywhere: [
    ...sections.flatMap((tag) => [opening(tag), closing(tag)]),
    unifiedCursor,
    ...Object.values(responseTags),
    closing(responseTags.edit),
    closing(responseTags.insert),
  ],
};

type Rows = AsyncGenerator<string, ModelEnd>;

/**
 * Reads an answer in the unified format, and returns how the reading ended. Text, reasoning and
 * fences before its tag are skipped, and nothing after the end is requested.
 *
 * For insertions see {@link readInsertion}. Without an end marker an answer is complete where it
 * deletes no line; see `streamDiff`.
 */
export async function* readUnified(answer: ModelAnswer, input: NextEditPromptInput): AsyncGenerator<ReadEdit, ReadEnd> {
  const rows = answerRows(answer);
  try {
    const head = await readHead(rows);
    if (head.kind === "end") return head.end;
    const rest = bodyOf(head, rows);
    return yield* head.kind === "edit"
      ? readWindow(rest, input, bodyShape(head, "maybe"))
      : // A Markdown document may well continue with a fence.
        readInsertion(
          rest,
          input,
          bodyShape(head, languageById(input.language)?.quirks.fences === true ? "never" : "maybe"),
        );
  } finally {
    await rows.return({ reason: "finished" });
  }
}

/** The start of an answer, or its end where it has no edit. */
type Head =
  | { readonly kind: "end"; readonly end: ReadEnd }
  | {
      readonly kind: "edit" | "insert";
      /** The tag as the model wrote it, without its brackets. */
      readonly name: string;
      /** The text after the tag in its row. */
      readonly text: string;
      /** The fence around the tag. */
      readonly fence: Fence | undefined;
    };

async function readHead(rows: Rows): Promise<Head> {
  const reasoning = new ReasoningRows();
  let fence: Fence | undefined;
  let isSilent = true;
  for (;;) {
    const next = await rows.next();
    if (next.done) {
      const { reason } = next.value;
      if (reason !== "finished") return { kind: "end", end: { kind: "cut", why: reason } };
      if (reasoning.isOpen) return unreadable("The answer ends inside its reasoning.");
      return unreadable(isSilent ? "The answer is empty." : `The answer has none of ${allTags}.`);
    }
    const row = reasoning.take(next.value)?.replaceAll(unifiedCursor, "").trimStart();
    if (row === undefined || row.trim() === "") continue;
    const [tag, name, text] = /^<(EDIT|INSERT|NO_CHANGE) ?\/?>(.*)$/is.exec(row) ?? [];
    if (name?.toUpperCase() === "NO_CHANGE" || row.trim() === "NO_CHANGE") return await readNoChange(rows);
    if (tag !== undefined) {
      const kind = name!.toUpperCase() === "EDIT" ? "edit" : "insert";
      return { kind, name: name!, text: text!, fence };
    }
    const [other] = /^<\/?[A-Z]+(?:_[A-Z]+)*>/.exec(row) ?? [];
    if (other !== undefined) return unreadable(`The answer contains ${other} where one of ${allTags} belongs.`);
    // A repeated marker of the prompt is skipped, and so is what a model writes before it begins.
    fence ??= tryReadFence(row);
    isSilent = false;
  }
}

/** Reads the rest of an answer that nothing changes: it may explain that, but contain no edit. */
async function readNoChange(rows: Rows): Promise<Head> {
  for (;;) {
    const next = await rows.next();
    if (next.done) return { kind: "end", end: { kind: "read" } };
    const [, name] = /^\s*<(EDIT|INSERT)>/i.exec(next.value) ?? [];
    if (name !== undefined)
      return unreadable(`The answer contains ${responseTags.noChange} and <${name.toUpperCase()}>.`);
  }
}

const allTags = `${responseTags.edit}, ${responseTags.insert} and ${responseTags.noChange}`;

function unreadable(message: string): Head {
  return { kind: "end", end: { kind: "unreadable", message } };
}

/**
 * The rows after the tag, as an answer of their own. The end of the fence around the tag ends its
 * content.
 */
async function* bodyOf({ name, text, fence }: Exclude<Head, { kind: "end" }>, rows: Rows): ModelAnswer {
  let heldBack: string | undefined;
  const close = `</${name}>`;
  let isEnded = text.includes(close);
  if (text.trim() !== "") yield toPart(text);
  for (;;) {
    const next = await rows.next();
    if (next.done) {
      const isEnd = next.value.reason === "finished" && !isEnded;
      if (heldBack !== undefined) yield toPart(isEnd ? close : heldBack);
      return next.value;
    }
    if (heldBack !== undefined) yield toPart(heldBack);
    heldBack = undefined;
    isEnded ||= next.value.includes(close);
    const closer = fence === undefined ? undefined : tryReadFence(next.value);
    // Code may contain a fence; the one around the tag is the last row of the answer.
    if (closer !== undefined && closesFence(closer, fence!)) heldBack = next.value;
    else yield toPart(next.value);
  }
}

function toPart(row: string) {
  return { kind: "text-delta", text: `${row}\n` } as const;
}

function bodyShape({ kind, name }: Exclude<Head, { kind: "end" }>, fence: WindowAnswer["fence"]): WindowAnswer {
  const none = responseTags.noChange;
  const opens = [opening("area_around_code_to_edit"), opening("code_to_edit")];
  const closes = [`</${name}>`, closing(responseTags[kind]), closing("code_to_edit")];
  const foreign = unifiedMarks.anywhere.filter((mark) => mark !== none);
  const shape = { opens, closes, cursor: unifiedCursor, none: [none], foreign, fence, unmarkedEnd: "open" } as const;
  return kind === "edit" ? { ...shape, needsAnswer: true } : shape;
}
