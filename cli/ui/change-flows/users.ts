import type { Role } from '../data/mutations.ts';
import type { User } from '../data/data.ts';
import type { ActionContext } from '../actions/action.ts';
import type { FormField } from '../overlays/overlay.ts';
import { labelFault, textIn } from './field-checks.ts';
import { marksDisabledReason, selectedOf } from './selection.ts';
import { commandWords } from './command-line.ts';
import { shortId } from '../../command-line/id.ts';
import { typedConfirmation } from './typed-confirmation.ts';

const roles = [
  { value: 'viewer', text: 'viewer: sees robots and what they run, approves if a policy allows it' },
  { value: 'operator', text: 'operator: changes robots, fleets, releases and configs' },
  { value: 'admin', text: 'admin: also manages users and tokens' },
] as const satisfies readonly { value: Role; text: string }[];

const roleOf = (value: string | undefined): Role => roles.find((role) => role.value === value)?.value ?? 'viewer';

const roleField = (initial: string): FormField => ({
  name: 'role',
  label: 'Role',
  kind: 'choice',
  choices: roles,
  initial,
});

/** The user under the cursor. */
export const chosenUser = (context: ActionContext): User | undefined =>
  selectedOf(context, context.ui.data.users.get().value);

export const userDisabledReason = (context: ActionContext): string | undefined =>
  chosenUser(context) ? marksDisabledReason(context) : 'select a user first';

export function openInvite({ ui }: ActionContext): void {
  ui.overlay.set({
    kind: 'form',
    form: {
      title: 'Add a user',
      fields: [
        {
          name: 'email',
          label: 'Address',
          kind: 'text',
          hint: 'Example: kim@example.com',
          check: (value) => (/^[^@\s]+@[^@\s]+$/.test(value) ? undefined : 'the address is invalid'),
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
          line: commandWords({ command: 'users create', args: [email], flags: { role, name: textIn(name) } }),
          confirm: { kind: 'enter' },
          async run() {
            await ui.mutations.createUser({ email, name: name.trim(), role });
            return `Added the user ${email}.`;
          },
        };
      },
    },
  });
}

export function openRole(context: ActionContext): void {
  const { ui } = context;
  const user = chosenUser(context);
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
          warnings: role === user.role ? ['The user already has this role.'] : [],
          line: commandWords({ command: 'users role', args: [user.email, role] }),
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

export function removeUserCommand(context: ActionContext): readonly string[] | undefined {
  const user = chosenUser(context);
  return user && commandWords({ command: 'users remove', args: [user.email] });
}

export function openRemoveUser(context: ActionContext): void {
  const { ui } = context;
  const user = chosenUser(context);
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
        ...(tokens ? [{ label: 'Tokens', text: `${tokens.length} stop working at once` }] : []),
      ],
      warnings: ['The user is signed out everywhere.'],
      line: commandWords({ command: 'users remove', args: [user.email] }),
      confirm: typedConfirmation(ui, user.email, shortId(user.id)),
      async run() {
        await ui.mutations.removeUser(user.id);
        return `Removed the user ${user.email}.`;
      },
    },
  });
}
