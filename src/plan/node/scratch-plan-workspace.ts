import { join } from "node:path";
import { isMissing, systemCode } from "../../edit/node/index.ts";
import { EmendError, type WorkspaceEdit } from "../../text/index.ts";
import { decodeText } from "../../workspace/index.ts";
import { readRegularFile } from "../../workspace/node/index.ts";
import { pathsOfEdit } from "../block-rewrite.ts";
import type { PartOptions, PlanWorkspace } from "../plan-parts.ts";
import type { ScratchCopy } from "./scratch-copy.ts";

/** A scratch copy as the {@link PlanWorkspace} of a plan. */
export class ScratchPlanWorkspace implements PlanWorkspace {
  readonly #copy: Pick<ScratchCopy, "root" | "write">;

  constructor(copy: Pick<ScratchCopy, "root" | "write">) {
    this.#copy = copy;
  }

  /**
   * The text of a file; `undefined` when there is none or it is not text, such as a pipe. Rejects
   * with the system's error when it cannot be read, or is a folder.
   */
  async textOf(path: string): Promise<string | undefined> {
    try {
      const decoded = decodeText(await readRegularFile(join(this.#copy.root, path)));
      return decoded.kind === "text" ? decoded.text : undefined;
    } catch (error) {
      if (isMissing(error) || ["ERR_SPECIAL_FILE", "ENXIO"].includes(systemCode(error))) return undefined;
      throw error;
    }
  }

  /**
   * Writes an edit of the current texts to the copy. Rejects with {@link EmendError} with code
   * "plan-write" when it cannot be written, as {@link textOf} does, and with the signal's reason on
   * abort.
   */
  async write(
    edit: WorkspaceEdit,
    { instruction, signal }: PartOptions & { readonly instruction: string },
  ): Promise<void> {
    const files = new Map<string, string>();
    for (const path of pathsOfEdit(edit)) {
      const text = await this.textOf(path);
      if (text !== undefined) files.set(path, text);
    }
    const outcome = await this.#copy.write({ edit, files, instruction }, { signal });
    if (outcome.kind === "written" || outcome.kind === "unchanged") return;
    throw new EmendError(
      "plan-write",
      `The plan's copy of the workspace cannot be written: ${JSON.stringify(outcome)}`,
    );
  }
}
