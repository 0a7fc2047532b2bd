import { randomUUID } from 'node:crypto';
import { isId } from '../../id.ts';
import { relativeTime } from '../../output/time.ts';
import type { Listing, Release } from '../../stores/data.ts';
import type { Moment } from '../actions/action.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { chosenFleet, chosenRobots, selectedOf } from './chosen.ts';
import { eachOf } from './each-of.ts';
import { words } from './line.ts';
import {
  runningNow,
  targetFacts,
  knownNow,
  shownTargets,
  targetField,
  targetsOf,
  targetWarnings,
  type ShownTargets,
  type Targets,
} from './targets.ts';
import { staleWarnings, whenHere } from './when-here.ts';
import { whenOf } from './when.ts';

/** Asks which release for whom and when, then shows the plan. */
export function openDeploy(moment: Moment): void {
  const { ui } = moment;
  const { data } = ui;
  whenHere(ui, [data.releases, data.robots, data.fleets], (releases, robots, fleets) => {
    const known = { robots, fleets };
    const ids = chosenRobots(moment);
    const newest = [...releases.items].sort((one, other) => other.created_at.localeCompare(one.created_at));
    const initial = selectedOf(moment, releases);
    ui.overlay.set({
      kind: 'form',
      form: {
        title: 'Deploy a release',
        fields: [
          {
            name: 'release',
            label: 'Release',
            kind: 'choice',
            choices: newest.map(({ id, tag, kind, created_at }) => ({
              value: id,
              text: `${tag} (${kind}, ${relativeTime(created_at)})`,
            })),
            ...(initial && { initial: initial.id }),
            hint: 'Type a part of its tag',
            check: (value) => (value === '' ? 'there is no release yet: cli releases push <path>' : undefined),
          },
          targetField(known, { robots: ids, fleet: chosenFleet(moment) }),
          {
            name: 'when',
            label: 'When',
            kind: 'text',
            initial: 'now',
            hint: 'now, in 30m, 22:00 or 2026-11-22T02:00:00+09:00',
            check(value) {
              const when = whenOf(value, new Date());
              return 'fault' in when ? when.fault : undefined;
            },
          },
        ],
        submit: async (values) => {
          const release = releases.byId.get(values['release'] ?? '');
          const when = whenOf(values['when'] ?? '', new Date());
          if (!release || 'fault' in when) return undefined;
          return deployPlan(ui, {
            release,
            releases,
            target: shownTargets(() => targetsOf(values['target'] ?? '', knownNow(ui, known), ids)),
            at: when.at,
          });
        },
      },
    });
  });
}

interface Order {
  release: Release;
  releases: Listing<Release>;
  target: ShownTargets;
  at: Date | undefined;
}

/** The plan has one key for each of its orders: confirmed again after a lost answer, it orders nothing twice. */
function deployPlan(ui: Ui, { release, releases, target, at }: Order): Plan {
  const { tag, kind, id: releaseId } = release;
  const tagOf = (robot: Targets['robots'][number]) => robot.reported.releases[kind]?.tag;
  const isAmbiguous = releases.items.some((other) => other.tag === tag && other.kind !== kind);
  const targets = target.shown();
  const scheduledAt = at?.toISOString();
  const orders = targets.targets.map((each) => ({
    releaseId,
    target: each,
    scheduledAt,
    idempotencyKey: randomUUID(),
  }));
  return {
    title: `Deploy ${tag} to ${targets.text}`,
    get facts() {
      const { robots } = target.shown();
      return [
        { label: 'Release', text: `${tag} (${kind})` },
        ...targetFacts(target.shown()),
        { label: 'Now on', text: robots.length === 0 ? 'nothing' : runningNow(robots, tagOf) },
        {
          label: 'When',
          text: at ? `not before ${at.toLocaleString('sv')} here (${relativeTime(at.toISOString())})` : 'at once',
        },
      ];
    },
    get warnings() {
      const { robots } = target.shown();
      return [
        ...targetWarnings(target.shown()),
        ...(robots.length > 0 && robots.every((robot) => tagOf(robot) === tag) ? ['All of them run it already.'] : []),
        ...staleWarnings(ui, [ui.data.robots]),
      ];
    },
    line: words({
      command: 'deploy',
      args: [isAmbiguous || isId(tag) ? releaseId : tag],
      flags: { ...targets.flag, 'scheduled-at': scheduledAt },
    }),
    confirm: targets.confirm,
    isRepeatable: true,
    async run() {
      target.check();
      await eachOf(orders, (order) => ui.deeds.deployRelease(order));
      return `Ordered: ${tag} for ${targets.text}. 3 shows how it goes.`;
    },
  };
}
