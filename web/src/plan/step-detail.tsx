import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { StepLink, StepView } from "../../../src/plan/page/plan-view.ts";
import { statusLabels } from "../../../src/plan/page/step-words.ts";
import { ChatExchange } from "../chat/chat-exchange.tsx";
import { usePromptCopy } from "../chat/prompt-copy.ts";
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

/** The details of a step: its reasons, its change, and the available actions. */
export function StepDetail({ step, session, services, onLeave }: DetailParts): JSX.Element {
  const { id, status, block, round, likelihood, author, reasons, note, diff, proposals } = step;
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
        <span class={`step-status-badge ${status}`}>
          <span class="status-mark" aria-hidden="true">
            {statusLabels[status].mark}
          </span>
          {statusLabels[status].words}
        </span>
        <h2>
          {id}. {block}
        </h2>
        <span class="dim small">
          round {round}
          {status === "pending" && `, likelihood ${Math.round(likelihood * 100)} %`}
          {author !== undefined && `, by ${shortModelName(author)}`}
        </span>
        <span class="step-tools">
          <OpenStep step={step} services={services} />
          <button type="button" class="button quiet icon-only" aria-label="Back to the plan overview" onClick={onLeave}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      {note !== undefined && <p class={`notice${status === "obligation" ? " warn" : ""}`}>{codeIn(note)}</p>}
      <Reasons step={step} reasons={reasons} links={links} onSelect={(to) => (session.selected.value = to)} />
      <StepActions step={step} session={session} services={services} />
      {diff !== undefined && <StepDiff diff={diff} />}
      {proposals.map((proposal) => (
        <details key={proposal} class="step-proposal">
          <summary>Change proposed by another step</summary>
          <StepDiff diff={proposal} />
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
        <ul class="step-why" aria-label="Reasons">
          {reasons.map((reason) => (
            <li key={reason}>{codeIn(reason)}</li>
          ))}
        </ul>
      )}
      <StepLinkList
        words="caused by"
        links={from.map((link) => ({ id: link.from, relation: link.relation }))}
        onSelect={onSelect}
      />
      <StepLinkList
        words="caused"
        links={to.map((link) => ({ id: link.to, relation: link.relation }))}
        onSelect={onSelect}
      />
    </div>
  );
}

interface StepLinkListParts {
  readonly words: string;
  readonly links: readonly { readonly id: number; readonly relation: string }[];
  readonly onSelect: (id: number) => void;
}

/** The most links in the list; the graph contains all. */
const maxLinks = 12;

function StepLinkList({ words, links, onSelect }: StepLinkListParts): JSX.Element | null {
  if (links.length === 0) return null;
  return (
    <p class="step-links small">
      <span class="dim">{words}</span>
      {links.slice(0, maxLinks).map(({ id, relation }) => (
        <button key={id} type="button" class="step-link" onClick={() => onSelect(id)}>
          step {id} <span class="dim">{relation.replaceAll("-", " ")}</span>
        </button>
      ))}
      {links.length > maxLinks && <span class="dim">and {links.length - maxLinks} more</span>}
    </p>
  );
}

function StepActions({ step, session, services }: Omit<DetailParts, "onLeave">): JSX.Element | null {
  const { id, status } = step;
  const open = useSignal<"reject" | "chat" | undefined>(undefined);
  const reason = useSignal("");
  const prompt = usePromptCopy({
    async textFor() {
      const { text, note } = await session.taskFor(id);
      if (note !== undefined) services.showMessage(note);
      return text;
    },
    showMessage: services.showMessage,
  });
  if (session.shown.value!.isRunning) return null;
  const isBusy = session.busy.value !== undefined;
  const toggle = (what: "reject" | "chat") => {
    open.value = open.value === what ? undefined : what;
  };
  if (status === "done") {
    return (
      <div class="step-actions">
        <button type="button" class="button" aria-expanded={open.value === "reject"} onClick={() => toggle("reject")}>
          Reject step…
        </button>
        {open.value === "reject" && (
          <form
            class="step-reject"
            onSubmit={(event) => {
              event.preventDefault();
              void session.reject(id, reason.value);
            }}
          >
            <label for={`reject-${id}`}>Reason (sent to the model if the step is requested again)</label>
            <input
              id={`reject-${id}`}
              class="field"
              value={reason.value}
              onInput={({ currentTarget }) => {
                reason.value = currentTarget.value;
              }}
            />
            <button type="submit" class="button primary" disabled={isBusy}>
              Reject
            </button>
          </form>
        )}
      </div>
    );
  }
  if (status !== "obligation" && status !== "pending") return null;
  return (
    <div class="step-actions">
      <div class="plan-buttons">
        <button type="button" class="button" aria-expanded={open.value === "chat"} onClick={() => toggle("chat")}>
          Use a chat…
        </button>
        <button type="button" class="button" disabled={isBusy} onClick={() => void session.continue({ done: [id] })}>
          Mark as done
        </button>
      </div>
      {open.value === "chat" && (
        <ChatExchange
          prompt={prompt}
          onAnswer={(text) => void session.continue({ answer: { step: id, text } })}
          submitLabel="Use answer"
        />
      )}
    </div>
  );
}

function OpenStep({
  step: { path, diff },
  services: { texts, files, showMessage },
}: {
  readonly step: StepView;
  readonly services: PageServices;
}): JSX.Element {
  const line = Number(/^@@ -(\d+)/m.exec(diff ?? "")?.[1] ?? 1) - 1;
  const place = { line: Math.max(0, line), character: 0 };
  const open = () =>
    texts
      .open(files.uriOf(path), { start: place, end: place })
      .catch((error: Error) => showMessage(error.message, "error"));
  return (
    <button type="button" class="button quiet" onClick={() => void open()}>
      Open file
    </button>
  );
}
