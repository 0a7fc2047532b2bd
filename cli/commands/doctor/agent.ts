import { join } from 'node:path';
import { homeOf, readRecord, type UpdateRecord } from '../../agent/update/record.ts';
import { defaultStateDirectory } from '../agent/agent-line.ts';
import { readIdentity } from '../../files/identity.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { ok, warn, type Check } from './check.ts';

/** Which agent runs here, according to its default state folder; empty if this machine is not a robot. */
export async function checkAgent({ environment, version }: Invocation): Promise<Check[]> {
  const identity = await readIdentity(environment.configDirectory, 'cli agent').catch(() => undefined);
  if (!identity) return [];
  const home = homeOf(join(defaultStateDirectory(environment), 'releases'));
  const { current, probation, taken_back: back } = await readRecord(home).catch((): UpdateRecord => ({}));
  const runs = current
    ? `${current.version}, deployed as a release; installed is ${version}`
    : `${version}, as installed`;
  if (probation) return [warn('agent', `${runs}. It is on probation`)];
  if (back) return [warn('agent', `${runs}. A release was rolled back: ${back.why}. Deploy another`)];
  return [ok('agent', runs)];
}
