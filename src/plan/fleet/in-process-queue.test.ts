import { beforeEach } from "vitest";
import { InProcessQueue } from "./in-process-queue.ts";
import { obeysJobQueueLaws, type TestQueue } from "./job-queue.laws.ts";

let queue: TestQueue;
beforeEach(() => {
  queue = new InProcessQueue();
});
obeysJobQueueLaws("a queue in this process", async () => queue);
