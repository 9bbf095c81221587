import type { JSX } from "preact";
import type { Explanation, ExplanationStep } from "../../../src/server/protocol/explanation.ts";
import { printMs } from "../look/numbers.ts";

/** The colour of a step, by the kind of work. */
const series: Readonly<Record<string, number>> = {
  ...{ gate: 5, reuse: 5 },
  ...{ context: 2, prompt: 2 },
  ...{ model: 1, "first token": 1, sources: 1 },
  ...{ trim: 4, offer: 4 },
  check: 3,
};

/** The steps as bars, with start and duration. */
export function Timeline({ explanation: { steps, totalMs } }: { readonly explanation: Explanation }): JSX.Element {
  const whole = Math.max(totalMs, ...steps.map(({ startMs, tookMs }) => startMs + tookMs), 0.001);
  return (
    <section>
      <h2>
        Trace <span class="dim">{printMs(totalMs)}</span>
      </h2>
      <ol class="timeline">
        {steps.map((step, index) => (
          <Step key={index} step={step} whole={whole} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step, whole }: { readonly step: ExplanationStep; readonly whole: number }): JSX.Element {
  const { name, title, startMs, tookMs, detail } = step;
  const style = {
    left: `min(${(100 * startMs) / whole}%, 100% - 2px)`,
    width: `max(2px, ${(100 * tookMs) / whole}%)`,
    background: `var(--series-${series[name] ?? 6})`,
  };
  return (
    <li>
      <span>{title}</span>
      <span class="step-track" aria-hidden="true">
        <span class="step-bar" style={style} />
      </span>
      <span class="step-ms">{printMs(tookMs)}</span>
      {detail !== "" && <span class="step-info dim anywhere">{detail}</span>}
    </li>
  );
}
