import type { Ui } from '../ui.ts';
import type { View, ScreenId } from '../views.ts';
import { parseFilter, type FilterWord } from '../table/filter-words.ts';
import { paneOf, type Pane } from '../screens/overview-panes.ts';
import { tailRobots } from '../tail/sources.ts';
import { namedIn, words } from './command-line.ts';

/** The lines of `cli` that show what the view shows, or what is chosen in it: one for each, where none takes several. Empty: there is none. */
export function viewLines(ui: Ui, view: View, chosen: readonly string[]): readonly (readonly string[])[] {
  const each = chosen.length > 1 ? chosen.map((id) => viewLine(ui, view, [id])) : [viewLine(ui, view, chosen)];
  const lines = each.filter((line) => line !== undefined);
  // Some screens have one line, whatever is chosen.
  return [...new Map(lines.map((line) => [line.join('\n'), line])).values()];
}

function viewLine(ui: Ui, view: View, chosen: readonly string[]): readonly string[] | undefined {
  const { place, tab, list } = view;
  const { data } = ui;
  const [first] = chosen;
  /** The thing that is chosen, in this list. */
  const one = <T>(listing: { byId: ReadonlyMap<string, T> } | undefined): T | undefined =>
    first === undefined ? undefined : listing?.byId.get(first);
  const robotName = (id: string) => namedIn(data.robots.get().value?.items, id);
  switch (place.screen) {
    case 'robots': {
      const robot = one(data.robots.get().value);
      return robot ? words({ command: 'robots show', args: [robotName(robot.id)] }) : listLine(ui, list.filter);
    }
    case 'robot':
      return place.robotId === undefined ? undefined : tabLine(tab, robotName(place.robotId));
    case 'deployments': {
      const id = one(data.deployments.get().value)?.id;
      const configId = one(data.configDeployments.get().value)?.id;
      if (id !== undefined) return words({ command: 'deployments show', args: [id] });
      return configId === undefined
        ? words({ command: 'deployments list' })
        : words({ command: 'configs deployment', args: [configId] });
    }
    case 'deployment':
      return (
        place.deployment &&
        words({
          command: place.deployment.deploymentKind === 'release' ? 'deployments watch' : 'configs watch',
          args: [place.deployment.id],
        })
      );
    case 'releases':
      return words({ command: 'releases list' });
    case 'configs': {
      const config = one(data.configs.get().value);
      return config ? words({ command: 'configs show', args: [config.id] }) : words({ command: 'configs list' });
    }
    case 'places': {
      const [fleet, site] = [one(data.fleets.get().value), one(data.sites.get().value)];
      if (fleet)
        return words({ command: 'robots list', flags: { fleet: namedIn(data.fleets.get().value?.items, fleet.id) } });
      return site
        ? words({ command: 'fleets list', flags: { site: namedIn(data.sites.get().value?.items, site.id) } })
        : words({ command: 'sites list' });
    }
    case 'keys':
      return words({ command: 'keys list' });
    case 'activity':
      return words({ command: 'audit list' });
    case 'people':
      return words({ command: tab === 'Tokens' ? 'tokens list' : 'users list' });
    case 'logs': {
      const robots = (tailRobots(ui, view) ?? []).map(robotName);
      return robots.length === 0 ? undefined : words({ command: 'robots logs', args: robots, flags: { follow: true } });
    }
    // What it puts together no single line does.
    case 'overview':
      return chosen.length === 0
        ? undefined
        : viewLine(ui, { ...view, place: { screen: paneScreens[paneOf(view)] } }, chosen);
  }
}

/** Where the lists of the overview stand as a whole. */
const paneScreens: Readonly<Record<Pane, ScreenId>> = {
  Sites: 'places',
  'Deployments that go on': 'deployments',
  'Robots that are not well': 'robots',
  'Last changes': 'activity',
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
  return words({ command, args, flags: command === 'robots logs' ? { follow: true } : {} });
}

/** The robots that a filter leaves, where the service knows such a filter too: of one fleet, of one site. */
function listLine({ data }: Ui, filter: string): readonly string[] | undefined {
  const lists = { fleet: data.fleets, site: data.sites };
  const flags: Record<string, string> = {};
  for (const word of parseFilter(filter, Object.keys(lists))) {
    const field = word.field === 'fleet' || word.field === 'site' ? word.field : undefined;
    const items = field && lists[field].get().value?.items;
    const [one, ...more] = items?.filter(({ name }) => isNamed(name, word)) ?? [];
    if (!field || !items || !one || more.length > 0 || word.isNot || field in flags) return undefined;
    flags[field] = namedIn(items, one.id);
  }
  return words({ command: 'robots list', flags });
}

const isNamed = (name: string, { kind, value }: FilterWord): boolean =>
  kind === 'is' ? name.toLowerCase() === value : kind === 'has' && name.toLowerCase().includes(value);
