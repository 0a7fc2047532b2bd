import type { Ui } from '../ui.ts';
import type { View, ScreenId } from '../views.ts';
import { parseFilter, type FilterWord } from '../table/filter-words.ts';
import { paneOf, type Pane } from '../screens/overview-panes.ts';
import { tailRobots } from '../tail/sources.ts';
import { nameOrId, commandWords } from './command-line.ts';

/** The `cli` commands that show the view, or its chosen rows: one per row, if no command takes several. Empty: none. */
export function viewCommands(ui: Ui, view: View, chosen: readonly string[]): readonly (readonly string[])[] {
  const each = chosen.length > 1 ? chosen.map((id) => viewCommand(ui, view, [id])) : [viewCommand(ui, view, chosen)];
  const lines = each.filter((line) => line !== undefined);
  // Some screens have one command, whatever is chosen.
  return [...new Map(lines.map((line) => [line.join('\n'), line])).values()];
}

function viewCommand(ui: Ui, view: View, chosen: readonly string[]): readonly string[] | undefined {
  const { place, tab, list } = view;
  const { data } = ui;
  const [first] = chosen;
  /** The chosen item in this list. */
  const one = <T>(listing: { byId: ReadonlyMap<string, T> } | undefined): T | undefined =>
    first === undefined ? undefined : listing?.byId.get(first);
  const robotName = (id: string) => nameOrId(data.robots.get().value?.items, id);
  switch (place.screen) {
    case 'robots': {
      const robot = one(data.robots.get().value);
      return robot ? commandWords({ command: 'robots show', args: [robotName(robot.id)] }) : listLine(ui, list.filter);
    }
    case 'robot':
      return place.robotId === undefined ? undefined : tabLine(tab, robotName(place.robotId));
    case 'deployments': {
      const id = one(data.deployments.get().value)?.id;
      const configId = one(data.configDeployments.get().value)?.id;
      if (id !== undefined) return commandWords({ command: 'deployments show', args: [id] });
      return configId === undefined
        ? commandWords({ command: 'deployments list' })
        : commandWords({ command: 'configs deployment', args: [configId] });
    }
    case 'deployment':
      return (
        place.deployment &&
        commandWords({
          command: place.deployment.deploymentKind === 'release' ? 'deployments watch' : 'configs watch',
          args: [place.deployment.id],
        })
      );
    case 'releases':
      return commandWords({ command: 'releases list' });
    case 'configs': {
      const config = one(data.configs.get().value);
      return config
        ? commandWords({ command: 'configs show', args: [config.id] })
        : commandWords({ command: 'configs list' });
    }
    case 'places': {
      const [fleet, site] = [one(data.fleets.get().value), one(data.sites.get().value)];
      if (fleet)
        return commandWords({
          command: 'robots list',
          flags: { fleet: nameOrId(data.fleets.get().value?.items, fleet.id) },
        });
      return site
        ? commandWords({ command: 'fleets list', flags: { site: nameOrId(data.sites.get().value?.items, site.id) } })
        : commandWords({ command: 'sites list' });
    }
    case 'keys':
      return commandWords({ command: 'keys list' });
    case 'activity':
      return commandWords({ command: 'audit list' });
    case 'people':
      return commandWords({ command: tab === 'Tokens' ? 'tokens list' : 'users list' });
    case 'logs': {
      const robots = (tailRobots(ui, view) ?? []).map(robotName);
      return robots.length === 0
        ? undefined
        : commandWords({ command: 'robots logs', args: robots, flags: { follow: true } });
    }
    // No single command shows the overview.
    case 'overview':
      if (paneOf(view) === 'Conditions' && first !== undefined)
        return commandWords({ command: 'robots list', flags: { condition: first } });
      return chosen.length === 0
        ? undefined
        : viewCommand(ui, { ...view, place: { screen: paneScreens[paneOf(view)] } }, chosen);
  }
}

/** The full screens of the overview's lists. */
const paneScreens: Readonly<Record<Pane, ScreenId>> = {
  Fleets: 'places',
  'Active deployments': 'deployments',
  'Unhealthy robots': 'robots',
  Conditions: 'robots',
  'Recent events': 'activity',
};

const tabCommands: Readonly<Record<string, string>> = {
  Health: 'robots inspect',
  Logs: 'robots logs',
  Timeline: 'robots timeline',
  Shell: 'robots shell',
  Camera: 'robots camera',
  Topics: 'robots topics',
};

function tabLine(tab: string | undefined, robot: string): readonly string[] {
  const command = tabCommands[tab ?? 'Health'] ?? 'robots show';
  const args = command === 'robots topics' ? [robot, 'list'] : [robot];
  return commandWords({ command, args, flags: command === 'robots logs' ? { follow: true } : {} });
}

/** The robots that a filter keeps, if the service has such a filter too: by one fleet, by one site. */
function listLine({ data }: Ui, filter: string): readonly string[] | undefined {
  const lists = { fleet: data.fleets, site: data.sites };
  const flags: Record<string, string> = {};
  for (const word of parseFilter(filter, Object.keys(lists))) {
    const field = word.field === 'fleet' || word.field === 'site' ? word.field : undefined;
    const items = field && lists[field].get().value?.items;
    const [one, ...more] = items?.filter(({ name }) => isNamed(name, word)) ?? [];
    if (!field || !items || !one || more.length > 0 || word.isNot || field in flags) return undefined;
    flags[field] = nameOrId(items, one.id);
  }
  return commandWords({ command: 'robots list', flags });
}

const isNamed = (name: string, { kind, value }: FilterWord): boolean =>
  kind === 'is' ? name.toLowerCase() === value : kind === 'has' && name.toLowerCase().includes(value);
