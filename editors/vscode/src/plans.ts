import {
  commands,
  type Disposable,
  ProgressLocation,
  type TreeView,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from "vscode";
import { toPlanHtml } from "../../../src/plan/page/plan-to-html.ts";
import { errorMessage } from "../../../src/text/index.ts";
import type { AppliedEdits } from "./applied-edits.ts";
import { messageText, quotedCode } from "./message-text.ts";
import { PlanTree, type PlanTreeNote, type PlanTreeStep } from "./plan-tree.ts";
import type { PlanApplyResult, PlanName, PlanRejectParams, PlanStartParams, PlanViewParams } from "./protocol.ts";
import type { ReadOnlyPages } from "./read-only-pages.ts";
import type { ServerLink } from "./server-link.ts";

/** The dependencies of {@link Plans}. */
export interface PlansParts {
  readonly server: ServerLink;
  readonly pages: ReadOnlyPages;
  readonly applied: AppliedEdits;
  /** The problem of the model that fails, if one does. */
  modelProblem(): string | undefined;
}

/**
 * Runs plans in the language server, one at a time: starts them, lists their steps, applies them.
 */
export class Plans implements Disposable {
  readonly #server: ServerLink;
  readonly #pages: ReadOnlyPages;
  readonly #applied: AppliedEdits;
  readonly #modelProblem: () => string | undefined;
  readonly #tree = new PlanTree();
  readonly #list: TreeView<PlanTreeStep | PlanTreeNote> = window.createTreeView("emend.plan", {
    treeDataProvider: this.#tree,
  });
  readonly #subscriptions: readonly Disposable[];
  #seen: PlanViewParams | undefined;
  #ended: (() => void) | undefined;
  /** The plan that was applied, with the edit that did it. */
  #appliedEdit: { readonly plan: string; readonly edit: AppliedEdits["last"] } | undefined;
  #graph: WebviewPanel | undefined;

  constructor({ server, pages, applied, modelProblem }: PlansParts) {
    this.#server = server;
    this.#pages = pages;
    this.#applied = applied;
    this.#modelProblem = modelProblem;
    this.#subscriptions = [
      commands.registerCommand("emend.planFromSelection", () => this.#fenced(() => this.#fromSelection())),
      commands.registerCommand("emend.planFromGitChanges", () => this.#fenced(() => this.#fromGitChanges())),
      commands.registerCommand("emend.plan.apply", () => this.#fenced(() => this.#apply())),
      commands.registerCommand("emend.plan.stop", () => this.#fenced(() => this.#stop())),
      commands.registerCommand("emend.plan.undo", () => commands.executeCommand("emend.undoLastEdit")),
      applied.onDidChange(() => void this.#fenced(() => this.#refresh())),
      commands.registerCommand("emend.plan.showGraph", () => this.#showGraph()),
      commands.registerCommand("emend.plan.showDiff", () => this.#showText("plan.diff", diffOf(this.#seen))),
      commands.registerCommand("emend.plan.showStep", (step: PlanTreeStep) =>
        this.#showText(`step ${step.id}.diff`, step.diff ?? ""),
      ),
      commands.registerCommand("emend.plan.rejectStep", (step: PlanTreeStep) => this.#fenced(() => this.#reject(step))),
    ];
  }

  /** Updates the view with the state of a plan from the server. */
  take(params: PlanViewParams): void {
    if (this.#seen !== undefined && params.plan !== this.#seen.plan) return;
    this.#seen = params;
    this.#draw();
    if (!params.isRunning) this.#ended?.();
  }

  /** Whether a plan is running; its end shows the failure of a model. */
  get isRunning(): boolean {
    return this.#seen?.isRunning === true;
  }

  dispose(): void {
    this.#ended?.();
    this.#graph?.dispose();
    this.#list.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #fromSelection(): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor === undefined) throw new Error("Open the document where the change begins.");
    const uri = editor.document.uri.toString();
    const instruction = await window.showInputBox({
      title: `Plan a change that begins at line ${editor.selection.start.line + 1}`,
      prompt: "The change at this line; the plan finds the changes that follow from it",
      ignoreFocusOut: true,
    });
    if (instruction === undefined || instruction.trim() === "") return;
    await this.#start({ uri, instruction, at: { uri, line: editor.selection.start.line } });
  }

  async #fromGitChanges(): Promise<void> {
    const uri = window.activeTextEditor?.document.uri ?? workspace.workspaceFolders?.[0]?.uri;
    await this.#start({ ...(uri?.scheme === "file" && { uri: uri.toString() }), seed: "working-tree" });
  }

  /** Starts a plan and shows its progress, with a button to stop it, until the plan ends. */
  async #start(params: PlanStartParams): Promise<void> {
    if (this.#seen?.isRunning === true) throw new Error("A plan is running. Stop it first, or wait.");
    await workspace.saveAll(false);
    this.#seen = undefined;
    const options = { location: ProgressLocation.Notification, title: "Emend: plan", cancellable: true };
    await window.withProgress(options, async (progress, token) => {
      const ended = new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
      token.onCancellationRequested(() => void this.#fenced(() => this.#stop()));
      const name = await this.#server.request<PlanName>("emend/plan/start", params);
      this.take(await this.#server.request<PlanViewParams>("emend/plan/show", name));
      await commands.executeCommand("emend.plan.focus", { preserveFocus: true });
      const timer = setInterval(
        () => progress.report({ message: this.#seen?.activity ?? this.#seen?.view.progress ?? "" }),
        300,
      );
      await ended;
      clearInterval(timer);
    });
    await this.#showEnd();
  }

  async #showEnd(): Promise<void> {
    const seen = this.#seen;
    if (seen === undefined) return;
    const { problem } = seen;
    if (problem !== undefined) {
      const ofModel = this.#modelProblem();
      const setUp = "Set Up a Model";
      const choices = ofModel !== undefined && problem.includes(ofModel) ? [setUp] : [];
      if ((await window.showErrorMessage(messageText(problem), ...choices)) === setUp)
        await commands.executeCommand("emend.setUp");
      return;
    }
    const hasDiff = diffOf(seen) !== "";
    const [see, apply] = ["Show Diff", "Apply"];
    const choice = await window.showInformationMessage(
      messageText(`${seen.view.progress}. ${seen.view.end ?? "The plan was stopped."} ${seen.doubt ?? ""}`.trim()),
      ...(hasDiff ? [see] : []),
      ...(canApply(seen) ? [apply] : []),
    );
    if (choice === see) await this.#showText("plan.diff", diffOf(seen));
    if (choice === apply) await this.#apply();
  }

  async #apply(): Promise<void> {
    const name = this.#named();
    const { doubt } = this.#seen!;
    if (doubt !== undefined) {
      const apply = "Apply";
      if ((await window.showWarningMessage(messageText(doubt), { modal: true }, apply)) !== apply) return;
    }
    const params = { ...name, ...(doubt !== undefined && { isSeen: true }) };
    const { isApplied, failureReason, files } = await this.#server.request<PlanApplyResult>("emend/plan/apply", params);
    if (!isApplied) throw new Error(failureReason ?? "VS Code did not apply the changes of the plan.");
    if (files.length === 0) {
      await this.#refresh();
      void window.showInformationMessage(messageText("all files have the changes of the plan already."));
      return;
    }
    const { last } = this.#applied;
    this.#appliedEdit = { plan: name.plan, edit: last };
    await this.#refresh();
    if (last !== undefined) void this.#applied.show(last, "the plan is applied to");
  }

  /** Reads again whether the files have the changes of the plan. */
  async #refresh(): Promise<void> {
    if (this.#seen === undefined || this.#seen.isRunning) return;
    this.take(await this.#server.request<PlanViewParams>("emend/plan/show", this.#named()));
  }

  async #stop(): Promise<void> {
    await this.#server.request("emend/plan/stop", this.#named());
  }

  async #reject(step: PlanTreeStep): Promise<void> {
    const reason = await window.showInputBox({
      title: `Reject ${step.block}`,
      prompt: "The reason, for the next attempt of the model (optional)",
    });
    if (reason === undefined) return;
    const params: PlanRejectParams = { ...this.#named(), step: step.id, ...(reason.trim() !== "" && { reason }) };
    await this.#server.request("emend/plan/reject", params);
  }

  #named(): PlanName {
    if (this.#seen === undefined) throw new Error("There is no plan.");
    const { plan, uri } = this.#seen;
    return { plan, ...(uri !== undefined && { uri }) };
  }

  #draw(): void {
    const seen = this.#seen;
    void commands.executeCommand("setContext", "emend.planIsOpen", seen !== undefined);
    void commands.executeCommand("setContext", "emend.planIsRunning", seen?.isRunning ?? false);
    void commands.executeCommand("setContext", "emend.planCanBeApplied", seen !== undefined && canApply(seen));
    if (seen === undefined) return;
    const { view, isRunning, problem, notes, isApplied } = seen;
    this.#tree.show(view, problem, notes);
    const ofPlan = this.#appliedEdit?.plan === seen.plan ? this.#appliedEdit.edit : undefined;
    const canUndo = isApplied && ofPlan !== undefined && ofPlan === this.#applied.last;
    void commands.executeCommand("setContext", "emend.planCanBeUndone", canUndo);
    this.#list.description = view.progress;
    const hasChanges = diffOf(seen) !== "";
    const end = isApplied && hasChanges ? "The changes of the plan are applied." : view.end;
    // A message of several lines would leave no space for the steps.
    const state = isRunning ? seen.activity : problem === undefined ? end : undefined;
    this.#list.message = quotedCode(state ?? "");
    if (this.#graph !== undefined && !isRunning) this.#drawGraph(this.#graph, seen);
  }

  async #showText(path: string, text: string): Promise<void> {
    if (text === "") {
      void window.showInformationMessage("Emend: there are no changes.");
      return;
    }
    await window.showTextDocument(this.#pages.put(path, text), { preview: true });
  }

  /** Shows the plan as a graph in one tab, which is reused. */
  #showGraph(): void {
    if (this.#seen === undefined) return;
    if (this.#graph === undefined) {
      const options = { enableScripts: true };
      this.#graph = window.createWebviewPanel("emend.planGraph", "Emend Plan", ViewColumn.Beside, options);
      this.#graph.onDidDispose(() => {
        this.#graph = undefined;
      });
    } else this.#graph.reveal(undefined, true);
    this.#drawGraph(this.#graph, this.#seen);
  }

  /** Draws the page of `emend plan --html`, which is self-contained and must load no resources. */
  #drawGraph({ webview }: WebviewPanel, { view }: PlanViewParams): void {
    // Without an end the page would reload itself, which only works in a browser.
    const ended = { ...view, end: view.end ?? "The plan is running." };
    webview.html = toPlanHtml(ended, { style: editorStyle, isGraphFirst: true });
  }

  async #fenced(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      void window.showErrorMessage(messageText(errorMessage(error)));
    }
  }
}

/** The diff of the plan, or that of its steps so far; empty where there are no changes. */
function diffOf(seen: PlanViewParams | undefined): string {
  return seen?.diff ?? (seen?.view.steps ?? []).flatMap(({ diff }) => diff ?? []).join("\n");
}

/** Whether the plan has ended with changes that the files do not have yet. */
function canApply({ isRunning, diff = "", isApplied }: PlanViewParams): boolean {
  return !isRunning && diff !== "" && !isApplied;
}

/**
 * The colours and the font of VS Code's theme for the page of a plan, which otherwise follows the
 * system. It contains no `<`, `>` or `&`. The label of a link is shown with its link: at the width
 * of an editor beside another one, all labels would lie over the nodes.
 */
const editorStyle = `
body { color-scheme: inherit; font-family: var(--vscode-font-family); font-size: var(--vscode-font-size);
  --paper: var(--vscode-editor-background); --ink: var(--vscode-editor-foreground); --soft: var(--vscode-descriptionForeground);
  --line: var(--vscode-editorWidget-border, var(--vscode-widget-border, var(--soft))); --mark: var(--vscode-focusBorder);
  --touched: var(--vscode-diffEditor-insertedTextBackground); --broken: var(--vscode-diffEditor-removedTextBackground);
  --changed: var(--vscode-editor-selectionBackground); --todo: var(--vscode-inputValidation-warningBackground); }
.named .link text { opacity: 0; } .link.lit text, .link:hover text { opacity: 1; }
`;
