import { readdirSync, readFileSync } from "node:fs";

/**
 * Milliseconds of processor time of this process and all that it started, as far as `/proc` has
 * them.
 */
export function cpuMsOfAll(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childIds().reduce((sum, id) => sum + cpuMsOf(id), 0);
}

/**
 * The sum of the most memory that this process and each that it started held, in megabytes of 2^20
 * bytes.
 */
export function peakMbOfAll(): number {
  const own = process.resourceUsage().maxRSS / 1024;
  return own + childIds().reduce((sum, id) => sum + peakMbOf(id), 0);
}

function childIds(): readonly string[] {
  const tasks = readdirSync("/proc/self/task");
  const ids = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(/\s+/));
  // The loader of this source has a process of its own, in the pass that it is compared with too.
  return ids.filter((id) => id !== "" && !/esbuild/.test(readFileSync(`/proc/${id}/cmdline`, "utf8")));
}

/**
 * To the nanosecond, thread by thread: the counters of the whole process move in steps of ten
 * milliseconds.
 */
function cpuMsOf(id: string): number {
  return readdirSync(`/proc/${id}/task`).reduce((sum, task) => {
    const [ns] = readFileSync(`/proc/${id}/task/${task}/schedstat`, "utf8").split(" ");
    return sum + Number(ns) / 1e6;
  }, 0);
}

function peakMbOf(id: string): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
