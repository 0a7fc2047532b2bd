import type { DeploymentWave } from '../../api/api.ts';
import { endedOf, endsOf } from '../../output/deployment-format.ts';
import { relativeTime } from '../../output/time.ts';
import type { View } from '../../output/view.ts';

/** The waves of a rollout, as `show` lists them. */
export const waveView: View<DeploymentWave> = {
  columns: [
    { field: 'number', header: 'WAVE', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'counts', header: 'ROBOTS', shown: 'table', text: ({ counts }) => (counts ? String(counts.total) : '') },
    { field: 'counts', header: 'STATE', shown: 'table', whole: true, text: stateOf, tone: toneOf },
    { field: 'started_at', header: 'BEGAN', shown: 'table', time: true },
  ],
  name: ({ number }) => String(number),
};

/** `ended: 5 applied`, `2 of 5 ended: 2 applied`, `soaks since 3 min ago`, `not begun`. */
function stateOf({ counts, started_at: startedAt, soak_started_at: soakStartedAt, ended_at: endedAt }: DeploymentWave) {
  if (startedAt === undefined || !counts) return 'not begun';
  const ended = endedOf(counts);
  const ends = endsOf(counts);
  const all = ended === counts.total || endedAt !== undefined;
  const done = [all ? 'ended' : `${ended} of ${counts.total} ended`, ends].filter((text) => text !== '').join(': ');
  return soakStartedAt === undefined || endedAt !== undefined
    ? done
    : `${done}, soaks since ${relativeTime(soakStartedAt)}`;
}

function toneOf({ counts, started_at: startedAt, ended_at: endedAt }: DeploymentWave) {
  if (startedAt === undefined || !counts) return 'quiet';
  if (counts.failed + counts.rolled_back > 0) return 'bad';
  return endedAt !== undefined || counts.applied === counts.total ? 'good' : undefined;
}
