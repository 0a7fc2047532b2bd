import type { Api, Robot } from '../api/api.ts';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { nearby } from '../command-line/suggest.ts';
import { relativeTime } from '../output/time.ts';

/** A stream, or a list from the agent, that a robot did not give. */
interface RefusedStream {
  api: Api;
  id: string;
  /** As typed; it is typed again in the next step. */
  robot: string;
  /** The next step if the agent does not offer it. */
  offer: string;
  /** The camera that was asked for. Default: none. */
  camera?: string | undefined;
}

const offlineMessage = 'agent offline';
/** A name no longer finds such a robot; its ID finds the logs that are left. */
const removedMessage = 'the robot was removed';

/** The refusal with what the robot's record knows: since when it is offline, its cameras. Other errors stay unchanged. */
export async function explained(error: unknown, refused: RefusedStream): Promise<unknown> {
  if (!(error instanceof CliError)) return error;
  if (error.exit === exitCode.agentOffline || error.message === offlineMessage)
    return offline(error, refused, await recordOf(refused));
  if (error.exit === exitCode.conflict) return error.with({ hint: refused.offer });
  if (error.message === removedMessage) {
    const { id } = refused;
    return error.with({ hint: `Print its stored logs with: cli logs --robot ${id}` });
  }
  if (error.exit !== exitCode.notFound || refused.camera === undefined)
    return error.hint === undefined
      ? error.with({ hint: `Show the robot and its health with: cli robots inspect ${refused.robot}` })
      : error;
  const record = await recordOf(refused);
  return record ? unknownCamera(error, refused.camera, refused, record) : error;
}

/** Undefined if it cannot be read: the refusal itself matters more. */
const recordOf = ({ api, id }: RefusedStream): Promise<Robot | undefined> =>
  api.get('/api/robots/{id}', { path: { id } }).then(
    ({ body }) => body.data,
    () => undefined,
  );

/** `--json` prints the envelope of the service, without what is added here. */
const envelopeBytes = Buffer.from(JSON.stringify({ error: { code: 'conflict', message: offlineMessage } }));

function offline({ raw, requestId, cause }: CliError, { robot }: RefusedStream, record: Robot | undefined): CliError {
  const seen = record?.last_seen_at;
  const isNew = record !== undefined && seen === undefined;
  const since = seen === undefined ? '' : `: "${robot}" was last seen ${relativeTime(seen)} (${seen})`;
  return new CliError(`${offlineMessage}${isNew ? `: "${robot}" has never connected` : since}`, {
    code: 'conflict',
    exit: exitCode.agentOffline,
    raw: raw ?? envelopeBytes,
    requestId,
    cause,
    hint: isNew
      ? 'Start its agent on the robot with: cli agent run'
      : `Read its stored logs with: cli robots logs ${robot}. Show its latest health with: cli robots inspect ${robot}`,
  });
}

function unknownCamera(error: CliError, camera: string, { robot, offer }: RefusedStream, record: Robot): CliError {
  const { cameras = [] } = record;
  const [near] = nearby(camera, cameras);
  const guess = near === undefined ? '' : `Did you mean ${near}? `;
  return error.with({
    message: `camera "${camera}" not found on "${robot}"`,
    hint: cameras.length === 0 ? offer : `${guess}Its cameras: ${cameras.join(', ')}`,
  });
}
