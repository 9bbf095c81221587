import { afterEach, describe, expect, test } from "vitest";
import { CancellationTokenSource } from "vscode-languageserver";
import { raceAbort } from "../../async/index.ts";
import { EmendError } from "../../text/index.ts";
import { TestClient, type TestClientOptions } from "../fixtures/test-client.ts";
import type { SetupReport } from "../protocol/setup-protocol.ts";
import type { SetUp } from "./setup-method.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const report: SetupReport = { kind: "no-server", servers: [], tried: [], file: "/f", settings: [], notes: [] };

async function start(setUp: SetUp | undefined, options: TestClientOptions = {}) {
  client = await TestClient.start({ ...options, host: setUp === undefined ? {} : { setUp } });
  const { connection } = client;
  return {
    connection,
    setUp: (params?: object, cancel = new CancellationTokenSource()) =>
      connection.sendRequest<SetupReport>("emend/setup", params ?? {}, cancel.token),
  };
}

/** Runs until its signal is aborted, and notes the start and the end. */
function endless() {
  const events: string[] = [];
  let started!: () => void;
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const setUp: SetUp = async (_, _dialog, signal) => {
    events.push("started");
    started();
    return raceAbort(new Promise<SetupReport>(() => {}), signal).finally(() => events.push("ended"));
  };
  return { setUp, events, hasStarted };
}

describe("emend/setup", () => {
  test("passes the request, the steps, the choice and the answer on", async () => {
    const candidate = (name: string) => ({ model: { name } }) as never;
    const seen: unknown[] = [];
    const { setUp } = await start(
      async (request, dialog) => {
        dialog.show({ kind: "waiting", text: "Waiting." });
        const candidates = [candidate("a"), candidate("b")];
        const chosen = await dialog.chooseModels({ candidates, preferred: [] });
        const question = { details: "", question: "Write?", outranked: [], ifEmpty: "yes" } as const;
        seen.push(request, chosen, await dialog.confirm({ kind: "write", ...question }));
        return report;
      },
      {
        onConnection: (connection) => {
          connection.onNotification("emend/setup/step", (step) => void seen.push(step));
          connection.onRequest("emend/setup/choose", () => ["b", "unknown"]);
          connection.onRequest("emend/setup/confirm", () => true);
        },
      },
    );
    expect(await setUp({ servers: ["http://127.0.0.1:1"] })).toEqual(report);
    expect(seen).toEqual([
      { kind: "waiting", text: "Waiting." },
      { root: "/w", servers: ["http://127.0.0.1:1"], hosted: undefined, isReset: false },
      [candidate("b")],
      true,
    ]);
  });

  test.each<[typed: unknown, asked: number, command: string]>([
    ['cat "/home/me/my key"', 1, '["cat","/home/me/my key"]'],
    ["sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z", 2, '["pass","show"]'],
    ["  ", 1, "undefined"],
    [null, 1, "undefined"],
    [["sh"], 1, "undefined"],
  ])("asks for the command that prints the key of a hosted model: %j", async (typed, asked, command) => {
    const questions: string[] = [];
    const { setUp } = await start(
      async ({ hosted }, dialog) => {
        const words = await dialog.askForKeyCommand("Which command prints the key?");
        return { ...report, notes: [hosted ?? "", `${JSON.stringify(words)}`] };
      },
      {
        onConnection: (connection) =>
          connection.onRequest("emend/setup/keyCommand", ({ question }: { readonly question: string }) =>
            questions.push(question) === 1 ? typed : "pass show",
          ),
      },
    );
    expect((await setUp({ hosted: "mistral" })).notes).toEqual(["mistral", command]);
    expect(questions).toHaveLength(asked);
    expect(questions.join()).not.toContain("sk-proj");
  });

  test("a client without an answer confirms nothing", async () => {
    const question = { details: "", question: "Write?", outranked: [], ifEmpty: "yes" } as const;
    const { setUp } = await start(
      async (_, dialog) => ({ ...report, notes: [`${await dialog.confirm({ kind: "write", ...question })}`] }),
      { onConnection: (connection) => connection.onRequest("emend/setup/confirm", () => null) },
    );
    expect((await setUp()).notes).toEqual(["false"]);
  });

  test("a second one is refused while one runs, which a cancellation ends", async () => {
    const { setUp: run, events, hasStarted } = endless();
    const { setUp } = await start(run);
    const cancel = new CancellationTokenSource();
    const first = setUp({}, cancel);
    await hasStarted;
    await expect(setUp()).rejects.toThrow("A model is being set up already. Stop that first.");
    cancel.cancel();
    await expect(first).rejects.toMatchObject({ code: -32800 });
    expect(events).toEqual(["started", "ended"]);
  });

  test("one after a cancellation waits until the cancelled one has ended", async () => {
    const events: string[] = [];
    const { setUp } = await start(async ({ servers = [] }, _dialog, signal) => {
      const [name = ""] = servers;
      events.push(`${name} started`);
      if (name === "b") return report;
      await new Promise<void>((resolve) => signal.addEventListener("abort", resolve));
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`${name} ended`);
      signal.throwIfAborted();
      return report;
    });
    const cancel = new CancellationTokenSource();
    const first = setUp({ servers: ["a"] }, cancel);
    await expect.poll(() => events).toEqual(["a started"]);
    cancel.cancel();
    const second = setUp({ servers: ["b"] });
    await expect(first).rejects.toMatchObject({ code: -32800 });
    expect(await second).toEqual(report);
    expect(events).toEqual(["a started", "a ended", "b started"]);
  });

  test("ends with its client", async () => {
    const { setUp: run, events, hasStarted } = endless();
    const { setUp } = await start(run);
    setUp().catch(() => undefined);
    await hasStarted;
    const { hangUp, ended } = client!;
    client = undefined;
    hangUp();
    await ended;
    expect(events).toEqual(["started", "ended"]);
  });

  const failing: SetUp = () => Promise.reject(new EmendError("broken-file", "f.json can't be edited: line 2."));
  test.each<[what: string, setUp: SetUp | undefined, params: object, message: string]>([
    ["an error for people", failing, {}, "f.json can't be edited: line 2."],
    ["one server instead of a list", failing, { servers: "a" }, "emend/setup requires `servers`, which is a list."],
    ["servers that are no texts", failing, { servers: [1] }, "emend/setup requires `servers` of strings."],
    ["a hosted model that is no text", failing, { hosted: 1 }, "emend/setup requires `hosted`, which is a string."],
    ["a server and a hosted model", failing, { servers: [], hosted: "mistral" }, "Give one of them."],
    ["a server for editors, which have none", undefined, {}, "Unhandled method emend/setup"],
  ])("is refused for %s", async (_, run, params, message) => {
    const { setUp } = await start(run);
    await expect(setUp(params)).rejects.toThrow(message);
  });
});
