import { apiOf, clientOf, type Whoami } from '../api.ts';
import { baseUrlOf, checkedToken, isLoopback } from '../connection.ts';
import { CliError } from '../errors.ts';
import { exitCode } from '../exit-codes.ts';
import { readCredentials, removeCredentials, writeCredentials } from '../files/credentials.ts';
import { defaultProfile } from '../files/profiles.ts';
import { readAll } from '../output/io.ts';
import { renderObject } from '../output/render.ts';
import { safeText } from '../output/safe.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { profileOf, type Profile } from '../profile.ts';
import type { Invocation } from '../spec.ts';

/** One line of fields: TSV and tables take no nested ones. */
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
    { field: 'token_last_four', header: 'TOKEN ENDS IN', shown: 'table' },
    { field: 'token_expires_at', header: 'TOKEN EXPIRES', shown: 'table', time: true },
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
  const { tokenFrom, profile } = api.connection;
  if (tokenFrom === 'SERVICE_TOKEN') call.io.aside('The token is that of SERVICE_TOKEN.');
  else if (profile.name !== defaultProfile) call.io.aside(`Profile ${profile.name}, from ${profile.from}.`);
}

/** The token is tried before it is kept: a wrong one leaves what was kept before. */
export async function login(call: Invocation): Promise<void> {
  const { environment, flags, io } = call;
  const profile = await profileOf(call);
  const saved = await readCredentials(profile.path);
  const base = baseUrlOf(flags.text('base-url'), saved?.baseUrl, profile.file);
  const { token, from } = await givenToken(call);
  const url = new URL(base.baseUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    io.note(`Warning: ${base.baseUrl} is not encrypted; others on the way can read the token.`);
  const api = clientOf(call, { ...base, token, tokenFrom: from, profile });
  const { body } = await api.get('/api/whoami', {}).catch(sayNothingWasKept);
  await writeCredentials(profile.path, token, base.baseUrl);
  const { org, role, user } = body.data;
  if (flags.on('json'))
    io.out.write(`${JSON.stringify({ data: { base_url: base.baseUrl, org_id: org.id, org_name: org.name, role } })}\n`);
  const who = user?.email ?? 'the org itself';
  io.note(safeText(`Signed in to ${base.baseUrl} as ${who} (${role}) of ${org.name}${profileText(profile)}.`));
  if (profile.from === '--profile' && profile.name !== defaultProfile)
    io.note(`To use it without the flag: cli context use ${profile.name}`);
  else if (environment.serviceToken !== undefined)
    io.note(`SERVICE_TOKEN is set: it is used instead of ${profile.path} as long as it is.`);
}

export async function logout(call: Invocation): Promise<void> {
  const { environment, flags, io } = call;
  const profile = await profileOf(call);
  const saved = await readCredentials(profile.path).catch(() => undefined);
  const removed = await removeCredentials(profile.path);
  if (flags.on('json')) io.out.write(`${JSON.stringify({ data: { signed_out: removed } })}\n`);
  const ending = saved?.token?.slice(-4);
  io.note(`${removed ? 'Signed out' : 'Nobody was signed in'}${profileText(profile)}.`);
  if (environment.serviceToken !== undefined) io.note('SERVICE_TOKEN is still set, and still used.');
  if (removed) {
    io.note(
      `Token is still valid on the server. Revoke it: cli tokens revoke <id>${ending === undefined ? '' : `   (it ends in ${ending}; an admin finds its id by: cli tokens list)`}`,
    );
  }
}

const profileText = ({ name }: Profile) => (name === defaultProfile ? '' : `, profile ${name}`);

async function givenToken({ environment, flags, io }: Invocation): Promise<{ token: string; from: string }> {
  const flag = flags.text('token');
  if (flag === '-') return { token: checkedToken((await readAll(io.input)).toString('utf8'), 'stdin'), from: 'stdin' };
  if (flag !== undefined) {
    io.note(
      'Warning: a token on the command line stays in the shell’s history and shows in ps. Safer: cli login --token - < file',
    );
    return { token: checkedToken(flag, '--token'), from: '--token' };
  }
  if (environment.serviceToken !== undefined) {
    io.note('Using the token of SERVICE_TOKEN.');
    return { token: checkedToken(environment.serviceToken, 'SERVICE_TOKEN'), from: 'SERVICE_TOKEN' };
  }
  throw new CliError('signing in by browser is not there yet, and no token was given', {
    code: 'unauthorized',
    exit: exitCode.auth,
    hint: 'Run: cli login --token <token>   or: cli login --token - < file   or set SERVICE_TOKEN',
  });
}

function sayNothingWasKept(error: unknown): never {
  if (!(error instanceof CliError)) throw error;
  const { code, exit, requestId, raw } = error;
  const hint =
    exit === exitCode.auth
      ? 'Nothing was saved. Check the token, and the address it belongs to.'
      : `Nothing was saved. ${error.hint ?? ''}`;
  throw new CliError(error.message, { code, exit, requestId, raw, hint, cause: error });
}
