import { EmendError } from "../../../text/index.ts";

/** The versions that the tests run with, as `package.json` pins them for development. */
export const testedVersions = { bullmq: "6.7.0", ioredis: "5.11.1" } as const;

/** The modules of the optional packages. */
interface RedisPackages {
  readonly bullmq: typeof import("bullmq");
  readonly ioredis: Pick<typeof import("ioredis"), "Redis">;
}

/**
 * Loads `bullmq` and `ioredis`, which are optional peers: they take longer to load than most
 * commands to run, and only workers on other machines require them.
 *
 * Rejects with `EmendError` `redis-packages` where one of them is missing or does not load; the
 * message has the command that installs both.
 */
export async function loadRedisPackages(): Promise<RedisPackages> {
  try {
    return { ioredis: await import("ioredis"), bullmq: await import("bullmq") };
  } catch (cause) {
    throw new EmendError("redis-packages", loadFailure(cause), { cause });
  }
}

function loadFailure(cause: unknown): string {
  const { message, code } = cause as Error & { readonly code?: unknown };
  const install = Object.entries(testedVersions)
    .map(([name, version]) => `${name}@${version}`)
    .join(" ");
  const command = `Run \`npm install ${install}\` beside Emend, with \`-g\` where Emend was installed with it.`;
  const missing = code === "ERR_MODULE_NOT_FOUND" && /^Cannot find package '(ioredis|bullmq)'/.exec(message)?.[1];
  if (missing) return `Plans on Redis require bullmq and ioredis; ${missing} is not installed. ${command}`;
  return `Plans on Redis require bullmq and ioredis, which do not load (${message.split("\n")[0]}). ${command}`;
}
