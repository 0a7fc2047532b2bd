import { usualLifetimes } from '../../command-line/usual-lifetimes.ts';
import { relativeTime } from '../../output/time.ts';
import type { Token } from '../data/data.ts';
import type { ActionContext } from '../actions/action.ts';
import { labelFault, lifetimeText, maxHours, numberFault, numberIn, textIn } from './field-checks.ts';
import { commandWords } from './command-line.ts';
import { chosenUser } from './users.ts';
import { revokeFlow } from './revoke.ts';

export function openCreateToken(context: ActionContext): void {
  const { ui } = context;
  const user = chosenUser(context);
  if (!user) return;
  ui.overlay.set({
    kind: 'form',
    form: {
      title: `Token for ${user.email}`,
      fields: [
        { name: 'label', label: 'Label', kind: 'text', hint: 'For people, such as laptop', check: labelFault },
        {
          name: 'hours',
          label: 'Hours',
          kind: 'text',
          initial: String(24 * usualLifetimes.token),
          hint: 'Lifetime in hours; 0: it never expires',
          check: numberFault(0, maxHours),
        },
      ],
      submit: async ({ label: typed, hours }) => {
        const [label, expiresInHours] = [textIn(typed), numberIn(hours)];
        return {
          title: 'Create a token',
          facts: [
            { label: 'User', text: `${user.email} (${user.role})` },
            { label: 'Label', text: label ?? 'none' },
            { label: 'Expires', text: lifetimeText(expiresInHours) },
          ],
          warnings: expiresInHours ? [] : ['Anyone who has it can do what the user can, until it is revoked.'],
          line: commandWords({
            command: 'tokens new',
            flags: { user: user.email, label, 'expires-in-hours': expiresInHours ?? 0 },
          }),
          confirm: { kind: 'enter' },
          async run() {
            const { value } = await ui.mutations.createToken(user.id, label ?? '', expiresInHours);
            return {
              message: `Created a token for ${user.email}.`,
              secret: { title: 'The new token', value, note: `For ${user.email}: cli login --token -` },
            };
          },
        };
      },
    },
  });
}

export const revokeToken = revokeFlow<Token>({
  noun: 'token',
  listOf: ({ tokens }) => tokens,
  describe({ data }, { id, kind, user_id: userId, robot_id: robotId, last_used_at: usedAt }) {
    const owner =
      kind === 'robot'
        ? (data.robots.get().value?.byId.get(robotId ?? '')?.name ?? robotId)
        : (data.users.get().value?.byId.get(userId ?? '')?.email ?? userId);
    return {
      kind: `${kind} token`,
      owners: owner === undefined ? [] : [{ label: 'Of', text: owner }],
      used: usedAt === undefined ? 'never' : relativeTime(usedAt),
      warnings: [
        'It stops working at once. This cannot be undone.',
        ...(kind === 'robot' ? ['This robot cannot reconnect until it is enrolled again.'] : []),
        ...(data.whoami.get().value?.token.id === id ? ['You are signed in with this token.'] : []),
      ],
    };
  },
  revoke: (mutations, id) => mutations.revokeToken(id),
});
