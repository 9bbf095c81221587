import type { JSX } from "preact";
import type { StepView } from "../../../src/plan/page/plan-view.ts";
import type { PlanViewParams } from "../../../src/server/protocol/plan-protocol.ts";
import { progressOf } from "./step-statuses.ts";

/** The progress of a plan as a bar and as text, and its current activity. */
export function PlanProgress({ shown }: { readonly shown: PlanViewParams }): JSX.Element {
  const { view } = shown;
  const share = Math.round(progressOf(view.steps).share * 100);
  return (
    <div
      class="plan-progress"
      role="progressbar"
      aria-label="Completed steps"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      aria-valuetext={view.progress}
    >
      <ProgressBar steps={view.steps} />
      <ProgressWords shown={shown} />
    </div>
  );
}

/** The bar alone, hidden from screen readers. */
export function ProgressBar({ steps }: { readonly steps: readonly StepView[] }): JSX.Element {
  return (
    <div class="plan-bar" aria-hidden="true">
      {progressOf(steps).parts.map(({ kind, count }) => (
        <span key={kind} class={`plan-bar-part ${kind}`} style={{ flexGrow: count }} />
      ))}
    </div>
  );
}

/** The text alone: the progress, and the activity of the plan or how it stopped. */
export function ProgressWords({
  shown: { view, isRunning, activity, problem },
}: {
  readonly shown: PlanViewParams;
}): JSX.Element {
  return (
    <p class="small plan-progress-words">
      <span>{view.progress}</span>
      {!isRunning && problem !== undefined && <span class="badge bad">failed</span>}
      {!isRunning && problem === undefined && view.end === undefined && <span class="badge">stopped</span>}
      {isRunning && (
        <span class="plan-activity">
          <span class="pulse" aria-hidden="true" />
          {activity ?? "Working"}
        </span>
      )}
    </p>
  );
}
