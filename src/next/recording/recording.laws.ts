/** Random sessions for the tests of recordings, and how they are recorded. */
import fc from "fast-check";
import { Edit } from "../../text/index.ts";
import { Recorder } from "./recorder.ts";
import type { Recording } from "./recording.ts";

/** The key is joined from parts, so that secret scanners do not report this file. */
export const key = ["ghp", "_", "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1A2"].join("");

/** A step of a session; the numbers choose among the present files and offsets. */
export type Step = readonly [
  kind: "open" | "edit" | "type" | "close" | "rename" | "replace" | "checkout" | "remove",
  one: number,
  other: number,
  text: string,
];

/** Arbitrary sessions of at most 25 steps. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom("open", "edit", "edit", "edit", "type", "close", "rename", "replace", "checkout", "remove"),
    fc.nat(1000),
    fc.nat(1000),
    fc
      .array(
        fc.constantFrom(
          "a",
          "\n",
          "\r\n",
          '"',
          " = ",
          "password",
          "hunter2",
          `"${key}"`,
          key.slice(0, 12),
          key.slice(12),
          "é",
          "😀",
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join("")),
  ) as fc.Arbitrary<Step>,
  { maxLength: 25 },
);

/** Records a session; returns the recorder and the real texts of the files. */
export function recordSteps(
  session: readonly Step[],
  onChange: (change: { readonly from: number }, recording: Recording) => void = () => undefined,
): { readonly recorder: Recorder; readonly files: ReadonlyMap<string, string> } {
  let now = 500;
  const recorder: Recorder = new Recorder({
    now: () => now,
    onChange: (change) => onChange(change, recorder.recording),
  });
  const files = new Map([
    ["a.ts", "const a = 1;\n"],
    ["b.yaml", "a: 1\n"],
  ]);
  let made = 0;
  for (const [kind, one, other, text] of session) {
    now += one;
    const paths = [...files.keys()];
    const path = paths[one % paths.length];
    if (path === undefined) break;
    const before = files.get(path)!;
    const change = (edit: Edit) => {
      const present = files.get(path)!;
      recorder.changed(path, present, edit);
      files.set(path, edit.apply(present));
    };
    if (kind === "open") recorder.opened(path, before);
    else if (kind === "edit") {
      const start = one % (before.length + 1);
      change(Edit.replace({ start, end: start + (other % (before.length - start + 1)) }, text));
    } else if (kind === "type") {
      const start = one % (before.length + 1);
      for (const [index, unit] of [...text].entries())
        change(Edit.insert(start + [...text].slice(0, index).join("").length, unit));
    } else if (kind === "close") recorder.closed(path);
    else if (kind === "rename") {
      made += 1;
      recorder.renamed(path, `made${made}.ts`);
      files.delete(path);
      files.set(`made${made}.ts`, before);
    } else if (kind === "replace") {
      recorder.replaced(path, text);
      files.set(path, text);
    } else if (kind === "checkout") {
      recorder.replaced();
      files.set(path, text);
    } else {
      recorder.removed(path);
      files.delete(path);
    }
  }
  return { recorder, files };
}
