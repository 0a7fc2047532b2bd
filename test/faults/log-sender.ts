import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { connectAgent, type FakeAgent } from '../support/fake-agent.ts';
import type { Random } from '../support/random.ts';
import { patienceMs, until, within } from '../support/until.ts';

/** What a robot has of its log until it is acknowledged. Records are numbered from 1. */
export interface Spool {
  name: string;
  words: number[]; // how often each record repeats its words
  sent: number; // the highest number on any link
  acknowledged: number;
}

/** A robot that sends log records without end, to whichever replica accepts its link, until all are acknowledged. */
export interface LogSender extends Disposable {
  robotId: string;
  spools: readonly Spool[];
  /** Acknowledgements and skipped records that the protocol does not allow. */
  faults: readonly string[];
  /** Makes no more records; resolves when all are acknowledged. */
  rest(): Promise<void>;
  resume(): void;
  /** Leaves the link for a new one; resolves when that is up. */
  relink(): Promise<void>;
}

interface Frame {
  type: string;
  spool: string;
  seq: number;
  to_seq: number;
}

const pauseMs = 25;
const retryMs = 50;
/** More are not made until some are acknowledged. */
const mostOpen = 200;
const recordsInFrame = 25;
/** So many records with so many words are stored at once; others wait up to a second. */
const fullBatch = { records: 10, words: 640 };
const levels = ['debug', 'info', 'warn', 'error', 'fatal'];

export const levelOf = (seq: number): string => levels[seq % levels.length] ?? '';
export const messageOf = (spool: Spool, seq: number): string =>
  `${spool.name} ${seq}${' on the way'.repeat(spool.words[seq - 1] ?? 0)}`;

export function startLogSender(
  { robotId, token }: { robotId: string; token: string },
  urls: readonly string[],
  random: Random,
): LogSender {
  const instance = randomUUID();
  const faults: string[] = [];
  const agents = new Set<FakeAgent>();
  const spools: Spool[] = [newSpool()];
  let newest: FakeAgent | undefined;
  let links = 0;
  let wanted = 1; // as many links as there should have been
  let isResting = false;
  let isOver = false;
  const isCurrent = (agent: FakeAgent) => agent.socket.readyState === WebSocket.OPEN && links >= wanted && !isOver;

  function makeRecords(): void {
    const spool = spools.at(-1);
    if (!spool || isResting || spool.words.length - spool.acknowledged > mostOpen) return;
    if (random.chance(0.02)) makeFullBatch(spool);
    else if (random.chance(0.5)) for (let count = random.below(5); count >= 0; count -= 1) spool.words.push(0);
  }

  function send(agent: FakeAgent, spool: Spool, from: number): void {
    for (let start = from; start <= spool.words.length; start += recordsInFrame) {
      const end = Math.min(start + recordsInFrame - 1, spool.words.length);
      const seqs = Array.from({ length: end - start + 1 }, (_each, index) => start + index);
      const records = seqs.map((seq) => ({
        seq,
        ts: new Date().toISOString(),
        level: levelOf(seq),
        source: 'nav',
        message: messageOf(spool, seq),
      }));
      agent.send({ type: 'logs', spool: spool.name, from_seq: start, to_seq: end, records });
    }
    spool.sent = Math.max(spool.sent, spool.words.length);
  }

  function hear(
    agent: FakeAgent,
    { type, spool: name, seq, to_seq: toSeq }: Frame,
    sentBefore: Map<string, number>,
  ): void {
    const spool = spools.find((each) => each.name === name);
    if (type === 'logs_ack' && spool) {
      if (seq > spool.sent) faults.push(`${name} ${seq} was acknowledged, but only ${spool.sent} were sent`);
      spool.acknowledged = Math.max(spool.acknowledged, seq);
    }
    if (type === 'logs_skipped' && agent === newest && toSeq > (sentBefore.get(name) ?? 0))
      faults.push(`${name} ${toSeq} was skipped when it was sent for the first time`);
  }

  async function serveLink(): Promise<void> {
    const agent = await connectAgent(random.pick(urls), token);
    agents.add(agent);
    const sentBefore = new Map(spools.map(({ name, sent }) => [name, sent]));
    agent.socket.on('message', (data: Buffer) => hear(agent, JSON.parse(data.toString()) as Frame, sentBefore));
    agent.hello({ instance });
    await agent.next('welcome');
    newest = agent;
    links = wanted;
    const sent = new Map(spools.map((spool) => [spool, spool.acknowledged]));
    while (isCurrent(agent) && (isResting || !random.chance(0.01))) {
      makeRecords();
      for (const spool of spools) {
        const from = (sent.get(spool) ?? 0) + 1;
        if (from > spool.words.length) continue;
        send(agent, spool, from);
        sent.set(spool, spool.words.length);
      }
      await sleep(pauseMs);
    }
    // A link that the robot left may still deliver, and have its records acknowledged.
    if (random.chance(0.5)) agent.socket.terminate();
    if (spools.filter(isOpen).length < 3 && random.chance(0.3)) spools.push(newSpool());
  }

  async function run(): Promise<void> {
    while (!isOver) {
      await serveLink().catch(() => sleep(retryMs));
      for (const agent of agents) if (agent.socket.readyState === WebSocket.CLOSED) agents.delete(agent);
    }
  }

  void run();
  return {
    robotId,
    spools,
    faults,
    async rest() {
      isResting = true;
      const [last] = spools.slice(-1);
      if (last) makeFullBatch(last);
      const open = () => spools.filter(isOpen).map(({ name, acknowledged }) => `${name} after ${acknowledged}`);
      await within(
        until(() => !spools.some(isOpen)),
        patienceMs,
        () => `not acknowledged: ${open().join(', ')}`,
      );
    },
    resume() {
      isResting = false;
    },
    async relink() {
      wanted += 1;
      await until(() => links >= wanted);
    },
    [Symbol.dispose]() {
      isOver = true;
      for (const agent of agents) agent.socket.terminate();
    },
  };
}

const isOpen = ({ words, acknowledged }: Spool): boolean => acknowledged < words.length;

const newSpool = (): Spool => ({ name: randomUUID(), words: [], sent: 0, acknowledged: 0 });

function makeFullBatch({ words }: Spool): void {
  for (let count = 0; count < fullBatch.records; count += 1) words.push(fullBatch.words);
}
