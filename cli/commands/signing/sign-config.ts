import { membersOf, partsOf, whole } from '../../agent/configs/raw-json.ts';
import { entryDigest } from '../../agent/signatures/statement.ts';
import type { Api, AnyDeployment, Config } from '../../api/api.ts';
import { notFound } from '../../api/not-found.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { safeText } from '../../output/safe.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { Target, Signature } from './signature-types.ts';
import { signForTarget, type Signer } from './sign.ts';

/** A key's value, as its exact JSON text. */
interface Value {
  namespace: string;
  key: string;
  value: string;
  revision: number;
}

/** The value of a revision of the entry, by default the newest, as the service returns it. */
export async function valueToSign(api: Api, configId: string, revision: number | undefined): Promise<Value> {
  const newest = await newestValue(api, configId);
  if (revision === undefined || revision === newest.revision) return newest;
  const { raw, body } = await api.get('/api/config-revisions', { query: { config_id: configId } });
  const index = body.items.findIndex((each) => each.revision === revision);
  if (index === -1)
    throw new CliError(`${newest.namespace}/${newest.key} has no revision ${revision}`, {
      code: 'not_found',
      exit: exitCode.notFound,
      hint: `List its revisions with: cli configs show ${newest.key} --namespace ${newest.namespace}`,
    });
  return { ...newest, revision, value: valueAt(raw.toString('utf8'), index) };
}

async function newestValue(api: Api, configId: string): Promise<Value> {
  const { raw, body } = await api.get('/api/configs', { query: { id: configId } });
  const [found] = body.items;
  if (!found) throw notFound('config', configId, []);
  return { ...found, value: valueAt(raw.toString('utf8'), 0) };
}

/** Signs this value of the key. Throws a usage error if it cannot be signed. */
export async function signConfig(
  call: Invocation,
  api: Api,
  signer: Signer,
  { namespace, key, value }: Omit<Value, 'revision'>,
  target: Target,
): Promise<Signature> {
  const digest = digestOf(namespace, key, value);
  return signForTarget(
    call,
    api,
    signer,
    { lane: 'config', digest, what: `${namespace}/${key} = ${cut(value)}` },
    target,
  );
}

/** The deployment uses the value that was newest then; it may have changed since it was read. */
export function checkRevision({ io }: Invocation, signed: Pick<Config, 'revision'>, made: AnyDeployment): void {
  if (!('revision' in made) || made.revision === signed.revision) return;
  io.note(
    safeText(
      `Warning: revision ${signed.revision} was signed, and revision ${made.revision}, set meanwhile, is deployed. Robots that check signatures will refuse it.`,
    ),
  );
}

function digestOf(namespace: string, key: string, value: string): string {
  try {
    return entryDigest(namespace, key, value);
  } catch (error) {
    throw usage(`the value of ${namespace}/${key} cannot be signed: ${(error as Error).message}`);
  }
}

const maxShown = 200;
const cut = (value: string) => (value.length > maxShown ? `${value.slice(0, maxShown)}…` : value);

/** The value of the item at this index, as the exact text in the list. */
function valueAt(list: string, index: number): string {
  const member = (within: { start: number; end: number }, name: string) =>
    [...membersOf(list, within)].find((each) => each.name === name)?.value ?? within;
  const item = [...partsOf(list, member(whole(list), 'items'))][index];
  const { start, end } = member(item ?? whole(list), 'value');
  return list.slice(start, end);
}
