import { gitSync } from "../../scripts/git-sync.ts";

/** The files of one commit, read from a repository's objects: nothing is checked out. */
export class CommitTree {
  readonly #git: string;
  readonly #objects = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  constructor(git: string, commit: string) {
    this.#git = git;
    const listed = run(git, ["ls-tree", "-r", "-z", commit]).toString();
    for (const row of listed.split("\0")) {
      const [, mode, type, object, path] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(row) ?? [];
      if (type === "blob" && mode !== "120000") this.#objects.set(path!, object!);
    }
  }

  get paths(): string[] {
    return [...this.#objects.keys()];
  }

  /** The name of a file's content among the objects; `undefined` where there is none. */
  objectOf(path: string): string | undefined {
    return this.#objects.get(path);
  }

  /** Reads many files at once, so that {@link text} has them. */
  load(paths: readonly string[]): void {
    const wanted = [...new Set(paths)].filter((path) => this.#objects.has(path) && !this.#texts.has(path));
    if (wanted.length === 0) return;
    const input = wanted.map((path) => `${this.#objects.get(path)}\n`).join("");
    const output = run(this.#git, ["cat-file", "--batch"], input);
    let at = 0;
    for (const path of wanted) {
      const line = output.indexOf(10, at);
      const size = Number(output.toString("latin1", at, line).split(" ")[2]);
      this.#texts.set(path, output.toString("utf8", line + 1, line + 1 + size).replace(/^\uFEFF/, ""));
      at = line + 1 + size + 1;
    }
  }

  /** The text of a file, without a byte order mark; `undefined` where there is none. */
  text(path: string): string | undefined {
    this.load([path]);
    return this.#texts.get(path);
  }
}

function run(git: string, args: readonly string[], input?: string): Buffer {
  return gitSync(git, args, input === undefined ? {} : { input });
}
