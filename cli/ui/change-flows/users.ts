import type { Role } from '../data/mutations.ts';
import type { User } from '../data/data.ts';
import type { Moment } from '../actions/action.ts';
import type { FormField } from '../overlays/overlay.ts';
import { labelFault, textIn } from './field-checks.ts';
import { marksHindrance, selectedOf } from './selection.ts';
import { words } from './command-line.ts';
import { idEnd, typed } from './typed-confirmation.ts';

const roles = [
  { value: 'viewer', text: 'viewer: sees robots and what they run, changes nothing' },
  { value: 'operator', text: 'operator: changes robots, fleets, releases and configs' },
  { value: 'admin', text: 'admin: people and tokens too' },
] as const satisfies readonly { value: Role; text: string }[];

const roleOf = (value: string | undefined): Role => roles.find((role) => role.value === value)?.value ?? 'viewer';

const roleField = (initial: string): FormField => ({
  name: 'role',
  label: 'Role',
  kind: 'choice',
  choices: roles,
  initial,
});

/** The user that one is at. */
export const chosenUser = (moment: Moment): User | undefined => selectedOf(moment, moment.ui.data.users.get().value);

export const userHindrance = (moment: Moment): string | undefined =>
  chosenUser(moment) ? marksHindrance(moment) : 'no user is chosen';

export function openInvite({ ui }: Moment): void {
  ui.overlay.set({
    kind: 'form',
    form: {
      title: 'Add a user',
      fields: [
        {
          name: 'email',
          label: 'Address',
          kind: 'text',
          hint: 'As in kim@example.com',
          check: (value) => (/^[^@\s]+@[^@\s]+$/.test(value) ? undefined : 'that is no address'),
        },
        { name: 'name', label: 'Name', kind: 'text', check: labelFault },
        roleField('viewer'),
      ],
      submit: async ({ email = '', name = '', role: chosen }) => {
        const role = roleOf(chosen);
        return {
          title: `Add ${email}`,
          facts: [
            { label: 'User', text: name.trim() === '' ? email : `${name} <${email}>` },
            { label: 'Role', text: role },
          ],
          warnings: [],
          line: words({ command: 'users create', args: [email], flags: { role, name: textIn(name) } }),
          confirm: { kind: 'enter' },
          async run() {
            await ui.mutations.createUser({ email, name: name.trim(), role });
            return `${email} is a user now.`;
          },
        };
      },
    },
  });
}

export function openRole(moment: Moment): void {
  const { ui } = moment;
  const user = chosenUser(moment);
  if (!user) return;
  ui.overlay.set({
    kind: 'form',
    form: {
      title: `Role of ${user.email}`,
      fields: [roleField(user.role)],
      submit: async ({ role: chosen }) => {
        const role = roleOf(chosen);
        return {
          title: `Make ${user.email} ${role}`,
          facts: [
            { label: 'User', text: user.email },
            { label: 'Was', text: user.role },
            { label: 'Becomes', text: role },
          ],
          warnings: role === user.role ? ['That changes nothing.'] : [],
          line: words({ command: 'users role', args: [user.email, role] }),
          confirm: { kind: 'enter' },
          async run() {
            await ui.mutations.setRole(user.id, role);
            return `${user.email} is ${role} now.`;
          },
        };
      },
    },
  });
}

export function removeUserLine(moment: Moment): readonly string[] | undefined {
  const user = chosenUser(moment);
  return user && words({ command: 'users remove', args: [user.email] });
}

export function openRemoveUser(moment: Moment): void {
  const { ui } = moment;
  const user = chosenUser(moment);
  if (!user) return;
  const tokens = ui.data.tokens
    .get()
    .value?.items.filter(({ user_id, revoked_at }) => user_id === user.id && revoked_at === undefined);
  ui.overlay.set({
    kind: 'plan',
    plan: {
      title: `Remove ${user.email}`,
      facts: [
        { label: 'User', text: `${user.email} (${user.role})` },
        ...(tokens ? [{ label: 'Tokens', text: `${tokens.length} are refused from then on` }] : []),
      ],
      warnings: ['The user is signed out everywhere.'],
      line: words({ command: 'users remove', args: [user.email] }),
      confirm: typed(ui, user.email, idEnd(user.id)),
      async run() {
        await ui.mutations.removeUser(user.id);
        return `${user.email} is removed.`;
      },
    },
  });
}
