import { constants } from 'node:os';
import { apiOf, type Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';
import { streamConnector } from '../../live/stream-connector.ts';
import { isUnreachable, unreachable } from '../../live/shell/ends.ts';
import { runShell } from '../../live/shell/run.ts';
import { terminalOf, typesOnTerminal } from '../../live/shell/terminal.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { isId } from '../../command-line/id.ts';
import { idOf } from '../../api/names.ts';

/** Opens a shell on a robot, or runs one command. Ends with its exit code. */
export async function robotShell(call: Invocation): Promise<number> {
  const [robot = ''] = call.args;
  const command = call.afterDashes.length > 0 ? [...call.afterDashes] : undefined;
  const { flags, environment, io } = call;
  const tty = flags.isGiven('tty') ? flags.on('tty') : command === undefined && typesOnTerminal();
  const terminal = terminalOf(io);
  try {
    const api = await apiOf(call);
    const id = await idOf(api, 'robot', robot);
    const end = await runShell({
      call,
      terminal,
      robot: await nameOf(api, robot, io.err.tty),
      connector: streamConnector(call, api),
      robotId: id,
      start: {
        tty,
        ...(command && { command }),
        ...(tty && environment.terminalType !== undefined && { term: environment.terminalType }),
      },
      onBegin: () => void process.off('SIGINT', endOnInterrupt),
    });
    return end.signal === undefined ? (end.code ?? exitCode.linkLost) : 128 + numberOf(end.signal);
  } catch (error) {
    throw isUnreachable(error) ? unreachable(error) : offlineHint(error, robot);
  }
}

/** The name for people, if `robot` is an id. */
async function nameOf(api: Api, robot: string, isShown: boolean): Promise<string> {
  if (!isId(robot) || !isShown) return robot;
  const { body } = await api.get('/api/robots/{id}', { path: { id: robot } });
  return body.data.name;
}

/** A signal unknown to this system counts as no signal. */
const numberOf = (name: string): number => (constants.signals as Partial<Record<string, number>>)[name] ?? 0;

function offlineHint(error: unknown, robot: string): unknown {
  if (!(error instanceof CliError) || error.exit !== exitCode.agentOffline) return error;
  return error.with({
    hint: `Since when, and what it said last: cli robots inspect ${robot}   cli robots logs ${robot}`,
  });
}
