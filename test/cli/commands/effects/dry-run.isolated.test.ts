import { expect, test } from 'vitest';
import { catalog } from '../../../../cli/command-specs/index.ts';
import samples from '../../../../generated/samples.json' with { type: 'json' };
import { ofCommand } from '../../../docs/samples.ts';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { operations } from '../../../support/operations.ts';
import { startScene } from '../../../support/scene.ts';
import { commandsOf } from '../../../support/shell-words.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

/** They run until they are ended, and are no single change. */
const longRunning = ['agent run', 'agent simulate', 'demo'];

/** A dry run of a deployment is a plan, which is a request of its own. */
const planning = ['createDeployment', 'createConfigDeployment', 'createDeploymentPlan'];

test('every command whose operations change something has --dry-run', () => {
  const changing = new Set(
    operations
      .filter(({ method, storesNothing }) => !['GET', 'HEAD'].includes(method) && !storesNothing)
      .map(({ id }) => id),
  );
  const without = catalog.commands.filter(
    ({ path, changes, operations: own = [] }) =>
      changes === undefined && own.some((id) => changing.has(id)) && !longRunning.includes(path),
  );
  expect(without.map(({ path }) => path)).toEqual([]);
});

test('every sample of a change prints its request with --dry-run, and the service receives none', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const scene = await startScene(world);
  await factories(world).release({ tag: 'nav-1.8.2' });
  const lines: { id: string; method: string; words: string[] }[] = [];
  for (const operation of operations) {
    const source = samples[operation.id as keyof typeof samples].find(({ label }) => label === 'cli')?.source ?? '';
    if (planning.includes(operation.id) || operation.storesNothing) continue;
    if (['GET', 'HEAD'].includes(operation.method) || !/^cli (?!agent|releases push)/.test(source)) continue;
    const call = await scene.call(operation);
    const [words = []] = commandsOf(ofCommand(source, operation, call, scene));
    lines.push({ id: operation.id, method: operation.method, words: words.slice(1) });
  }
  const written = () => world.db('audit').count<{ count: string }[]>().first();
  const before = await written();
  for (const { id, method, words } of lines) {
    const { code, stdout, stderr } = await home.cli([...words, '--dry-run']);
    expect([id, code, stderr]).toEqual([id, 0, expect.stringMatching(/Dry run: nothing was sent\.\n$/)]);
    expect(stdout, id).toMatch(new RegExp(`^${method} /api/`));
    const json = await home.cli([...words, '--dry-run', '--json']);
    expect(JSON.parse(json.stdout), id).toMatchObject({ method, path: expect.stringMatching(/^\/api\//) as string });
    const filtered = await home.cli([...words, '--dry-run', '--jq', '.method']);
    expect([id, filtered.stdout]).toEqual([id, `${method}\n`]);
  }
  expect(lines.length).toBeGreaterThan(25);
  expect(await written()).toEqual(before);
});
