import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { StepLink, StepView } from "../../../src/plan/page/plan-view.ts";
import { standingLooks } from "../../../src/plan/page/standing-looks.ts";
import { ChatExchange } from "../chat/chat-exchange.tsx";
import { FileChange } from "../diff/file-change.tsx";
import { readFileDiffs } from "../diff/file-diff.ts";
import { codeIn } from "../look/code-in.tsx";
import { Icon } from "../look/icons.tsx";
import { shortModelName } from "../look/model-name.ts";
import type { PageServices } from "../page-services.ts";
import type { PlanSession } from "./plan-session.ts";

interface DetailParts {
  readonly step: StepView;
  readonly session: PlanSession;
  readonly services: PageServices;
  readonly onLeave: () => void;
}

/** A step: why it is there, what was done, and what a person may do about it. */
export function StepDetail({ step, session, services, onLeave }: DetailParts): JSX.Element {
  const { id, standing, block, round, likelihood, author, reasons, note, diff, wishes } = step;
  const { links } = session.shown.value!.view;
  return (
    <article
      class="step-detail"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onLeave();
      }}
    >
      <header class="step-head">
        <span class={`standing ${standing}`}>
          <span class="standing-mark" aria-hidden="true">
            {standingLooks[standing].mark}
          </span>
          {standingLooks[standing].words}
        </span>
        <h3>
          {id}. {block}
        </h3>
        <span class="dim small">
          round {round}
          {standing === "pending" && `, likely to ${Math.round(likelihood * 100)} %`}
          {author !== undefined && standing !== "changed" && `, by ${shortModelName(author)}`}
        </span>
        <span class="step-tools">
          <OpenStep step={step} services={services} />
          <button type="button" class="button quiet icon-only" aria-label="Back to the whole plan" onClick={onLeave}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      {note !== undefined && <p class={`notice${standing === "obligation" ? " warn" : ""}`}>{note}</p>}
      <Reasons step={step} reasons={reasons} links={links} onSelect={(to) => (session.selected.value = to)} />
      <StepActions step={step} session={session} services={services} />
      {diff !== undefined && <StepDiff diff={diff} />}
      {wishes.map((wish) => (
        <details key={wish} class="step-wish">
          <summary>What another step wanted to write here</summary>
          <StepDiff diff={wish} />
        </details>
      ))}
    </article>
  );
}

function StepDiff({ diff }: { readonly diff: string }): JSX.Element {
  const { files, issues } = useMemo(() => readFileDiffs(diff), [diff]);
  if (issues.length > 0 && files.length === 0) return <pre class="scroll">{diff}</pre>;
  return (
    <>
      {files.map((file) => (
        <FileChange key={file.path} diff={file} />
      ))}
    </>
  );
}

function Reasons({
  step: { id },
  reasons,
  links,
  onSelect,
}: {
  readonly step: StepView;
  readonly reasons: readonly string[];
  readonly links: readonly StepLink[];
  readonly onSelect: (id: number) => void;
}): JSX.Element {
  const from = links.filter((link) => link.to === id);
  const to = links.filter((link) => link.from === id);
  return (
    <div class="step-reasons">
      {reasons.length > 0 && (
        <ul class="step-why" aria-label="Why it is there">
          {reasons.map((reason) => (
            <li key={reason}>{codeIn(reason)}</li>
          ))}
        </ul>
      )}
      <Ways words="from" ways={from.map((link) => ({ id: link.from, relation: link.relation }))} onSelect={onSelect} />
      <Ways words="led to" ways={to.map((link) => ({ id: link.to, relation: link.relation }))} onSelect={onSelect} />
    </div>
  );
}

interface WaysParts {
  readonly words: string;
  readonly ways: readonly { readonly id: number; readonly relation: string }[];
  readonly onSelect: (id: number) => void;
}

/** So many ways are listed; the drawing has all. */
const maxWays = 12;

function Ways({ words, ways, onSelect }: WaysParts): JSX.Element | null {
  if (ways.length === 0) return null;
  return (
    <p class="step-ways small">
      <span class="dim">{words}</span>
      {ways.slice(0, maxWays).map(({ id, relation }) => (
        <button key={id} type="button" class="step-way" onClick={() => onSelect(id)}>
          step {id} <span class="dim">{relation.replaceAll("-", " ")}</span>
        </button>
      ))}
      {ways.length > maxWays && <span class="dim">and {ways.length - maxWays} others</span>}
    </p>
  );
}

function StepActions({ step, session, services }: Omit<DetailParts, "onLeave">): JSX.Element | null {
  const { id, standing } = step;
  const open = useSignal<"reject" | "chat" | undefined>(undefined);
  const reason = useSignal("");
  if (session.shown.value!.isRunning) return null;
  const isBusy = session.busy.value !== undefined;
  const toggle = (what: "reject" | "chat") => {
    open.value = open.value === what ? undefined : what;
  };
  if (standing === "done") {
    return (
      <div class="step-actions">
        <button type="button" class="button" aria-expanded={open.value === "reject"} onClick={() => toggle("reject")}>
          Reject this step …
        </button>
        {open.value === "reject" && (
          <form
            class="step-reject"
            onSubmit={(event) => {
              event.preventDefault();
              void session.reject(id, reason.value);
            }}
          >
            <label for={`reject-${id}`}>Why? A model is told, if one is asked again.</label>
            <input
              id={`reject-${id}`}
              class="field"
              value={reason.value}
              onInput={({ currentTarget }) => {
                reason.value = currentTarget.value;
              }}
            />
            <button type="submit" class="button primary" disabled={isBusy}>
              Take it back
            </button>
          </form>
        )}
      </div>
    );
  }
  if (standing !== "obligation" && standing !== "pending") return null;
  return (
    <div class="step-actions">
      <div class="plan-buttons">
        <button type="button" class="button" aria-expanded={open.value === "chat"} onClick={() => toggle("chat")}>
          Have a chat do it …
        </button>
        <button type="button" class="button" disabled={isBusy} onClick={() => void session.goOn({ done: [id] })}>
          Nothing has to change here
        </button>
      </div>
      {open.value === "chat" && (
        <ChatExchange
          textFor={async () => {
            const { text, note } = await session.taskFor(id);
            if (note !== undefined) services.tell(note);
            return text;
          }}
          onAnswer={(text) => void session.goOn({ answer: { step: id, text } })}
          tell={services.tell}
          takes="Take the answer"
        />
      )}
    </div>
  );
}

function OpenStep({
  step: { path, diff },
  services: { texts, files, tell },
}: {
  readonly step: StepView;
  readonly services: PageServices;
}): JSX.Element {
  const line = Number(/^@@ -(\d+)/m.exec(diff ?? "")?.[1] ?? 1) - 1;
  const place = { line: Math.max(0, line), character: 0 };
  const open = () =>
    texts.open(files.uriOf(path), { start: place, end: place }).catch((error: Error) => tell(error.message, "error"));
  return (
    <button type="button" class="button quiet" onClick={() => void open()}>
      Open file
    </button>
  );
}
