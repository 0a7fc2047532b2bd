interface OrgTasks {
  waiting: (() => Promise<void>)[];
  usedMs: number; // at least what the org of the running task had used when the first of these came
}

/**
 * Does tasks of orgs, one at a time. Next is the org that has used the least time. So slow tasks of one org delay another
 * org by one task when it comes, and take half of the time from then on.
 */
export function orgTurns() {
  const orgs = new Map<string, OrgTasks>();
  let leastMs = 0; // used by the org of the running task, before it
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (let org = next(); org; org = next()) {
      leastMs = org.usedMs;
      const startMs = performance.now();
      await org.waiting.shift()?.();
      org.usedMs += performance.now() - startMs;
    }
    orgs.clear();
    leastMs = 0;
    isRunning = false;
  }

  function next(): OrgTasks | undefined {
    let least: OrgTasks | undefined;
    for (const org of orgs.values()) if (org.waiting.length > 0 && (!least || org.usedMs < least.usedMs)) least = org;
    return least;
  }

  function tasksOf(orgId: string): OrgTasks {
    const org = orgs.get(orgId) ?? { waiting: [], usedMs: 0 };
    // Time that an org did not use is not kept for it.
    if (org.waiting.length === 0) org.usedMs = Math.max(org.usedMs, leastMs);
    orgs.set(orgId, org);
    return org;
  }

  return {
    /** Those of one org are done in order. */
    take<Result>(orgId: string, task: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        tasksOf(orgId).waiting.push(() => task().then(resolve, reject));
        if (!isRunning) void run();
      });
    },
  };
}
