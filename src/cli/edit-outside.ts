import { joinPath } from "../codebase/index.ts";
import type { EditEngineParts, EditFormatter } from "../edit/index.ts";
import { checkOnDisk, findFormatter, projectFormatter, readEditFiles } from "../edit/node/index.ts";
import type { AskedEdit } from "./edit-options.ts";
import { journalOf } from "./journal-of.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What an engine has of the world outside, and what a person should know of that. */
export interface EditOutside {
  readonly parts: Pick<EditEngineParts, "check" | "formatter" | "textNow">;
  readonly notes: readonly string[];
}

/** The files as they are now, the person's check, which is told before it runs, and the project's formatter. */
export async function editOutside(asked: AskedEdit, terminal: Terminal): Promise<EditOutside> {
  const { root, settings, options } = asked;
  const { check: command } = settings;
  if (command !== undefined && !options.json) {
    terminal.err(`Each change is judged by \`${printable(command)}\`, with the files changed while it runs.\n`);
  }
  const { formatter, note } = await formatterFor(asked);
  return {
    parts: {
      textNow: async (path) => (await readEditFiles(root, [path])).files[0]?.text,
      ...(formatter && { formatter }),
      ...(command !== undefined && { check: checkOnDisk(root, command, { journal: journalOf(terminal) }) }),
    },
    notes: note === undefined ? [] : [note],
  };
}

/** The project's formatter, if it may be used; a note where it is there and may not. */
async function formatterFor({
  root,
  settings,
  request,
}: AskedEdit): Promise<{ readonly formatter?: EditFormatter; readonly note?: string }> {
  if (settings.formatter === "off") return {};
  if (settings.isTrusted) return { formatter: projectFormatter({ root, isTrusted: true }) };
  for (const { path } of request.files) {
    const found = await findFormatter(root, joinPath(root, path));
    if (found === undefined) continue;
    const note = `${found.name} does not format the change, since this workspace is not trusted: --trust lets it, --no-formatter does without.`;
    return { note };
  }
  return {};
}
