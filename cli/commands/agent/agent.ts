import { enroll, EnrollmentRefused, type NewIdentity } from '../../agent/enroll.ts';
import { envelopeOf, networkFailure } from '../../api/api-errors.ts';
import { caCertificatesOf } from '../../api/ca-certificates.ts';
import { baseUrlOf, checkedBaseUrl, checkedToken, proxyFor } from '../../api/connection.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { defaultProfile } from '../../files/profiles.ts';
import { endEnrollment } from '../../files/enrollment-attempt.ts';
import {
  checkIdentityReplaceable,
  identityPath,
  readIdentity,
  removeIdentity,
  type Identity,
} from '../../files/identity.ts';
import { removeSigners } from '../../files/signers.ts';
import { looseMode } from '../../files/toml-file.ts';
import { safeText } from '../../output/safe.ts';
import { missingProfile, profileOf, savedIn } from '../../api/profile.ts';
import { agentOf } from '../../command-line/program.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { asOnlyAgent } from './agent-lock.ts';
import { keepKeysForEnrollment, pinKeys, wantedKeys, type Keys } from './agent-signers.ts';

export const runAgent = (call: Invocation) => asOnlyAgent(call, run);
/** Excludes a running agent, which would keep its identity. */
export const forgetAgent = (call: Invocation) => asOnlyAgent(call, forget);

/** Enrolls this machine unless it is a robot already, then runs its agent. */
async function run(call: Invocation): Promise<number> {
  const { command, environment, flags, io } = call;
  // Nothing may end the agent because its log is full or its reader has gone.
  io.out.onFailure(() => undefined);
  const path = identityPath(environment.configDirectory);
  const known = await readIdentity(environment.configDirectory, agentOf(command)).catch((error: unknown) => {
    if (flags.on('fresh')) return undefined;
    throw error;
  });
  const loose = known && (await looseMode(path));
  if (loose !== undefined) io.note(`Warning: ${path} is open to other users (${loose}). Run: chmod 600 ${path}`);
  const isNew = known === undefined || flags.on('fresh');
  const keys = await wantedKeys(call);
  const identity = isNew ? await enrollNow(call, known, keys) : known;
  tell(call, identity, isNew);
  if (isNew && known) tellReplaced(call, identity, known);
  const takesSignedOnly = await pinKeys(call, identity, isNew, keys);
  // Loaded only when needed: a failed enrollment does not load it.
  const { runUntilStopped } = await import('./agent-run.ts');
  const { baseUrl } = await backendOf(call, identity);
  return runUntilStopped(call, identity, { backendUrl: baseUrl, takesSignedOnly });
}

async function forget({ command, environment, flags, io }: Invocation): Promise<void> {
  const known = await readIdentity(environment.configDirectory, agentOf(command)).catch(() => undefined);
  const removed = await removeIdentity(environment.configDirectory);
  await removeSigners(environment.configDirectory);
  await endEnrollment(environment.configDirectory);
  if (flags.on('json')) io.out.write(`${JSON.stringify({ data: { forgotten: removed } })}\n`);
  io.note(
    removed
      ? safeText(`This machine is no longer ${known?.robotName ?? 'a robot'}.`)
      : 'This machine is not a robot; there is nothing to remove.',
  );
  if (removed) io.note(`The robot stays in the list. Remove it with: cli robots remove ${known?.robotId ?? '<robot>'}`);
}

async function enrollNow(call: Invocation, known: Identity | undefined, keys: Keys | undefined): Promise<NewIdentity> {
  const { command, environment, flags, version } = call;
  const why = flags.on('fresh') ? '--fresh enrolls again' : 'this machine is not a robot yet';
  const enrollmentKey = enrollmentKeyOf(call, `${why}, and no enrollment key was given`, 'run');
  const { baseUrl, baseUrlFrom } = await backendOf(call, known);
  const url = new URL(baseUrl);
  // The call uses up a key, so everything that could fail later is checked first.
  await checkIdentityReplaceable(environment.configDirectory, agentOf(command));
  if (keys && !known) await keepKeysForEnrollment(call, keys);
  try {
    return await enroll({
      configDirectory: environment.configDirectory,
      backendUrl: baseUrl,
      enrollmentKey,
      replaces: known?.robotId,
      name: flags.text('name'),
      oldToken: known?.backendUrl === baseUrl ? known.robotToken : undefined,
      proxy: proxyFor(url, environment),
      authorities: await caCertificatesOf(call),
      userAgent: `cli/${version}`,
    });
  } catch (error) {
    throw error instanceof EnrollmentRefused
      ? enrollmentRefused(error, baseUrl, baseUrlFrom)
      : networkFailure(error, url, baseUrlFrom);
  }
}

