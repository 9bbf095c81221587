import { fenceFor, noChangeRow } from "../../formats/index.ts";
import type { NextEditFormat } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { pastEditDiff } from "./past-edit-diff.ts";
import { readWindow } from "./read-window.ts";
import { type FormatMarks, tryRefuse } from "./said-mark.ts";
import { SceneLines } from "./scene-lines.ts";

const start = "<|rewrite|>";
const end = "<|/rewrite|>";
const cursor = "<|cursor|>";

/** What scenes for {@link chat} may not say. */
export const chatMarks: FormatMarks = { anywhere: [start, end, cursor] };

/** Any model that converses: it writes the window anew in a fence, or says that nothing changes. */
export const chat: NextEditFormat = {
  name: "chat",
  ask: (scene) => {
    const refused = tryRefuse(scene, chatMarks);
    if (refused !== undefined) return refused;
    const messages = [
      { role: "system", text: system(scene) },
      { role: "user", text: user(scene) },
    ] as const;
    return { kind: "chat", messages, stop: [] };
  },
  read: (answer, scene) =>
    readWindow(answer, scene, {
      ...{ opens: [start], closes: [end], cursor, none: [], foreign: chatMarks.anywhere },
      ...{ fence: "must", unmarkedEnd: "open", mustSay: true },
    }),
};

function system(scene: NextEditScene): string {
  const fence = fenceOf(scene);
  return [
    "You predict what a programmer changes next. You are shown what they changed last and the file they are in.",
    `They may change the lines between ${start} and ${end}; ${cursor} is their cursor, often in the middle of a word or a line.`,
    "",
    `Answer with those lines as they will be, all of them, between two rows of ${fence}, without the marks and without lines from outside.`,
    "Keep every line that does not change as it is, with its indentation. Go on with what they have begun: finish what is half written, and make the change that follows from their last ones. Do not take back what they just did.",
    `If nothing follows, answer only: ${noChangeRow}`,
  ].join("\n");
}

function user(scene: NextEditScene): string {
  const { path, page, window, history, viewed, diagnostics } = scene;
  const shown = new SceneLines(scene);
  const fence = fenceOf(scene);
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

/** A fence that nothing of the scene closes. */
function fenceOf({ text, history, viewed }: NextEditScene): string {
  const texts = [
    text,
    ...viewed.map((snippet) => snippet.text),
    ...history.flatMap(({ before, after }) => [...before, ...after]),
  ];
  return fenceFor(texts.join("\n"));
}
