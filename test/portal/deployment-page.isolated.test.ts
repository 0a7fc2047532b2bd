import { expect, test } from 'vitest';
import { reaches, rollBack, returnsOf, view, work } from '../deployments/engine/rollbacks/support.ts';
import { retried } from '../deployments/engine/retries/support.ts';
import { only, some, type LinkedRobot } from '../deployments/engine/support.ts';
import { factories } from '../support/factories.ts';
import { pause, plain, rowsOfTable, startRolloutPages, startSecondWave } from './rollout-page.ts';

test('the page of a rollout has a row for each wave, and what the deployment waits for in the row of the wave that it holds up', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const { id } = await startSecondWave(it);
  const working = rowsOfTable((await page(id)).text, 'Waves');
  expect(working[1]?.[6]).toBe('robots are working on it, since (at)');
  await pause(it, id, 'arm <b>drifts</b>');
  const { text } = await page(id);
  expect(rowsOfTable(text, 'Waves')).toEqual([
    ['1, canaries', 'ended', '2', '2', '2', '0', '', '(at)'],
    ['2', 'in progress', '2', '1', '0', '1', 'it is paused, since (at)', '(at)'],
    ['3', 'not begun', '2', '0', '0', '0', '', '–'],
  ]);
  expect(plain(text)).toContain(
    'State paused (requested: arm &lt;b&gt;drifts&lt;/b&gt;) Waits for it is paused, since (at)',
  );
  await it.world.call('POST', `/api/deployments/${id}/skip`, { body: { wave: 2 } });
  expect(rowsOfTable((await page(id)).text, 'Waves')[1]?.[1]).toBe('skipped');
});

test('a wave that soaks says until when at the earliest, and one that has ended passes the wait on to the next one', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const soaking = { waves: [{ count: 1 }], advance: { soak: '10m', then: 'pause' } };
  const links = await it.robots(2);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout: soaking });
  await it.reaches(id, 'pending');
  await work(it, links);
  await expect.poll(async () => (await view(it, id)).waiting_on?.code).toBe('soak');
  const [first] = rowsOfTable((await page(id)).text, 'Waves');
  expect([first?.[1], first?.[6]]).toEqual([
    'soaks',
    'the soak time of the wave passes, since (at), until (at) at the earliest',
  ]);
  await it
    .db('waves')
    .where({ wave: 1 })
    .update({ soak_started_at: it.db.raw("now() - interval '11 min'") });
  await it.db('deployments').where({ id }).update({ decide_at: it.db.fn.now() });
  await it.reaches(id, 'paused');
  const waits = rowsOfTable((await page(id)).text, 'Waves').map((cells) => cells[6]);
  expect(waits).toEqual(['', 'it is paused, since (at)']);
});

test('the rules of a rollout stand on the page in short lines', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const policy = await factories(it.world).policy({
    name: 'careful',
    rollout: {
      waves: [{ percent: 10 }],
      advance: { applied_percent: 95, min_ended: 3, soak: '30m', offline_after: '1h', then: 'approval' },
      abort: [
        { reasons: ['failed', 'timed_out'], percent: 5, min_ended: 10, within: '1h' },
        { reasons: ['any'], count: 1, per: 'wave', action: 'rollback' },
      ],
      pace: {
        max_in_flight: 50,
        per_minute: 10,
        growth: { factor: 2, after_applied: 100, up_to: 500 },
        downloads_per_site: 4,
      },
      approval: { people: 2 },
      supersede: 'finish',
      gates: { required: true },
      windows: {
        activate: [{ cron: '0 22 * * 1-5', duration: '6h' }],
        blackouts: [{ from: '2026-12-24', to: '2026-12-26' }],
        zone: 'Europe/Berlin',
      },
    },
  });
  await it.robots(1);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout_policy_id: policy.id });
  const text = plain((await page(id)).text);
  for (const line of [
    'Policy careful',
    'Next wave when 95 % applied and 3 ended, for a soak of 30m; robots offline for 1h do not count; people must approve it',
    'Stops if 5 % failed or timed out, of 10 ended or more, within 1h: it is paused',
    '1 robot failed, became unhealthy or run something else, in one wave: it is rolled back',
    'Pace 50 robots at the same time; 10 per minute; times 2 after each 100 applied, up to 500; 4 downloads at the same time per site',
    'Windows update: cron 0 22 * * 1-5 for 6h closed from 2026-12-24 to 2026-12-26 in the time zone Europe/Berlin',
    'Gates robots whose agent asks no gates wait for a newer agent',
    'Approval 2 of role operator or higher, within 1d',
    'Older deployments must end before this one begins',
    'Waits for people must approve it, since (at): 0 of 2 (decide)',
    `Plan ${(await view(it, id)).plan_id as string}`,
  ])
    expect(text).toContain(line);
});

