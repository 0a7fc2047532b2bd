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
  "helloTimeout": 4408,
  "replaced": 4409,
  "protocolUnsupported": 4426
};
export const limits = {
  "maxFrameBytes": 262144,
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
  "replacedWaitMs": 30000
};
