import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { WelcomeModel } from "../../complete/index.ts";

/**
 * What was learnt of when ghost text is welcome, kept in one file of the user's. It holds numbers, and no text of
 * anybody's; it never leaves the machine.
 */
export class WelcomeStore {
  readonly model: WelcomeModel;
  readonly #path: string | undefined;
  #keptAnswers: number;

  /** Reads the file at the absolute `path`; a missing or broken one is a new beginning. Without a path nothing is kept. */
  static async open(path: string | undefined): Promise<WelcomeStore> {
    return new WelcomeStore(path, path === undefined ? undefined : await tryReadJson(path));
  }

  private constructor(path: string | undefined, state: unknown) {
    this.#path = path;
    this.model = new WelcomeModel(state);
    this.#keptAnswers = this.model.state.answers;
  }

  /** Writes what was learnt since, if anything was. Of several processes the last one wins. Rejects when the disk does. */
  async save(): Promise<void> {
    const { state } = this.model;
    if (this.#path === undefined || state.answers === this.#keptAnswers) return;
    this.#keptAnswers = state.answers;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const temporary = `${this.#path}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
      await rename(temporary, this.#path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

async function tryReadJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}
