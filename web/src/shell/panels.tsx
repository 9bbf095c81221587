import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { Icon, type IconName } from "../look/icons.tsx";
import { isHiddenSheet, shownSheet } from "./sheets.ts";
import "./panels.css";

/** A panel of the side bar. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** What the panel has to report, which marks its tab; absent where there is nothing. */
  readonly problem?: string | undefined;
  readonly content: ComponentChildren;
}

/** The id of the visible panel. */
export const shownPanel: Signal<string> = signal("explain");

/** Shows a panel, in a narrow window as a sheet. */
export function showPanel(id: string): void {
  shownPanel.value = id;
  shownSheet.value = "panels";
}

/**
 * The panels as tabs. Arrow keys, Home and End select a tab. Hidden panels keep their state.
 */
export function Panels({ panels }: { readonly panels: readonly Panel[] }): JSX.Element {
  const tabs = useRef<HTMLDivElement>(null);
  const go = (index: number) => {
    const panel = panels[(index + panels.length) % panels.length]!;
    showPanel(panel.id);
    tabs.current?.querySelector<HTMLElement>(`#tab-${panel.id}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = panels.findIndex(({ id }) => id === shownPanel.value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: panels.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <section class="panels" id="panels" aria-label="Panels" data-region hidden={isHiddenSheet("panels")}>
      <div class="panel-tabs" role="tablist" aria-label="Panels" ref={tabs} onKeyDown={onKeyDown}>
        {panels.map(({ id, title, icon, problem }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            class="panel-tab"
            aria-selected={shownPanel.value === id}
            aria-controls={`panel-${id}`}
            tabIndex={shownPanel.value === id ? 0 : -1}
            onClick={() => showPanel(id)}
          >
            <Icon name={icon} />
            {title}
            {problem !== undefined && (
              <span class="panel-problem" role="img" aria-label="has a problem" title={problem} />
            )}
          </button>
        ))}
      </div>
      {panels.map(({ id, content }) => (
        <div
          key={id}
          role="tabpanel"
          id={`panel-${id}`}
          class="panel scroll"
          aria-labelledby={`tab-${id}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: A scrollable region must be reachable by keyboard.
          tabIndex={0}
          hidden={shownPanel.value !== id}
        >
          {content}
        </div>
      ))}
    </section>
  );
}
