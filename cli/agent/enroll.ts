import { endEnrollment, enrollmentNonce, type EnrollmentAttempt } from '../files/enrollment-attempt.ts';
import { writeIdentity, type Identity } from '../files/identity.ts';
import { send, type HttpReply } from '../transport/http.ts';
import { refusalOf } from './refusal.ts';

/** A request for an identity. */
export interface IdentityRequest {
  backendUrl: string;
  enrollmentKey: string;
  /** Display name; default: the service generates one. */
  name?: string | undefined;
  /** Token of the robot that this machine is, which is retired; default: none. */
  oldToken?: string | undefined;
  proxy?: URL | undefined;
  /** CA certificates in PEM; default: those that Node trusts. */
  authorities?: readonly string[] | undefined;
  userAgent: string;
}

export interface Enrollment extends IdentityRequest, EnrollmentAttempt {
  configDirectory: string;
}

/** `replaces`: ID of the robot that the service retired for it. */
export interface NewIdentity extends Identity {
  replaces: string | undefined;
}

/** The service responded, but not with an identity. */
export class EnrollmentRefused extends Error {
  override readonly name = 'EnrollmentRefused';
  readonly status: number;
  readonly body: Buffer;
  readonly requestId: string | undefined;
  /** Whether a retry is pointless. */
  readonly isFinal: boolean;
  /** From `Retry-After`; 0 if the service names no time. */
  readonly minWaitMs: number;

  constructor(reply: HttpReply) {
    const { status, body, headers } = reply;
    super(`the service responded with ${status}`);
    this.status = status;
    this.body = body;
    const requestId = headers['x-request-id'];
    this.requestId = typeof requestId === 'string' ? requestId : undefined;
    const { isFinal, minWaitMs } = refusalOf(reply);
    this.isFinal = isFinal;
    this.minWaitMs = minWaitMs;
  }
}

/**
 * Enrolls this machine and stores its identity, in place of an older one. The old one is unchanged until the new one is
 * on disk. @throws NetworkError, EnrollmentRefused or TomlFileError; a retry does not use the key a second time
 */
export async function enroll(enrollment: Enrollment): Promise<NewIdentity> {
  const { configDirectory } = enrollment;
  const nonce = await enrollmentNonce(configDirectory, enrollment);
  const identity = await requestIdentity(enrollment, nonce);
  await writeIdentity(configDirectory, identity);
  await endEnrollment(configDirectory);
  return identity;
}

/**
 * Requests an identity and stores nothing. The same key and nonce return the same robot, with another token. @throws
 * NetworkError or EnrollmentRefused
 */
export async function requestIdentity(request: IdentityRequest, nonce: string): Promise<NewIdentity> {
  const { backendUrl, enrollmentKey, name, oldToken } = request;
  const reply = await send({
    method: 'POST',
    url: new URL(`${backendUrl}/agent/enroll`),
    headers: {
      Authorization: `Bearer ${enrollmentKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': request.userAgent,
    },
    body: JSON.stringify({ name, nonce, replaces_token: oldToken }),
    proxy: request.proxy,
    authorities: request.authorities,
  });
  // A service of an earlier release refuses the field. Without it the old robot stays.
  if (reply.status === 400 && oldToken !== undefined)
    return requestIdentity({ ...request, oldToken: undefined }, nonce);
  const identity = reply.status === 200 || reply.status === 201 ? identityOf(reply.body, backendUrl) : undefined;
  if (!identity) throw new EnrollmentRefused(reply);
  return identity;
}

/** Undefined if the body is not an identity: a proxy's page, or the response of another program on that port. */
function identityOf(body: Buffer, backendUrl: string): NewIdentity | undefined {
  const data = dataOf(body);
  const [robotId, robotToken, robotName, orgId, siteId, fleetId] = [
    data['robot_id'],
    data['robot_token'],
    data['robot_name'],
    data['org_id'],
    data['site_id'],
    data['fleet_id'],
  ].map((value) => (typeof value === 'string' ? value : ''));
  if (!robotId || !robotToken || !robotName || !orgId || !siteId || !fleetId) return undefined;
  const replaces = typeof data['replaces'] === 'string' ? data['replaces'] : undefined;
  return { backendUrl, robotId, robotToken, robotName, orgId, siteId, fleetId, replaces };
}

function dataOf(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const data = isTable(parsed) ? parsed['data'] : undefined;
    return isTable(data) ? data : {};
  } catch {
    return {};
  }
}

const isTable = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
