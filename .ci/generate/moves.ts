/** Status to the statuses that may follow it. */
type Moves = Record<string, string[]>;

/** spec/state-transitions.yaml: of deployments and of their targets. */
export interface MovesDocument {
  deployment: Moves;
  target: Moves;
  orderSteps: string[];
}

/** Throws on a move to a status that is none, and on a step that is none. */
export function checkMoves({ deployment, target, orderSteps }: MovesDocument): void {
  for (const step of orderSteps)
    if (!(step in target)) throw new Error(`spec/state-transitions.yaml: the step ${step} is no status of a target`);
  for (const moves of [deployment, target])
    for (const [from, all] of Object.entries(moves))
      for (const to of all)
        if (!(to in moves)) throw new Error(`spec/state-transitions.yaml: ${from} moves to ${to}, which is no status`);
}

export const moveTables = ({ deployment, target, orderSteps }: MovesDocument): string =>
  `export const deploymentMoves = ${JSON.stringify(deployment, null, 2)};
export const targetMoves = ${JSON.stringify(target, null, 2)};
export const orderSteps = ${JSON.stringify(orderSteps)};
`;

const union = (moves: Moves) =>
  Object.keys(moves)
    .map((status) => `'${status}'`)
    .join(' | ');

export const moveTypes = ({ deployment, target, orderSteps }: MovesDocument): string =>
  `export type DeploymentStatus = ${union(deployment)};
export type TargetStatus = ${union(target)};
/** Status to the statuses that may follow it; none for a terminal one. */
export declare const deploymentMoves: { readonly [From in DeploymentStatus]: readonly DeploymentStatus[] };
export declare const targetMoves: { readonly [From in TargetStatus]: readonly TargetStatus[] };
/** What a robot reports while it carries an order out, in this order. */
export declare const orderSteps: readonly [${orderSteps.map((step) => `'${step}'`).join(', ')}];
`;
