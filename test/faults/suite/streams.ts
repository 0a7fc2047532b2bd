import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createClient, type Shell } from '../../../cli/client/index.ts';
import { startAgent } from '../../support/agent-process.ts';
import { startHome } from '../../support/cli.ts';
import type { Random } from '../../support/random.ts';
import { together } from '../../support/together.ts';
import { until, within } from '../../support/until.ts';
import { startLogSender, type LogSender } from '../log-sender.ts';
import type { Fleet } from './fleet.ts';
import type { History, Reading } from './history.ts';
import type { FaultService } from './service.ts';

/** Robots that send logs, readers that follow these, and a shell, all across disconnects. */
export interface Streams extends AsyncDisposable {
  /** Resolves when each record is acknowledged and each reader has the newest one, or records why not. */
  rest(): Promise<void>;
}

const senders = 2;
const typeEveryMs = 200;
const catchUpMs = 45_000;
const retryMs = 500;
const mostTries = 40;

/** `readers`: number of live streams; one of them is the shell. */
export const startStreams = (
  service: FaultService,
  fleet: Fleet,
  history: History,
  random: Random,
  readers: number,
): Promise<Streams> =>
  together(async (own) => {
    const client = createClient({ baseUrl: service.url, token: service.token, WebSocket });
    const sources: LogSender[] = [];
    for (let made = 0; made < senders; made += 1)
      sources.push(own(startLogSender(await fleet.enroll(), [service.url], random)));
    const over = new AbortController();
    const following: Promise<void>[] = [];
    own({
      async [Symbol.asyncDispose]() {
        over.abort();
        await Promise.all(following);
      },
    });

    /** A stream does not open while its robot is offline, as these are now and then. Once it has opened, it may not fail. */
    async function follow(robotId: string, reading: Reading): Promise<void> {
      const options = { signal: over.signal };
      for (let tries = 1; !over.signal.aborted; tries += 1)
        try {
          for await (const record of client.streams.logs(robotId, options)) {
            if ('from_seq' in record) reading.skipped += record.dropped;
            else reading.numbers.push(record.seq);
          }
        } catch (error) {
          if (reading.numbers.length === 0 && tries < mostTries) await sleep(retryMs);
          else return void (reading.failure = String(error));
        }
    }

    const read = sources.map(() => [] as Reading[]);
    for (let index = 0; index < readers - 1; index += 1) {
      const reading: Reading = { stream: `log reader ${index + 1}`, numbers: [], skipped: 0 };
      const source = index % senders;
      read[source]?.push(reading);
      history.readings.push(reading);
      following.push(follow(sources[source]?.robotId ?? '', reading));
    }
    const typist = own(await startTypist(service, fleet, client, history));

    /** Whether the readers of a robot have its newest record. The records of a robot are numbered from 1. */
    function hasAll(index: number): boolean {
      const newest = sources[index]?.spools.reduce((sum, { words }) => sum + words.length, 0);
      return (read[index] ?? []).every(({ numbers, failure }) => failure !== undefined || numbers.at(-1) === newest);
    }

    return {
      async rest() {
        const ends = await Promise.allSettled([...sources.map((source) => source.rest()), typist.rest()]);
        const readAll = sources.map((_, index) =>
          within(
            until(() => hasAll(index)),
            catchUpMs,
            () => `a reader lacks the newest record of robot ${index + 1}`,
          ),
        );
        ends.push(...(await Promise.allSettled(readAll)));
        const failures = ends.flatMap((end) => (end.status === 'rejected' ? String(end.reason) : []));
        for (const failure of [...failures, ...sources.flatMap(({ faults }) => faults)])
          history.readings.push({ stream: 'logs', numbers: [], skipped: 0, failure });
        for (const { robotId, spools } of sources)
          for (const { name, acknowledged } of spools)
            history.acknowledgements.push({ robotId, spool: name, upTo: acknowledged });
      },
    };
  });

/** A shell on the real agent, in which numbered lines are typed; `cat` returns them. */
const startTypist = (
  service: FaultService,
  fleet: Fleet,
  client: ReturnType<typeof createClient>,
  history: History,
): Promise<{ rest(): Promise<void> } & AsyncDisposable> =>
  together(async (own) => {
    const home = own(await startHome());
    const name = `shell-${randomUUID()}`;
    const args = ['--allow-shell', '--backend-url', service.url, '--enrollment-key', fleet.key, '--name', name];
    const agent = own(startAgent(home, args));
    await agent.sees('Connected to');
    const [robotId = ''] = await service.db('robots').where({ name }).pluck('id');
    const reading: Reading = { stream: 'shell', numbers: [], skipped: 0 };
    history.readings.push(reading);
    const shell = await openWithRetries(client, robotId, reading);
    if (!shell) return { rest: () => Promise.resolve() };
    let typed = 0;
    let isOver = false;
    const type = async () => {
      for (; !isOver; await sleep(typeEveryMs)) await shell.write(`${(typed += 1)}\n`);
    };
    const fail = (error: unknown) => void (reading.failure ??= String(error));
    const running = Promise.all([type(), readLines(shell, (line) => reading.numbers.push(Number(line)))]).catch(fail);
    own({
      async [Symbol.asyncDispose]() {
        isOver = true;
        shell.close();
        await running;
      },
    });
    return {
      async rest() {
        isOver = true;
        const isEchoed = () => reading.failure !== undefined || reading.numbers.at(-1) === typed;
        await within(
          until(isEchoed),
          catchUpMs,
          () => `the shell returned ${reading.numbers.length} of ${typed} lines`,
        );
      },
    };
  });

/** Undefined if it does not open: the reading says why. */
async function openWithRetries(
  client: ReturnType<typeof createClient>,
  robotId: string,
  reading: Reading,
): Promise<Shell | undefined> {
  for (let tries = 1; ; tries += 1)
    try {
      return await client.streams.openShell(robotId, { command: ['cat'] });
    } catch (error) {
      if (tries < mostTries) await sleep(retryMs);
      else {
        reading.failure = String(error);
        return undefined;
      }
    }
}

async function readLines(shell: Shell, onLine: (line: string) => void): Promise<void> {
  let rest = '';
  for await (const text of shell.text()) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  }
}
