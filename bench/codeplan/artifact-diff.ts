import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLineFeeds } from "../../src/text/index.ts";

/**
 * How a task's differences are taken before they are scored: what `scripts/metrics.py` of the
 * artifact leaves out.
 */
export type DiffManner = "plain" | "without-blanks-and-signs" | "without-blanks-and-usings";

/**
 * Takes differences between texts as the artifact's script does: by git, in the manner of the task,
 * from the first hunk on. Its creator disposes it.
 */
export class ArtifactDiff implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "emend-codeplan-diff-"));
  readonly #extension: string;
  readonly #manner: DiffManner;
  /** Git is slow to start, and the same texts are compared for several scores. */
  readonly #known = new Map<string, string>();

  /**
   * `extension` is that of the files, with its dot: by it git finds the declaration that a hunk
   * lies in.
   */
  constructor(extension: string, manner: DiffManner) {
    this.#extension = extension;
    this.#manner = manner;
    mkdirSync(join(this.#folder, "git"));
    writeFileSync(join(this.#folder, "git", "attributes"), "*.cs\tdiff=csharp\n*.py\tdiff=python\n");
  }

  /** Empty where there is none. */
  between(before: string, after: string): string {
    if (before === after) return "";
    const key = JSON.stringify([before, after]);
    const diff = this.#known.get(key) ?? this.#compare(before, after);
    this.#known.set(key, diff);
    return diff;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #compare(before: string, after: string): string {
    const [one, other] = ["before", "after"].map((name) => join(this.#folder, `${name}${this.#extension}`));
    writeFileSync(one!, before);
    writeFileSync(other!, after);
    const { stdout, status, stderr } = spawnSync(
      "git",
      ["--no-pager", "diff", "--no-index", "--no-color", ...leftOut[this.#manner], one!, other!],
      { env: { ...process.env, XDG_CONFIG_HOME: this.#folder, GIT_CONFIG_GLOBAL: "" }, encoding: "utf8" },
    );
    // Exit code 1: they differ.
    if (status !== 0 && status !== 1) throw new Error(`git could not compare two texts: ${stderr}`);
    const from = stdout.indexOf("@@");
    if (from < 0) return "";
    const diff = withLineFeeds(stdout.slice(from));
    return this.#manner === "without-blanks-and-signs" ? withoutSigns(diff) : diff;
  }
}

const blanks = ["--ignore-all-space", "--ignore-cr-at-eol", "--ignore-space-at-eol", "--ignore-blank-lines"];

const leftOut: Readonly<Record<DiffManner, readonly string[]>> = {
  plain: [],
  "without-blanks-and-signs": blanks,
  "without-blanks-and-usings": [...blanks, "--ignore-matching-lines=^using\\s.*"],
};

/** A difference as one line, without the heads of hunks and the signs of lines. */
function withoutSigns(diff: string): string {
  return diff
    .replace(/@@[^@]+@@/g, "")
    .replace(/^\+/, "")
    .replace(/^-/, "")
    .replaceAll("\n+", "\n")
    .replaceAll("\n-", "\n")
    .replaceAll("\n", "")
    .replace(/\s+/g, " ");
}
