import type { Api, RolloutPolicy } from '../../api/api.ts';
import { notFound } from '../../api/not-found.ts';
import { idByEnd } from '../../api/short-ids.ts';
import { isId } from '../../command-line/id.ts';
import { isSameName } from '../../command-line/spellings.ts';

/** ID of the policy with this ID, name or short ID. @throws CliError if there is none */
export async function policyIdOf(api: Api, text: string): Promise<string> {
  if (isId(text)) return text;
  const { items } = (await api.get('/api/rollout-policies', {})).body;
  const id = items.find(({ name }) => isSameName(name, text))?.id ?? (await idByEnd(api, 'rollout policy', text));
  if (id !== undefined) return id;
  throw notFound(
    'rollout policy',
    text,
    items.map(({ name }) => name),
  );
}

/** The policy with this ID, name or short ID. @throws CliError if there is none */
export async function policyOf(api: Api, text: string): Promise<RolloutPolicy> {
  const id = await policyIdOf(api, text);
  return (await api.get('/api/rollout-policies/{id}', { path: { id } })).body.data;
}
