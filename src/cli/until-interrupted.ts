import { exitCodes } from "./exit-codes.ts";
import { Interruption } from "./interruption.ts";

/** Waits until a person presses Ctrl-C, which is how a command ends that goes on by itself. Rejects with any other reason to stop, and where `work` fails. */
export async function untilInterrupted(signal: AbortSignal, work: Promise<never>): Promise<void> {
  let stop!: () => void;
  const stopped = new Promise<void>((resolve, reject) => {
    stop = () => {
      const { reason } = signal;
      const isAsked = reason instanceof Interruption && reason.exitCode === exitCodes.interrupted;
      if (isAsked) resolve();
      else reject(reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    await Promise.race([stopped, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
