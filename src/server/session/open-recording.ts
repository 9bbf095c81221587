import { isAbsolute } from "node:path";
import type { Clock } from "../../codebase/index.ts";
import { joinPath } from "../../codebase/index.ts";
import type { RecordingFile } from "../../next/node/index.ts";
import { EmendError } from "../../text/index.ts";

/** Where a session is recorded. */
export interface RecordingPlace {
  /** The absolute folder of the workspace. */
  readonly root: string;
  /** The file, relative to the root or absolute. */
  readonly path: string;
  readonly clock: Clock;
  /** Configured secrets, which are masked. */
  readonly secrets?: readonly string[];
  mayRecord(path: string): boolean;
  onProblem(message: string): void;
}

/**
 * Opens a new recording, with a number behind its name where the file exists already. Returns
 * `undefined` where none can be written, after a call of `onProblem`; a failure of the disk causes
 * no rejection.
 */
export async function tryOpenRecording({
  root,
  path,
  clock,
  secrets = [],
  mayRecord,
  onProblem,
}: RecordingPlace): Promise<RecordingFile | undefined> {
  // Loaded here, since few sessions are recorded.
  const { RecordingFile } = await import("../../next/node/index.ts");
  const [, name, ending] = /^(.*?)((?:\.edits)?\.json)?$/s.exec(path)!;
  for (let number = 1; number <= maxRecordings; number += 1) {
    const file = number === 1 ? path : `${name}-${number}${ending ?? ""}`;
    try {
      return await RecordingFile.create({
        ...{ path: isAbsolute(file) ? file : joinPath(root, file), secrets, mayRecord, now: () => clock.now() },
        onFailure: (error) => onProblem(`The recording of the session has stopped: ${error.message}`),
      });
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      if (error.code === "file-exists") continue;
      onProblem(`The session is not recorded: ${error.message}`);
      return undefined;
    }
  }
  onProblem(`The session is not recorded: there are ${maxRecordings} recordings with the name ${path}. Remove some.`);
  return undefined;
}

const maxRecordings = 1_000;
