import { commands, type Disposable, ProgressLocation, type TreeView, ViewColumn, window, workspace } from "vscode";
import { toPlanHtml } from "../../../src/plan/page/plan-to-html.ts";
import { errorMessage } from "../../../src/text/index.ts";
import { PlanTree, type PlanTreeStep } from "./plan-tree.ts";
import type { PlanApplyResult, PlanName, PlanRejectParams, PlanStartParams, PlanViewParams } from "./protocol.ts";
import type { ReadOnlyPages } from "./read-only-pages.ts";
import type { ServerLink } from "./server-link.ts";

/**
 * Runs plans in the language server, one at a time: starts them, lists their steps, applies them.
 */
export class Plans implements Disposable {
  readonly #server: ServerLink;
  readonly #pages: ReadOnlyPages;
  readonly #tree = new PlanTree();
  readonly #list: TreeView<PlanTreeStep> = window.createTreeView("emend.plan", { treeDataProvider: this.#tree });
  readonly #subscriptions: readonly Disposable[];
  #seen: PlanViewParams | undefined;
  #ended: (() => void) | undefined;

  constructor(server: ServerLink, pages: ReadOnlyPages) {
    this.#server = server;
    this.#pages = pages;
    this.#subscriptions = [
      commands.registerCommand("emend.planFromSelection", () => this.#fenced(() => this.#fromSelection())),
      commands.registerCommand("emend.planFromGitChanges", () => this.#fenced(() => this.#fromGitChanges())),
      commands.registerCommand("emend.plan.apply", () => this.#fenced(() => this.#apply())),
      commands.registerCommand("emend.plan.stop", () => this.#fenced(() => this.#stop())),
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

  dispose(): void {
    this.#ended?.();
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
    if (seen.problem !== undefined) {
      void window.showErrorMessage(`Emend: ${seen.problem}`);
      return;
    }
    const hasDiff = diffOf(seen) !== "";
    const [see, apply] = ["Show Diff", "Apply"];
    const choice = await window.showInformationMessage(
      `Emend: ${seen.view.progress}. ${seen.view.end ?? "The plan was stopped."} ${seen.doubt ?? ""}`.trim(),
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
      if ((await window.showWarningMessage(`Emend: ${doubt}`, { modal: true }, apply)) !== apply) return;
    }
    const params = { ...name, ...(doubt !== undefined && { isSeen: true }) };
    const { isApplied, failureReason, files } = await this.#server.request<PlanApplyResult>("emend/plan/apply", params);
    if (!isApplied) throw new Error(failureReason ?? "VS Code did not apply the changes of the plan.");
    window.setStatusBarMessage(
      `Emend: applied the plan to ${files.length} file${files.length === 1 ? "" : "s"}.`,
      8_000,
    );
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
    this.#tree.show(seen.view.steps);
    const lines = [seen.view.progress, seen.isRunning ? seen.activity : seen.view.end, seen.problem, ...seen.notes];
    this.#list.message = lines.filter((line) => line !== undefined && line !== "").join(" ");
  }

  async #showText(path: string, text: string): Promise<void> {
    if (text === "") {
      void window.showInformationMessage("Emend: there are no changes.");
      return;
    }
    await window.showTextDocument(this.#pages.put(path, text), { preview: true });
  }

  /** Shows the page of `emend plan --html`, which is self-contained and must load no resources. */
  #showGraph(): void {
    if (this.#seen === undefined) return;
    const panel = window.createWebviewPanel("emend.planGraph", "Emend Plan", ViewColumn.Beside, {
      enableScripts: true,
    });
    // Without an end the page would reload itself, which only works in a browser.
    panel.webview.html = toPlanHtml({ ...this.#seen.view, end: this.#seen.view.end ?? "The plan is running." });
  }

  async #fenced(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      void window.showErrorMessage(`Emend: ${errorMessage(error)}`);
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
