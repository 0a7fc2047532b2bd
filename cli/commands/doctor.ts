import { withoutRetries } from '../api/api.ts';
import { connectionOf, type ApiAccess } from '../api/connection.ts';
import { checkAgent } from './doctor/agent.ts';
import type { Check } from './doctor/check.ts';
import { checkEncryption, checkEnvironment, checkName, checkService, checkToken, textOf } from './doctor/checks.ts';
import { checkFiles } from './doctor/files.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { defaultProfile } from '../files/profiles.ts';
import type { Tone } from '../command-line/colour.ts';
import { safeCell } from '../output/safe.ts';
import type { Invocation } from '../command-line/command-spec.ts';

const tones: Record<Check['status'], Tone> = { ok: 'good', warn: 'warn', fail: 'bad' };

/** Runs and prints the checks in order of dependency. */
export async function doctor(call: Invocation): Promise<number> {
  const { io, flags } = call;
  // A transient failure is a finding too, so requests are not retried.
  const checks = await allChecks(withoutRetries(call));
  if (flags.on('json')) {
    io.out.write(`${JSON.stringify({ data: { checks } })}\n`);
  } else {
    for (const { name, status, message } of checks) io.out.write(line(call, name, status, message));
  }
  const failed = checks.filter(({ status }) => status === 'fail').length;
  if (failed > 0) io.note(`${failed} of ${checks.length} checks failed.`);
  return failed > 0 ? exitCode.error : exitCode.ok;
}

async function allChecks(call: Invocation): Promise<Check[]> {
  const [files, agent] = await Promise.all([checkFiles(call), checkAgent(call)]);
  let connection: ApiAccess;
  try {
    connection = await connectionOf(call);
  } catch (error) {
    return [files, ...agent, { name: 'settings', status: 'fail', message: textOf(error) }];
  }
  const url = new URL(connection.baseUrl);
  const settings: Check = {
    name: 'settings',
    status: 'ok',
    message: `${connection.baseUrl}, from ${connection.baseUrlFrom}${profileText(connection)}`,
  };
  const environment = await checkEnvironment(call, url);
  const before = [files, ...agent, settings, environment, checkEncryption(url)];
  // With a proxy, the proxy resolves the name.
  const name = environment.status === 'ok' ? [await checkName(url)] : [];
  if (name.some(({ status }) => status === 'fail')) return [...before, ...name];
  const service = await checkService(call, connection);
  const reached = service.length > 1;
  return [...before, ...name, ...service, ...(reached ? await checkToken(call) : [])];
}

function profileText({ profile: { name, from } }: ApiAccess): string {
  return name === defaultProfile ? '' : `; profile ${name}, from ${from}`;
}

function line({ io: { out } }: Invocation, name: string, status: Check['status'], message: string): string {
  if (!out.tty) return `${status}\t${name}\t${safeCell(message)}\n`;
  return `${out.paint(status.padEnd(5), tones[status])} ${name.padEnd(12)} ${safeCell(message)}\n`;
}
