import { linkedAgent, type FakeAgent } from './fake-agent.ts';

/** A robot that sends the records of a test, each acknowledged. */
export interface LogRobot extends Disposable {
  agent: FakeAgent;
  /** Resolves once the records are stored. */
  say(...records: (string | object)[]): Promise<void>;
}

/** A frame is limited to 256 KiB. */
const maxRecords = 150;

export async function logRobot(url: string, token: string, spool = 's', from = 0): Promise<LogRobot> {
  const agent = await linkedAgent(url, token);
  let seq = from;
  return {
    agent,
    async say(...records) {
      for (let sent = 0; sent < records.length; sent += maxRecords) {
        const some = records.slice(sent, sent + maxRecords);
        const fromSeq = seq + 1;
        const full = some.map((each) => ({
          seq: ++seq,
          ts: new Date().toISOString(),
          level: 'info',
          source: 'nav',
          ...(typeof each === 'string' ? { message: each } : each),
        }));
        agent.send({ type: 'logs', spool, from_seq: fromSeq, to_seq: seq, records: full });
      }
      while ((await agent.next('logs_ack'))['seq'] !== seq);
    },
    [Symbol.dispose]: () => agent[Symbol.dispose](),
  };
}
