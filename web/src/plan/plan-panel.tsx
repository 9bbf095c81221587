import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Icon } from "../look/icons.tsx";
import type { PageServices } from "../page-services.ts";
import { PlanControls } from "./plan-controls.tsx";
import { PlanForm } from "./plan-form.tsx";
import { PlanList } from "./plan-list.tsx";
import { PlanMain } from "./plan-main.tsx";
import { PlanProgress } from "./plan-progress.tsx";
import { PlanSession } from "./plan-session.ts";
import { titleOf } from "./plan-title.ts";
import { type StepFilter, usualFilter } from "./step-filter.ts";
import { StepList } from "./step-list.tsx";
import "./plan.css";

/**
 * Where the plan that is looked at is kept, so that it is there again once the page is loaded
 * again.
 */
const keptPlan = "emend.plan";

/**
 * Changes carried through the repository: a plan is begun, watched, and applied; its graph is in
 * the middle of the page.
 */
export function PlanPanel({ services }: { readonly services: PageServices }): JSX.Element {
  const { main } = services;
  const session = useMemo(() => new PlanSession(services), [services]);
  useEffect(() => () => session[Symbol.dispose](), [session]);
  const filter = useSignal<StepFilter>(usualFilter);
  const shown = session.shown.value;
  const plan = shown?.plan;
  useEffect(() => {
    void session.list();
    const kept = sessionStorage.getItem(keptPlan);
    if (kept !== null) void session.show(kept);
  }, [session]);
  useEffect(() => {
    if (plan === undefined) return;
    sessionStorage.setItem(keptPlan, plan);
    const view = main.show({
      ...{ id: "plan", title: "Plan" },
      render: () => <PlanMain session={session} services={services} filter={filter} />,
      onClose: () => {
        sessionStorage.removeItem(keptPlan);
        session.close();
      },
    });
    return () => view[Symbol.dispose]();
  }, [plan, main, session, services, filter]);
  const { value: problem } = session.problem;
  return (
    <div class={`plan-panel${shown === undefined ? "" : " watching"}`}>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {shown === undefined ? (
        <>
          <PlanForm session={session} services={services} />
          <PlanList session={session} />
        </>
      ) : (
        <>
          <header class="plan-panel-head">
            <h2 class="plan-title">{titleOf(shown.view)}</h2>
            <button
              type="button"
              class="button quiet"
              onClick={() => {
                sessionStorage.removeItem(keptPlan);
                session.close();
              }}
            >
              <Icon name="list" /> All plans
            </button>
          </header>
          <PlanProgress shown={shown} />
          <PlanControls session={session} services={services} />
          <StepList session={session} filter={filter} />
        </>
      )}
    </div>
  );
}
