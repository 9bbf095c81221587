/** Milliseconds for people: `0.4 ms`, `12 ms`, `1.3 s`. */
export function printMs(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`;
  if (ms > 0 && ms < 0.05) return "< 0.1 ms";
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** Bytes for people, in powers of 1024: `3.4 MB`. */
export function printBytes(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  if (mebibytes >= 1024) return `${(mebibytes / 1024).toFixed(1)} GB`;
  return mebibytes >= 1 ? `${mebibytes.toFixed(mebibytes < 10 ? 1 : 0)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}

/** A share from 0 to 1 in per cent. */
export function printShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `1,234`. */
export function printCount(count: number): string {
  return count.toLocaleString("en");
}

/** `1 file`, `3 files`. */
export function printCountOf(count: number, one: string, many = `${one}s`): string {
  return `${printCount(count)} ${count === 1 ? one : many}`;
}

/** A moment as day and time, with the year where it is not this one: `28 Nov, 14:05`. */
export function printDay(day: Date, now = new Date()): string {
  const year = day.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return day.toLocaleString("en-GB", { day: "numeric", month: "short", ...year, hour: "2-digit", minute: "2-digit" });
}
