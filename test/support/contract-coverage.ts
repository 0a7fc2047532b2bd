import type { Reporter, TestModule, Vitest } from 'vitest/node';

/**
 * Says, after a run of all quick tests and nothing else, how many of the operations, commands, frames and screens they used (`covered.ts`), and which
 * none did. A run where tests failed or were skipped says nothing.
 */
export function contractCoverage(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(started) {
      vitest = started;
    },
    async onTestRunEnd(modules, _errors, reason) {
      if (!vitest || reason !== 'passed' || !(await isWhole(vitest, modules))) return;
      for (const [kind, names] of usedOf(modules)) {
        const unused = [...names].filter(([, isUsed]) => !isUsed).map(([name]) => name);
        process.stdout.write(`${kind} used: ${names.size - unused.length} of ${names.size}\n`);
        if (unused.length > 0) process.stdout.write(`no test uses these ${kind}: ${unused.join(', ')}\n`);
      }
    },
  };
}

async function isWhole(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  const { testFiles } = await vitest.getProjectByName('service').globTestFiles();
  const ran = modules.filter(({ project }) => project.name === 'service');
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
  const isFiltered = vitest.config.testNamePattern !== undefined || skipped.length > 0;
  return !isFiltered && ran.length === testFiles.length && modules.length === ran.length;
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
