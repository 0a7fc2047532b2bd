/* Generated from spec/ by npm run generate; never edited. */
import type { ValidateFunction } from 'ajv';
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The first frame on a link.
         * @example {
         *       "type": "hello",
         *       "protocol": 1,
         *       "agent_version": "fleet-agent/0.1.0",
         *       "boot_id": "5f2b7c1e-9a53-4f4e-9f6f-1c117b1e3f0c",
         *       "instance": "b7c5d4e3f9b0c6f0",
         *       "capabilities": {
         *         "logs": true,
         *         "orders": true
         *       },
         *       "holding": [
         *         {
         *           "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *           "status": "verifying"
         *         }
         *       ]
         *     }
         */
        Hello: {
            /**
             * @description Always `hello`.
             * @constant
             */
            type: "hello";
            /**
             * @description Protocol version of the agent. The service closes the link with 4426 if it is not 1.
             * @example 1
             */
            protocol: number;
            /**
             * @description Name and version of the agent program.
             * @example fleet-agent/0.1.0
             */
            agent_version: string;
            /**
             * @description ID of the current boot; changes with each boot of the machine.
             * @example 5f2b7c1e-9a53-4f4e-9f6f-1c117b1e3f0c
             */
            boot_id: string;
            /**
             * @description ID that the agent generates each time its program starts. It lets the service distinguish an agent that replaces its own dead link from two agents that replace each other's links; those are flagged as duplicates. If absent, `boot_id` is used instead.
             * @example b7c5d4e3f9b0c6f0
             */
            instance?: string;
            /**
             * @description Time zone of the robot, an IANA name; absent if unknown. Windows in the zone of the robot use it.
             * @example Asia/Tokyo
             */
            timezone?: string;
            capabilities?: components["schemas"]["Capabilities"];
            /**
             * @description State of the orders in progress, and of those whose report is not acknowledged; each entry counts as a report. The content never ends the link. The service reads an invalid entry like an invalid `report`. It ignores an entry without a usable `order_id` and `status`, entries beyond 100, and a `holding` that is not a list.
             * @example [
             *       {
             *         "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
             *         "status": "verifying"
             *       }
             *     ]
             */
            holding?: components["schemas"]["OrderState"][];
        };
        /**
         * @description Capabilities of this agent.
         * @example {
         *       "logs": true,
         *       "orders": true
         *     }
         */
        Capabilities: {
            /**
             * @description Whether the agent sends logs.
             * @example true
             */
            logs?: boolean;
            /**
             * @description Whether the agent accepts orders. If not, the service keeps the orders of the robot until an agent that accepts them connects.
             * @example true
             */
            orders?: boolean;
            /**
             * @description Kinds of releases that the agent can install; absent means unknown. An order of another kind fails with `no_handler`.
             * @example [
             *       "archive",
             *       "file",
             *       "script"
             *     ]
             */
            kinds?: string[];
            /**
             * @description Whether the agent opens shells. If not, the service refuses shells and sends no `open` for them.
             * @example true
             */
            shell?: boolean;
            /**
             * @description Names of the cameras; the first is the default. If absent or empty, the service refuses cameras and sends no `open` for them.
             * @example [
             *       "front",
             *       "arm"
             *     ]
             */
            cameras?: string[];
            /**
             * @description Whether the agent reads the topics of a ROS graph. If not, the service sends no `open` for topics.
             * @example true
             */
            topics?: boolean;
            /**
             * @description Whether the agent refuses orders without a valid signature. If so, a rollback without one leaves the robot out.
             * @example true
             */
            signed_only?: boolean;
            /**
             * @description Whether the agent asks the gates of the robot before it disturbs it, and reports `waiting_on` while one is closed. Also true for a robot without any configured gate.
             * @example true
             */
            gates?: boolean;
            /**
             * @description Whether the agent activates an order only within its `window`.
             * @example true
             */
            windows?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Response to `hello`. From now on the agent may send all frames.
         * @example {
         *       "type": "welcome",
         *       "protocol": 1,
         *       "server_time": "2026-11-21T09:00:00.000Z",
         *       "heartbeat_seconds": 10,
         *       "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
         *       "robot_name": "amr-007"
         *     }
         */
        Welcome: {
            /**
             * @description Always `welcome`.
             * @constant
             */
            type: "welcome";
            /**
             * @description Protocol version of this link.
             * @example 1
             */
            protocol: number;
            /**
             * Format: date-time
             * @description Time of the service, to measure the offset of the robot's clock.
             * @example 2026-11-21T09:00:00.000Z
             */
            server_time: string;
            /**
             * @description Proposed interval of heartbeats, 1 to 3,600 s. A setting on the robot takes precedence.
             * @example 10
             */
            heartbeat_seconds: number;
            /**
             * @description ID of the robot whose token opened the link.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Current name of the robot.
             * @example amr-007
             */
            robot_name: string;
        };
        /**
         * @description The agent is alive. It includes a health snapshot in the first heartbeat of a link, when something changed, and at least every 60 s.
         * @example {
         *       "type": "heartbeat"
         *     }
         * @example {
         *       "type": "heartbeat",
         *       "desired_hash": "5b0c6f0d6c1b4f3f",
         *       "streams": 1
         *     }
         * @example {
         *       "type": "heartbeat",
         *       "health": {
         *         "ts": "2026-11-21T09:00:00.000Z",
         *         "uptime_s": 86400,
         *         "cpu": {
         *           "cores": 4,
         *           "percent": 12.5,
         *           "load": [
         *             0.42,
         *             0.4,
         *             0.38
         *           ]
         *         },
         *         "memory": {
         *           "total_bytes": 8326000640,
         *           "available_bytes": 5120000000,
         *           "swap_used_bytes": 0
         *         }
         *       }
         *     }
         */
        Heartbeat: {
            /**
             * @description Always `heartbeat`.
             * @constant
             */
            type: "heartbeat";
            health?: components["schemas"]["HealthSnapshot"];
            /**
             * @description The `hash` of the last `desired` that the agent received. If it is not the newest, the service sends `desired` again.
             * @example 5b0c6f0d6c1b4f3f
             */
            desired_hash?: string;
            /**
             * @description Number of live streams that are open on the agent. While it is 0, the service may ask the agent to reconnect to another replica (`drain`). An agent that opens streams but does not send this field receives `drain` only when the service stops.
             * @example 0
             */
            streams?: number;
        };
        /**
         * @description Log records of one spool, from `from_seq` to `to_seq`. Numbers may be missing; a `gap` record reports records that the robot dropped. Numbers rise from frame to frame. Within a frame, records may have any order; the service stores them by number. It does not store a record whose number is not above the highest stored number of the spool: `logs_skipped` names such records before the acknowledgement. In a frame, each number must be unique, and `from_seq` and `to_seq` must be the lowest and the highest number. Otherwise the service stores nothing of the frame and ends the link with 1008. When a link starts, the agent resends everything that is not acknowledged; the service stores each record once.
         * @example {
         *       "type": "logs",
         *       "spool": "1f0c7b1e2f574f3c9a535f4e9f6f1c11",
         *       "from_seq": 1,
         *       "to_seq": 2,
         *       "records": [
         *         {
         *           "seq": 1,
         *           "ts": "2026-11-21T09:00:00.000000Z",
         *           "level": "info",
         *           "source": "journal",
         *           "message": "nav started",
         *           "unit": "nav.service",
         *           "pid": 812
         *         },
         *         {
         *           "seq": 2,
         *           "type": "gap",
         *           "ts": "2026-11-21T09:00:01.000000Z",
         *           "level": "warn",
         *           "source": "journal",
         *           "message": "132 records dropped",
         *           "dropped": 132,
         *           "reason": "rate_limit"
         *         }
         *       ]
         *     }
         */
        Logs: {
            /**
             * @description Always `logs`.
             * @constant
             */
            type: "logs";
            /**
             * @description ID of the spool, generated with it. Each spool has its own numbers, which continue across restarts. A link may use at most 16 spools; one more ends it with 1008.
             * @example 1f0c7b1e2f574f3c9a535f4e9f6f1c11
             */
            spool: string;
            /**
             * @description Lowest `seq` of the records.
             * @example 1
             */
            from_seq: number;
            /**
             * @description Highest `seq` of the records.
             * @example 2
             */
            to_seq: number;
            /** @description 1 to 500 records. */
            records: components["schemas"]["SpooledRecord"][];
        };
        /**
         * @description One log record as the robot wrote it. Only `seq` must be valid. The service stores a record with other invalid fields as well as it can, and never refuses it. A record that the robot cannot deliver would block all later records.
         * @example {
         *       "seq": 1,
         *       "ts": "2026-11-21T09:00:00.000000Z",
         *       "level": "info",
         *       "source": "journal",
         *       "message": "nav started"
         *     }
         */
        SpooledRecord: {
            /**
             * @description Number of the record in the spool.
             * @example 1
             */
            seq: number;
            /**
             * @description `gap` if the record stands for dropped records; absent for a log record.
             * @example gap
             */
            type?: unknown;
            /**
             * @description Text. Time at which the robot wrote the record, by its own clock, RFC 3339. The service orders records by the time it received them.
             * @example 2026-11-21T09:00:00.000000Z
             */
            ts?: unknown;
            /**
             * @description Text: `debug`, `info`, `warn`, `error` or `fatal`.
             * @example info
             */
            level?: unknown;
            /**
             * @description Text. Log source, for example `journal`, `file:/var/log/nav.log`, `exec:nav` or `agent`.
             * @example journal
             */
            source?: unknown;
            /**
             * @description Text. The log message, at most 16 KiB of UTF-8.
             * @example nav started
             */
            message?: unknown;
            /**
             * @description Boolean. Whether the message was cut.
             * @example true
             */
            truncated?: unknown;
            /**
             * @description Text. The systemd unit.
             * @example nav.service
             */
            unit?: unknown;
            /**
             * @description Integer. The process ID.
             * @example 812
             */
            pid?: unknown;
            /**
             * @description Text. The ROS node.
             * @example /nav
             */
            node?: unknown;
            /**
             * @description Object. Further fields, name to value.
             * @example {
             *       "battery": 81
             *     }
             */
            fields?: unknown;
            /**
             * @description Integer. Number of records that a gap stands for.
             * @example 132
             */
            dropped?: unknown;
            /**
             * @description Why the records were dropped, `rate_limit`, `quota` or `damaged`.
             * @example rate_limit
             */
            reason?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description All records of the spool up to `seq` are durably stored, were named by `logs_skipped`, or exceed the quota `log_bytes_per_day` of the org and are not stored. The agent may delete them. A `seq` above every number that the agent has used in this spool means that the spool was lost, or restarted under its old ID. The agent then starts a spool with a new ID, and sends the records there that it has not sent on an earlier link.
         * @example {
         *       "type": "logs_ack",
         *       "spool": "1f0c7b1e2f574f3c9a535f4e9f6f1c11",
         *       "seq": 2
         *     }
         */
        LogsAck: {
            /**
             * @description Always `logs_ack`.
             * @constant
             */
            type: "logs_ack";
            /**
             * @description ID of the spool.
             * @example 1f0c7b1e2f574f3c9a535f4e9f6f1c11
             */
            spool: string;
            /**
             * @description Highest number that the agent need not send again.
             * @example 2
             */
            seq: number;
        };
        /**
         * @description The service did not store these records of a `logs` frame. This frame precedes the `logs_ack` of that frame. The service keeps the highest stored number of each spool and stores each number once. It cannot distinguish a resent record from a different record with an old number. The agent can: records that it sent on an earlier link, in rising order, are stored. Records that it sent for the first time are not: the spool was lost, or restarted under its old ID. The agent then starts a spool with a new ID, and sends those records there.
         * @example {
         *       "type": "logs_skipped",
         *       "spool": "1f0c7b1e2f574f3c9a535f4e9f6f1c11",
         *       "from_seq": 3,
         *       "to_seq": 4,
         *       "reason": "number_passed"
         *     }
         */
        LogsSkipped: {
            /**
             * @description Always `logs_skipped`.
             * @constant
             */
            type: "logs_skipped";
            /**
             * @description ID of the spool.
             * @example 1f0c7b1e2f574f3c9a535f4e9f6f1c11
             */
            spool: string;
            /**
             * @description Lowest skipped number.
             * @example 3
             */
            from_seq: number;
            /**
             * @description Highest skipped number. All records of the frame between the two are skipped.
             * @example 4
             */
            to_seq: number;
            /**
             * @description `number_passed`: a record of the spool with this number or a higher one is already stored. Open enum: expect new values.
             * @example number_passed
             */
            reason: string;
        };
        /**
         * @description Complete list of the orders that the robot must carry out or stop now. The service sends it after `welcome` to an agent that accepts orders, whenever the list changes, and again if no report arrives. The agent starts new orders, at most one per lane at a time. It drops orders that are not in the list and not started. It carries out each order once, however often the order is sent.
         * @example {
         *       "type": "desired",
         *       "hash": "5b0c6f0d6c1b4f3f",
         *       "items": [
         *         {
         *           "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *           "lane": "config",
         *           "sequence": 4711,
         *           "deployments": [
         *             "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1"
         *           ],
         *           "digest": "8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1",
         *           "payload": "{\"config\":[{\"namespace\":\"default\",\"key\":\"nav.max_speed\",\"revision\":3,\"value\":1.2}]}"
         *         }
         *       ]
         *     }
         * @example {
         *       "type": "desired",
         *       "hash": "4f53cda18c2baa0c",
         *       "items": []
         *     }
         */
        Desired: {
            /**
             * @description Always `desired`.
             * @constant
             */
            type: "desired";
            /**
             * @description Hash of the whole list. The agent returns it in `heartbeat`.
             * @example 5b0c6f0d6c1b4f3f
             */
            hash: string;
            /** @description The orders, at most one per lane. */
            items: components["schemas"]["Order"][];
        };
        /**
         * @description One order for this robot.
         * @example {
         *       "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *       "lane": "config",
         *       "sequence": 4711,
         *       "deployments": [
         *         "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1"
         *       ],
         *       "digest": "8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1"
         *     }
         */
        Order: {
            /**
             * @description ID of the order for this robot. An order that the service creates again gets a new ID.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1
             */
            order_id: string;
            /**
             * @description `config`, or `release:` followed by the kind of the release.
             * @example config
             */
            lane: string;
            /**
             * @description Rises with each order that the service creates, across all robots and lanes, so one robot sees gaps. Start the orders of a lane by rising `sequence`. It is not the `sequence` of a signature.
             * @example 4711
             */
            sequence: number;
            /**
             * @description The deployments that the order carries out; a config order may carry out several.
             * @example [
             *       "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1"
             *     ]
             */
            deployments: string[];
            /**
             * @description SHA-256 of the text of the payload as UTF-8, exactly as received, in lowercase hex. It also covers a downloaded payload.
             * @example 8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1
             */
            digest: string;
            /**
             * @description JSON text; hash it as received. In the lane `config` it is `{"config": [{namespace, key, revision, value, signature?, key_id?}]}`, a delta: set each key and keep all others. Each entry has the signature of its own deployment. In other lanes it is `{"release": {id, tag, kind, artifact_sha256, artifact_size, signature?, key_id?}}`. Absent if it is larger than 16 KiB or would make the frame too large: then download it by its digest, `GET /agent/payloads/{digest}`.
             * @example {"config":[{"namespace":"default","key":"nav.max_speed","revision":3,"value":1.2}]}
             */
            payload?: string;
            /**
             * @description Whether the agent must stop the order. It reports `cancelled` if nothing of the order took effect, otherwise the outcome.
             * @example true
             */
            cancel?: boolean;
            /**
             * @description Signature of the deployment of a release; signatures of config are inside the payload. [Signed orders](/docs/guides/reference/signed-orders) describes what it covers.
             * @example hT8xUv3b2yq0
             */
            signature?: string;
            /**
             * @description ID of the key that made the signature.
             * @example release-2026
             */
            key_id?: string;
            /**
             * @description Whether the agent must not ask the gates of the robot for this order. Default, it asks them.
             * @example true
             */
            ignore_gates?: boolean;
            window?: components["schemas"]["OrderWindow"];
            /**
             * @description Base address of an HTTP cache of the site, for a release; absent if the site has none. The artifact is at `<artifact_base_url>/<artifact_sha256>`. Try it before the service. Send it no token, do not follow its redirects, and verify the SHA-256. If the cache fails, use the service. An agent may ignore this field.
             * @example http://cache.osaka.example.com/artifacts
             */
            artifact_base_url?: string;
            /**
             * @description Trace context of the deployment, in the format of the `traceparent` header of W3C Trace Context; absent if it is not traced. An agent may measure its steps then, and send them with its last report as `steps`. An agent that exports spans itself can use it as their parent. An agent may ignore this field.
             * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
             */
            traceparent?: string;
        };
        /**
         * @description When the agent may begin to disturb the robot with this order; absent if it may at any time. An agent with the capability `windows` waits outside of it, with the holder `window`. It evaluates the window by its own clock.
         * @example {
         *       "openings": [
         *         {
         *           "cron": "0 22 * * 1-5",
         *           "duration_s": 21600
         *         }
         *       ],
         *       "zone": "Europe/Berlin",
         *       "blackouts": [
         *         {
         *           "from": "2026-12-24",
         *           "to": "2026-12-26"
         *         }
         *       ],
         *       "at_end": "finish"
         *     }
         */
        OrderWindow: {
            /**
             * @description The order may begin while at least one of these is open.
             * @example [
             *       {
             *         "cron": "0 22 * * 1-5",
             *         "duration_s": 21600
             *       }
             *     ]
             */
            openings: components["schemas"]["WindowOpening"][];
            /**
             * @description Time zone of `openings` and `blackouts`, an IANA name, or `robot` for the zone of the robot.
             * @example Europe/Berlin
             */
            zone: string;
            /**
             * @description Dates on which the window stays closed.
             * @example [
             *       {
             *         "from": "2026-12-24",
             *         "to": "2026-12-26"
             *       }
             *     ]
             */
            blackouts?: components["schemas"]["WindowBlackout"][];
            /**
             * @description What happens to an order that has not taken effect when the window ends: `finish` it, or `cancel` it and report `cancelled` with the reason `window_ended`. Open enum: expect new values, and treat them as `finish`.
             * @example finish
             */
            at_end: string;
        };
        /**
         * @description When a window opens, and for how long.
         * @example {
         *       "cron": "0 22 * * 1-5",
         *       "duration_s": 21600
         *     }
         */
        WindowOpening: {
            /**
             * @description When it opens: minute, hour, day of the month, month and day of the week, as in crontab. A time that the clock skips becomes the first instant after the gap. A time that occurs twice opens at the first one.
             * @example 0 22 * * 1-5
             */
            cron: string;
            /**
             * @description How long it is open, in elapsed seconds.
             * @example 21600
             */
            duration_s: number;
        };
        /**
         * @description Whole days, in the zone of the window, on which it stays closed.
         * @example {
         *       "from": "2026-12-24",
         *       "to": "2026-12-26"
         *     }
         */
        WindowBlackout: {
            /**
             * @description First day.
             * @example 2026-12-24
             */
            from: string;
            /**
             * @description Last day, included.
             * @example 2026-12-26
             */
            to: string;
        };
        /**
         * @description State of an order.
         * @example {
         *       "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *       "status": "verifying"
         *     }
         */
        OrderState: {
            /**
             * @description ID of the order.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1
             */
            order_id: string;
            /**
             * @description One of downloading, installing, verifying, rolling_back, applied, failed, rolled_back, cancelled. Any other status changes nothing and is acknowledged with the `result.reason` `unknown_status`.
             * @example applied
             */
            status: string;
            /**
             * @description With `applied`, the proof, in hex. For a release: SHA-256 of the artifact file that runs; for an archive, of the packed file. For config: SHA-256 of the payload, computed with the values that the robot has stored. An `applied` without the correct proof counts as failed.
             * @example 8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1
             */
            digest?: string;
            /**
             * @description Why the order failed or was rolled back, for example no_artifact, no_handler, digest_mismatch, unsigned, bad_signature, install_failed or verify_failed. The service stores `expired`, `forced`, `robot_removed`, `superseded`, `too_many_orders` and `wave_skipped` with the prefix `agent_`, as it sets these reasons itself.
             * @example verify_failed
             */
            reason?: string;
            /**
             * @description Explanation for people. Text longer than 4 KiB is cut.
             * @example healthcheck exited with 1
             */
            message?: string;
            /**
             * @description A number that the agent chooses, returned in `report_ack`. It distinguishes reports of the same status.
             * @example 17
             */
            report_seq?: number;
            /**
             * @description Progress within the status; absent if unknown. A report that repeats the current status with progress creates no event. The progress is shown until the status changes, and restarts the `active_minutes` of the order, until 24 hours after the status began. One report every 5 s is enough.
             * @example {
             *       "percent": 40,
             *       "text": "412 of 1024 MiB"
             *     }
             */
            progress?: {
                /**
                 * @description 0 to 100.
                 * @example 40
                 */
                percent: number;
                /**
                 * @description What the agent is doing.
                 * @example 412 of 1024 MiB
                 */
                text?: string;
                waiting_on?: components["schemas"]["OrderWait"];
            } & {
                [key: string]: unknown;
            };
            /**
             * @description How long the steps of the order took, in order of their start. An agent may send it with the status that ends an order that has a `traceparent`. The service adds the steps to the trace of the deployment, and does not store them.
             * @example [
             *       {
             *         "step": "download",
             *         "started_at": "2026-11-22T02:00:00.120Z",
             *         "duration_ms": 1840
             *       }
             *     ]
             */
            steps?: components["schemas"]["OrderStep"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A step of an order that the agent has carried out.
         * @example {
         *       "step": "download",
         *       "started_at": "2026-11-22T02:00:00.120Z",
         *       "duration_ms": 1840
         *     }
         */
        OrderStep: {
            /**
             * @description What the agent did: `download`, `install`, `activate`, `restart`, `verify`, `commit`, `rollback`, `rollback_restart`, or `wait` for what must hold before it may disturb the robot. Open enum: expect new values.
             * @example download
             */
            step: string;
            /**
             * Format: date-time
             * @description When it began, by the clock of the robot.
             * @example 2026-11-22T02:00:00.120Z
             */
            started_at: string;
            /**
             * @description How long it took, in ms.
             * @example 1840
             */
            duration_ms: number;
            /**
             * @description Whether it failed; default false.
             * @example true
             */
            failed?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description What keeps the agent from disturbing the robot; absent if nothing does. While it is reported, at least every 60 s, the order does not time out: the service waits 24 hours for the next report.
         * @example {
         *       "holder": "battery",
         *       "reason": "18 %, needs 30 %"
         *     }
         */
        OrderWait: {
            /**
             * @description What holds the order: `battery`, `docked`, `mission`, `estop`, `disk`, `command` for a program of the robot, `window`, or `agent` if a gate cannot be asked. Open enum: expect new values.
             * @example battery
             */
            holder: string;
            /**
             * @description Why, for people.
             * @example 18 %, needs 30 %
             */
            reason: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description State of an order, sent at each step, and again with `hello` until it is acknowledged. The service records each transition that it receives as an event. Without a link, the agent may merge the steps of an order: only the latest state must arrive. Agents keep reports on disk, so an invalid optional field does not end the link. The service cuts a `status`, `reason`, `progress.text` or text of `progress.waiting_on` that is too long, and rounds `progress.percent` to a whole number from 0 to 100. It ignores any other field that violates the schema. A report without a usable `order_id` or `status` ends the link with 1008.
         * @example {
         *       "type": "report",
         *       "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *       "status": "applied",
         *       "digest": "8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1"
         *     }
         */
        Report: {
            /**
             * @description Always `report`.
             * @constant
             */
            type: "report";
        } & components["schemas"]["OrderState"];
        /**
         * @description What runs of each kind of release, as read back from the machine. The agent sends it after `welcome`, when it changes, and at least every 10 minutes. It includes only lanes without an order in progress whose last order is acknowledged. The service compares it with the last proof and records what runs instead. It does not acknowledge this frame.
         * @example {
         *       "type": "running",
         *       "lanes": {
         *         "release:file": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *         "release:container_image": null
         *       }
         *     }
         */
        Running: {
            /**
             * @description Always `running`.
             * @constant
             */
            type: "running";
            /**
             * @description By lane, `release:` followed by the kind: SHA-256 of the artifact that runs, in hex; null if nothing runs.
             * @example {
             *       "release:file": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
             *     }
             */
            lanes: {
                [key: string]: string | null;
            };
        };
        /**
         * @description The report of an order is durably stored.
         * @example {
         *       "type": "report_ack",
         *       "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *       "status": "applied",
         *       "ended": true,
         *       "result": {
         *         "status": "applied"
         *       }
         *     }
         * @example {
         *       "type": "report_ack",
         *       "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *       "status": "applied",
         *       "ended": true,
         *       "result": {
         *         "status": "failed",
         *         "reason": "digest_mismatch"
         *       },
         *       "report_seq": 17
         *     }
         */
        ReportAck: {
            /**
             * @description Always `report_ack`.
             * @constant
             */
            type: "report_ack";
            /**
             * @description ID of the order.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1
             */
            order_id: string;
            /**
             * @description The reported status.
             * @example applied
             */
            status: string;
            /**
             * @description Whether the order has ended for the service, or is unknown to it. The agent may delete the order once it has ended on the robot too.
             * @example true
             */
            ended: boolean;
            result?: components["schemas"]["ReportResult"];
            /**
             * @description The `report_seq` of the report; absent if the report has none.
             * @example 17
             */
            report_seq?: number;
        };
        /**
         * @description State of the order in the service after a report. Absent if the service does not know the order, or gave it up. If the order carries out several deployments with different results, it is the result of one whose status differs from the reported one.
         * @example {
         *       "status": "failed",
         *       "reason": "digest_mismatch"
         *     }
         */
        ReportResult: {
            /**
             * @description Status of the order in the service after the report. It differs from the reported one if the report was refused, or arrived after the order had ended. Open enum: expect new values.
             * @example failed
             */
            status: string;
            /**
             * @description Why: `digest_mismatch` for an `applied` without the correct digest, `unknown_status` for a status that does not exist, otherwise the reason stored with the status; absent if there is none. Open enum: expect new values.
             * @example digest_mismatch
             */
            reason?: string;
        };
        /**
         * @description Request for a live stream. The agent opens another WebSocket to `path` at the address of its link, with `Authorization: Bearer <secret>`, never with its token. Or it responds with `refused`; for an unknown kind the reason is `unsupported`.
         * @example {
         *       "type": "open",
         *       "session_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1",
         *       "kind": "shell",
         *       "path": "/agent/streams/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf0/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1",
         *       "secret": "5f2b7c1e9a534f4e9f6f1c117b1e3f0c5f2b7c1e9a534f4e9f6f1c117b1e3f0c",
         *       "expires_at": "2026-11-22T09:00:10.000Z",
         *       "parameters": {
         *         "cols": 120,
         *         "rows": 40
         *       }
         *     }
         * @example {
         *       "type": "open",
         *       "session_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf3",
         *       "kind": "camera",
         *       "path": "/agent/streams/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf0/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf3",
         *       "secret": "5f2b7c1e9a534f4e9f6f1c117b1e3f0c5f2b7c1e9a534f4e9f6f1c117b1e3f0c",
         *       "expires_at": "2026-11-22T09:00:10.000Z",
         *       "parameters": {
         *         "camera": "front",
         *         "per_second": 5
         *       }
         *     }
         * @example {
         *       "type": "open",
         *       "session_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf4",
         *       "kind": "topic",
         *       "path": "/agent/streams/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf0/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf4",
         *       "secret": "5f2b7c1e9a534f4e9f6f1c117b1e3f0c5f2b7c1e9a534f4e9f6f1c117b1e3f0c",
         *       "expires_at": "2026-11-22T09:00:10.000Z",
         *       "parameters": {
         *         "topic": "/imu",
         *         "per_second": null
         *       }
         *     }
         */
        Open: {
            /**
             * @description Always `open`.
             * @constant
             */
            type: "open";
            /**
             * @description ID of the session.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            session_id: string;
            /**
             * @description Kind of stream: `shell`; `camera` or `topic`, one session shared by all viewers; `topics`, the list of topics.
             * @example shell
             */
            kind: string;
            /**
             * @description Path that the agent dials back to.
             * @example /agent/streams/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf0/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            path: string;
            /**
             * @description Secret for the dial-back, valid once for this session.
             * @example 5f2b7c1e9a534f4e9f6f1c117b1e3f0c5f2b7c1e9a534f4e9f6f1c117b1e3f0c
             */
            secret: string;
            /**
             * @description Time until which the agent may dial back, by the clock of the service.
             * @example 2026-11-22T09:00:10.000Z
             */
            expires_at: string;
            /**
             * @description Subprotocol of the viewer; absent for raw bytes.
             * @example fleet.shell.v1
             */
            protocol?: string;
            /**
             * @description Who opened a shell; the same for the same person or token. Absent for streams that viewers share.
             * @example user:0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf2
             */
            opened_by?: string;
            /**
             * @description For a shell, whether the service records its output; absent for other streams.
             * @example false
             */
            recorded?: boolean;
            /**
             * @description Parameters of the stream. Shell: `cols` and `rows`. Camera: `camera`, its name, and `per_second`, the highest rate in pictures per second that a viewer requests, or null for all pictures. Topic: `topic`, its name, `source`, the address of the ROS graph, if the viewer names one, and `per_second`. List of topics: none.
             * @example {
             *       "cols": 120,
             *       "rows": 40
             *     }
             */
            parameters?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The session is no longer needed. Sent if the agent has not dialed back yet.
         * @example {
         *       "type": "close",
         *       "session_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1"
         *     }
         */
        Close: {
            /**
             * @description Always `close`.
             * @constant
             */
            type: "close";
            /**
             * @description ID of the session.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            session_id: string;
        };
        /**
         * @description The agent refuses to open this session.
         * @example {
         *       "type": "refused",
         *       "session_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1",
         *       "reason": "forbidden",
         *       "message": "shells are off on this robot"
         *     }
         * @example {
         *       "type": "refused",
         *       "session_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf3",
         *       "reason": "not_found",
         *       "message": "no camera is named back"
         *     }
         */
        Refused: {
            /**
             * @description Always `refused`.
             * @constant
             */
            type: "refused";
            /**
             * @description ID of the session.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            session_id: string;
            /**
             * @description `forbidden`, `unsupported`, `busy`, `not_found` (no such camera) or `failed`. Any other value counts as `failed`.
             * @example forbidden
             */
            reason: string;
            /**
             * @description Explanation for people.
             * @example shells are off on this robot
             */
            message?: string;
        };
        /**
         * @description The service is about to close this link: it is stopping, or another replica has fewer links. In the second case, only agents without an open order or live stream receive this frame. The agent closes the link itself after a random part of `within_ms`, and reconnects within 0.5 s. A drain is not a failure: reset the backoff.
         * @example {
         *       "type": "drain",
         *       "within_ms": 5000
         *     }
         */
        Drain: {
            /**
             * @description Always `drain`.
             * @constant
             */
            type: "drain";
            /**
             * @description Time in milliseconds after which the service closes the link at the latest.
             * @example 5000
             */
            within_ms: number;
        };
        /**
         * @description The agent must request a new value of its token with `POST /agent/token`, and use it from then on. The link stays open. An agent that cannot store a new value ignores this frame. The service sends it once per link for each requested rotation, until the new value is used.
         * @example {
         *       "type": "rotate"
         *     }
         */
        Rotate: {
            /**
             * @description Always `rotate`.
             * @constant
             */
            type: "rotate";
        };
        /**
         * @description Measurements of the agent. A value that it cannot measure is absent, never null or 0. Agents may add fields. The service omits parts that are invalid, nested too deep or too large, and names them in `omitted`; it stores the others, and the link stays open.
         * @example {
         *       "ts": "2026-11-21T09:00:00.000Z",
         *       "uptime_s": 86400,
         *       "cpu": {
         *         "cores": 4,
         *         "percent": 12.5,
         *         "load": [
         *           0.42,
         *           0.4,
         *           0.38
         *         ]
         *       },
         *       "memory": {
         *         "total_bytes": 8326000640,
         *         "available_bytes": 5120000000,
         *         "swap_used_bytes": 0
         *       },
         *       "battery": {
         *         "percent": 81,
         *         "status": "Discharging",
         *         "charging": false,
         *         "voltage": 24.6
         *       },
         *       "estop": false,
         *       "mission": {
         *         "state": "active",
         *         "id": "m-1042",
         *         "name": "Dock 3 to line 7",
         *         "progress_percent": 40
         *       },
         *       "diagnostics": {
         *         "level": "warn",
         *         "ok": 41,
         *         "warn": 1,
         *         "error": 0,
         *         "stale": 0,
         *         "items": [
         *           {
         *             "name": "lidar_front",
         *             "level": "warn",
         *             "message": "Dirty lens"
         *           }
         *         ]
         *       }
         *     }
         */
        HealthSnapshot: {
            /**
             * @description Time of the measurement, by the robot's clock.
             * @example 2026-11-21T09:00:00.000Z
             */
            ts?: string;
            /**
             * @description Seconds since the machine booted.
             * @example 86400
             */
            uptime_s?: number;
            /**
             * @description ID of the current boot; changes with each boot.
             * @example 5f2b7c1e-9a53-4f4e-9f6f-1c117b1e3f0c
             */
            boot_id?: string;
            agent?: components["schemas"]["HealthAgent"];
            os?: components["schemas"]["HealthOs"];
            cpu?: components["schemas"]["HealthCpu"];
            memory?: components["schemas"]["HealthMemory"];
            /**
             * @description File systems.
             * @example [
             *       {
             *         "path": "/",
             *         "total_bytes": 62725623808,
             *         "free_bytes": 41817082538
             *       }
             *     ]
             */
            disk?: components["schemas"]["HealthDisk"][];
            /**
             * @description Thermal zones.
             * @example [
             *       {
             *         "zone": "cpu-thermal",
             *         "celsius": 51.5
             *       }
             *     ]
             */
            temperature?: components["schemas"]["HealthTemperature"][];
            battery?: components["schemas"]["HealthBattery"];
            /**
             * @description Network interfaces.
             * @example [
             *       {
             *         "iface": "wlan0",
             *         "rx_bytes": 123456789,
             *         "tx_bytes": 23456789,
             *         "up": true,
             *         "addr": "192.0.2.17"
             *       }
             *     ]
             */
            net?: components["schemas"]["HealthInterface"][];
            link?: components["schemas"]["HealthLink"];
            spool?: components["schemas"]["HealthSpool"];
            /**
             * @description Offset of the robot's clock from the clock of the service in milliseconds, measured when the link started.
             * @example -12
             */
            clock_offset_ms?: number;
            /**
             * @description Values from the robot's own programs, by program name.
             * @example {
             *       "lidar": {
             *         "ok": true
             *       }
             *     }
             */
            extra?: {
                [key: string]: unknown;
            };
            /**
             * @description Whether an emergency stop is active.
             * @example false
             */
            estop?: boolean;
            /**
             * @description Whether the robot is in its dock or at its charger.
             * @example true
             */
            docked?: boolean;
            mission?: components["schemas"]["HealthMission"];
            diagnostics?: components["schemas"]["HealthDiagnostics"];
            /**
             * @description Parts of this snapshot that the agent or the service omitted, and why; absent if there are none. The first 16 are named.
             * @example [
             *       {
             *         "part": "extra",
             *         "reason": "too_large",
             *         "message": "the part has 91240 bytes; a snapshot may have 16384"
             *       }
             *     ]
             */
            omitted?: components["schemas"]["HealthOmission"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Process of the agent.
         * @example {
         *       "version": "fleet-agent/0.1.0",
         *       "pid": 612,
         *       "rss_bytes": 48234496,
         *       "uptime_s": 3600
         *     }
         */
        HealthAgent: {
            /**
             * @description Name and version of the agent program.
             * @example fleet-agent/0.1.0
             */
            version?: string;
            /**
             * Format: int64
             * @description Number of the process (PID).
             * @example 612
             */
            pid?: number;
            /**
             * Format: int64
             * @description Resident memory in bytes.
             * @example 48234496
             */
            rss_bytes?: number;
            /**
             * @description Seconds since the agent started.
             * @example 3600
             */
            uptime_s?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Operating system.
         * @example {
         *       "platform": "linux",
         *       "arch": "arm64",
         *       "kernel": "6.1.0-27-arm64",
         *       "distro": "Debian GNU/Linux 12 (bookworm)"
         *     }
         */
        HealthOs: {
            /**
             * @description Platform, for example `linux`.
             * @example linux
             */
            platform?: string;
            /**
             * @description Architecture, for example `arm64`.
             * @example arm64
             */
            arch?: string;
            /**
             * @description Kernel release.
             * @example 6.1.0-27-arm64
             */
            kernel?: string;
            /**
             * @description Name of the distribution.
             * @example Debian GNU/Linux 12 (bookworm)
             */
            distro?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Processors.
         * @example {
         *       "cores": 4,
         *       "percent": 12.5,
         *       "load": [
         *         0.42,
         *         0.4,
         *         0.38
         *       ]
         *     }
         */
        HealthCpu: {
            /**
             * Format: int64
             * @description Number of cores.
             * @example 4
             */
            cores?: number;
            /**
             * @description Utilization since the previous sample, 0 to 100 over all cores.
             * @example 12.5
             */
            percent?: number;
            /**
             * @description Load average over 1, 5 and 15 minutes.
             * @example [
             *       0.42,
             *       0.4,
             *       0.38
             *     ]
             */
            load?: number[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Memory.
         * @example {
         *       "total_bytes": 8326000640,
         *       "available_bytes": 5120000000,
         *       "swap_used_bytes": 0
         *     }
         */
        HealthMemory: {
            /**
             * Format: int64
             * @description Total memory in bytes.
             * @example 8326000640
             */
            total_bytes?: number;
            /**
             * Format: int64
             * @description Memory available to programs in bytes.
             * @example 5120000000
             */
            available_bytes?: number;
            /**
             * Format: int64
             * @description Swap space in use in bytes.
             * @example 0
             */
            swap_used_bytes?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description One file system. */
        HealthDisk: {
            /**
             * @description Mount point.
             * @example /
             */
            path?: string;
            /**
             * Format: int64
             * @description Size in bytes.
             * @example 62725623808
             */
            total_bytes?: number;
            /**
             * Format: int64
             * @description Space available to unprivileged users in bytes.
             * @example 41817082538
             */
            free_bytes?: number;
            /**
             * @description Whether the file system is mounted read-only. Linux remounts a file system read-only after errors of the disk.
             * @example false
             */
            read_only?: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @description One thermal zone. */
        HealthTemperature: {
            /**
             * @description Name of the zone.
             * @example cpu-thermal
             */
            zone?: string;
            /**
             * @description Temperature in degrees Celsius.
             * @example 51.5
             */
            celsius?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Battery.
         * @example {
         *       "percent": 81,
         *       "status": "Discharging",
         *       "charging": false,
         *       "voltage": 24.6
         *     }
         */
        HealthBattery: {
            /**
             * @description Charge in percent, 0 to 100.
             * @example 81
             */
            percent?: number;
            /**
             * @description Status from the driver: `Charging`, `Discharging`, `Full` or another value.
             * @example Discharging
             */
            status?: string;
            /**
             * @description Whether the battery is being charged; false also when it is full or not connected to a charger.
             * @example false
             */
            charging?: boolean;
            /**
             * @description Voltage in volts.
             * @example 24.6
             */
            voltage?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description What the robot is working on.
         * @example {
         *       "state": "active",
         *       "id": "m-1042",
         *       "name": "Dock 3 to line 7",
         *       "progress_percent": 40
         *     }
         */
        HealthMission: {
            /**
             * @description `idle`, `active`, `paused`, `charging` or `failed`. Open enum: expect new values.
             * @example active
             */
            state: string;
            /**
             * @description ID of the mission in the system that ordered it.
             * @example m-1042
             */
            id?: string;
            /**
             * @description Name of the mission for people.
             * @example Dock 3 to line 7
             */
            name?: string;
            /**
             * @description Finished part of the mission in percent, 0 to 100.
             * @example 40
             */
            progress_percent?: number;
            /**
             * @description Reason of the state, or the current step.
             * @example waits for lift 2
             */
            message?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Diagnostics of the robot's parts, with the levels of ROS. From the worst to the best: `error`, `warn`, `stale` (silent for more than 60 s) and `ok`.
         * @example {
         *       "level": "warn",
         *       "ok": 41,
         *       "warn": 1,
         *       "error": 0,
         *       "stale": 0,
         *       "items": [
         *         {
         *           "name": "lidar_front",
         *           "level": "warn",
         *           "message": "Dirty lens"
         *         }
         *       ]
         *     }
         */
        HealthDiagnostics: {
            /**
             * @description Worst level of all parts: `ok`, `warn`, `error` or `stale`. Open enum: expect new values.
             * @example warn
             */
            level: string;
            /**
             * Format: int64
             * @description Number of parts with the level `ok`.
             * @example 41
             */
            ok?: number;
            /**
             * Format: int64
             * @description Number of parts with the level `warn`.
             * @example 1
             */
            warn?: number;
            /**
             * Format: int64
             * @description Number of parts with the level `error`.
             * @example 0
             */
            error?: number;
            /**
             * Format: int64
             * @description Number of parts with the level `stale`.
             * @example 0
             */
            stale?: number;
            /**
             * @description Parts whose level is not `ok`, worst first; the others are only counted.
             * @example [
             *       {
             *         "name": "lidar_front",
             *         "level": "warn",
             *         "message": "Dirty lens"
             *       }
             *     ]
             */
            items?: components["schemas"]["HealthDiagnostic"][];
        } & {
            [key: string]: unknown;
        };
        /** @description Diagnostics of one part of the robot. */
        HealthDiagnostic: {
            /**
             * @description Name of the part.
             * @example lidar_front
             */
            name: string;
            /**
             * @description Level: `ok`, `warn`, `error` or `stale`. Open enum: expect new values.
             * @example warn
             */
            level: string;
            /**
             * @description What is wrong.
             * @example Dirty lens
             */
            message?: string;
            /**
             * @description ID of the hardware.
             * @example SN-4711
             */
            hardware_id?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description One omitted part of a snapshot. */
        HealthOmission: {
            /**
             * @description Name of the part.
             * @example extra
             */
            part: string;
            /**
             * @description `invalid` (it violates the schema), `too_deep` or `too_large`. Open enum: expect new values.
             * @example too_large
             */
            reason: string;
            /**
             * @description What is wrong with the part; never contains its value.
             * @example the part has 91240 bytes; a snapshot may have 16384
             */
            message?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description One network interface. */
        HealthInterface: {
            /**
             * @description Name of the interface.
             * @example wlan0
             */
            iface?: string;
            /**
             * Format: int64
             * @description Bytes received since boot.
             * @example 123456789
             */
            rx_bytes?: number;
            /**
             * Format: int64
             * @description Bytes sent since boot.
             * @example 23456789
             */
            tx_bytes?: number;
            /**
             * @description Whether the interface has a link.
             * @example true
             */
            up?: boolean;
            /**
             * @description First address of the interface.
             * @example 192.0.2.17
             */
            addr?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Link of the agent to the service.
         * @example {
         *       "rtt_ms": 23.1,
         *       "reconnects": 2
         *     }
         */
        HealthLink: {
            /**
             * @description Last round-trip time of a ping in milliseconds.
             * @example 23.1
             */
            rtt_ms?: number;
            /**
             * Format: int64
             * @description Number of reconnects since the agent started.
             * @example 2
             */
            reconnects?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Log records that wait on the robot.
         * @example {
         *       "bytes": 40960,
         *       "records": 210,
         *       "dropped": 0
         *     }
         */
        HealthSpool: {
            /**
             * Format: int64
             * @description Size of the records on disk in bytes.
             * @example 40960
             */
            bytes?: number;
            /**
             * Format: int64
             * @description Number of records that wait.
             * @example 210
             */
            records?: number;
            /**
             * Format: int64
             * @description Number of records lost to a full or failing disk since the agent started. Records dropped by the rate limit are not counted.
             * @example 0
             */
            dropped?: number;
        } & {
            [key: string]: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

export type Hello = components['schemas']['Hello'];
export type Capabilities = components['schemas']['Capabilities'];
export type Welcome = components['schemas']['Welcome'];
export type Heartbeat = components['schemas']['Heartbeat'];
export type Logs = components['schemas']['Logs'];
export type SpooledRecord = components['schemas']['SpooledRecord'];
export type LogsAck = components['schemas']['LogsAck'];
export type LogsSkipped = components['schemas']['LogsSkipped'];
export type Desired = components['schemas']['Desired'];
export type Order = components['schemas']['Order'];
export type OrderWindow = components['schemas']['OrderWindow'];
export type WindowOpening = components['schemas']['WindowOpening'];
export type WindowBlackout = components['schemas']['WindowBlackout'];
export type OrderState = components['schemas']['OrderState'];
export type OrderStep = components['schemas']['OrderStep'];
export type OrderWait = components['schemas']['OrderWait'];
export type Report = components['schemas']['Report'];
export type Running = components['schemas']['Running'];
export type ReportAck = components['schemas']['ReportAck'];
export type ReportResult = components['schemas']['ReportResult'];
export type Open = components['schemas']['Open'];
export type Close = components['schemas']['Close'];
export type Refused = components['schemas']['Refused'];
export type Drain = components['schemas']['Drain'];
export type Rotate = components['schemas']['Rotate'];
export type HealthSnapshot = components['schemas']['HealthSnapshot'];
export type HealthAgent = components['schemas']['HealthAgent'];
export type HealthOs = components['schemas']['HealthOs'];
export type HealthCpu = components['schemas']['HealthCpu'];
export type HealthMemory = components['schemas']['HealthMemory'];
export type HealthDisk = components['schemas']['HealthDisk'];
export type HealthTemperature = components['schemas']['HealthTemperature'];
export type HealthBattery = components['schemas']['HealthBattery'];
export type HealthMission = components['schemas']['HealthMission'];
export type HealthDiagnostics = components['schemas']['HealthDiagnostics'];
export type HealthDiagnostic = components['schemas']['HealthDiagnostic'];
export type HealthOmission = components['schemas']['HealthOmission'];
export type HealthInterface = components['schemas']['HealthInterface'];
export type HealthLink = components['schemas']['HealthLink'];
export type HealthSpool = components['schemas']['HealthSpool'];
/** Frames that an agent sends. */
export type AgentFrame = Hello | Heartbeat | Logs | Report | Running | Refused;
/** A validator for each `type` of these frames. */
export declare const agentFrames: { [Type in AgentFrame['type']]: ValidateFunction };
/** Frames that the service sends. */
export type ServerFrame = Welcome | LogsAck | LogsSkipped | Desired | ReportAck | Open | Close | Drain | Rotate;
/** A validator for each `type` of these frames. */
export declare const serverFrames: { [Type in ServerFrame['type']]: ValidateFunction };
/** A validator for each property of `HealthSnapshot`. */
export declare const healthParts: Record<'ts' | 'uptime_s' | 'boot_id' | 'agent' | 'os' | 'cpu' | 'memory' | 'disk' | 'temperature' | 'battery' | 'net' | 'link' | 'spool' | 'clock_offset_ms' | 'extra' | 'estop' | 'docked' | 'mission' | 'diagnostics' | 'omitted', ValidateFunction>;
