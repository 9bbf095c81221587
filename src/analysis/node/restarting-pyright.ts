import { performance } from "node:perf_hooks";
import { type AbortOptions, SerialQueue } from "../../async/index.ts";
import { EmendError } from "../../text/index.ts";
import { joinPath } from "../../workspace/index.ts";
import type { PyrightError, PyrightPlace, PyrightService } from "./pyright-service.ts";

/** The requests to pyright; {@link PyrightService} describes them. */
export type PyrightRequests = Pick<PyrightService, "setTexts" | "definitions" | "errors" | "close">;

/** What one pyright needs of its service; `ended` is why its process has ended. */
export type RestartableService = PyrightRequests & Pick<PyrightService, "ended">;

/** Why a file is left out: its memory, its time, or because the process ended by itself. */
export type PyrightExcess = "memory" | "time" | "ended";

/** The options of {@link RestartingPyright.open}. */
export interface RestartingPyrightOptions {
  /** The absolute path of the workspace, links resolved, with `/`. */
  readonly root: string;
  /** Opens the first service and those that replace it. */
  readonly open: (requestOptions: AbortOptions) => Promise<RestartableService>;
}

/**
 * A {@link PyrightService} that is opened again when its process exceeds a limit or ends by itself,
 * without the file that causes it. The failed request is then repeated.
 *
 * Pyright does not report what it is working on. So after a restart all texts are set and checked
 * one by one, and from then on requests are about one file at a time. A file is the cause where the
 * process ends on it then, or for the second time in a request. A file that is left out has no
 * diagnostics and no definitions, and names that others import from it have the type `Any`. It is
 * read again once another text is set for it.
 *
 * When pyright also ends on a text of two lines, and after {@link maxRestarts} restarts, requests
 * reject as those of the service do.
 */
export class RestartingPyright implements PyrightRequests, AsyncDisposable {
  readonly #options: RestartingPyrightOptions;
  #service: RestartableService;
  readonly #texts = new Map<string, string>();
  readonly #leftOut = new Map<string, { readonly text: string | undefined; readonly excess: PyrightExcess }>();
  #restarts = 0;
  #replacing: Promise<void> | undefined;
  /** The files of requests during which a process ended. */
  readonly #suspected = new Set<string>();
  /** The error with which all requests reject. */
  #failure: EmendError | undefined;
  #isClosed = false;
  /** The last request after a restart; these run one after the other. */
  #turns = new SerialQueue();

  private constructor(service: RestartableService, options: RestartingPyrightOptions) {
    this.#service = service;
    this.#options = options;
  }

  /** Opens the first service. Rejects as `open` does. */
  static async open(options: RestartingPyrightOptions, requestOptions: AbortOptions = {}): Promise<RestartingPyright> {
    return new RestartingPyright(await options.open(requestOptions), options);
  }

