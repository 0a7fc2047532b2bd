import { humanize } from '../../output/deployment-format.ts';
import { derivedRows } from '../table/derived-rows.ts';
import type { TableDefinition } from '../table/definition.ts';
import type { Ui } from '../ui.ts';
import type { DeploymentKind, Listing, Resource } from '../data/data.ts';
import { deploymentOf, type ShownDeployment } from './deployment.ts';
import { deploymentsTable, rowOf, type DeploymentRow } from './deployments-table.ts';

type AnyDeployment = ShownDeployment['deployment'];

interface Relation {
  /** IDs of the deployments that one names. */
  named: (deployment: AnyDeployment) => readonly (string | undefined)[];
  /** What the others are to it, and it to the others. */
  towards: string;
  from: string;
}

const relations: readonly Relation[] = [
  { named: ({ retry_of: id }) => [id], towards: 'retry of', from: 'retried by' },
  { named: ({ rollback_of: id }) => [id], towards: 'rollback of', from: 'rolled back by' },
  { named: ({ blocked_by: ids = [] }) => ids, towards: 'waits for', from: 'holds up' },
  { named: ({ caused_by: cause }) => [cause?.deployment_id], towards: 'caused by', from: 'caused' },
];

/** What `other` is to `own`, as in `retried by`; undefined: nothing. */
function relationOf(own: AnyDeployment, other: AnyDeployment): string | undefined {
  for (const { named, towards, from } of relations) {
    if (named(own).includes(other.id)) return towards;
    if (named(other).includes(own.id)) return from;
  }
  return undefined;
}

interface RelatedRow extends DeploymentRow {
  relation: string;
}

/** All are of the same kind, releases or configs. */
const relatedIn = (all: Listing<AnyDeployment> | undefined, own: AnyDeployment | undefined) =>
  (all?.items ?? []).flatMap((deployment) => {
    const relation = own && relationOf(own, deployment);
    return relation === undefined ? [] : [{ relation, deployment }];
  });

const listOf = ({ data }: Ui, deploymentKind: DeploymentKind): Resource<Listing<AnyDeployment>> =>
  deploymentKind === 'release' ? data.deployments : data.configDeployments;

/** Retries and rollbacks of a deployment, what it retries or rolls back, what it waits for, and others: Enter opens one. */
export function relatedTable(ui: Ui, deploymentKind: DeploymentKind, id: string): TableDefinition<RelatedRow> {
  const { data } = ui;
  const table = deploymentsTable(ui);
  return {
    ...table,
    noun: 'related deployments',
    source: derivedRows(listOf(ui, deploymentKind), [data.releases, data.fleets, data.robots], (all) => {
      const own = all.byId.get(id);
      return relatedIn(all, own).flatMap(({ relation, deployment }) => {
        const shown = deploymentOf(ui, deploymentKind, deployment.id);
        return shown ? [{ relation, ...rowOf(ui, shown) }] : [];
      });
    }),
    columns: [
      { title: 'Relation', width: 14, least: 10, rank: 0, text: ({ relation }) => relation },
      ...table.columns.map((column) => (column.title === 'For' ? { ...column, rank: 2 } : column)),
    ],
    fields: { ...table.fields, relation: ({ relation }) => relation },
    empty: { text: 'No related deployments.', next: 'Retries and rollbacks of it appear here.' },
  };
}

/** How many deployments retry it or roll it back, by their status: `1 failed, 1 in progress`; empty: none. */
export function madeOf(
  ui: Ui,
  { deploymentKind, deployment: own }: ShownDeployment,
  by: 'retried by' | 'rolled back by',
) {
  const counts = new Map<string, number>();
  for (const { relation, deployment } of relatedIn(listOf(ui, deploymentKind).get().value, own))
    if (relation === by) counts.set(deployment.status, (counts.get(deployment.status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${humanize(status)}`).join(', ');
}
