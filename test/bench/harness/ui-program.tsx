import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Box, Text, useInput } from 'ink';
import type { Data, Listing, LogRecord, Robot, TailState } from '../../../cli/ui/data/data.ts';
import type { Mutations } from '../../../cli/ui/data/mutations.ts';
import type { Snapshot } from '../../../cli/ui/data/freshness.ts';
import { createStore, type Store } from '../../../cli/ui/data/store.ts';
import { App } from '../../../cli/ui/App.tsx';
import { createUi } from '../../../cli/ui/create-ui.ts';
import { useReadable } from '../../../cli/ui/hooks.ts';
import { mount } from '../../../cli/ui/mount.tsx';
import type { Size, Ui, UiTerminal } from '../../../cli/ui/ui.ts';
import type { UiCommand, UiFigures } from './ui-job.ts';

/** The interface as it is, on data that this makes. It does what its parent says, and tells it how that went. */
const robotCount = 10_000;
const updateEveryMs = 10;
const updatesOfHour = 360_000;
const linesPerSecond = 2_000;
const maxLines = 5_000;
const now = () => performance.now();
const at = '2026-11-21T09:00:00.000Z';

const robotOf = (index: number, change: number): Robot => ({
  id: `0198c5a2-6a60-7e10-b1f0-${String(index).padStart(12, '0')}`,
  name: `amr-${String(index).padStart(5, '0')}`,
  org_id: 'org',
  site_id: 'site',
  fleet_id: 'fleet',
  online: (index + change) % 3 !== 0,
  last_seen_at: new Date(Date.parse(at) + change * 1_000).toISOString(),
  labels: {},
  reported: { configs: {}, releases: {} },
  health_status: 'unknown',
  conditions: [],
  created_at: at,
});

const live = <T,>(value: T): Snapshot<T> => ({ value, freshness: { kind: 'live', atMs: now() } });
const resourceOf = <S,>(store: Store<S>) => ({ ...store, want: () => () => undefined, refresh: () => undefined });
const listingOf = <T extends { id: string }>(items: readonly T[]): Listing<T> => ({
  items,
  byId: new Map(items.map((item) => [item.id, item])),
});
const emptyList = () => resourceOf(createStore(live(listingOf<never>([]))));

let items = Array.from({ length: robotCount }, (_, index) => robotOf(index, 0));
const robots = createStore(live(listingOf(items)));
const tail = createStore<TailState>({ lines: [], total: 0, openCount: 1, failures: new Map() });
let changes = 0;

/** One robot of those that are seen, and one of the others. */
function update(): void {
  changes += 1;
  items = [...items];
  for (const index of [changes % 40, (changes * 7_919) % robotCount]) items[index] = robotOf(index, changes);
  robots.set(live({ items, byId: robots.get().value?.byId ?? new Map() }));
}

function addLines(count: number): void {
  const { lines, total } = tail.get();
  const more = Array.from({ length: count }, (_, index) => {
    const seq = total + index + 1;
    const message = `plan ${seq}: ${'reached waypoint, battery ok, '.repeat(1 + (seq % 4))}`;
    const level = seq % 20 === 0 ? 'warn' : 'info';
    const record: LogRecord = {
      seq,
      robot_id: robotOf(0, 0).id,
      ts: at,
      received_at: at,
      level,
      source: 'nav',
      message,
    };
    return { kind: 'record' as const, robotId: robotOf(0, 0).id, record };
  });
  tail.set({ ...tail.get(), lines: [...lines, ...more].slice(-maxLines), total: total + count });
}

const trails = new Map<string, ReturnType<Data['health']>>();

/** Of one robot always the same, as from the stores. */
function healthOf(id: string): ReturnType<Data['health']> {
  const snapshot = { cpu: { percent: 42 }, disk: [{ path: '/', total_bytes: 64e9, free_bytes: 20e9 }] };
  const points = Array.from({ length: 8 }, (_, index) => ({ atMs: index * 2_000, snapshot }));
  const trail = trails.get(id) ?? resourceOf(createStore(live({ online: true, lastSeenAt: at, points })));
  trails.set(id, trail);
  return trail;
}

const uncounted = resourceOf(createStore<Snapshot<never>>({ value: undefined, freshness: { kind: 'loading' } }));

