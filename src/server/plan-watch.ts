import type { Clock } from "../codebase/index.ts";
import {
  afterEvent,
  foldPlan,
  noPlan,
  type PlanEvent,
  type PlanMoney,
  type PlanState,
  type PlanView,
  planViewOf,
} from "../plan/index.ts";
import type { PlanNews, PlanNewsStream, StoredPlanState } from "./plan-host.ts";
import { Throttle } from "./throttle.ts";

/** How a plan stands that runs. */
export interface RunningView {
  readonly view: PlanView;
  readonly activity?: string;
}

/** How a plan came to stand still. */
export type PlanStop =
  /** It came to its end, or was refused something in the middle: the problem says what. */
  | { readonly kind: "over"; readonly notes: readonly string[]; readonly failure?: unknown }
  /** Somebody stopped it. */
  | { readonly kind: "stopped" };

/** What a plan is watched with. */
export interface PlanWatchOptions {
  readonly clock: Clock;
  /** Is called with how the plan stands, ten times a second at most, and less often where that is much to tell. */
  onView(view: RunningView): void;
}

/** Nobody sees more views than these, each so many milliseconds after the one before; and of a plan of many steps nobody draws so many. */
const pace = { leastMs: 100, stepMs: 2 };

/**
 * A plan that runs for a client: hears its news, and tells how it stands, not more often than eyes follow.
 *
 * What comes sooner after a view waits, and the last of it is told. How it stands at the end whoever waits for {@link over} tells.
 */
export class PlanWatch {
  /** The plan's name, once it has one; rejects with why it could not begin. */
  readonly named: Promise<string>;
  /** Never rejects. */
  readonly over: Promise<PlanStop>;
  readonly #throttle: Throttle;
  readonly #stopping: AbortController;
  #plan: string | undefined;
  #money: PlanMoney = {};
  #state: PlanState = noPlan;
  #events: PlanEvent[] = [];
  #activity: string | undefined;

  /** `run` begins the plan; its signal is aborted by {@link stop}. */
  constructor(run: (signal: AbortSignal) => PlanNewsStream, { clock, onView }: PlanWatchOptions) {
    this.#stopping = new AbortController();
    this.#throttle = new Throttle({
      clock,
      everyMs: () => Math.max(pace.leastMs, pace.stepMs * this.#state.graph.steps.length),
      tell: () => onView(this.now),
    });
    let resolve!: (plan: string) => void;
    let reject!: (reason: unknown) => void;
    this.named = new Promise((onNamed, onFailed) => {
      resolve = onNamed;
      reject = onFailed;
    });
    // Whoever asked may be gone.
    this.named.catch(() => undefined);
    this.over = this.#follow(run(this.#stopping.signal), resolve).then(
      (notes): PlanStop => ({ kind: "over", notes }),
      (failure): PlanStop => {
        reject(failure);
        return this.#stopping.signal.aborted ? { kind: "stopped" } : { kind: "over", notes: [], failure };
      },
    );
  }

  /** The plan's name, if it has one yet. */
  get plan(): string | undefined {
    return this.#plan;
  }

  /** How it stands now. */
  get now(): RunningView {
    const view = planViewOf(this.#state, this.#events, this.#money);
    const activity = this.#activity;
    return { view: { ...view, plan: this.#plan ?? "" }, ...(activity !== undefined && { activity }) };
  }

  /** What is known of it. */
  get kept(): StoredPlanState {
    return { plan: this.#plan ?? "", events: this.#events, money: this.#money, isDriven: false, files: [], left: [] };
  }

  /** Has it stand still, which takes a moment; nothing happens where it does. */
  stop(reason: unknown): void {
    this.#stopping.abort(reason);
  }

  async #follow(news: PlanNewsStream, onNamed: (plan: string) => void): Promise<readonly string[]> {
    try {
      for (;;) {
        const { value, done } = await news.next();
        if (done) return value.notes;
        this.#take(value, onNamed);
      }
    } finally {
      this.#throttle[Symbol.dispose]();
    }
  }

  #take(news: PlanNews, onNamed: (plan: string) => void): void {
    switch (news.kind) {
      case "named":
        this.#plan = news.plan;
        this.#money = news.money;
        onNamed(news.plan);
        break;
      case "opened":
        this.#events = [...news.events];
        this.#state = foldPlan(news.events);
        break;
      case "event":
        this.#events.push(news.event);
        this.#state = afterEvent(this.#state, news.event);
        this.#activity = activityAfter(news.event);
        break;
      case "activity":
        this.#activity = news.text;
        break;
    }
    if (this.#plan !== undefined) this.#throttle.touch();
  }
}

function activityAfter(event: PlanEvent): string | undefined {
  if (event.kind !== "steps-begun") return undefined;
  const { length } = event.tasks;
  return length === 1 ? `Asking a model about step ${event.tasks[0]!.id}` : `Asking a model about ${length} steps`;
}
