import { performance } from "node:perf_hooks";
import { type AbortOptions, SerialQueue } from "../../async/index.ts";
import type { EmendError } from "../../text/index.ts";
import { joinPath } from "../../workspace/index.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import type { PyrightPlace, PyrightService } from "./pyright-service.ts";
import { type EndedRequest, RestartingService } from "./restarting-service.ts";
import { excessOf, resourceOf } from "./watch-checker.ts";

/** The requests to pyright; {@link PyrightService} describes them. */
export type PyrightRequests = Pick<PyrightService, "setTexts" | "definitions" | "errors" | "close">;

/** Why a file is left out: its memory, its time, or because the process ended by itself. */
export type PyrightExcess = "memory" | "time" | "ended";

/** The options of {@link RestartingPyright.open}. */
export interface RestartingPyrightOptions {
  /** The absolute path of the workspace, links resolved, with `/`. */
  readonly root: string;
  /** Opens the first service and those that replace it. */
  readonly open: (requestOptions: AbortOptions) => Promise<PyrightService>;
}

/**
 * A {@link PyrightService} that is opened again when its process exceeds a limit or ends by itself,
 * without the file that causes it; see {@link RestartingService}.
 *
 * Pyright does not report what it is working on. So after a restart all texts are set and checked
 * one by one, and from then on requests are about one file at a time. A file is the cause where the
 * process ends on it then, for the second time in a request, or where no other text is set. A file
 * that is left out has no diagnostics and no definitions, and names that others import from it have
 * the type `Any`. Where pyright also ends on a text of two lines, a restart does not help.
 */
export class RestartingPyright implements PyrightRequests, AsyncDisposable {
  readonly #options: RestartingPyrightOptions;
  readonly #restarting: RestartingService<PyrightService, PyrightExcess>;
  /** The files of requests during which a process ended. */
  readonly #suspected = new Set<string>();
  /** Requests run one after the other, so that the one that ends a process is known. */
  readonly #turns = new SerialQueue();

  private constructor(service: PyrightService, options: RestartingPyrightOptions) {
    this.#options = options;
    this.#restarting = new RestartingService(service, {
      maxRestarts,
      hasEnded: ({ ended }) => ended !== undefined,
      reopen: (ended) => this.#reopen(ended),
      close: (service) => service.close(),
    });
  }

  /** Opens the first service. Rejects as `open` does. */
  static async open(options: RestartingPyrightOptions, requestOptions: AbortOptions = {}): Promise<RestartingPyright> {
    return new RestartingPyright(await options.open(requestOptions), options);
  }

  /** The files that are currently left out, by absolute path. */
  get leftOut(): ReadonlyMap<string, PyrightExcess> {
    return this.#restarting.excesses;
  }

  /**
   * Sets the texts of files, by absolute path; see {@link PyrightService.setTexts}. Where the
   * process ends on a text, that file is left out instead. Rejects as the service does where a
   * restart does not help, or for other failures.
   */
  async setTexts(texts: ReadonlyMap<string, string>): Promise<void> {
    this.#restarting.setTexts(texts);
    await this.#turns.run(() => this.#restarting.run([], {}, (service) => service.setTexts(this.#shown(texts))));
  }

  /**
   * See {@link PyrightService.definitions}. A file that is left out has no definitions, and none
   * lie in it. Rejects as the service does where a restart does not help, or for other failures.
   */
  async definitions(
    path: string,
    offsets: readonly number[],
    options: AbortOptions = {},
  ): Promise<readonly (readonly PyrightPlace[])[]> {
    const found = await this.#each(
      [path],
      (service) => service.definitions(path, offsets, options),
      () => offsets.map(() => []),
      options,
    );
    return found.flat().map((places) => places.filter((place) => !this.#restarting.leftOut.has(place.path)));
  }

  /**
   * See {@link PyrightService.errors}. A file that is left out has no errors. Rejects as the
   * service does where a restart does not help, or for other failures.
   */
  async errors(paths: readonly string[], options: AbortOptions = {}): Promise<readonly FileDiagnostic[]> {
    const found = await this.#each(
      paths,
      (service, some) => service.errors(some, options),
      () => [],
      options,
    );
    return found.flat();
  }

  /** Ends the process; waiting requests reject with `pyright-closed`. It is not opened again. */
  async close(): Promise<void> {
    await this.#restarting.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Requests something about files: together as long as no process has ended, and one by one from
   * then on. `none` is the result for a file that is left out.
   */
  #each<T>(
    paths: readonly string[],
    request: (service: PyrightService, paths: readonly string[]) => Promise<T>,
    none: () => T,
    options: AbortOptions,
  ): Promise<T[]> {
    const restarting = this.#restarting;
    return this.#turns.run(async () => {
      const together = await restarting.run(paths, options, async (service) =>
        restarting.restarts === 0 ? [await request(service, paths)] : undefined,
      );
      if (together !== undefined) return together;
      const found: T[] = [];
      for (const path of paths) {
        const one = async (service: PyrightService) =>
          restarting.leftOut.has(path) ? none() : request(service, [path]);
        found.push(await restarting.run([path], options, one));
      }
      return found;
    });
  }

  /**
   * Opens a service and sets all texts, which are checked one by one, the last one first. Where the
   * process ends on one, that file is left out. Rejects where it ends on any text.
   */
  async #reopen({ service: { ended }, paths = [], signal }: EndedRequest<PyrightService>) {
    const { texts, leftOut } = this.#restarting;
    const leaveOut = (path: string, error: EmendError | undefined) =>
      leftOut.set(path, { excess: reasonOf(error), text: texts.get(path) });
    // The process may have ended on another text that was set before, which the search finds.
    const [path = ""] = paths;
    const isOnly = texts.size === 1 && texts.has(path);
    if (paths.length === 1 && (isOnly || this.#suspected.has(path))) leaveOut(path, ended);
    for (const one of paths) this.#suspected.add(one);
    const service = await this.#options.open({ signal });
    const probe = joinPath(this.#options.root, "emend-probe.py");
    await service.setTexts(new Map([[probe, "probe = 1\nprobe\n"]]));
    await service.definitions(probe, [10], { signal });
    await service.errors([probe], { signal });
    const all = [...texts].reverse() as [string, string][];
    const suspects = all.filter(([one]) => !leftOut.has(one));
    await service.setTexts(this.#shown(new Map(all.filter(([one]) => leftOut.has(one)))));
    const endMs = performance.now() + maxSearchMs;
    for (const [suspect, text] of suspects.slice(0, maxSuspects)) {
      if (performance.now() > endMs) break;
      try {
        await service.setTexts(new Map([[suspect, text]]));
        await service.errors([suspect], { signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (service.ended === undefined) throw error;
        leaveOut(suspect, service.ended);
        return service;
      }
    }
    await service.setTexts(new Map(suspects));
    return service;
  }

  /** The texts as pyright gets them. */
  #shown(texts: ReadonlyMap<string, string>): Map<string, string> {
    const { leftOut } = this.#restarting;
    return new Map(Array.from(texts, ([path, text]) => [path, leftOut.has(path) ? anyNames : text]));
  }
}

function reasonOf(ended: EmendError | undefined): PyrightExcess {
  const excess = excessOf(ended);
  return excess === undefined ? "ended" : resourceOf(excess);
}

/** The text of a file that is left out: any name can be imported from it. */
const anyNames = "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n";

/** The most restarts. Most of them leave out one more file. */
const maxRestarts = 6;

/** The limits of the search for a cause after a restart; a check takes up to a second. */
const maxSuspects = 40;
const maxSearchMs = 30_000;
