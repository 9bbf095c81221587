import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { kept } from "../kept.ts";
import type { PageServices } from "../page-services.ts";
import type { PlanSession } from "./plan-session.ts";
import { type CursorPlace, type PlanBeginning, type PlanWish, readWish, usualWish } from "./plan-wish.ts";

/** What was filled in last, as most plans of a workspace have the same checks. */
const wish = kept<PlanWish>("emend.plan.wish", usualWish);

const beginnings: Readonly<Record<PlanBeginning, string>> = {
  changes: "What git says is changed",
  cursor: "An instruction at the cursor",
  range: "A range of git",
  findings: "What the checks find",
};

/** Begins a plan. */
export function PlanForm({
  session,
  services,
}: {
  readonly session: PlanSession;
  readonly services: PageServices;
}): JSX.Element {
  const cursor = useCursor(services.texts);
  const read = useComputed(() => readWish(wish.value, cursor.value));
  const { beginning, instruction, asksModel } = wish.value;
  const change = (part: Partial<PlanWish>) => {
    wish.value = { ...usualWish, ...wish.value, ...part };
  };
  const begin = () => {
    const { value } = read;
    if (value.kind === "ready") void session.start(value.params);
    else services.tell(value.what, "error");
  };
  const busy = session.busy.value;
  return (
    <form
      class="plan-form"
      aria-label="Begin a plan"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        begin();
      }}
    >
      <fieldset class="plan-beginnings">
        <legend>Begin with</legend>
        {(Object.keys(beginnings) as readonly PlanBeginning[]).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="plan-beginning"
              checked={beginning === name}
              onChange={() => change({ beginning: name })}
            />
            {beginnings[name]}
          </label>
        ))}
      </fieldset>
      {beginning === "cursor" && (
        <p class="small dim">
          {cursor.value === undefined ? "No file is open." : `At ${placeOf(cursor.value, services.files)}.`}
        </p>
      )}
      {beginning === "range" && (
        <Field label="Range of git">
          <input
            class="field code"
            value={wish.value.range}
            placeholder="main..."
            spellcheck={false}
            onInput={({ currentTarget }) => change({ range: currentTarget.value })}
          />
        </Field>
      )}
      <Field label={beginning === "cursor" ? "What is to be done there" : "What it is about, if a model is to know"}>
        <textarea
          class="field"
          rows={beginning === "cursor" ? 3 : 2}
          value={instruction}
          onInput={({ currentTarget }) => change({ instruction: currentTarget.value })}
        />
      </Field>
      <Field label="Checks that judge, one command a line">
        <textarea
          class="field code"
          rows={2}
          placeholder="npx tsc --noEmit"
          spellcheck={false}
          value={wish.value.oracles}
          onInput={({ currentTarget }) => change({ oracles: currentTarget.value })}
        />
      </Field>
      <label class="plan-tick">
        <input
          type="checkbox"
          checked={asksModel}
          onChange={({ currentTarget }) => change({ asksModel: currentTarget.checked })}
        />
        <span>
          Ask the model where no rule knows what to do
          <span class="dim small">Without one, what is left is for you or any chat.</span>
        </span>
      </label>
      <details class="plan-limits">
        <summary>Limits</summary>
        <div class="plan-limit-fields">
          <Limit label="Steps" name="maxSteps" change={change} />
          <Limit label="Rounds" name="maxRounds" change={change} />
          <Limit label="Tokens" name="maxTokens" change={change} />
        </div>
      </details>
      <div class="plan-buttons">
        <button type="submit" class="button primary" disabled={busy !== undefined || read.value.kind === "missing"}>
          {busy ?? "Begin"} <span class="key">Ctrl Enter</span>
        </button>
        {read.value.kind === "missing" && <span class="dim small">{read.value.what}</span>}
      </div>
      <p class="dim small">It is carried out in a copy; your files stay as they are until you apply it.</p>
    </form>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: JSX.Element }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: What is given is inside of it.
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
  change,
}: {
  readonly label: string;
  readonly name: LimitName;
  readonly change: (part: Partial<PlanWish>) => void;
}): JSX.Element {
  return (
    <Field label={label}>
      <input
        class="field"
        inputMode="numeric"
        placeholder="usual"
        value={wish.value[name]}
        onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
      />
    </Field>
  );
}

function useCursor(texts: PageServices["texts"]): Signal<CursorPlace | undefined> {
  const cursor = useSignal<CursorPlace | undefined>(undefined);
  useEffect(() => {
    const follow = () => {
      const looked = texts.selection();
      cursor.value = looked && { uri: looked.uri, line: looked.range.start.line };
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
