import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import type { PlanEvent } from "../../plan/index.ts";
import type { PlanNews, PlanNewsStream, StoredPlanState } from "./plan-host.ts";
import { followPlan, PlanWatch } from "./plan-watch.ts";

/** A stream that a test writes. It ends by `end`, and fails when it is stopped. */
class Script {
  readonly #waiting: (() => void)[] = [];
  readonly #news: PlanNews[] = [];
  #isOver = false;

  send(...news: readonly PlanNews[]): Promise<void> {
    this.#news.push(...news);
    return this.#wake();
  }

  end(): Promise<void> {
    this.#isOver = true;
    return this.#wake();
  }

  async *run(signal: AbortSignal): PlanNewsStream {
    signal.addEventListener("abort", () => void this.#wake());
    for (;;) {
      signal.throwIfAborted();
      const next = this.#news.shift();
      if (next !== undefined) yield next;
      else if (this.#isOver) return { notes: ["a note"] };
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async #wake(): Promise<void> {
    for (const wake of this.#waiting.splice(0)) wake();
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  }
}

const started: PlanEvent = { kind: "plan-started", plan: "p", base: "none", seeds: [], at: 0, instruction: "Do it." };
const named: PlanNews = { kind: "named", plan: "p", money: {} };

/** A plan that is watched, and its reported views, a word each. */
function watched() {
  const clock = new FakeClock();
  const script = new Script();
  const views: string[] = [];
  const watch = new PlanWatch((signal) => script.run(signal), {
    clock,
    onView: ({ view, activity }) => void views.push(`${view.plan}: ${activity ?? view.progress}`),
  });
  return { clock, script, views, watch };
}

test("reports the first view at once, then the latest, at most ten times a second", async () => {
  const { clock, script, views, watch } = watched();
  await script.send({ kind: "activity", text: "before it has a name" });
  expect(views).toEqual([]);
  await script.send(named);
  expect(await watch.named).toBe("p");
  for (const text of ["one", "two", "three"]) await script.send({ kind: "activity", text });
  expect(views).toEqual(["p: before it has a name"]);
  clock.advance(99);
  expect(views).toHaveLength(1);
  clock.advance(1);
  expect(views).toEqual(["p: before it has a name", "p: three"]);
  clock.advance(1_000);
  expect(views).toHaveLength(2);
  await script.send({ kind: "opened", events: [started] }, { kind: "event", event: { kind: "plan-resumed", at: 1 } });
  expect(views.at(-1)).toBe("p: three");
  clock.advance(100);
  expect(views.at(-1)).toBe("p: Before round 1");
  expect(watch.stored.events).toHaveLength(2);
});

test("reports no running view after the end", async () => {
  const { clock, script, views, watch } = watched();
  await script.send(named, { kind: "activity", text: "one" });
  await script.end();
  expect(await watch.stopped).toEqual({ kind: "over", notes: ["a note"] });
  clock.advance(1_000);
  expect(views).toEqual(["p: Before round 1"]);
});

test("stops a plan, also before it has a name", async () => {
  const { script, watch } = watched();
  await script.send(named);
  watch.stop(new Error("enough"));
  expect(await watch.stopped).toEqual({ kind: "stopped" });
  const second = watched();
  second.watch.stop(new Error("enough"));
  await expect(second.watch.named).rejects.toThrow("enough");
  expect(await second.watch.stopped).toEqual({ kind: "stopped" });
});

test("reports why a plan could not start, and why it could not continue", async () => {
  async function* failing(...news: readonly PlanNews[]): PlanNewsStream {
    yield* news;
    throw new Error("no");
  }
  const options = { clock: new FakeClock(), onView: () => undefined };
  await expect(new PlanWatch(() => failing(), options).named).rejects.toThrow("no");
  const later = new PlanWatch(() => failing(named), options);
  expect(await later.named).toBe("p");
  expect(await later.stopped).toMatchObject({ kind: "over", failure: { message: "no" } });
});

/** A plan with so many events, on which somebody works where a `*` follows. */
function stored(sketch: string): StoredPlanState {
  const events = Array.from(
    { length: Number.parseInt(sketch, 10) },
    (_, at): PlanEvent => ({ kind: "plan-resumed", at }),
  );
  return { plan: "p", events, money: {}, isDriven: sketch.endsWith("*"), isWritten: false, files: [], left: [] };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** The news of a plan for its state at each poll, and the end; `?` is a poll that fails. */
async function newsOf(looks: string, { stopsAfter = Number.POSITIVE_INFINITY } = {}): Promise<string> {
  const clock = new FakeClock();
  const [known, ...rest] = looks.split(" ");
  const news: string[] = [];
  const following = followPlan(stored(known!), {
    clock,
    async read() {
      const next = rest.shift()!;
      if (next === "?") throw new Error("no");
      return stored(next);
    },
    onChange: ({ events, isDriven }) => void news.push(`${events.length}${isDriven ? "*" : ""}`),
    onEnd: (failure) => void news.push(failure === undefined ? "end" : "failed"),
  });
  for (let look = 0; clock.waiting > 0; look++) {
    if (look === stopsAfter) following[Symbol.dispose]();
    clock.advance(500);
    await turns();
  }
  return news.join(" ");
}

test.each([
  ["1* 1* 1* 2* 2 2", "2* 2 end"],
  ["1* 3 3", "3* 3 end"],
  ["1* 1 1", "1 end"],
  ["1* 1 2* 2 2", "2* 2 end"],
  ["1* ?", "failed"],
])("followPlan reports the changes of the polls %s", async (looks, expected) =>
  expect(await newsOf(looks)).toBe(expected),
);

test("notifies nothing after disposal", async () => {
  expect(await newsOf("1* 2* 3* 4* 4 4", { stopsAfter: 1 })).toBe("2*");
});
