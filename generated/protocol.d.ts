/* Generated from spec/ by npm run generate; never edited. */
/** The protocol of the agent link that is spoken here. */
export declare const protocol: 1;
export declare const closeCodes: {
  /** Normal end. */
  readonly ended: 1000;
  /** A frame violates the protocol, or too many frames were sent. The reason names the cause. */
  readonly policy: 1008;
  /** A frame is larger than 256 KiB, or a picture larger than 896 KiB. */
  readonly tooBig: 1009;
  /** The service, or the source of a camera or topic, failed. The reason says which. Reconnect with backoff. */
  readonly serverError: 1011;
  /** The service is stopping, or another replica closed the link. Not a failure: reset the backoff, then reconnect. */
  readonly restarting: 1012;
  /** The service cannot accept the link, or store its logs, now. Reconnect with backoff. */
  readonly tryLater: 1013;
  /** The token is no longer valid. Final: do not reconnect with it. */
  readonly unauthorized: 4401;
  /** The robot, or what was requested from it, does not exist. Final. */
  readonly notFound: 4404;
  /** No `hello`, or no `start` of a shell, arrived within 10 s. */
  readonly helloTimeout: 4408;
  /** A newer link of the same robot replaced this one. Wait at least 30 s, then reconnect. */
  readonly replaced: 4409;
  /** The robot or the service does not allow it. Final. */
  readonly forbidden: 4403;
  /** The session to resume has ended. Final. */
  readonly gone: 4410;
  /** Too many live streams are open. */
  readonly busy: 4429;
  /** The robot is not connected. Retry with backoff. */
  readonly agentOffline: 4503;
  /** The service does not support this protocol. Final until the agent is updated. */
  readonly protocolUnsupported: 4426;
};
export declare const limits: {
  /** Size of one frame in bytes, in either direction. */
  readonly maxFrameBytes: 262144;
  /** Size of one text frame of `fleet.shell.v1` in bytes, in either direction. */
  readonly maxShellTextBytes: 65536;
  /** Size in bytes of one picture of a camera, and of the list of topics. */
  readonly maxCameraFrameBytes: 917504;
  /** Pictures per second from one camera, with a burst of twice as many. */
  readonly maxCameraFramesPerSecond: 120;
  /** Cameras of one robot. */
  readonly maxCameras: 32;
  /** How long an agent keeps a camera or a subscription running after its last connection closes. */
  readonly lingerMs: 10000;
  /** Maximum time until the agent sends the list of topics. */
  readonly topicsWithinMs: 10000;
  /** Frames per second from one agent, including pings and pongs, with a burst of twice as many. */
  readonly maxFramesPerSecond: 500;
  /** Log records in one frame. */
  readonly maxRecordsPerFrame: 500;
  /** Spools that one link may use. One more ends the link with 1008. */
  readonly maxSpoolsPerLink: 16;
  /** Spools of one robot whose highest stored number the service keeps. It forgets the spools idle longest. */
  readonly maxSpoolsPerRobot: 64;
  /** UTF-8 bytes of a log message. A longer message is cut and marked. */
  readonly maxMessageBytes: 16384;
  /** Size of a health snapshot in bytes. */
  readonly maxSnapshotBytes: 16384;
  /** Maximum time from the upgrade to `hello`. */
  readonly helloWithinMs: 10000;
  /** Idle time after which a side sends a ping; the service waits a fifth longer. */
  readonly pingEveryMs: 10000;
  /** Idle time after which a link counts as dead. */
  readonly deadAfterMs: 30000;
  /** Default interval of heartbeats in seconds. */
  readonly heartbeatSeconds: 10;
  /** Size in bytes of a payload sent on the link. The agent downloads a larger one. */
  readonly maxPayloadInlineBytes: 16384;
  /** UTF-8 bytes of the message of a report. A longer message is cut. */
  readonly maxReportMessageBytes: 4096;
  /** Orders of one robot at a time. */
  readonly maxOrders: 100;
  /** Maximum time from `open` until the agent dials back. */
  readonly openWithinMs: 10000;
  /** Bytes of a live stream that wait for one end. Above this, the service stops reading the other end. */
  readonly streamPauseBytes: 524288;
  /** Waiting bytes at which the service starts to read again. */
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
