import { bundle, startServer } from '../harness/child.ts';
import { spend, startLoadGenerator } from '../harness/load.ts';
import type { Curve } from './curve.ts';

const sizes = [10, 30, 100, 300, 1_000];
const job = {
  method: 'GET' as const,
  paths: ['/api/robots/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61'],
  headers: { authorization: `Bearer svc_org_${'0'.repeat(64)}` },
  status: 200,
  connections: 16,
  requests: 10_000,
  withinMs: 60_000,
};

/** The listener and dispatcher without a database. Above the size of the contract, its paths are repeated under other names. */
export const operationsCurve: Curve = {
  id: 'operations',
  async run() {
    const script = await bundle('servers/contract-size.ts');
    await using generator = await startLoadGenerator();
    const points: [number, number][] = [];
    for (const size of sizes) {
      await using server = await startServer(script, { CONTRACT_OPERATIONS: String(size) });
      await spend(generator, server, job); // its code is compiled then
      points.push([size, (await spend(generator, server, job)).cpuUsPerRequest]);
    }
    return {
      title: 'A request without a database',
      x: 'operations in the contract',
      y: 'server CPU, us per request',
      series: [{ name: 'GET /api/robots/{id}', points }],
    };
  },
};
