import { endTimeForms, parseEndTime } from '../../command-line/end-time.ts';
import type { Robot } from '../data/data.ts';
import type { FormField } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import type { chosenTarget } from './selection.ts';
import { stableInstants } from './stable-instants.ts';
import {
  isSelector,
  knownNow,
  selectorTargets,
  shownTargets,
  targetField,
  targetsOf,
  type Known,
  type ShownTargets,
} from './targets.ts';

type Values = Readonly<Record<string, string>>;

interface TargetForm {
  fields: readonly FormField[];
  /** The robots that these values may reach: of a selector, any. */
  candidates(values: Values): readonly Robot[];
  /** The targets of a plan; asks the service which robots match a selector. Rejects with a Failure. */
  read(values: Values): Promise<ShownTargets>;
}

const isAsked = ({ target = '' }: Values) => isSelector(target);

/** The fields for the target of a deployment; for a selector also its text, and until when robots that match later get it. */
export function targetForm(ui: Ui, known: Known, chosen: ReturnType<typeof chosenTarget>): TargetForm {
  const instantOf = stableInstants();
  const byChoice = ({ target = '' }: Values) => targetsOf(target, knownNow(ui, known), chosen.robots);
  return {
    fields: [
      targetField(known, chosen),
      {
        name: 'selector',
        label: 'Selector',
        kind: 'text',
        ...(chosen.selector !== undefined && { initial: chosen.selector }),
        hint: 'Such as tier=canary,@site=Osaka',
        check: (value) => (value.trim() === '' ? 'a selector is required' : undefined),
        isAsked,
      },
      {
        name: 'dynamic',
        label: 'Also later',
        kind: 'text',
        hint: `Until when robots that match later receive it: ${endTimeForms}; empty: none do`,
        check(value) {
          const now = new Date();
          const end = dynamicEnd(value, now);
          if (end && 'fault' in end) return `this ${end.fault}`;
          return end && end.at <= now ? 'this has passed' : undefined;
        },
        isAsked,
      },
    ],
    candidates: (values) => (isAsked(values) ? knownNow(ui, known).robots.items : byChoice(values).robots),
    async read(values) {
      if (!isAsked(values)) return shownTargets(() => byChoice(values));
      const { selector: typed = '', dynamic = '' } = values;
      const selector = typed.trim();
      const end = dynamicEnd(dynamic, new Date());
      const dynamicUntil = end && 'at' in end ? instantOf(dynamic, end.at).toISOString() : undefined;
      const readMatching = () => ui.mutations.readMatching(selector);
      let matching = await readMatching();
      return shownTargets(
        () => selectorTargets({ selector, dynamicUntil, matching }, knownNow(ui, known)),
        async () => {
          matching = await readMatching();
        },
      );
    },
  };
}

/** Undefined for an empty field. */
const dynamicEnd = (text: string, now: Date) => (text.trim() === '' ? undefined : parseEndTime(text, now));
