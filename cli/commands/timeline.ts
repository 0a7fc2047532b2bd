import { apiOf, type TimelineEntry } from '../api/api.ts';
import type { Tone } from '../command-line/colour.ts';
import { answeredFieldsHelp, drawsScreen, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printList } from './lists.ts';
import { idOf } from '../api/names.ts';

const tones: Readonly<Record<string, Tone>> = { duplicate_agent: 'warn', drift: 'bad', drift_ended: 'good' };

const view: View<TimelineEntry> = {
  columns: [
    { field: 'seq', shown: 'table' },
    { field: 'at', shown: 'table', time: true },
    { field: 'kind', shown: 'table', tone: ({ kind }) => tones[kind] },
    { field: 'message', shown: 'table' },
    { field: 'details', shown: 'wide' },
  ],
  name: (entry) => String(entry.seq),
};

export async function listTimeline(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { args, flags } = call;
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', args[0] ?? '');
  const kind = flags.text('kind');
  let after = flags.integer('after');
  // Lines follow the timeline by sequence number and miss no entry; a screen shows its end.
  const follows = flags.on('watch') && !drawsScreen(call);
  await printList(call, {
    what: 'entries',
    whenEmpty: 'The first one is its enrollment.',
    async ask({ limit }) {
      const reply = await api.get('/api/robots/{id}/timeline', { path: { id }, query: { limit, after, kind } });
      if (follows) after = reply.body.items.at(-1)?.seq ?? after;
      return reply;
    },
    view: () => view,
    key: 'seq',
    isLog: true,
  });
}
