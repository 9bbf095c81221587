import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { recommendedModels } from "../../../src/model/discovery/recommended-models.ts";
import { copyText } from "../chat/copy-text.ts";
import { UnsavedFiles } from "../files/unsaved-files.tsx";
import { codeIn } from "../look/code-in.tsx";
import { Icon } from "../look/icons.tsx";
import { shortModelName } from "../look/model-name.ts";
import type { PageServices } from "../page-services.ts";
import type { EditSession, SavedEdit } from "./edit-session.ts";
import { type EditStage, isTaken } from "./edit-stage.ts";
import { type ExplanationLine, readExplanation } from "./explanation-lines.ts";
import { diffOfProposed, isSplittable } from "./proposed-files.ts";

/** The result of an edit, with the actions that are available. */
export function EditOutcome({
  session,
  services,
  onSetup,
  onPasteInstead,
  onAgain,
}: {
  readonly session: EditSession;
  readonly services: PageServices;
  readonly onSetup: () => void;
  readonly onPasteInstead: () => void;
  readonly onAgain: () => void;
}): JSX.Element {
  const stage = session.stage.value;
  const { kind } = stage;
  const own = useRef<HTMLElement>(null);
  useEffect(() => {
    if (kind !== "resting") own.current?.scrollIntoView({ block: "nearest" });
  }, [kind]);
  return (
    <section ref={own} class="edit-outcome" aria-label="Result" aria-live="polite">
      {stage.kind === "resting" && session.last.value !== undefined && (
        <LastEdit saved={session.last.value} session={session} />
      )}
      {stage.kind === "requesting" && <Requesting stage={stage} />}
      {stage.kind === "reviewing" && <Reviewing stage={stage} session={session} onAgain={onAgain} />}
      {stage.kind === "applied" && <Applied stage={stage} session={session} services={services} />}
      {stage.kind === "failed" && <Failed message={stage.message} onSetup={onSetup} onPasteInstead={onPasteInstead} />}
    </section>
  );
}

function LastEdit({ saved, session }: { readonly saved: SavedEdit; readonly session: EditSession }): JSX.Element {
  const { edit, isUndone, problem } = saved;
  const files = edit.paths.length === 1 ? edit.paths[0] : `${edit.paths.length} files`;
  return (
    <>
      <p class="notice" title={edit.paths.join("\n")}>
        {isUndone ? "Undone" : "Last saved edit"} in {files}: {edit.instruction.split("\n", 1)[0]}
      </p>
      {problem !== undefined && <p class="notice bad">{codeIn(problem)}</p>}
      {!isUndone && (
        <div class="edit-actions">
          <button type="button" class="button" data-command="Edit: Undo" onClick={() => void session.undoLast()}>
            Undo
          </button>
        </div>
      )}
    </>
  );
}

type StageOf<Kind extends EditStage["kind"]> = Extract<EditStage, { kind: Kind }>;

function Requesting({ stage: { preview, isPasted } }: { readonly stage: StageOf<"requesting"> }): JSX.Element {
  if (isPasted) return <p class="edit-requesting">Reading the answer…</p>;
  return (
    <p class="edit-requesting">
      <span class="pulse" aria-hidden="true" />
      {preview === undefined ? "Waiting for the model…" : printActivity(preview)}
    </p>
  );
}

/** The requested model, without the address of its server, and the purpose of the request. */
export function printActivity({ model, activity }: { readonly model: string; readonly activity: string }): string {
  return `${shortModelName(model)} ${activity}`;
}

interface ReviewingParts {
  readonly stage: StageOf<"reviewing">;
  readonly session: EditSession;
  readonly onAgain: () => void;
}

function Reviewing({ stage, session, onAgain }: ReviewingParts): JSX.Element {
  const { answer, problem } = stage;
  const [headline, ...others] = readExplanation(answer.explanation);
  const isOffered = answer.edit !== undefined;
  return (
    <>
      <p class={`notice${isOffered || answer.kind === "unchanged" ? "" : " warn"}`}>{codeIn(headline?.text ?? "")}</p>
      <p class="dim small">
        {answer.model === "pasted" ? "Read from the pasted answer." : `Written by ${shortModelName(answer.model)}.`}
      </p>
      {problem !== undefined && <p class="notice bad">{codeIn(problem)}</p>}
      {isOffered && <Choices stage={stage} session={session} />}
      {!isOffered && (
        <div class="edit-actions">
          {answer.followUpPrompt !== undefined && <CopyAgain text={answer.followUpPrompt} />}
          <button
            type="button"
            class="button"
            onClick={() => {
              session.dismiss();
              onAgain();
            }}
          >
            Change instruction
          </button>
        </div>
      )}
      <ul class="edit-remarks">
        {answer.notes.map((note) => (
          <li key={note} class="small">
            {codeIn(note)}
          </li>
        ))}
        {others.map((line, at) => (
          <Remark key={at} line={line} />
        ))}
      </ul>
    </>
  );
}

