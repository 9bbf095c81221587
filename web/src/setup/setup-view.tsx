import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { hostedModels } from "../../../src/model/discovery/recommended-models.ts";
import type { FoundServer, ServedModel } from "../../../src/model/index.ts";
import type { SetupQuestion, SetupReport } from "../../../src/server/protocol/setup-protocol.ts";
import { codeIn } from "../look/code-in.tsx";
import { Icon } from "../look/icons.tsx";
import type { MainView } from "../page-services.ts";
import type { SetupSession, SetupStage, TriedModel } from "./setup-session.ts";
import "./setup.css";

/** The view of a session in the main area. Closing it stops the steps. */
export function setupView(session: SetupSession): MainView {
  return {
    ...{ id: "setup", title: "Set Up a Model" },
    render: () => <Setup session={session} />,
    onClose: () => session.stop(),
  };
}

/**
 * Sets up a model: looks for servers, shows their models and what each is good for, tries those
 * that the user chooses, and writes the settings after a confirmation.
 */
function Setup({ session }: { readonly session: SetupSession }): JSX.Element {
  const address = useSignal("");
  const stage = session.stage.value;
  const isBusy = stage.kind !== "resting" && stage.kind !== "done" && stage.kind !== "failed";
  const news = session.news.value;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The focused button is gone, for its form shows another one now.
    if (document.activeElement === document.body) form.current?.querySelector("button")?.focus();
  }, [isBusy]);
  useEffect(() => void session.findEarlier(), [session]);
  const look = () => {
    const server = address.value.trim();
    void session.run(server === "" ? {} : { servers: [server] });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A scrollable region must be reachable by keyboard.
    <section class="setup scroll" aria-labelledby="setup-title" tabIndex={0} onKeyDown={ignoreRepeated}>
      <div class="setup-column">
        <h2 id="setup-title">Set up a model</h2>
        <p class="dim">
          Finds the model servers on this machine, tries their models, and writes the settings to your own file after
          you confirm them.
        </p>
        <form
          ref={form}
          class="setup-form"
          aria-label="Where to look"
          onSubmit={(event) => {
            event.preventDefault();
            look();
          }}
        >
          <label for="setup-address">Server address</label>
          <input
            id="setup-address"
            class="field code"
            type="text"
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            placeholder="http://127.0.0.1:8012"
            aria-describedby="setup-address-hint"
            value={address.value}
            onInput={({ currentTarget }) => {
              address.value = currentTarget.value;
              session.addressChanged();
            }}
          />
          <p id="setup-address-hint" class="dim small">
            Only for a server at another address. Without it, 127.0.0.1 is tried: ports 8012, 8080 and 9931 for
            llama.cpp, 11434 for Ollama, 1234 for LM Studio, and 8000 for vLLM.
          </p>
          <div class="setup-actions">
            {isBusy ? (
              <button key="stop" type="button" class="button" data-command="Setup: Stop" onClick={() => session.stop()}>
                <Icon name="close" /> Stop
              </button>
            ) : (
              <button key="look" type="submit" class="button primary" data-command="Setup: Look for Models">
                {stage.kind === "resting" ? "Look for models" : "Look again"}
              </button>
            )}
            {stage.kind === "resting" && session.canReset.value && (
              <button type="button" class="button" onClick={() => void session.run({ reset: true })}>
                Undo an earlier setup
              </button>
            )}
          </div>
          {/* Always rendered, because screen readers announce changes of existing live regions only. */}
          <p class="setup-news" role="status">
            {stage.kind === "running" && news !== "" && (
              <>
                <span class="pulse" aria-hidden="true" />
                <span>{news}</span>
              </>
            )}
          </p>
        </form>
        <Hosted isBusy={isBusy} onSetup={(hosted) => void session.run({ hosted })} />
        <Servers session={session} stage={stage} />
        <TriedElsewhere session={session} />
        {stage.kind === "asking-for-key-command" && (
          <KeyCommand key={stage.question} question={stage.question} answer={stage.answer} />
        )}
        {stage.kind === "asking" && <Question question={stage.question} answer={stage.answer} />}
        {stage.kind === "failed" && (
          <p class="notice bad anywhere" role="alert">
            {codeIn(stage.message)}
          </p>
        )}
        {stage.kind === "done" && <Report report={stage.report} onReset={() => void session.run({ reset: true })} />}
      </div>
    </section>
  );
}

