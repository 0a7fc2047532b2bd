import type { Reporter, TestModule, Vitest } from 'vitest/node';

/**
 * Reports, after a run of all quick tests, how many operations, commands, frames and screens they used (`covered.ts`).
 * Fails the run if any was not used. Reports nothing if tests failed or quick ones were skipped.
 */
export function contractCoverage(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(started) {
      vitest = started;
    },
    async onTestRunEnd(modules, _errors, reason) {
      const quick = modules.filter(({ project }) => project.name === 'service');
      if (!vitest || reason !== 'passed' || !(await isWhole(vitest, quick))) return;
      for (const [kind, names] of usedOf(quick)) {
        const unused = [...names].filter(([, isUsed]) => !isUsed).map(([name]) => name);
        process.stdout.write(`${kind} used: ${names.size - unused.length} of ${names.size}\n`);
        if (unused.length === 0) continue;
        process.stderr.write(`no quick test uses these ${kind}: ${unused.join(', ')}\n`);
        process.exitCode = 1;
      }
    },
  };
}

async function isWhole(vitest: Vitest, quick: readonly TestModule[]): Promise<boolean> {
  const { testFiles } = await vitest.getProjectByName('service').globTestFiles();
  const skipped = quick.flatMap(({ children }) => [...children.allTests('skipped')]);
  const isFiltered = vitest.config.testNamePattern !== undefined || skipped.length > 0;
  return !isFiltered && quick.length === testFiles.length;
}

/** By kind and name. */
function usedOf(modules: readonly TestModule[]): Map<string, Map<string, boolean>> {
  const kinds = new Map<string, Map<string, boolean>>();
  for (const module of modules)
    for (const [kind, names] of Object.entries(module.meta().covered ?? {})) {
      const all = kinds.get(kind) ?? new Map<string, boolean>();
      kinds.set(kind, all);
      for (const [name, isUsed] of Object.entries(names)) all.set(name, all.get(name) === true || isUsed);
    }
  return kinds;
}
