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
             * @description The protocol that the agent speaks; another than 1 is answered with close code 4426.
             * @example 1
             */
            protocol: number;
            /**
             * @description Name and version of the agent program.
             * @example fleet-agent/0.1.0
             */
            agent_version: string;
            /**
             * @description Changes with each boot of the machine.
             * @example 5f2b7c1e-9a53-4f4e-9f6f-1c117b1e3f0c
             */
            boot_id: string;
            /**
             * @description Made anew each time the agent program starts. An agent that replaces its own dead link is known by it; two that replace each other's are flagged as a duplicate. Absent, the boot id is taken for it.
             * @example b7c5d4e3f9b0c6f0
             */
            instance?: string;
            capabilities?: components["schemas"]["Capabilities"];
            /**
             * @description What the agent has to say of orders that the service has not acknowledged, and of those that it works on; each counts as a report. Its content never ends the link: the service reads a faulty entry as it reads a faulty `report`, and ignores one without a usable `order_id` and `status`, entries beyond 100, and a `holding` that is not a list.
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
         * @description What this agent can do.
         * @example {
         *       "logs": true,
         *       "orders": true
         *     }
         */
        Capabilities: {
            /**
             * @description Whether it sends logs.
             * @example true
             */
            logs?: boolean;
            /**
             * @description Whether it takes orders. Without it the service keeps the orders of the robot until an agent comes that does.
             * @example true
             */
            orders?: boolean;
            /**
             * @description The kinds of releases that it can install. Absent, nobody knows; an order for another kind fails with `no_handler`.
             * @example [
             *       "archive",
             *       "file",
             *       "script"
             *     ]
             */
            kinds?: string[];
            /**
             * @description Whether it opens shells. Without it nobody is let in, and the agent is not asked.
             * @example true
             */
            shell?: boolean;
            /**
             * @description Names of its cameras, the first of them the default. Absent or empty, it has none, and is not asked.
             * @example [
             *       "front",
             *       "arm"
             *     ]
             */
            cameras?: string[];
            /**
             * @description Whether it reads the topics of a ROS graph. Without it the agent is not asked for any.
             * @example true
             */
            topics?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The answer to hello. The agent may send everything from now on.
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
             * @description The protocol that is spoken on this link.
             * @example 1
             */
            protocol: number;
            /**
             * Format: date-time
             * @description The clock of the service, to measure the robot's clock by.
             * @example 2026-11-21T09:00:00.000Z
             */
            server_time: string;
            /**
             * @description The interval that the service proposes, 1 to 3,600; what was set on the robot wins.
             * @example 10
             */
            heartbeat_seconds: number;
            /**
             * @description Id of the robot whose token opened the link.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Its name now.
             * @example amr-007
             */
            robot_name: string;
        };
        /**
         * @description The agent is alive. With a health snapshot in the first heartbeat of a link, when something changed, and at least every 60 s.
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
             * @description The `hash` of the last `desired` that the agent took; where it is not the newest, the service sends that again.
             * @example 5b0c6f0d6c1b4f3f
             */
            desired_hash?: string;
            /**
             * @description Number of live streams that are open at the agent. While this is 0, the service may ask the agent to reconnect to another replica (`drain`). An agent that opens streams and does not send this field is asked only when the service stops.
             * @example 0
             */
            streams?: number;
        };
        /**
         * @description Records of one spool, from `from_seq` to `to_seq`. A number may be missing: what was dropped on the robot is told by a `gap` record. Numbers rise from frame to frame; within a frame records may have any order and are stored by their numbers. A record whose number is not above the highest one stored of its spool is not stored: `logs_skipped` names it before the acknowledgement. A frame in which two records have one number, or whose `from_seq` and `to_seq` are not the lowest and the highest number in it, is stored not at all and ends the link with 1008. The agent sends everything again that is not acknowledged when a link begins; the service keeps each record once.
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
             * @description Id of the spool, made with it; numbers are its own and go on over restarts. A link sends of 16 spools at most, another one ends it with 1008.
             * @example 1f0c7b1e2f574f3c9a535f4e9f6f1c11
             */
            spool: string;
            /**
             * @description The lowest `seq` of the records.
             * @example 1
             */
            from_seq: number;
            /**
             * @description The highest `seq` of the records.
             * @example 2
             */
            to_seq: number;
            /** @description 1 to 500 records. */
            records: components["schemas"]["SpooledRecord"][];
        };
        /**
         * @description One log record as the robot wrote it. Only `seq` must be right: a record that is odd otherwise is stored as well as it can be, never refused, for a robot that cannot get rid of a record could not get rid of those behind it either.
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
             * @description Number in the spool.
             * @example 1
             */
            seq: number;
            /**
             * @description `gap` where records were dropped; a record has none.
             * @example gap
             */
            type?: unknown;
            /**
             * @description Text. When it was written by the robot's clock, RFC 3339. The robot's clock is data; the service orders by when it received.
             * @example 2026-11-21T09:00:00.000000Z
             */
            ts?: unknown;
            /**
             * @description Text: `debug`, `info`, `warn`, `error` or `fatal`.
             * @example info
             */
            level?: unknown;
            /**
             * @description Text. Where it came from, such as `journal`, `file:/var/log/nav.log`, `exec:nav`, `agent`.
             * @example journal
             */
            source?: unknown;
            /**
             * @description Text, at most 16 KiB of UTF-8.
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
             * @description Object. More fields, name to value.
             * @example {
             *       "battery": 81
             *     }
             */
            fields?: unknown;
            /**
             * @description Integer. How many records a gap stands for.
             * @example 132
             */
            dropped?: unknown;
            /**
             * @description Why they were dropped, `rate_limit`, `quota` or `damaged`.
             * @example rate_limit
             */
            reason?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Everything of the spool up to `seq` is stored for good or was named by `logs_skipped`; the agent may forget it. A `seq` above every number that the agent has given in this spool says that the spool was lost or began again under its old ID: the agent begins a spool with a new ID and sends there what it has not sent on an earlier link.
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
             * @description Id of the spool.
             * @example 1f0c7b1e2f574f3c9a535f4e9f6f1c11
             */
            spool: string;
            /**
             * @description The highest number that is stored.
             * @example 2
             */
            seq: number;
        };
        /**
         * @description These records of a `logs` frame were not stored; it comes before the `logs_ack` of the frame. The service knows of each spool the highest stored number, and stores each number once, so it cannot tell a record that is sent again from another one with an old number. An agent can: what it sent on an earlier link, in rising order, is stored. What it sent for the first time is not: the spool was lost or began again under its old ID, so the agent begins a spool with a new ID and sends those records there.
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
             * @description Id of the spool.
             * @example 1f0c7b1e2f574f3c9a535f4e9f6f1c11
             */
            spool: string;
            /**
             * @description The lowest number that was skipped.
             * @example 3
             */
            from_seq: number;
            /**
             * @description The highest number that was skipped; all records of the frame between the two were.
             * @example 4
             */
            to_seq: number;
            /**
             * @description `number_passed`: a record of the spool with this number or a higher one is stored. Open enum: expect new values.
             * @example number_passed
             */
            reason: string;
        };
        /**
         * @description Every order that the robot shall carry out or stop now, whole each time: after `welcome` to an agent that takes orders, whenever the list changes, and again when nothing is heard. The agent takes what is new to it, at most one order of a lane at a time, and drops what is not in the list unless it works on it already. It carries out an order once, however often it is sent.
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
             * @description Stands for the whole list; goes back in `heartbeat`.
             * @example 5b0c6f0d6c1b4f3f
             */
            hash: string;
            /** @description The orders, at most one of each lane. */
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
             * @description Id of the order for this robot. An order that is given anew has another.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1
             */
            order_id: string;
            /**
             * @description `config`, or `release:` and the kind of the release.
             * @example config
             */
            lane: string;
            /**
             * @description Rises with each order that the service makes, for all robots and lanes, so one robot sees gaps. Start the orders of one lane in this order. It is not the `sequence` of a signature.
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
             * @description SHA-256 of the text of the payload as UTF-8, exactly as received, in lowercase hex. It also covers a payload that is fetched.
             * @example 8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1
             */
            digest: string;
            /**
             * @description JSON text, to be hashed as it is. In the lane `config` it is `{"config": [{namespace, key, revision, value, signature?, key_id?}]}`, a delta: set each key and keep all others; each entry has the signature of its own deployment. In other lanes it is `{"release": {id, tag, kind, artifact_sha256, artifact_size, signature?, key_id?}}`. Absent where it is larger than 16 KiB, or the frame would be too large: then fetch it by its digest, `GET /agent/payloads/{digest}`.
             * @example {"config":[{"namespace":"default","key":"nav.max_speed","revision":3,"value":1.2}]}
             */
            payload?: string;
            /**
             * @description Whether the agent shall stop. It answers `cancelled` if nothing of the order took effect, or what became of it.
             * @example true
             */
            cancel?: boolean;
            /**
             * @description Signature that came with the deployment of a release; those of config are within the payload. [Signed orders](/docs/guides/signatures) describes what it covers.
             * @example hT8xUv3b2yq0
             */
            signature?: string;
            /**
             * @description Which key the signature is of.
             * @example release-2026
             */
            key_id?: string;
        };
        /**
         * @description How far an order is.
         * @example {
         *       "order_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1",
         *       "status": "verifying"
         *     }
         */
        OrderState: {
            /**
             * @description Id of the order.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1
             */
            order_id: string;
            /**
             * @description One of downloading, installing, verifying, rolling_back, applied, failed, rolled_back, cancelled. Any other status changes nothing and is acknowledged with the `result.reason` `unknown_status`.
             * @example applied
             */
            status: string;
            /**
             * @description With `applied`, the proof, in hex. For a release: SHA-256 of the artifact file that runs, of an archive as packed. For config: SHA-256 of the payload, computed with the values that the robot has stored. An `applied` without the right proof counts as failed.
             * @example 8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1
             */
            digest?: string;
            /**
             * @description Why it failed or went back, such as no_artifact, no_handler, digest_mismatch, unsigned, bad_signature, install_failed, verify_failed.
             * @example verify_failed
             */
            reason?: string;
            /**
             * @description More for people; what is longer than 4 KiB is cut.
             * @example healthcheck exited with 1
             */
            message?: string;
            /**
             * @description A number of the agent's choice, which comes back in `report_ack`. It tells apart reports of the same status.
             * @example 17
             */
            report_seq?: number;
            /**
             * @description How far what the status says is; absent where nobody knows. A report of the status that is known, with progress, makes no event: it is shown until the status changes, and the order's `active_minutes` begin anew, until 24 hours after the status began. Once in 5 s is often enough.
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
                 * @description What is being done.
                 * @example 412 of 1024 MiB
                 */
                text?: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description How far an order is; sent at each step, and again with `hello` until it is acknowledged. The service records each transition that it receives as an event. While there is no link, an agent may merge the steps of an order: only the latest state must arrive. Agents keep reports on disk, so a faulty optional field does not end the link: a `status`, `reason` or `progress.text` that is too long is cut, `progress.percent` is rounded to a whole number from 0 to 100, and any other field that breaks the schema is ignored. A report without a usable `order_id` or `status` ends the link with 1008.
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
         * @description What runs of each kind of release, as read back from the machine: after `welcome`, whenever it changed, and at least every 10 minutes. It tells of lanes in which no order is carried out and the last one is acknowledged; of others it says nothing. The service compares it with the last proof and notes what runs instead. It is not acknowledged.
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
             * @description By lane, `release:` and the kind: SHA-256 of the artifact that runs, in hex; null where nothing does.
             * @example {
             *       "release:file": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
             *     }
             */
            lanes: {
                [key: string]: string | null;
            };
        };
        /**
         * @description What was reported of an order is stored for good.
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
             * @description Id of the order.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cd1
             */
            order_id: string;
            /**
             * @description The status that was reported.
             * @example applied
             */
            status: string;
            /**
             * @description Whether the order is over for the service, or unknown to it; the agent may forget it once it has ended here too.
             * @example true
             */
            ended: boolean;
            result?: components["schemas"]["ReportResult"];
            /**
             * @description The `report_seq` of the report; absent if it had none.
             * @example 17
             */
            report_seq?: number;
        };
        /**
         * @description What the service made of a report. Absent if the service does not know the order, or gave it up. If the order carries out several deployments that differ, it is that of one whose status differs from the reported one.
         * @example {
         *       "status": "failed",
         *       "reason": "digest_mismatch"
         *     }
         */
        ReportResult: {
            /**
             * @description Status of the order for the service after the report. It differs from the reported one if the report was refused, or came after the order had ended. Open enum: expect new values.
             * @example failed
             */
            status: string;
            /**
             * @description Why: `digest_mismatch` for an `applied` without the right digest, `unknown_status` for a status that does not exist, else the reason that is stored with the status; absent if there is none. Open enum.
             * @example digest_mismatch
             */
            reason?: string;
        };
        /**
         * @description Somebody wants a live stream. The agent opens a WebSocket of its own to `path` under the address that it is connected to, with `Authorization: Bearer <secret>` and never its token, or answers `refused`. A kind that it does not know is refused as `unsupported`.
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
             * @description Id of the session.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            session_id: string;
            /**
             * @description What is wanted: `shell`; `camera` or `topic`, one session for all who look; `topics`, the list of them.
             * @example shell
             */
            kind: string;
            /**
             * @description Where to dial back to.
             * @example /agent/streams/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf0/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            path: string;
            /**
             * @description Good once, for this session.
             * @example 5f2b7c1e9a534f4e9f6f1c117b1e3f0c5f2b7c1e9a534f4e9f6f1c117b1e3f0c
             */
            secret: string;
            /**
             * @description Until when the agent may dial back, by the clock of the service.
             * @example 2026-11-22T09:00:10.000Z
             */
            expires_at: string;
            /**
             * @description The subprotocol of the viewer; absent for raw bytes.
             * @example fleet.shell.v1
             */
            protocol?: string;
            /**
             * @description Who wants a shell; the same for the same person or token. Absent for what several may look at.
             * @example user:0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf2
             */
            opened_by?: string;
            /**
             * @description Whether the service keeps what a shell shows; absent otherwise.
             * @example false
             */
            recorded?: boolean;
            /**
             * @description What is asked for. Of a shell `cols` and `rows`; of a camera its name, `camera`, and `per_second`, the most pictures a second that anybody wants, null for all there are; of a topic its name, `topic`, where one was named `source`, the address of its ROS graph, and `per_second`; of the list of topics nothing.
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
         * @description The session is not wanted any more; sent where the agent has not dialled back yet.
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
             * @description Id of the session.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            session_id: string;
        };
        /**
         * @description The agent does not open this session.
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
             * @description Id of the session.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            session_id: string;
            /**
             * @description `forbidden`, `unsupported`, `busy`, `not_found` (it has no such camera) or `failed`; another one is read as failed.
             * @example forbidden
             */
            reason: string;
            /**
             * @description For people.
             * @example shells are off on this robot
             */
            message?: string;
        };
        /**
         * @description The service is about to close this link: it is stopping, or another replica has fewer links. In the second case, only agents without an open order or live stream get this frame. The agent closes the link itself after a random part of `within_ms`, and reconnects within half a second. A drain is not a failure: the backoff does not grow, it starts again.
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
             * @description When the service closes the link at the latest.
             * @example 5000
             */
            within_ms: number;
        };
        /**
         * @description The agent is to ask for a new value of its token, `POST /agent/token`, and to use it from then on. The link goes on. An agent that cannot keep it does nothing. The frame comes once per link for each rotation that is wanted, until the new value is used.
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
         * @description What the agent measured. What it cannot measure is absent, never null or 0. Agents may add fields.
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
         *         "voltage": 24.6
         *       }
         *     }
         */
        HealthSnapshot: {
            /**
             * @description When it was measured, by the robot's clock.
             * @example 2026-11-21T09:00:00.000Z
             */
            ts?: string;
            /**
             * @description Seconds since the machine booted.
             * @example 86400
             */
            uptime_s?: number;
            /**
             * @description Changes with each boot.
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
             * @description The robot's clock less the service's when the link began.
             * @example -12
             */
            clock_offset_ms?: number;
            /**
             * @description What the robot's own programs add, by the name of the program.
             * @example {
             *       "lidar": {
             *         "ok": true
             *       }
             *     }
             */
            extra?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The agent's own process.
         * @example {
         *       "version": "fleet-agent/0.1.0",
         *       "pid": 612,
         *       "rss_bytes": 48234496,
         *       "uptime_s": 3600
         *     }
         */
        HealthAgent: {
            /**
             * @description Its name and version.
             * @example fleet-agent/0.1.0
             */
            version?: string;
            /**
             * Format: int64
             * @description Number of its process.
             * @example 612
             */
            pid?: number;
            /**
             * Format: int64
             * @description Its memory.
             * @example 48234496
             */
            rss_bytes?: number;
            /**
             * @description Seconds since it started.
             * @example 3600
             */
            uptime_s?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The operating system.
         * @example {
         *       "platform": "linux",
         *       "arch": "arm64",
         *       "kernel": "6.1.0-27-arm64",
         *       "distro": "Debian GNU/Linux 12 (bookworm)"
         *     }
         */
        HealthOs: {
            /**
             * @description Such as linux.
             * @example linux
             */
            platform?: string;
            /**
             * @description Such as arm64.
             * @example arm64
             */
            arch?: string;
            /**
             * @description Release of the kernel.
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
         * @description The processors.
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
             * @description How many.
             * @example 4
             */
            cores?: number;
            /**
             * @description Busy since the sample before, 0 to 100 over all cores.
             * @example 12.5
             */
            percent?: number;
            /**
             * @description Load over 1, 5 and 15 minutes.
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
         * @description The memory.
         * @example {
         *       "total_bytes": 8326000640,
         *       "available_bytes": 5120000000,
         *       "swap_used_bytes": 0
         *     }
         */
        HealthMemory: {
            /**
             * Format: int64
             * @description All of it.
             * @example 8326000640
             */
            total_bytes?: number;
            /**
             * Format: int64
             * @description What programs could still take.
             * @example 5120000000
             */
            available_bytes?: number;
            /**
             * Format: int64
             * @description Swapped out.
             * @example 0
             */
            swap_used_bytes?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description One file system. */
        HealthDisk: {
            /**
             * @description Where it is mounted.
             * @example /
             */
            path?: string;
            /**
             * Format: int64
             * @description Its size.
             * @example 62725623808
             */
            total_bytes?: number;
            /**
             * Format: int64
             * @description What an ordinary user may still write.
             * @example 41817082538
             */
            free_bytes?: number;
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
             * @description Its temperature.
             * @example 51.5
             */
            celsius?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The battery.
         * @example {
         *       "percent": 81,
         *       "status": "Discharging",
         *       "voltage": 24.6
         *     }
         */
        HealthBattery: {
            /**
             * @description Charge, 0 to 100.
             * @example 81
             */
            percent?: number;
            /**
             * @description As its driver calls it: `Charging`, `Discharging`, `Full` and others.
             * @example Discharging
             */
            status?: string;
            /**
             * @description Volts.
             * @example 24.6
             */
            voltage?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description One network interface. */
        HealthInterface: {
            /**
             * @description Its name.
             * @example wlan0
             */
            iface?: string;
            /**
             * Format: int64
             * @description Received since boot.
             * @example 123456789
             */
            rx_bytes?: number;
            /**
             * Format: int64
             * @description Sent since boot.
             * @example 23456789
             */
            tx_bytes?: number;
            /**
             * @description Whether it has a link.
             * @example true
             */
            up?: boolean;
            /**
             * @description Its first address.
             * @example 192.0.2.17
             */
            addr?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The agent's link to the service.
         * @example {
         *       "rtt_ms": 23.1,
         *       "reconnects": 2
         *     }
         */
        HealthLink: {
            /**
             * @description The last round trip of a ping.
             * @example 23.1
             */
            rtt_ms?: number;
            /**
             * Format: int64
             * @description How many reconnects since the agent started.
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
             * @description Their size on disk.
             * @example 40960
             */
            bytes?: number;
            /**
             * Format: int64
             * @description How many wait.
             * @example 210
             */
            records?: number;
            /**
             * Format: int64
             * @description How many were lost to a full or failing disk since the agent started; what is written too fast is not counted.
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
export type OrderState = components['schemas']['OrderState'];
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
export type HealthInterface = components['schemas']['HealthInterface'];
export type HealthLink = components['schemas']['HealthLink'];
export type HealthSpool = components['schemas']['HealthSpool'];
/** What an agent sends. */
export type AgentFrame = Hello | Heartbeat | Logs | Report | Running | Refused;
/** A validator for each `type` of these frames. */
export declare const agentFrames: { [Type in AgentFrame['type']]: ValidateFunction };
/** What the service sends. */
export type ServerFrame = Welcome | LogsAck | LogsSkipped | Desired | ReportAck | Open | Close | Drain | Rotate;
/** A validator for each `type` of these frames. */
export declare const serverFrames: { [Type in ServerFrame['type']]: ValidateFunction };
