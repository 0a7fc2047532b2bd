import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { logSender, type LogsSent } from './link-logs.ts';
import { hear, type Heard, type Hearing } from './link-hearing.ts';
import { carryOut, type Carried } from './link-orders.ts';

/** What a process that holds links can be told to do. */
export type LinkJob =
  /** `hello`: of another protocol, whose server speaks first or responds to it. `from`: the address that the links come from. */
  | { kind: 'open'; url: string; tokens: string[]; takesOrders?: boolean; hello?: string; from?: string }
  /** The links take turns; the pace holds over the whole of them. */
  | { kind: 'beat'; perSecond: number; seconds: number; frame: string }
  /** The same with log records, one per frame. It ends when all are acknowledged. */
  | { kind: 'logs'; perSecond: number; seconds: number }
  /** Every link sends frames of so many log records as fast as they are acknowledged, until `endFlood`. */
  | { kind: 'flood'; lines: number }
  | { kind: 'endFlood' }
  /** Every link reports these statuses of the next order that it gets, each when the one before is acknowledged; the last ends it. */
  | { kind: 'carryOut'; statuses: string[]; digest: string; withinMs: number }
  /** Waits until `count` orders, or wishes to stop one, came over any of the links, and answers each if it is told how. */
  | ({ kind: 'hear' } & Hearing)
  | { kind: 'close' };

export interface LinkResult {
  /** Links that are up now. */
  links: number;
  elapsedMs: number;
  sent: number;
  /** Of `carryOut`, by links: when the first report was acknowledged, and when the last; ms since 1970, ascending. */
  begunAt: number[];
  endedAt: number[];
  /** Of `hear`. */
  heard: Heard[];
  /** Of `logs` and `endFlood`. */
  logs?: LogsSent;
}

type Pace = { perSecond: number; seconds: number };
type JobOf<Kind extends LinkJob['kind']> = Extract<LinkJob, { kind: Kind }>;

interface End {
  url: string;
  token: string;
  hello: string;
  from: string | undefined;
}

/** Links that are being made at a time. */
const openAtOnce = 100;
const paceMs = 20;
const maxTries = 60;
const helloOf = (takesOrders: boolean) =>
  JSON.stringify({
    type: 'hello',
    protocol: 1,
    agent_version: 'bench/1',
    boot_id: 'bench',
    capabilities: takesOrders ? { orders: true } : {},
  });

/** Bare links: `ws` with nothing around it, so that the process that holds them keeps up with any server. */
export function linkHolder(): (job: LinkJob) => Promise<LinkResult> {
  const links: WebSocket[] = [];
  const logs = logSender();
  let turn = 0;

  async function open({ url, tokens, ...job }: JobOf<'open'>): Promise<void> {
    const hello = job.hello ?? helloOf(job.takesOrders ?? false);
    const left = [...tokens];
    const one = async () => {
      for (let token = left.pop(); token !== undefined; token = left.pop())
        links.push(await patientLink({ url, token, hello, from: job.from }));
    };
    await Promise.all(Array.from({ length: openAtOnce }, one));
  }

  async function pace({ perSecond, seconds }: Pace, send: () => void): Promise<number> {
    const total = perSecond * seconds;
    const startedAt = performance.now();
    let sent = 0;
    while (sent < total) {
      const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond));
      for (; sent < due; sent += 1) send();
      await sleep(paceMs);
    }
    return sent;
  }

  async function sendLogs(job: Pace): Promise<LogsSent> {
    logs.take(links);
    await pace(job, () => logs.next(1));
    return logs.end();
  }

  return async (job) => {
    const startedAt = performance.now();
    let sent = 0;
    let carried: Carried = { begunAt: [], endedAt: [] };
    let logsSent: LogsSent | undefined;
    let heard: Heard[] = [];
    if (job.kind === 'open') await open(job);
    else if (job.kind === 'beat')
      sent = await pace(job, () => links[(turn = (turn + 1) % links.length)]?.send(job.frame));
    else if (job.kind === 'logs') logsSent = await sendLogs(job);
    else if (job.kind === 'flood') {
      logs.take(links);
      logs.flood(job.lines);
    } else if (job.kind === 'endFlood') logsSent = await logs.end();
    else if (job.kind === 'carryOut') carried = await carryOut(links, job);
    else if (job.kind === 'hear') heard = await hear(links, job);
    else for (const link of links.splice(0)) link.terminate();
    const up = links.filter((link) => link.readyState === WebSocket.OPEN).length;
    if (up !== links.length) throw new Error(`${links.length - up} links of ${links.length} were lost`);
    const elapsedMs = performance.now() - startedAt;
    return { links: up, sent, ...carried, heard, elapsedMs, ...(logsSent && { logs: logsSent }) };
  };
}

/** A server that takes only so many links a second says so by 503: tried again each second, as many as are not taken. */
async function patientLink(end: End): Promise<WebSocket> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await upLink(end);
    } catch (error) {
      if (tries === maxTries || !String(error).includes('503')) throw error;
      await sleep(1_000 * (0.5 + Math.random()));
    }
  }
}

/** Resolves with the welcome. */
function upLink({ url, token, hello, from }: End): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const link = new WebSocket(`${url.replace('http', 'ws')}/agent/ws`, {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      ...(from !== undefined && { localAddress: from }),
    });
    link.on('error', reject);
    link.once('open', () => link.send(hello));
    link.once('message', () => resolve(link));
    link.once('close', (code) => reject(new Error(`the server closed a link with ${code}`)));
  });
}
