import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { readRecording } from "../recording/read-recording.ts";
import { key } from "../recording/recording.laws.ts";
import { writeRecording } from "../recording/recording.ts";
import { RecordingFile } from "./recording-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-recording-"));
});
afterEach(() => removeFolder(folder));

test("the file is a whole recording after each event, readable for its owner only", async () => {
  const path = join(folder, "a.edits.json");
  const file = await RecordingFile.create({ path, now: () => 0 });
  const seen = () => readRecording(readFileSync(path, "utf8"));
  expect(await seen()).toEqual({ kind: "read", recording: { events: [] } });
  expect(statSync(path).mode & 0o077).toBe(0);
  let text = "é";
  file.recorder.opened("a.ts", text);
  for (const unit of ["a", "\n", "😀", "b"]) {
    file.recorder.changed("a.ts", text, Edit.insert(text.length, unit));
    text += unit;
    if (unit !== "\n") await file.written();
    const reading = await seen();
    expect(reading.kind).toBe("read");
  }
  await file[Symbol.asyncDispose]();
  await file[Symbol.asyncDispose]();
  expect(readFileSync(path, "utf8")).toBe(writeRecording(file.recorder.recording));
});

test("text that turns out to be a key is overwritten", async () => {
  const path = join(folder, "a.edits.json");
  const file = await RecordingFile.create({ path, now: () => 0 });
  let text = "";
  for (const unit of `f("${key}"); // over`) {
    file.recorder.changed("a.ts", text, Edit.insert(text.length, unit));
    text += unit;
    await file.written();
  }
  await file[Symbol.asyncDispose]();
  const written = readFileSync(path, "utf8");
  expect(written).toBe(writeRecording(file.recorder.recording));
  expect(written.match(/…/g)?.length).toBe(key.length);
});

test("creating a recording file rejects where the file exists or its folder is missing", async () => {
  const path = join(folder, "a.edits.json");
  writeFileSync(path, "mine");
  await expect(RecordingFile.create({ path, now: () => 0 })).rejects.toMatchObject({ code: "file-exists" });
  expect(readFileSync(path, "utf8")).toBe("mine");
  const missing = join(folder, "none", "a.edits.json");
  await expect(RecordingFile.create({ path: missing, now: () => 0 })).rejects.toThrow("Make its folder first.");
});
