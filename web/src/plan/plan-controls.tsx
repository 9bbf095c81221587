import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { readFileDiffs } from "../diff/file-diff.ts";
import { UnsavedFiles } from "../files/unsaved-files.tsx";
import { codeIn } from "../look/code-in.tsx";
import { Icon } from "../look/icons.tsx";
import type { PageServices } from "../page-services.ts";
import type { PlanSession } from "./plan-session.ts";

/** The buttons of a plan: stop, continue, apply, undo. */
export function PlanControls({
  session,
  services,
}: {
  readonly session: PlanSession;
  readonly services: PageServices;
}): JSX.Element | null {
  const shown = session.shown.value;
  const isDoubtShown = useSignal(false);
  const changed = useMemo(() => readFileDiffs(shown?.diff ?? "").files.map(({ path }) => path), [shown?.diff]);
  if (shown === undefined) return null;
  const { isRunning, view, diff, doubt, isApplied, problem, notes } = shown;
  const isBusy = session.busy.value !== undefined;
  const applied = session.applied.value;
  const hasChange = diff !== undefined && diff !== "";
  const canContinue =
    view.end === undefined || view.steps.some(({ status }) => status === "pending") || problem !== undefined;
  if (isRunning) {
    return (
      <div class="plan-buttons">
        <button
          type="button"
          class="button"
          data-command="Plan: Stop"
          disabled={isBusy}
          onClick={() => void session.stop()}
        >
          <Icon name="close" /> {session.busy.value ?? "Stop"}
        </button>
      </div>
    );
  }
  return (
    <div class="plan-stopped">
      {problem !== undefined && (
        <p class="notice bad" role="status">
          {codeIn(problem)}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="small dim">
          {codeIn(note)}
        </p>
      ))}
      {doubt !== undefined && isDoubtShown.value && (
        // The problem above is the reason of the doubt.
        <p class="notice warn">{problem === undefined ? codeIn(doubt) : "The plan stopped before its end."}</p>
      )}
      <div class="plan-buttons">
        {hasChange && !isApplied && (doubt === undefined || isDoubtShown.value) && (
          <button
            type="button"
            class="button primary"
            data-command="Plan: Apply to Files"
            disabled={isBusy}
            onClick={() => void session.apply({ isSeen: isDoubtShown.value })}
          >
            <Icon name="check" /> {doubt === undefined ? "Apply to files" : "Apply anyway"}
          </button>
        )}
        {hasChange && !isApplied && doubt !== undefined && !isDoubtShown.value && (
          <button
            type="button"
            class="button"
            onClick={() => {
              isDoubtShown.value = true;
            }}
          >
            Apply…
          </button>
        )}
        {canContinue && (
          <button
            type="button"
            class={`button${hasChange ? "" : " primary"}`}
            data-command="Plan: Continue"
            disabled={isBusy}
            onClick={() => void session.continue()}
          >
            <Icon name="arrow" /> Continue
          </button>
        )}
        {applied !== undefined && !applied.isUndone && (
          <button
            type="button"
            class="button"
            data-command="Plan: Undo"
            disabled={isBusy}
            onClick={() => void session.undo()}
          >
            Undo
          </button>
        )}
      </div>
      {(isApplied || applied !== undefined) && hasChange && (
        <UnsavedFiles paths={changed} services={services}>
          {isApplied && <p class="small plan-applied">All changes are saved.</p>}
        </UnsavedFiles>
      )}
    </div>
  );
}
