/* Generated from spec/ by npm run generate; never edited. */
import type { ValidateFunction } from 'ajv';
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description First frame. Starts a shell, or resumes one whose connection was lost.
         * @example {
         *       "type": "start",
         *       "cols": 120,
         *       "rows": 40,
         *       "term": "xterm-256color"
         *     }
         * @example {
         *       "type": "start",
         *       "tty": false,
         *       "command": [
         *         "uname",
         *         "-a"
         *       ]
         *     }
         * @example {
         *       "type": "start",
         *       "cols": 120,
         *       "rows": 40,
         *       "resume": {
         *         "token": "5f2b7c1e9a534f4e",
         *         "received": 18234
         *       }
         *     }
         */
        Start: {
            /**
             * @description Always `start`.
             * @constant
             */
            type: "start";
            cols?: components["schemas"]["Columns"];
            rows?: components["schemas"]["Rows"];
            /**
             * @description Value of `TERM` on the robot; default `xterm-256color`.
             * @example xterm-256color
             */
            term?: string;
            /**
             * @description Whether the program runs in a terminal; default true. Without a terminal, the first byte of each binary frame of the agent is the output, 1 for standard output or 2 for standard error.
             * @example true
             */
            tty?: boolean;
            /**
             * @description Program and its arguments; default: the login shell.
             * @example [
             *       "htop"
             *     ]
             */
            command?: string[];
            /** @description Resumes this shell; everything but the size stays the same. If the shell has no terminal, send `tty: false` again, because the service needs it for the recording. */
            resume?: {
                /**
                 * @description The `resume_token` of `ready`.
                 * @example 5f2b7c1e9a534f4e
                 */
                token: string;
                /**
                 * @description Bytes of output received so far. The agent resends what follows them.
                 * @example 18234
                 */
                received: number;
            };
        };
        /**
         * @description New size of the window; `start` can set it too. At most one `resize` per 50 ms takes effect; the last one always does.
         * @example {
         *       "type": "resize",
         *       "cols": 100,
         *       "rows": 33
         *     }
         */
        Resize: {
            /**
             * @description Always `resize`.
             * @constant
             */
            type: "resize";
            cols: components["schemas"]["Columns"];
            rows: components["schemas"]["Rows"];
        };
        /**
         * @description Sends a signal to the foreground process.
         * @example {
         *       "type": "signal",
         *       "name": "INT"
         *     }
         */
        Signal: {
            /**
             * @description Always `signal`.
             * @constant
             */
            type: "signal";
            /**
             * @description Name of the signal.
             * @example INT
             * @enum {string}
             */
            name: "INT" | "TERM" | "HUP" | "QUIT" | "KILL";
        };
        /**
         * @description End of the input. Without a terminal it closes the standard input; with a terminal it is an end-of-file character.
         * @example {
         *       "type": "eof"
         *     }
         */
        Eof: {
            /**
             * @description Always `eof`.
             * @constant
             */
            type: "eof";
        };
        /**
         * @description Acknowledges received bytes. Each side keeps the bytes that are not acknowledged, at most 1 MiB, and stops sending when this buffer is full.
         * @example {
         *       "type": "ack",
         *       "bytes": 131072
         *     }
         */
        Ack: {
            /**
             * @description Always `ack`.
             * @constant
             */
            type: "ack";
            /**
             * @description Bytes received from the other side since the shell started, over all connections, without the bytes that select the output.
             * @example 131072
             */
            bytes: number;
        };
        /**
         * @description Response to `start`.
         * @example {
         *       "type": "ready",
         *       "resume_token": "5f2b7c1e9a534f4e",
         *       "received": 0,
         *       "recorded": true,
         *       "grace_seconds": 60,
         *       "user": "robot"
         *     }
         */
        Ready: {
            /**
             * @description Always `ready`.
             * @constant
             */
            type: "ready";
            /**
             * @description Token to resume this shell after the connection was lost. Valid only for the user or token that started the shell.
             * @example 5f2b7c1e9a534f4e
             */
            resume_token: string;
            /**
             * @description Bytes of input received so far, over all connections.
             * @example 0
             */
            received: number;
            /**
             * @description Whether the service records the output.
             * @example true
             */
            recorded?: boolean;
            /**
             * @description Seconds for which the shell waits after its connection was lost.
             * @example 60
             */
            grace_seconds: number;
            /**
             * @description Operating system user that the shell runs as.
             * @example robot
             */
            user?: string;
        };
        /**
         * @description The program ended, and all of its output was sent. Last frame; the connection then closes with 1000.
         * @example {
         *       "type": "exit",
         *       "code": 7
         *     }
         * @example {
         *       "type": "exit",
         *       "signal": "SIGKILL"
         *     }
         */
        Exit: {
            /**
             * @description Always `exit`.
             * @constant
             */
            type: "exit";
            /**
             * @description Exit code; absent if a signal ended the program.
             * @example 7
             */
            code?: number;
            /**
             * @description Signal that ended the program.
             * @example SIGKILL
             */
            signal?: string;
        };
        /**
         * @description The agent cannot carry out `start`, or ends the shell before its program has ended. Last frame.
         * @example {
         *       "type": "failed",
         *       "reason": "gone",
         *       "message": "the shell ended meanwhile"
         *     }
         */
        Failed: {
            /**
             * @description Always `failed`.
             * @constant
             */
            type: "failed";
            /**
             * @description `gone`: no such shell waits to be resumed; `busy`: too many shells are open; `invalid`: the request is invalid; `idle`: no input or output for too long; `failed`: any other cause.
             * @example gone
             */
            reason: string;
            /**
             * @description Explanation for people.
             * @example the shell ended meanwhile
             */
            message?: string;
        };
        /**
         * @description Width in characters, 1 to 1,000; default 80.
         * @example 120
         */
        Columns: number;
        /**
         * @description Height in lines, 1 to 1,000; default 24.
         * @example 40
         */
        Rows: number;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

export type Start = components['schemas']['Start'];
export type Resize = components['schemas']['Resize'];
export type Signal = components['schemas']['Signal'];
export type Eof = components['schemas']['Eof'];
export type Ack = components['schemas']['Ack'];
export type Ready = components['schemas']['Ready'];
export type Exit = components['schemas']['Exit'];
export type Failed = components['schemas']['Failed'];
export type Columns = components['schemas']['Columns'];
export type Rows = components['schemas']['Rows'];
/** Frames that the viewer sends. */
export type ViewerFrame = Start | Resize | Signal | Eof | Ack;
/** A validator for each `type` of these frames. */
export declare const viewerFrames: { [Type in ViewerFrame['type']]: ValidateFunction };
/** Frames that the agent sends. */
export type ShellAgentFrame = Ack | Ready | Exit | Failed;
/** A validator for each `type` of these frames. */
export declare const shellAgentFrames: { [Type in ShellAgentFrame['type']]: ValidateFunction };
