import { type FindingPlace, finding } from "./finding.ts";
import { stackFrames } from "./stack-frames.ts";
import { outputLines, Reading, type VerifierReading } from "./verifier-reading.ts";

/** The part of the sections `FAILURES` and `ERRORS` that is about one test. */
interface Section {
  /**
   * Its heading without the rules, such as `TestSums.test_add` or
   * `ERROR collecting tests/test_a.py`.
   */
  readonly title: string;
  readonly frames: FindingPlace[];
  readonly reasons: string[];
}

/**
 * Reads the terminal output of pytest, with any `--tb` and with `-q`. The short summary lists the
 * failed tests (`FAILED path::Class::test - reason`), and the sections above it give the places.
 * Findings count lines and columns from 0.
 *
 * The code of a finding is the test's name without its file. Its place is the frame in the test's
 * file; other frames are related places. A test with a section is a finding even when the summary
 * is cut off.
 */
export function readPytest(output: string): VerifierReading {
  const reading = new Reading();
  const sections: Section[] = [];
  const summary: { readonly kind: string; readonly id: string; readonly reason: string }[] = [];
  let part: "head" | "sections" | "summary" | "other" = "head";
  for (const line of outputLines(output)) {
    const rule = /^={3,} (.*?) ={3,}$/.exec(line)?.[1];
    const title = /^_{3,} (.*?) _{3,}$/.exec(line)?.[1];
    const short = /^(FAILED|ERROR) (?=\S)/.exec(line);
    if (rule !== undefined) {
      part = partOf(rule);
    } else if (short !== null && part !== "sections") {
      const entry = line.slice(short[0].length);
      const dash = entry.indexOf(" - ", 1);
      const [id, reason] = dash < 0 ? [entry, ""] : [entry.slice(0, dash), entry.slice(dash + " - ".length)];
      summary.push({ kind: short[1]!, id, reason });
    } else if (title !== undefined && part === "sections") {
      sections.push({ title, frames: [], reasons: [] });
    } else if (part === "sections" && sections.length > 0) {
      readSectionLine(sections.at(-1)!, line);
    } else if (part === "summary" && summary.length > 0 && /^\s/.test(line)) {
      // A reason with several lines is in the section, too.
    } else if (!isProgress(line) && part !== "other") {
      reading.leave(line);
    }
  }
  const used = new Set<Section>();
  for (const { kind, id, reason } of summary) {
    const [path = "", ...names] = id.split("::");
    const titles = new Set([names.join("."), `ERROR collecting ${path}`, `ERROR at setup of ${names.join(".")}`]);
    titles.add(`ERROR at teardown of ${names.join(".")}`);
    const section = sections.find((one) => titles.has(one.title) && !used.has(one));
    if (section !== undefined) used.add(section);
    reading.add(toFinding({ path, name: names.join("::"), reason, section, isSetUp: kind === "ERROR" }));
  }
  for (const section of sections) {
    if (used.has(section)) continue;
    const path = /^ERROR collecting (\S+)/.exec(section.title)?.[1] ?? section.frames[0]?.path ?? "";
    const name = section.title.replace(/^ERROR (collecting|at setup of|at teardown of) /, "");
    const isFile = name === path;
    reading.add(
      toFinding({ path, name: isFile ? "" : name.replaceAll(".", "::"), reason: "", section, isSetUp: isFile }),
    );
  }
  // Sections without a summary mean that the output was cut.
  reading.isCut = sections.length > 0 && summary.length === 0 && part === "sections";
  return reading.end();
}

function partOf(rule: string): "head" | "sections" | "summary" | "other" {
  if (rule === "FAILURES" || rule === "ERRORS") return "sections";
  if (rule === "short test summary info") return "summary";
  return rule.includes("test session starts") ? "head" : "other";
}

function readSectionLine(section: Section, line: string): void {
  section.frames.push(...stackFrames(line));
  const reason = /^E\s+(?!\s)(.*)$/.exec(line)?.[1];
  if (reason !== undefined) section.reasons.push(reason);
}

function toFinding(parts: {
  readonly path: string;
  readonly name: string;
  readonly reason: string;
  readonly section: Section | undefined;
  readonly isSetUp: boolean;
}) {
  const { path, name, reason, section, isSetUp } = parts;
  const file = path.replaceAll("\\", "/");
  const frames = section?.frames ?? [];
  const isOwn = (frame: FindingPlace) => frame.path === file || frame.path.endsWith(`/${file}`);
  const reasons = section?.reasons.join("\n") ?? "";
  return finding({
    path,
    line: frames.find(isOwn)?.line,
    code: name === "" ? undefined : name,
    severity: "error",
    message: reasons || reason || (isSetUp ? "It could not be run." : "It failed."),
    source: "pytest",
    related: frames.filter((frame) => !isOwn(frame)),
  });
}

/** Whether a line is progress: dots and percentages, collected tests, or the counts of outcomes. */
function isProgress(line: string): boolean {
  return (
    /^\S*(?:\s+[.FEsxXR]+)?(?<=[.FEsxXR])\s*(\[\s*\d+%\])?$/.test(line) ||
    /^(platform|rootdir|configfile|plugins|cachedir|testpaths|asyncio|collected|collecting)\b/.test(line) ||
    /^\d+ (failed|passed|error|skipped|warning|xfailed|xpassed|deselected)/.test(line) ||
    /^(?=\S+::\S).* (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/.test(line) ||
    /^!{3,} .* !{3,}$/.test(line) ||
    /^no tests ran in /.test(line)
  );
}
