import { StandaloneServices } from "monaco-editor/editor/standalone/browser/standaloneServices.js";
import { IKeybindingService } from "monaco-editor/platform/keybinding/common/keybinding.js";
import { errorMessage } from "../../../src/text/index.ts";
import { languageIdOf } from "../editor/documents.ts";
import { type Scheme, scheme } from "../look/scheme.ts";
import { toggleKeys } from "../shell/key-hint.tsx";
import { closeMessages } from "../shell/messages.tsx";
import { showPanel } from "../shell/panels.tsx";
import { shownSheet } from "../shell/sheets.ts";
import type { Page } from "../start-page.ts";
import { snoozeMinutes } from "../status/suggestion-switch.ts";
import { openPalette } from "./palette-state.ts";

/** A command of the page. */
export interface Command {
  readonly label: string;
  /** The chord that runs the command anywhere on the page; see `isChord`. */
  readonly keys?: string | undefined;
  /** The keys of the editor for the command, which work in the editor only. */
  readonly editorKeys?: string | undefined;
  run(): void;
}

const panels = [
  ["explain", "Explain"],
  ["edit", "Edit"],
  ["plan", "Plan"],
  ["status", "Status"],
] as const;

const schemes: readonly Scheme[] = ["system", "light", "dark"];

/** The commands that are available everywhere on the page. */
export function pageCommands(page: Page): readonly Command[] {
  const { documents, editor } = page;
  const showError = (error: unknown) => page.services.showMessage(errorMessage(error), "error");
  const save = (paths: readonly string[]) => void documents.save(paths).catch(showError);
  const inEditor = (action: string) => () => {
    page.views.bringEditorsToFront();
    // The editor takes the focus after it is visible.
    requestAnimationFrame(() => {
      editor.focus();
      editor.editor?.trigger("palette", action, {});
    });
  };
  return [
    { label: "File: Go to File", keys: "Ctrl+P", run: () => openPalette("") },
    { label: "Show All Commands", keys: "F1", run: () => openPalette(">") },
    {
      label: "File: Save",
      keys: "Ctrl+S",
      run: () => save(documents.active.value ? [documents.active.value.path] : []),
    },
    { label: "File: Save All", run: () => save(documents.unsaved.value) },
    { label: "File: Undo", editorKeys: keysOfAction("undo"), run: inEditor("undo") },
    { label: "File: Redo", editorKeys: keysOfAction("redo"), run: inEditor("redo") },
    { label: "File: New File", run: () => void newFile(page).catch(showError) },
    { label: "Emend: Trust This Folder", run: () => page.trustFolder() },
    { label: "Emend: Go to the Next Edit", keys: "Alt+N", run: inEditor("emend.goToNextEdit") },
    { label: "Emend: Set Up a Model", run: () => page.showSetup() },
    {
      label: "Emend: Request Ghost Text",
      editorKeys: keysOfAction("editor.action.inlineSuggest.trigger"),
      run: inEditor("editor.action.inlineSuggest.trigger"),
    },
    ...suggestionCommands(page, showError),
    ...panels.map(([id, title]) => ({
      label: `View: ${title}`,
      run: () => {
        showPanel(id);
        document.getElementById(`tab-${id}`)?.focus();
      },
    })),
    {
      label: "View: Files",
      run: () => {
        shownSheet.value = "files";
        requestAnimationFrame(() => document.querySelector<HTMLElement>("#files [tabindex='0']")?.focus());
      },
    },
    {
      label: "View: Editor",
      run: () => {
        page.views.bringEditorsToFront();
        editor.focus();
      },
    },
    { label: "View: Next Part of the Page", keys: "F6", run: () => goToRegion(1) },
    { label: "View: Previous Part of the Page", keys: "Shift+F6", run: () => goToRegion(-1) },
    { label: "View: Close All Messages", run: closeMessages },
    { label: "View: Show or Hide Keys", run: toggleKeys },
    ...schemes.map((one) => ({
      label: `View: Color Theme: ${one}`,
      run: () => {
        scheme.value = one;
      },
    })),
  ];
}

/** The keys of an action of the editor, as people are shown them. */
function keysOfAction(id: string): string | undefined {
  return StandaloneServices.get(IKeybindingService).lookupKeybinding(id)?.getLabel() ?? undefined;
}

