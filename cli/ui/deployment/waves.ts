import { listTable, usedColumns } from '../../output/table.ts';
import { offlineByWave, waveTone, waveView } from '../../output/wave-view.ts';
import { lineOf, type Line } from '../components/line.ts';
import type { DeploymentTarget } from '../data/data.ts';
import { visibleAround } from '../overlays/panel.ts';
import type { ShownDeployment } from './deployment.ts';

/** The waves of a rollout in at most so many rows, those around the current one, with a gap; empty without a rollout. */
export function waveLines(
  { deployment: { rollout } }: ShownDeployment,
  targets: readonly DeploymentTarget[],
  columns: number,
  rows: number,
): Line[] {
  if (!rollout || rows < 3) return [];
  const waves = visibleAround(rollout.waves, rollout.wave - 1, rows - 2);
  const used = usedColumns(waveView(offlineByWave(targets)).columns, waves);
  const [header = '', ...lines] = listTable(used, columns - 1, (text) => text).lines(waves);
  return [
    lineOf(` ${header}`, 'quiet'),
    ...lines.map((line, index) => lineOf(` ${line}`, waves[index] && waveTone(waves[index]))),
    lineOf(''),
  ];
}
