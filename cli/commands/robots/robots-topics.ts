import { apiOf, type Api, type RobotTopic } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { explained } from '../../live/stream-refusals.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { printList } from '../lists.ts';
import { idOf } from '../../api/names.ts';

const view: View<RobotTopic> = {
  columns: [
    { field: 'name', shown: 'table', whole: true },
    { field: 'type', shown: 'table' },
    { field: 'source', shown: 'table' },
  ],
  name: ({ name }) => name,
};

const offer = 'Start its agent on the robot with its ROS graph, such as: cli agent run --ros ros1://127.0.0.1:11311';

/** Flags for `echo` only. */
const ofEcho = ['hz', 'once', 'source', 'timeout'] as const;

/** Lists a robot's ROS topics, or prints the messages of one topic. */
export async function robotTopics(call: Invocation): Promise<number> {
  const [robot = '', action, topic] = call.args;
  if (action === 'echo') {
    if (topic === undefined)
      throw usage('missing argument <topic>', `List topics with: cli robots topics ${robot} list`);
    const { echoTopic } = await import('../../live/topics/echo.ts');
    return await echoTopic(call, { robot, topic, offer });
  }
  if (topic !== undefined)
    throw usage(`unexpected argument "${topic}"`, `Read it with: cli robots topics ${robot} echo ${topic}`);
  const [flag] = ofEcho.filter((name) => call.flags.isGiven(name));
  if (flag !== undefined) throw usage(`--${flag} requires echo`, `Example: cli robots topics ${robot} echo <topic>`);
  if (answeredFieldsHelp(call, view)) return exitCode.ok;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  await list(call, api, id).catch(async (error: unknown) => {
    throw await explained(error, { api, id, robot, offer });
  });
  return exitCode.ok;
}

async function list(call: Invocation, api: Api, id: string): Promise<void> {
  let nodes = 0;
  let isTruncated = false;
  await printList(call, {
    what: 'topics',
    whenEmpty: 'Its ROS graph has none that is published.',
    async ask() {
      const reply = await api.get('/api/robots/{id}/ros/topics', { path: { id } });
      nodes = reply.body.nodes.length;
      isTruncated = reply.body.truncated;
      return reply;
    },
    view: () => view,
    key: 'name',
    summary: ({ length }) =>
      `${count(length, 'topic')}${isTruncated ? ', and more that do not fit' : ''}, of ${count(nodes, 'node')}`,
  });
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
