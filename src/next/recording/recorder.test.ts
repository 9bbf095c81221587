import fc from "fast-check";
import { expect, test } from "vitest";
import { hideSecretsInPlace } from "../../context/index.ts";
import { Edit } from "../../text/index.ts";
import type { NextEditSuggestion } from "../engine/outcome.ts";
import { readRecording } from "./read-recording.ts";
import { RecordedTexts } from "./recorded-texts.ts";
import { Recorder } from "./recorder.ts";
import { key, recordSteps, steps } from "./recording.laws.ts";
import {
  eventSeparator,
  type Recording,
  recordingHead,
  recordingTail,
  writeEvent,
  writeRecording,
} from "./recording.ts";

function textsOf(recording: Recording): ReadonlyMap<string, string | undefined> {
  const texts = new RecordedTexts();
  for (const event of recording.events) expect(texts.tryTake(event)).toBeUndefined();
  return new Map([...texts.files].map(([path, { text }]) => [path, text]));
}

test("law: a written recording is read as the same recording", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (session) => {
      const { recording } = recordSteps(session).recorder;
      const written = writeRecording(recording);
      expect(await readRecording(written)).toEqual({ kind: "read", recording: { events: [...recording.events] } });
      expect(written.split("\n").length).toBe(recording.events.length + 7);
    }),
  );
});

test("law: a recording's texts equal those of the files except for hidden ranges, at the same offsets", () => {
  let compared = 0;
  fc.assert(
    fc.property(steps, (session) => {
      const { recorder, files } = recordSteps(session);
      for (const [path, text] of textsOf(recorder.recording)) {
        if (text === undefined) continue;
        compared += 1;
        const real = files.get(path)!.split("");
        expect(real.map((unit, at) => (text[at] === "…" ? "…" : unit)).join("")).toBe(text);
        expect(hideSecretsInPlace(text, path.endsWith("yaml") ? "yaml" : "typescript").hidden).toBe(0);
      }
      expect(writeRecording(recorder.recording)).not.toContain(key);
    }),
  );
  expect(compared).toBeGreaterThan(25);
});

test("law: writing the reported events gives the whole recording", () => {
  fc.assert(
    fc.property(steps, (session) => {
      let lines: string[] = [];
      const { recorder } = recordSteps(session, ({ from }, recording) => {
        lines = [...lines.slice(0, from), ...recording.events.slice(from).map(writeEvent)];
      });
      expect(recordingHead + lines.join(eventSeparator) + recordingTail(lines.length)).toBe(
        writeRecording(recorder.recording),
      );
    }),
  );
});

/** Types a text at the end of a file, unit by unit, and returns the written recording. */
function typed(text: string, before = "", path = "a.ts"): string {
  const recorder = new Recorder({ now: () => 0 });
  recorder.opened(path, before);
  for (let length = 0; length < text.length; length += 1) {
    recorder.changed(path, before + text.slice(0, length), Edit.insert(before.length + length, text[length]!));
  }
  return writeRecording(recorder.recording);
}

test("a key that is typed letter by letter is hidden from its first letter on", () => {
  const written = typed(`const key = "${key}";\n`);
  const inserted = [...written.matchAll(/\[\[\d+, ?\d+, ?"(.*)"\]\]/g)]
    .map(([, unit]) => JSON.parse(`"${unit}"`))
    .join("");
  expect(inserted).toBe(`const key = "${"…".repeat(key.length)}";\n`);
});

test("existing text is hidden once an edit makes it a key", () => {
  const recorder = new Recorder({ now: () => 0 });
  const half = key.slice(0, 14);
  recorder.opened("a.ts", `f("${half}")`);
  recorder.changed("a.ts", `f("${half}")`, Edit.insert(3 + half.length, key.slice(14)));
  expect(writeRecording(recorder.recording)).not.toContain(half);
  expect(recorder.recording.events[0]).toMatchObject({ text: `f("${"…".repeat(14)}")` });
});

