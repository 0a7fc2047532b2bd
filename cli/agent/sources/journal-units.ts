import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Troubles } from '../troubles.ts';

const run = promisify(execFile);
const answerWithinMs = 10_000;
/** journalctl takes patterns; systemd knows only units that have a name. */
const isName = (unit: string) => !/[*?[]/.test(unit);

/**
 * Tells of units that systemd does not know: journalctl waits for those without a word. It is asked again each `everyMs`, by default a minute, while there are any;
 * where systemd does not run nothing is told.
 */
export function watchUnits(
  units: readonly string[],
  environment: Readonly<Record<string, string>>,
  troubles: Troubles,
  everyMs: number = 60_000,
): { stop(): void } {
  const names = units.filter(isName);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let unknown: string[] = [];

  async function look(): Promise<void> {
    const args = ['show', '--property=LoadState', '--', ...names];
    const options = { env: { ...environment }, timeout: answerWithinMs };
    const said = await run('systemctl', args, options).catch(() => undefined);
    if (isStopped) return;
    if (said) {
      // A paragraph for each, in their order.
      const states = said.stdout.trim().split(/\n{2,}/);
      unknown = names.filter((_, index) => states[index] === 'LoadState=not-found');
      for (const name of names) {
        const key = `unit ${name}`;
        if (!unknown.includes(name)) troubles.over(key, `systemd knows the unit ${name} now`);
        else troubles.is(key, `systemd knows no unit ${name}: nothing comes from it until there is one`);
      }
    }
    if (unknown.length > 0) timer = setTimeout(() => void look(), everyMs);
  }

  if (names.length > 0) void look();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
