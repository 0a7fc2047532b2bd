import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints, after a run, the missing tools of skipped tests with the number of tests; Vitest's own reporter only counts
 * them. See `testWith`.
 */
export const missingTools: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const counts = new Map<string, number>();
    for (const module of modules)
      for (const { name } of module.children.allTests('skipped')) {
        const [, tools] = /\(needs ([^()]+)\)$/.exec(name) ?? [];
        if (tools !== undefined) counts.set(tools, (counts.get(tools) ?? 0) + 1);
      }
    for (const [tools, count] of [...counts].sort())
      process.stdout.write(`${count} ${count === 1 ? 'test' : 'tests'} skipped: needs ${tools}\n`);
  },
};
