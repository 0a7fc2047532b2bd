import { safeCell } from '../../output/safe.ts';
import type { Deployment, Listing } from '../../stores/data.ts';
import { age, asOf, isStale } from '../components/age.ts';
import { fitTo } from '../components/cells.ts';
import { cutLine, lineOf, type Line } from '../components/line.ts';
import { progressBar } from '../components/spark.ts';
import type { Ui } from '../ui.ts';
import { activityRows } from './activity-rows.ts';
import { nameIn, robotRows, stateSign, stateTones, type RobotRow } from './robot-rows.ts';

/** Statuses after which nothing comes. */
const ended: readonly string[] = ['applied', 'failed', 'rolled_back', 'cancelled'];
const barWidth = 12;
const nameWidth = 16;
const lastEvents = 10;

interface Area {
  ui: Ui;
  columns: number;
  rows: number;
}

/** All robots in one line. */
export function totalsLine({ ui, columns }: Omit<Area, 'rows'>): Line {
  const { value, freshness } = robotRows(ui).get();
  const { signs } = ui.theme;
  if (!value) return lineOf(freshness.kind === 'failed' ? ` ${freshness.trouble.message}` : ' ', 'bad');
  const count = (state: RobotRow['state']) => value.filter((row) => row.state === state).length;
  const states = (['online', 'degraded', 'offline', 'never seen'] as const).flatMap((state) => {
    const many = count(state);
    return many === 0
      ? []
      : [{ text: `   ${stateSign(state, signs)} ${many.toLocaleString('en-US')} ${state}`, tone: stateTones[state] }];
  });
  const stale = isStale(ui, freshness) ? [{ text: `   ${asOf(ui, freshness)}`, tone: 'warn' as const }] : [];
  const all = { text: ` ${value.length.toLocaleString('en-US')} robots`, tone: 'strong' as const };
  return cutLine({ segments: [all, ...states, ...stale] }, columns, signs.ellipsis);
}

/** Deployments that go on, the newest first. */
export function runningLines(area: Area): Line[] {
  const { ui } = area;
  const { deployments, releases } = ui.data;
  const running = (deployments.get().value?.items ?? []).filter(({ status }) => !ended.includes(status));
  const lines = running.toReversed().map((deployment) => runningLine(ui, deployment, releases.get().value));
  return section(area, `Deployments that go on: ${running.length}`, lines, 'None.');
}

function runningLine(ui: Ui, deployment: Deployment, releases: Listing<{ id: string; tag: string }> | undefined): Line {
  const { counts, status } = deployment;
  const tag = releases?.byId.get(deployment.release_id)?.tag ?? '';
  const share = counts.total === 0 ? 0 : endedOf(counts) / counts.total;
  const bad = counts.failed + counts.rolled_back;
  return {
    segments: [
      { text: `   ${fitTo(safeCell(tag), nameWidth, ui.theme.signs.ellipsis)} ` },
      { text: progressBar(share, barWidth, ui.settings.isAscii), tone: 'busy' },
      { text: ` ${counts.total === 0 ? safeCell(status) : `${endedOf(counts)}/${counts.total}`}` },
      ...(bad > 0 ? [{ text: ` ${ui.theme.signs.degraded} ${bad} failed`, tone: 'bad' as const }] : []),
      { text: ` ${targetName(ui, deployment)}`, tone: 'quiet' },
    ],
  };
}

const endedOf = ({ applied, failed, rolled_back: back, cancelled }: Deployment['counts']) =>
  applied + failed + back + cancelled;

function targetName({ data }: Ui, { target_kind: kind, target_id: id }: Deployment): string {
  const list = kind === 'fleet' ? data.fleets.get().value : data.robots.get().value;
  return safeCell(`${kind} ${nameIn(list, id)}`);
}

/** Robots that are not well, those that went away last first. */
export function failingLines(area: Area): Line[] {
  const { ui } = area;
  const { signs } = ui.theme;
  const failing = (robotRows(ui).get().value ?? []).filter(({ state }) => state === 'degraded' || state === 'offline');
  const newestFirst = failing.toSorted((one, other) =>
    (one.robot.last_seen_at ?? '') < (other.robot.last_seen_at ?? '') ? 1 : -1,
  );
  const lines = newestFirst.slice(0, area.rows).map((row): Line => ({
    segments: [
      { text: `   ${fitTo(safeCell(row.robot.name), nameWidth, signs.ellipsis)} ` },
      { text: `${stateSign(row.state, signs)} ${row.state}`.padEnd(nameWidth - 4), tone: stateTones[row.state] },
      { text: `${age(row.robot.last_seen_at).padStart(5)}  ${safeCell(row.fleet)}`, tone: 'quiet' },
    ],
  }));
  return section(area, `Robots that are not well: ${failing.length.toLocaleString('en-US')}`, lines, 'None.');
}

export function eventLines(area: Area): Line[] {
  const rows = (activityRows(area.ui).get().value ?? []).slice(0, lastEvents);
  const lines = rows.map(({ entry, actor, object }): Line => ({
    segments: [
      { text: `   ${age(entry.at).padStart(4)}  `, tone: 'quiet' },
      { text: safeCell(entry.operation) },
      { text: `  ${safeCell(object)}` },
      { text: `  ${safeCell(actor)}`, tone: 'quiet' },
    ],
  }));
  return section(area, 'Last changes', lines, 'Nothing has changed yet.');
}

/** A title and what is below it; what there is no room for is counted. */
function section({ ui, columns, rows }: Area, title: string, lines: readonly Line[], none: string): Line[] {
  const room = rows - 1;
  if (room < 1) return [];
  const shown = lines.length === 0 ? [lineOf(`   ${none}`, 'quiet')] : lines.slice(0, room);
  return [lineOf(` ${title}`, 'strong'), ...shown].map((line) => cutLine(line, columns, ui.theme.signs.ellipsis));
}
