import type { LinkStatus } from '../../agent/link.ts';
import type { Identity } from '../../files/identity.ts';
import { safeJson, safeText } from '../../output/safe.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/**
 * Reports the link status: one line on stderr per change, none per retry of a long outage. With `--json` every step is
 * a JSON line on stdout.
 */
export function statusReporter(
  { flags, io }: Invocation,
  identity: Identity,
  backendUrl: string,
): (status: LinkStatus) => void {
  let isUp = false;
  let lastReason: string | undefined;
  const writeJson = flags.on('json')
    ? (status: LinkStatus) => {
        const text = JSON.stringify({ at: new Date().toISOString(), ...jsonOf(status) });
        io.out.write(`${io.out.tty ? safeJson(text) : text}\n`);
      }
    : undefined;
  return (status) => {
    writeJson?.(status);
    if (status.kind === 'up') {
      io.note(safeText(`Connected to ${backendUrl} as ${status.welcome.robot_name || identity.robotName}`));
      isUp = true;
      lastReason = undefined;
    }
    if (status.kind === 'waiting' && status.reason !== lastReason) {
      const seconds = Math.max(1, Math.round(status.waitMs / 1000));
      io.note(safeText(`${isUp ? 'Disconnected' : 'Not connected'}: ${status.reason}. Next attempt in ${seconds} s`));
      isUp = false;
      lastReason = status.reason;
    }
  };
}

function jsonOf(status: LinkStatus): Record<string, unknown> {
  switch (status.kind) {
    case 'connecting':
      return { status: 'connecting', attempt: status.attempt };
    case 'up':
      return { status: 'connected', robot_id: status.welcome.robot_id, clock_offset_ms: status.clockOffsetMs };
    case 'waiting':
      return { status: 'waiting', wait_ms: status.waitMs, reason: status.reason, code: status.code };
    case 'ended':
      return { status: 'ended', final: status.final, reason: status.reason, code: status.code };
  }
}
