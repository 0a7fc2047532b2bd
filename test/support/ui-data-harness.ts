import { pressKey } from '../../cli/ui/actions/key-dispatch.ts';
import { controllerOf } from '../../cli/ui/overlays/controllers.ts';
import type { Settings } from '../../cli/ui/settings.ts';
import type { Ui } from '../../cli/ui/ui.ts';
import type { Place } from '../../cli/ui/views.ts';
import { headlessUi } from './headless-ui.ts';
import { openStores } from './stores.ts';

export interface Desk extends AsyncDisposable {
  ui: Ui;
  /** Copied texts, the newest last. */
  copied: string[];
  /** Exit codes of the interface. */
  left: number[];
  /** The credentials file. */
  file: string;
  /** Advances the clock of the stores. */
  passMs: (ms: number) => void;
}

interface DeskOptions {
  place?: Place;
  settings?: Partial<Settings>;
  token?: string;
}

/** The whole interface except the terminal, on a real service. */
export async function openDesk(world: { url: string; orgToken: string }, options: DeskOptions = {}): Promise<Desk> {
  let aheadMs = 0;
  const now = () => performance.now() + aheadMs;
  const { data, mutations, ...stores } = await openStores({
    url: world.url,
    token: options.token ?? world.orgToken,
    now,
  });
  const { place = { screen: 'robots' }, settings = {} } = options;
  const { ui, copied, left } = headlessUi({ data, mutations, place, settings });
  return {
    ui,
    copied,
    left,
    file: stores.file,
    passMs: (ms) => void (aheadMs += ms),
    [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose](),
  };
}

/** The text of the open dialog, including title and footer; empty if none is open. */
export function shown({ ui }: Pick<Desk, 'ui'>): string {
  const overlay = ui.overlay.get();
  if (!overlay) return '';
  const { title, lines, footer } = controllerOf(ui, overlay).panel({ columns: 96, rows: 28 });
  return [title, ...lines.map(({ segments }) => segments.map(({ text }) => text).join('')), footer].join('\n');
}

/** Shows the open dialog for a second, then presses enter. */
export function confirm(desk: Pick<Desk, 'ui' | 'passMs'>): void {
  shown(desk);
  desk.passMs(1_000);
  pressAll(desk, 'enter');
}

/** Presses keys one after the other. */
export const pressAll = ({ ui }: Pick<Desk, 'ui'>, ...keys: string[]) => keys.forEach((key) => pressKey(ui, key));

/** Types a text letter by letter. */
export const type = (desk: Pick<Desk, 'ui'>, text: string) =>
  pressAll(desk, ...Array.from(text, (letter) => (letter === ' ' ? 'space' : letter)));

/** Keeps these resources up to date until the desk is disposed of. */
export const want = (...resources: readonly { want(): () => void }[]) =>
  resources.forEach((resource) => resource.want());
