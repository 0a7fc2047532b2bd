/* Generated from spec/ by npm run generate; never edited. */
/** The protocol of the agent link that is spoken here. */
export declare const protocol: 1;
export declare const closeCodes: {
  /** Ended in order. */
  readonly ended: 1000;
  /** A frame broke the protocol, or too many came; the reason says what. */
  readonly policy: 1008;
  /** A frame was larger than 256 KiB, a picture larger than 896 KiB. */
  readonly tooBig: 1009;
  /** A fault of the service, or of what a camera or topic comes from; the reason says which. Reconnect with backoff. */
  readonly serverError: 1011;
  /** The service is stopping, or another replica ended the link. Not a failure: the backoff starts again before you reconnect. */
  readonly restarting: 1012;
  /** The service cannot take the link, or its logs, now. Reconnect with backoff. */
  readonly tryLater: 1013;
  /** The token is no longer good. Final: do not reconnect with it. */
  readonly unauthorized: 4401;
  /** The robot, or what was asked of it, is not there. Final. */
  readonly notFound: 4404;
  /** No hello came within 10 s. */
  readonly helloTimeout: 4408;
  /** A newer link of the same robot took its place. Wait 30 s or more before reconnecting. */
  readonly replaced: 4409;
  /** The robot or the service does not allow it. Final. */
  readonly forbidden: 4403;
  /** What was to be resumed is over. Final. */
  readonly gone: 4410;
  /** There are too many live streams. */
  readonly busy: 4429;
  /** The robot is not connected. Try again with backoff. */
  readonly agentOffline: 4503;
  /** The service does not speak this protocol. Final until the agent is updated. */
  readonly protocolUnsupported: 4426;
};
export declare const limits: {
  /** Size of one frame, either way. */
  readonly maxFrameBytes: 262144;
  /** Size of one text frame of `fleet.shell.v1`, either way. */
  readonly maxShellTextBytes: 65536;
  /** Size of one picture of a camera, and of the list of topics. */
  readonly maxCameraFrameBytes: 917504;
  /** Pictures that one camera may send a second, over a burst of twice as many. */
  readonly maxCameraFramesPerSecond: 120;
  /** Cameras of one robot. */
  readonly maxCameras: 32;
  /** How long an agent keeps a camera or a subscription running after its last socket. */
  readonly lingerMs: 10000;
  /** How long an agent may take for the list of its topics. */
  readonly topicsWithinMs: 10000;
  /** Frames of one agent a second, pings and pongs included, over a burst of twice as many. */
  readonly maxFramesPerSecond: 500;
  /** Log records in one frame. */
  readonly maxRecordsPerFrame: 500;
  /** Spools that one link may send of; another one ends it with 1008. */
  readonly maxSpoolsPerLink: 16;
  /** Spools of one robot whose stored numbers are known; those that were idle longest are forgotten. */
  readonly maxSpoolsPerRobot: 64;
  /** UTF-8 bytes of a log message; what is longer is cut and marked. */
  readonly maxMessageBytes: 16384;
  /** Size of a health snapshot. */
  readonly maxSnapshotBytes: 16384;
  /** How long after the upgrade the hello may take. */
  readonly helloWithinMs: 10000;
  /** Either side pings when nothing came for this long, the service a fifth later. */
  readonly pingEveryMs: 10000;
  /** A link on which nothing arrived for this long is dead. */
  readonly deadAfterMs: 30000;
  /** Default interval of heartbeats. */
  readonly heartbeatSeconds: 10;
  /** Size of a payload that travels on the link; a larger one is fetched. */
  readonly maxPayloadInlineBytes: 16384;
  /** UTF-8 bytes of the message of a report; what is longer is cut. */
  readonly maxReportMessageBytes: 4096;
  /** Orders of one robot at a time. */
  readonly maxOrders: 100;
  /** How long after `open` the agent may take to dial back. */
  readonly openWithinMs: 10000;
  /** Bytes of a live stream that wait for one end; above it the other end is not read. */
  readonly streamPauseBytes: 524288;
  /** So few let it be read again. */
  readonly streamResumeBytes: 131072;
  /** How long a replaced agent waits before it reconnects. */
  readonly replacedWaitMs: 30000;
};
export type DeploymentStatus = 'scheduled' | 'pending' | 'in_progress' | 'paused' | 'cancelling' | 'applied' | 'failed' | 'rolled_back' | 'cancelled';
export type TargetStatus = 'waiting' | 'dispatched' | 'downloading' | 'installing' | 'verifying' | 'cancelling' | 'rolling_back' | 'applied' | 'failed' | 'rolled_back' | 'cancelled';
/** Status to the statuses that may follow it; none for a terminal one. */
export declare const deploymentMoves: { readonly [From in DeploymentStatus]: readonly DeploymentStatus[] };
export declare const targetMoves: { readonly [From in TargetStatus]: readonly TargetStatus[] };
/** What a robot reports while it carries an order out, in this order. */
export declare const orderSteps: readonly ['downloading', 'installing', 'verifying'];
