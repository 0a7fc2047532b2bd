import { apiOf, type RobotPin } from '../../api/api.ts';
import { idOf } from '../../api/names.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { endTimeForms, parseEndTime } from '../../command-line/end-time.ts';
import { usage } from '../../command-line/errors.ts';
import { pinText } from '../../output/pin-text.ts';
import { bothTimes } from '../../output/time.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { releaseOf } from '../deployments/deploy-release.ts';
import { confirmEffect } from '../effects/effect.ts';
import { printObject } from '../shared.ts';

const view: View<RobotPin> = {
  columns: [
    { field: 'tag', header: 'RELEASE', shown: 'table' },
    { field: 'until', shown: 'table', time: true },
    { field: 'reason', shown: 'table' },
    { field: 'pinned_by', header: 'BY', shown: 'table' },
    { field: 'pinned_at', header: 'SINCE', shown: 'table', time: true },
    { field: 'deployment_id', header: 'STILL CARRIES OUT', shown: 'table' },
    { field: 'release_id', header: 'RELEASE ID', shown: 'asked' },
  ],
  name: ({ tag }) => tag,
};

/** The instant of `--until`, in RFC 3339. */
function untilOf({ flags }: Invocation): string {
  const text = (flags.text('until') ?? '').trim(); // the flag is required
  const time = parseEndTime(text, new Date());
  if ('fault' in time) throw usage(`--until: "${text}" ${time.fault}`, `Use ${endTimeForms}`);
  return time.at.toISOString();
}

export async function pinRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [robot = ''] = call.args;
  const until = untilOf(call);
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  const tag = call.flags.text('release');
  const release = tag === undefined ? undefined : await releaseOf(call, api, tag, undefined);
  const reply = await api.put('/api/robots/{id}/pin', {
    path: { id },
    body: { ...(release && { release_id: release.id }), until, reason: call.flags.text('reason') ?? '' },
  });
  const { data } = reply.body;
  const order = data.deployment_id;
  const done = `It gets no release but ${data.tag} until ${bothTimes(data.until)}.`;
  await printObject(
    call,
    reply,
    view,
    order === undefined ? done : `${done} It still carries out deployment ${order}: cancel that to stop it.`,
  );
}

export async function unpinRobot(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [robot = ''] = call.args;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  await confirmEffect(call, async () => {
    const { data } = (await api.get('/api/robots/{id}/pin', { path: { id } })).body;
    return {
      title: `Unpin robot ${robot}`,
      facts: [
        ['Pinned', pinText(data)],
        ['Effect', 'Within seconds it gets the deployments that waited for it'],
      ],
    };
  });
  const reply = await api.delete('/api/robots/{id}/pin', { path: { id } });
  await printObject(call, reply, view, 'Unpinned. It gets the deployments that waited for it.');
}