test('the rules name ignored windows as such, and no wait for gates if robots need none', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  await it.robots(1);
  const activate = [{ cron: '0 22 * * 1-5', duration: '6h' }];
  const rollout = { waves: [{ percent: 100 }], gates: { required: true }, windows: { activate, zone: 'UTC' } };
  const release = await it.release();
  const more = { rollout, ignore_windows: true, allow_ungated: true };
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, more);
  const text = plain((await page(id)).text);
  expect(text).toContain('Windows ignored update: cron 0 22 * * 1-5 for 6h in the time zone UTC Older deployments');
  expect(text).not.toContain('Gates');
});

test('a robot says in one sentence what it waits for', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const { id, failed } = await startSecondWave(it);
  const { text } = await page(id);
  expect(rowsOfTable(text, 'Failed robots')[0]?.slice(1, 4)).toEqual(['failed', '2', 'disk full']);
  const others = rowsOfTable(text, 'Other robots').map((cells) => cells.slice(1, 4));
  expect(others[0]).toEqual(['dispatched', '2', 'the robot has not responded yet, since (at)']);
  expect(others[1]).toEqual(['waiting', '3', 'its wave has not begun, since (at)']);
  expect(others.at(-1)).toEqual(['applied', '1', '']);
  expect(text).toContain(`/portal/fleet/robots/${failed}`);
  await it.db('robot_links').update({ replica_id: null });
  const away = rowsOfTable((await page(id)).text, 'Other robots');
  expect(away[0]?.[3]).toBe('the robot is offline, since (at)');
});

test('rollbacks and retries link to what they undo and retry, and back', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const links = await it.robots(2);
  const [older, newer] = [await it.release(), await it.release()];
  const deploy = async (releaseId: string, status: string) => {
    const id = await it.deploy({ releaseId }, { fleet: it.fleetId });
    await it.reaches(id, 'pending');
    await work(it, links, status);
    return id;
  };
  await deploy(older.id, 'applied');
  const bad = await deploy(newer.id, 'applied');
  await rollBack(it, bad);
  await reaches(it, bad, 1);
  const [{ id: rollback }] = await returnsOf(it, bad);
  expect(rowsOfTable((await page(bad)).text, 'Related deployments').map((cells) => cells.slice(0, 2))).toEqual([
    ['r1', 'rolls back this one'],
  ]);
  const back = await page(rollback);
  expect(rowsOfTable(back.text, 'Related deployments').map((cells) => cells.slice(0, 2))).toEqual([
    ['r2', 'rolled back by this one'],
  ]);
  expect(back.text).toContain(`/portal/fleet/deployments/release/${bad}`);
  expect(plain((await page(bad)).text)).toContain('Rolled back requested: robots lose their map, (at)');
  await expect.poll(async () => (await view(it, rollback)).status).toBe('pending');
  await work(it, links);
  await it.reaches(rollback, 'applied');

  const failed = await deploy((await it.release()).id, 'failed');
  const retry = await retried(it, failed, { attempts: 3, reason: 'repaired' });
  expect(rowsOfTable((await page(failed)).text, 'Related deployments').map((cells) => cells.slice(0, 2))).toEqual([
    ['r3', 'retries this one, attempt 1'],
  ]);
  const { text } = await page(retry);
  expect(rowsOfTable(text, 'Related deployments').map((cells) => cells.slice(0, 2))).toEqual([
    ['r3', 'retried by this one'],
  ]);
  expect(plain(text)).toContain('Attempt 1 of 3: repaired');
});

test('a deployment that a newer one holds up or replaces links to it, and names until when robots that match later receive it', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const [robot] = some(await it.robots(2));
  await it.db('robots').update({ labels: { tier: 'a' } });
  await it
    .db('robots')
    .where({ id: robot.robotId })
    .update({ labels: { tier: 'a', line: '2' } });
  const [one, two, three] = [await it.release(), await it.release(), await it.release()];
  const waves = [{ percent: 100 }];
  const dynamic = { dynamic: true, dynamic_until: '2027-06-01T00:00:00Z' };
  const first = await it.deploy({ releaseId: one.id }, { selector: 'tier=a' }, dynamic);
  await it.reaches(first, 'pending');
  const begun = plain((await page(first)).text);
  expect(begun).toContain('To selector tier=a Robots that match later receive it too, until (at)');
  const patient = { rollout: { waves, supersede: 'finish' } };
  const second = await it.deploy({ releaseId: two.id }, { selector: 'tier=a' }, patient);
  await expect.poll(async () => (await view(it, second)).blocked_by).toEqual([first]);
  const related = async (id: string) =>
    rowsOfTable((await page(id)).text, 'Related deployments').map((cells) => cells.slice(0, 2));
  expect(await related(second)).toEqual([['r1', 'must end first']]);
  const impatient = { rollout: { waves, supersede: 'pause' } };
  await it.deploy({ releaseId: three.id }, { selector: 'line=2' }, impatient);
  await it.reaches(first, 'paused');
  expect(await related(first)).toEqual([['r3', 'paused this one']]);
  expect(plain((await page(first)).text)).toContain('Robots that match later');
});

