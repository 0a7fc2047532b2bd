import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import samples from '../../generated/samples.json' with { type: 'json' };
import { bin } from '../support/cli.ts';
import { operations } from '../support/operations.ts';
import { artifact, callSamples, runProgram, type ReadySample } from './samples.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(repository, 'node_modules/typescript/bin/tsc');
const python = '/usr/bin/python3';

/** A script of the shell that people type samples into, to its end. */
async function runScript(script: string, folder: string, env: Record<string, string>): Promise<string> {
  const name = `${randomUUID()}.sh`;
  await writeFile(join(folder, name), script);
  return runProgram('/bin/bash', [name], folder, env);
}

/** Says nothing but of a sample that failed. */
const guarded = ({ id, source }: ReadySample) =>
  `{ ${source}; } >printed.$$ 2>&1 || { echo "${id} failed"; cat printed.$$; } >&2`;

test('every operation of the contract has a sample in each of the four languages', () => {
  expect(Object.keys(samples).sort()).toEqual(operations.map(({ id }) => id).sort());
  for (const own of Object.values(samples))
    expect(own.map(({ label }) => label)).toEqual(['curl', 'cli', 'TypeScript', 'Python']);
});

test('the reference reads samples at the address of the service, and what generators read has none', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_PUBLIC_URL: 'https://fleet.example.com' } });
  const text = async (path: string) => (await fetch(`${world.url}${path}`)).text();
  const shown = JSON.parse(await text('/docs/openapi.json')) as {
    paths: Record<string, { post: { 'x-codeSamples': { source: string }[] } }>;
  };
  expect(shown.paths['/api/sites']?.post['x-codeSamples'][0]?.source).toBe(`curl https://fleet.example.com/api/sites \\
  -H "Authorization: Bearer $SERVICE_TOKEN" \\
  --json '{"name":"Osaka"}'`);
  expect(await text('/openapi.json')).not.toContain('x-codeSamples');
  expect(await readFile(join(repository, 'dist/docs/page.js'), 'utf8')).toContain("'/docs/openapi.json'");
});

testWith('curl')('every sample in curl does what its operation is for', { timeout: 120_000 }, async () => {
  await callSamples('curl', async (ready, folder, env) => {
    const script = ready.map(guarded).join('\n');
    return runScript(`curl() { command curl -sS --fail "$@"; }\n${script}`, folder, env);
  });
});

test('every sample of cli does what its operation is for', { timeout: 120_000 }, async () => {
  await callSamples('cli', async (ready, folder, env) => {
    const setUp = `cli() { "$NODE" "$CLI" "$@" --base-url "$URL" </dev/null; }`;
    // An agent runs until it is told to end; it has enrolled when it says so.
    const line = ({ id, source }: ReadySample) =>
      source.startsWith('cli agent run')
        ? `coproc { exec ${source.replace(/^cli/, '"$NODE" "$CLI"')} --base-url "$URL" 2>&1; }
while read -r line <&"\${COPROC[0]}"; do [[ $line == Connected* ]] && break; done
kill -INT "$COPROC_PID"; wait "$COPROC_PID"`
        : guarded({ id, source });
    const complete = { ...env, CLI: bin, NODE: process.execPath };
    // Side by side, as each is a start of Node; in folders of their own, as one reads the file that another writes.
    const runAll = async (some: ReadySample[], at: number) => {
      const own = join(folder, String(at));
      await mkdir(own);
      await copyFile(join(folder, artifact.name), join(own, artifact.name));
      return runScript([setUp, ...some.map(line)].join('\n'), own, complete);
    };
    // While the org is frozen, no deployment continues.
    const isFreeze = ({ id }: ReadySample) => id === 'setDeploymentFreeze' || id === 'deleteDeploymentFreeze';
    const others = ready.slice(1).filter((each) => !isFreeze(each));
    const thirds = [0, 1, 2].map((turn) => others.filter((_each, at) => at % 3 === turn));
    const complaints = [await runAll(ready.slice(0, 1), 3), ...(await Promise.all(thirds.map(runAll)))];
    complaints.push(await runAll(ready.filter(isFreeze), 4));
    return complaints.join('');
  });
});

testWith('python3')('every sample in Python does what its operation is for', { timeout: 120_000 }, async () => {
  await callSamples('Python', async (ready, folder, env) => {
    await writeFile(join(folder, 'samples.json'), JSON.stringify(ready));
    const runner = `
import json, sys, traceback
for sample in json.load(open("samples.json")):
    try:
        exec(sample["source"], {})
    except Exception:
        print(sample["id"], traceback.format_exc(), file=sys.stderr)
`;
    await writeFile(join(folder, 'run.py'), runner);
    return runProgram(python, ['run.py'], folder, env);
  });
});

test(
  'every sample in TypeScript compiles strictly and does what its operation is for',
  { timeout: 120_000 },
  async () => {
    await callSamples('TypeScript', async (ready, folder, env) => {
      // As npm would link a package of one's own.
      await mkdir(join(folder, 'node_modules'));
      await symlink(repository, join(folder, 'node_modules/fleet-control-service'));
      await symlink(join(repository, 'node_modules/@types'), join(folder, 'node_modules/@types'));
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const files = ready.map(({ id }) => `${id}.ts`);
      for (const { id, source } of ready) await writeFile(join(folder, `${id}.ts`), source);
      const compilerOptions = {
        target: 'es2022',
        module: 'nodenext',
        strict: true,
        types: ['node'],
        skipLibCheck: true,
        noEmitOnError: true,
      };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const errors = await runProgram(process.execPath, [tsc, '-p', '.'], folder, env);
      if (errors !== '') return errors;
      const runner = ready.map(
        ({ id }) => `await import('./${id}.js').catch((error) => console.error('${id}', error));`,
      );
      await writeFile(join(folder, 'run.js'), runner.join('\n'));
      return runProgram(process.execPath, ['--no-warnings', 'run.js'], folder, env);
    });
  },
);
