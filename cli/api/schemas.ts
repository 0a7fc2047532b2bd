import type { components, paths } from '../../generated/api.d.ts';

/* Names of what the API sends and receives. */

type Schemas = components['schemas'];
export type Whoami = Schemas['Whoami'];
export type Site = Schemas['Site'];
export type Fleet = Schemas['Fleet'];
export type Robot = Schemas['Robot'];
/** The health by which robots can be listed. */
export type HealthStatus = NonNullable<
  NonNullable<paths['/api/robots']['get']['parameters']['query']>['health_status']
>;
export type RobotUpdate = Schemas['RobotUpdate'];
export type RobotTopic = Schemas['RobotTopic'];
export type RobotHealth = Schemas['RobotHealth'];
export type ConditionRule = Schemas['ConditionRule'];
export type Severity = Schemas['ConditionSeverity'];
export type ConditionScope = Schemas['ConditionScope'];
export type ConditionScopeChoice = Schemas['ConditionScopeChoice'];
export type ConditionMatch = Schemas['ConditionMatch'];
export type HealthHistory = Schemas['HealthHistory'];
export type HealthSummary = Schemas['HealthSummary'];
export type MaintenanceWindow = Schemas['MaintenanceWindow'];
export type RobotMetrics = Schemas['RobotMetrics'];
export type RobotMeasurements = Schemas['RobotMeasurements'];
export type MetricSeries = Schemas['MetricSeries'];
export type HealthSnapshot = NonNullable<RobotHealth['snapshot']>;
export type LogRecord = Schemas['LogRecord'];
export type LogStats = Schemas['LogStats'];
export type LogStatsSeries = Schemas['LogStatsSeries'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type EnrollmentKey = Schemas['EnrollmentKey'];
export type EnrollmentKeyCreated = Schemas['EnrollmentKeyCreated'];
export type User = Schemas['User'];
export type Role = Schemas['UserCreate']['role'];
export type Token = Schemas['Token'];
export type TokenCreated = Schemas['TokenCreated'];
export type StreamTicket = Schemas['StreamTicket'];
export type ShellSession = Schemas['ShellSession'];
export type AuditEntry = Schemas['AuditEntry'];
export type Org = Schemas['Org'];
export type Stats = Schemas['Stats'];
export type Release = Schemas['Release'];
export type ReleaseCreate = Schemas['ReleaseCreate'];
export type RolloutPolicy = Schemas['RolloutPolicy'];
export type Rollout = Schemas['Rollout'];
export type RolloutCreate = Schemas['RolloutCreate'];
export type DisruptionBudget = Schemas['DisruptionBudget'];
export type DisruptionBudgetUpdate = Schemas['DisruptionBudgetUpdate'];
export type LogRedaction = Schemas['LogRedaction'];
export type LogRedactionUpdate = Schemas['LogRedactionUpdate'];
export type Deployment = Schemas['Deployment'];
export type DeploymentPlan = Schemas['DeploymentPlan'];
export type DeploymentPlanCreate = Schemas['DeploymentPlanCreate'];
export type PlanRobot = Schemas['DeploymentPlanRobot'];
export type DeploymentTarget = Schemas['DeploymentTarget'];
export type DeploymentRollback = Schemas['DeploymentRollback'];
export type DeploymentFreeze = Schemas['DeploymentFreeze'];
export type RobotPin = Schemas['RobotPin'];
export type DeploymentRetry = Schemas['DeploymentRetry'];
export type RetryCreate = Schemas['DeploymentRetryCreate'];
export type WaveSkip = Schemas['DeploymentWaveSkip'];
export type WavesUpdate = Schemas['DeploymentWavesUpdate'];
export type RollbackCreate = Schemas['DeploymentRollbackCreate'];
export type ApprovalRequest = Schemas['DeploymentApprovalRequest'];
export type DeploymentApproval = Schemas['DeploymentApproval'];
export type DeploymentApprovals = Schemas['DeploymentApprovals'];
export type ApprovalCreate = Schemas['DeploymentApprovalCreate'];
export type DeploymentWave = Schemas['DeploymentWave'];
export type DeploymentEvent = Schemas['DeploymentEvent'];
export type TargetCounts = Schemas['TargetCounts'];
export type WaitingOn = Schemas['WaitingOn'];
export type Config = Schemas['Config'];
export type ConfigRevision = Schemas['ConfigRevision'];
export type ConfigDeployment = Schemas['ConfigDeployment'];
/** What release and config deployments have in common. */
export type AnyDeployment = Deployment | ConfigDeployment;
