import { describe, expect, test } from "vitest";
import { ScriptedWire } from "../fixtures/scripted-wire.ts";
import { JsonRpc } from "./json-rpc.ts";

function open(handlers: Readonly<Record<string, (params: never) => unknown>> = {}) {
  const wire = new ScriptedWire();
  let closed = 0;
  const rpc = new JsonRpc(wire, handlers, () => {
    closed += 1;
  });
  return { wire, rpc, closed: () => closed };
}

describe("JsonRpc", () => {
  test("assigns answers to their requests in any order", async () => {
    const { wire, rpc } = open();
    const first = rpc.request<number>("one", { a: 1 });
    const second = rpc.request<number>("two");
    expect(wire.sent).toEqual([
      { id: 1, method: "one", params: { a: 1 } },
      { id: 2, method: "two" },
    ]);
    wire.receive({ id: 2, result: 22 });
    wire.receive({ id: 1, result: 11 });
    expect(await Promise.all([first, second])).toEqual([11, 22]);
  });

  test("uses the message of an error response for the error", async () => {
    const { wire, rpc } = open();
    const response = rpc.request("one");
    wire.receive({ id: 1, error: { code: -32602, message: "`uri` is missing" } });
    await expect(response).rejects.toMatchObject({ message: "`uri` is missing", code: -32602 });
  });

  test("cancels an aborted request, and rejects with the reason", async () => {
    const { wire, rpc } = open();
    const controller = new AbortController();
    const response = rpc.request("slow", undefined, { signal: controller.signal });
    controller.abort(new Error("typed on"));
    await expect(response).rejects.toThrow("typed on");
    expect(wire.sent.at(-1)).toEqual({ method: "$/cancelRequest", params: { id: 1 } });
    // A late response is ignored.
    wire.receive({ id: 1, result: 1 });
  });

  test("answers requests of the other side, also unknown and failing ones", async () => {
    const { wire } = open({
      add: ({ a, b }: { readonly a: number; readonly b: number }) => a + b,
      fail: () => Promise.reject(new Error("disk full")),
      nothing: () => undefined,
    });
    wire.receive({ id: 7, method: "add", params: { a: 1, b: 2 } });
    wire.receive({ id: 8, method: "fail" });
    wire.receive({ id: 9, method: "nothing" });
    wire.receive({ id: 10, method: "unknown" });
    await expect.poll(() => wire.sent.length).toBe(4);
    expect(Object.fromEntries(wire.sent.map(({ id, result, error }) => [id, error?.message ?? result]))).toEqual({
      ...{ 7: 3, 8: "disk full", 9: null, 10: "Unknown method: unknown" },
    });
  });

  test("passes notifications on until the listener is removed", () => {
    const { wire, rpc } = open();
    const seen: number[] = [];
    const listening = rpc.on<number>("tick", (count) => seen.push(count));
    wire.receive({ method: "tick", params: 1 });
    listening[Symbol.dispose]();
    wire.receive({ method: "tick", params: 2 });
    expect(seen).toEqual([1]);
  });

  test("rejects waiting and later requests once the connection is closed", async () => {
    const { wire, rpc, closed } = open();
    const response = rpc.request("one");
    wire.close();
    await expect(response).rejects.toThrow("The connection to the server is lost");
    await expect(rpc.request("two")).rejects.toThrow("The connection to the server is lost");
    rpc.notify("three");
    expect(wire.sent).toHaveLength(1);
    expect(closed()).toBe(1);
  });
});
