import type { ActionContext } from '../actions/action.ts';
import { nameFault } from './field-checks.ts';
import { selectedOf } from './selection.ts';
import { nameOrId, commandWords } from './command-line.ts';
import { whenLoaded } from './when-loaded.ts';

export function openCreateSite({ ui }: ActionContext): void {
  ui.overlay.set({
    kind: 'form',
    form: {
      title: 'Create a site',
      fields: [
        { name: 'name', label: 'Name', kind: 'text', hint: 'The place where the robots work', check: nameFault },
      ],
      submit: async ({ name = '' }) => ({
        title: `Create the site ${name}`,
        facts: [{ label: 'Site', text: name }],
        warnings: (ui.data.sites.get().value?.items ?? []).some((site) => site.name === name)
          ? ['Another site already has this name.']
          : [],
        line: commandWords({ command: 'sites create', args: [name] }),
        confirm: { kind: 'enter' },
        async run() {
          await ui.mutations.createSite(name);
          return `Created the site ${name}. Create a fleet next.`;
        },
      }),
    },
  });
}

export function openCreateFleet(context: ActionContext): void {
  const { ui } = context;
  whenLoaded(ui, [ui.data.sites, ui.data.fleets], (sites, fleets) => {
    const site = selectedOf(context, sites);
    const initial = site?.id ?? selectedOf(context, fleets)?.site_id;
    ui.overlay.set({
      kind: 'form',
      form: {
        title: 'Create a fleet',
        fields: [
          {
            name: 'name',
            label: 'Name',
            kind: 'text',
            hint: 'A group of robots at one site',
            check: nameFault,
          },
          {
            name: 'site',
            label: 'Site',
            kind: 'choice',
            choices: sites.items.map(({ id, name }) => ({ value: id, text: name })),
            ...(initial !== undefined && { initial }),
            check: (value) => (value === '' ? 'there is no site yet: create one first' : undefined),
          },
        ],
        submit: async ({ name = '', site: siteId = '' }) => ({
          title: `Create the fleet ${name}`,
          facts: [
            { label: 'Fleet', text: name },
            { label: 'Site', text: sites.byId.get(siteId)?.name ?? siteId },
          ],
          warnings: fleets.items.some((fleet) => fleet.name === name) ? ['Another fleet already has this name.'] : [],
          line: commandWords({
            command: 'fleets create',
            args: [name],
            flags: { site: nameOrId(sites.items, siteId) },
          }),
          confirm: { kind: 'enter' },
          async run() {
            await ui.mutations.createFleet(name, siteId);
            return `Created the fleet ${name}. Robots join it with an enrollment key: press 7.`;
          },
        }),
      },
    });
  });
}
