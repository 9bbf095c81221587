import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ChatExchange } from "../chat/chat-exchange.tsx";
import { usePromptCopy } from "../chat/prompt-copy.ts";
import { Icon } from "../look/icons.tsx";
import type { PageServices } from "../page-services.ts";
import type { Page } from "../start-page.ts";
import { EditOutcome } from "./edit-outcome.tsx";
import { EditReview } from "./edit-review.tsx";
import { type EditScope, initialScope, targetsOf } from "./edit-scope.ts";
import { EditScopeField } from "./edit-scope-field.tsx";
import { EditSession } from "./edit-session.ts";
import "./edit.css";

/**
 * The Edit panel: an instruction, the files to edit, and the model or chat that writes the change.
 * The change is visible while the model writes.
 */
export function EditPanel({ page }: { readonly page: Page }): JSX.Element {
  const { services, server, showSetup } = page;
  const { texts, files, main, showMessage } = services;
  const session = useMemo(() => new EditSession(services), [services]);
  useEffect(() => () => session[Symbol.dispose](), [session]);
  const instruction = useSignal("");
  const chosenSource = useSignal<"model" | "chat" | undefined>(undefined);
  const hasModel = server.takesInstructions.value;
  const isByChat = (chosenSource.value ?? (hasModel ? "model" : "chat")) === "chat";
  const scope = useActiveScope(texts);
  const targets = useComputed(() => targetsOf(scope.value));
  const field = useRef<HTMLTextAreaElement>(null);
  const stage = session.stage.value;

  const isResting = stage.kind === "resting";
  useEffect(() => {
    if (isResting) void session.findLast();
  }, [isResting, session]);

  // The main area shows the change while a model writes and while the answer is reviewed.
  const isSeen = stage.kind === "requesting" || (stage.kind === "reviewing" && hasChange(stage.answer));
  useEffect(() => {
    if (!isSeen) return;
    const shown = main.show({
      ...{ id: "edit", title: "Edit" },
      render: () => <EditReview session={session} services={services} title={instruction.peek()} />,
      onClose: () => {
        session.stop();
        session.dismiss();
      },
    });
    return () => shown[Symbol.dispose]();
  }, [isSeen, main, session, services, instruction]);

  const missing = missingInput(instruction.value, targets.value.uris);
  const request = () => ({ ...targets.value, instruction: instruction.value.trim() });
  // An answer without an instruction names its files itself.
  const requestOfAnswer = () => (instruction.value.trim() === "" ? { instruction: "", uris: [] } : request());
  const ask = () => {
    if (missing === undefined) void session.ask(request());
    else showMessage(missing, "error");
  };
  const prompt = usePromptCopy({ textFor: () => session.promptFor(request()), missing, showMessage });
  const isRequesting = stage.kind === "requesting";
  return (
    <div class="edit-panel">
      <EditOutcome
        session={session}
        services={services}
        onSetup={showSetup}
        onPasteInstead={() => {
          chosenSource.value = "chat";
          session.dismiss();
        }}
        onAgain={() => field.current?.focus()}
      />
      <form
        class="edit-form"
        aria-label="Edit request"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <label class="edit-label" for="edit-instruction">
          Instruction
        </label>
        <textarea
          id="edit-instruction"
          ref={field}
          class="field"
          rows={3}
          placeholder="For example: add a currency parameter"
          value={instruction.value}
          onInput={({ currentTarget }) => {
            instruction.value = currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (isByChat) void prompt.copy();
            else ask();
          }}
        />
        <EditScopeField scope={scope} files={files} />
        <div
          class="edit-who"
          role="radiogroup"
          aria-label="Source of the edit"
          // A failure was about the other source.
          onChange={() => session.stage.value.kind === "failed" && session.dismiss()}
        >
          <label>
            <input type="radio" name="edit-who" checked={!isByChat} onChange={() => (chosenSource.value = "model")} />
            Model
          </label>
          <label>
            <input type="radio" name="edit-who" checked={isByChat} onChange={() => (chosenSource.value = "chat")} />
            Chat (copy and paste)
          </label>
        </div>
        {!hasModel && (
          <p class="edit-no-model dim small">
            No chat model is set.{" "}
            <button type="button" class="button quiet" onClick={showSetup}>
              Set up a model
            </button>
          </p>
        )}
        {!isByChat && (
          <div class="edit-actions">
            {/* Two elements: one that becomes a submit button while it is clicked would submit the form. */}
            {isRequesting ? (
              <button key="stop" type="button" class="button" data-command="Edit: Stop" onClick={() => session.stop()}>
                <Icon name="close" /> Stop
              </button>
            ) : (
              <button
                key="send"
                type="submit"
                class="button primary"
                data-command="Edit: Send to Model"
                disabled={missing !== undefined}
              >
                Send to model <span class="key">Ctrl Enter</span>
              </button>
            )}
          </div>
        )}
      </form>
      {isByChat && (
        <ChatExchange
          prompt={prompt}
          onAnswer={(answer) => void session.ask(requestOfAnswer(), answer)}
          submitLabel="Read answer"
        />
      )}
    </div>
  );
}

function missingInput(instruction: string, uris: readonly string[]): string | undefined {
  if (uris.length === 0) return "Open or add a file to edit.";
  return instruction.trim() === "" ? "Enter an instruction." : undefined;
}

function hasChange({ proposal }: { readonly proposal?: { readonly diff: string } }): boolean {
  return proposal !== undefined && proposal.diff !== "";
}

/** A scope that follows the active document and its selection. */
function useActiveScope(texts: PageServices["texts"]) {
  const scope = useSignal<EditScope>(initialScope);
  useEffect(() => {
    const follow = () => {
      const active = texts.selection();
      const { active: _, ...others } = scope.peek();
      scope.value = { ...others, ...(active && { active }) };
    };
    follow();
    const following = texts.onSelection(follow);
    return () => following[Symbol.dispose]();
  }, [texts, scope]);
  return scope;
}
