import { expect, test } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import { documentAt } from '../support/documents.ts';

/** The rows of the reference: each metric with its type and the names of its labels. */
function documented() {
  const rows = [...documentAt('docs/reference/metrics.md').text.matchAll(/^\| (`[^|]+) \| (\w+) +\| (.*) \|$/gm)];
  return rows.flatMap(([, names = '', type = '', cells = '']) => {
    const [labels = '', ...rest] = cells.split('|').map((cell) => cell.trim());
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({
      name,
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
      rest,
    }));
  });
}

/** A process with every setting that brings a metric. */
const complete = createMetrics({
  busUp: () => true,
  poolUsed: () => 1,
  poolSize: 10,
  databaseUp: () => Promise.resolve(true),
  shared: () =>
    Promise.resolve({
      robots: { online: 1 },
      health: { healthy: 1 },
      deployments: { paused: 1 },
      paused: { requested: 1 },
      overdue: { start: 0 },
      databaseBytes: 1,
      clockOffsetSeconds: 0,
      retentionRows: { targets: 1 },
      backupAt: new Date(0),
    }),
  disk: () => Promise.resolve({ freeBytes: 1, sizeBytes: 2 }),
  links: () => 1,
  replicas: () => 1,
  viewers: () => ({ shell: 1 }),
  logs: () => ({ isFull: false, tableBytes: { log_chunks: 1 }, mergeLagSeconds: 0 }),
  standby: { state: () => 'ok', lagSeconds: () => 0 },
  version: '1.0.0',
});

/** Counts one of everything that has a label, so that its series exist. */
function countOnce(): void {
  complete.observe('listSites', 200, 0.1);
  complete.overloaded('reads');
  complete.quotaRefused('robots');
  complete.upgradeRefused(401);
  complete.frame('hello');
  complete.reportsRepaired({ repaired: 1, ignored: 1 });
  complete.healthPartsOmitted([{ reason: 'invalid' }]);
  complete.contractViolated('listSites');
}

async function exposed() {
  countOnce();
  const { body } = await complete.text();
  const types = new Map([...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const labels = new Map<string, Set<string>>();
  for (const [, sample = '', pairs = ''] of body.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const name = types.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
    const known = labels.get(name) ?? new Set();
    for (const [, label = ''] of pairs.matchAll(/(\w+)="/g)) if (label !== 'le') known.add(label);
    labels.set(name, known);
  }
  return { body, types, labels };
}

test('the reference lists each metric that a replica exposes with its type, and no other', async () => {
  const { types } = await exposed();
  const entries = documented().map(({ name, type }) => [name, type]);
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length);
  expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(types));
});

test('the reference has the labels, the unit, the meaning and when to look at it, for each metric of the service', async () => {
  const { labels } = await exposed();
  const own = documented().filter(({ name }) => name.startsWith('fleet_'));
  expect(own.length).toBeGreaterThan(40);
  for (const { name, labels: told, rest } of own) {
    expect([name, told]).toEqual([name, [...(labels.get(name) ?? [])].sort()]);
    expect([name, rest.length]).toEqual([name, 3]);
    expect([name, rest.slice(1).every((cell) => cell !== '')]).toEqual([name, true]);
  }
});

test('names follow the conventions of Prometheus: a base unit at the end, and _total for counters alone', async () => {
  const { types, body } = await exposed();
  const own = [...types].filter(([name]) => name.startsWith('fleet_'));
  for (const [name, type] of own) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|megabytes|percent)(_total)?$/);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(body).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
  }
});
