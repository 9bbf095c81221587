import type { JSX } from "preact";
import { printCountOf, printDay } from "../look/numbers.ts";
import type { ListedPlan, PlanSession } from "./plan-session.ts";

/** The id of the title of the list, which takes the focus. */
export const planListTitle = "plan-earlier-title";

/** The plans of the workspace, to open and continue. */
export function PlanList({ session }: { readonly session: PlanSession }): JSX.Element {
  const plans = session.plans.value;
  return (
    <section class="plan-earlier" aria-labelledby={planListTitle}>
      <h2 id={planListTitle} tabIndex={-1}>
        All plans
      </h2>
      {plans?.length === 0 && <p class="dim small">This folder has no plans yet.</p>}
      <ul>
        {plans?.map((one) => (
          <li key={one.plan}>
            <button
              type="button"
              class="plan-earlier-one"
              title={`${one.title}\nPlan ${one.plan}`}
              onClick={() => void session.show(one.plan)}
            >
              <span class="plan-earlier-head">
                <span class="one-line">{one.title}</span>
                <span class="dim small plan-earlier-facts">{factsOf(one)}</span>
              </span>
              <span class="dim small">
                {one.isRunning && <span class="badge good">running</span>} {one.progress}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function factsOf({ files, startedAt }: ListedPlan): string {
  return [
    ...(files === 0 ? [] : [printCountOf(files, "file")]),
    ...(startedAt === undefined ? [] : [printDay(new Date(startedAt))]),
  ].join(", ");
}
