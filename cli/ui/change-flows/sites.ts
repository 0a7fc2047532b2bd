import type { Moment } from '../actions/action.ts';
import { nameFault } from './field-checks.ts';
import { selectedOf } from './selection.ts';
import { namedIn, words } from './command-line.ts';
import { whenLoaded } from './when-loaded.ts';

export function openCreateSite({ ui }: Moment): void {
  ui.overlay.set({
    kind: 'form',
    form: {
      title: 'Create a site',
      fields: [{ name: 'name', label: 'Name', kind: 'text', hint: 'A place where robots work', check: nameFault }],
      submit: async ({ name = '' }) => ({
        title: `Create the site ${name}`,
        facts: [{ label: 'Site', text: name }],
        warnings: (ui.data.sites.get().value?.items ?? []).some((site) => site.name === name)
          ? ['Another site is called so already.']
          : [],
        line: words({ command: 'sites create', args: [name] }),
        confirm: { kind: 'enter' },
        async run() {
          await ui.mutations.createSite(name);
          return `The site ${name} is there. It needs a fleet next.`;
        },
      }),
    },
  });
}

export function openCreateFleet(moment: Moment): void {
  const { ui } = moment;
  whenLoaded(ui, [ui.data.sites, ui.data.fleets], (sites, fleets) => {
    const site = selectedOf(moment, sites);
    const initial = site?.id ?? selectedOf(moment, fleets)?.site_id;
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
          warnings: fleets.items.some((fleet) => fleet.name === name) ? ['Another fleet is called so already.'] : [],
          line: words({ command: 'fleets create', args: [name], flags: { site: namedIn(sites.items, siteId) } }),
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