function CopyAgain({ text }: { readonly text: string }): JSX.Element {
  const isCopied = useSignal(false);
  const copy = async () => {
    isCopied.value = await copyText(text);
  };
  return (
    <button type="button" class="button primary" onClick={() => void copy()}>
      {isCopied.value ? "Copied. Paste it into the chat." : "Copy follow-up prompt"}
    </button>
  );
}

const looks: Readonly<Partial<Record<ExplanationLine["kind"], string>>> = {
  repaired: "good",
  warning: "warn",
  refused: "bad",
  broken: "bad",
};

function Remark({ line: { kind, text, details } }: { readonly line: ExplanationLine }): JSX.Element {
  return (
    <li class="small">
      {kind !== "other" && <span class={`badge ${looks[kind] ?? ""}`}>{kind}</span>} {codeIn(text)}
      {details.length > 0 && <pre>{details.join("\n")}</pre>}
    </li>
  );
}

/** The buttons to accept and reject, with the number of selected changes. */
export function Choices({ stage, session }: Pick<ReviewingParts, "stage" | "session">): JSX.Element {
  const { taken, all } = countTaken(stage);
  return (
    <>
      <div class="edit-actions">
        <button
          type="button"
          class="button primary"
          data-command="Edit: Accept"
          disabled={taken === 0}
          onClick={() => void session.accept()}
        >
          <Icon name="check" /> {taken === all ? "Accept" : `Accept ${taken} of ${all}`}
        </button>
        <button type="button" class="button" data-command="Edit: Reject" onClick={() => session.dismiss()}>
          Reject
        </button>
      </div>
      {taken > 0 && taken < all && <p class="dim small">Only the complete change was checked, not this selection.</p>}
    </>
  );
}

/** The number of selected changes of an answer. */
export function countTaken({ files, leftOut }: Pick<StageOf<"reviewing">, "files" | "leftOut">): {
  readonly taken: number;
  readonly all: number;
} {
  const places = files.flatMap((file, at) => {
    const count = isSplittable(file) ? Math.max(1, diffOfProposed(file).hunks.length) : 1;
    return Array.from({ length: count }, (_, hunk) => isTaken({ leftOut }, at, hunk));
  });
  return { taken: places.filter(Boolean).length, all: places.length };
}

function Applied({
  stage,
  session,
  services,
}: {
  readonly stage: StageOf<"applied">;
  readonly session: EditSession;
  readonly services: PageServices;
}): JSX.Element {
  const { files, isUndone, problem } = stage;
  const names = files.map(({ path, moved }) => moved?.path ?? path);
  return (
    <>
      <p class={`notice${isUndone ? "" : " good"}`}>
        {isUndone ? "The change was undone." : `Changed ${names.length === 1 ? names[0] : `${names.length} files`}.`}
      </p>
      {problem !== undefined && <p class="notice bad">{codeIn(problem)}</p>}
      <UnsavedFiles paths={names} services={services} />
      <div class="edit-actions">
        {!isUndone && (
          <button type="button" class="button" data-command="Edit: Undo" onClick={() => void session.undo()}>
            Undo
          </button>
        )}
        <button type="button" class="button quiet" onClick={() => session.dismiss()}>
          Done
        </button>
      </div>
    </>
  );
}

/** The recommended model that takes instructions, as Ollama lists it. */
const recommendedChat = recommendedModels.find(({ use }) => use === "chat")?.servers.ollama?.id;

function Failed({
  message,
  onSetup,
  onPasteInstead,
}: {
  readonly message: string;
  readonly onSetup: () => void;
  readonly onPasteInstead: () => void;
}): JSX.Element {
  const [reason, ...advice] = message.split(" Set `emend.edit.model` ");
  const needsModel = advice.length > 0;
  return (
    <div class={`notice ${needsModel ? "warn" : "bad"}`}>
      <p class="edit-message">{needsModel ? "No model is configured for edits." : codeIn(message)}</p>
      {needsModel && (
        <>
          <p class="small">{codeIn(reason!)}</p>
          <p class="small">
            Name a model that takes instructions in your own <code>emend.config.json</code>, for example:
          </p>
          <pre>{`{ "edit": { "model": "ollama:${recommendedChat}" } }`}</pre>
          <p class="small">
            Your own file is <code>~/.config/emend/emend.config.json</code> on Linux,{" "}
            <code>~/Library/Preferences/emend/emend.config.json</code> on macOS and{" "}
            <code>%APPDATA%\emend\Config\emend.config.json</code> on Windows. In the file of a workspace, models count
            only after you trust the folder: F1, <i>Emend: Trust This Folder</i>.
          </p>
          <p class="small">Alternatively, copy the prompt into any chat.</p>
        </>
      )}
      <div class="edit-actions">
        {needsModel && (
          <button type="button" class="button" onClick={onSetup}>
            Set up a model
          </button>
        )}
        <button type="button" class="button" onClick={onPasteInstead}>
          Use a chat instead
        </button>
      </div>
    </div>
  );
}
