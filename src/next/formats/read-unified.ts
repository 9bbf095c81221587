import { closesFence, type Fence, Thoughts, tryReadFence } from "../../formats/index.ts";
import type { ModelEnd } from "../../model/index.ts";
import type { ModelAnswer, ReadEdit, ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { answerRows } from "./answer-rows.ts";
import { readInsertion } from "./read-insertion.ts";
import { readWindow } from "./read-window.ts";
import { closing, opening, responseTags, unifiedCursor, unifiedMarks } from "./unified-marks.ts";
import type { WindowAnswer } from "./window-rows.ts";

type Rows = AsyncGenerator<string, ModelEnd>;

/**
 * Reads an answer in the unified format. What a model says, thinks or fences in front of its tag is passed over, and nothing behind
 * the end is asked for.
 *
 * Of an insertion see {@link readInsertion}. Without its end mark an answer is whole where it takes no line away; see `streamDiff`.
 */
export async function* readUnified(answer: ModelAnswer, scene: NextEditScene): AsyncGenerator<ReadEdit, ReadEnd> {
  const rows = answerRows(answer);
  try {
    const head = await readHead(rows);
    if (head.kind === "end") return head.end;
    const rest = bodyOf(head, rows);
    return yield* head.kind === "edit"
      ? readWindow(rest, scene, bodyShape(head, "maybe"))
      : // A document in Markdown may well go on with a fence.
        readInsertion(rest, scene, bodyShape(head, scene.language === "markdown" ? "never" : "maybe"));
  } finally {
    await rows.return({ reason: "finished" });
  }
}

/** How an answer begins. */
type Head =
  | { readonly kind: "end"; readonly end: ReadEnd }
  | {
      readonly kind: "edit" | "insert";
      /** The tag as it was written, without its brackets. */
      readonly name: string;
      /** What stands behind the tag in its row. */
      readonly text: string;
      /** The fence around the tag. */
      readonly fence: Fence | undefined;
    };

async function readHead(rows: Rows): Promise<Head> {
  const thoughts = new Thoughts();
  let fence: Fence | undefined;
  let isSilent = true;
  for (let index = 0; ; index++) {
    const next = await rows.next();
    if (next.done) {
      const { reason } = next.value;
      if (reason !== "finished") return { kind: "end", end: { kind: "cut", why: reason } };
      if (thoughts.isOpen) return unreadable("The answer ends before its thoughts do.");
      return unreadable(isSilent ? "The answer is empty." : `The answer has none of ${allTags}.`);
    }
    const row = thoughts.take({ index, text: next.value })?.text.replaceAll(unifiedCursor, "").trimStart();
    if (row === undefined || row.trim() === "") continue;
    const [tag, name, text] = /^<(EDIT|INSERT|NO_CHANGE) ?\/?>(.*)$/is.exec(row) ?? [];
    if (name?.toUpperCase() === "NO_CHANGE" || row.trim() === "NO_CHANGE") return await readNoChange(rows);
    if (tag !== undefined) {
      const kind = name!.toUpperCase() === "EDIT" ? "edit" : "insert";
      return { kind, name: name!, text: text!, fence };
    }
    const [other] = /^<\/?[A-Z]+(?:_[A-Z]+)*>/.exec(row) ?? [];
    if (other !== undefined) return unreadable(`The answer says ${other} where one of ${allTags} belongs.`);
    // A mark of the prompt that is said again is not for us, nor is what a model says before it begins.
    fence ??= tryReadFence(row);
    isSilent = false;
  }
}

/** What stands behind the word that nothing changes: nothing, or what may be said about it, but no edit. */
async function readNoChange(rows: Rows): Promise<Head> {
  for (;;) {
    const next = await rows.next();
    if (next.done) return { kind: "end", end: { kind: "read" } };
    const [, name] = /^\s*<(EDIT|INSERT)>/i.exec(next.value) ?? [];
    if (name !== undefined) return unreadable(`The answer says ${responseTags.noChange} and <${name.toUpperCase()}>.`);
  }
}

const allTags = `${responseTags.edit}, ${responseTags.insert} and ${responseTags.noChange}`;

function unreadable(message: string): Head {
  return { kind: "end", end: { kind: "unreadable", message } };
}

/** The rows behind the tag, as an answer of their own. The end of the fence around the tag is the end of what it began. */
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
    // Code may have a fence of its own; that around the tag is the last row of the answer.
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
  return kind === "edit" ? { ...shape, mustSay: true } : shape;
}
