import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formats } from "../formats/index.ts";
import { applyWorkspaceEdit, emptyWorkspaceEdit, toUnifiedDiff } from "../text/index.ts";
import type { Preview } from "./edit-outcome.ts";
import { ScriptedChatModel } from "./fixtures/scripted-chat-model.ts";
import { Previews } from "./previews.ts";
import { readAnswers } from "./read-answers.ts";

const path = "src/a.ts";
const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const before = numbers.map((word) => `${word}();\n`).join("");
const files = new Map([[path, before]]);

/** Lines four to six become five lines, and one is inserted before line ten. */
const after = before
  .replace("four();\nfive();\nsix();\n", "a();\nb();\nc();\nd();\ne();\n")
  .replace("ten();\n", "z();\nten();\n");

/** The previews while an answer arrives in pieces. */
async function watch(format: (typeof formats)[number], answer: string, pieceLength: number): Promise<Preview[]> {
  const previews = new Previews({ format: format.name, files, base: emptyWorkspaceEdit });
  const model = new ScriptedChatModel([answer], { pieceLength });
  const read = () => format.read({ paths: [path] });
  const hearing = readAnswers({ chat: model.chat.bind(model), messages: [], read, mayContinue: () => false });
  const seen: Preview[] = [];
  for (;;) {
    const step = await hearing.next();
    if (step.done) return seen;
    const preview = step.value.kind === "read" ? previews.tryShow(step.value) : undefined;
    if (preview !== undefined) seen.push(preview);
  }
}

/** The added and removed lines of a diff: `+a(); -four();`. */
function changed(preview: Pick<Preview, "edit">, name = path): string {
  const outcome = applyWorkspaceEdit(files, preview.edit);
  if (outcome.kind !== "applied") throw new Error("The preview does not fit.");
  return diffRows(files.get(name), outcome.files.get(name)).join(" ");
}

function diffRows(before: string | undefined, after: string | undefined): readonly string[] {
  const rows = toUnifiedDiff({ before, after, path }).split("\n");
  return rows.filter((row) => /^[+-]\w/.test(row));
}

const changes = [{ path, before, after }];

describe.each(formats.filter(({ name }) => name !== "numbered"))("$name", (format) => {
  test("previews show new lines at their place as they are written, and no line vanishes", async () => {
    const seen = await watch(format, format.encode(changes), 3);
    const shown = seen.map((preview) => changed(preview));
    // The first place is shown before it is complete. In a complete file, the number of deleted
    // lines is unknown until a kept line arrives.
    const isEndKnown = format.name !== "whole" && format.name !== "elided";
    // A patch lists the deleted lines first.
    const isPatch = format.name === "udiff" || format.name === "v4a";
    expect(shown).toContain(isPatch ? "-four(); -five();" : isEndKnown ? "-four(); +a();" : "+a();");
    expect(shown).toContain(`${isEndKnown ? "-four(); -five(); -six(); " : ""}+a(); +b(); +c(); +d();`);
    const whole = new Set(diffRows(before, after));
    let last = new Set<string>();
    for (const rows of shown.map((row) => new Set(row.split(" ").filter((word) => word !== "")))) {
      for (const row of last) expect(rows).toContain(row);
      for (const row of rows) expect(whole).toContain(row);
      last = rows;
    }
    expect(seen.some(({ at }) => at?.path === path && at.line === (isEndKnown ? 4 : 3))).toBe(true);
  });

  test("previews show only parts of the change for any pieces of the answer", async () => {
    const answer = format.encode(changes);
    const whole = diffRows(before, after);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 80 }), async (length) => {
        const seen = (await watch(format, answer, length)).map((preview) => changed(preview));
        for (const rows of seen) expect([...whole, ""]).toEqual(expect.arrayContaining(rows.split(" ")));
      }),
    );
  });
});

test.each<[what: string, format: string, answer: string, expected: readonly string[]]>([
  [
    "lines that stay inside of an edit",
    "range",
    "@@ 1-6 one | six\none();\ntwo();\nx();\nfour();\n",
    ["-three(); +x();"],
  ],
  [
    "lines in a fence of their own",
    "range",
    "@@ 4-5 four | five\n```ts\nx();\ny();\n```\n",
    ["-four(); +x();", "-four(); -five(); +x(); +y();"],
  ],
  ["an edit of a place that is not there", "range", "@@ 40 forty\nx();\n", []],
  ["a new file", "range", "@@ create src/b.ts\nx();\ny();\n", ["+x();", "+x(); +y();"]],
  [
    "the lines of an edit of which none is written",
    "search-replace",
    "src/a.ts\n<<<<<<< SEARCH\nfour();\nfive();\n",
    [],
  ],
  [
    "JSON on several rows, with its line breaks as they are",
    "str-replace",
    '{"path": "src/a.ts",\n "old_string": "four();\nfive();\n",\n "new_string": "x();\ny();\nz',
    ["-four(); +x();", "-four(); -five(); +x(); +y();"],
  ],
  [
    "JSON with several edits, whose last has only begun",
    "str-replace",
    '{"path": "src/a.ts", "edits": [{"old_string": "four();", "new_string": "x();"}, {"old_string": "six();\\n',
    ["-four(); +x();"],
  ],
  [
    "JSON whose new text comes first",
    "str-replace",
    '{"path": "src/a.ts", "new_string": "x();", "old_string": "fo',
    [],
  ],
])("previews while an answer is written: %s", async (_, name, answer, expected) => {
  const format = formats.find((one) => one.name === name)!;
  const shown = (await watch(format, answer, 1)).map((preview) =>
    [changed(preview), changed(preview, "src/b.ts")].filter((rows) => rows !== "").join(" "),
  );
  expect([...new Set(shown)].filter((rows) => rows !== "")).toEqual(expected);
});
