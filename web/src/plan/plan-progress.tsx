import type { JSX } from "preact";
import type { PlanViewParams } from "../../../src/server/protocol/plan-protocol.ts";
import { progressOf } from "./standings.ts";

/** How far a plan is, as a bar and in words, and what it is doing. */
export function PlanProgress({ shown }: { readonly shown: PlanViewParams }): JSX.Element {
  const { view, isRunning, activity } = shown;
  const { parts, share } = progressOf(view.steps);
  return (
    <div class="plan-progress">
      <div
        class="plan-bar"
        role="progressbar"
        aria-label="Steps that are settled"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={view.progress}
      >
        {parts.map(({ kind, count }) => (
          <span key={kind} class={`plan-bar-part ${kind}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <p class="small plan-progress-words">
        <span>{view.progress}</span>
        {isRunning && (
          <span class="plan-activity">
            <span class="plan-pulse" aria-hidden="true" />
            {activity ?? "Working"}
          </span>
        )}
      </p>
    </div>
  );
}
