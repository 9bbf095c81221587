import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { PageServices } from "../page-services.ts";
import type { GraphColumns } from "./graph-layout.ts";
import { PlanGraph } from "./plan-graph.tsx";
import { PlanOverview } from "./plan-overview.tsx";
import { ProgressBar, ProgressWords } from "./plan-progress.tsx";
import type { PlanSession } from "./plan-session.ts";
import { StepDetail } from "./step-detail.tsx";
import { filterSteps, type StepFilter } from "./step-filter.ts";

interface MainParts {
  readonly session: PlanSession;
  readonly services: PageServices;
  readonly filter: Signal<StepFilter>;
}

/**
 * A plan in the main area of the page: its graph, and below or beside the graph the selected step
 * or the verification results.
 */
export function PlanMain({ session, services, filter }: MainParts): JSX.Element | null {
  const columns = useSignal<GraphColumns>("depth");
  const steps = useComputed(() => filterSteps(session.shown.value?.view.steps ?? [], filter.value));
  const own = useRef<HTMLDivElement>(null);
  const shown = session.shown.value;
  if (shown === undefined) return null;
  const { view } = shown;
  const selected = session.selected.value;
  const step = view.steps.find(({ id }) => id === selected);
  const toGraph = () => own.current?.querySelector<SVGElement>('.step-node[tabindex="0"]')?.focus();
  return (
    <div class="plan-main" ref={own}>
      <ProgressBar steps={view.steps} />
      <div class="plan-parts">
        <section class="plan-drawing" aria-label="Plan graph">
          <PlanGraph
            steps={steps.value}
            links={view.links}
            columns={columns}
            selected={selected}
            onSelect={(id) => {
              session.selected.value = id;
            }}
            isFiltered={view.steps.length > steps.value.length}
            summary={<ProgressWords shown={shown} />}
            onOpen={() => own.current?.querySelector<HTMLElement>(".step-detail")?.focus()}
          />
        </section>
        <section
          class="plan-detail scroll"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: A scrollable region must be reachable by keyboard.
          tabIndex={0}
          aria-label={step === undefined ? "Plan overview" : `Step ${step.id}`}
        >
          {step === undefined ? (
            <PlanOverview shown={shown} />
          ) : (
            <StepDetail
              key={step.id}
              step={step}
              session={session}
              services={services}
              onLeave={() => {
                toGraph();
                session.selected.value = undefined;
              }}
            />
          )}
        </section>
      </div>
    </div>
  );
}