/**
 * A key that is held presses the button of one question alone, and no button that has the focus
 * after it.
 */
function ignoreRepeated(event: KeyboardEvent): void {
  const isOnButton = event.target instanceof HTMLButtonElement;
  if (event.repeat && isOnButton && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}

interface HostedParts {
  readonly isBusy: boolean;
  onSetup(hosted: string): void;
}

/** Sets up the model of a company, of which one has to be named. */
function Hosted({ isBusy, onSetup }: HostedParts): JSX.Element {
  const name = useSignal("");
  const named = name.value.trim();
  return (
    <form
      class="setup-form"
      aria-label="Hosted model"
      onSubmit={(event) => {
        event.preventDefault();
        if (named !== "") onSetup(named);
      }}
    >
      <label for="setup-hosted">Hosted model</label>
      <input
        id="setup-hosted"
        class="field code"
        type="text"
        autocomplete="off"
        spellcheck={false}
        list="setup-hosted-models"
        placeholder={`${hostedModels[0]!.provider}:${hostedModels[0]!.model}`}
        aria-describedby="setup-hosted-hint"
        disabled={isBusy}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      <datalist id="setup-hosted-models">
        {hostedModels.map(({ provider, model }) => (
          <option key={provider} value={`${provider}:${model}`} />
        ))}
      </datalist>
      <p id="setup-hosted-hint" class="dim small">
        A model on the server of a company: {hostedModels.map(({ provider }) => provider).join(", ")}, or a model of
        theirs. You see what is sent, and confirm it, before any request.
      </p>
      <div class="setup-actions">
        <button type="submit" class="button" data-command="Setup: Hosted Model" disabled={isBusy || named === ""}>
          Set up hosted model
        </button>
      </div>
    </form>
  );
}

interface KeyCommandParts {
  readonly question: string;
  answer(typed: string | null): void;
}

/** The question for the command that prints a key, whose field takes the focus. */
function KeyCommand({ question, answer }: KeyCommandParts): JSX.Element {
  const command = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="setup-question"
      aria-label="Command that prints the key"
      onSubmit={(event) => {
        event.preventDefault();
        if (command.value.trim() !== "") answer(command.value);
      }}
    >
      <label for="setup-key-command" class="anywhere">
        {codeIn(question)}
      </label>
      <input
        id="setup-key-command"
        ref={field}
        class="field code"
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-describedby="setup-key-hint"
        value={command.value}
        onInput={({ currentTarget }) => {
          command.value = currentTarget.value;
        }}
      />
      <p id="setup-key-hint" class="dim small">
        The command is written to your own settings file as <code>keyCommand</code>, and runs without a shell. The key
        is stored nowhere.
      </p>
      <div class="setup-actions">
        <button type="submit" class="button primary" disabled={command.value.trim() === ""}>
          Use this command
        </button>
        <button type="button" class="button" onClick={() => answer(null)}>
          No command
        </button>
      </div>
    </form>
  );
}

/**
 * The servers with their models; while the user chooses, the models that can be tried have boxes.
 */