test.each<[string, (recorder: Recorder) => void]>([
  [".env", (recorder) => recorder.opened(".env", "A=1")],
  ["a recording", (recorder) => recorder.opened("a.edits.json", "{}")],
  ["an edit of .env", (recorder) => recorder.changed(".env", "A=1", Edit.insert(3, "2"))],
  ["a folder of keys", (recorder) => recorder.opened(".ssh/config", "Host a")],
  [
    "a private key",
    (recorder) => recorder.opened("a.ts", `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${"MIIEpAIBAAKCAQEA".repeat(4)}\n`),
  ],
  ["a file that may not be recorded", (recorder) => recorder.changed("out/a.ts", "a", Edit.insert(1, "b"))],
  ["a suggestion there", (recorder) => recorder.shown({ ...suggestion, path: "out/a.ts" })],
])("the recorder leaves out: %s", (_, record) => {
  const recorder = new Recorder({ now: () => 0, mayRecord: (path) => !path.startsWith("out/") });
  record(recorder);
  recorder.rejected(suggestion.id);
  expect(recorder.recording.events).toEqual([]);
});

test("a file that becomes secret is removed from later events", () => {
  const recorder = new Recorder({ now: () => 0 });
  recorder.opened("a.ts", "a");
  recorder.renamed("a.ts", ".env");
  recorder.changed(".env", "a", Edit.insert(1, "b"));
  expect(recorder.recording.events.map(({ kind }) => kind)).toEqual(["opened", "removed"]);
});

const suggestion: NextEditSuggestion = {
  ...{ id: "1", path: "a.ts", text: "old(a);\n", edit: Edit.replace({ start: 0, end: 3 }, `f("${key}")`) },
  ...{ place: { start: 0, end: 3 }, origin: "example", reason: "like your last edit", likelihood: 0.9 },
  ...{ isReused: false, others: [] },
};

test("a suggestion is recorded once with its text, and its acceptance or rejection", async () => {
  const recorder = new Recorder({ now: () => 0 });
  recorder.accepted("1");
  recorder.shown(suggestion);
  recorder.shown(suggestion);
  recorder.accepted("1", [{ start: 0, end: 3, text: "new" }]);
  recorder.rejected("1");
  expect(recorder.recording.events.map(({ kind }) => kind)).toEqual(["opened", "shown", "accepted", "rejected"]);
  const written = writeRecording(recorder.recording);
  expect(written).not.toContain(key);
  expect(await readRecording(written)).toMatchObject({ kind: "read" });
});

test("the recorder leaves out events beyond the limit", async () => {
  const recorder = new Recorder({ now: () => 0, maxCharacters: 1000 });
  let text = "";
  for (let index = 0; index < 100; index += 1) {
    recorder.changed("a.ts", text, Edit.insert(text.length, "a"));
    text += "a";
  }
  expect(recorder.isFull).toBe(true);
  expect(recorder.recording.events.length).toBeLessThan(20);
  expect(await readRecording(writeRecording(recorder.recording))).toMatchObject({ kind: "read" });
});

test.each([
  ["in the text of a file", "https://user.example/hush-secret-of-hers\n", []],
  ["typed letter by letter", "const word = \n", [..."hush-secret-of-hers"]],
  ["in one edit", "const word = \n", ["a hush-secret-of-hers b"]],
])("row 4: a configured secret %s is hidden, at the same length", (_, text, typed) => {
  const recorder = new Recorder({ now: () => 0, secrets: ["hush-secret-of-hers"] });
  recorder.opened("a.ts", text);
  let now = text;
  for (const part of typed) {
    const edit = Edit.of([{ start: now.length - 1, end: now.length - 1, text: part }]);
    recorder.changed("a.ts", now, edit);
    now = edit.apply(now);
  }
  expect(now).toContain("hush-secret-of-hers");
  const [recorded] = textsOf(recorder.recording).values();
  expect(recorded).toBe(now.replace("hush-secret-of-hers", (secret) => "…".repeat(secret.length)));
  expect(writeRecording(recorder.recording)).not.toContain("secret-of");
});
