import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gitSync } from "../../scripts/git-sync.ts";
import { runGit } from "./run-git.ts";

/** What a repository for a task is made of. */
export interface TaskRepositoryOptions {
  /** Where the tree of the source lies: a git folder, and a name of the tree or commit in it. */
  readonly tree: { readonly git: string; readonly name: string };
  /** Texts that stand in place of what the tree has, for they are what the scores speak of. */
  readonly source: ReadonlyMap<string, string>;
  /** What the plan begins with: files as they are in the work tree, and not in the commit. */
  readonly seeded: ReadonlyMap<string, string>;
}

/**
 * A folder with a task's source as its only commit, and the seeds in the work tree. Its creator
 * disposes it.
 */
export class TaskRepository implements Disposable {
  readonly #top = realpathSync(mkdtempSync(join(tmpdir(), "emend-codeplan-")));
  /** Files of the tree that are not there: a partial clone has not all, and links are left out. */
  readonly leftOut: readonly string[];

  constructor({ tree, source, seeded }: TaskRepositoryOptions) {
    mkdirSync(this.root);
    runGit(this.root, "init", "--quiet");
    this.leftOut = this.#writeTree(tree);
    this.#writeTexts(source);
    runGit(this.root, "add", "--all", "--force");
    const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"];
    runGit(this.root, ...author, "commit", "--quiet", "--message=source");
    this.#writeTexts(seeded);
  }

  get root(): string {
    return join(this.#top, "source");
  }

  /** A folder for what Emend keeps: plans, caches. */
  get ownFolder(): string {
    return join(this.#top, "emend");
  }

  [Symbol.dispose](): void {
    rmSync(this.#top, { recursive: true, force: true });
  }

  #writeTree({ git, name }: TaskRepositoryOptions["tree"]): readonly string[] {
    const rows = runGit(git, "ls-tree", "-r", "-z", name)
      .split("\0")
      .filter((row) => row !== "");
    const files = rows.map(
      (row) => /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(row)!.slice(1) as [string, string, string, string],
    );
    const known = objectsThere(
      git,
      files.map(([, , object]) => object),
    );
    const leftOut: string[] = [];
    for (const [mode, type, object, path] of files) {
      if (type !== "blob" || mode === "120000" || !known.has(object)) leftOut.push(path);
      else this.#write(path, gitSync(git, ["cat-file", "blob", object]));
    }
    return leftOut;
  }

  #writeTexts(texts: ReadonlyMap<string, string>): void {
    for (const [path, text] of texts) this.#write(path, text);
  }

  #write(path: string, content: string | Uint8Array): void {
    const absolute = join(this.root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }
}

/** Those objects that a clone has; it may be a partial one, which is not to be filled up. */
function objectsThere(git: string, objects: readonly string[]): ReadonlySet<string> {
  const input = objects.map((one) => `${one}\n`).join("");
  const output = gitSync(git, ["cat-file", "--batch-check"], { input }).toString();
  return new Set(output.split("\n").flatMap((row) => (/^(\w+) blob /.exec(row)?.[1] ?? []) as string[]));
}
