import { bundle, startServer } from '../harness/child.ts';
import { spend, startLoadGenerator } from '../harness/load.ts';
import { pair, pick } from '../harness/pairing.ts';
import { ratioLine, type Row } from '../harness/row.ts';

const small = 10;
const large = 60;

/** Whether a request pays for the operations it does not call. No database, so nothing hides the difference. */
export const contractSizeRow: Row = {
  id: 'H3',
  work: `GET /api/robots/{id}, ${large} operations in the contract`,
  against: `itself with ${small} operations`,
  async run(context) {
    const script = await bundle('servers/contract-size.ts');
    await using ours = await startServer(script, { CONTRACT_OPERATIONS: String(large) });
    await using peer = await startServer(script, { CONTRACT_OPERATIONS: String(small) });
    await using generator = await startLoadGenerator();
    const job = {
      method: 'GET' as const,
      paths: ['/api/robots/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61'],
      headers: { authorization: `Bearer svc_org_${'0'.repeat(64)}` },
      status: 200,
      connections: 16,
      requests: context.requests(10_000),
      withinMs: 60_000,
    };
    const rounds = await pair({
      rounds: context.rounds(11),
      warmUps: 2,
      ours: () => spend(generator, ours, job),
      peer: () => spend(generator, peer, job),
    });
    return [
      ratioLine(
        `CPU us/request, ${large} operations against ${small}`,
        pick(rounds, (spent) => spent.cpuUsPerRequest),
        1.05,
      ),
    ];
  },
};
