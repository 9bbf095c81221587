import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AcceptanceModel } from "../../complete/index.ts";
import { makeFolder } from "../../workspace/node/index.ts";

/**
 * The acceptance model of ghost text, kept in one file of the user's. The file contains numbers
 * only, no text, and never leaves the machine.
 */
export class AcceptanceModelStore {
  readonly model: AcceptanceModel;
  readonly #path: string | undefined;
  #keptAnswers: number;

  /**
   * Reads the file at the absolute `path`; a missing or broken file gives a new model. Without a
   * path nothing is kept.
   */
  static async open(path: string | undefined): Promise<AcceptanceModelStore> {
    return new AcceptanceModelStore(path, path === undefined ? undefined : await tryReadJson(path));
  }

  private constructor(path: string | undefined, state: unknown) {
    this.#path = path;
    this.model = new AcceptanceModel(state);
    this.#keptAnswers = this.model.state.answers;
  }

  /**
   * Writes the model if it has learnt since it was written last. Of several processes the last one
   * wins. Rejects when the file cannot be written.
   */
  async save(): Promise<void> {
    const { state } = this.model;
    if (this.#path === undefined || state.answers === this.#keptAnswers) return;
    this.#keptAnswers = state.answers;
    await makeFolder(dirname(this.#path), { mode: 0o700 });
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
