import { fenceFor, noChangeRow } from "../../formats/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { type FormatMarks, PromptLines, pastEditDiff, tryRefuse } from "./prompt-lines.ts";
import { readWindow } from "./read-window.ts";

const start = "<|rewrite|>";
const end = "<|/rewrite|>";
const cursor = "<|cursor|>";

/** Markers that no prompt input for {@link chat} may contain. */
export const chatMarks: FormatMarks = { anywhere: [start, end, cursor] };

/**
 * The format for any chat model: it rewrites the editable region in a fence, or answers that
 * nothing changes.
 */
export const chat: NextEditFormat = {
  name: "chat",
  ask: (input) => {
    const refused = tryRefuse(input, chatMarks);
    if (refused !== undefined) return refused;
    const messages = [
      { role: "system", text: system(input) },
      { role: "user", text: user(input) },
    ] as const;
    return { kind: "chat", messages, stop: [] };
  },
  read: (answer, input) =>
    readWindow(answer, input, {
      ...{ opens: [start], closes: [end], cursor, none: [], foreign: chatMarks.anywhere },
      ...{ fence: "must", unmarkedEnd: "open", needsAnswer: true },
    }),
};

function system(input: NextEditPromptInput): string {
  const fence = fenceOf(input);
  return [
    "You predict what a programmer changes next. You are shown what they changed last and the file they are in.",
    `They may change the lines between ${start} and ${end}; ${cursor} is their cursor, often in the middle of a word or a line.`,
    "",
    `Answer with those lines as they will be, all of them, between two rows of ${fence}, without the marks and without lines from outside.`,
    "Keep every line that does not change as it is, with its indentation. Go on with what they have begun: finish what is half written, and make the change that follows from their last ones. Do not take back what they just did.",
    `If nothing follows, answer only: ${noChangeRow}`,
  ].join("\n");
}

function user(input: NextEditPromptInput): string {
  const { path, page, window, history, viewed, diagnostics } = input;
  const shown = new PromptLines(input);
  const fence = fenceOf(input);
  const fenced = (info: string, text: string): string => `${fence}${info}\n${text}${fence}\n`;
  const snippets = viewed.map(({ path, lines, text }) => {
    const title = `Looked at, ${path} from line ${lines.start + 1}:`;
    return `${title}\n${fenced("", `${text.replace(/\r?\n$/, "")}\n`)}`;
  });
  const edits = history.map((edit) => `Changed in ${edit.path}:\n${fenced("diff", pastEditDiff(edit, shown))}`);
  const problems = diagnostics.map(({ line, severity, message }) => `- ${severity} in line ${line + 1}: ${message}\n`);
  const file = [
    shown.show({ start: page.start, end: window.start }),
    `${start}\n${shown.show(window, cursor)}${end}\n`,
    shown.show({ start: window.end, end: page.end }),
  ].join("");
  return [
    ...snippets,
    ...edits,
    ...(problems.length === 0 ? [] : [`Reported for ${path}:\n${problems.join("")}`]),
    `The file ${path}, from line ${page.start + 1}:\n${fenced("", file)}`,
  ].join("\n");
}

/** A fence longer than any fence in the prompt input. */
function fenceOf({ text, history, viewed }: NextEditPromptInput): string {
  const texts = [
    text,
    ...viewed.map((snippet) => snippet.text),
    ...history.flatMap(({ before, after }) => [...before, ...after]),
  ];
  return fenceFor(texts.join("\n"));
}
