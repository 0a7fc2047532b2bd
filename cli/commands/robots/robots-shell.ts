import { constants } from 'node:os';
import { apiOf, type Api } from '../../api/api.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';
import { streamConnector } from '../../live/stream-connector.ts';
import { explained } from '../../live/stream-refusals.ts';
import { isUnreachable, unreachable } from '../../live/shell/ends.ts';
import { runShell } from '../../live/shell/run.ts';
import { terminalOf, typesOnTerminal } from '../../live/shell/terminal.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { isId } from '../../command-line/id.ts';
import { idOf } from '../../api/names.ts';

const offer = 'Start its agent on the robot with: cli agent run --allow-shell';

/** Opens a shell on a robot, or runs one command. Ends with its exit code. */
export async function robotShell(call: Invocation): Promise<number> {
  const [robot = ''] = call.args;
  const command = call.afterDashes.length > 0 ? [...call.afterDashes] : undefined;
  const { flags, environment, io } = call;
  const tty = flags.isGiven('tty') ? flags.on('tty') : command === undefined && typesOnTerminal();
  const terminal = terminalOf(io);
  let found: { api: Api; id: string } | undefined;
  try {
    const api = await apiOf(call);
    const id = await idOf(api, 'robot', robot);
    found = { api, id };
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
    if (isUnreachable(error)) throw unreachable(error);
    throw found ? await explained(error, { ...found, robot, offer }) : error;
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
