/* Generated from spec/ by npm run generate; never edited. */
/** The kinds of caller that an operation takes (x-token-kinds). */
export interface CallerKinds {
  getWhoami: 'user' | 'org';
  getOrg: 'user' | 'org';
  updateOrg: 'user' | 'org';
  getQuotas: 'user' | 'org';
  listUsers: 'user' | 'org';
  createUser: 'user' | 'org';
  updateUser: 'user' | 'org';
  deleteUser: 'user' | 'org';
  createUserToken: 'user' | 'org';
  listTokens: 'user' | 'org';
  revokeToken: 'user' | 'org';
  listSites: 'user' | 'org';
  createSite: 'user' | 'org';
  getSite: 'user' | 'org';
  updateSite: 'user' | 'org';
  deleteSite: 'user' | 'org';
  listFleets: 'user' | 'org';
  createFleet: 'user' | 'org';
  getFleet: 'user' | 'org';
  updateFleet: 'user' | 'org';
  deleteFleet: 'user' | 'org';
  listFleetLogs: 'user' | 'org';
  listEnrollmentKeys: 'user' | 'org';
  createEnrollmentKey: 'user' | 'org';
  revokeEnrollmentKey: 'user' | 'org';
  listRobots: 'user' | 'org';
  getRobot: 'user' | 'org';
  updateRobot: 'user' | 'org';
  deleteRobot: 'user' | 'org';
  getRobotPin: 'user' | 'org';
  setRobotPin: 'user' | 'org';
  deleteRobotPin: 'user' | 'org';
  rotateRobotToken: 'user' | 'org';
  getRobotHealth: 'user' | 'org';
  getRobotMetrics: 'user' | 'org';
  listRobotLogs: 'user' | 'org';
  listRobotTimeline: 'user' | 'org';
  listRobotTopics: 'user' | 'org';
  listConditionRules: 'user' | 'org';
  createConditionRule: 'user' | 'org';
  getConditionRule: 'user' | 'org';
  updateConditionRule: 'user' | 'org';
  deleteConditionRule: 'user' | 'org';
  listConditionMatches: 'user' | 'org';
  getHealthSummary: 'user' | 'org';
  getHealthHistory: 'user' | 'org';
  listMaintenanceWindows: 'user' | 'org';
  createMaintenanceWindow: 'user' | 'org';
  endMaintenanceWindow: 'user' | 'org';
  listRobotMetrics: 'user' | 'org';
  listLogs: 'user' | 'org';
  getLogStats: 'user' | 'org';
  listShellSessions: 'user' | 'org';
  downloadShellRecording: 'user' | 'org';
  createStreamTicket: 'user' | 'org';
  listReleases: 'user' | 'org';
  createRelease: 'user' | 'org';
  updateRelease: 'user' | 'org';
  downloadArtifact: 'user' | 'org' | 'robot';
  uploadArtifact: 'user' | 'org';
  getArtifact: 'user' | 'org' | 'robot';
  createDeploymentPlan: 'user' | 'org';
  getDeploymentPlan: 'user' | 'org';
  listDeploymentPlanRobots: 'user' | 'org';
  getDeploymentFreeze: 'user' | 'org';
  setDeploymentFreeze: 'user' | 'org';
  deleteDeploymentFreeze: 'user' | 'org';
  listDeployments: 'user' | 'org';
  createDeployment: 'user' | 'org';
  getDeployment: 'user' | 'org';
  listDeploymentTargets: 'user' | 'org';
  listDeploymentEvents: 'user' | 'org';
  pauseDeployment: 'user' | 'org';
  resumeDeployment: 'user' | 'org';
  advanceDeployment: 'user' | 'org';
  skipDeploymentWave: 'user' | 'org';
  setDeploymentWaves: 'user' | 'org';
  getDeploymentRollback: 'user' | 'org';
  createDeploymentRollback: 'user' | 'org';
  getDeploymentRetry: 'user' | 'org';
  createDeploymentRetry: 'user' | 'org';
  getDeploymentApprovals: 'user' | 'org';
  createDeploymentApproval: 'user' | 'org';
  cancelDeployment: 'user' | 'org';
  listRolloutPolicies: 'user' | 'org';
  createRolloutPolicy: 'user' | 'org';
  getRolloutPolicy: 'user' | 'org';
  updateRolloutPolicy: 'user' | 'org';
  deleteRolloutPolicy: 'user' | 'org';
  listDisruptionBudgets: 'user' | 'org';
  createDisruptionBudget: 'user' | 'org';
  getDisruptionBudget: 'user' | 'org';
  updateDisruptionBudget: 'user' | 'org';
  deleteDisruptionBudget: 'user' | 'org';
  listLogRedactions: 'user' | 'org';
  createLogRedaction: 'user' | 'org';
  testLogRedaction: 'user' | 'org';
  getLogRedaction: 'user' | 'org';
  updateLogRedaction: 'user' | 'org';
  deleteLogRedaction: 'user' | 'org';
  listConfigs: 'user' | 'org';
  setConfig: 'user' | 'org';
  deleteConfig: 'user' | 'org';
  listConfigRevisions: 'user' | 'org';
  listConfigDeployments: 'user' | 'org';
  createConfigDeployment: 'user' | 'org';
  getConfigDeployment: 'user' | 'org';
  listConfigDeploymentTargets: 'user' | 'org';
  listConfigDeploymentEvents: 'user' | 'org';
  pauseConfigDeployment: 'user' | 'org';
  resumeConfigDeployment: 'user' | 'org';
  advanceConfigDeployment: 'user' | 'org';
  skipConfigDeploymentWave: 'user' | 'org';
  setConfigDeploymentWaves: 'user' | 'org';
  getConfigDeploymentRollback: 'user' | 'org';
  createConfigDeploymentRollback: 'user' | 'org';
  getConfigDeploymentRetry: 'user' | 'org';
  createConfigDeploymentRetry: 'user' | 'org';
  getConfigDeploymentApprovals: 'user' | 'org';
  createConfigDeploymentApproval: 'user' | 'org';
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
  getOrgQuotas: 'admin';
  setOrgQuotas: 'admin';
  getStats: 'admin';
  getStatus: 'admin';
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
  | 'updateSite'
  | 'deleteSite'
  | 'createFleet'
  | 'updateFleet'
  | 'deleteFleet'
  | 'createEnrollmentKey'
  | 'revokeEnrollmentKey'
  | 'updateRobot'
  | 'deleteRobot'
  | 'setRobotPin'
  | 'deleteRobotPin'
  | 'rotateRobotToken'
  | 'createConditionRule'
  | 'updateConditionRule'
  | 'deleteConditionRule'
  | 'createMaintenanceWindow'
  | 'endMaintenanceWindow'
  | 'createStreamTicket'
  | 'createRelease'
  | 'updateRelease'
  | 'uploadArtifact'
  | 'createDeploymentPlan'
  | 'setDeploymentFreeze'
  | 'deleteDeploymentFreeze'
  | 'createDeployment'
  | 'pauseDeployment'
  | 'resumeDeployment'
  | 'advanceDeployment'
  | 'skipDeploymentWave'
  | 'setDeploymentWaves'
  | 'createDeploymentRollback'
  | 'createDeploymentRetry'
  | 'createDeploymentApproval'
  | 'cancelDeployment'
  | 'createRolloutPolicy'
  | 'updateRolloutPolicy'
  | 'deleteRolloutPolicy'
  | 'createDisruptionBudget'
  | 'updateDisruptionBudget'
  | 'deleteDisruptionBudget'
  | 'createLogRedaction'
  | 'updateLogRedaction'
  | 'deleteLogRedaction'
  | 'setConfig'
  | 'deleteConfig'
  | 'createConfigDeployment'
  | 'pauseConfigDeployment'
  | 'resumeConfigDeployment'
  | 'advanceConfigDeployment'
  | 'skipConfigDeploymentWave'
  | 'setConfigDeploymentWaves'
  | 'createConfigDeploymentRollback'
  | 'createConfigDeploymentRetry'
  | 'createConfigDeploymentApproval'
  | 'cancelConfigDeployment'
  | 'enrollAgent'
  | 'rotateAgentToken'
  | 'createOrg'
  | 'approveOrg'
  | 'suspendOrg'
  | 'resumeOrg'
  | 'createOrgToken'
  | 'setOrgQuotas';
/** The reads that leave an audit row too (x-audited). */
export type AuditedRead =
  | 'downloadShellRecording';
