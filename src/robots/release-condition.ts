/** SQL of what robots of a list must meet; `bind` returns the placeholder of a value. */
export type Condition = (bind: (value: unknown) => string) => string;

/** Robots that report one of these releases, found by the index of reports. */
export const releaseCondition = (orgId: string, releases: readonly { kind: string; id: string }[]): Condition => {
  const reports = releases.map(({ kind, id }) => JSON.stringify({ [kind]: { release_id: id } }));
  return (bind) =>
    `id in (select robot_id from robot_reports where org_id = ${bind(orgId)} and (${
      reports.map((report) => `releases @> ${bind(report)}::jsonb`).join(' or ') || 'false'
    }))`;
};
