/**
 * SQL: adds the number of rows of `gone` to what the retention removed so far of `:table`. For a statement of the transaction
 * that holds the row of `deployment_retention`.
 */
export const countRemoved = `counted as (
  update deployment_retention set removed = jsonb_set(removed, array[:table], to_jsonb(coalesce((removed ->> :table)::bigint, 0) + (select count(*) from gone)))
   where exists (select from gone)
)`;
