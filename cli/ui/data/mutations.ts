import type {
  Config,
  ConfigDeployment,
  Deployment,
  EnrollmentKeyCreated,
  Fleet,
  Role,
  Site,
  TokenCreated,
  User,
  Whoami,
} from '../../api/api.ts';
import type { DeploymentKind } from './data.ts';

export type { EnrollmentKeyCreated, Role, TokenCreated };

export interface Target {
  kind: 'robot' | 'fleet';
  id: string;
}

/** All that the interface changes. Each rejects with a Failure; what is changed is asked anew at once. */
export interface Mutations {
  /** `idempotencyKey`: one for each plan, so that a plan which is confirmed again after a lost answer makes one deployment. */
  deployRelease(deployment: {
    releaseId: string;
    target: Target;
    scheduledAt?: string | undefined;
    idempotencyKey: string;
  }): Promise<Deployment>;
  cancelDeployment(deploymentKind: DeploymentKind, id: string): Promise<void>;
  /** `before`: the revision that is changed, `none` for a new entry. Rejects, and changes nothing, where the service has another one by now. */
  setConfig(entry: {
    namespace: string;
    key: string;
    value: unknown;
    before?: number | 'none' | undefined;
  }): Promise<Config>;
  /**
   * The service deploys the newest revision: `expected` is the one that was looked at, of which entry. Rejects where it has another one by now; also
   * where it got one between the look and the request; that deployment then stands.
   */
  deployConfig(deployment: {
    configId: string;
    target: Target;
    idempotencyKey: string;
    expected?: Pick<Config, 'namespace' | 'key' | 'revision'> | undefined;
  }): Promise<ConfigDeployment>;
  createSite(name: string): Promise<Site>;
  createFleet(name: string, siteId: string): Promise<Fleet>;
  createKey(key: {
    siteId: string;
    fleetId: string;
    label?: string | undefined;
    maxUses?: number | undefined;
    expiresInHours?: number | undefined;
  }): Promise<EnrollmentKeyCreated>;
  revokeKey(id: string): Promise<void>;
  renameRobot(id: string, name: string): Promise<void>;
  createUser(user: { email: string; name: string; role: Role }): Promise<User>;
  setRole(userId: string, role: Role): Promise<void>;
  removeUser(id: string): Promise<void>;
  createToken(userId: string, label: string): Promise<TokenCreated>;
  revokeToken(id: string): Promise<void>;
  /**
   * Takes the token for all calls from now on, if the service does, and saves it where `cli login` saves, unless another sign-in is kept there. Gives what to
   * say. `onSignedIn` hears who it is as soon as the service took it, also where it cannot be saved.
   */
  signIn(token: string, onSignedIn?: (who: Whoami) => void): Promise<string>;
  /** The same with the token that `cli login` saved meanwhile. */
  signInAgain(onSignedIn?: (who: Whoami) => void): Promise<string>;
}
