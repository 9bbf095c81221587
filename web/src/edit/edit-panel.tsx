import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ChatExchange } from "../chat/chat-exchange.tsx";
import { Icon } from "../look/icons.tsx";
import type { PageServices } from "../page-services.ts";
import { EditOutcome } from "./edit-outcome.tsx";
import { EditReview } from "./edit-review.tsx";
import { type EditScope, targetsOf, wholeScope } from "./edit-scope.ts";
import { EditScopeField } from "./edit-scope-field.tsx";
import { EditSession } from "./edit-session.ts";
import "./edit.css";

/**
 * Edits by an instruction: what is to be done, in which files, by a model or any chat; the change
 * is seen while it is written.
 */
export function EditPanel({ services }: { readonly services: PageServices }): JSX.Element {
  const { texts, files, main, tell } = services;
  const session = useMemo(() => new EditSession(services), [services]);
  useEffect(() => () => session[Symbol.dispose](), [session]);
  const instruction = useSignal("");
  const isByChat = useSignal(false);
  const scope = useLookedScope(texts);
  const targets = useComputed(() => targetsOf(scope.value));
  const field = useRef<HTMLTextAreaElement>(null);
  const stage = session.stage.value;

  // What is written is seen in the middle of the page as long as there is something of it.
  const isSeen = stage.kind === "asking" || (stage.kind === "judged" && hasChange(stage.answer));
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

  const missing = whatIsMissing(instruction.value, targets.value.uris);
  const wish = () => ({ ...targets.value, instruction: instruction.value.trim() });
  // What a chat said of itself names its files.
  const wishOfAnswer = () => (instruction.value.trim() === "" ? { instruction: "", uris: [] } : wish());
  const ask = () => {
    if (missing === undefined) void session.ask(wish());
    else tell(missing, "error");
  };
  const isAsking = stage.kind === "asking";
  return (
    <div class="edit-panel">
      <EditOutcome
        session={session}
        services={services}
        onPasteInstead={() => {
          isByChat.value = true;
          session.dismiss();
        }}
        onAgain={() => field.current?.focus()}
      />
      <form
        class="edit-form"
        aria-label="Edit by an instruction"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <label class="edit-label" for="edit-instruction">
          What is to be done?
        </label>
        <textarea
          id="edit-instruction"
          ref={field}
          class="field"
          rows={3}
          placeholder="Take a currency, and say so in the sum"
          value={instruction.value}
          onInput={({ currentTarget }) => {
            instruction.value = currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (!isByChat.value) ask();
          }}
        />
        <EditScopeField scope={scope} files={files} />
        <div class="edit-who" role="radiogroup" aria-label="Who writes it">
          <label>
            <input type="radio" name="edit-who" checked={!isByChat.value} onChange={() => (isByChat.value = false)} />
            The model
          </label>
          <label>
            <input type="radio" name="edit-who" checked={isByChat.value} onChange={() => (isByChat.value = true)} />
            Any chat, by copy and paste
          </label>
        </div>
        {!isByChat.value && (
          <div class="edit-actions">
            {isAsking ? (
              <button type="button" class="button" onClick={() => session.stop()}>
                <Icon name="close" /> Stop
              </button>
            ) : (
              <button type="submit" class="button primary" disabled={missing !== undefined}>
                Ask the model <span class="key">Ctrl Enter</span>
              </button>
            )}
          </div>
        )}
      </form>
      {isByChat.value && (
        <ChatExchange
          textFor={() => session.promptFor(wish())}
          missing={missing}
          onAnswer={(answer) => void session.ask(wishOfAnswer(), answer)}
          tell={tell}
          takes="Read the answer"
        />
      )}
    </div>
  );
}

function whatIsMissing(instruction: string, uris: readonly string[]): string | undefined {
  if (uris.length === 0) return "Open a file, or add one, that may be changed.";
  return instruction.trim() === "" ? "Say what is to be done." : undefined;
}

function hasChange({ proposal }: { readonly proposal?: { readonly diff: string } }): boolean {
  return proposal !== undefined && proposal.diff !== "";
}

/** A scope that follows what is looked at. */
function useLookedScope(texts: PageServices["texts"]) {
  const scope = useSignal<EditScope>(wholeScope);
  useEffect(() => {
    const follow = () => {
      const looked = texts.selection();
      const { looked: _, ...others } = scope.peek();
      scope.value = { ...others, ...(looked && { looked }) };
    };
    follow();
    const following = texts.onSelection(follow);
    return () => following[Symbol.dispose]();
  }, [texts, scope]);
  return scope;
}
