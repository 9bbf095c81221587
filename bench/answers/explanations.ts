import type { RecordedAnswer } from "./recorded-answer.ts";
import type { Replay } from "./replay.ts";

/** Why an answer comes out otherwise than where it was recorded, if that is meant. */
export function explanationOf(recorded: RecordedAnswer, { verdict, files, refusals }: Replay): string | undefined {
  const known = explanations.get(recorded.id);
  if (known !== undefined) return known;
  if (verdict === "refused" && refusals.length > 0 && refusals.every(({ kind }) => kind === "no-such-line")) {
    return "lines beyond the end of the file are named, which are not there to be replaced";
  }
  if (verdict !== "differing" || recorded.filesAfter === undefined) return undefined;
  const isAlike = [...recorded.filesAfter].every(([path, text]) => folded(text) === folded(files.get(path) ?? ""));
  return isAlike
    ? "lines that are only repeated keep their own blanks, and new ones are indented as the file is"
    : undefined;
}

function folded(text: string): string {
  return text.replace(/[ \t]+/g, " ").replace(/^ | $/gm, "");
}

const explanations: ReadonlyMap<string, string> = new Map([
  ["codex:010_move_overwrites_existing_destination", "no file is moved onto another one that is there"],
  [
    "continue-lazy:calculator-stateless.js",
    "a row says that existing code stays, so it stays; which old methods the new ones stand for is not said",
  ],
  ["continue-lazy:gui.js", "where a statement belongs that stands between two rows of dots is not said"],
  ["Aider-AI/aider#m3426:aider/args.py", "the file was formatted before it was committed"],
  ["Aider-AI/aider#m6109:aider/coders/editblock_coder.py", "the file was formatted before it was committed"],
  ["Aider-AI/aider#m4483:aider/main.py", "the line to replace is in another file"],
]);
