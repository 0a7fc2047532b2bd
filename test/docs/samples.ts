import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import samples from '../../generated/samples.json' with { type: 'json' };
import { operations, parametersIn, type Operation } from '../support/operations.ts';
import { startScene, type ReadyCall, type Scene } from '../support/scene.ts';
import { tempDir } from '../support/temp-dir.ts';
import { startWorld, type World } from '../support/world.ts';

type Language = 'curl' | 'cli' | 'TypeScript' | 'Python';

/** A sample with the ids of existing objects. */
export interface ReadySample {
  id: string; // of the operation
  source: string;
}

/** The file whose hash the contract's examples have. */
export const artifact = { name: 'nav-1.8.2.tar', bytes: 'test' };

/**
 * Runs every sample of a language, in its own folder. Checks by the service's counters that each called its operation
 * and that nothing was refused. The first one uploads the file that others download. `carryOut` returns the errors.
 */
export async function callSamples(
  language: Language,
  carryOut: (ready: ReadySample[], folder: string, env: Record<string, string>) => Promise<string>,
): Promise<void> {
  await using world = await startWorld();
  await using folder = await tempDir();
  const scene = await startScene(world);
  await recordArtifact(world);
  await writeFile(join(folder.path, artifact.name), artifact.bytes);
  const ready: ReadySample[] = [];
  for (const operation of [operationOf('uploadArtifact'), ...operations.filter(({ id }) => id !== 'uploadArtifact')]) {
    const own = samples[operation.id as keyof typeof samples];
    const source = own.find(({ label }) => label === language)?.source ?? '';
    const call = await scene.call(operation);
    const put = language === 'cli' && !source.startsWith('cli api ') ? ofCommand : ofCall;
    ready.push({
      id: operation.id,
      source: put(source.replaceAll('http://127.0.0.1:8080', world.url), operation, call, scene),
    });
  }
  const before = await counted(world);
  const complaints = await carryOut(ready, folder.path, {
    PATH: process.env['PATH'] ?? '',
    HOME: folder.path,
    URL: world.url,
    SERVICE_TOKEN: world.orgToken,
    SERVICE_ADMIN_TOKEN: world.adminToken,
    SERVICE_ENROLLMENT_KEY: scene.keyValue,
    SERVICE_ROBOT_TOKEN: scene.robotToken,
  });
  expect(complaints).toBe('');
  const grown = async () =>
    [...(await counted(world))].filter(([key, count]) => count > (before.get(key) ?? 0)).map(([key]) => key);
  // A response is counted once it is fully sent, which may be after its caller has read it.
  const undone = async () => {
    const done = new Set((await grown()).filter((key) => / 20\d$/.test(key)).map((key) => key.split(' ')[0]));
    return operations.map(({ id }) => id).filter((id) => !done.has(id));
  };
  await expect.poll(undone).toEqual([]);
  expect((await grown()).filter((key) => !/ [23]\d\d$/.test(key))).toEqual([]);
}

/** Runs a program to its end and returns its stderr; after a code other than 0, all its output. */
export const runProgram = (
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string> =>
  promisify(execFile)(program, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 }).then(
    ({ stderr }) => stderr,
    (error: unknown) => {
      const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
      return `${program} ended with ${code}\n${stdout}${stderr}`;
    },
  );

/** A release of the file; the upload sample sends its bytes. */
async function recordArtifact(world: World): Promise<void> {
  const hash = String(parametersIn(operationOf('uploadArtifact'), 'path')[0]?.example);
  await world.call('POST', '/api/releases', {
    body: { artifact_sha256: hash, artifact_size: artifact.bytes.length, tag: 'nav-1.8.2' },
  });
}

const operationOf = (id: string): Operation => {
  const found = operations.find((each) => each.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
};

/** The value that replaces the parameter in the path of a ready call. */
const objectOf = ({ path: template }: Operation, { path }: ReadyCall) =>
  path.split('/')[template.split('/').findIndex((part) => part.startsWith('{'))] ?? '';

/** A sample with paths and bodies: existing values replace their examples. The artifact of the examples exists. */
function ofCall(source: string, operation: Operation, call: ReadyCall): string {
  const example = String(parametersIn(operation, 'path')[0]?.example);
  let ready = operation.path.includes('{sha256}') ? source : source.replaceAll(example, objectOf(operation, call));
  for (const [name, said] of Object.entries((operation.body?.example ?? {}) as Record<string, unknown>))
    if (typeof said === 'string' && name !== 'artifact_sha256')
      ready = ready.replaceAll(said, String(call.body?.[name]));
  return operation.id === 'createRelease' ? ready.replace(/\b183500800\b/, String(artifact.bytes.length)) : ready;
}

/** A sample with names: ids replace them, because samples rename, archive and delete. A new name is one of its own. */
export function ofCommand(source: string, operation: Operation, call: ReadyCall, scene: Scene): string {
  if (source.includes(' cli api ')) return ofCall(source, operation, call);
  const own = operation.path.includes('{id}') ? objectOf(operation, call) : '';
  const ready = source
    .replace(/\b0198c5a2-[\da-f-]{27}\b/, own)
    .replace(/--plan-hash \w+/, `--plan-hash ${String(call.body?.['plan_hash'])}`)
    .replace('--site Osaka', `--site ${scene.siteId}`)
    .replace(/(--fleet|fleets logs) pickers/, `$1 ${scene.fleetId}`)
    .replace(/((?:sites|fleets|policies|budgets|redactions) create) [\w-]+/, `$1 "${String(call.body?.['name'])}"`)
    .replace('--robot amr-007', `--robot ${scene.robotId}`)
    .replace(/((?:sites|fleets|releases|configs) (?:rename|delete|archive)) [\w.-]+/, `$1 ${own}`)
    .replace(/((?:policies|budgets|redactions) (?:show|update|delete)) (?:careful|pickers|door-code)/, `$1 ${own}`);
  if (operation.path.startsWith('/api/users/')) return ready.replace('kim@example.com', own);
  return ready.replace(/(robots \S+|ticket) amr-007/, `$1 ${own === '' ? scene.robotId : own}`);
}

/** The service's counters: calls by operation and status. */
async function counted(world: World): Promise<Map<string, number>> {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  return new Map(
    [...text.matchAll(/^fleet_http_requests_total\{operation="(\w+)",status="(\d+)"\} (\d+)$/gm)].map(
      ([, operation = '', status = '', count = '']) => [`${operation} ${status}`, Number(count)],
    ),
  );
}
