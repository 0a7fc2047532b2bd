import type { Api, RolloutPolicy } from '../../api/api.ts';
import { idAmong } from '../../api/listed-names.ts';
import { isId } from '../../command-line/id.ts';

/** ID of the policy with this ID, name or short ID. @throws CliError if there is none */
export async function policyIdOf(api: Api, text: string): Promise<string> {
  if (isId(text)) return text;
  return await idAmong(api, 'rollout policy', text, (await api.get('/api/rollout-policies', {})).body.items);
}

/** The policy with this ID, name or short ID. @throws CliError if there is none */
export async function policyOf(api: Api, text: string): Promise<RolloutPolicy> {
  const id = await policyIdOf(api, text);
  return (await api.get('/api/rollout-policies/{id}', { path: { id } })).body.data;
}
