import { shortId } from '../../command-line/id.ts';
import { isTerminal } from '../../output/deployment-format.ts';
import type { ActionContext } from '../actions/action.ts';
import type { EnrollmentKey, Fleet, Site } from '../data/data.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { commandWords, nameOrId } from './command-line.ts';
import { nameFault } from './field-checks.ts';
import { marksDisabledReason, selectedOf } from './selection.ts';
import { typedConfirmation } from './typed-confirmation.ts';
import { staleWarnings, whenLoaded } from './when-loaded.ts';

type Place = { kind: 'site'; item: Site; siteId: string } | { kind: 'fleet'; item: Fleet; siteId: string };

/** The site or fleet under the cursor. */
function chosenPlace(context: ActionContext): Place | undefined {
  const { sites, fleets } = context.ui.data;
  const site = selectedOf(context, sites.get().value);
  if (site) return { kind: 'site', item: site, siteId: site.id };
  const fleet = selectedOf(context, fleets.get().value);
  return fleet && { kind: 'fleet', item: fleet, siteId: fleet.site_id };
}

export const placeDisabledReason = (context: ActionContext): string | undefined =>
  marksDisabledReason(context) ?? (chosenPlace(context) ? undefined : 'select a site or a fleet first');

const idInCommand = ({ data }: Ui, { kind, item }: Place) =>
  nameOrId((kind === 'site' ? data.sites : data.fleets).get().value?.items, item.id);

/** `pickers at Osaka`. */
const nameOf = ({ data }: Ui, { kind, item, siteId }: Place) =>
  kind === 'site' ? item.name : `${item.name} at ${data.sites.get().value?.byId.get(siteId)?.name ?? siteId}`;

export function openRenamePlace(context: ActionContext): void {
  const { ui } = context;
  const place = chosenPlace(context);
  if (!place) return;
  const { kind, item, siteId } = place;
  const fleets = ui.data.fleets.get().value?.items.filter(({ site_id: id }) => id === siteId) ?? [];
  const others = kind === 'site' ? (ui.data.sites.get().value?.items ?? []) : fleets;
  ui.overlay.set({
    kind: 'form',
    form: {
      title: `Rename the ${kind} ${item.name}`,
      fields: [
        {
          name: 'name',
          label: 'Name',
          kind: 'text',
          initial: item.name,
          check: (name) =>
            nameFault(name) ??
            (others.some((other) => other.id !== item.id && other.name.toLowerCase() === name.toLowerCase())
              ? `another ${kind}${kind === 'site' ? '' : ' of the site'} has this name`
              : undefined),
        },
      ],
      submit: async ({ name = '' }) => ({
        title: `Rename ${item.name} to ${name}`,
        facts: [
          { label: kind === 'site' ? 'Site' : 'Fleet', text: nameOf(ui, place) },
          { label: 'New name', text: name },
        ],
        warnings: ['Commands and scripts that have the old name no longer find it. IDs stay.'],
        line: commandWords({ command: `${kind}s rename`, args: [idInCommand(ui, place), name] }),
        confirm: { kind: 'enter' },
        async run() {
          await ui.mutations.renamePlace(kind, item.id, name);
          return `Renamed ${item.name} to ${name}.`;
        },
      }),
    },
  });
}

export function deletePlaceCommand(context: ActionContext): readonly string[] | undefined {
  const place = chosenPlace(context);
  return place && deletionLine(context.ui, place);
}

const deletionLine = (ui: Ui, place: Place) =>
  commandWords({ command: `${place.kind}s delete`, args: [idInCommand(ui, place)] });

export function openDeletePlace(context: ActionContext): void {
  const { ui } = context;
  const { sites, fleets, robots, keys, deployments, configDeployments } = ui.data;
  const place = chosenPlace(context);
  if (!place) return;
  whenLoaded(ui, [sites, fleets, robots, keys, deployments, configDeployments], () =>
    ui.overlay.set({ kind: 'plan', plan: deletionPlan(ui, place) }),
  );
}

function deletionPlan(ui: Ui, place: Place): Plan {
  const { sites, fleets, robots, keys, deployments, configDeployments } = ui.data;
  const { kind, item } = place;
  return {
    title: `Delete the ${kind} ${item.name}`,
    get facts() {
      return [
        { label: kind === 'site' ? 'Site' : 'Fleet', text: nameOf(ui, place) },
        { label: 'Contains', text: contentOf(ui, place) || 'nothing' },
      ];
    },
    get warnings() {
      return [
        contentOf(ui, place) === ''
          ? 'Its condition rules, maintenance windows and ended keys are deleted with it.'
          : `The service refuses this until the ${kind} is empty.`,
        ...staleWarnings(ui, [sites, fleets, robots, keys, deployments, configDeployments]),
      ];
    },
    line: deletionLine(ui, place),
    confirm: typedConfirmation(ui, item.name, shortId(item.id)),
    async run() {
      await ui.mutations.deletePlace(kind, item.id);
      return `Deleted the ${kind} ${item.name}.`;
    },
  };
}

/** What prevents the deletion: `2 fleets, 12 robots, 1 valid key`; retired robots count too, but are not loaded. */
function contentOf({ data }: Ui, { kind, item }: Place): string {
  const isIn = ({ site_id: siteId, fleet_id: fleetId }: { site_id: string; fleet_id?: string }) =>
    (kind === 'site' ? siteId : fleetId) === item.id;
  const isTarget = ({ target_id: id, status }: { target_id: string; status: string }) =>
    id === item.id && !isTerminal(status);
  const count = <T>(items: readonly T[] | undefined, test: (one: T) => boolean) => (items ?? []).filter(test).length;
  const parts: [number, string][] = [
    [kind === 'site' ? count(data.fleets.get().value?.items, ({ site_id: id }) => id === item.id) : 0, 'fleet'],
    [count(data.robots.get().value?.items, isIn), 'robot'],
    [count(data.keys.get().value?.items, (key) => isIn(key) && isValid(key)), 'valid enrollment key'],
    [
      count(data.deployments.get().value?.items, isTarget) + count(data.configDeployments.get().value?.items, isTarget),
      'scheduled or active deployment',
    ],
  ];
  return parts
    .filter(([many]) => many > 0)
    .map(([many, what]) => `${many.toLocaleString('en-US')} ${what}${many === 1 ? '' : 's'}`)
    .join(', ');
}

const isValid = ({ revoked_at: revoked, expires_at: expires, uses, max_uses: most = Infinity }: EnrollmentKey) =>
  revoked === undefined && uses < most && !(expires !== undefined && Date.parse(expires) <= Date.now());
