import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { type FormatMarks, PromptLines, pastEditDiff, tryRefuse } from "./prompt-lines.ts";
import { closing, opening, section, type UnifiedTag, unifiedCursor } from "./read-unified.ts";
import { readWindow } from "./read-window.ts";

/** The tags that it shares with the unified format. */
const tags = [
  "recently_viewed_code_snippets",
  "recently_viewed_code_snippet",
  "current_file_content",
  "code_to_edit",
  "edit_diff_history",
] as const satisfies readonly UnifiedTag[];

/** Markers that no prompt input for {@link mercury} may contain. */
export const mercuryMarks: FormatMarks = {
  anywhere: [...tags.flatMap((tag) => [opening(tag), closing(tag)]), unifiedCursor],
};

/**
 * The format of Inception's Mercury at its edit endpoint: one message of tags, without
 * instructions. It answers with the window's lines in a fence, with or without their tag, or with
 * `None`. It takes no diagnostics.
 *
 * Sources: `mercury.rs` of zed-industries/zed; `core/nextEdit` of continuedev/continue.
 */
export const mercury: NextEditFormat = {
  name: "mercury",
  ask: (input) =>
    tryRefuse(input, mercuryMarks) ?? { kind: "chat", messages: [{ role: "user", text: user(input) }], stop: [] },
  read: (answer, input) =>
    readWindow(answer, input, {
      ...{ opens: [opening("code_to_edit")], closes: [closing("code_to_edit")], cursor: unifiedCursor, none: ["None"] },
      ...{ foreign: mercuryMarks.anywhere, fence: "maybe", unmarkedEnd: "whole" },
    }),
};

function user(input: NextEditPromptInput): string {
  const { path, page, window, viewed, history } = input;
  const shown = new PromptLines(input);
  const snippets = viewed.map(({ path, text }) =>
    section("recently_viewed_code_snippet", `code_snippet_file_path: ${path}\n${text.replace(/\r?\n$/, "")}\n`),
  );
  const content = [
    `current_file_path: ${path}\n`,
    shown.show({ start: page.start, end: window.start }),
    section("code_to_edit", shown.show(window, unifiedCursor)),
    shown.show({ start: window.end, end: page.end }),
  ].join("");
  const edits = history
    .slice(-maxEdits)
    .map((edit) => `--- ${edit.path}\n+++ ${edit.path}\n${pastEditDiff(edit, shown)}\n`);
  return [
    section("recently_viewed_code_snippets", snippets.join("")),
    section("current_file_content", content),
    section("edit_diff_history", edits.join("")),
  ].join("\n");
}

const maxEdits = 5;
