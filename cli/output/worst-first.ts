/** Conditions of a robot: the unhealthy ones before the degraded ones, otherwise as they were. */
export const worstFirst = <Condition extends { severity: string }>(conditions: readonly Condition[]): Condition[] =>
  conditions.toSorted((one, other) => Number(other.severity === 'unhealthy') - Number(one.severity === 'unhealthy'));
