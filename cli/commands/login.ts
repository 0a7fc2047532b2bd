import { isatty } from 'node:tty';
import { clientOf, inOrg } from '../api/api.ts';
import { checkedBaseUrl, checkedToken, isLoopback, type ApiAccess } from '../api/connection.ts';
import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { readCredentials, removeCredentials, writeCredentials } from '../files/credentials.ts';
import { defaultProfile } from '../files/profiles.ts';
import { checkWritable, setAside, TomlFileError } from '../files/toml-file.ts';
import { readAll, type Io } from '../command-line/io.ts';
import { safeText } from '../output/safe.ts';
import { profileOf, type Profile } from '../api/profile.ts';
import { tokenWarning } from './expiry.ts';
import { addressOf } from './sign-in/address.ts';
import { hiddenLine } from './sign-in/hidden-line.ts';
import { signInByBrowser } from './sign-in/sign-in.ts';
import type { Invocation } from '../command-line/command-spec.ts';

/**
 * Signs in with the given token, else by browser. The token is verified before it is saved: an invalid one leaves the
 * saved one in place. A damaged file is kept under another name, because a setting or a token may be rescued from it.
 */
export async function login(call: Invocation): Promise<void> {
  const { environment, flags, io } = call;
  const profile = await profileOf(call);
  const saved = await readCredentials(profile.path).catch((error: unknown) => {
    if (!(error instanceof TomlFileError)) throw error;
    io.note(`Warning: ${error.message}. The file is ignored.`);
    return 'damaged' as const;
  });
  const base = await addressOf(call, profile, saved === 'damaged' ? undefined : saved?.baseUrl);
  const given = await givenToken(call, base.baseUrl);
  const { token, from } = given ?? (await tokenOfPortal(call, base, profile));
  const url = new URL(base.baseUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    io.note(`Warning: ${base.baseUrl} is not encrypted; others on the network can read the token.`);
  const connection: ApiAccess = { ...base, token, tokenFrom: from, profile };
  // The browser flow already asked for --org; a given token must be valid in that org.
  const { body } = await (given ? inOrg(call, connection) : Promise.resolve(connection))
    .then((chosen) => clientOf(call, chosen).get('/api/whoami', {}))
    .catch(sayNothingWasKept);
  if (saved === 'damaged') io.note(`The previous file is kept as ${await setAside(profile.path)}`);
  await writeCredentials(profile.path, token, base.baseUrl);
  const { org, orgs, role, user, token: tokenNow } = body.data;
  if (flags.on('json'))
    io.out.write(`${JSON.stringify({ data: { base_url: base.baseUrl, org_id: org.id, org_name: org.name, role } })}\n`);
  const who = user ? `${user.email} (${role}) of ${org.name}` : `the org ${org.name} (${role})`;
  io.note(safeText(`Signed in to ${base.baseUrl} as ${who}${profileText(profile)}.`));
  const warning = tokenWarning(tokenNow.expires_at);
  if (warning !== undefined) io.note(warning);
  if (orgs.length > 1)
    io.note(
      `The token is valid in ${orgs.length} orgs. Select one in each command with --org. List them with: cli whoami`,
    );
  if (profile.from === '--profile' && profile.name !== defaultProfile)
    io.note(`To use it without the flag: cli context use ${profile.name}`);
  else if (environment.serviceToken !== undefined)
    io.note(`SERVICE_TOKEN is set and is used instead of ${profile.path} until you unset it.`);
}

export async function logout(call: Invocation): Promise<void> {
  const { environment, flags, io } = call;
  const profile = await profileOf(call);
  const saved = await readCredentials(profile.path).catch(() => undefined);
  const removed = await removeCredentials(profile.path);
  if (flags.on('json')) io.out.write(`${JSON.stringify({ data: { signed_out: removed } })}\n`);
  const ending = saved?.token?.slice(-4);
  io.note(`${removed ? 'Signed out' : 'Was not signed in'}${profileText(profile)}.`);
  if (environment.serviceToken !== undefined) io.note('SERVICE_TOKEN is still set, and still used.');
  if (removed) {
    io.note(
      `Token is still valid on the server. Revoke it: cli tokens revoke <id>${ending === undefined ? '' : `   (its last four are ${ending}; an admin finds its ID with: cli tokens list)`}`,
    );
  }
}

interface GivenToken {
  token: string;
  from: string;
}

const tokenOfPortal = async (
  call: Invocation,
  base: Pick<ApiAccess, 'baseUrl' | 'baseUrlFrom'>,
  profile: Profile,
): Promise<GivenToken> => {
  // Checked before the browser opens: a token that cannot be saved would still be valid.
  await checkWritable(profile.path);
  return { token: await signInByBrowser(call, base, profile), from: 'the sign-in by browser' };
};

const profileText = ({ name }: Profile) => (name === defaultProfile ? '' : `, profile ${name}`);

/** Undefined if neither the command line nor the environment has a token. */
async function givenToken({ environment, flags, io }: Invocation, baseUrl: string): Promise<GivenToken | undefined> {
  const flag = flags.text('token');
  const portal = flags.text('portal-url');
  if (portal !== undefined) checkedBaseUrl(portal, '--portal-url');
  if (flag === '-') return { token: await tokenOnStdin(io), from: 'stdin' };
  if (flag !== undefined) {
    // A service on this machine prints this command itself.
    if (!isLoopback(new URL(baseUrl).hostname))
      io.note(
        'Warning: a token on the command line stays in the shell’s history and shows in ps. Safer: cli login --token - < file',
      );
    return { token: checkedToken(flag, '--token'), from: '--token' };
  }
  if (environment.serviceToken === undefined) return undefined;
  io.note('Using the token from SERVICE_TOKEN.');
  return { token: checkedToken(environment.serviceToken, 'SERVICE_TOKEN'), from: 'SERVICE_TOKEN' };
}

const fromFile = 'cli login --token - < file';

async function tokenOnStdin(io: Io): Promise<string> {
  const text = isatty(0) ? await tokenTyped(io) : (await readAll(io.input)).toString('utf8');
  if (text.trim() !== '') return checkedToken(text, 'stdin');
  throw new CliError('stdin has no token', {
    code: 'unauthorized',
    exit: exitCode.auth,
    hint: `Is the file empty, or did the command before the pipe fail? Run: ${fromFile}`,
  });
}

/** The prompt appears only after echo is off. */
function tokenTyped(io: Io): Promise<string> {
  const line = hiddenLine(io.input);
  io.note('Paste the token and press Enter; it is not shown.');
  return line;
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
