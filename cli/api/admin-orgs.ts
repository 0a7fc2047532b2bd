import { isId } from '../command-line/id.ts';
import type { Api, Org } from './api.ts';
import { orgNamed } from './org-choice.ts';

/** The ID of the only org of the service with this ID, name or short ID. @throws CliError if there is none, or several */
export async function adminOrgId(api: Api, text: string): Promise<string> {
  if (isId(text)) return text;
  const orgs: Org[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await api.get('/api/admin/orgs', { query: { limit: 1000, cursor } });
    orgs.push(...body.items);
    cursor = body.next_cursor;
  } while (cursor !== undefined);
  return orgNamed(orgs, text, 'List orgs with: cli admin orgs list');
}
