import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { type FileChange, type FileTexts, invariant, type WorkspaceEdit } from "../../text/index.ts";
import { folderOf, joinPath, nameOf } from "../../workspace/index.ts";
import { type EditDisk, isMissing } from "./edit-disk.ts";
import { type EditPlace, findPlace, kindAt, refusalOfError } from "./edit-place.ts";
import { type FileRefusal, fileRefusal } from "./file-refusal.ts";
import type { PlannedChange } from "./file-transaction.ts";
import { isSameState, type PutState, stateAt } from "./path-state.ts";

/** An edit as changes of the disk, or everything that prevents it. */
export type PlanAnswer =
  | { readonly kind: "planned"; readonly changes: readonly PlannedChange[] }
  | { readonly kind: "refused"; readonly refusals: readonly FileRefusal[] }
  /** The files, by their paths in the edit, that are no longer as the edit expects. */
  | { readonly kind: "stale"; readonly paths: readonly string[] };

/**
 * Plans an edit of `files` in the workspace `realRoot`, an absolute path with links resolved.
 * Writes nothing.
 *
 * All problems are refusals, and files whose text on disk differs from `files` make the edit
 * `stale`. Paths that stay as they are get no change. Rejects with `InvariantError` where `files`
 * lacks the text of a file that the edit changes, and with the disk's error where a folder cannot
 * be read.
 */
export async function planChanges(
  realRoot: string,
  edit: WorkspaceEdit,
  { files, disk }: { readonly files: FileTexts; readonly disk: EditDisk },
): Promise<PlanAnswer> {
  const plan = new Plan(files, disk);
  for (const change of edit.changes) {
    if (change.kind === "create") continue;
    const place = await plan.findPlace(realRoot, change.uri);
    if (place !== undefined) await plan.addExisting(place, change);
  }
  for (const change of edit.changes) {
    if (change.kind !== "create" && change.kind !== "rename") continue;
    const uri = change.kind === "rename" ? change.uriAfter : change.uri;
    const place = await plan.findPlace(realRoot, uri);
    if (place !== undefined) await plan.addTarget(place, uri, change);
  }
  return plan.answer();
}

/** Collects what an edit does to each path of the disk, and what prevents it. */
class Plan {
  readonly #files: FileTexts;
  readonly #disk: EditDisk;
  readonly #refusals: FileRefusal[] = [];
  readonly #stale: string[] = [];
  /** The states by absolute path; `uri` is the path that the edit uses. */
  readonly #before = new Map<string, { readonly uri: string; readonly state: PutState }>();
  readonly #after = new Map<string, { readonly uri: string; readonly state: PutState }>();
  /** The sources of moved files by their targets, as absolute paths. */
  readonly #moves = new Map<string, string>();
  readonly #names = new Map<string, readonly string[]>();

  constructor(files: FileTexts, disk: EditDisk) {
    this.#files = files;
    this.#disk = disk;
  }

