import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { LockAnswer, LockOptions } from "../../../edit/node/index.ts";
import { EmendError } from "../../../text/index.ts";
import type { PlanEvent } from "../../plan-event.ts";
import { planEventFromJson, planEventToJson } from "../../plan-event-json.ts";
import type { PlanJournal } from "../../plan-parts.ts";
import type { PlanSetup } from "../plan-record.ts";
import type { PlanStore, StoredPlan } from "../plan-store.ts";

/** What nobody touched for so long is forgotten: a month. */
const keptSeconds = 30 * 24 * 60 * 60;

/**
 * Plans in a Redis, for workers on several machines: each journal is a stream.
 *
 * No lock is waited for. Whoever drives a plan takes it from who drove it before, whose next event is then refused: a fencing
 * token, checked and appended behind in one step. So one that is thought gone and is not, such as after it was suspended, does no
 * harm. What was appended is as durable as that Redis is told to be (`appendfsync`). Source: Kleppmann, Designing Data-Intensive
 * Applications, chapter 8.
 */
export class RedisPlanStore implements PlanStore {
  readonly #redis: Redis;
  readonly #prefix: string;

  /** The connection belongs to whoever opened it. All keys begin with `prefix`. */
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
    await this.#redis.set(keys.driver, token, "EX", keptSeconds);
    const events = [...(await this.#read(plan))];
    const append = async (event: PlanEvent) => {
      const { driver, journal, setup } = keys;
      const json = planEventToJson(event);
      const args = [token, events.length, json, keptSeconds];
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
    await this.#redis.set(this.#keysOf(plan).setup, JSON.stringify(setup), "EX", keptSeconds);
  }

  /** Forgets a plan. Who drives it can append nothing any more. */
  async forget(plan: string): Promise<void> {
    const { driver, journal, setup } = this.#keysOf(plan);
    await this.#redis.del(driver, journal, setup);
  }

  async #read(plan: string): Promise<readonly PlanEvent[]> {
    const entries = await this.#redis.xrange(this.#keysOf(plan).journal, "-", "+");
    return entries.map(([, [, json]]) => planEventFromJson(json!));
  }

  /** Braces keep the keys of a plan on one node of a cluster, as a script needs them. */
  #keysOf(plan: string) {
    const start = `${this.#prefix}:plan:{${plan}}`;
    return { driver: `${start}:driver`, journal: `${start}:journal`, setup: `${start}:setup` };
  }
}

/** Where the connection broke before the answer came, it is sent again: what is there already is not appended twice. */
const appendIfMine = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call("XLEN", KEYS[2]) == tonumber(ARGV[2]) then redis.call("XADD", KEYS[2], "*", "event", ARGV[3]) end
for _, key in ipairs(KEYS) do redis.call("EXPIRE", key, ARGV[4]) end
return 1`;

function takenOver(plan: string): EmendError {
  return new EmendError("plan-taken-over", `Another worker carries out the plan ${plan} by now.`);
}
