import { apiOf, type Whoami } from '../api/api.ts';
import { defaultProfile } from '../files/profiles.ts';
import { renderObject } from '../output/render.ts';
import { safeText } from '../output/safe.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { expiryTone, tokenWarning } from './expiry.ts';
import type { Invocation } from '../command-line/command-spec.ts';

/** One flat line of fields: TSV and tables cannot nest. */
interface Caller {
  kind: string;
  role: string;
  org_id: string;
  org_name: string;
  user_email: string | undefined;
  token_id: string;
  token_last_four: string;
  token_expires_at: string | undefined;
}

const view: View<Caller> = {
  columns: [
    { field: 'kind', shown: 'table' },
    { field: 'role', shown: 'table' },
    { field: 'org_id', shown: 'table' },
    { field: 'org_name', header: 'ORG', shown: 'table' },
    { field: 'user_email', header: 'USER', shown: 'table' },
    { field: 'token_id', shown: 'table' },
    { field: 'token_last_four', header: 'TOKEN LAST FOUR', shown: 'table' },
    {
      field: 'token_expires_at',
      header: 'TOKEN EXPIRES',
      shown: 'table',
      time: true,
      tone: (caller) => expiryTone(caller.token_expires_at),
    },
  ],
  name: (caller) => caller.user_email ?? caller.org_name,
};

const callerOf = ({ kind, role, org, user, token }: Whoami): Caller => ({
  kind,
  role,
  org_id: org.id,
  org_name: org.name,
  user_email: user?.email,
  token_id: token.id,
  token_last_four: token.last_four,
  token_expires_at: token.expires_at,
});

export async function whoami(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  const { raw, body } = await api.get('/api/whoami', {});
  await renderObject(call, { raw, body }, callerOf(body.data), view);
  const { orgs } = body.data;
  if (orgs.length > 1) call.io.aside(`The token is valid in ${orgs.length} orgs. Select one with --org:`);
  for (const { id, name, role, suspended } of orgs.length > 1 ? orgs : [])
    call.io.aside(safeText(`  ${id}  ${name} (${suspended ? 'suspended' : role})`));
  const warning = tokenWarning(body.data.token.expires_at);
  if (warning !== undefined) call.io.aside(warning);
  const { tokenFrom, profile } = api.connection;
  if (tokenFrom === 'SERVICE_TOKEN') call.io.aside('The token is from SERVICE_TOKEN.');
  else if (profile.name !== defaultProfile) call.io.aside(`Profile ${profile.name}, from ${profile.from}.`);
}
