/* Generated from spec/ by npm run generate; never edited. */
import type { ValidateFunction } from 'ajv';
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Requested rate from now on: the highest rate that a viewer requests.
         * @example {
         *       "type": "rate",
         *       "per_second": 5
         *     }
         * @example {
         *       "type": "rate",
         *       "per_second": null
         *     }
         */
        Rate: {
            /**
             * @description Always `rate`.
             * @constant
             */
            type: "rate";
            /**
             * @description Pictures or messages per second, at most 1,000; null means all.
             * @example 5
             */
            per_second: number | null;
        };
        /**
         * @description One message of a topic. `type` is the ROS type, which has a slash; the `type` of other frames has none.
         * @example {
         *       "topic": "/chatter",
         *       "type": "std_msgs/String",
         *       "seq": 4711,
         *       "ts": "2026-11-22T09:00:00.000Z",
         *       "msg": {
         *         "data": "hello"
         *       }
         *     }
         */
        TopicRecord: {
            /**
             * @description Name of the topic.
             * @example /imu
             */
            topic: string;
            /**
             * @description ROS type of the message, with a slash.
             * @example sensor_msgs/Imu
             */
            type: string;
            /**
             * @description Number of the message, counted by the agent as it receives them. Numbers are missing if the requested rate is lower than the actual rate.
             * @example 4711
             */
            seq: number;
            /**
             * Format: date-time
             * @description Time at which the agent received the message, by the robot's clock.
             * @example 2026-11-22T09:00:00.000Z
             */
            ts: string;
            /**
             * @description The message. 64-bit integers, NaN and infinities are strings; byte arrays are `{"$bytes": n}`.
             * @example {
             *       "data": "hello"
             *     }
             */
            msg: unknown;
            /**
             * @description Whether arrays of more than 128 elements were cut, or parts that made the record larger than 256 KiB.
             * @example true
             */
            truncated?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Messages that are missing because a receiver was too slow. Sent by the agent, or by the service for one viewer.
         * @example {
         *       "type": "gap",
         *       "ts": "2026-11-22T09:00:00.000Z",
         *       "level": "warn",
         *       "message": "132 messages skipped",
         *       "dropped": 132,
         *       "reason": "slow_consumer"
         *     }
         */
        TopicGap: {
            /**
             * @description Always `gap`.
             * @constant
             */
            type: "gap";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-11-22T09:00:00.000Z
             */
            ts: string;
            /**
             * @description Always `warn`.
             * @example warn
             */
            level: string;
            /**
             * @description Explanation for people.
             * @example 132 messages skipped
             */
            message: string;
            /**
             * @description Number of missing messages.
             * @example 132
             */
            dropped: number;
            /**
             * @description Cause, for example `slow_consumer`.
             * @example slow_consumer
             */
            reason: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Information about a topic for people, for example that it has no publisher, or that its type changed.
         * @example {
         *       "type": "status",
         *       "ts": "2026-11-22T09:00:00.000Z",
         *       "level": "warn",
         *       "message": "listed, but no publisher answered in 5 s"
         *     }
         */
        TopicStatus: {
            /**
             * @description Always `status`.
             * @constant
             */
            type: "status";
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-11-22T09:00:00.000Z
             */
            ts: string;
            /**
             * @description `info` or `warn`.
             * @example warn
             */
            level: string;
            /**
             * @description Explanation for people.
             * @example listed, but no publisher answered in 5 s
             */
            message: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Topics of the robot: the only text frame of a session of the kind `topics`, at most 896 KiB. The agent then closes with 1000.
         * @example {
         *       "topics": [
         *         {
         *           "name": "/imu",
         *           "type": "sensor_msgs/Imu",
         *           "source": "ros1://127.0.0.1:11311"
         *         }
         *       ],
         *       "nodes": [
         *         "/imu_driver"
         *       ]
         *     }
         */
        TopicList: {
            /**
             * @description All topics, or as many as fit.
             * @example [
             *       {
             *         "name": "/imu",
             *         "type": "sensor_msgs/Imu",
             *         "source": "ros1://127.0.0.1:11311"
             *       }
             *     ]
             */
            topics: {
                /**
                 * @description Name of the topic.
                 * @example /imu
                 */
                name: string;
                /**
                 * @description Type of its messages.
                 * @example sensor_msgs/Imu
                 */
                type: string;
                /**
                 * @description Address of the ROS graph of the topic, without credentials.
                 * @example ros1://127.0.0.1:11311
                 */
                source: string;
            }[];
            /**
             * @description Names of the nodes of the graphs, if known.
             * @example [
             *       "/imu_driver"
             *     ]
             */
            nodes?: string[];
            /**
             * @description Whether the list is incomplete.
             * @example true
             */
            truncated?: boolean;
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

export type Rate = components['schemas']['Rate'];
export type TopicRecord = components['schemas']['TopicRecord'];
export type TopicGap = components['schemas']['TopicGap'];
export type TopicStatus = components['schemas']['TopicStatus'];
export type TopicList = components['schemas']['TopicList'];
/** Frames that an agent sends. */
export type SourceFrame = TopicGap | TopicStatus;
/** A validator for each `type` of these frames. */
export declare const sourceFrames: { [Type in SourceFrame['type']]: ValidateFunction };
/** Frames that the service sends. */
export type WatcherFrame = Rate;
/** A validator for each `type` of these frames. */
export declare const watcherFrames: { [Type in WatcherFrame['type']]: ValidateFunction };
export declare const validateTopicRecord: ValidateFunction;
