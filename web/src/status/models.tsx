import type { JSX } from "preact";
import type { SessionStatus } from "../../../src/server/session/index.ts";
import { codeIn } from "../look/code-in.tsx";
import { printCount, printCountOf, printMs } from "../look/numbers.ts";

type ModelDetails = SessionStatus["modelDetails"][number];

interface ModelsParts {
  readonly session: SessionStatus;
  onSetup(): void;
}

/** The models in order of preference, each with its state, and a button that sets one up. */
export function Models({ session: { models, modelDetails }, onSetup }: ModelsParts): JSX.Element {
  const named = models ?? [];
  const others = modelDetails.filter(({ name }) => !named.includes(name));
  const rows = [...named.map((name) => modelDetails.find((one) => one.name === name) ?? { name }), ...others];
  return (
    <section>
      <h2>Models</h2>
      {models === undefined && rows.length === 0 && <p class="dim">Loading settings…</p>}
      {models !== undefined && rows.length === 0 && <p class="dim">No model is configured.</p>}
      <ul class="models">
        {rows.map((row) => (
          <Model key={row.name} name={row.name} details={"uses" in row ? row : undefined} />
        ))}
      </ul>
      <button type="button" class="button" onClick={onSetup}>
        Set up a model
      </button>
    </section>
  );
}

interface ModelParts {
  readonly name: string;
  /** Absent for a model without requests so far. */
  readonly details: ModelDetails | undefined;
}

function Model({ name, details }: ModelParts): JSX.Element {
  const [kind, text] = stateOf(details);
  return (
    <li>
      <div class="model-head">
        <strong class="code anywhere">{name}</strong>
        <span class={`badge ${kind}`}>{text}</span>
      </div>
      {details && (
        <p class="dim small">
          {[
            details.uses.map((use) => use.replace("-", " ")).join(", "),
            ...(details.fillWay === undefined ? [] : [details.fillWay]),
            ...(details.contextTokens === undefined ? [] : [`${printCount(details.contextTokens)} tokens of context`]),
            ...(details.firstTextMs === undefined ? [] : [`first text after ${printMs(details.firstTextMs)}`]),
          ]
            .filter((fact) => fact !== "")
            .join(" · ")}
        </p>
      )}
      {details?.problem !== undefined && <p class="notice bad small">{codeIn(details.problem)}</p>}
    </li>
  );
}

function stateOf(details: ModelDetails | undefined): readonly [kind: string, text: string] {
  if (details === undefined) return ["", "not used yet"];
  if (details.problem !== undefined) return ["bad", `failed ${printCountOf(details.failed, "time")}`];
  if (details.answered === 0) return ["", "not used yet"];
  return ["good", `answered ${printCountOf(details.answered, "time")}`];
}
