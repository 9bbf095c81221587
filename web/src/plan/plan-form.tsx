import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { UnsavedFiles } from "../files/unsaved-files.tsx";
import type { PageServices } from "../page-services.ts";
import { type CursorPlace, defaultDraft, type PlanFormDraft, type PlanStart, readDraft } from "./plan-form-draft.ts";
import type { PlanSession } from "./plan-session.ts";

const starts: Readonly<Record<PlanStart, string>> = {
  changes: "Uncommitted changes (git)",
  cursor: "Instruction at the cursor",
  range: "Commit range (git)",
  findings: "Errors of the verification commands",
};

/** The form that starts a plan. */
export function PlanForm({
  session,
  services,
  draft,
}: {
  readonly session: PlanSession;
  readonly services: PageServices;
  /** The values of the form. */
  readonly draft: Signal<PlanFormDraft>;
}): JSX.Element {
  const cursor = useCursor(services.texts);
  const read = useComputed(() => readDraft(draft.value, cursor.value));
  const { startFrom, instruction, usesModel } = draft.value;
  const change = (part: Partial<PlanFormDraft>) => {
    draft.value = { ...defaultDraft, ...draft.value, ...part };
  };
  const start = () => {
    const { value } = read;
    if (value.kind === "ready") void session.start(value.params);
    else services.showMessage(value.what, "error");
  };
  const busy = session.busy.value;
  return (
    <form
      class="plan-form"
      aria-label="Start a plan"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        start();
      }}
    >
      <fieldset class="plan-starts">
        <legend>Start from</legend>
        {(Object.keys(starts) as readonly PlanStart[]).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="plan-start"
              checked={startFrom === name}
              onChange={() => change({ startFrom: name })}
            />
            {starts[name]}
          </label>
        ))}
      </fieldset>
      {startFrom === "cursor" && (
        <p class="small dim">
          {cursor.value === undefined ? "No file is open." : `Cursor: ${placeOf(cursor.value, services.files)}`}
        </p>
      )}
      {startFrom === "range" && (
        <Field label="Commit range">
          <input
            class="field code"
            value={draft.value.range}
            placeholder="main..."
            spellcheck={false}
            onInput={({ currentTarget }) => change({ range: currentTarget.value })}
          />
        </Field>
      )}
      <Field label={startFrom === "cursor" ? "Instruction" : "Instruction for the model (optional)"}>
        <textarea
          class="field"
          rows={startFrom === "cursor" ? 3 : 2}
          value={instruction}
          onInput={({ currentTarget }) => change({ instruction: currentTarget.value })}
        />
      </Field>
      <Field label="Verification commands, one per line">
        <textarea
          class="field code"
          rows={2}
          placeholder="npx tsc --noEmit"
          spellcheck={false}
          value={draft.value.verifiers}
          onInput={({ currentTarget }) => change({ verifiers: currentTarget.value })}
        />
      </Field>
      <label class="plan-tick">
        <input
          type="checkbox"
          checked={usesModel}
          onChange={({ currentTarget }) => change({ usesModel: currentTarget.checked })}
        />
        <span>
          Use the model where no repair rule applies
          <span class="dim small">Without a model, the remaining steps are left to you or any chat.</span>
        </span>
      </label>
      <details class="plan-limits">
        <summary>Limits</summary>
        <div class="plan-limit-fields">
          <Limit label="Steps" name="maxSteps" draft={draft.value} change={change} />
          <Limit label="Rounds" name="maxRounds" draft={draft.value} change={change} />
          <Limit label="Tokens" name="maxTokens" draft={draft.value} change={change} />
        </div>
      </details>
      {/* A plan works with the files on the disk. */}
      <UnsavedFiles paths={services.texts.unsaved.value} services={services} />
      <div class="plan-buttons">
        <button
          type="submit"
          class="button primary"
          data-command="Plan: Start"
          disabled={busy !== undefined || read.value.kind === "missing"}
        >
          {busy ?? "Start"} <span class="key">Ctrl Enter</span>
        </button>
        {read.value.kind === "missing" && <span class="dim small">{read.value.what}</span>}
      </div>
      <p class="dim small">The plan runs in a copy. Your files do not change until you apply the plan.</p>
    </form>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: JSX.Element }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: The children contain the control.
    <label class="plan-field">
      {label}
      {children}
    </label>
  );
}

type LimitName = "maxSteps" | "maxRounds" | "maxTokens";

function Limit({
  label,
  name,
  draft,
  change,
}: {
  readonly label: string;
  readonly name: LimitName;
  readonly draft: PlanFormDraft;
  readonly change: (part: Partial<PlanFormDraft>) => void;
}): JSX.Element {
  return (
    <Field label={label}>
      <input
        class="field"
        inputMode="numeric"
        placeholder="default"
        value={draft[name]}
        onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
      />
    </Field>
  );
}

function useCursor(texts: PageServices["texts"]): Signal<CursorPlace | undefined> {
  const cursor = useSignal<CursorPlace | undefined>(undefined);
  useEffect(() => {
    const follow = () => {
      const selection = texts.selection();
      cursor.value = selection && { uri: selection.uri, line: selection.range.start.line };
    };
    follow();
    const following = texts.onSelection(follow);
    return () => following[Symbol.dispose]();
  }, [texts, cursor]);
  return cursor;
}

function placeOf({ uri, line }: CursorPlace, files: PageServices["files"]): string {
  return `${files.tryPathOf(uri) ?? uri}, line ${line + 1}`;
}
