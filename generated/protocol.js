/* Generated from spec/ by npm run generate; never edited. */
export const protocol = 1;
export const closeCodes = {
  "ended": 1000,
  "policy": 1008,
  "tooBig": 1009,
  "serverError": 1011,
  "restarting": 1012,
  "tryLater": 1013,
  "unauthorized": 4401,
  "notFound": 4404,
  "helloTimeout": 4408,
  "replaced": 4409,
  "forbidden": 4403,
  "gone": 4410,
  "busy": 4429,
  "agentOffline": 4503,
  "protocolUnsupported": 4426
};
export const limits = {
  "maxFrameBytes": 262144,
  "maxShellTextBytes": 65536,
  "maxCameraFrameBytes": 917504,
  "maxCameraFramesPerSecond": 120,
  "maxCameras": 32,
  "lingerMs": 10000,
  "topicsWithinMs": 10000,
  "maxFramesPerSecond": 500,
  "maxRecordsPerFrame": 500,
  "maxSpoolsPerLink": 16,
  "maxSpoolsPerRobot": 64,
  "maxMessageBytes": 16384,
  "maxSnapshotBytes": 16384,
  "helloWithinMs": 10000,
  "pingEveryMs": 10000,
  "deadAfterMs": 30000,
  "heartbeatSeconds": 10,
  "maxPayloadInlineBytes": 16384,
  "maxReportMessageBytes": 4096,
  "maxOrders": 100,
  "openWithinMs": 10000,
  "streamPauseBytes": 524288,
  "streamResumeBytes": 131072,
  "replacedWaitMs": 30000
};
export const deploymentMoves = {
  "scheduled": [
    "pending",
    "paused",
    "failed",
    "cancelled"
  ],
  "pending": [
    "in_progress",
    "paused",
    "cancelling",
    "applied",
    "failed",
    "rolled_back",
    "cancelled"
  ],
  "in_progress": [
    "paused",
    "cancelling",
    "applied",
    "failed",
    "rolled_back",
    "cancelled"
  ],
  "paused": [
    "scheduled",
    "pending",
    "in_progress",
    "cancelling",
    "applied",
    "failed",
    "rolled_back",
    "cancelled"
  ],
  "cancelling": [
    "applied",
    "failed",
    "rolled_back",
    "cancelled"
  ],
  "applied": [],
  "failed": [],
  "rolled_back": [],
  "cancelled": []
};
export const targetMoves = {
  "waiting": [
    "dispatched",
    "failed",
    "cancelled"
  ],
  "dispatched": [
    "waiting",
    "downloading",
    "installing",
    "verifying",
    "cancelling",
    "rolling_back",
    "applied",
    "failed",
    "rolled_back"
  ],
  "downloading": [
    "waiting",
    "installing",
    "verifying",
    "cancelling",
    "rolling_back",
    "applied",
    "failed",
    "rolled_back"
  ],
  "installing": [
    "waiting",
    "verifying",
    "cancelling",
    "rolling_back",
    "applied",
    "failed",
    "rolled_back"
  ],
  "verifying": [
    "waiting",
    "cancelling",
    "rolling_back",
    "applied",
    "failed",
    "rolled_back"
  ],
  "cancelling": [
    "rolling_back",
    "applied",
    "failed",
    "rolled_back",
    "cancelled"
  ],
  "rolling_back": [
    "failed",
    "rolled_back"
  ],
  "applied": [],
  "failed": [],
  "rolled_back": [],
  "cancelled": []
};
export const orderSteps = ["downloading","installing","verifying"];
