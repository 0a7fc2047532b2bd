import type {
  AnyDeployment,
  ApprovalCreate,
  Config,
  ConfigDeployment,
  Deployment,
  DeploymentFreeze,
  DeploymentPlan,
  DeploymentRetry,
  DeploymentRollback,
  RetryCreate,
  EnrollmentKeyCreated,
  Fleet,
  RobotPin,
  Role,
  Site,
  TokenCreated,
  User,
  WavesUpdate,
  Whoami,
} from '../../api/api.ts';
import type { DeploymentKind, Robot } from './data.ts';

export type { EnrollmentKeyCreated, Role, TokenCreated };

export type Target =
  | { kind: 'robot' | 'fleet'; id: string }
  /** `dynamicUntil`: until when robots that match later receive it too; undefined: they do not. */
  | { kind: 'selector'; selector: string; dynamicUntil: string | undefined };

/** How a deployment reaches its robots. */
export interface RolloutChoice {
  /** Default: all robots receive it at once. */
  policyId?: string | undefined;
  /** Ignores the pace of the policy. */
  isUrgent?: true | undefined;
  /** Ignores its windows. */
  ignoresWindows?: true | undefined;
}

/** Everything the interface changes. Each rejects with a Failure; changed data is requested again at once. */
export interface Mutations {
  /** `idempotencyKey`: one per plan, so that a plan confirmed again after a lost response makes one deployment. */
  deployRelease(
    deployment: RolloutChoice & {
      releaseId: string;
      target: Target;
      scheduledAt?: string | undefined;
      /** Default: with a policy, it is refused if robots run a newer release. */
      allowDowngrade?: boolean | undefined;
      idempotencyKey: string;
    },
  ): Promise<Deployment>;
  /** The robots that match a selector now. */
  readMatching(selector: string): Promise<readonly Robot[]>;
  cancelDeployment(deploymentKind: DeploymentKind, id: string): Promise<void>;
  /** Pauses or continues a deployment, begins its next wave, or skips one. `reason`: for colleagues; none by default. */
  controlDeployment(
    deploymentKind: DeploymentKind,
    id: string,
    control: ({ to: 'pause' | 'resume' | 'advance' } | { to: 'skip'; wave: number }) & { reason?: string | undefined },
  ): Promise<void>;
  /** Replaces the waves that have not begun. Returns the deployment with the new ones. */
  setWaves(deploymentKind: DeploymentKind, id: string, change: WavesUpdate): Promise<AnyDeployment>;
  /** Holds all deployments of the org. */
  freezeDeployments(reason: string): Promise<DeploymentFreeze>;
  /** Releases them. Returns what the freeze held. */
  thawDeployments(reason: string | undefined): Promise<DeploymentFreeze>;
  /** What a rollback would do now. */
  readRollback(deploymentKind: DeploymentKind, id: string): Promise<DeploymentRollback>;
  rollBackDeployment(deploymentKind: DeploymentKind, id: string, reason: string | undefined): Promise<void>;
  /** What a retry of robots that failed for this reason would do now. */
  readRetry(deploymentKind: DeploymentKind, id: string, failedAs: string): Promise<DeploymentRetry>;
  /** Returns the new deployment. */
  retryDeployment(
    deploymentKind: DeploymentKind,
    id: string,
    request: RetryCreate & { idempotencyKey: string },
  ): Promise<AnyDeployment>;
  /** What is to be approved, and who created it. */
  readApproval(
    deploymentKind: DeploymentKind,
    deployment: AnyDeployment,
  ): Promise<{ author: string | undefined; plan: DeploymentPlan }>;
  decideApproval(deploymentKind: DeploymentKind, id: string, decision: ApprovalCreate): Promise<void>;
  /**
   * `before`: the revision to change; `none`: a new entry. Rejects without a change if the service has another
   * revision.
   */
  setConfig(entry: {
    namespace: string;
    key: string;
    value: unknown;
    before?: number | 'none' | undefined;
  }): Promise<Config>;
  /**
   * The service deploys `revision`, or else the newest; `expected` is the revision shown, with its entry. Rejects if the service
   * has another one. If a new revision appears between check and request, it also rejects, but the deployment stands.
   */
  deployConfig(
    deployment: RolloutChoice & {
      configId: string;
      revision?: number | undefined;
      target: Target;
      idempotencyKey: string;
      expected?: Pick<Config, 'namespace' | 'key' | 'revision'> | undefined;
    },
  ): Promise<ConfigDeployment>;
  /** `cancels`: also cancels its active deployments; else rejects if there are any. */
  deleteConfig(id: string, cancels: boolean): Promise<void>;
  archiveRelease(id: string, archived: boolean): Promise<void>;
  createSite(name: string): Promise<Site>;
  createFleet(name: string, siteId: string): Promise<Fleet>;
  renamePlace(kind: 'site' | 'fleet', id: string, name: string): Promise<void>;
  /** Rejects while it is not empty. */
  deletePlace(kind: 'site' | 'fleet', id: string): Promise<void>;
  createKey(key: {
    siteId: string;
    fleetId: string;
    label?: string | undefined;
    maxUses?: number | undefined;
    expiresInHours?: number | undefined;
  }): Promise<EnrollmentKeyCreated>;
  revokeKey(id: string): Promise<void>;
  renameRobot(id: string, name: string): Promise<void>;
  /** `releaseId`: by default what the robot runs. Returns the pin. */
  pinRobot(id: string, pin: { releaseId?: string | undefined; until: string; reason: string }): Promise<RobotPin>;
  unpinRobot(id: string): Promise<void>;
  createUser(user: { email: string; name: string; role: Role }): Promise<User>;
  setRole(userId: string, role: Role): Promise<void>;
  removeUser(id: string): Promise<void>;
  /** `expiresInHours`: 0 or undefined: never. */
  createToken(userId: string, label: string, expiresInHours?: number): Promise<TokenCreated>;
  revokeToken(id: string): Promise<void>;
  /**
   * Uses the token for all calls from now on, if the service accepts it. Saves it where `cli login` does, unless
   * another sign-in is saved there. Returns the message to show. `onSignedIn` is called once the service accepts it,
   * even if it cannot be saved.
   */
  signIn(token: string, onSignedIn?: (who: Whoami) => void): Promise<string>;
  /** The same with the token that `cli login` has saved since. */
  signInAgain(onSignedIn?: (who: Whoami) => void): Promise<string>;
}
