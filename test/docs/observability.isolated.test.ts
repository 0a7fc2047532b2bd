import { expect, test } from 'vitest';
import { healthOf } from '../conditions/support.ts';
import { signedInHome } from '../support/cli.ts';
import { documentAt } from '../support/documents.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { alerts, dashboards, expressions, metricsIn, recorded, runbooks, statements } from './observability.ts';

/** `FleetBusDown` has the runbook `bus-down`. */
const runbookOf = (alert: string) =>
  alert
    .replace(/^Fleet/, '')
    .replaceAll(/[A-Z]/g, (letter, at: number) => `${at === 0 ? '' : '-'}${letter.toLowerCase()}`);

test('each alert has a severity, a summary, a description and its runbook, and each runbook an alert', () => {
  for (const { alert, labels, annotations } of alerts) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning|info)$/)]);
    expect([alert, annotations['summary'], annotations['description']]).not.toContain(undefined);
    expect([alert, annotations['runbook_url']]).toEqual([
      alert,
      `{{ $externalLabels.fleet_url }}/docs/guides/runbooks/${runbookOf(alert)}`,
    ]);
  }
  const expected = [...new Set(alerts.map(({ alert }) => `docs/runbooks/${runbookOf(alert)}.md`))];
  expect(runbooks.map(({ path }) => path)).toEqual(expected.sort());
});

test('each runbook says its alert and severity, what it means, its impact, how to find the cause and what to do', () => {
  for (const { path, text } of runbooks) {
    const [, name = ''] = /^Runbook of the alert `(\w+)`/m.exec(text) ?? [];
    expect(path).toBe(`docs/runbooks/${runbookOf(name)}.md`);
    const severities = alerts.filter(({ alert }) => alert === name).map(({ labels }) => labels.severity);
    expect(text).toContain(`severity ${severities.join(' or ')}.`);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect([path, headings]).toEqual([path, ['Meaning', 'Impact', 'Diagnosis', 'Action', 'Related pages']]);
    expect([path, text]).toEqual([path, expect.stringMatching(/^```(promql|sql|sh)/m)]);
  }
});

test('each metric that alerts, dashboards and runbooks name is one of the reference, or recorded by a rule', () => {
  const reference = documentAt('docs/reference/metrics.md').text;
  const listed = new Set([...reference.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([row]) => row.match(/\w+/g) ?? []));
  const unknown = expressions.flatMap(({ place, expr }) =>
    metricsIn(expr)
      .filter((name) => !recorded.includes(name) && !listed.has(name))
      .filter((name) => !listed.has(name.replace(/_(bucket|sum|count)$/, '')))
      .map((name) => [place, name]),
  );
  expect(unknown).toEqual([]);
  expect(expressions.length).toBeGreaterThan(100);
});

test('each statement of a runbook is one that the database of the service takes', async () => {
  await using world = await startIsolatedWorld();
  expect(statements.length).toBeGreaterThan(10);
  const refused: unknown[] = [];
  for (const { place, text } of statements)
    await world.db.raw(text).catch((error: unknown) => refused.push([place, text, (error as Error).message]));
  expect(refused).toEqual([]);
});

test('runbooks about lost robots list one that has been offline for 11 minutes', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const robot = await robotsOf(world).enroll('amr-lost');
  await world.db('robots').update({ created_at: world.db.raw(`now() - interval '11 minutes'`) });
  await world.db('offline_sweeps').del();
  await expect.poll(() => healthOf(world, robot), { timeout: 20_000 }).toEqual(['unhealthy', 'offline']);
  for (const name of ['agents-lost', 'robots-offline']) {
    const lines = documentAt(`docs/runbooks/${name}.md`).text.match(/^cli robots list .+$/gm) ?? [];
    const lists = await Promise.all(lines.map((line) => home.cli(line.split(' ').slice(1))));
    expect([name, lists.map(({ stdout }) => stdout).join('')]).toEqual([name, expect.stringContaining('amr-lost')]);
  }
});

test('each dashboard has panels without overlaps, with an ID, a title, a description, a unit and its data source', () => {
  expect(dashboards.length).toBe(3);
  expect(new Set(dashboards.map(({ dashboard }) => dashboard.uid)).size).toBe(3);
  for (const { path, dashboard } of dashboards) {
    const { panels, templating } = dashboard;
    expect([path, templating.list.map(({ name, type }) => [name, type])]).toEqual([
      path,
      [
        ['datasource', 'datasource'],
        ['replica', 'query'],
      ],
    ]);
    expect([path, dashboard.schemaVersion, dashboard.description.length > 0]).toEqual([path, 38, true]);
    expect(panels.length).toBeLessThanOrEqual(16); // more are not read at 3 a.m.
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { title, type, gridPos, description = '', targets = [], fieldConfig, datasource } of panels) {
      const place = `${path} ${title}`;
      expect([place, gridPos.x >= 0 && gridPos.x + gridPos.w <= 24 && gridPos.h > 0]).toEqual([place, true]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([place, taken.has(`${x} ${y}`)]).toEqual([place, false]);
          taken.add(`${x} ${y}`);
        }
      if (type === 'row') continue;
      expect([place, type]).toEqual([place, expect.stringMatching(/^(stat|timeseries)$/)]);
      expect([place, description]).toEqual([place, expect.stringMatching(/\.$/)]);
      expect([place, fieldConfig?.defaults.unit]).toEqual([place, expect.stringMatching(/^\w+$/)]);
      expect([place, datasource]).toEqual([place, { type: 'prometheus', uid: '${datasource}' }]);
      expect([place, targets.length > 0]).toEqual([place, true]);
      expect([place, new Set(targets.map(({ refId }) => refId)).size]).toEqual([place, targets.length]);
      if (type === 'stat') {
        const steps = fieldConfig?.defaults.thresholds?.steps ?? [];
        expect([place, steps[0]?.value, steps.length > 0]).toEqual([place, null, true]);
      }
    }
  }
});
