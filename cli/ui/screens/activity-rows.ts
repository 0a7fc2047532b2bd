import type { AuditEntry, DeploymentKind } from '../data/data.ts';
import type { Snapshot } from '../data/freshness.ts';
import type { Readable } from '../data/store.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { deploymentOf, targetOf, whatOf } from '../deployment/deployment.ts';
import type { Ui } from '../ui.ts';
import type { Place } from '../views.ts';

/** One entry of the audit log, with display names of its actor and object. */
export interface ActivityRow {
  id: string;
  entry: AuditEntry;
  actor: string;
  object: string;
}

type Named = Readable<Snapshot<{ byId: ReadonlyMap<string, unknown> }>>;

/** Newest first. Names come from lists that are already loaded: no request is made for them. */
export const activityRows = perUi((ui) =>
  derivedRows(
    ui.data.activity,
    namedLists(ui).map(([list]) => list),
    (entries): ActivityRow[] => {
      const name = (id: string | undefined) => (id === undefined ? '' : nameOf(ui, id));
      return entries.toReversed().map((entry) => {
        const { actor_kind: kind, actor_id: actorId, object_id: objectId } = entry;
        const actor = name(actorId);
        return {
          id: String(entry.seq),
          entry,
          actor: kind === 'user' && actor !== '' ? actor : `${kind === 'enroll' ? 'key' : kind} ${actor}`.trimEnd(),
          object: name(objectId),
        };
      });
    },
  ),
);

function namedLists(ui: Ui): readonly (readonly [list: Named, name: (id: string) => string | undefined])[] {
  const { data } = ui;
  return [
    [data.robots, (id) => data.robots.get().value?.byId.get(id)?.name],
    [data.fleets, (id) => data.fleets.get().value?.byId.get(id)?.name],
    [data.sites, (id) => data.sites.get().value?.byId.get(id)?.name],
    [data.releases, (id) => data.releases.get().value?.byId.get(id)?.tag],
    [data.configs, (id) => data.configs.get().value?.byId.get(id)?.key],
    [data.users, (id) => data.users.get().value?.byId.get(id)?.email],
    ...(['release', 'config'] as const).map(
      (kind) =>
        [
          kind === 'release' ? data.deployments : data.configDeployments,
          (id: string) => deploymentText(ui, kind, id),
        ] as const,
    ),
    [data.keys, (id) => data.keys.get().value?.byId.get(id)?.label],
  ];
}

/** `nav-1.8.1 to fleet pickers`. */
function deploymentText(ui: Ui, kind: DeploymentKind, id: string): string | undefined {
  const shown = deploymentOf(ui, kind, id);
  return shown && `${whatOf(ui, shown)} to ${targetOf(ui, shown)}`;
}

function nameOf(ui: Ui, id: string): string {
  const { org } = ui.data.whoami.get().value ?? {};
  if (org?.id === id) return org.name;
  for (const [, name] of namedLists(ui)) {
    const found = name(id);
    if (found !== undefined) return found;
  }
  return id;
}

/** The place of the entry's object; undefined: none. */
export function placeOf({ entry: { object_kind: kind, object_id: id } }: ActivityRow): Place | undefined {
  switch (kind) {
    case 'robot':
      return { screen: 'robot', robotId: id };
    case 'deployment':
      return { screen: 'deployment', deployment: { deploymentKind: 'release', id } };
    case 'config_deployment':
      return { screen: 'deployment', deployment: { deploymentKind: 'config', id } };
    case 'release':
      return { screen: 'releases', filter: `id:${id}` };
    case 'config':
      return { screen: 'configs', filter: `id:${id}` };
    case 'site':
    case 'fleet':
      return { screen: 'places', filter: `id:${id}` };
    case 'enrollment_key':
      return { screen: 'keys', filter: `id:${id}` };
    case 'user':
      return { screen: 'people', filter: `id:${id}` };
    default:
      return undefined;
  }
}

/** `createDeployment` as `create deployment`. */
export const operationWords = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
