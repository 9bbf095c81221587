import { expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { printRecordingIssue, readRecording } from "./read-recording.ts";
import { recordingHead, recordingTail } from "./recording.ts";

/** A recording of these lines, each an event as JSON. */
function recorded(...events: readonly string[]): string {
  return recordingHead + events.map((event) => `    ${event}`).join(",\n") + recordingTail(events.length);
}

const opened = '{ "atMs": 0, "kind": "opened", "path": "a.ts", "language": "typescript", "text": "abc" }';

test("readRecording reads a hand-written recording, with any white space, line endings and escapes", async () => {
  const written = recorded(
    opened,
    '{"kind":"changed","path":"a.ts","version":3,"atMs":10,"edits":[[0,1,"\\u0041"],[3,3,"\\n"]]}',
  );
  for (const text of [written, written.replaceAll("\n", "\r\n"), written.replaceAll(/\n */g, "")]) {
    const reading = await readRecording(text);
    expect(reading.kind === "read" ? reading.recording.events[1] : reading).toEqual({
      ...{ atMs: 10, kind: "changed", path: "a.ts", version: 3 },
      edit: Edit.of([
        { start: 0, end: 1, text: "A" },
        { start: 3, end: 3, text: "\n" },
      ]),
    });
  }
});

const at = (atMs: number, rest: string) => `{ "atMs": ${atMs}, ${rest} }`;

/** The problem, and the text that has it. */
const broken: readonly (readonly [name: string, text: string])[] = [
  ["nothing", ""],
  ["another file", '{ "name": "a", "version": "1.0.0" }\n'],
  ["a list", "[]"],
  ["cut off", recorded(opened).slice(0, 120)],
  ["a comment", recorded(opened).replace("{", "{ // mine")],
  ["of later", recorded().replace(": 1", ": 2")],
  ["without a version", recorded().replace('  "version": 1,\n', "")],
  ["an unknown field", recorded().replace('"version"', '"by": "me", "version"')],
  ["without events", '{ "format": "emend-edits", "version": 1 }'],
  ["events that are no list", '{ "format": "emend-edits", "version": 1, "events": {} }'],
  ["an event that is none", recorded(opened, "7")],
  ["without a kind", recorded('{ "atMs": 0 }')],
  ["an unknown kind", recorded(opened, at(1, '"kind": "saved", "path": "a.ts"'))],
  ["a slip", recorded(opened, at(1, '"kind": "cursor", "path": "a.ts", "ofset": 1'))],
  ["a field that is missing", recorded(opened, at(1, '"kind": "cursor", "path": "a.ts"'))],
  ["a field twice", recorded(opened, at(1, '"kind": "cursor", "path": "a.ts", "offset": 1, "offset": 2'))],
  ["a time that is none", recorded('{ "atMs": "now", "kind": "closed", "path": "a.ts" }')],
  ["a time of before", recorded(opened.replace("0", "5"), at(4, '"kind": "closed", "path": "a.ts"'))],
  ["an absolute path", recorded(opened.replace("a.ts", "/a.ts"))],
  ["a path out of the workspace", recorded(opened.replace("a.ts", "../a.ts"))],
  ["a path with the other slashes", recorded(opened.replace("a.ts", "src\\\\a.ts"))],
  ["an edit of what is not known", recorded(at(0, '"kind": "changed", "path": "a.ts", "version": 1, "edits": []'))],
  [
    "an edit outside",
    recorded(opened, at(1, '"kind": "changed", "path": "a.ts", "version": 1, "edits": [[2, 5, "x"]]')),
  ],
  [
    "edits that overlap",
    recorded(opened, at(1, '"kind": "changed", "path": "a.ts", "version": 1, "edits": [[0, 2, ""], [1, 3, ""]]')),
  ],
  [
    "an edit of two numbers",
    recorded(opened, at(1, '"kind": "changed", "path": "a.ts", "version": 1, "edits": [[0, 2]]')),
  ],
  ["a version that stays", recorded(opened, at(1, '"kind": "changed", "path": "a.ts", "version": 0, "edits": []'))],
  ["a cursor outside", recorded(opened, at(1, '"kind": "cursor", "path": "a.ts", "offset": 4'))],
  ["opened without a text", recorded(opened.replace(', "text": "abc"', ""))],
  ["new and known", recorded(opened, opened.replace('"kind"', '"isNew": true, "kind"'))],
  ["new, and not so", recorded(opened.replace('"kind"', '"isNew": false, "kind"'))],
  [
    "closed twice",
    recorded(opened, at(1, '"kind": "closed", "path": "a.ts"'), at(2, '"kind": "closed", "path": "a.ts"')),
  ],
  ["accepted and not shown", recorded(opened, at(1, '"kind": "accepted", "id": "7"'))],
  [
    "shown by an unknown source",
    recorded(
      opened,
      at(1, '"kind": "shown", "id": "7", "path": "a.ts", "origin": "oracle", "reason": "", "place": [0, 1]'),
    ),
  ],
  [
    "shown outside",
    recorded(
      opened,
      at(1, '"kind": "shown", "id": "7", "path": "a.ts", "origin": "name", "reason": "", "place": [0, 9]'),
    ),
  ],
  [
    "shown with an edit outside",
    recorded(
      opened,
      at(
        1,
        '"kind": "shown", "id": "7", "path": "a.ts", "origin": "name", "reason": "", "place": [0, 1], "edits": [[0, 9, ""]]',
      ),
    ),
  ],
  [
    "shown twice",
    recorded(
      opened,
      ...[1, 2].map((ms) =>
        at(ms, '"kind": "shown", "id": "7", "path": "a.ts", "origin": "name", "reason": "", "place": [0, 1]'),
      ),
    ),
  ],
  [
    "a likelihood of more than one",
    recorded(
      opened,
      at(
        1,
        '"kind": "shown", "id": "7", "path": "a.ts", "origin": "name", "reason": "", "likelihood": 2, "place": [0, 1]',
      ),
    ),
  ],
  ["replaced by nothing", recorded(opened, at(1, '"kind": "replaced", "path": "a.ts"'))],
  ["a text for all files", recorded(opened, at(1, '"kind": "replaced", "text": ""'))],
  [
    "an edit after all was replaced",
    recorded(opened, at(1, '"kind": "replaced"'), at(2, '"kind": "cursor", "path": "a.ts", "offset": 0')),
  ],
  ["renamed and not known", recorded(at(0, '"kind": "renamed", "path": "a.ts", "newPath": "b.ts"'))],
  ["removed and not known", recorded(at(0, '"kind": "removed", "path": "a.ts"'))],
];

test("readRecording reports a problem with its line, its event, and what to do", async () => {
  const given: string[] = [];
  for (const [name, text] of broken) {
    const reading = await readRecording(text);
    const issue = reading.kind === "read" ? "READ" : printRecordingIssue("x.edits.json", reading.issue);
    given.push(`${name}\n  ${issue}`);
  }
  expect(given.filter((line) => line.includes("READ"))).toEqual([]);
  await expect(`${given.join("\n\n")}\n`).toMatchFileSnapshot("./fixtures/broken-recordings.txt");
});