test('approvers and the page of a deployment see that it moves robots to an older release', async () => {
  await using pages = await startRolloutPages();
  const { it, page, browser } = pages;
  const links = await it.robots(3);
  const [older, newer] = [await it.release(), await it.release()];
  const rollout = { waves: [{ percent: 100 }], approval: { people: 1 } };
  const deploy = async (releaseId: string, more: object = {}) =>
    it.deploy({ releaseId }, { fleet: it.fleetId }, { rollout, ...more });
  const up = await deploy(newer.id);
  expect((await page(up)).text).not.toContain('Downgrade');
  const plainUp = await it.deploy({ releaseId: newer.id }, { fleet: it.fleetId });
  await it.reaches(plainUp, 'pending');
  await work(it, links.slice(0, 2));
  const down = await deploy(older.id, { allow_downgrade: true });
  expect((await browser.get('/portal/approvals')).text).not.toContain('Downgrade');
  const approval = await browser.get(`/portal/approvals/release/${down}`);
  expect(plain(approval.text)).toContain('Downgrade 2 robots run a newer release');
  expect(plain((await page(down)).text)).toContain('Downgrade. 2 robots run a newer release. Reload');
});

test('of robots that keep a newer release the pages say before the deployment begins that they are left out, and then nothing', async () => {
  await using pages = await startRolloutPages();
  const { it, page, browser } = pages;
  const links = await it.robots(3);
  const [older, newer] = [await it.release(), await it.release()];
  const rollout = { waves: [{ percent: 100 }], approval: { people: 1 } };
  const kept = await it.deploy({ releaseId: older.id }, { fleet: it.fleetId }, { rollout });
  const up = await it.deploy({ releaseId: newer.id }, { fleet: it.fleetId });
  await it.reaches(up, 'pending');
  await work(it, links.slice(0, 2));
  expect(plain((await page(kept)).text)).toContain('Left out. 2 robots run a newer release and keep it. Reload');
  const approval = await browser.get(`/portal/approvals/release/${kept}`);
  expect(plain(approval.text)).toContain('Left out 2 robots run a newer release and keep it');
  expect(approval.text).not.toContain('Downgrade');
  const { plan_hash: hash } = (await view(it, kept)).approval;
  const decision = { decision: 'approve', plan_hash: hash, wave: 0 };
  const token = await factories(it.world).userToken('operator', 'kim@example.com');
  await it.world.call('POST', `/api/deployments/${kept}/approvals`, { token, body: decision });
  await it.reaches(kept, 'pending');
  expect((await page(kept)).text).not.toContain('run a newer release');
});

test('the page of a deployment of another org is the same as that of an unknown one', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const admin = { token: '' }; // without an admin token, anyone on this machine is the admin
  const { id: orgId } = (await it.world.call('POST', '/api/admin/orgs', { ...admin, body: { name: 'Other' } })).body
    .data;
  const other = (await it.world.call('POST', `/api/admin/orgs/${orgId as string}/approve`, admin)).body.data;
  const make = factories(it.world);
  const key = await make.key({}, other.token);
  const release = await make.release({}, other.token);
  const wish = { release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id };
  const foreign = await make.deployment(wish, other.token);
  const [theirs, unknown, invalid] = [await page(foreign.id), await page(it.fleetId), await page('<b>')];
  expect([theirs.status, unknown.status, invalid.status]).toEqual([404, 404, 404]);
  expect([theirs.text, invalid.text]).toEqual([unknown.text, unknown.text]);
});

test('of many robots, a hundred that failed and a hundred others are shown, and the number of the rest', async () => {
  await using pages = await startRolloutPages();
  const { it, page } = pages;
  const links = await it.robots(250);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(links);
  const fail = (robot: LinkedRobot) =>
    it.report(robot, { orderId: only(orders, robot).orderId, status: 'failed', message: 'disk full' });
  await Promise.all(links.slice(0, 130).map(fail));
  await expect.poll(async () => (await it.counts(id))['failed']).toBe(130);
  const { text } = await page(id);
  expect([rowsOfTable(text, 'Failed robots').length, rowsOfTable(text, 'Other robots').length]).toEqual([100, 100]);
  expect([text.includes('30 more are not shown'), text.includes('20 more are not shown')]).toEqual([true, true]);
});
