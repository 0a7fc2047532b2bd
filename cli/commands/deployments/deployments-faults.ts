import type { DeploymentTarget } from '../../api/api.ts';

/** Robots that went wrong in the same way. */
interface Fault {
  reason: string | undefined;
  /** Of these the first one stands for the others. */
  targets: [DeploymentTarget, ...DeploymentTarget[]];
}

/** Ways to fail that are told one by one; a robot that says something else each time makes no end of them. */
const maxFaults = 10;

/**
 * What robots say alike is one fault: the same reason, and a first line that differs in numbers and hex digits alone, as processes, ports and times
 * do. The one that most robots have comes first. `others`: robots with yet another fault.
 */
export function faultsOf(targets: readonly DeploymentTarget[]): { faults: Fault[]; others: number } {
  const byKind = new Map<string, Fault>();
  for (const target of targets) {
    const kind = faultKind(target);
    const known = byKind.get(kind);
    if (known) known.targets.push(target);
    else byKind.set(kind, { reason: target.reason, targets: [target] });
  }
  const all = [...byKind.values()].sort((one, other) => other.targets.length - one.targets.length);
  const others = all.slice(maxFaults).reduce((sum, fault) => sum + fault.targets.length, 0);
  return { faults: all.slice(0, maxFaults), others };
}

/** What two that failed have in common if they failed in the same way. */
export function faultKind({ reason = '', message = '' }: { reason?: string; message?: string }): string {
  const [first = ''] = message.trim().split('\n', 1);
  return `${reason} ${first.slice(0, 200).replace(/\b[0-9a-f]*[0-9][0-9a-f]*\b/gi, '#')}`;
}
