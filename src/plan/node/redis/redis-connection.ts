import type { Redis } from "ioredis";
import { EmendError } from "../../../text/index.ts";

/** The timeout of the first connection, in milliseconds. */
const connectTimeoutMs = 5_000;
/** The longest pause between two attempts to reconnect, in milliseconds. */
const retryMs = 2_000;

/**
 * Connects to the Redis at an address: `redis://HOST:PORT`, `rediss://…` or the path of a socket.
 *
 * Rejects with `EmendError` `redis-address` when the address is invalid, `redis-packages` when the
 * packages are missing, and `redis-missing` when no Redis answers. When the connection is lost
 * later, it is restored; `onTrouble` is called once when it is lost and once when it is back.
 */
export async function openRedis(
  address: string,
  { onTrouble }: { readonly onTrouble: (message: string) => void },
): Promise<Redis> {
  if (!/^(rediss?:\/\/|unix:\/\/|\/)./.test(address)) {
    const message = `${JSON.stringify(address)} is no address of a Redis server. Write redis://HOST:PORT, rediss://HOST:PORT, or the path of its socket.`;
    throw new EmendError("redis-address", message);
  }
  const { Redis } = (await loadRedisPackages()).ioredis;
  let isOpen = false;
  let isAway = false;
  let why = "it does not answer";
  const redis = new Redis(address, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    // Waiting for a job has no limit.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isOpen ? Math.min(100 * times, retryMs) : null),
  });
  redis.on("error", (error: Error) => {
    why = error.message || why;
  });
  redis.on("close", () => {
    if (!isOpen || isAway || redis.status === "end") return;
    isAway = true;
    onTrouble(`Redis at ${withoutPassword(address)} is gone. Waiting for the connection.`);
  });
  redis.on("ready", () => {
    if (isAway) onTrouble(`Redis at ${withoutPassword(address)} is back.`);
    isAway = false;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    const message = `There is no Redis at ${withoutPassword(address)} (${why.split("\n")[0]}).`;
    throw new EmendError("redis-missing", message, { cause: error });
  }
  isOpen = true;
  return redis;
}

/** An address without its password. */
function withoutPassword(address: string): string {
  return address.replace(/^([a-z]+:\/\/)[^/]*@/, "$1");
}

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
