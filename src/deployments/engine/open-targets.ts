/*
 * SQL for finding targets without an index of `targets`. Its indexes only have columns that never change, so that
 * updates are HOT (migration 0017).
 */

/** The open targets of a robot, with all columns. `offset 0`: one look-up per robot. */
export const openTargetsOf = (of: { orgId: string; robotId: string }): string =>
  `(select t.* from open_targets o join targets t using (org_id, robot_id, deployment_id)
     where o.org_id = ${of.orgId} and o.robot_id = ${of.robotId} offset 0)`;

/**
 * Whether a target is on an order; `target` and `order`: names of rows. A target that returned to waiting has left its
 * order. An order from before migration 0017 does not name its deployments: they are among those of its robot and lane.
 */
export const isOnOrder = (target: string, order: string): string =>
  `${target}.org_id = ${order}.org_id and ${target}.robot_id = ${order}.robot_id and ${target}.order_id = ${order}.id
   and ${target}.deployment_id = any(coalesce(${order}.deployment_ids, array(
         select same.deployment_id from targets same
          where same.org_id = ${order}.org_id and same.robot_id = ${order}.robot_id and same.lane = ${order}.lane)))`;
