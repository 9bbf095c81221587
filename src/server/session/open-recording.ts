import { isAbsolute } from "node:path";
import type { Clock } from "../../codebase/index.ts";
import { joinPath } from "../../codebase/index.ts";
import type { RecordingFile } from "../../next/node/index.ts";
import { EmendError } from "../../text/index.ts";

/** Where a session is recorded, and who is told of trouble. */
export interface RecordingPlace {
  /** The absolute folder of the workspace. */
  readonly root: string;
  /** The file, from the root or absolute. */
  readonly path: string;
  readonly clock: Clock;
  mayRecord(path: string): boolean;
  onProblem(message: string): void;
}

/** Opens a new recording: where there is one by that name already, with a number behind the name. `undefined` where none can be written, which is told. */
export async function tryOpenRecording({
  root,
  path,
  clock,
  mayRecord,
  onProblem,
}: RecordingPlace): Promise<RecordingFile | undefined> {
  // Hardly anybody records.
  const { RecordingFile } = await import("../../next/node/index.ts");
  const [, name, ending] = /^(.*?)((?:\.edits)?\.json)?$/s.exec(path)!;
  for (let number = 1; number <= maxRecordings; number += 1) {
    const file = number === 1 ? path : `${name}-${number}${ending ?? ""}`;
    try {
      return await RecordingFile.create({
        ...{ path: isAbsolute(file) ? file : joinPath(root, file), mayRecord, now: () => clock.now() },
        onFailure: (error) => onProblem(`The session is recorded no more: ${error.message}`),
      });
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      if (error.code === "file-exists") continue;
      onProblem(`The session is not recorded: ${error.message}`);
      return undefined;
    }
  }
  onProblem(`The session is not recorded: there are ${maxRecordings} recordings by the name of ${path}. Remove some.`);
  return undefined;
}

const maxRecordings = 1_000;
