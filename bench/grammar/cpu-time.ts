/**
 * Milliseconds of CPU that this process has taken, its threads for compiling and collecting garbage
 * among them.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
