import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Position } from "vscode-languageserver-protocol";
import { FileChange, type HunkSwitch } from "../diff/file-change.tsx";
import { type FileDiff, readFileDiffs } from "../diff/file-diff.ts";
import { LiveChange } from "../diff/live-change.tsx";
import { Icon } from "../look/icons.tsx";
import type { PageServices } from "../page-services.ts";
import { Choices, printActivity } from "./edit-outcome.tsx";
import type { EditSession } from "./edit-session.ts";
import { type EditStage, type HunkName, isTaken } from "./edit-stage.ts";
import { diffOfProposed, isSplittable } from "./proposed-files.ts";

interface ReviewParts {
  readonly session: EditSession;
  readonly services: PageServices;
  /** The instruction; empty for a pasted answer without one. */
  readonly title: string;
}

/** The change in the main area: while a model writes, and then for review. */
export function EditReview({ session, services, title }: ReviewParts): JSX.Element {
  const stage = session.stage.value;
  const frame = useRef<HTMLElement>(null);
  const isReviewing = stage.kind === "reviewing";
  useEffect(() => {
    // Keep the focus in the editor if the user is editing there.
    const isElsewhere =
      document.activeElement?.closest("[data-region]")?.querySelector(".monaco-editor :focus") != null;
    if (isReviewing && !isElsewhere) frame.current?.focus();
  }, [isReviewing]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (stage.kind === "reviewing" && event.key === "Enter" && (event.ctrlKey || event.metaKey)) void session.accept();
    else if (event.key === "Escape") stage.kind === "requesting" ? session.stop() : session.dismiss();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: The keys are shortcuts of the buttons inside.
    <div class="edit-review" onKeyDown={onKeyDown}>
      <header class="edit-review-bar">
        <h2 class="edit-review-title one-line" title={title}>
          {title === "" ? "Answer of the chat" : title}
        </h2>
        {stage.kind === "requesting" && <Writing stage={stage} session={session} />}
        {stage.kind === "reviewing" && stage.answer.edit !== undefined && (
          <div class="edit-review-choices">
            <Choices stage={stage} session={session} />
          </div>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A scrollable region must be reachable by keyboard. */}
      <section class="edit-review-files scroll" tabIndex={0} ref={frame} aria-label="Proposed change">
        {stage.kind === "requesting" && <LiveFiles stage={stage} />}
        {stage.kind === "reviewing" && <ReviewedFiles stage={stage} session={session} services={services} />}
      </section>
    </div>
  );
}

type StageOf<Kind extends EditStage["kind"]> = Extract<EditStage, { kind: Kind }>;

function Writing({
  stage: { preview },
  session,
}: {
  readonly stage: StageOf<"requesting">;
  readonly session: EditSession;
}) {
  return (
    <>
      <span class="badge good edit-writing">
        <span class="pulse" aria-hidden="true" />
        <span class="one-line">{preview === undefined ? "waiting for the model" : printActivity(preview)}</span>
      </span>
      <button type="button" class="button" onClick={() => session.stop()}>
        <Icon name="close" /> Stop <span class="key">Esc</span>
      </button>
    </>
  );
}

function LiveFiles({ stage: { preview, isPasted } }: { readonly stage: StageOf<"requesting"> }): JSX.Element {
  if (preview === undefined || preview.files.length === 0) {
    return <p class="edit-waiting dim">{isPasted ? "Reading the answer…" : "Waiting for the first change…"}</p>;
  }
  const { files, at } = preview;
  return (
    <>
      {files.map((file) => (
        <LiveChange
          key={file.uri}
          file={file}
          writtenLines={at?.uri === file.uri ? linesUpTo(at.position) : undefined}
        />
      ))}
    </>
  );
}

/** The number of lines up to a position, including its line unless the position is at its start. */
function linesUpTo({ line, character }: Position): number {
  return character === 0 ? line : line + 1;
}

function ReviewedFiles({
  stage,
  session,
  services,
}: {
  readonly stage: StageOf<"reviewing">;
  readonly session: EditSession;
  readonly services: PageServices;
}): JSX.Element {
  const { answer, files } = stage;
  const diffs = useMemo(() => files.map(diffOfProposed), [files]);
  const best = useMemo(() => readFileDiffs(answer.proposal?.diff ?? "").files, [answer]);
  if (answer.edit === undefined) {
    return (
      <>
        <p class="notice warn">This change cannot be applied. The Edit panel shows the reason.</p>
        {best.map((diff) => (
          <FileChange key={diff.path} diff={diff} />
        ))}
      </>
    );
  }
  return (
    <>
      {diffs.map((diff, at) => (
        <FileChange
          key={diff.path}
          diff={diff}
          choice={switchOf(stage, session, at)}
          actions={
            <OpenFile diff={diff} uri={files[at]!.before === null ? undefined : files[at]!.uri} services={services} />
          }
        />
      ))}
    </>
  );
}

function switchOf(stage: StageOf<"reviewing">, session: EditSession, file: number): HunkSwitch | undefined {
  return {
    isSplittable: isSplittable(stage.files[file]!),
    isTaken: (hunk) => isTaken(stage, file, hunk),
    take: (hunks, taken) =>
      session.choose(
        hunks.map((hunk): HunkName => `${file}:${hunk}`),
        taken,
      ),
  };
}

function OpenFile({
  diff,
  uri,
  services: { texts, showMessage },
}: {
  readonly diff: FileDiff;
  readonly uri: string | undefined;
  readonly services: PageServices;
}): JSX.Element | null {
  if (uri === undefined) return null;
  const line = diff.hunks[0]?.before.start ?? 0;
  const place = { line, character: 0 };
  const open = () =>
    texts.open(uri, { start: place, end: place }).catch((error: Error) => showMessage(error.message, "error"));
  return (
    <button type="button" class="button quiet" onClick={() => void open()}>
      Open
    </button>
  );
}
