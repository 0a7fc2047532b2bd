import type { DeploymentTarget } from '../../api/api.ts';

/** Robots that failed in the same way. */
interface Fault {
  reason: string | undefined;
  /** The first one represents the others. */
  targets: [DeploymentTarget, ...DeploymentTarget[]];
}

/** Failures listed individually; a robot that reports a new text each time would make the list endless. */
const maxFaults = 10;

/**
 * Groups equal faults: the same reason, and first lines that differ only in numbers and hex digits, such as processes,
 * ports and times. The most frequent fault comes first. `others`: robots with any other fault.
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

/** The key that two robots share if they failed in the same way. */
export function faultKind({ reason = '', message = '' }: { reason?: string; message?: string }): string {
  const [first = ''] = message.trim().split('\n', 1);
  return `${reason} ${first.slice(0, 200).replace(/\b[0-9a-f]*[0-9][0-9a-f]*\b/gi, '#')}`;
}
