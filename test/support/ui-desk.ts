import { createStore } from '../../cli/stores/store.ts';
import { press } from '../../cli/ui/actions/press.ts';
import type { Overlay } from '../../cli/ui/overlays/overlay.ts';
import { sessionOf } from '../../cli/ui/overlays/session-of.ts';
import type { Settings } from '../../cli/ui/settings.ts';
import { createTheme } from '../../cli/ui/theme.ts';
import type { Notice, Ui } from '../../cli/ui/ui.ts';
import { createViews, type Place } from '../../cli/ui/views.ts';
import { openStores } from './stores.ts';

export interface Desk extends AsyncDisposable {
  ui: Ui;
  /** What was copied, the newest last. */
  copied: string[];
  /** Exit codes it was left with. */
  left: number[];
}

interface DeskOptions {
  place?: Place;
  settings?: Partial<Settings>;
  token?: string;
}

/** Everything of the interface but the terminal, on a real service. */
export async function openDesk(world: { url: string; orgToken: string }, options: DeskOptions = {}): Promise<Desk> {
  const { data, deeds, ...stores } = await openStores({ url: world.url, token: options.token ?? world.orgToken });
  const [copied, left]: [string[], number[]] = [[], []];
  const ui: Ui = {
    data,
    deeds,
    views: createViews(options.place ?? { screen: 'robots' }),
    overlay: createStore<Overlay | undefined>(undefined),
    notice: createStore<Notice | undefined>(undefined),
    writes: createStore(false),
    settings: { keys: {}, isAscii: false, hasColours: false, readOnlyProfiles: [], ...options.settings },
    theme: createTheme({ isAscii: false, colours: 'none' }),
    terminal: {
      size: createStore({ columns: 100, rows: 30 }),
      handOver: async () => 0,
      copy: (text) => copied.push(text) > 0,
      suspend: () => undefined,
      redraw: () => undefined,
      quit: (code = 0) => void left.push(code),
    },
  };
  return { ui, copied, left, [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose]() };
}

/** What the open dialog shows, title and footer included; empty where none is open. */
export function shown({ ui }: Pick<Desk, 'ui'>): string {
  const overlay = ui.overlay.get();
  if (!overlay) return '';
  const { title, lines, footer } = sessionOf(ui, overlay).panel({ columns: 96, rows: 28 });
  return [title, ...lines.map((line) => line.map(({ text }) => text).join('')), footer].join('\n');
}

/** Presses keys one after the other. */
export const pressAll = ({ ui }: Pick<Desk, 'ui'>, ...keys: string[]) => keys.forEach((key) => press(ui, key));

/** Types a text letter by letter. */
export const type = (desk: Pick<Desk, 'ui'>, text: string) =>
  pressAll(desk, ...Array.from(text, (letter) => (letter === ' ' ? 'space' : letter)));

/** Has these kept up to date, until the desk is disposed of. */
export const want = (...resources: readonly { want(): () => void }[]) =>
  resources.forEach((resource) => resource.want());
