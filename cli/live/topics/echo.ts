import type { TopicGap, TopicRecord, TopicStatus } from '../../../generated/media.js';
import { followTopic } from '../../client/streams/topic.ts';
import { apiOf } from '../../api/api.ts';
import { secondsOfSpan } from '../../command-line/instant.ts';
import { idOf } from '../../api/names.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { streamConnector } from '../stream-connector.ts';
import { explained } from '../stream-refusals.ts';
import { withCliErrors, wordsOf } from '../stream-errors.ts';
import { safeCell, safeText } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { fieldsOf } from './fields.ts';
import { topicWriter } from './writer.ts';

interface EchoRequest {
  robot: string;
  topic: string;
  /** The next step for a robot whose agent reads no ROS graph. */
  offer: string;
}

/**
 * Prints a topic's messages until Ctrl-C, `--once` or `--timeout`; returns the exit code. Reconnects if the robot goes
 * offline.
 */
export async function echoTopic(call: Invocation, { robot, topic, offer }: EchoRequest): Promise<number> {
  const { flags } = call;
  const hz = rateOf(flags.text('hz'));
  const span = flags.text('timeout');
  const seconds = span === undefined ? undefined : secondsOfSpan('timeout', span);
  const writer = topicWriter(call, fieldsOf(flags.text('fields')));
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);

  const over = new AbortController();
  const timer = seconds === undefined ? undefined : setTimeout(() => over.abort(tooLate), seconds * 1000);
  const away = awayTeller(call);
  const following = followTopic(streamConnector(call, api), id, topic, {
    query: { hz, source: flags.text('source') },
    signal: over.signal,
    onOpen: () => away.over(),
    onWaiting: (error, waitMs, attempt) => away.is(wordsOf(error), waitMs, attempt),
    onFrame(received, text) {
      // A frame that was already on its way.
      if (over.signal.aborted) return undefined;
      try {
        const frame = received as TopicRecord | TopicGap | TopicStatus;
        if (!isRecord(frame)) {
          writer.word(frame);
          return undefined;
        }
        writer.record(frame, text);
      } catch (error) {
        // Data from a robot is untrusted: lists may nest deeper than can be traversed.
        if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
        call.io.note('skipped a message that cannot be shown');
        return undefined;
      }
      if (flags.on('once')) over.abort();
      return call.io.out.full();
    },
  });
  await withCliErrors(following)
    .catch(async (error: unknown) => {
      throw await explained(error, { api, id, robot, offer });
    })
    .finally(() => {
      clearTimeout(timer);
      away.end();
    });
  if (over.signal.reason === tooLate)
    throw new CliError(`${flags.on('once') ? 'no message' : 'not ended'} within ${span}`, {
      exit: exitCode.timedOut,
      hint: `Wait longer with --timeout. List topics with: cli robots topics ${robot} list`,
    });
  return exitCode.ok;
}

const tooLate = new Error('too late');

/** The type of a message has a slash, that of another frame has none. */
const isRecord = (frame: TopicRecord | TopicGap | TopicStatus): frame is TopicRecord => frame.type.includes('/');

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hz = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (hz >= 0.1 && hz <= 1000) return hz;
  throw usage(`--hz must be a number from 0.1 to 1000, not "${text}"`);
}

/**
 * A disconnected stream on one status line, rewritten on a terminal. Disconnect and reconnect also get a line each,
 * once.
 */
function awayTeller(call: Invocation) {
  const status = statusLine(call);
  let why: string | undefined;
  return {
    is(message: string, waitMs: number, attempt: number): void {
      status.clear();
      if (message !== why) call.io.note(safeText(message));
      why = message;
      const line = safeCell(`reconnecting in ${Math.ceil(waitMs / 1000)} s (attempt ${attempt})`);
      status.show(call.io.err.paint(line, 'quiet'));
    },
    over(): void {
      status.clear();
      if (why !== undefined) call.io.note('reconnected');
      why = undefined;
    },
    end: () => status.clear(),
  };
}
