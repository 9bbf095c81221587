import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ScriptedWire } from "../fixtures/scripted-wire.ts";
import { LanguageClient } from "./language-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client whose server answers `initialize` each time, or does not exist while `isGone`. */
function open() {
  const wires: ScriptedWire[] = [];
  const state = { isGone: false, ready: 0 };
  const client = new LanguageClient({
    open: async () => {
      if (state.isGone) throw new Error("The server does not respond");
      const wire = new ScriptedWire();
      wires.push(wire);
      return wire;
    },
    ...{ rootUri: "file:///shop", name: "shop", version: "1" },
    handlers: {},
    onReady: () => {
      state.ready += 1;
    },
  });
  const answer = async () => {
    await vi.advanceTimersByTimeAsync(0);
    wires.at(-1)!.receive({ id: 1, result: { capabilities: {} } });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { client, wires, state, answer };
}

describe("LanguageClient", () => {
  test("sends requests only after initialize", async () => {
    const { client, wires, state, answer } = open();
    const response = client.request("emend/status");
    client.notify("too/early");
    await answer();
    expect(wires[0]!.sent.map(({ method }) => method)).toEqual(["initialize", "initialized", "emend/status"]);
    expect(wires[0]!.sent[0]!.params).toMatchObject({ rootUri: "file:///shop", processId: null });
    expect([client.state.value, state.ready]).toEqual(["ready", 1]);
    wires[0]!.receive({ id: 2, result: "ok" });
    expect(await response).toBe("ok");
  });

  test("connects again automatically, and keeps its listeners", async () => {
    const { client, wires, state, answer } = open();
    const seen: number[] = [];
    client.on<number>("tick", (count) => seen.push(count));
    await answer();
    wires[0]!.receive({ method: "tick", params: 1 });
    state.isGone = true;
    wires[0]!.close();
    expect(client.state.value).toBe("lost");
    await expect(client.request("emend/status")).rejects.toThrow("Start `emend serve` again");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(client.state.value).toBe("lost");
    state.isGone = false;
    await vi.advanceTimersByTimeAsync(5_000);
    await answer();
    wires[1]!.receive({ method: "tick", params: 2 });
    expect([client.state.value, state.ready, seen]).toEqual(["ready", 2, [1, 2]]);
  });
});
