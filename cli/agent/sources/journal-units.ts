import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Troubles } from '../troubles.ts';

const execute = promisify(execFile);
const answerWithinMs = 10_000;
/** journalctl accepts patterns; systemd knows only units with a name. */
const isName = (unit: string) => !/[*?[]/.test(unit);

/**
 * Reports units that systemd does not know: journalctl waits for them silently. It checks again every `everyMs`, by
 * default a minute, while there are any or systemctl could not be run. Without systemd nothing is reported.
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
  let isAnswered = false;

  /** The output of systemctl; undefined when it could not be run. */
  async function ask(): Promise<string | undefined> {
    const args = ['show', '--property=LoadState', '--', ...names];
    const options = { env: { ...environment }, timeout: answerWithinMs };
    try {
      const { stdout } = await execute('systemctl', args, options);
      isAnswered = true;
      return stdout;
    } catch (error) {
      // When the system refuses a process, for example for lack of memory, this throws at once. That may be over by the
      // next check.
      isAnswered = lacksSystemd(error);
      return undefined;
    }
  }

  async function look(): Promise<void> {
    const said = await ask();
    if (isStopped) return;
    if (said !== undefined) {
      // One paragraph for each unit, in order.
      const states = said.trim().split(/\n{2,}/);
      unknown = names.filter((_, index) => states[index] === 'LoadState=not-found');
      for (const name of names) {
        const key = `unit ${name}`;
        if (!unknown.includes(name)) troubles.over(key, `systemd knows the unit ${name} now`);
        else troubles.is(key, `systemd has no unit ${name}: no logs until it exists`);
      }
    }
    if (unknown.length > 0 || !isAnswered) timer = setTimeout(() => void look(), everyMs);
  }

  if (names.length > 0) void look();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** systemctl is missing, or exited with an error, as it does where systemd does not run. */
function lacksSystemd(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || typeof error.code === 'number');
}
