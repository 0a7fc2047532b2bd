import { StepFailed } from '../orders/handler.ts';

/** The argument of a call of an executable; see docs/reference/handler-protocol.md. */
export type ExecutableCall =
  | 'capabilities'
  | 'download'
  | 'install'
  | 'activate'
  | 'reboot'
  | 'verify'
  | 'commit'
  | 'rollback'
  | 'cleanup'
  | 'running';

export const exitCodes = { ok: 0, temporary: 75, reboot: 200 } as const;
/** The protocol version of this agent; there is no other yet. */
export const handlerProtocol = 1;

/** The capabilities that an executable reports. */
export interface ExecutableCapabilities {
  /** Whether `rollback` restores the previous release. Default: no. */
  rollback: boolean;
  /** Whether `reboot` reboots the machine. Default: no, the agent does. */
  reboot: boolean;
  /** By state. */
  timeoutSeconds: Readonly<Record<ExecutableCall, number>>;
}

const defaultSeconds: ExecutableCapabilities['timeoutSeconds'] = {
  capabilities: 10,
  download: 120,
  install: 600,
  activate: 120,
  reboot: 300,
  verify: 120,
  commit: 120,
  rollback: 120,
  cleanup: 120,
  running: 10,
};
const maxSeconds = 3_600;

/**
 * Parses the output of `capabilities`; no output means the defaults. Throws StepFailed (no_handler) if it is invalid.
 */
export function readAbilities(text: string): ExecutableCapabilities {
  const said = objectIn(text.trim() === '' ? '{}' : text);
  if (!said) throw unusable('it prints no JSON object');
  const { protocol = handlerProtocol, rollback = false, reboot = false, timeouts = {} } = said;
  if (protocol !== handlerProtocol)
    throw unusable(`it uses protocol ${JSON.stringify(protocol)}, this agent ${handlerProtocol}`);
  if (typeof rollback !== 'boolean' || typeof reboot !== 'boolean')
    throw unusable('rollback and reboot are true or false');
  const timeoutSeconds = { ...defaultSeconds };
  for (const [state, seconds] of Object.entries(timeouts ?? {})) {
    if (!Object.hasOwn(defaultSeconds, state)) continue;
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
      throw unusable(`a timeout is a whole number of seconds, 1 to ${maxSeconds}`);
    timeoutSeconds[state as ExecutableCall] = seconds as number;
  }
  return { rollback, reboot, timeoutSeconds };
}

/** The message to the agent in a line of standard output; undefined for a line for the logs. */
export function readMessage(
  line: string,
): { percent: number; text: string } | { running: string | undefined } | undefined {
  if (!line.startsWith('progress ') && !line.startsWith('running ')) return undefined;
  const [, percent, text = ''] = /^progress (\d{1,3})(?: (.*))?$/.exec(line) ?? [];
  if (percent !== undefined && Number(percent) <= 100) return { percent: Number(percent), text };
  const [, running] = /^running ([0-9a-f]{64}|none)$/.exec(line) ?? [];
  return running === undefined ? undefined : { running: running === 'none' ? undefined : running };
}

const unusable = (why: string) => new StepFailed('no_handler', `its capabilities are invalid: ${why}`);

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
