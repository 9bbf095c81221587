import { effect, type Signal, signal } from "@preact/signals";
import { kept } from "../kept.ts";

/** The color theme; `system` follows the operating system. */
export type Scheme = "system" | "light" | "dark";

const isDarkOutside = matchMedia("(prefers-color-scheme: dark)");
const outside = signal(isDarkOutside.matches);
isDarkOutside.addEventListener("change", ({ matches }) => {
  outside.value = matches;
});

/** The selected theme, stored for the next visit. */
export const scheme: Signal<Scheme> = kept<Scheme>("scheme", "system", { of: "page" });

/** Whether the page is dark now. */
export function isDark(): boolean {
  return scheme.value === "system" ? outside.value : scheme.value === "dark";
}

effect(() => {
  document.documentElement.dataset["scheme"] = isDark() ? "dark" : "light";
});