/** Asks for a path, and creates and opens an empty file there. */
export async function newFile({ documents }: Pick<Page, "documents">): Promise<void> {
  const ask = (question: string, start?: string) => prompt(question, start)?.trim() ?? "";
  let path = ask("Path of the new file, relative to the folder:");
  while (path.endsWith("/")) path = ask(`${path} names a folder. Add the name of the file:`, path);
  if (path !== "") await documents.create(path);
}

/** Turns automatic suggestions off and on, and snoozes them. */
function suggestionCommands(
  { documents, server, suggestions }: Page,
  showError: (error: unknown) => void,
): readonly Command[] {
  const turn = (language: string, where: string): Command => {
    const isOn = suggestions.isOn(language);
    return {
      label: `Emend: Turn Suggestions ${isOn ? "Off" : "On"}${where}`,
      run: () => suggestions.turn(language, !isOn),
    };
  };
  const language = documents.active.value && languageIdOf(documents.active.value);
  const isSnoozed = server.condition.value?.snoozedMinutes !== undefined;
  return [
    turn("*", ""),
    ...(language === undefined ? [] : [turn(language, ` for ${language}`)]),
    {
      label: isSnoozed ? "Emend: End the Snooze" : `Emend: Snooze Suggestions for ${snoozeMinutes} Minutes`,
      run: () => void suggestions.snooze(isSnoozed ? 0 : snoozeMinutes).catch(showError),
    },
  ];
}

/**
 * All commands that are available now: those of the page, the buttons of panels and bars that name
 * a command in `data-command`, and the actions of the editor.
 */
export function allCommands(page: Page): readonly Command[] {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("button[data-command]:not(:disabled)")];
  const ofButtons = buttons.map((button) => ({
    label: button.dataset["command"]!,
    run: () => {
      const panel = button.closest(".panel")?.id.replace("panel-", "");
      if (panel !== undefined) showPanel(panel);
      button.click();
    },
  }));
  const actions = page.views.front.value === undefined ? (page.editor.editor?.getSupportedActions() ?? []) : [];
  const ofEditor = actions
    .filter((action) => action.isSupported() && action.label !== "")
    .map((action) => ({
      ...{
        label: action.label,
        editorKeys: keysOfAction(action.id),
      },
      run: () => {
        page.editor.focus();
        void action.run();
      },
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const seen = new Set<string>();
  return [...pageCommands(page), ...ofButtons, ...ofEditor].filter(
    ({ label }) => !seen.has(label) && seen.add(label) !== undefined,
  );
}

/** Runs the commands of the page by their keys, wherever the keys have no other meaning. */
export function listenForKeys(page: Page): Disposable {
  const commands = pageCommands(page);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const command = commands.find(({ keys }) => keys !== undefined && isChord(event, keys));
    if (command === undefined) return;
    event.preventDefault();
    command.run();
  };
  addEventListener("keydown", onKeyDown);
  return { [Symbol.dispose]: () => removeEventListener("keydown", onKeyDown) };
}

/**
 * Whether a key event is a chord, such as `Ctrl+Shift+P`. On a Mac, the command key is `Ctrl`, too.
 */
function isChord(event: KeyboardEvent, chord: string): boolean {
  const parts = chord.split("+");
  const key = parts.pop()!;
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    (event.ctrlKey || event.metaKey) === parts.includes("Ctrl") &&
    event.altKey === parts.includes("Alt") &&
    event.shiftKey === parts.includes("Shift")
  );
}

/**
 * Moves the focus to the next or previous visible region of the page, because the editor uses Tab
 * itself.
 */
function goToRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter((one) => one.checkVisibility());
  // A region may contain another one, such as the editor the bar of the next edit.
  const at = regions.findLastIndex((region) => region.contains(document.activeElement));
  // From the page itself, to the first region or the last.
  const next = regions[(Math.max(at, by === 1 ? -1 : 0) + by + regions.length) % regions.length];
  const found = regionEntries.flatMap((selector) => [...(next?.querySelectorAll<HTMLElement>(selector) ?? [])]);
  found.find((one) => one.checkVisibility())?.focus();
}

/**
 * The element of a region that takes the focus is the first visible match of the first selector.
 */
const regionEntries = [
  "[data-region-focus]",
  ".editor :is(.native-edit-context, textarea.inputarea)",
  ".main-view [tabindex='0']",
  "[tabindex='0']",
];
