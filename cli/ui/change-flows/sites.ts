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
      fields: [{ name: 'name', label: 'Name', kind: 'text', hint: 'A place where robots work', check: nameFault }],
      submit: async ({ name = '' }) => ({
        title: `Create the site ${name}`,
        facts: [{ label: 'Site', text: name }],
        warnings: (ui.data.sites.get().value?.items ?? []).some((site) => site.name === name)
          ? ['Another site has this name already.']
          : [],
        line: commandWords({ command: 'sites create', args: [name] }),
        confirm: { kind: 'enter' },
        async run() {
          await ui.mutations.createSite(name);
          return `The site ${name} is there. It needs a fleet next.`;
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
            hint: 'Robots of one site that are run as one',
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
          warnings: fleets.items.some((fleet) => fleet.name === name) ? ['Another fleet has this name already.'] : [],
          line: commandWords({
            command: 'fleets create',
            args: [name],
            flags: { site: nameOrId(sites.items, siteId) },
          }),
          confirm: { kind: 'enter' },
          async run() {
            await ui.mutations.createFleet(name, siteId);
            return `The fleet ${name} is there. Robots join it by an enrollment key: 7.`;
          },
        }),
      },
    });
  });
}
