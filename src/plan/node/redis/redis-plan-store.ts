import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { LockAnswer, LockOptions } from "../../../edit/node/index.ts";
import { EmendError } from "../../../text/index.ts";
import { type PlanEvent, planEventFromJson, planEventToJson } from "../../plan-event.ts";
import type { PlanJournal } from "../../plan-parts.ts";
import type { PlanSetup } from "../plan-record.ts";
import type { PlanStore, StoredPlan } from "../plan-store.ts";

/** How long a plan is kept after its last change, in seconds: 30 days. */
const expirySeconds = 30 * 24 * 60 * 60;

/**
 * Stores plans in Redis, for workers on several machines; each journal is a stream.
 *
 * There is no lock to wait for. A process that starts to run a plan takes it over, and the next
 * event of the previous process is rejected: appending checks a fencing token in the same step. So
 * a process that was believed gone and continues, such as after a suspend, does no harm. Durability
 * depends on the configuration of Redis (`appendfsync`). Source: Kleppmann, Designing
 * Data-Intensive Applications, chapter 8.
 */
export class RedisPlanStore implements PlanStore {
  readonly #redis: Redis;
  readonly #prefix: string;

  /** The caller owns the connection. `prefix` begins all keys. */
  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async withJournal<Value>(
    plan: string,
    { signal }: LockOptions,
    work: (journal: PlanJournal) => Promise<Value>,
  ): Promise<LockAnswer<Value>> {
    signal?.throwIfAborted();
    const keys = this.#keysOf(plan);
    const token = randomUUID();
    await this.#redis.set(keys.driver, token, "EX", expirySeconds);
    const events = [...(await this.#read(plan))];
    const append = async (event: PlanEvent) => {
      const { driver, journal, setup } = keys;
      const json = planEventToJson(event);
      const args = [token, events.length, json, expirySeconds];
      const isMine = await this.#redis.eval(appendIfMine, 3, driver, journal, setup, ...args);
      if (isMine !== 1) throw takenOver(plan);
      events.push(event);
    };
    return { kind: "done", value: await work({ events, append }) };
  }

  async tryRead(plan: string): Promise<StoredPlan | undefined> {
    const events = await this.#read(plan);
    const setup = events.length === 0 ? null : await this.#redis.get(this.#keysOf(plan).setup);
    return setup === null ? undefined : { setup: JSON.parse(setup) as PlanSetup, events };
  }

  async writeSetup(plan: string, setup: PlanSetup): Promise<void> {
    await this.#redis.set(this.#keysOf(plan).setup, JSON.stringify(setup), "EX", expirySeconds);
  }

  /** Deletes a plan. A process that is running it can no longer append events. */
  async forget(plan: string): Promise<void> {
    const { driver, journal, setup } = this.#keysOf(plan);
    await this.#redis.del(driver, journal, setup);
  }

  async #read(plan: string): Promise<readonly PlanEvent[]> {
    const entries = await this.#redis.xrange(this.#keysOf(plan).journal, "-", "+");
    return entries.map(([, [, json]]) => planEventFromJson(json!));
  }

  /** The braces keep the keys of a plan on one node of a cluster, which the script requires. */
  #keysOf(plan: string) {
    const start = `${this.#prefix}:plan:{${plan}}`;
    return { driver: `${start}:driver`, journal: `${start}:journal`, setup: `${start}:setup` };
  }
}

/**
 * The script is sent again when the connection broke before the response; the event is not appended
 * twice.
 */
const appendIfMine = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call("XLEN", KEYS[2]) == tonumber(ARGV[2]) then redis.call("XADD", KEYS[2], "*", "event", ARGV[3]) end
for _, key in ipairs(KEYS) do redis.call("EXPIRE", key, ARGV[4]) end
return 1`;

function takenOver(plan: string): EmendError {
  return new EmendError("plan-taken-over", `Another worker has taken over the plan ${plan}.`);
}
