import { notify } from '../actions/notify.ts';
import type { UiPreferences } from '../../files/ui-settings.ts';
import type { Ui } from '../ui.ts';

/** Changes that follow each other sooner are written together. */
const writeAfterMs = 500;

/**
 * Writes changed preferences, one write at a time. A write that fails is reported once, and the changes are tried again
 * with the next. Returns the function that writes what is left, and ends.
 */
export function savePreferencesOf(
  ui: Ui,
  write: (before: UiPreferences, after: UiPreferences) => Promise<void>,
): () => Promise<void> {
  let saved = ui.preferences.get();
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  let failed: string | undefined;

  async function save(): Promise<void> {
    const after = ui.preferences.get();
    if (after === saved) return;
    try {
      await write(saved, after);
      saved = after;
      failed = undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== failed) notify(ui, `Kept until you quit, but not saved: ${message}`, 'warn');
      failed = message;
    }
  }

  const soon = () => (last = last.then(save));
  const end = ui.preferences.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void soon(), writeAfterMs);
  });
  return async () => {
    clearTimeout(timer);
    end();
    await soon();
  };
}
