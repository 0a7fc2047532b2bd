import { membersOf, partsOf, whole } from '../../agent/configs/raw-json.ts';
import { entryDigest } from '../../agent/signatures/statement.ts';
import type { Api, AnyDeployment, Config } from '../../api/api.ts';
import { notFound } from '../../api/not-found.ts';
import { usage } from '../../command-line/errors.ts';
import { safeText } from '../../output/safe.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { namespaceOf } from '../configs/configs.ts';
import type { Target, Signature } from './signature-types.ts';
import { isId } from '../../command-line/id.ts';
import { signForTarget, type Signer } from './sign.ts';

/** A key's value, as its exact JSON text. */
interface Value {
  namespace: string;
  key: string;
  value: string;
  revision: number;
}

/** The newest value of the entry, as the service returns it. */
export async function newestValue(call: Invocation, api: Api, configId: string): Promise<Value> {
  const [text = ''] = call.args;
  const query = isId(text) ? {} : { key: text, namespace: namespaceOf(call) };
  const { raw, body } = await api.get('/api/configs', { query });
  const index = body.items.findIndex(({ id }) => id === configId);
  const found = body.items[index];
  if (!found) throw notFound('config', configId, []);
  return { ...found, value: valueAt(raw.toString('utf8'), index) };
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
