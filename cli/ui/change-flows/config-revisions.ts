import { relativeTime } from '../../output/time.ts';
import type { ActionContext } from '../actions/action.ts';
import { chosenConfig, deployPlan, type RequestBody } from './configs.ts';
import { deploymentRequests } from './deployment-requests.ts';
import { chosenRollout, rolloutFields } from './rollout.ts';
import { targetForm } from './target-form.ts';
import { whenLoaded } from './when-loaded.ts';

/** Characters of a value in the list of revisions. */
const maxPreview = 40;

/** Opens the form for an earlier revision of the entry under the cursor, and its target. */
export function openDeployRevision(context: ActionContext): void {
  const { ui } = context;
  const { data } = ui;
  const config = chosenConfig(context);
  if (!config) return;
  const lists = [data.configRevisions(config.id), data.robots, data.fleets, data.sites, data.rolloutPolicies] as const;
  whenLoaded(ui, lists, (revisions, robots, fleets, sites, policies) => {
    const target = targetForm(ui, { robots, fleets, sites }, { robots: [] });
    const requestOf = deploymentRequests<RequestBody>();
    const older = revisions.filter(({ revision }) => revision < config.revision).reverse();
    ui.overlay.set({
      kind: 'form',
      form: {
        title: `Deploy an older revision of ${config.key}`,
        fields: [
          {
            name: 'revision',
            label: 'Revision',
            kind: 'choice',
            choices: older.map(({ revision, value, created_at: at }) => ({
              value: String(revision),
              text: `${revision}: ${JSON.stringify(value).slice(0, maxPreview)} (${relativeTime(at)})`,
            })),
            check: (value) => (value === '' ? 'the entry has no older revision' : undefined),
          },
          ...target.fields,
          ...rolloutFields(policies),
        ],
        submit: async (values) => {
          const chosen = older.find(({ revision }) => String(revision) === values['revision']);
          const rollout = chosenRollout(ui, policies, values);
          if (!chosen) return undefined;
          return deployPlan(ui, { config, target: await target.read(values), rollout, requestOf, older: chosen });
        },
      },
    });
  });
}
