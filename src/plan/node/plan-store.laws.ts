import { describe, expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import type { PlanEvent } from "../plan-event.ts";
import { noConsequences } from "../plan-event.ts";
import type { PlanJournal } from "../plan-parts.ts";
import type { PlanSetup } from "./plan-record.ts";
import type { PlanStore } from "./plan-store.ts";

/** An event of the tests. */
export const resumed = (at: number): PlanEvent => ({ kind: "plan-resumed", at });

/** What plans of the tests are carried out with. */
export const setup: PlanSetup = {
  ...{ oracles: ["true"], models: [], limits: {}, start: [{ path: "ü.ts", text: null }], left: [], isWritten: false },
};

/** Drives a plan. Throws where somebody else does. */
export async function drive<Value>(
  store: PlanStore,
  plan: string,
  work: (journal: PlanJournal) => Promise<Value>,
): Promise<Value> {
  const answer = await store.withJournal(plan, { waitMs: 0 }, work);
  if (answer.kind === "busy") throw new Error("busy");
  return answer.value;
}

/** What every store of plans must do. */
export function obeysPlanStoreLaws(name: string, open: () => Promise<PlanStore>): void {
  describe(name, () => {
    test("what was appended is there for who drives the plan next, and for who only looks", async () => {
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

    test("an event is the same behind it, edits and odd characters too", async () => {
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

    test("what it is carried out with is what was kept last", async () => {
      const store = await open();
      await store.writeSetup("p", setup);
      await store.writeSetup("p", { ...setup, isWritten: true });
      await drive(store, "p", (journal) => journal.append(resumed(1)));
      expect((await store.tryRead("p"))?.setup).toEqual({ ...setup, isWritten: true });
    });

    test("what the work rejects with is passed on, and what it appended stays", async () => {
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
