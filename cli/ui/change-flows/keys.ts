import { usualLifetimes } from '../../command-line/usual-lifetimes.ts';
import { relativeTime } from '../../output/time.ts';
import type { EnrollmentKey } from '../data/data.ts';
import type { ActionContext } from '../actions/action.ts';
import { labelFault, lifetimeText, maxHours, numberFault, numberIn, textIn } from './field-checks.ts';
import { selectedOf } from './selection.ts';
import { nameOrId, commandWords } from './command-line.ts';
import { revokeFlow } from './revoke.ts';
import { whenLoaded } from './when-loaded.ts';

/** From the contract. */
const maxUsesLimit = 1_000_000;

export function openCreateKey(context: ActionContext): void {
  const { ui } = context;
  whenLoaded(ui, [ui.data.sites, ui.data.fleets], (sites, fleets) => {
    const fleet = selectedOf(context, fleets);
    const initial = fleet?.id ?? selectedOf(context, ui.data.keys.get().value)?.fleet_id;
    ui.overlay.set({
      kind: 'form',
      form: {
        title: 'New enrollment key',
        fields: [
          {
            name: 'fleet',
            label: 'Fleet',
            kind: 'choice',
            choices: fleets.items.map(({ id, name, site_id }) => ({
              value: id,
              text: `${name} (${sites.byId.get(site_id)?.name ?? site_id})`,
            })),
            ...(initial !== undefined && { initial }),
            hint: 'Robots that use it join this fleet',
            check: (value) => (value === '' ? 'there is no fleet yet: create one first' : undefined),
          },
          { name: 'label', label: 'Label', kind: 'text', hint: 'For people, such as line 2', check: labelFault },
          {
            name: 'maxUses',
            label: 'Maximum uses',
            kind: 'text',
            hint: 'How many robots it can enroll; empty: no limit',
            check: numberFault(1, maxUsesLimit),
          },
          {
            name: 'hours',
            label: 'Hours',
            kind: 'text',
            initial: String(24 * usualLifetimes.key),
            hint: 'Lifetime in hours; 0: it never expires',
            check: numberFault(0, maxHours),
          },
        ],
        submit: async (values) => {
          const fleetId = values['fleet'] ?? '';
          const siteId = fleets.byId.get(fleetId)?.site_id ?? '';
          const [label, maxUses] = [textIn(values['label']), numberIn(values['maxUses'])];
          const expiresInHours = numberIn(values['hours']);
          const name = fleets.byId.get(fleetId)?.name ?? fleetId;
          return {
            title: 'Create an enrollment key',
            facts: [
              { label: 'Fleet', text: `${name}, at ${sites.byId.get(siteId)?.name ?? siteId}` },
              { label: 'Label', text: label ?? 'none' },
              { label: 'Uses', text: maxUses === undefined ? 'any number of robots' : `at most ${maxUses} robots` },
              { label: 'Expires', text: lifetimeText(expiresInHours) },
            ],
            warnings: expiresInHours ? [] : ['Anyone who has it can enroll robots until it is revoked.'],
            line: commandWords({
              command: 'keys new',
              flags: {
                site: nameOrId(sites.items, siteId),
                fleet: nameOrId(fleets.items, fleetId),
                label,
                'max-uses': maxUses,
                'expires-in-hours': expiresInHours ?? 0,
              },
            }),
            confirm: { kind: 'enter' },
            async run() {
              const { value } = await ui.mutations.createKey({ siteId, fleetId, label, maxUses, expiresInHours });
              return {
                message: `Created a key for ${name}.`,
                secret: {
                  title: 'The new enrollment key',
                  value,
                  note: `For ${name}. On the robot: cli agent run --enrollment-key <key>`,
                },
              };
            },
          };
        },
      },
    });
  });
}

export const revokeKey = revokeFlow<EnrollmentKey>({
  noun: 'key',
  listOf: ({ keys }) => keys,
  describe: ({ data }, { fleet_id: fleetId, uses, last_used_at: usedAt }) => ({
    kind: 'enrollment key',
    owners: [{ label: 'Fleet', text: data.fleets.get().value?.byId.get(fleetId)?.name ?? fleetId }],
    used: usedAt === undefined ? 'never' : `by ${uses} robots, last ${relativeTime(usedAt)}`,
    warnings: ['It stops working at once, and this cannot be undone. Robots already enrolled with it stay.'],
  }),
  revoke: (mutations, id) => mutations.revokeKey(id),
});
