import { expect, test } from "vitest";
import { Adam, learningRateAt } from "./adam.ts";

test("the first step is as long as the learning rate, whatever the gradient's size", () => {
  const weights = Float32Array.of(0, 0, 0);
  new Adam(3, { weightDecay: 0 }).step(weights, Float32Array.of(1000, -0.001, 0), 0.1);
  expect(Array.from(weights, (weight) => Math.round(weight * 1e4) / 1e4)).toEqual([-0.1, 0.1, 0]);
});

test("finds the bottom of a bowl that is steeper one way than the other", () => {
  const weights = Float32Array.of(3, -2);
  const adam = new Adam(2, { weightDecay: 0 });
  for (let step = 0; step < 2000; step++) {
    const gradient = Float32Array.of(2 * (weights[0]! - 1), 200 * (weights[1]! - 0.5));
    adam.step(weights, gradient, learningRateAt(step, 0.05, { warmUp: 10, total: 2000 }));
  }
  expect(weights[0]).toBeCloseTo(1, 2);
  expect(weights[1]).toBeCloseTo(0.5, 2);
});

test("decay alone takes a share of the weights", () => {
  const weights = Float32Array.of(2);
  new Adam(1, { weightDecay: 0.5 }).step(weights, Float32Array.of(0), 0.1);
  expect(weights[0]).toBeCloseTo(1.9);
});

test("the learning rate rises and then falls", () => {
  const rates = [0, 1, 5, 9].map((step) => learningRateAt(step, 1, { warmUp: 2, total: 10 }));
  expect(rates.map((rate) => Math.round(rate * 100) / 100)).toEqual([0.5, 0.9, 0.5, 0.1]);
});
