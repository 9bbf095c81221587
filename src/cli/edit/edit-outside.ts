import { joinPath } from "../../codebase/index.ts";
import type { EditEngineParts, EditFormatter } from "../../edit/index.ts";
import { findFormatter, projectFormatter, readEditFiles, verifyOnDisk } from "../../edit/node/index.ts";
import { journalOf } from "../plan/journal-of.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import type { EditTask } from "./edit-options.ts";

/** What the edit engine takes from the disk, and notes about it. */
export interface EditOutside {
  readonly parts: Pick<EditEngineParts, "verify" | "formatter" | "textNow">;
  readonly notes: readonly string[];
}

/**
 * The current texts of files, the verification command, which is printed before it runs, and the
 * project's formatter.
 */
export async function editOutside(task: EditTask, terminal: Terminal): Promise<EditOutside> {
  const { root, settings, options } = task;
  const { verify: command } = settings;
  if (command !== undefined && !options.json) {
    terminal.err(`Each change is verified by \`${printable(command)}\`, which runs with the files changed.\n`);
  }
  const { formatter, note } = await formatterFor(task);
  return {
    parts: {
      textNow: async (path) => (await readEditFiles(root, [path])).files[0]?.text,
      ...(formatter && { formatter }),
      ...(command !== undefined && { verify: verifyOnDisk(root, command, { journal: journalOf(terminal) }) }),
    },
    notes: note === undefined ? [] : [note],
  };
}

/**
 * The project's formatter, if the workspace is trusted; otherwise a note where there is a
 * formatter.
 */
async function formatterFor({
  root,
  settings,
  request,
}: EditTask): Promise<{ readonly formatter?: EditFormatter; readonly note?: string }> {
  if (settings.formatter === "off") return {};
  if (settings.isTrusted) return { formatter: projectFormatter({ root, isTrusted: true }) };
  for (const { path } of request.files) {
    const found = await findFormatter(root, joinPath(root, path));
    if (found === undefined) continue;
    const note = `${found.name} does not format the change, because this workspace is not trusted. Allow it with --trust, or use --no-formatter.`;
    return { note };
  }
  return {};
}
