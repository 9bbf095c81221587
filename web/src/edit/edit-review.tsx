import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Position } from "vscode-languageserver-protocol";
import { FileChange, type HunkSwitch } from "../diff/file-change.tsx";
import { type FileDiff, readFileDiffs } from "../diff/file-diff.ts";
import { LiveChange } from "../diff/live-change.tsx";
import { Icon } from "../look/icons.tsx";
import type { PageServices } from "../page-services.ts";
import { Choices, sayAsked } from "./edit-outcome.tsx";
import type { EditSession } from "./edit-session.ts";
import { type EditStage, type HunkName, isTaken } from "./edit-stage.ts";
import { diffOfProposed, isSplittable } from "./proposed-files.ts";

interface ReviewParts {
  readonly session: EditSession;
  readonly services: PageServices;
  /** What was asked for. */
  readonly title: string;
}

/** The change in the middle of the page: while it is written, and then to be taken or not. */
export function EditReview({ session, services, title }: ReviewParts): JSX.Element {
  const stage = session.stage.value;
  const frame = useRef<HTMLElement>(null);
  const isJudged = stage.kind === "judged";
  useEffect(() => {
    // Whoever has gone on to edit is not torn away.
    const isElsewhere =
      document.activeElement?.closest("[data-region]")?.querySelector(".monaco-editor :focus") != null;
    if (isJudged && !isElsewhere) frame.current?.focus();
  }, [isJudged]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (stage.kind === "judged" && event.key === "Enter" && (event.ctrlKey || event.metaKey)) void session.accept();
    else if (event.key === "Escape") stage.kind === "asking" ? session.stop() : session.dismiss();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: The keys are those of the buttons inside of it.
    <div class="edit-review" onKeyDown={onKeyDown}>
      <header class="edit-review-bar">
        <h2 class="edit-review-title" title={title}>
          {title === "" ? "What the chat said" : title}
        </h2>
        {stage.kind === "asking" && <Writing stage={stage} session={session} />}
        {stage.kind === "judged" && stage.answer.edit !== undefined && (
          <div class="edit-review-choices">
            <Choices stage={stage} session={session} />
          </div>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What is scrolled can be reached by keyboard. */}
      <section class="edit-review-files scroll" tabIndex={0} ref={frame} aria-label="The change">
        {stage.kind === "asking" && <LiveFiles stage={stage} />}
        {stage.kind === "judged" && <JudgedFiles stage={stage} session={session} services={services} />}
      </section>
    </div>
  );
}

type StageOf<Kind extends EditStage["kind"]> = Extract<EditStage, { kind: Kind }>;

function Writing({
  stage: { preview },
  session,
}: {
  readonly stage: StageOf<"asking">;
  readonly session: EditSession;
}) {
  return (
    <>
      <span class="badge good edit-writing">
        <span class="edit-pulse" aria-hidden="true" />
        {preview === undefined ? "asking" : sayAsked(preview)}
      </span>
      <button type="button" class="button" onClick={() => session.stop()}>
        <Icon name="close" /> Stop <span class="key">Esc</span>
      </button>
    </>
  );
}

function LiveFiles({ stage: { preview, isPasted } }: { readonly stage: StageOf<"asking"> }): JSX.Element {
  if (preview === undefined || preview.files.length === 0) {
    return <p class="edit-waiting dim">{isPasted ? "The answer is being read." : "Nothing is written yet."}</p>;
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

/** How many lines a position is behind, its own counted where something of it is in front. */
function linesUpTo({ line, character }: Position): number {
  return character === 0 ? line : line + 1;
}

function JudgedFiles({
  stage,
  session,
  services,
}: {
  readonly stage: StageOf<"judged">;
  readonly session: EditSession;
  readonly services: PageServices;
}): JSX.Element {
  const { answer, files } = stage;
  const diffs = useMemo(() => files.map(diffOfProposed), [files]);
  const best = useMemo(() => readFileDiffs(answer.proposal?.diff ?? "").files, [answer]);
  if (answer.edit === undefined) {
    return (
      <>
        <p class="notice warn">This is what it came to. It cannot be applied; the panel says why.</p>
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

function switchOf(stage: StageOf<"judged">, session: EditSession, file: number): HunkSwitch | undefined {
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
  services: { texts, tell },
}: {
  readonly diff: FileDiff;
  readonly uri: string | undefined;
  readonly services: PageServices;
}): JSX.Element | null {
  if (uri === undefined) return null;
  const line = diff.hunks[0]?.before.start ?? 0;
  const place = { line, character: 0 };
  const open = () =>
    texts.open(uri, { start: place, end: place }).catch((error: Error) => tell(error.message, "error"));
  return (
    <button type="button" class="button quiet" onClick={() => void open()}>
      Open
    </button>
  );
}
