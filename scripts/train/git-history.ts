import { parseUnifiedDiff } from "../../src/text/index.ts";
import { gitSync } from "../git-sync.ts";

/** A git repository to read from, bare or not, with all its history or the last of it. */
export class GitHistory {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The repository that `folder` is the top of; `undefined` for any other folder, one inside a
   * repository too.
   */
  static tryOpen(folder: string): GitHistory | undefined {
    const history = new GitHistory(folder);
    const answer = history.#tryAsk(["rev-parse", "--is-bare-repository", "--show-prefix"])?.toString().split("\n");
    const isTop = answer?.[0] === "true" || answer?.[1] === "";
    return isTop && history.#tryAsk(["rev-parse", "--verify", "--quiet", "HEAD"]) !== undefined ? history : undefined;
  }

  /** The blob of each regular file of a commit, by path; nothing when the commit is not there. */
  tree(commit: string): Map<string, string> {
    const files = new Map<string, string>();
    const listing = this.#tryAsk(["ls-tree", "-r", "-z", "--full-tree", commit])?.toString() ?? "";
    for (const entry of listing.split("\0")) {
      const [, blob, path] = /^100\d{3} blob (\w+)\t(.*)$/s.exec(entry) ?? [];
      if (blob !== undefined && path !== undefined) files.set(path, blob);
    }
    return files;
  }

  /** The texts of blobs, read as UTF-8; those that the repository lacks are left out. */
  texts(blobs: Iterable<string>): Map<string, string> {
    const wanted = [...new Set(blobs)];
    const texts = new Map<string, string>();
    if (wanted.length === 0) return texts;
    const answer = this.#tryAsk(["cat-file", "--batch"], `${wanted.join("\n")}\n`);
    for (let at = 0; answer !== undefined && at < answer.length; ) {
      const headEnd = answer.indexOf(10, at);
      const [blob, kind, size] = answer.subarray(at, headEnd).toString().split(" ");
      at = headEnd + 1;
      if (kind !== "blob") continue;
      texts.set(blob!, answer.subarray(at, at + Number(size)).toString());
      at += Number(size) + 1;
    }
    return texts;
  }

  /** The last `count` commits with one parent, along the first parents, oldest first. */
  commits(count: number): string[] {
    const range = ["--first-parent", "--min-parents=1", "--max-parents=1", `--max-count=${count}`];
    const log =
      this.#tryAsk(["log", ...range, "--format=%H"])
        ?.toString()
        .trim() ?? "";
    return log === "" ? [] : log.split("\n").reverse();
  }

  /** The lines that a commit added, from 0, by path; `undefined` when git cannot tell. */
  addedLines(commit: string): Map<string, number[]> | undefined {
    const how = [
      "--unified=0",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--src-prefix=a/",
      "--dst-prefix=b/",
      "--find-renames",
    ];
    const diff = this.#tryAsk(["diff", ...how, `${commit}^`, commit]);
    if (diff === undefined) return undefined;
    const added = new Map<string, number[]>();
    for (const { pathAfter, hunks } of parseUnifiedDiff(diff.toString()).files) {
      const lines = hunks.flatMap(({ afterStart, afterCount }) =>
        Array.from({ length: afterCount }, (_, i) => afterStart + i),
      );
      if (pathAfter !== undefined && lines.length > 0) added.set(pathAfter, lines);
    }
    return added;
  }

  #tryAsk(command: readonly string[], input = ""): Buffer | undefined {
    try {
      return gitSync(this.#folder, command, { input, isQuiet: true });
    } catch {
      return undefined;
    }
  }
}
