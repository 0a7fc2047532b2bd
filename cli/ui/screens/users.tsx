import type { Token, User } from '../data/data.ts';
import { Lines } from '../components/Lines.tsx';
import { tabBarLine } from '../components/tab-bar.ts';
import { ageColumn } from '../table/age-column.ts';
import type { AnyTable, TableDefinition } from '../table/definition.ts';
import { exactly } from '../table/filter-words.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { TableView } from '../table/TableView.tsx';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { credentialName, endOf, expiresColumn } from './credentials.ts';
import { nextStep } from './next-step.ts';
import type { Screen, ScreenProps } from './screen.ts';

const tabs = ['Users', 'Tokens'] as const;
const tabOf = ({ tab }: View) => tabs.find((each) => each === tab) ?? 'Users';

const usersTable = perUi((ui): TableDefinition<User> => ({
  noun: 'users',
  source: derivedRows(ui.data.users, [], ({ items }) => items),
  id: ({ id }) => id,
  name: ({ email }) => email,
  columns: [
    { title: 'address', width: 32, least: 16, rank: 0, isFlexible: true, text: ({ email }) => email },
    { title: 'name', width: 24, least: 10, rank: 2, text: ({ name }) => name ?? '' },
    { title: 'role', width: 10, rank: 1, text: ({ role }) => role, tone: ({ role }) => (role === 'admin' ? 'accent' : undefined) }, // prettier-ignore
    ageColumn({ title: 'added', width: 6, rank: 3 }, ({ created_at: at }) => at),
    { title: 'id', width: 36, rank: 4, isWide: true, text: ({ id }) => id },
  ],
  fields: {
    address: ({ email }) => email,
    name: ({ name }) => name ?? '',
    role: ({ role }) => role,
    id: ({ id }) => id,
  },
  open(ui, { email }) {
    ui.views.setTab('Tokens');
    ui.views.setList({ filter: exactly('owner', email) });
  },
  empty: {
    text: 'No users yet.',
    get next() {
      return nextStep(ui, 'n');
    },
  },
}));

interface TokenRow {
  token: Token;
  /** Address of a user, name of a robot; empty for a token of the org itself. */
  owner: string;
}

const tokensTable = perUi((ui): TableDefinition<TokenRow> => ({
  noun: 'tokens',
  source: derivedRows(ui.data.tokens, [ui.data.users, ui.data.robots], ({ items }) => {
    const [users, robots] = [ui.data.users.get().value?.byId, ui.data.robots.get().value?.byId];
    return items.map((token) => {
      const { user_id: userId, robot_id: robotId } = token;
      const user = userId === undefined ? undefined : (users?.get(userId)?.email ?? userId);
      const robot = robotId === undefined ? undefined : (robots?.get(robotId)?.name ?? robotId);
      return { token, owner: user ?? robot ?? '' };
    });
  }),
  id: ({ token }) => token.id,
  name: ({ token }) => credentialName(token),
  columns: [
    { title: 'owner', width: 28, least: 14, rank: 0, isFlexible: true, text: ({ owner }) => owner },
    { title: 'kind', width: 6, rank: 2, text: ({ token }) => token.kind },
    { title: 'label', width: 20, least: 8, rank: 1, text: ({ token }) => token.label ?? '' },
    { title: 'last four', width: 9, rank: 5, text: ({ token }) => token.last_four },
    { title: 'state', width: 8, rank: 1, text: tokenState, tone: (row) => (tokenState(row) === 'good' ? 'good' : 'quiet'), isSearched: false }, // prettier-ignore
    ageColumn({ title: 'last used', width: 9, rank: 3 }, ({ token }) => token.last_used_at),
    expiresColumn(4, ({ token }) => token),
    { title: 'id', width: 36, rank: 6, isWide: true, text: ({ token }) => token.id },
  ],
  fields: {
    owner: ({ owner }) => owner,
    kind: ({ token }) => token.kind,
    label: ({ token }) => token.label ?? '',
    state: tokenState,
    used: ({ token }) => token.last_used_at ?? '',
    id: ({ token }) => token.id,
  },
  empty: {
    text: 'No tokens.',
    get next() {
      return nextStep(ui, 'N on a user');
    },
  },
}));

const tokenState = ({ token }: TokenRow) => endOf(token) ?? 'good';

const tableOf = (ui: Ui, view: View): AnyTable => (tabOf(view) === 'Users' ? usersTable(ui) : tokensTable(ui));

function UsersAndTokens({ ui, view, columns, rows }: ScreenProps) {
  const tab = tabOf(view);
  return (
    <>
      <Lines theme={ui.theme} lines={[tabBarLine(tabs, tab)]} />
      <TableView
        key={tab}
        ui={ui}
        view={view}
        table={tableOf(ui, view)}
        columns={columns}
        rows={rows - 1}
        at={{ top: 1, left: 0 }}
      />
    </>
  );
}

export const usersScreen: Screen = {
  id: 'people',
  title: 'Users and tokens',
  tab: { digit: '0', name: 'Users', short: 'Users' },
  tabs,
  wants: ({ data }) => [data.users, data.tokens, data.robots],
  table: tableOf,
  draw: (props) => <UsersAndTokens {...props} />,
};
