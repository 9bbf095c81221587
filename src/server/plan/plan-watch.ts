import type { Clock } from "../../async/index.ts";
import {
  afterEvent,
  foldPlan,
  noPlan,
  type PlanEvent,
  type PlanMoney,
  type PlanState,
  type PlanView,
  planViewOf,
} from "../../plan/index.ts";
import { Throttle } from "../throttle.ts";
import type { PlanNews, PlanNewsStream, StoredPlanState } from "./plan-host.ts";

/** The state of a running plan. */
export interface RunningView {
  readonly view: PlanView;
  readonly activity?: string;
}

/** How a plan stopped. */
export type PlanStop =
  /** It ended, or was interrupted by the error `failure`. */
  | { readonly kind: "over"; readonly notes: readonly string[]; readonly failure?: unknown }
  /** {@link PlanWatch.stop} was called. */
  | { readonly kind: "stopped" };

/** What a plan is watched with. */
export interface PlanWatchOptions {
  readonly clock: Clock;
  /**
   * Called with the state of the plan, at most ten times a second, and less often for a plan of
   * many steps.
   */
  onView(view: RunningView): void;
}

/**
 * The least milliseconds between two views: `leastMs`, or `stepMs` for each step where that is
 * more, since clients draw large plans slowly.
 */
const viewIntervals = { leastMs: 100, stepMs: 2 };

/**
 * A plan that runs for a client: collects its events, and reports its state at a limited rate.
 *
 * Of the states between two reports only the last is reported. The final state is not: the caller
 * reads it after {@link stopped}.
 */
export class PlanWatch {
  /** The plan's name, once it has one; rejects with the reason why it could not start. */
  readonly named: Promise<string>;
  /** Resolves when the plan has stopped. Never rejects. */
  readonly stopped: Promise<PlanStop>;
  readonly #throttle: Throttle;
  readonly #stopping: AbortController;
  #plan: string | undefined;
  #money: PlanMoney = {};
  #state: PlanState = noPlan;
  #events: PlanEvent[] = [];
  #activity: string | undefined;

  /** `run` starts the plan; its signal is aborted by {@link stop}. */
  constructor(run: (signal: AbortSignal) => PlanNewsStream, { clock, onView }: PlanWatchOptions) {
    this.#stopping = new AbortController();
    this.#throttle = new Throttle({
      clock,
      everyMs: () => Math.max(viewIntervals.leastMs, viewIntervals.stepMs * this.#state.graph.steps.length),
      notify: () => onView(this.now),
    });
    let resolve!: (plan: string) => void;
    let reject!: (reason: unknown) => void;
    this.named = new Promise((onNamed, onFailed) => {
      resolve = onNamed;
      reject = onFailed;
    });
    // Ignore the rejection where no request awaits it any more.
    this.named.catch(() => undefined);
    this.stopped = this.#follow(run(this.#stopping.signal), resolve).then(
      (notes): PlanStop => ({ kind: "over", notes }),
      (failure): PlanStop => {
        reject(failure);
        return this.#stopping.signal.aborted ? { kind: "stopped" } : { kind: "over", notes: [], failure };
      },
    );
  }

  /** The plan's name; `undefined` before it has one. */
  get plan(): string | undefined {
    return this.#plan;
  }

  /** The current state of the plan. */
  get now(): RunningView {
    const view = planViewOf(this.#state, this.#events, this.#money);
    const activity = this.#activity;
    return { view: { ...view, plan: this.#plan ?? "" }, ...(activity !== undefined && { activity }) };
  }

  /** The current state in the form of a stored one. */
  get stored(): StoredPlanState {
    return {
      plan: this.#plan ?? "",
      events: this.#events,
      money: this.#money,
      isDriven: false,
      isWritten: false,
      files: [],
      left: [],
    };
  }

  /** Stops the plan, asynchronously; does nothing where it has stopped already. */
  stop(reason: unknown): void {
    this.#stopping.abort(reason);
  }

  async #follow(news: PlanNewsStream, onNamed: (plan: string) => void): Promise<readonly string[]> {
    try {
      for (;;) {
        const { value, done } = await news.next();
        if (done) return value.notes;
        this.#receive(value, onNamed);
      }
    } finally {
      this.#throttle[Symbol.dispose]();
    }
  }

  #receive(news: PlanNews, onNamed: (plan: string) => void): void {
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
  return length === 1 ? `Requesting a model for step ${event.tasks[0]!.id}` : `Requesting a model for ${length} steps`;
}

/** How a plan of another process is followed. */
export interface FollowPlanOptions {
  readonly clock: Clock;
  /** Reads the stored state of the plan. */
  read(): Promise<StoredPlanState>;
  /** Called when more of the plan is stored, and once when no process runs it any more. */
  onChange(stored: StoredPlanState): void;
  /** Called at the end, with the error if reading failed. */
  onEnd(failure?: unknown): void;
}

/** Milliseconds between two reads. */
const everyMs = 500;

/**
 * Follows a plan that another process runs, by reading its stored state every 500 milliseconds
 * until it stops. `known` is the state that the caller has already. Disposing of the result ends it
 * without `onEnd`.
 */
export function followPlan(known: StoredPlanState, { clock, read, onChange, onEnd }: FollowPlanOptions): Disposable {
  let timer: Disposable | undefined;
  let isDisposed = false;
  const schedule = (last: StoredPlanState) => {
    timer = clock.after(everyMs, () => void poll(last));
  };
  const poll = async (last: StoredPlanState) => {
    try {
      const now = await read();
      if (isDisposed) return;
      // The result of a plan is written after it stops, so it is reported only after another read.
      if (now.isDriven || last.isDriven) {
        if (now.events.length > last.events.length) onChange({ ...now, isDriven: true });
        schedule(now);
      } else {
        onChange(now);
        onEnd();
      }
    } catch (error) {
      if (!isDisposed) onEnd(error);
    }
  };
  schedule(known);
  return {
    [Symbol.dispose]() {
      isDisposed = true;
      timer?.[Symbol.dispose]();
    },
  };
}
