import type { Redis } from "ioredis";
import { EmendError } from "../../../text/index.ts";

/** How long an answer to the first word is waited for. */
const connectTimeoutMs = 5_000;
/** The longest time between two tries to reach a Redis that is away. */
const retryMs = 2_000;

/**
 * Connects to the Redis at an address: `redis://HOST:PORT`, `rediss://…` or the path of a socket.
 *
 * Rejects with `EmendError` `redis-address` where that is none, and `redis-missing` where no Redis answers there. One that goes away later is waited
 * for; `onTrouble` is told, once each time.
 */
export async function openRedis(
  address: string,
  { onTrouble }: { readonly onTrouble: (message: string) => void },
): Promise<Redis> {
  if (!/^(rediss?:\/\/|unix:\/\/|\/)./.test(address)) {
    const message = `${JSON.stringify(address)} is no address of a Redis. Write redis://HOST:PORT, rediss://HOST:PORT, or the path of its socket.`;
    throw new EmendError("redis-address", message);
  }
  // It takes longer to load than most commands to run.
  const { Redis } = await import("ioredis");
  let isOpen = false;
  let isAway = false;
  let why = "it does not answer";
  const redis = new Redis(address, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    // Whoever waits for a job waits as long as it takes.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isOpen ? Math.min(100 * times, retryMs) : null),
  });
  redis.on("error", (error: Error) => {
    why = error.message || why;
  });
  redis.on("close", () => {
    if (!isOpen || isAway || redis.status === "end") return;
    isAway = true;
    onTrouble(`Redis at ${shown(address)} is gone. Waiting until it is back.`);
  });
  redis.on("ready", () => {
    if (isAway) onTrouble(`Redis at ${shown(address)} is back.`);
    isAway = false;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    const message = `There is no Redis at ${shown(address)} (${why.split("\n")[0]}).`;
    throw new EmendError("redis-missing", message, { cause: error });
  }
  isOpen = true;
  return redis;
}

/** An address without its password. */
function shown(address: string): string {
  return address.replace(/^([a-z]+:\/\/)[^/]*@/, "$1");
}
