import type { JSX } from "preact";
import type { PlanSession } from "./plan-session.ts";
import { titleOf } from "./plan-title.ts";

/** The earlier plans of the workspace, to open and continue. */
export function PlanList({ session }: { readonly session: PlanSession }): JSX.Element | null {
  const plans = session.plans.value;
  if (plans === undefined || plans.length === 0) return null;
  return (
    <section class="plan-earlier" aria-labelledby="plan-earlier-title">
      <h2 id="plan-earlier-title">Earlier plans</h2>
      <ul>
        {plans.map((one) => (
          <li key={one.plan}>
            <button type="button" class="plan-earlier-one" onClick={() => void session.show(one.plan)}>
              <span class="one-line">{titleOf(one)}</span>
              <span class="dim small">
                {one.isRunning && <span class="badge good">running</span>} {one.plan} · {one.progress}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
