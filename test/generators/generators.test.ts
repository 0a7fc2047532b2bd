import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { factories } from '../support/factories.ts';
import {
  goScenario,
  pythonScenario,
  testGo,
  testPython,
  testTypeScript,
  typeScriptScenario,
} from '../support/generators.ts';
import { startWorld, type World } from '../support/world.ts';

/** Generating and compiling take seconds, and a minute on a machine where all tests run at once. */
const patientMs = 300_000;

/** What every client has to see, read from its typed values. */
const whatIsThere = {
  org: 'local',
  site: 'Osaka',
  fleet: 'pickers',
  key: 'svc_enroll_',
  robots: [['amr-1', 'amr-2'], ['amr-3', 'amr-4'], ['amr-5']],
  missing: { status: 404, code: 'not_found', message: 'robot not found' },
  refused: { status: 400, code: 'bad_request', message: 'cursor: not a next_cursor of this list' },
  deploymentAgain: true,
  target: 'fleet',
};

async function fiveRobots(): Promise<World> {
  const world = await startWorld();
  const made = factories(world);
  const key = await made.key();
  for (const number of [1, 2, 3, 4, 5]) await made.robot(`amr-${number}`, key);
  return world;
}

const document = (world: World) => `${world.url}/openapi.json`;

const inTypeScript = {
  'hey-api': (world: World) => ({
    bin: 'openapi-ts',
    args: ['-i', document(world), '-o', 'client', '-c', '@hey-api/client-fetch'],
  }),
  'swagger-typescript-api': (world: World) => ({
    bin: 'swagger-typescript-api',
    args: ['generate', '-p', document(world), '-o', 'client', '-n', 'api.ts'],
  }),
  oazapfts: (world: World) => ({ bin: 'oazapfts', args: [document(world), 'client.ts'] }),
  zodios: (world: World) => ({
    bin: 'openapi-zod-client',
    args: [document(world), '-o', 'client.ts', '--export-schemas'],
  }),
};

testTypeScript.for(Object.entries(inTypeScript))(
  'a client by %s of the hosted document compiles in strict mode, and its first calls work',
  { timeout: patientMs },
  async ([name, how]) => {
    await using world = await fiveRobots();
    expect(await typeScriptScenario({ ...how(world), scenario: name }, world.url, world.orgToken)).toEqual(whatIsThere);
    expect(await world.count('deployments')).toBe(1);
  },
);

testTypeScript(
  'a client by openapi-typescript-codegen, which reads files alone, compiles in strict mode, and its first calls work',
  { timeout: patientMs },
  async () => {
    await using world = await fiveRobots();
    const file = join(tmpdir(), `${randomUUID()}.json`);
    onTestFinished(() => rm(file));
    await writeFile(file, (await world.call('GET', '/openapi.json', { token: '' })).text);
    const args = ['--input', file, '--output', 'client', '--client', 'fetch', '--useOptions', '--name', 'FleetClient'];
    const generator = { bin: 'openapi', args, scenario: 'openapi-typescript-codegen' };
    expect(await typeScriptScenario(generator, world.url, world.orgToken)).toEqual(whatIsThere);
    expect(await world.count('deployments')).toBe(1);
  },
);

testGo(
  'a client for Go by openapi-generator of the hosted 3.0 document builds and vets, and its first calls work',
  { timeout: patientMs },
  async () => {
    await using world = await fiveRobots();
    expect(await goScenario(world.url, world.orgToken)).toEqual(whatIsThere);
    expect(await world.count('deployments')).toBe(1);
  },
);

testPython(
  'a client for Python by openapi-generator of the hosted 3.0 document loads, and its first calls work',
  { timeout: patientMs },
  async () => {
    await using world = await fiveRobots();
    expect(await pythonScenario(world.url, world.orgToken)).toEqual(whatIsThere);
    expect(await world.count('deployments')).toBe(1);
  },
);
