import type { GitHistory } from "./git-history.ts";
import { isLearnablePath } from "./learnable.ts";
import { choosePlaces } from "./places.ts";
import { RowCollector } from "./row-collector.ts";
import type { Rows } from "./rows.ts";
import { pick } from "./seeded-random.ts";

/** How far back commits are taken from, and how many lines of each become places. */
const lastCommits = 600;
const placesPerCommit = 6;

/** Commits that add more lines than this move code rather than write it. */
const maxAddedLines = 3000;

/** Rows of one commit, about: sizes the choice of commits. */
const rowsPerCommit = 30;

/**
 * Collects rows from lines that commits added, in the workspace as it was before each.
 *
 * Commits are chosen evenly from the last {@link lastCommits} and taken from the oldest on, so that
 * the workspace moves on by what differs. Stops at `rows` more rows.
 */
export function collectCommits(
  rows: Rows,
  history: GitHistory,
  { rows: wanted, random }: { readonly rows: number; readonly random: () => number },
): void {
  const end = rows.length + wanted;
  const commits = history.commits(lastCommits);
  const share = wanted / rowsPerCommit / Math.max(1, commits.length);
  const chosen = commits.filter(() => random() < share);
  if (chosen.length === 0) return;
  const workspace = new PastWorkspace(rows, history, random);
  for (const commit of chosen) {
    if (rows.length >= end) return;
    workspace.moveTo(`${commit}^`);
    workspace.collect(commit);
  }
}

/** The workspace before one commit after the other. */
class PastWorkspace {
  readonly #rows: Rows;
  readonly #history: GitHistory;
  readonly #random: () => number;
  #collector: RowCollector | undefined;
  /** The blob of each file, by path. */
  #files = new Map<string, string>();

  constructor(rows: Rows, history: GitHistory, random: () => number) {
    this.#rows = rows;
    this.#history = history;
    this.#random = random;
  }

  /** Learns and forgets what differs between the present state and that of `commit`. */
  moveTo(commit: string): void {
    const files = new Map([...this.#history.tree(commit)].filter(([path]) => isLearnablePath(path)));
    const changed = [...files].filter(([path, blob]) => this.#files.get(path) !== blob);
    const texts = this.#history.texts(changed.map(([, blob]) => blob));
    const characters = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
    // The first state sizes the tables; what comes later has some room.
    this.#collector ??= new RowCollector(this.#rows, characters * 1.5, this.#random);
    for (const path of this.#files.keys()) if (!files.has(path)) this.#collector.forget(path);
    for (const [path, blob] of changed) {
      const text = texts.get(blob);
      if (text === undefined) this.#collector.forget(path);
      else this.#collector.learn(path, text);
    }
    this.#files = files;
  }

  /** Asks about lines that `commit` adds to the present state. */
  collect(commit: string): void {
    const added = this.#history.addedLines(commit);
    const lines = [...(added ?? [])].flatMap(([path, indexes]) =>
      isLearnablePath(path) ? indexes.map((index) => ({ path, index })) : [],
    );
    if (lines.length === 0 || lines.length > maxAddedLines) return;
    const wanted = new Map<string, number[]>();
    for (let i = 0; i < placesPerCommit; i++) {
      const { path, index } = pick(lines, this.#random);
      const indexes = wanted.get(path) ?? [];
      indexes.push(index);
      wanted.set(path, indexes);
    }
    const after = this.#history.tree(commit);
    for (const [path, lineIndexes] of wanted) this.#collectFile(path, after.get(path), lineIndexes);
  }

  #collectFile(path: string, blobAfter: string | undefined, lineIndexes: readonly number[]): void {
    const blobBefore = this.#files.get(path);
    const texts = this.#history.texts([blobAfter, blobBefore].filter((blob) => blob !== undefined));
    const text = blobAfter === undefined ? undefined : texts.get(blobAfter);
    if (text === undefined) return;
    this.#collector?.forget(path);
    this.#collector?.collect(choosePlaces({ path, text, lineIndexes, count: lineIndexes.length }, this.#random));
    const before = blobBefore === undefined ? undefined : texts.get(blobBefore);
    if (before !== undefined) this.#collector?.learn(path, before);
  }
}
