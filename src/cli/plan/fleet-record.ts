import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../edit/node/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { stateFolderOf } from "./journal-of.ts";
import type { FleetPlan } from "./review-fleet.ts";

/**
 * Stores the plans of a fleet atomically, so that it can be continued after a kill. `fleet` is its
 * name; names sort by time.
 */
export async function writeFleetRecord(fleet: string, plans: readonly FleetPlan[], terminal: Terminal): Promise<void> {
  const folder = folderOf(terminal);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${fleet}.json`);
  await writeFile(`${path}.new`, JSON.stringify(plans), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** The plans of the last fleet. Throws a {@link CommandFailure} where there is none. */
export async function readLastFleet(terminal: Terminal): Promise<readonly FleetPlan[]> {
  const folder = folderOf(terminal);
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const last = names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .at(-1);
  if (last !== undefined) return JSON.parse(await readFile(join(folder, last), "utf8")) as readonly FleetPlan[];
  const message = "There is no fleet yet: `emend plan --fleet FILE` starts one.";
  throw new CommandFailure("plan-missing", message, { exitCode: exitCodes.notFound });
}

function folderOf(terminal: Terminal): string {
  return join(stateFolderOf(terminal), "fleets");
}