function Servers({
  session,
  stage,
}: {
  readonly session: SetupSession;
  readonly stage: SetupStage;
}): JSX.Element | null {
  const servers = session.servers.value;
  const tried = session.tried.value;
  const choice = stage.kind === "choosing" ? stage.choice : undefined;
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const own = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (choice === undefined) return;
    chosen.value = new Set(choice.preferred.map(({ model }) => model.name));
    own.current?.querySelector<HTMLElement>("input:checked, input")?.focus();
  }, [choice, chosen]);
  if (servers.length === 0) return null;
  const toggle = (name: string) => {
    const names = new Set(chosen.value);
    if (!names.delete(name)) names.add(name);
    chosen.value = names;
  };
  return (
    <form
      ref={own}
      class="setup-servers"
      aria-label="Models to try"
      onSubmit={(event) => {
        event.preventDefault();
        if (stage.kind === "choosing" && chosen.value.size > 0) stage.answer([...chosen.value]);
      }}
    >
      {servers.map((server) => (
        <section key={server.url} class="setup-server" aria-label={`Server at ${server.url}`}>
          <ServerHead server={server} />
          <ul class="setup-models">
            {modelsOf(server).map((model) => {
              const isOffered = choice?.candidates.some((one) => one.model.name === model.name) === true;
              return (
                <li key={model.name}>
                  {isOffered ? (
                    <label class="setup-choice">
                      <input
                        type="checkbox"
                        checked={chosen.value.has(model.name)}
                        onChange={() => toggle(model.name)}
                      />
                      <ModelHead model={model} tried={tried.get(model.name)} />
                    </label>
                  ) : (
                    <ModelHead model={model} tried={tried.get(model.name)} />
                  )}
                  <Trial tried={tried.get(model.name)} />
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      {choice !== undefined && (
        <div class="setup-actions">
          <button type="submit" class="button primary" disabled={chosen.value.size === 0}>
            {chosen.value.size === 1 ? "Try this model" : `Try these ${chosen.value.size} models`}
          </button>
        </div>
      )}
    </form>
  );
}

function modelsOf(server: FoundServer): readonly ServedModel[] {
  return "models" in server ? server.models : [];
}

const serverStates = {
  ready: ["good", "answers"],
  loading: ["warn", "loading"],
  "no-model": ["warn", "no model"],
  silent: ["bad", "does not answer"],
  unreachable: ["bad", "nothing listens"],
  unknown: ["bad", "no server with models"],
} as const;

function ServerHead({ server }: { readonly server: FoundServer }): JSX.Element {
  const [look, state] = serverStates[server.kind];
  const title = "title" in server ? server.title : "Unknown server";
  return (
    <h3 class="setup-head">
      <span>{title}</span>
      <span class="dim code anywhere">{server.url}</span>
      <span class={`badge ${look}`}>{state}</span>
    </h3>
  );
}

/** The models that are on none of the servers that were found: hosted ones. */
function TriedElsewhere({ session }: { readonly session: SetupSession }): JSX.Element | null {
  const found = session.servers.value.flatMap((server) => modelsOf(server).map(({ name }) => name));
  const others = [...session.tried.value].filter(([name]) => !found.includes(name));
  if (others.length === 0) return null;
  return (
    <ul class="setup-models" aria-label="Hosted models">
      {others.map(([name, tried]) => (
        <li key={name}>
          <ModelHead model={{ name, id: name, isLoaded: false, isEmbedding: false }} tried={tried} />
          <Trial tried={tried} />
        </li>
      ))}
    </ul>
  );
}

interface ModelHeadParts {
  readonly model: ServedModel;
  readonly tried: TriedModel | undefined;
}

function ModelHead({ model: { id, isLoaded, isEmbedding }, tried }: ModelHeadParts): JSX.Element {
  return (
    <span class="setup-head">
      <span class="code anywhere">{id}</span>
      {usesOf({ isEmbedding, tried }).map(([look, use]) => (
        <span key={use} class={`badge ${look}`}>
          {use}
        </span>
      ))}
      {isLoaded && !isEmbedding && <span class="badge">loaded</span>}
    </span>
  );
}

/** How a model did; why it does not fill is long, and so is shown on request. */
function Trial({ tried }: Pick<ModelHeadParts, "tried">): JSX.Element | null {
  if (tried?.result === undefined) return null;
  const { text, trial } = tried.result;
  return (
    <>
      <p class="setup-trial dim small">{trial.fills ? codeIn(`${text} ${trial.why}`) : text}</p>
      {!trial.fills && (
        <details class="setup-trial dim small">
          <summary>Why it does not fill</summary>
          {codeIn(trial.why)}
        </details>
      )}
    </>
  );
}

/** What a model is good for, as badges. */
function usesOf({
  isEmbedding,
  tried,
}: {
  readonly isEmbedding: boolean;
  readonly tried: TriedModel | undefined;
}): readonly (readonly [look: string, use: string])[] {
  if (isEmbedding) return [["", "embeddings only"]];
  if (tried === undefined) return [];
  if (tried.result === undefined) return [["", "trying"]];
  const { fills, chats } = tried.result.trial;
  const uses = [...(fills ? [["good", "ghost text"] as const] : []), ...(chats ? [["good", "chat"] as const] : [])];
  return uses.length === 0 ? [["bad", "of no use"]] : uses;
}

const answers: Readonly<Record<SetupQuestion["kind"], readonly [yes: string, no: string]>> = {
  contact: ["Contact", "Don't contact"],
  look: ["Contact", "Leave it out"],
  next: ["Use it", "Don't use it"],
  write: ["Write", "Don't write"],
  trust: ["Trust", "Don't trust"],
};

interface QuestionParts {
  readonly question: SetupQuestion;
  answer(isConfirmed: boolean): void;
}

/** A question, which takes the focus. */
function Question({ question, answer }: QuestionParts): JSX.Element {
  const { kind, details, outranked } = question;
  const own = useRef<HTMLElement>(null);
  useEffect(() => own.current?.focus(), [question]);
  const [yes, no] = answers[kind];
  return (
    <section class="setup-question" aria-labelledby="setup-question" ref={own} tabIndex={-1}>
      <h3 id="setup-question" class="anywhere">
        {question.question}
      </h3>
      {details !== "" && <pre class="setup-lines">{details}</pre>}
      {outranked.map((one) => (
        <p key={one} class="notice warn anywhere">
          {codeIn(one)}
        </p>
      ))}
      <div class="setup-actions">
        <button type="button" class="button primary" onClick={() => answer(true)}>
          {yes}
        </button>
        <button type="button" class="button" onClick={() => answer(false)}>
          {no}
        </button>
      </div>
    </section>
  );
}

interface ReportParts {
  readonly report: SetupReport;
  onReset(): void;
}

/** The result, which takes the focus: what was written, what to know, and a completion. */
function Report({ report, onReset }: ReportParts): JSX.Element {
  const { kind, file, settings, notes, completion } = report;
  const own = useRef<HTMLElement>(null);
  useEffect(() => {
    own.current?.focus({ preventScroll: true });
    own.current?.scrollIntoView({ block: "start" });
  }, [report]);
  const title = {
    written: "The model is set up",
    unchanged: "The model is set up already",
    "not-written": "Nothing was written",
    "no-model": "No model to set up",
    "no-server": "No model server answers",
    reset: "The lines of setup",
  }[kind];
  const isSet = kind === "written" || kind === "unchanged";
  return (
    <section class="setup-report" aria-labelledby="setup-report" ref={own} tabIndex={-1}>
      <h3 id="setup-report">{title}</h3>
      {isSet && (
        <>
          <p class="anywhere">
            {kind === "written" ? "Written to " : "Nothing changes in "}
            <code>{file}</code>.{notes.length === 0 && " This page and running editors use it from now on."}
          </p>
          <pre class="setup-lines">
            {settings.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`).join("\n")}
          </pre>
        </>
      )}
      {notes.map((note) => (
        <p key={note} class="setup-note anywhere">
          {codeIn(note)}
        </p>
      ))}
      {completion !== undefined && (
        <figure>
          <figcaption>
            A completion in {completion.isExample ? "an example" : "your code"}, at{" "}
            <code class="anywhere">
              {completion.file}:{completion.line}:{completion.column}
            </code>
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A scrollable region must be reachable by keyboard. */}
          <section class="setup-lines scroll" aria-label="Completion" tabIndex={0}>
            <pre>{ghostIn(completion.shown ?? "")}</pre>
          </section>
        </figure>
      )}
      {isSet && (
        <div class="setup-actions">
          <button type="button" class="button" data-command="Setup: Remove These Lines" onClick={onReset}>
            Remove these lines
          </button>
        </div>
      )}
    </section>
  );
}

/** Printed code in which the first text between `«` and `»` is ghost text. */
function ghostIn(shown: string): readonly (JSX.Element | string)[] {
  const [, before = shown, ghost = "", after = ""] = /^([^«]*)«([^»]*)»([\s\S]*)$/.exec(shown) ?? [];
  const mark = (
    <span key="ghost" class="setup-ghost">
      {ghost}
    </span>
  );
  return [before, mark, after];
}