  /** The files that are currently left out, by absolute path. */
  get leftOut(): ReadonlyMap<string, PyrightExcess> {
    return new Map(Array.from(this.#leftOut, ([path, { excess }]) => [path, excess]));
  }

  /**
   * Sets the texts of files, by absolute path; see {@link PyrightService.setTexts}. Where the
   * process ends on a text, that file is left out instead. Rejects as the service does where a
   * restart does not help, or for other failures.
   */
  async setTexts(texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [path, text] of texts) {
      // The last text is the first suspect.
      this.#texts.delete(path);
      this.#texts.set(path, text);
      const left = this.#leftOut.get(path);
      if (left !== undefined && left.text !== text) this.#leftOut.delete(path);
    }
    const set = () => this.#service.setTexts(this.#shown(texts));
    if (this.#restarts === 0) await this.#try(set, [], {});
    else await this.#turns.run(() => this.#try(set, [], {}));
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
      () => this.#service.definitions(path, offsets, options),
      () => offsets.map(() => []),
      options,
    );
    return found.flat().map((places) => places.filter((place) => !this.#leftOut.has(place.path)));
  }

  /**
   * See {@link PyrightService.errors}. A file that is left out has no errors. Rejects as the
   * service does where a restart does not help, or for other failures.
   */
  async errors(paths: readonly string[], options: AbortOptions = {}): Promise<readonly PyrightError[]> {
    const found = await this.#each(
      paths,
      (some) => this.#service.errors(some, options),
      () => [],
      options,
    );
    return found.flat();
  }

  /** Ends the process; waiting requests reject with `pyright-closed`. It is not opened again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#service.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Requests something about files: together as long as no process has ended, and one by one from
   * then on. `none` is the result for a file that is left out.
   */
  async #each<T>(
    paths: readonly string[],
    request: (paths: readonly string[]) => Promise<T>,
    none: () => T,
    options: AbortOptions,
  ): Promise<T[]> {
    if (this.#restarts === 0) {
      const together = await this.#try<T | undefined>(
        () => (this.#restarts > 0 ? Promise.resolve(undefined) : request(paths)),
        paths,
        options,
      );
      if (together !== undefined) return [together];
    }
    const found: T[] = [];
    for (const path of paths) {
      const one = () => (this.#leftOut.has(path) ? Promise.resolve(none()) : request([path]));
      found.push(await this.#turns.run(() => this.#try(one, [path], { ...options, isInTurn: true })));
    }
    return found;
  }

  async #try<T>(
    request: () => Promise<T>,
    paths: readonly string[],
    { signal, isInTurn = false }: AbortOptions & { readonly isInTurn?: boolean },
  ): Promise<T> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const service = this.#service;
      try {
        return await request();
      } catch (error) {
        signal?.throwIfAborted();
        if (service.ended === undefined || this.#isClosed) throw error;
        // The process may have ended on a text that was set before, which a restart finds.
        const isSuspected = paths.length === 1 && this.#suspected.has(paths[0]!);
        for (const path of paths) this.#suspected.add(path);
        await this.#replace(service, isSuspected && isInTurn ? paths[0] : undefined, signal);
      }
    }
  }

  /** Replaces `service` by a new one, once for all requests that failed with it. */
  async #replace(
    service: RestartableService,
    culprit: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    while (this.#service === service && this.#failure === undefined) {
      this.#replacing ??= this.#restart(culprit, signal).finally(() => {
        this.#replacing = undefined;
      });
      try {
        await this.#replacing;
      } catch (error) {
        signal?.throwIfAborted();
        // The request that restarted the service may have been aborted while this one was not.
        if (error instanceof EmendError) this.#failure = error;
        else if (this.#service !== service) return;
        else throw error;
      }
    }
  }

  async #restart(culprit: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    for (let path = culprit; ; ) {
      const { ended } = this.#service;
      this.#restarts += 1;
      if (this.#restarts > maxRestarts) throw ended;
      if (path !== undefined) this.#leftOut.set(path, { text: this.#texts.get(path), excess: excessOf(ended) });
      await this.#service.close();
      const next = await this.#options.open({ signal });
      if (this.#isClosed) {
        await next.close();
        throw ended;
      }
      path = await this.#findCulprit(next, signal);
      this.#service = next;
      if (path === undefined) return;
    }
  }

  /**
   * Sets all texts, and checks them one by one, the last one first. Returns the file on which the
   * process ended; `undefined` when it did not. Rejects when it ends on any text.
   */
  async #findCulprit(service: RestartableService, signal: AbortSignal | undefined): Promise<string | undefined> {
    const probe = joinPath(this.#options.root, "emend-probe.py");
    await service.setTexts(new Map([[probe, "probe = 1\nprobe\n"]]));
    await service.definitions(probe, [10], { signal });
    await service.errors([probe], { signal });
    const isLeftOut = ([path]: readonly [string, string]) => this.#leftOut.has(path);
    await service.setTexts(this.#shown(new Map([...this.#texts].filter(isLeftOut))));
    const suspects = [...this.#texts].filter((text) => !isLeftOut(text)).reverse();
    const endMs = performance.now() + maxSearchMs;
    for (const [path, text] of suspects.slice(0, maxSuspects)) {
      if (performance.now() > endMs) break;
      try {
        await service.setTexts(new Map([[path, text]]));
        await service.errors([path], { signal });
      } catch (error) {
        signal?.throwIfAborted();
        if (service.ended === undefined) throw error;
        return path;
      }
    }
    await service.setTexts(new Map(suspects));
    return undefined;
  }

  /** The texts as pyright gets them. */
  #shown(texts: ReadonlyMap<string, string>): Map<string, string> {
    return new Map(Array.from(texts, ([path, text]) => [path, this.#leftOut.has(path) ? anyNames : text]));
  }
}

function excessOf(ended: EmendError | undefined): PyrightExcess {
  return excesses.get(ended?.code ?? "") ?? "ended";
}

const excesses: ReadonlyMap<string, PyrightExcess> = new Map([
  ["pyright-memory", "memory"],
  ["pyright-stalled", "time"],
]);

/** The text of a file that is left out: any name can be imported from it. */
const anyNames = "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n";

/** The most restarts. Most of them leave out one more file. */
const maxRestarts = 6;

/** The limits of the search for a cause after a restart; a check takes up to a second. */
const maxSuspects = 40;
const maxSearchMs = 30_000;
