/* Generated from spec/ by npm run generate; never edited. */
/** The kinds of caller that an operation takes (x-token-kinds). */
export interface CallerKinds {
  getWhoami: 'user' | 'org';
  getOrg: 'user' | 'org';
  updateOrg: 'user' | 'org';
  listUsers: 'user' | 'org';
  createUser: 'user' | 'org';
  updateUser: 'user' | 'org';
  deleteUser: 'user' | 'org';
  createUserToken: 'user' | 'org';
  listTokens: 'user' | 'org';
  revokeToken: 'user' | 'org';
  listSites: 'user' | 'org';
  createSite: 'user' | 'org';
  listFleets: 'user' | 'org';
  createFleet: 'user' | 'org';
  listFleetLogs: 'user' | 'org';
  listEnrollmentKeys: 'user' | 'org';
  createEnrollmentKey: 'user' | 'org';
  revokeEnrollmentKey: 'user' | 'org';
  listRobots: 'user' | 'org';
  getRobot: 'user' | 'org';
  updateRobot: 'user' | 'org';
  deleteRobot: 'user' | 'org';
  rotateRobotToken: 'user' | 'org';
  getRobotHealth: 'user' | 'org';
  listRobotLogs: 'user' | 'org';
  listRobotTimeline: 'user' | 'org';
  listRobotTopics: 'user' | 'org';
  listShellSessions: 'user' | 'org';
  downloadShellRecording: 'user' | 'org';
  createStreamTicket: 'user' | 'org';
  listReleases: 'user' | 'org';
  createRelease: 'user' | 'org';
  downloadArtifact: 'user' | 'org' | 'robot';
  uploadArtifact: 'user' | 'org';
  getArtifact: 'user' | 'org' | 'robot';
  listDeployments: 'user' | 'org';
  createDeployment: 'user' | 'org';
  getDeployment: 'user' | 'org';
  listDeploymentTargets: 'user' | 'org';
  listDeploymentEvents: 'user' | 'org';
  cancelDeployment: 'user' | 'org';
  listConfigs: 'user' | 'org';
  setConfig: 'user' | 'org';
  listConfigRevisions: 'user' | 'org';
  listConfigDeployments: 'user' | 'org';
  createConfigDeployment: 'user' | 'org';
  getConfigDeployment: 'user' | 'org';
  listConfigDeploymentTargets: 'user' | 'org';
  listConfigDeploymentEvents: 'user' | 'org';
  cancelConfigDeployment: 'user' | 'org';
  enrollAgent: 'enroll';
  rotateAgentToken: 'robot';
  getPayload: 'robot';
  listAuditEntries: 'user' | 'org';
  listOrgs: 'admin';
  createOrg: 'admin';
  approveOrg: 'admin';
  suspendOrg: 'admin';
  resumeOrg: 'admin';
  createOrgToken: 'admin';
  getStats: 'admin';
}
/** The operations that change something: each runs in one transaction with its audit row. */
export type Mutation =
  | 'updateOrg'
  | 'createUser'
  | 'updateUser'
  | 'deleteUser'
  | 'createUserToken'
  | 'revokeToken'
  | 'createSite'
  | 'createFleet'
  | 'createEnrollmentKey'
  | 'revokeEnrollmentKey'
  | 'updateRobot'
  | 'deleteRobot'
  | 'rotateRobotToken'
  | 'createStreamTicket'
  | 'createRelease'
  | 'uploadArtifact'
  | 'createDeployment'
  | 'cancelDeployment'
  | 'setConfig'
  | 'createConfigDeployment'
  | 'cancelConfigDeployment'
  | 'enrollAgent'
  | 'rotateAgentToken'
  | 'createOrg'
  | 'approveOrg'
  | 'suspendOrg'
  | 'resumeOrg'
  | 'createOrgToken';
/** The reads that leave an audit row too (x-audited). */
export type AuditedRead =
  | 'downloadShellRecording';
