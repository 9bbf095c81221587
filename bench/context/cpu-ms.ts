import { percentile } from "../percentile.ts";

/**
 * Processor time of one call in milliseconds, all threads of the process: the median over batches
 * of ten calls, after a warm-up. `call` gets the number of the call.
 */
export function cpuMsOf(call: (count: number) => void, batches = 60): number {
  const size = 10;
  let count = 0;
  const batch = () => {
    const before = process.cpuUsage();
    for (let i = 0; i < size; i++) call(count++);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / size;
  };
  for (let i = 0; i < 10; i++) batch();
  return percentile(
    Array.from({ length: batches }, () => batch()),
    0.5,
  );
}
