import { endEnrollment, enrollmentNonce, type EnrollmentAttempt } from '../files/enrollment-attempt.ts';
import { writeIdentity, type Identity } from '../files/identity.ts';
import { send } from './http.ts';

export interface Enrollment extends EnrollmentAttempt {
  configDirectory: string;
  /** Name for people; default: the service makes one. */
  name?: string | undefined;
  proxy?: URL | undefined;
  /** Default: those Node trusts. */
  authorities?: readonly string[] | undefined;
  userAgent: string;
}

/** The service answered, but not with an identity. */
export class EnrollmentRefused extends Error {
  override readonly name = 'EnrollmentRefused';
  readonly status: number;
  readonly body: Buffer;
  readonly requestId: string | undefined;

  constructor(status: number, body: Buffer, requestId: string | undefined) {
    super(`the service answered ${status}`);
    this.status = status;
    this.body = body;
    this.requestId = requestId;
  }
}

/**
 * Enrolls this machine and keeps its identity, in place of an older one. Until the new one is on disk nothing of the old one changes.
 * Throws NetworkError, EnrollmentRefused or TomlFileError; each may be tried again and takes no second use of the key.
 */
export async function enroll(enrollment: Enrollment): Promise<Identity> {
  const { configDirectory, backendUrl, enrollmentKey, name } = enrollment;
  const nonce = await enrollmentNonce(configDirectory, enrollment);
  const reply = await send({
    method: 'POST',
    url: new URL(`${backendUrl}/agent/enroll`),
    headers: {
      Authorization: `Bearer ${enrollmentKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': enrollment.userAgent,
    },
    body: JSON.stringify({ ...(name === undefined ? {} : { name }), nonce }),
    proxy: enrollment.proxy,
    authorities: enrollment.authorities,
  });
  const identity = reply.status === 200 || reply.status === 201 ? identityOf(reply.body, backendUrl) : undefined;
  if (!identity) {
    const requestId = reply.headers['x-request-id'];
    throw new EnrollmentRefused(reply.status, reply.body, typeof requestId === 'string' ? requestId : undefined);
  }
  await writeIdentity(configDirectory, identity);
  await endEnrollment(configDirectory);
  return identity;
}

/** Undefined if the body is not an identity: a proxy's page, or another program on that port. */
function identityOf(body: Buffer, backendUrl: string): Identity | undefined {
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
  return { backendUrl, robotId, robotToken, robotName, orgId, siteId, fleetId };
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