/**
 * The enrollment key of the flag, else of the environment. Throws CliError with the message `missing` if there is none;
 * `word` is `run` or `simulate`.
 */
export function enrollmentKeyOf({ command, environment, flags }: Invocation, missing: string, word: string): string {
  const flag = flags.text('enrollment-key');
  const key = flag ?? environment.enrollmentKey;
  if (key === undefined) {
    throw new CliError(missing, {
      code: 'unauthorized',
      exit: exitCode.auth,
      hint: `Run: ${agentOf(command)} ${word} --enrollment-key <key>   or set SERVICE_ENROLLMENT_KEY. Create a key with: cli keys new`,
    });
  }
  return checkedToken(key, flag === undefined ? 'SERVICE_ENROLLMENT_KEY' : '--enrollment-key');
}

/**
 * `--backend-url`, else agent.toml, else the profile's file, else the default. `--base-url` has the same effect as
 * `--backend-url`.
 */
export async function backendOf(call: Invocation, known: Identity | undefined) {
  const { flags } = call;
  const flag = flags.text('backend-url');
  if (flag !== undefined) return { baseUrl: checkedBaseUrl(flag, '--backend-url'), baseUrlFrom: '--backend-url' };
  if (known && flags.text('base-url') === undefined)
    return { baseUrl: checkedBaseUrl(known.backendUrl, 'agent.toml'), baseUrlFrom: 'agent.toml' };
  const flagged = flags.text('base-url');
  if (flagged !== undefined) return baseUrlOf(flagged, undefined, '');
  const profile = await profileOf(call);
  const credentials = await savedIn(profile);
  if (!credentials && profile.name !== defaultProfile) throw await missingProfile(call, profile);
  return baseUrlOf(undefined, credentials?.baseUrl, profile.file);
}

export function enrollmentRefused(
  { status, body, requestId }: EnrollmentRefused,
  baseUrl: string,
  baseUrlFrom: string,
): CliError {
  const envelope = envelopeOf(body);
  if (!envelope) {
    return new CliError(`${baseUrl} responded with ${status}, in a format that is not the service’s`, {
      hint: `The address is from ${baseUrlFrom}. Check it.`,
      requestId,
    });
  }
  const isKey = status === 401;
  return new CliError(isKey ? `Enrollment key rejected: ${envelope.message}` : envelope.message, {
    code: envelope.code,
    exit: isKey ? exitCode.auth : status === 409 ? exitCode.conflict : exitCode.error,
    hint: isKey ? 'It is unknown, expired, revoked or used up. Create another with: cli keys new' : undefined,
    requestId,
    raw: body,
  });
}

/** What became of the robot that this machine was. */
function tellReplaced({ io }: Invocation, { replaces }: Partial<NewIdentity>, known: Identity): void {
  io.note(
    safeText(
      replaces === known.robotId
        ? `Robot ${known.robotId} is retired; its timeline and logs stay.`
        : `Warning: robot ${known.robotName} was not retired: the service does not accept its token. It stays in the list. Remove it with: cli robots remove ${known.robotId}`,
    ),
  );
}

function tell({ environment, flags, io }: Invocation, identity: Identity, isNew: boolean): void {
  const { robotId, robotName, orgId, siteId, fleetId, backendUrl } = identity;
  if (flags.on('json')) {
    const data = {
      backend_url: backendUrl,
      robot_id: robotId,
      robot_name: robotName,
      org_id: orgId,
      site_id: siteId,
      fleet_id: fleetId,
    };
    io.out.write(`${JSON.stringify({ data })}\n`);
  } else {
    io.out.write(`${safeText(`${robotName}\t${robotId}`)}\n`);
  }
  const name = flags.text('name');
  if (isNew) io.note(`Enrolled at ${backendUrl}; stored in ${identityPath(environment.configDirectory)}`);
  if (name !== undefined && name !== robotName)
    io.note(
      safeText(`Its name is ${robotName}, set at enrollment. Rename it with: cli robots rename ${robotId} ${name}`),
    );
}
