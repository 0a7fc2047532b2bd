import { apiOf, type HealthHistory } from '../api/api.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { printList } from './lists.ts';

type Point = HealthHistory['points'][number];

const view: View<Point> = {
  columns: [
    { field: 'at', shown: 'table', text: ({ at }) => at },
    { field: 'total', header: 'ROBOTS', shown: 'table', dropped: 2 },
    { field: 'online', shown: 'table' },
    { field: 'healthy', shown: 'table' },
    { field: 'degraded', shown: 'table', tone: ({ degraded }) => (degraded > 0 ? 'warn' : undefined) },
    { field: 'unhealthy', shown: 'table', tone: ({ unhealthy }) => (unhealthy > 0 ? 'bad' : undefined) },
    { field: 'unknown', shown: 'table', dropped: 1, tone: () => 'quiet' },
  ],
  name: ({ at }) => at,
};

/** The numbers of robots by health over time, a line for each five minutes. */
export async function listHealthHistory(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  await printList(call, {
    what: 'points',
    whenEmpty: 'The service counts every five minutes, the first time a minute after its start.',
    async ask() {
      const reply = await api.get('/api/health-history', {});
      return { ...reply, body: { items: reply.body.data.points } };
    },
    view: () => view,
    key: 'at',
  });
}
