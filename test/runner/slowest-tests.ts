import type { Reporter, TestCase } from 'vitest/node';

const shown = 20;
const secondsOf = (test: TestCase) => (test.diagnostic()?.duration ?? 0) / 1000;

/** Prints the slowest tests after all have ended: the first ones to check if a run is slow. */
export const slowestTests: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    if (tests.length <= shown) return;
    const slowest = tests.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, shown);
    const lines = slowest.map(
      (test) => `${secondsOf(test).toFixed(1).padStart(7)} s  ${test.module.relativeModuleId}: ${test.name}\n`,
    );
    process.stdout.write(`\nThe ${shown} slowest tests:\n${lines.join('')}`);
  },
};
