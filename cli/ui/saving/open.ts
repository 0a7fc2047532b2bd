import { notify } from '../actions/notify.ts';
import type { Ui } from '../ui.ts';
import { sheetOf } from './sheet.ts';
import { fileFault, writeSheet } from './write.ts';

/** Asks for a file name and saves the rows of the view there. It changes nothing on the service. */
export function openSave(ui: Ui): void {
  const { current: view } = ui.views.get();
  const noun = sheetOf(ui, view)?.noun ?? 'rows';
  ui.overlay.set({
    kind: 'form',
    form: {
      title: `Save the listed ${noun}`,
      end: 'saves them',
      fields: [
        {
          name: 'file',
          label: 'File',
          kind: 'text',
          initial: `${noun.replaceAll(' ', '-')}-${stampOf(new Date())}.csv`,
          hint: '.csv for spreadsheets, .jsonl for one JSON object per line; in the folder where cli was started',
          check: fileFault,
        },
      ],
      async submit({ file = '' }) {
        const sheet = sheetOf(ui, view);
        if (!sheet) return undefined;
        await writeSheet(file, sheet);
        const { length } = sheet.rows;
        const count = `${length.toLocaleString('en-US')} ${noun}${sheet.asOf === '' ? '' : `, ${sheet.asOf},`}`;
        notify(ui, `${count} saved to ${file}`);
        return undefined;
      },
    },
  });
}

/** As in `20261121T090000Z`: valid in file names on every system. */
const stampOf = (at: Date) =>
  at
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');
