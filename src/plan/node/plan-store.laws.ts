import { describe, expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import type { PlanEvent } from "../plan-event.ts";
import { noConsequences } from "../plan-event.ts";
import type { PlanJournal } from "../plan-parts.ts";
import type { PlanSetup } from "./plan-record.ts";
import type { PlanStore } from "./plan-store.ts";

/** An event for the tests. */
export const resumed = (at: number): PlanEvent => ({ kind: "plan-resumed", at });

/** A setup for the tests. */
export const setup: PlanSetup = {
  ...{ verifiers: ["true"], models: [], limits: {}, start: [{ path: "ü.ts", text: null }], left: [], isWritten: false },
};

/** Runs a plan without waiting for its lock. Throws when the plan is locked. */
export async function drive<Value>(
  store: PlanStore,
  plan: string,
  work: (journal: PlanJournal) => Promise<Value>,
): Promise<Value> {
  const answer = await store.withJournal(plan, { waitMs: 0 }, work);
  if (answer.kind === "busy") throw new Error("busy");
  return answer.value;
}

/** The contract suite of {@link PlanStore}. */
export function obeysPlanStoreLaws(name: string, open: () => Promise<PlanStore>): void {
  describe(name, () => {
    test("appended events are read by the next process that runs the plan and without a lock", async () => {
      const store = await open();
      expect(await store.tryRead("p")).toBeUndefined();
      await store.writeSetup("p", setup);
      await drive(store, "p", async (journal) => {
        expect(journal.events).toEqual([]);
        await journal.append(resumed(1));
        await journal.append(resumed(2));
        expect(journal.events).toEqual([resumed(1), resumed(2)]);
      });
      expect(await drive(store, "p", async ({ events }) => [...events])).toEqual([resumed(1), resumed(2)]);
      expect(await store.tryRead("p")).toEqual({ setup, events: [resumed(1), resumed(2)] });
      expect(await store.tryRead("other")).toBeUndefined();
    });

    test("an event is unchanged after it was stored, including edits and unusual characters", async () => {
      const store = await open();
      const edit = {
        changes: [{ kind: "edit" as const, uri: "ü.ts", edit: Edit.replace({ start: 0, end: 1 }, "\u0000💛\n") }],
      };
      const rewrite = { edit, undo: edit, diff: "-a\n+b\r\n", by: { kind: "person" as const } };
      const event = { kind: "step-settled", id: 1, status: "done", rewrite, ...noConsequences } as unknown as PlanEvent;
      await store.writeSetup("p", setup);
      await drive(store, "p", (journal) => journal.append(event));
      expect((await store.tryRead("p"))?.events).toEqual([event]);
    });

    test("tryRead returns the setup that was written last", async () => {
      const store = await open();
      await store.writeSetup("p", setup);
      await store.writeSetup("p", { ...setup, isWritten: true });
      await drive(store, "p", (journal) => journal.append(resumed(1)));
      expect((await store.tryRead("p"))?.setup).toEqual({ ...setup, isWritten: true });
    });

    test("a rejection of the work is passed on, and its appended events stay", async () => {
      const store = await open();
      await store.writeSetup("p", setup);
      const work = async (journal: PlanJournal) => {
        await journal.append(resumed(1));
        throw new Error("no more");
      };
      await expect(drive(store, "p", work)).rejects.toThrow("no more");
      expect(await drive(store, "p", async ({ events }) => events.length)).toBe(1);
    });
  });
}
