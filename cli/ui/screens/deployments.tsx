import { deploymentTable } from '../deployment/tables.ts';
import { TableView } from '../table/TableView.tsx';
import type { Screen } from './screen.ts';

/** All deployments, of releases and of configs. */
export const deploymentsScreen: Screen = {
  id: 'deployments',
  title: 'Deployments',
  tab: { digit: '3', name: 'Deployments', short: 'Deploy' },
  wants: ({ data }) => [data.freeze, data.deployments, data.configDeployments, data.releases, data.fleets, data.robots],
  table: deploymentTable,
  draw(props) {
    const table = deploymentTable(props.ui, props.view);
    return table ? <TableView {...props} table={table} /> : <></>;
  },
};
