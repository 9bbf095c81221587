import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { kept } from "../kept.ts";
import { codeIn } from "../look/code-in.tsx";
import { Icon } from "../look/icons.tsx";
import { shownPanel } from "../shell/panels.tsx";
import { isHiddenSheet } from "../shell/sheets.ts";
import type { Page } from "../start-page.ts";
import { PlanControls } from "./plan-controls.tsx";
import { PlanForm } from "./plan-form.tsx";
import { defaultDraft } from "./plan-form-draft.ts";
import { PlanList, planListTitle } from "./plan-list.tsx";
import { PlanMain } from "./plan-main.tsx";
import { PlanProgress } from "./plan-progress.tsx";
import { PlanSession } from "./plan-session.ts";
import { defaultFilter, type StepFilter } from "./step-filter.ts";
import { StepList } from "./step-list.tsx";
import "./plan.css";

/**
 * The Plan panel: starts, follows and applies plans. The graph of the open plan is in the main
 * area.
 */
export function PlanPanel({ services, link }: Pick<Page, "services" | "link">): JSX.Element {
  const { main, files } = services;
  const session = useMemo(
    () =>
      new PlanSession({
        ...services,
        isPanelVisible: () => shownPanel.value === "plan" && !isHiddenSheet("panels"),
      }),
    [services],
  );
  useEffect(() => () => session[Symbol.dispose](), [session]);
  const isLost = link.value === "lost";
  useEffect(() => {
    if (isLost) session.disconnected();
  }, [isLost, session]);
  const filter = useSignal<StepFilter>(defaultFilter);
  // The last values, because most plans of a folder have the same verification commands.
  const draft = useMemo(() => kept("plan.draft", defaultDraft, { of: files.rootUri }), [files]);
  // The open plan, which a reloaded page shows again.
  const open = useMemo(() => kept("plan", "", { of: files.rootUri, storage: sessionStorage }), [files]);
  const shown = session.shown.value;
  const plan = shown?.plan;
  useEffect(() => {
    void session.list();
    if (open.value !== "") void session.show(open.value);
  }, [session, open]);
  useEffect(() => {
    if (plan === undefined) return;
    open.value = plan;
    const view = main.show({
      ...{ id: "plan", title: "Plan" },
      render: () => <PlanMain session={session} services={services} filter={filter} />,
      onClose: () => {
        open.value = "";
        session.close();
      },
    });
    return () => view[Symbol.dispose]();
  }, [plan, main, session, services, filter, open]);
  const { value: problem } = session.problem;
  const showAll = () => {
    open.value = "";
    session.close();
    void session.list();
    // The list takes the place of the closed plan with the next frame.
    requestAnimationFrame(() => document.getElementById(planListTitle)?.focus());
  };
  return (
    <div class={`plan-panel${shown === undefined ? "" : " watching"}`}>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {codeIn(problem)}
        </p>
      )}
      <header class="plan-panel-head">
        <h2 class="one-line">{shown === undefined ? "New plan" : shown.view.title}</h2>
        <button type="button" class="button quiet" data-command="Plan: All Plans" onClick={showAll}>
          <Icon name="list" /> All plans
        </button>
      </header>
      {shown === undefined ? (
        <>
          <PlanForm session={session} services={services} draft={draft} />
          <PlanList session={session} />
        </>
      ) : (
        <>
          <PlanProgress shown={shown} />
          <PlanControls session={session} services={services} />
          <StepList session={session} filter={filter} />
        </>
      )}
    </div>
  );
}
