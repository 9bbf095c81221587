import type { JSX } from "preact";

/** SVG paths in a view box of 16 by 16, stroked in the text colour. */
const drawings = {
  "chevron-right": "m6 4 4 4-4 4",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  folder: "M2 4h4l1.5 2H14v7H2z",
  close: "m4.5 4.5 7 7m0-7-7 7",
  explain: "M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM8 7.5v3.5M8 5.2v.1",
  status: "M2 9h3l2-5 2.5 8L11.5 9H14",
  edit: "m3 13 .6-2.8L10.5 3.3l2.2 2.2-6.9 6.9z",
  panels: "M2 3h12v10H2zM2 8.5h12",
  plan: "M4 4h.1M4 12h.1M12 8h.1M5 4h2c3 0 1 4 4 4M5 12h2c3 0 1-4 4-4",
  light:
    "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  dark: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  keyboard: "M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6",
  arrow: "M3 8h10M9 4l4 4-4 4",
  check: "m3 8.5 3.5 3.5L13 4.5",
  list: "M5.5 4H14M5.5 8H14M5.5 12H14M2.5 4h.1M2.5 8h.1M2.5 12h.1",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3",
  warning: "M8 2 1.5 13.5h13zM8 6.5v3.5M8 11.8v.1",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof drawings;

/** An icon beside text, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={drawings[name]} stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
