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
  toldLine,
  typeScriptScenario,
} from './client-generators.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

/** Generating and compiling take seconds, and a minute on a machine where all tests run at once. */
const patientMs = 300_000;

/** What every client has to see, read from its typed values. */
const whatIsThere = {
  org: 'local',
  site: 'Kobe',
  fleet: 'pickers',
  key: 'svc_enroll_',
  robots: [['amr-1', 'amr-2'], ['amr-3', 'amr-4'], ['amr-5']],
  missing: { status: 404, code: 'not_found', message: 'robot not found' },
  refused: { status: 400, code: 'bad_request', message: 'cursor: not a next_cursor of this list' },
  deploymentAgain: true,
  target: 'fleet',
};

async function fiveRobots(): Promise<World> {
  const world = await startIsolatedWorld();
  const made = factories(world);
  const key = await made.key();
  for (const number of [1, 2, 3, 4, 5]) await made.robot(`amr-${number}`, key);
  return world;
}

/** What `docs/how-to/generate-a-client.md` tells its reader to type, with this world's document. */
const inTypeScript = {
  'hey-api': 'openapi-ts',
  'swagger-typescript-api': 'swagger-typescript-api',
  oazapfts: 'oazapfts',
  zodios: 'openapi-zod-client',
};

testTypeScript.for(Object.entries(inTypeScript))(
  'a client by %s of the hosted document compiles in strict mode, and its first calls work',
  { timeout: patientMs },
  async ([scenario, bin]) => {
    await using world = await fiveRobots();
    const args = toldLine(bin, world.url);
    expect(await typeScriptScenario({ bin, args, scenario }, world.url, world.orgToken)).toEqual(whatIsThere);
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
    const args = toldLine('openapi', world.url).map((word) => (word === 'openapi.json' ? file : word));
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
