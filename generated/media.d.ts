/* Generated from spec/ by npm run generate; never edited. */
import type { ValidateFunction } from 'ajv';
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description So many pictures or records a second are wanted from now on, the most that anybody does.
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
             * @description 1,000 at most; null: as many as there are.
             * @example 5
             */
            per_second: number | null;
        };
        /**
         * @description One message of a topic, with the ROS type in `type`: that has a slash, the word of another frame has none.
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
             * @description Type of the message, with its slash.
             * @example sensor_msgs/Imu
             */
            type: string;
            /**
             * @description Counts the messages that the agent received of the topic; a number may be missing, where fewer are wanted than there are.
             * @example 4711
             */
            seq: number;
            /**
             * Format: date-time
             * @description When the agent received it, by the robot's clock.
             * @example 2026-11-22T09:00:00.000Z
             */
            ts: string;
            /**
             * @description The message. 64-bit integers, NaN and infinities are texts, bytes `{"$bytes": n}`.
             * @example {
             *       "data": "hello"
             *     }
             */
            msg: unknown;
            /**
             * @description Whether arrays of more than 128 elements, or what made the record larger than 256 KiB, were cut.
             * @example true
             */
            truncated?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Messages that are missing here, for somebody was too slow. From the agent, or from the service for one viewer.
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
             * @description When it was noticed.
             * @example 2026-11-22T09:00:00.000Z
             */
            ts: string;
            /**
             * @description Always warn.
             * @example warn
             */
            level: string;
            /**
             * @description For people.
             * @example 132 messages skipped
             */
            message: string;
            /**
             * @description How many are missing.
             * @example 132
             */
            dropped: number;
            /**
             * @description Why, such as slow_consumer.
             * @example slow_consumer
             */
            reason: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description What a person should know of a topic, such as that nobody publishes it, or that its type changed.
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
             * @description When it was noticed.
             * @example 2026-11-22T09:00:00.000Z
             */
            ts: string;
            /**
             * @description info or warn.
             * @example warn
             */
            level: string;
            /**
             * @description For people.
             * @example listed, but no publisher answered in 5 s
             */
            message: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The topics of the robot; the one text frame of a session of the kind `topics`, 896 KiB at most, after which the agent closes with 1000.
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
             * @description All of them, or as many as fit.
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
                 * @description Its name.
                 * @example /imu
                 */
                name: string;
                /**
                 * @description Type of its messages.
                 * @example sensor_msgs/Imu
                 */
                type: string;
                /**
                 * @description Address of the ROS graph that it is of, without credentials.
                 * @example ros1://127.0.0.1:11311
                 */
                source: string;
            }[];
            /**
             * @description Names of the nodes of the graphs, where they can be known.
             * @example [
             *       "/imu_driver"
             *     ]
             */
            nodes?: string[];
            /**
             * @description Whether something was left out.
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
/** What an agent, beside pictures and records, sends. */
export type SourceFrame = TopicGap | TopicStatus;
/** A validator for each `type` of these frames. */
export declare const sourceFrames: { [Type in SourceFrame['type']]: ValidateFunction };
/** What the service sends. */
export type WatcherFrame = Rate;
/** A validator for each `type` of these frames. */
export declare const watcherFrames: { [Type in WatcherFrame['type']]: ValidateFunction };
export declare const validateTopicRecord: ValidateFunction;