const data: Data = {
  connection: createStore({ kind: 'live', latencyMs: 12 } as const),
  clockAheadMs: createStore(0),
  attend: () => undefined,
  tryNow: () => undefined,
  place: { baseUrl: 'http://127.0.0.1', baseUrlFrom: 'the default', profile: 'default' },
  whoami: resourceOf(createStore<Snapshot<never>>({ value: undefined, freshness: { kind: 'loading' } })),
  robots: resourceOf(robots),
  sites: emptyList(),
  fleets: emptyList(),
  releases: emptyList(),
  configs: emptyList(),
  deployments: emptyList(),
  configDeployments: emptyList(),
  freeze: resourceOf(createStore(live({ frozen: false, held: 0 }))),
  rolloutPolicies: emptyList(),
  keys: emptyList(),
  users: emptyList(),
  tokens: emptyList(),
  activity: resourceOf(createStore(live([]))),
  healthHistory: resourceOf(createStore(live({ interval_seconds: 300, points: [] }))),
  measurements: emptyList(),
  robot: () => resourceOf(createStore<Snapshot<never>>({ value: undefined, freshness: { kind: 'loading' } })),
  health: (id) => healthOf(id),
  timeline: () => resourceOf(createStore(live([]))),
  logStats: () => uncounted,
  topics: () => resourceOf(createStore(live({ topics: [], nodes: [] }))),
  configRevisions: () => resourceOf(createStore(live([]))),
  targets: () => resourceOf(createStore(live([]))),
  events: () => resourceOf(createStore(live([]))),
  logs: () => ({ ...tail, want: () => () => undefined, clear: () => undefined }),
  echo: () => ({ ...createStore({ lines: [], perSecond: 0, failure: undefined }), want: () => () => undefined }),
  now,
  end: () => undefined,
};

/** How long the thread had no time for anything else, each time that was longer than a tick, in ms of its own CPU. */
function watchTurns(): () => number[] {
  const turns: number[] = [];
  let [wallMs, cpuMs] = [now(), cpuNowMs()];
  const timer = setInterval(() => {
    const [wall, cpu] = [now(), cpuNowMs()];
    if (wall - wallMs > 2) turns.push(cpu - cpuMs);
    [wallMs, cpuMs] = [wall, cpu];
  }, 1);
  return () => {
    clearInterval(timer);
    return turns;
  };
}

function cpuNowMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const parent = connect(process.env['PARENT'] ?? '');
const tell = (figures: UiFigures) => void parent.write(`${JSON.stringify(figures)}\n`);
let updating: NodeJS.Timeout | undefined;

async function run(command: UiCommand, ui: Ui): Promise<void> {
  clearInterval(updating);
  if (command.kind === 'update') {
    const turns = watchTurns();
    updating = setInterval(update, updateEveryMs);
    setTimeout(() => tell({ turnsMs: turns() }), command.ms);
  } else if (command.kind === 'log') {
    ui.views.go({ screen: 'logs' });
    updating = setInterval(() => addLines((linesPerSecond * updateEveryMs) / 1_000), updateEveryMs);
    tell({ turnsMs: [] });
  } else if (command.kind === 'hour') {
    for (let count = 0; count < updatesOfHour; count += 1) {
      update();
      // As often as frames are drawn in such a time.
      if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    tell({ turnsMs: [] });
  } else {
    tell({ turnsMs: [] });
  }
}

/** How many keys came, above the interface itself: what a key does there is drawn in the same frame. */
function Counted({ ui, size }: { ui: Ui; size: Store<Size> }) {
  const { columns } = useReadable(size);
  const keys = useReadable(keysSeen);
  useInput(() => keysSeen.update((count) => count + 1));
  return (
    <Box flexDirection="column" width={columns}>
      <Text>{`keys ${keys}.`}</Text>
      <App ui={ui} />
    </Box>
  );
}

const keysSeen = createStore(0);

function uiOn(terminal: UiTerminal): { ui: Ui; size: Store<Size> } {
  const size = createStore(terminal.size.get());
  const ui = createUi({
    data,
    mutations: {} as Mutations, // nothing is done here
    place: { screen: 'robots' },
    settings: { keys: {}, isAscii: false, hasColours: true, readOnlyProfiles: [] },
    colours: 'many',
    terminal: { ...terminal, size: createStore({ ...size.get(), rows: size.get().rows - 1 }) },
  });
  createInterface({ input: parent }).on('line', (line) => void run(JSON.parse(line) as UiCommand, ui));
  return { ui, size };
}

process.exitCode = await mount({ isAscii: false, passedOn: [] }, (terminal) => <Counted {...uiOn(terminal)} />);
parent.destroy();
clearInterval(updating);
