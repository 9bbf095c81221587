import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { type FormatMarks, PromptLines, pastEditDiff, tryRefuse } from "./prompt-lines.ts";
import { readWindow } from "./read-window.ts";

const start = "<|editable_region_start|>";
const end = "<|editable_region_end|>";
const cursor = "<|user_cursor_is_here|>";
const contextFile = "<|context_file|>";
const snippet = "<|snippet|>";

/** Markers that no prompt input for {@link instinct} may contain. */
export const instinctMarks: FormatMarks = { anywhere: [start, end, cursor, contextFile, snippet] };

/**
 * The format of Continue's Instinct, a Qwen2.5-Coder 7B with chat. It answers with the window's
 * lines without markers, so an answer that finished is complete. It takes no diagnostics.
 *
 * Source: `core/nextEdit` of continuedev/continue; the instructions are in our own words.
 */
export const instinct: NextEditFormat = {
  name: "instinct",
  ask: (input) => {
    const refused = tryRefuse(input, instinctMarks);
    if (refused !== undefined) return refused;
    const messages = [
      { role: "system", text: system },
      { role: "user", text: user(input) },
    ] as const;
    return { kind: "chat", messages, stop: [] };
  },
  read: (answer, input) =>
    readWindow(answer, input, {
      ...{ opens: [start], closes: [end], cursor, none: [], foreign: instinctMarks.anywhere },
      ...{ fence: "maybe", unmarkedEnd: "whole" },
    }),
};

const system = [
  `You are Instinct, and you predict the next edit of a programmer: how the lines between ${start} and ${end} will read after it.`,
  "",
  `- "### Context" has parts of other files that may matter: behind ${contextFile} a path, behind ${snippet} its text.`,
  `- "### User Edits:" has the latest edits as diffs, the newest first. They tell what the programmer is about.`,
  `- "### User Excerpt:" has the path of the present file and a part of it. ${cursor} is the cursor, often in the middle of what is being written.`,
  "",
  "Go on with what they have begun, in the style of the code. Change nothing that they would not, and do not take back what they just did.",
  "Answer with the new lines between the marks only: no marks, and no lines from outside.",
].join("\n");

function user(input: NextEditPromptInput): string {
  const { path, area, window, history, viewed } = input;
  const shown = new PromptLines(input);
  const context = viewed.map(
    ({ path, text }) => `${contextFile}: ${path}\n${snippet}\n${text.replace(/\r?\n$/, "")}\n`,
  );
  const edits = history
    .slice(-maxEdits)
    .reverse()
    .map((edit) => `User edited file "${edit.path}"\n\n\`\`\`diff\n${pastEditDiff(edit, shown)}\`\`\`\n`);
  const excerpt = [
    shown.show({ start: area.start, end: window.start }),
    `${start}\n${shown.show(window, cursor)}${end}\n`,
    shown.show({ start: window.end, end: area.end }),
  ].join("");
  return [
    "Rewrite the editable region of the excerpt as it will be after the programmer's next edit; the edits and the snippets tell what that is.",
    "",
    "### Context:",
    context.join(""),
    "### User Edits:",
    "",
    edits.join(""),
    "### User Excerpt:",
    path,
    "",
    `${excerpt}\`\`\``,
    "### Response:",
  ].join("\n");
}

const maxEdits = 5;