  async findPlace(realRoot: string, uri: string): Promise<EditPlace | undefined> {
    const answer = await findPlace(realRoot, uri, this.#disk);
    if (answer.kind === "place") return answer.place;
    this.#refusals.push(answer.refusal);
    return undefined;
  }

  /** Adds an existing file that is changed, moved or deleted. */
  async addExisting(place: EditPlace, change: Exclude<FileChange, { readonly kind: "create" }>): Promise<void> {
    const { uri } = change;
    const refuse = (...args: Parameters<typeof fileRefusal>) => void this.#refusals.push(fileRefusal(...args));
    if (place.holds === "nothing") return refuse("missing", uri);
    if (place.holds === "folder" || place.holds === "special") return refuse(place.holds, uri);
    if (place.holds === "link" && change.kind === "rename") return refuse("link", uri);
    // A link is written through, but a deletion removes the link itself.
    const path = change.kind === "delete" ? place.entry : place.target;
    const other = this.#before.get(path);
    if (other !== undefined) return refuse("same-file", uri, other.uri);
    try {
      const before = this.#files.get(uri);
      invariant(before !== undefined, () => `There is an edit of ${uri}, and not the text that it was made for`);
      const found = await this.#disk.stat(place.target);
      if (found.isDirectory()) return refuse("folder", uri);
      if (!found.isFile()) return refuse("special", uri);
      const expected = Buffer.from(before);
      const target = found.size === expected.length ? await stateAt(place.target, this.#disk) : undefined;
      if (target?.kind !== "file" || !target.bytes.equals(expected)) return void this.#stale.push(uri);
      if ((found.mode & 0o222) === 0 || !(await isWritable(place.target))) return refuse("read-only", uri);
      if (found.nlink > 1 && change.kind !== "delete") return refuse("hard-link", uri, String(found.nlink));
      const state = path === place.target ? target : await stateAt(path, this.#disk);
      if (state.kind === "other") return void this.#stale.push(uri);
      this.#before.set(path, { uri, state });
      if (change.kind === "edit")
        this.#set(path, uri, { ...target, bytes: this.#encode(uri, change.edit.apply(before)) });
    } catch (error) {
      this.#refusals.push(refusalOfError(error, uri));
    }
  }

  /** Adds a file at a path where none exists, or where one goes away. */
  async addTarget(
    place: EditPlace,
    uri: string,
    change: Extract<FileChange, { readonly kind: "create" | "rename" }>,
  ): Promise<void> {
    const { entry } = place;
    const isFree = this.#before.has(entry) && !this.#after.has(entry);
    const blocked = await this.#tryBlocked(entry);
    if (blocked !== undefined) return void this.#refusals.push(fileRefusal("no-folder", uri, blocked));
    const [, inside] = [...this.#after].find(([path]) => path.startsWith(`${entry}/`)) ?? [];
    if (inside !== undefined) return void this.#refusals.push(fileRefusal("no-folder", inside.uri, uri));
    const twin = await this.#tryTwin(entry);
    if (twin !== undefined) this.#refusals.push(fileRefusal("case-collision", uri, twin));
    else if (place.holds !== "nothing" && !isFree && (await this.#isNamed(entry))) {
      this.#refusals.push(fileRefusal("exists", uri));
    } else if (change.kind === "create") {
      this.#set(entry, uri, { kind: "file", bytes: this.#encode(uri, change.text) });
    } else {
      const [from, source] = [...this.#before].find(([, taken]) => taken.uri === change.uri) ?? [];
      const before = this.#files.get(change.uri);
      // The source was refused already.
      if (from === undefined || source?.state.kind !== "file" || before === undefined) return;
      this.#moves.set(entry, from);
      this.#set(entry, uri, { ...source.state, bytes: this.#encode(uri, change.edit.apply(before)) });
    }
  }

  answer(): PlanAnswer {
    if (this.#refusals.length > 0) return { kind: "refused", refusals: this.#refusals };
    if (this.#stale.length > 0) return { kind: "stale", paths: this.#stale };
    const nothing = { kind: "nothing" } as const;
    const paths = new Set([...this.#before.keys(), ...this.#after.keys()]);
    const changes = [...paths].map((path) => {
      const movedFrom = this.#moves.get(path);
      return {
        path,
        before: this.#before.get(path)?.state ?? nothing,
        after: this.#after.get(path)?.state ?? nothing,
        ...(movedFrom !== undefined && { movedFrom }),
      };
    });
    const real = changes.filter(({ before, after }) => !isSameState(before, after));
    return { kind: "planned", changes: real };
  }

  #set(path: string, uri: string, state: PutState): void {
    const other = this.#after.get(path);
    if (other === undefined) this.#after.set(path, { uri, state });
    else this.#refusals.push(fileRefusal("same-file", uri, other.uri));
  }

  #encode(uri: string, text: string): Buffer {
    if (/\p{Surrogate}/u.test(text)) this.#refusals.push(fileRefusal("half-character", uri));
    return Buffer.from(text);
  }

  /** The path above `entry` at which something other than a folder exists or is planned. */
  async #tryBlocked(entry: string): Promise<string | undefined> {
    for (let path = folderOf(entry); path !== ""; path = folderOf(path)) {
      const planned = this.#after.get(path);
      if (planned !== undefined) return planned.uri;
      const holds = await kindAt(path, this.#disk);
      if (holds !== "nothing") return holds === "folder" ? undefined : path;
    }
    return undefined;
  }

  /** Another name in the same folder, existing or planned, that stays and differs only in case. */
  async #tryTwin(entry: string): Promise<string | undefined> {
    const folder = dirname(entry);
    const name = nameOf(entry);
    const lower = name.toLowerCase();
    const isTwin = (other: string) => other !== name && other.toLowerCase() === lower;
    const planned = [...this.#after.keys()].filter((path) => dirname(path) === folder).map(nameOf);
    const goesAway = (other: string) => {
      const path = joinPath(folder, other);
      return this.#before.has(path) && !this.#after.has(path);
    };
    return planned.find(isTwin) ?? (await this.#namesIn(folder)).find((other) => isTwin(other) && !goesAway(other));
  }

  /**
   * Whether the folder contains exactly this name; a case-insensitive disk finds files under other
   * names, too.
   */
  async #isNamed(entry: string): Promise<boolean> {
    return (await this.#namesIn(dirname(entry))).includes(nameOf(entry));
  }

  async #namesIn(folder: string): Promise<readonly string[]> {
    const known = this.#names.get(folder);
    if (known !== undefined) return known;
    const names = await this.#disk.readdir(folder).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    this.#names.set(folder, names);
    return names;
  }
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
