/* Generated from spec/ by npm run generate; never edited. */
import type { ValidateFunction } from 'ajv';
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The first frame. It begins a shell, or goes on with one whose connection was lost.
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
             * @description What `TERM` is on the robot; default `xterm-256color`.
             * @example xterm-256color
             */
            term?: string;
            /**
             * @description Whether it runs in a terminal of its own; default true. Without one the first byte of each binary frame of the agent tells the output, 1 or 2.
             * @example true
             */
            tty?: boolean;
            /**
             * @description The program and its arguments; default is the login shell.
             * @example [
             *       "htop"
             *     ]
             */
            command?: string[];
            /** @description Goes on with this shell; all but the size is as it was. Where it has no terminal, `tty` false is said again, for the service that records it. */
            resume?: {
                /**
                 * @description As in `ready`.
                 * @example 5f2b7c1e9a534f4e
                 */
                token: string;
                /**
                 * @description Bytes of output that came until now; what follows them is sent again.
                 * @example 18234
                 */
                received: number;
            };
        };
        /**
         * @description The window has another size now. Also the first frame may say it; at most one in 50 ms takes effect, and the last always.
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
         * @description Sends a signal to what runs in the foreground.
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
             * @description Its name.
             * @example INT
             * @enum {string}
             */
            name: "INT" | "TERM" | "HUP" | "QUIT" | "KILL";
        };
        /**
         * @description No more input comes. Without a terminal this closes the standard input; with one it is an end-of-file character.
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
         * @description So much was received and is not needed again. Each side keeps what it sent until then, 1 MiB at most, and sends no more when that is full.
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
             * @description Of the other side's bytes since the shell began, over all connections; without the byte that tells the output.
             * @example 131072
             */
            bytes: number;
        };
        /**
         * @description The answer to `start`.
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
             * @description Goes on with this shell after the connection was lost; good for who began it.
             * @example 5f2b7c1e9a534f4e
             */
            resume_token: string;
            /**
             * @description Bytes of input that came until now, over all connections.
             * @example 0
             */
            received: number;
            /**
             * @description Whether the service keeps the output.
             * @example true
             */
            recorded?: boolean;
            /**
             * @description How long the shell waits after its connection was lost.
             * @example 60
             */
            grace_seconds: number;
            /**
             * @description As whom it runs.
             * @example robot
             */
            user?: string;
        };
        /**
         * @description It ended, and all of its output was sent. The last frame; the socket is closed with 1000 after it.
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
             * @description Its exit code; absent where a signal ended it.
             * @example 7
             */
            code?: number;
            /**
             * @description The signal that ended it.
             * @example SIGKILL
             */
            signal?: string;
        };
        /**
         * @description The agent does not do what `start` asks for, or ends the shell before its program has ended. The last frame.
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
             * @description `gone`: no such shell waits to be resumed; `busy`: there are as many shells as may be; `invalid`: what was asked for; `idle`: nothing was typed or shown for too long; `failed`: anything else.
             * @example gone
             */
            reason: string;
            /**
             * @description For people.
             * @example the shell ended meanwhile
             */
            message?: string;
        };
        /**
         * @description Width in characters; default 80.
         * @example 120
         */
        Columns: number;
        /**
         * @description Height in lines; default 24.
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
/** What who looks sends. */
export type ViewerFrame = Start | Resize | Signal | Eof | Ack;
/** A validator for each `type` of these frames. */
export declare const viewerFrames: { [Type in ViewerFrame['type']]: ValidateFunction };
/** What the agent sends. */
export type ShellAgentFrame = Ack | Ready | Exit | Failed;
/** A validator for each `type` of these frames. */
export declare const shellAgentFrames: { [Type in ShellAgentFrame['type']]: ValidateFunction };
