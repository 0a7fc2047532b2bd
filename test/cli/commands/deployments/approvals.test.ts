import { expect, test } from 'vitest';
import { signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

/** A deployment that two people must approve, the org as its author, and the homes of two of them. */
async function startApprovals() {
  const world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2', 'amr-3']) await make.robot(name, key);
  const release = await make.release({ tag: 'nav-1.8.2' });
  const policy = await make.policy({ rollout: { waves: [{ name: 'canaries', count: 1 }], approval: { people: 2 } } });
  const wish = { target_kind: 'fleet', target_id: key.fleet_id, rollout_policy_id: policy.id };
  const deployment = await make.deployment({ ...wish, release_id: release.id });
  const homeOf = async (name: string) =>
    startHome({ SERVICE_TOKEN: await make.userToken('operator', `${name}@example.com`), TEST_BASE_URL: world.url });
  const homes = [await homeOf('ana'), await homeOf('bob'), await signedInHome(world)] as const;
  return {
    world,
    make,
    wish,
    id: deployment.id as string,
    hash: deployment.approval.plan_hash as string,
    ana: homes[0],
    bob: homes[1],
    author: homes[2],
    async [Symbol.asyncDispose]() {
      for (const home of homes) await home[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('a person sees what is approved, is asked, and what was shown is what is approved', async () => {
  await using it = await startApprovals();
  const refused = await it.ana.cli(['deployments', 'approve', it.id], { columns: 200, input: 'n\n' });
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('nothing was sent')]);
  const words = ['deployments', 'approve', it.id, '--reason', 'tested', '--no-color'];
  const done = await it.ana.cli(words, { columns: 200, input: 'y\n' });
  const text = done.stdout.replaceAll('\r', '');
  expect(text).toContain(`Approve the deployment ${it.id}`);
  for (const line of [
    /Brings +nav-1\.8\.2/,
    /Target +pickers/,
    /Author +org token/,
    /Robots +3, 0 online/,
    /Waves +canaries: 1; 2: 2/,
    /Approved +0 of 2/,
    /Expires +in 23h/,
    new RegExp(`Plan hash +${it.hash}`),
    /Continue\? \[y\/N\]/,
    /APPROVED +1 of 2, by ana@example\.com/,
    /It needs 1 more person/,
  ])
    expect(text).toMatch(line);
  expect(done.code).toBe(0);
});

test('a script approves by the hash that was read, and nothing that nobody read', async () => {
  await using it = await startApprovals();
  const unread = await it.ana.cli(['deployments', 'approve', it.id]);
  expect([unread.code, unread.stderr]).toEqual([2, expect.stringContaining('--plan-hash is required')]);
  expect((await it.ana.cli(['deployments', 'approve', it.id, '--yes'], { columns: 200 })).code).toBe(2);
  const wrong = await it.ana.cli(['deployments', 'approve', it.id, '--plan-hash', '0'.repeat(64)]);
  expect([wrong.code, wrong.stderr]).toEqual([expect.any(Number), expect.stringContaining('executes another plan')]);
  const hash = (await it.ana.cli(['deployments', 'show', it.id, '--jq', '.data.approval.plan_hash'])).stdout;
  const read = hash.trim().replaceAll('"', '');
  expect(read).toBe(it.hash);
  const other = await it.ana.cli(['deployments', 'approve', it.id, '--plan-hash', read, '--wave', '2']);
  expect(other.stderr).toContain('waits for approval of its beginning, not of wave 2');
  const first = await it.ana.cli(['deployments', 'approve', it.id, '--plan-hash', read, '--fields', 'request']);
  expect(JSON.parse(first.stdout)).toMatchObject({ approved_by: ['ana@example.com'] });
  expect((await it.author.cli(['deployments', 'approve', it.id, '--plan-hash', read])).stderr).toContain(
    'the author of a deployment cannot approve it',
  );
  expect((await it.bob.cli(['deployments', 'approve', it.id, '--plan-hash', read])).code).toBe(0);
  const resumed = await it.bob.cli(['deployments', 'list', '--waiting-on', 'approval', '--fields', 'id']);
  expect(resumed.stdout).toBe('');
});

test('what waits for approval says so with who approved it, in lists, details and while it is watched', async () => {
  await using it = await startApprovals();
  const list = async () =>
    (await it.bob.cli(['deployments', 'list', '--waiting-on', 'approval', '--fields', 'id,status'])).stdout;
  expect(await list()).toBe(`${it.id}\tpaused\n`);
  await it.ana.cli(['deployments', 'approve', it.id, '--plan-hash', it.hash, '--reason', 'tested']);
  const shown = await it.bob.cli(['deployments', 'show', it.id, '--no-color'], { columns: 200 });
  expect(shown.stdout).toMatch(/WAITS FOR +approval: 1 of 2, by ana@example\.com; expires in 23h/);
  expect(shown.stdout).toMatch(
    /Approvals\s+WHEN +WAVE +BY +DECISION +REASON\s+.+ 0 +ana@example\.com +approves +tested/,
  );
  const watched = await it.bob.cli(['deployments', 'watch', it.id, '--timeout', '1s']);
  expect(watched.stderr).toMatch(/Not ended after 1s: approval: 1 of 2, by ana@example\.com; expires in 23h/);
});

test('a rejection needs a reason, and ends what has not begun', async () => {
  await using it = await startApprovals();
  const silent = await it.ana.cli(['deployments', 'reject', it.id, '--plan-hash', it.hash]);
  expect([silent.code, silent.stderr]).toEqual([2, expect.stringContaining('a rejection needs --reason')]);
  const words = ['deployments', 'reject', it.id, '--plan-hash', it.hash, '--reason', 'not on a Friday'];
  expect((await it.ana.cli(words)).code).toBe(0);
  const watched = await it.bob.cli(['deployments', 'watch', it.id]);
  expect(watched.code).toBe(7);
  expect(watched.stderr).toContain('the deployment ended as cancelled: a person rejected it');
  const again = await it.bob.cli(['deployments', 'approve', it.id, '--dry-run']);
  expect(again.stderr).toContain('the deployment does not wait for approval: it is cancelled');
});

test('a config deployment is approved and rejected too', async () => {
  await using it = await startApprovals();
  const config = await it.make.config();
  for (const [decision, status] of [
    ['approve', 'scheduled'],
    ['reject', 'cancelled'],
  ] as const) {
    const { id, approval } = await it.make.deployment({ ...it.wish, config_id: config.id });
    const words = ['configs', decision, id, '--plan-hash', approval.plan_hash, '--reason', 'looked at'];
    expect((await it.ana.cli(words)).code).toBe(0);
    if (decision === 'approve') expect((await it.bob.cli(words)).code).toBe(0);
    const shown = await it.bob.cli(['configs', 'deployment', id, '--fields', 'status']);
    expect([status, 'pending']).toContain(shown.stdout.trim());
  }
});
