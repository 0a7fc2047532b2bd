import { relativeTime } from '../../output/time.ts';
import type { Token } from '../data/data.ts';
import type { Moment } from '../actions/action.ts';
import { labelFault, textIn } from './checks.ts';
import { marksHindrance, selectedOf } from './chosen.ts';
import { words } from './line.ts';
import { chosenUser } from './people.ts';
import { typed } from './typeable.ts';

export function openCreateToken(moment: Moment): void {
  const { ui } = moment;
  const user = chosenUser(moment);
  if (!user) return;
  ui.overlay.set({
    kind: 'form',
    form: {
      title: `Token for ${user.email}`,
      fields: [{ name: 'label', label: 'Label', kind: 'text', hint: 'For people, as in laptop', check: labelFault }],
      submit: async ({ label: typed }) => {
        const label = textIn(typed);
        return {
          title: 'Create a token',
          facts: [
            { label: 'User', text: `${user.email} (${user.role})` },
            { label: 'Label', text: label ?? 'none' },
            { label: 'Expires', text: 'never' },
          ],
          warnings: ['Whoever has it may do what the user may, until it is revoked.'],
          line: words({ command: 'tokens new', flags: { user: user.email, label } }),
          confirm: { kind: 'enter' },
          async run() {
            const { value } = await ui.mutations.createToken(user.id, label ?? '');
            return {
              message: `The token for ${user.email} is made.`,
              secret: { title: 'The new token', value, note: `For ${user.email}: cli login --token -` },
            };
          },
        };
      },
    },
  });
}

/** The token that one is at. */
const chosenToken = (moment: Moment): Token | undefined => selectedOf(moment, moment.ui.data.tokens.get().value);

export function revokeTokenHindrance(moment: Moment): string | undefined {
  const token = chosenToken(moment);
  if (!token) return 'no token is chosen';
  return marksHindrance(moment) ?? (token.revoked_at === undefined ? undefined : 'it is revoked already');
}

export function revokeTokenLine(moment: Moment): readonly string[] | undefined {
  const token = chosenToken(moment);
  return token && words({ command: 'tokens revoke', args: [token.id] });
}

export function openRevokeToken(moment: Moment): void {
  const { ui } = moment;
  const token = chosenToken(moment);
  if (!token) return;
  const { id, kind, label, last_four: lastFour, user_id: userId, robot_id: robotId, last_used_at: usedAt } = token;
  const text = label ?? lastFour;
  const owner =
    kind === 'robot'
      ? (ui.data.robots.get().value?.byId.get(robotId ?? '')?.name ?? robotId)
      : (ui.data.users.get().value?.byId.get(userId ?? '')?.email ?? userId);
  const isOwn = ui.data.whoami.get().value?.token.id === id;
  ui.overlay.set({
    kind: 'plan',
    plan: {
      title: `Revoke the ${kind} token ${text}`,
      facts: [
        { label: 'Token', text: `${label ?? 'no label'}, ends in ${lastFour}` },
        ...(owner === undefined ? [] : [{ label: 'Of', text: owner }]),
        { label: 'Used', text: usedAt === undefined ? 'never' : relativeTime(usedAt) },
      ],
      warnings: [
        'It is refused from then on, and that cannot be taken back.',
        ...(kind === 'robot' ? ['This robot does not come back before it is enrolled anew.'] : []),
        ...(isOwn ? ['It is the one that you are signed in with.'] : []),
      ],
      line: words({ command: 'tokens revoke', args: [id] }),
      confirm: typed(ui, text, lastFour),
      async run() {
        await ui.mutations.revokeToken(id);
        return `The token ${text} is revoked.`;
      },
    },
  });
}
