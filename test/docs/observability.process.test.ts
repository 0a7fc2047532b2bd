import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { conditionService } from '../../src/conditions/service.ts';
import { signedInHome } from '../support/cli.ts';
import { repository } from '../support/documents.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { startReplica } from '../support/replicas.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { dashboards, expressions, metricsIn, recorded } from './observability.ts';

const examples = join(repository, 'docs/examples/observability');
const promtool = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: examples });

/** Panels whose events do not happen in the test: sockets are refused, a standby is used. */
const emptyPanels = [
  'docs/examples/observability/dashboards/logs-and-database.json Standby lag',
  'docs/examples/observability/dashboards/robots.json Refused connections',
];

testWith('promtool')(
  'promtool accepts the configuration and the rules, and each alert fires and stays silent as it should',
  async () => {
    await promtool('check', 'config', 'prometheus.yml');
    await promtool('check', 'rules', '--lint-fatal', 'alerts.yaml');
    const { stdout } = await promtool('test', 'rules', 'alerts.test.yaml');
    expect(stdout).toContain('SUCCESS');
  },
);

testWith('prometheus', 'promtool')(
  'Prometheus evaluates each expression of alerts, dashboards and runbooks on a service with robots, and panels have data',
  async () => {
    await using world = await startIsolatedWorld();
    await using replica = await startReplica(world);
    await using home = await signedInHome({ ...world, url: replica.url });
    await using prometheus = await startPrometheus(new URL(replica.url).host);
    const demo = home.start(['demo']);
    await demo.sees('The demo is ready');
    await conditionService(world.db).history.count(0);
    await until(async () => (await prometheus.query('fleet_robots > 0')).length > 0);
    await until(async () => (await prometheus.query('rate(fleet_order_reports_total[15s]) > 0')).length > 0);
    await until(async () => (await prometheus.query('rate(fleet_log_ack_seconds_count[15s]) > 0')).length > 0);
    for (let count = 0; count < 5; count += 1)
      await fetch(`${replica.url}/api/robots`, { headers: { Authorization: `Bearer ${world.orgToken}` } });
    await until(
      async () =>
        (await prometheus.query('rate(fleet_http_request_seconds_count{operation="listRobots"}[15s]) > 0')).length > 0,
    );

    const failed: unknown[] = [];
    const filled = new Set<string>();
    for (const { place, expr } of expressions)
      await prometheus.query(expr).then(
        (samples) => {
          if (samples.length > 0) filled.add(place);
        },
        (error: unknown) => {
          failed.push([place, expr, (error as Error).message]);
        },
      );
    expect(failed).toEqual([]);
    const panels = dashboards.flatMap(({ path, dashboard }) => dashboard.panels.map(({ title }) => `${path} ${title}`));
    expect(panels.filter((place) => !filled.has(place)).sort()).toEqual(emptyPanels);

    // Series that appear with their first event are known by the registry of the service.
    const text = await (await fetch(`${replica.url}/metrics`)).text();
    const registered = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name);
    const known = new Set([...(await prometheus.names()), ...registered, ...recorded]);
    const standby = ['fleet_read_standby_up', 'fleet_read_standby_lag_seconds']; // with DATABASE_READ_URL
    const named = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)));
    expect([...named].filter((name) => !known.has(name)).sort()).toEqual([...standby].sort());

    const firing = await prometheus.query('ALERTS{alertstate="firing",severity="critical"}');
    expect(firing.map(({ metric }) => metric['alertname'])).toEqual([]);
    demo.kill('SIGINT');
    await demo.ended;
  },
);
