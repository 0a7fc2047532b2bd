import { safeJson } from '../../output/safe.ts';
import type { Config } from '../data/data.ts';
import { ageColumn } from '../table/age-column.ts';
import type { TableDefinition } from '../table/definition.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { nextStep } from './next-step.ts';
import { tableScreen } from './table-screen.tsx';

/** Characters of a value that a row shows, and that the filter searches. */
const maxPreview = 500;

const configsTable = perUi((ui): TableDefinition<Config> => ({
  noun: 'config entries',
  one: 'config entry',
  source: derivedRows(ui.data.configs, [], ({ items }) => items),
  id: ({ id }) => id,
  name: ({ namespace, key }) => `${namespace}/${key}`,
  columns: [
    { title: 'key', width: 28, least: 14, rank: 0, text: ({ key }) => key },
    { title: 'namespace', width: 14, least: 9, rank: 2, text: ({ namespace }) => namespace },
    {
      title: 'value',
      width: 30,
      least: 10,
      rank: 1,
      isFlexible: true,
      text: previewOf,
      saved: ({ value }) => JSON.stringify(value),
    },
    {
      title: 'revision',
      width: 8,
      rank: 4,
      align: 'right',
      text: ({ revision }) => String(revision),
      order: ({ revision }) => revision,
    },
    ageColumn({ title: 'set', width: 6, rank: 3 }, ({ updated_at: at }) => at),
    { title: 'id', width: 36, rank: 5, isWide: true, text: ({ id }) => id },
  ],
  fields: {
    key: ({ key }) => key,
    namespace: ({ namespace }) => namespace,
    value: previewOf,
    revision: ({ revision }) => String(revision),
    set: ({ updated_at: at }) => at,
    id: ({ id }) => id,
  },
  open: ({ overlay }, { namespace, key, value, revision }) =>
    overlay.set({
      kind: 'text',
      title: `${namespace}/${key}, revision ${revision}`,
      text: safeJson(JSON.stringify(value, undefined, 2)),
    }),
  empty: {
    text: 'No config entries yet.',
    get next() {
      return nextStep(ui, 'n');
    },
  },
}));

const previewOf = ({ value }: Config) => JSON.stringify(value).slice(0, maxPreview);

export const configsScreen = tableScreen(
  {
    id: 'configs',
    title: 'Configs',
    tab: { digit: '5', name: 'Configs', short: 'Conf' },
    wants: ({ data }) => [data.configs],
  },
  configsTable,
);
