import type { JSX } from "preact";
import { printMs } from "../look/numbers.ts";
import { percentile } from "./latencies.ts";

/** The number of values in the chart. */
const shown = 80;

/** A bar chart of the last values, in milliseconds. */
export function Sparkline({ values }: { readonly values: readonly number[] }): JSX.Element | null {
  const last = values.slice(-shown);
  if (last.length < 2) return null;
  const highest = Math.max(...last, 1);
  const median = percentile(last, 0.5) ?? 0;
  return (
    <figure class="sparkline">
      <svg viewBox={`0 0 ${shown * 4} 40`} preserveAspectRatio="none" aria-hidden="true">
        {last.map((value, index) => {
          const height = Math.max(1, (38 * value) / highest);
          return <rect key={index} x={(shown - last.length + index) * 4} y={40 - height} width="3" height={height} />;
        })}
      </svg>
      <figcaption class="dim small">
        Last {last.length} in this page: median {printMs(median)}, maximum {printMs(highest)}
      </figcaption>
    </figure>
  );
}
