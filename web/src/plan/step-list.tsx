import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { StepView } from "../../../src/plan/page/plan-view.ts";
import { statusLabels, stepLabelOf } from "../../../src/plan/page/step-words.ts";
import { PathText } from "../look/path-text.tsx";
import type { PlanSession } from "./plan-session.ts";
import { filterSteps, type StepFilter, toggleStatus } from "./step-filter.ts";
import { tallyOf } from "./step-statuses.ts";

/**
 * The steps of a plan with their statuses. Arrow keys, j and k select a step, Enter moves the focus
 * to its details, / focuses the filter, Escape clears the selection.
 */
export function StepList({
  session,
  filter,
}: {
  readonly session: PlanSession;
  readonly filter: Signal<StepFilter>;
}): JSX.Element {
  const { steps } = session.shown.value!.view;
  const { value: wanted } = filter;
  const shown = useMemo(() => filterSteps(steps, wanted), [steps, wanted]);
  const selected = session.selected.value;
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const choose = (id: number | undefined) => {
    session.selected.value = id;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = shown.findIndex(({ id }) => id === selected);
    const by: Readonly<Record<string, number>> = {
      ...{ ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: shown.length - 1 },
      ...{ PageDown: at + 10, PageUp: at - 10 },
    };
    const to = by[event.key];
    if (to !== undefined) choose(shown[Math.max(0, Math.min(shown.length - 1, to))]?.id);
    else if (event.key === "Enter" && selected !== undefined)
      document.querySelector<HTMLElement>(".step-detail")?.focus();
    else if (event.key === "Escape") choose(undefined);
    else if (event.key === "/") field.current?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <section class="plan-steps" aria-label="Steps">
      <div class="plan-filter">
        <input
          ref={field}
          type="search"
          class="field"
          placeholder="Filter by name, file or reason"
          aria-label="Filter steps"
          value={wanted.words}
          onInput={({ currentTarget }) => {
            filter.value = { ...filter.value, words: currentTarget.value };
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape" && event.key !== "ArrowDown") return;
            if (event.key === "Escape") filter.value = { ...filter.value, words: "" };
            event.preventDefault();
            list.current?.focus();
          }}
        />
        <div class="plan-tally">
          {tallyOf(steps).map(([status, count]) => (
            <button
              key={status}
              type="button"
              class={`plan-tally-one ${status}`}
              aria-pressed={!wanted.hidden.has(status)}
              onClick={() => {
                filter.value = toggleStatus(filter.value, status);
              }}
            >
              <span class="status-mark" aria-hidden="true">
                {statusLabels[status].mark}
              </span>
              {count} {statusLabels[status].words}
            </button>
          ))}
        </div>
      </div>
      {shown.length === 0 ? (
        <p class="dim small">{steps.length === 0 ? "No steps yet." : "No step matches the filter."}</p>
      ) : (
        <div
          ref={list}
          class="step-list"
          role="listbox"
          aria-label="Steps"
          tabIndex={0}
          aria-activedescendant={shown.some(({ id }) => id === selected) ? `plan-step-${selected}` : undefined}
          onKeyDown={onKeyDown}
        >
          {shown.map((step) => (
            <StepRow key={step.id} step={step} isSelected={step.id === selected} choose={choose} />
          ))}
        </div>
      )}
      {shown.length > 0 && shown.length < steps.length && (
        <p class="dim small">
          {shown.length} of {steps.length} steps
        </p>
      )}
    </section>
  );
}

interface RowParts {
  readonly step: StepView;
  readonly isSelected: boolean;
  readonly choose: (id: number) => void;
}

const StepRow = memo(
  ({ step, isSelected, choose }: RowParts) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: The list handles the keys, as in the listbox of the ARIA practices.
    <div
      id={`plan-step-${step.id}`}
      class={`step-row ${step.status}`}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={() => choose(step.id)}
    >
      <span class="status-mark" aria-hidden="true">
        {statusLabels[step.status].mark}
      </span>
      <span class="step-name one-line">{stepLabelOf(step)}</span>
      <span class="dim small">
        <PathText path={step.path} />
      </span>
      <span class="step-status small">{statusLabels[step.status].words}</span>
    </div>
  ),
  (before, after) =>
    before.isSelected === after.isSelected &&
    before.step.status === after.step.status &&
    before.step.name === after.step.name &&
    before.step.path === after.step.path,
);
