/**
 * Our listener and dispatcher over a contract of CONTRACT_OPERATIONS operations, without a database: what is left is the way of
 * a request through the contract. The real operations come first, getRobot among them; copies under other paths fill up.
 */
import { createAdmission } from '../../../src/platform/http/dispatch/admission.ts';
import { createDispatcher } from '../../../src/platform/http/dispatch/dispatch.ts';
import { operationsOf, sizedContract } from './sized-contract.ts';
import { serve } from '../../../src/platform/http/listener/server.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';

const robot = {
  id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61',
  name: 'amr-007',
  org_id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01',
  site_id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21',
  fleet_id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31',
  online: false,
  labels: { floor: '2' },
  created_at: '2026-11-21T09:30:00.000Z',
};

const log = createLogger('info');
const contract = sizedContract(Number(process.env['CONTRACT_OPERATIONS']));
const answer = async () => ({ status: 200, body: { data: robot } });
type Settings = Parameters<typeof createDispatcher>[0];
const settings: Omit<Settings, 'db' | 'bus' | 'handlers' | 'recordAudit' | 'roleNow'> = {
  ...(contract as unknown as Pick<Settings, 'document' | 'validators'>), // its index signatures are looser
  authenticate: async () => [{ caller: { kind: 'org', orgId: robot.org_id, tokenId: robot.id, role: 'admin' } }],
  limits: () => ({}),
  admission: createAdmission({ connections: 10, onRefused: () => undefined }),
  filesRecordedAtOnce: 1,
  noteCaller: () => undefined,
  sample: () => undefined,
  specDigest: () => '5f0c2b8e7a4d1f3960b7d5c1e8a29f4b6d3c7e1a0f9b8d2c4e6a5f7b1c3d9e80',
};
const handlers = Object.fromEntries(operationsOf(contract.document).map((id) => [id, answer]));
// The total map of handlers is a promise about the real contract, and no handler here asks for a database.
const dispatch = await createDispatcher({ ...settings, handlers } as never);
const server = await serve(
  {
    dispatch,
    pages: (_request, response) => void response.writeHead(404).end(),
    ready: async () => ({ ready: true, checks: {} }),
    metrics: createMetrics({ busUp: () => true, poolUsed: () => 0 }),
    log,
  },
  '127.0.0.1',
  0,
);
log.info({ url: `http://127.0.0.1:${server.port}`, operations: operationsOf(contract.document).length }, 'ready');
process.once('SIGTERM', () => void server.stop(0).then(() => process.exit(0)));
