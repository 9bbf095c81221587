import { exitCodes } from "./exit-codes.ts";
import { Interruption } from "./interruption.ts";

/**
 * Waits until the person presses Ctrl-C, which ends a command that would run on. Rejects for other
 * signals, and when `work` fails.
 */
export async function untilInterrupted(signal: AbortSignal, work: Promise<never>): Promise<void> {
  let stop!: () => void;
  const stopped = new Promise<void>((resolve, reject) => {
    stop = () => {
      const { reason } = signal;
      const isInterrupt = reason instanceof Interruption && reason.exitCode === exitCodes.interrupted;
      if (isInterrupt) resolve();
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
