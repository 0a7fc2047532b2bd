/* Generated from spec/ by npm run generate; never edited. */
export interface paths {
    "/api/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get caller identity
         * @description Returns the org, role and token of this request. If the token is valid in several orgs and `X-Service-Org-Id` is missing, you get the first org. All other operations then need the header.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getWhoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get org
         * @description Returns the org of the token, with its settings.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getOrg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update org settings
         * @description Settings that you leave out stay unchanged. A change applies to new shells. Open shells keep the setting that they started with.
         *
         *     Needs admin; tokens: user, org.
         */
        patch: operations["updateOrg"];
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns the users of the org.
         *
         *     Needs admin; tokens: user, org.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create user
         * @description Adds a user to the org with a role. The email address is unique within the org.
         *
         *     Needs admin; tokens: user, org.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove user
         * @description Removes the user from the org and rejects the user's tokens.
         *
         *     Needs admin; tokens: user, org.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update user
         * @description Changes the name or the role. A new role applies from the user's next request on.
         *
         *     Needs admin; tokens: user, org.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/users/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue user token
         * @description Issues a token with the permissions of the user's role. The value is shown only in this response.
         *
         *     Needs admin; tokens: user, org.
         */
        post: operations["createUserToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description Returns the tokens of the org, including revoked ones, without their values.
         *
         *     Needs admin; tokens: user, org.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke token
         * @description Rejects the token from the next request on. Revoking it again changes nothing.
         *
         *     Needs admin; tokens: user, org.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sites
         * @description Returns the sites of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listSites"];
        put?: never;
        /**
         * Create site
         * @description Creates a place where robots work. Names are not unique.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fleets
         * @description Returns the fleets of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listFleets"];
        put?: never;
        /**
         * Create fleet
         * @description Creates a fleet at a site. Names are not unique.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createFleet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleets/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fleet logs
         * @description Returns the latest 200 log records that robots sent as members of this fleet, in the order in which the service
         *     received them, oldest first. Set `limit` for another number. The records stay after their robot moves to another
         *     fleet or is removed.
         *
         *     A request stops after 16 MiB of stored logs or 200 ms. The response may then have fewer records, or none, and a
         *     `next_cursor` to continue with older ones.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listFleetLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrollment-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List enrollment keys
         * @description Returns the enrollment keys of the org, including revoked ones, without their values.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listEnrollmentKeys"];
        put?: never;
        /**
         * Create enrollment key
         * @description Creates a key that enrolls robots into one fleet. The value is shown only in this response.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createEnrollmentKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrollment-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke enrollment key
         * @description The key stops enrolling robots. Robots that it enrolled stay enrolled. Revoking it again changes nothing.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["revokeEnrollmentKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/robots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List robots
         * @description Returns the robots of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listRobots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/robots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get robot
         * @description Returns one robot of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getRobot"];
        put?: never;
        post?: never;
        /**
         * Remove robot
         * @description Removes the robot from the org and rejects its token. Its log records stay in the logs of the fleets in which it sent them, until their retention ends. Its health and timeline can no longer be read.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteRobot"];
        options?: never;
        head?: never;
        /**
         * Update robot
         * @description Renames, moves or labels a robot. Fields that you leave out stay unchanged. Moving a robot to another fleet also moves it to the site of that fleet. Labels are replaced as a whole.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        patch: operations["updateRobot"];
        trace?: never;
    };
    "/api/robots/{id}/rotate-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request token rotation
         * @description Asks the robot's agent, now or when it next connects, to rotate its token. Its link and streams continue. The old value stays valid until the agent uses the new one, for at most 24 hours after the new value was issued. Until then the token has `rotation_wanted_at`.
         *
         *     Needs admin; tokens: user, org.
         */
        post: operations["rotateRobotToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/robots/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get robot health
         * @description Returns whether the robot is online, when it was last seen, and its latest health snapshot.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getRobotHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/robots/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List robot logs
         * @description Returns the latest 200 log records of the robot, oldest first, or with `after` the records that follow. Set
         *     `limit` for another number.
         *
         *     A request stops after 16 MiB of stored logs or 200 ms. The response may then have fewer records, or none, and a
         *     `next_cursor` to continue.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listRobotLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/robots/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List robot timeline
         * @description Returns what happened to the robot: enrollment, connects and disconnects, renames, moves and more. You get the
         *     latest 1,000 entries, oldest first, or with `after` the entries that follow. Entries are kept for 400 days by
         *     default; the newest entry is always kept.
         *
         *     - Of connects and disconnects, 60 per hour are kept. Once the hour is over, one `links_left_out` entry has the
         *       number of the others (`entries`, `since`) and the `last` of them.
         *     - `drift` means that the robot runs something other than the release that it verified (`release_kind`, `tag`,
         *       `sha256`, `running_sha256`, `running_tag`).
         *     - `drift_ended` means that the release runs again. A newer `deployment_ended` with `applied` also ends the drift.
         *     - Of `drift` and `drift_ended`, 60 per hour are kept.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listRobotTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/robots/{id}/ros/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ROS topics
         * @description Asks the robot's agent for the topics that exist now.
         *
         *     - 409: the robot is offline, or its agent reads no ROS graph or sends an invalid list.
         *     - 503: the agent does not respond within 10 s.
         *
         *     If the robot's replica has just stopped, the request waits up to 4 s for the robot to reconnect.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listRobotTopics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shell-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shell sessions
         * @description Returns which user had a shell on which robot, including open sessions. Sessions and their recordings are kept for `SHELL_RETENTION_DAYS` (default: 400 days), even after the robot, user or token is removed. A shell that was resumed after a lost connection counts as several sessions.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        get: operations["listShellSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shell-sessions/{id}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download shell recording
         * @description Returns the output of the shell with its timing, as asciicast version 2, the format of asciinema. The recording of an open shell ends with the latest output. It may contain secrets, but never input that was typed without echo. A session that was not recorded gets 404.
         *
         *     Needs admin; tokens: user, org. Each call is in the audit log.
         */
        get: operations["downloadShellRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create stream ticket
         * @description Issues a ticket that opens one live stream of one robot with your rights. Programs that cannot set headers, such
         *     as browsers, send it instead of your token, as `?token=<ticket>` in the address of the WebSocket. A ticket is
         *     valid once, for 30 s, so a copy of the address in a log is useless.
         *
         *     A shell needs operator or higher. Other streams need viewer or higher.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        post: operations["createStreamTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List releases
         * @description Returns the releases of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listReleases"];
        put?: never;
        /**
         * Create release
         * @description Records the hash, size and tag of an artifact. Releases never change. A request with an existing tag and kind returns the existing release if the artifact is the same; otherwise it gets 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createRelease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artifacts/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download artifact
         * @description Returns the file that releases of the org describe, whole or one range of it. A request for several ranges gets the whole file. Robots download what they install with their own token; see [what a robot does with each status](/docs/streams#agentLink).
         *
         *     Needs viewer or higher, or a robot; tokens: user, org, robot.
         */
        get: operations["downloadArtifact"];
        /**
         * Upload artifact
         * @description Stores the file that releases of the org describe, as bytes. The service hashes the bytes as they arrive. Robots
         *     can download the file only once all bytes have arrived and the SHA-256 and the size match.
         *
         *     To resume an interrupted upload:
         *
         *     1. Send `HEAD`. The response header `Upload-Offset` has the number of bytes received.
         *     2. Send the remaining bytes with `Content-Range`.
         *
         *     A request without `Content-Range` starts from the first byte. With several replicas, each one reports only the
         *     bytes that it received itself until the upload is complete. Uploads idle for a day are deleted.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        put: operations["uploadArtifact"];
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Get artifact status
         * @description Reports whether the file is stored:
         *
         *     - 200: all bytes are stored; the response has the length.
         *     - 204: a release describes the file, but bytes are missing; `Upload-Offset` has the number received.
         *     - 404: no release of the org describes the file.
         *
         *     Needs viewer or higher, or a robot; tokens: user, org, robot.
         */
        head: operations["getArtifact"];
        patch?: never;
        trace?: never;
    };
    "/api/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployments
         * @description Returns the deployments of the org. `counts` has the number of robots in each status.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listDeployments"];
        put?: never;
        /**
         * Create deployment
         * @description Deploys a release to one robot, or to all robots that the fleet has when the deployment is due. It is due immediately, or at `scheduled_at` and never before. Repeating the request with the same `Idempotency-Key` within 7 days returns the first response and creates no second deployment.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get deployment
         * @description Returns one deployment, with what it is waiting for.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployment targets
         * @description Returns the robots of the deployment, each with its status and what it is waiting for. The robots are fixed when the deployment leaves `scheduled`; before that the list is empty.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listDeploymentTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployment events
         * @description Returns the latest 1,000 events, oldest first, or with `after` the events that follow. `status` is always the status of the deployment after the event. To watch a deployment, read until the last item is `applied`, `failed`, `rolled_back` or `cancelled`.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listDeploymentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel deployment
         * @description Stops the deployment on all robots that have not finished it:
         *
         *     - Robots that have not received the order never receive it.
         *     - Robots that have received it are asked to stop. Each reports whether it stopped in time. A robot that does not
         *       respond within `active_minutes` counts as stopped.
         *
         *     Cancelling again changes nothing. A deployment that has ended gets 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["cancelDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List config entries
         * @description Returns the config entries of the org, each with its newest revision.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConfigs"];
        put?: never;
        /**
         * Set config entry
         * @description Sets the value of a key in a namespace, and creates the entry if it does not exist. Each request creates a new revision. Robots receive the value when you deploy it.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["setConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config-revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List config revisions
         * @description Returns every value that the config entry has had.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConfigRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List config deployments
         * @description Returns the config deployments of the org. `counts` has the number of robots in each status.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConfigDeployments"];
        put?: never;
        /**
         * Create config deployment
         * @description Deploys the newest revision of a config entry to one robot, or to all robots that the fleet has when the deployment is due. The revision is fixed when you create the deployment. Repeating the request with the same `Idempotency-Key` within 7 days returns the first response and creates no second deployment.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createConfigDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get config deployment
         * @description Returns one config deployment, with what it is waiting for.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getConfigDeployment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List config deployment targets
         * @description Returns the robots of the deployment, each with its status and what it is waiting for. The robots are fixed when the deployment leaves `scheduled`; before that the list is empty.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConfigDeploymentTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List config deployment events
         * @description Returns the latest 1,000 events, oldest first, or with `after` the events that follow. `status` is always the status of the deployment after the event. To watch a deployment, read until the last item is `applied`, `failed`, `rolled_back` or `cancelled`.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConfigDeploymentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel config deployment
         * @description Stops the deployment on all robots that have not finished it:
         *
         *     - Robots that have not received the order never receive it.
         *     - Robots that have received it are asked to stop. Each reports whether it stopped in time. A robot that does not
         *       respond within `active_minutes` counts as stopped.
         *
         *     Cancelling again changes nothing. A deployment that has ended gets 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["cancelConfigDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enroll robot
         * @description Consumes one use of the enrollment key in the `Authorization` header and creates a robot in the key's fleet.
         *
         *     A retry with the same nonce does not consume another use. It issues a new token for the same robot and revokes the
         *     previous one. An unknown, expired, revoked or used-up key always gets the same 401 response.
         *
         *     Takes tokens: enroll.
         */
        post: operations["enrollAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate own token
         * @description Issues a new value for the token of the calling robot. Open links and streams continue.
         *
         *     - The previous value stays valid until the new one is first used, for at most 24 hours.
         *     - A retry with the same nonce, sent with any valid value, returns the same value again, so a lost response does no
         *       harm. A retry sent with the new value ends the previous one.
         *     - A second nonce returns another value. The value of the nonce before it also stays valid until the newest one is
         *       first used, for at most 24 hours.
         *
         *     Takes tokens: robot.
         */
        post: operations["rotateAgentToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/payloads/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get order payload
         * @description Returns the payload of an order that this robot holds. Payloads larger than 16 KiB are not sent over the link. The digest is the SHA-256 of the text in `payload`, encoded as UTF-8.
         *
         *     Takes tokens: robot.
         */
        get: operations["getPayload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description Returns who changed what in the org: the latest 1,000 entries, oldest first, or with `after` the entries that follow. Each entry has a hash that covers the hash of the entry before it. Keep the last hash to verify later that no entry was changed, removed or inserted.
         *
         *     Needs admin; tokens: user, org.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orgs
         * @description Returns all orgs of the service, in every status.
         *
         *     Takes tokens: admin.
         */
        get: operations["listOrgs"];
        put?: never;
        /**
         * Create org
         * @description Creates an org in status `pending`. Approve it to issue its token. Names are not unique.
         *
         *     Takes tokens: admin.
         */
        post: operations["createOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orgs/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve org
         * @description Approves a pending org and issues its `svc_org_` token. The value is shown only in this response. An approved org whose org tokens are all revoked gets a new one.
         *
         *     Takes tokens: admin.
         */
        post: operations["approveOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orgs/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend org
         * @description Rejects all tokens of an approved org until you resume it. Nothing is deleted.
         *
         *     Takes tokens: admin.
         */
        post: operations["suspendOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orgs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume org
         * @description Accepts the tokens of a suspended org again.
         *
         *     Takes tokens: admin.
         */
        post: operations["resumeOrg"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/orgs/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue org token
         * @description Issues another `svc_org_` token for an approved org, for example to replace a lost one. The value is shown only in this response. Existing tokens stay valid until you revoke them.
         *
         *     Takes tokens: admin.
         */
        post: operations["createOrgToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get service statistics
         * @description Returns counts over all orgs, the running version, its start time and the size of the database.
         *
         *     Takes tokens: admin.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The org this call resolved to. */
        WhoamiOrg: {
            /**
             * @description Id of the org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            id: string;
            /**
             * @description Name of the org.
             * @example local
             */
            name: string;
        };
        /** @description An org that the token is good in. */
        WhoamiMembership: {
            /**
             * @description Id of the org, as `X-Service-Org-Id` takes it.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            id: string;
            /**
             * @description Name of the org.
             * @example local
             */
            name: string;
            /**
             * @description What the caller may do there, viewer, operator or admin.
             * @example operator
             */
            role: string;
            /**
             * @description Whether the org is suspended, so that calls for it are refused.
             * @example false
             */
            suspended: boolean;
        };
        /** @description The user of the token; absent for an org token. */
        WhoamiUser: {
            /**
             * @description Id of the user.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            id: string;
            /**
             * @description Address of the user.
             * @example kim@example.com
             */
            email: string;
            /**
             * @description Name of the user.
             * @example Kim
             */
            name?: string;
        };
        /** @description The token of this call. */
        WhoamiToken: {
            /**
             * @description Id of the token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            id: string;
            /**
             * @description The last four digits of the value, to tell it from others.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description When it expires; absent if never.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
        };
        /** @description Who makes this call. */
        Whoami: {
            /**
             * @description Kind of the token, user or org.
             * @example user
             */
            kind: string;
            /**
             * @description What the caller may do, viewer, operator or admin.
             * @example operator
             */
            role: string;
            org: components["schemas"]["WhoamiOrg"];
            /** @description Every org that the token is good in, the oldest first; one of them is `org`. */
            orgs: components["schemas"]["WhoamiMembership"][];
            user?: components["schemas"]["WhoamiUser"];
            token: components["schemas"]["WhoamiToken"];
        };
        /** @description The caller. */
        WhoamiResponse: {
            data: components["schemas"]["Whoami"];
        };
        /** @description What went wrong. */
        ErrorBody: {
            /**
             * @description One of bad_request, unauthorized, forbidden, not_found, conflict, http_error, internal_server_error.
             * @example not_found
             */
            code: string;
            /**
             * @description A sentence for people; it may change.
             * @example site not found
             */
            message: string;
        };
        /** @description The envelope of every error. */
        Error: {
            error: components["schemas"]["ErrorBody"];
        };
        /** @description One customer of the service. */
        Org: {
            /**
             * @description Id of the org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            id: string;
            /**
             * @description Name for people; not unique.
             * @example Acme Robotics
             */
            name: string;
            /**
             * @description One of `pending`, `approved` and `suspended`. Others may come.
             * @example approved
             */
            status: string;
            /**
             * @description Whether the service keeps what shells on its robots show; `PATCH /api/org` sets it. False at first.
             * @example false
             */
            record_shells: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was approved; absent before.
             * @example 2026-11-21T09:00:00.000Z
             */
            approved_at?: string;
            /**
             * Format: date-time
             * @description When it was suspended; absent otherwise.
             * @example 2026-11-21T09:00:00.000Z
             */
            suspended_at?: string;
            /**
             * @description Address of the person who asked for it in the portal; absent for one that nobody asked for there, and in `GET /api/org`.
             * @example kim@example.com
             */
            requested_by?: string;
        };
        /** @description One org. */
        OrgResponse: {
            data: components["schemas"]["Org"];
        };
        /** @description Settings to change, one at least. */
        OrgUpdate: {
            /**
             * @description Whether the service keeps what shells on robots show, never what is typed into them. While it cannot keep it, shells are closed.
             * @example true
             */
            record_shells?: boolean;
        };
        /** @description A person of the org. */
        User: {
            /**
             * @description Id of the user.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            id: string;
            /**
             * @description Address, unique in the org, in lower case.
             * @example kim@example.com
             */
            email: string;
            /**
             * @description Name for people.
             * @example Kim
             */
            name?: string;
            /**
             * @description What the user may do, viewer, operator or admin.
             * @example operator
             */
            role: string;
            /**
             * Format: date-time
             * @description When the user was added.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of users. */
        UserList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["User"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /**
         * @description Name for people, 1 to 128 characters of any language, without control characters and without white space at either end; not unique.
         * @example Osaka
         */
        DisplayName: string;
        /**
         * @description What the user may do, `viewer`, `operator` or `admin`; each may do what those before it may.
         * @example operator
         * @enum {string}
         */
        RoleChoice: "viewer" | "operator" | "admin";
        /** @description A user to add. */
        UserCreate: {
            /**
             * @description Address, kept in lower case.
             * @example kim@example.com
             */
            email: string;
            name?: components["schemas"]["DisplayName"];
            role: components["schemas"]["RoleChoice"];
        };
        /** @description One user. */
        UserResponse: {
            data: components["schemas"]["User"];
        };
        /** @description What to change; at least one field. */
        UserUpdate: {
            name?: components["schemas"]["DisplayName"];
            role?: components["schemas"]["RoleChoice"];
        };
        /** @description A token to issue. */
        TokenCreate: {
            /**
             * @description Label for people, 1 to 128 characters.
             * @example laptop
             */
            label?: string;
            /**
             * @description Life in hours, at most 87,600; 0 or absent means it never expires.
             * @example 720
             */
            expires_in_hours?: number;
        };
        /** @description A token with its value, which is shown this once. */
        TokenCreated: {
            /**
             * @description Id of the token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            id: string;
            /**
             * @description One of `org`, `user` and `robot`. Others may come.
             * @example user
             */
            kind: string;
            /**
             * @description User of a user token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            user_id?: string;
            /**
             * @description Robot of a robot token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id?: string;
            /**
             * @description Label for people.
             * @example laptop
             */
            label?: string;
            /**
             * @description The last four digits of the value, to tell it from others.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was issued.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires; absent if never.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * @description The token; only its digest is kept.
             * @example svc_user_9b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d9f3c
             */
            value: string;
        };
        /** @description A token with its value. */
        TokenCreatedResponse: {
            data: components["schemas"]["TokenCreated"];
        };
        /** @description A token of the org, without its value. */
        Token: {
            /**
             * @description Id of the token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            id: string;
            /**
             * @description One of `org`, `user` and `robot`. Others may come.
             * @example user
             */
            kind: string;
            /**
             * @description User of a user token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            user_id?: string;
            /**
             * @description Robot of a robot token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id?: string;
            /**
             * @description Label for people.
             * @example laptop
             */
            label?: string;
            /**
             * @description The last four digits of the value, to tell it from others.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was issued.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires; absent if never.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description When it was revoked; absent while it is good.
             * @example 2026-11-21T09:00:00.000Z
             */
            revoked_at?: string;
            /**
             * Format: date-time
             * @description Since when the robot's agent is to replace the value of the token; absent once it did.
             * @example 2026-11-21T10:00:00.000Z
             */
            rotation_wanted_at?: string;
            /**
             * Format: date-time
             * @description When a call or a connection last began with it, to the minute; absent if never. It shows half a minute later, at most.
             * @example 2026-11-21T09:30:00.000Z
             */
            last_used_at?: string;
        };
        /** @description A list of tokens. */
        TokenList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Token"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description One token. */
        TokenResponse: {
            data: components["schemas"]["Token"];
        };
        /** @description A place where robots work. */
        Site: {
            /**
             * @description Id of the site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            id: string;
            /**
             * @description Name for people; not unique.
             * @example Osaka
             */
            name: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of sites. */
        SiteList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Site"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A site to create. */
        SiteCreate: {
            name: components["schemas"]["DisplayName"];
        };
        /** @description One site. */
        SiteResponse: {
            data: components["schemas"]["Site"];
        };
        /** @description Robots of one site that are run as one. */
        Fleet: {
            /**
             * @description Id of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            id: string;
            /**
             * @description Name for people; not unique.
             * @example pickers
             */
            name: string;
            /**
             * @description Site of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of fleets. */
        FleetList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Fleet"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A fleet to create. */
        FleetCreate: {
            name: components["schemas"]["DisplayName"];
            /**
             * @description Site of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
        };
        /** @description One fleet. */
        FleetResponse: {
            data: components["schemas"]["Fleet"];
        };
        /** @description One log record. A record of `type` `gap` stands for records that were dropped on the robot. */
        LogRecord: {
            /**
             * Format: int64
             * @description Number among the records of this robot that the service stored, rising, the same in history and in live logs.
             * @example 4711
             */
            seq: number;
            /**
             * @description Id of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Absent, or `gap`.
             * @example gap
             */
            type?: string;
            /**
             * @description When it was written by the robot's clock, as the robot said it; absent where it said nothing that is an instant.
             * @example 2026-11-21T09:00:00.000000Z
             */
            ts?: string;
            /**
             * Format: date-time
             * @description When the service received it.
             * @example 2026-11-21T09:00:00.812Z
             */
            received_at: string;
            /**
             * @description One of debug, info, warn, error, fatal.
             * @example info
             */
            level: string;
            /**
             * @description Where it came from on the robot.
             * @example journal
             */
            source: string;
            /**
             * @description The text, at most 16 KiB of UTF-8. It is the robot's own; show it with care.
             * @example nav started
             */
            message: string;
            /**
             * @description True where the message was cut.
             * @example true
             */
            truncated?: boolean;
            /**
             * @description The systemd unit.
             * @example nav.service
             */
            unit?: string;
            /**
             * Format: int64
             * @description Number of the process.
             * @example 812
             */
            pid?: number;
            /**
             * @description The ROS node.
             * @example /nav
             */
            node?: string;
            /**
             * @description More, name to value.
             * @example {
             *       "battery": 81
             *     }
             */
            fields?: {
                [key: string]: unknown;
            };
            /**
             * @description True where the robot sent fields that were not kept, being over 8 KiB, nested deeper than 32 or no object.
             * @example true
             */
            fields_dropped?: boolean;
            /**
             * Format: int64
             * @description How many records a gap stands for.
             * @example 132
             */
            dropped?: number;
            /**
             * @description Why they were dropped, `rate_limit`, `quota` or `damaged`.
             * @example rate_limit
             */
            reason?: string;
        };
        /** @description A list of log records. */
        LogRecordList: {
            /** @description Oldest first. */
            items: components["schemas"]["LogRecord"][];
            /**
             * @description Where to read on, further back in time, or further on where `after` was given; only while more may exist.
             * @example b2xkZXIuNDcxMQ
             */
            next_cursor?: string;
        };
        /** @description A key by which robots enroll into one fleet, without its value. */
        EnrollmentKey: {
            /**
             * @description Id of the key.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            id: string;
            /**
             * @description Site of its fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Fleet that it enrolls robots into.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Label for people.
             * @example line 2
             */
            label?: string;
            /**
             * Format: int32
             * @description How many robots it may enroll; absent means any number.
             * @example 25
             */
            max_uses?: number;
            /**
             * Format: int32
             * @description How many robots it has enrolled.
             * @example 3
             */
            uses: number;
            /**
             * @description The last four digits of the value, to tell it from others.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires; absent if never.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description When it was revoked; absent while it is good.
             * @example 2026-11-21T09:00:00.000Z
             */
            revoked_at?: string;
            /**
             * Format: date-time
             * @description When it enrolled a robot last; absent if never.
             * @example 2026-11-21T09:00:00.000Z
             */
            last_used_at?: string;
        };
        /** @description A list of enrollment keys. */
        EnrollmentKeyList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["EnrollmentKey"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description An enrollment key to create. */
        EnrollmentKeyCreate: {
            /**
             * @description Site of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Fleet that it enrolls robots into; a fleet of another site is refused.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Label for people, 1 to 128 characters.
             * @example line 2
             */
            label?: string;
            /**
             * @description How many robots it may enroll, 1 to 1,000,000; absent means any number.
             * @example 25
             */
            max_uses?: number;
            /**
             * @description Life in hours, at most 87,600; 0 or absent means it never expires.
             * @example 24
             */
            expires_in_hours?: number;
        };
        /** @description An enrollment key with its value, which is shown this once. */
        EnrollmentKeyCreated: {
            /**
             * @description Id of the key.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            id: string;
            /**
             * @description Site of its fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Fleet that it enrolls robots into.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Label for people.
             * @example line 2
             */
            label?: string;
            /**
             * Format: int32
             * @description How many robots it may enroll; absent means any number.
             * @example 25
             */
            max_uses?: number;
            /**
             * Format: int32
             * @description How many robots it has enrolled.
             * @example 3
             */
            uses: number;
            /**
             * @description The last four digits of the value, to tell it from others.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires; absent if never.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * @description The key; only its digest is kept.
             * @example svc_enroll_1b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d77aa
             */
            value: string;
        };
        /** @description An enrollment key with its value. */
        EnrollmentKeyCreatedResponse: {
            data: components["schemas"]["EnrollmentKeyCreated"];
        };
        /** @description One enrollment key. */
        EnrollmentKeyResponse: {
            data: components["schemas"]["EnrollmentKey"];
        };
        /** @description What runs in the place of the release, as the robot last told; absent while the release itself runs. */
        Drift: {
            /**
             * Format: date-time
             * @description Since when something else runs, as far as the service heard.
             * @example 2026-11-21T11:30:00.000Z
             */
            since: string;
            /**
             * @description SHA-256 of the artifact that runs, in hex; absent where nothing runs.
             * @example 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
             */
            running_sha256?: string;
            /**
             * @description The newest release of the kind with that artifact; absent where the org has none.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70
             */
            running_release_id?: string;
            /**
             * @description The tag of that release.
             * @example maps-6
             */
            running_tag?: string;
        };
        /** @description A release that the robot has proved to run; with `drift` where something else runs in its place by now. */
        ReportedRelease: {
            /**
             * @description The release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id: string;
            /**
             * @description Its tag.
             * @example maps-7
             */
            tag: string;
            /**
             * @description The order that brought it.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id: string;
            /**
             * Format: date-time
             * @description When the robot proved it.
             * @example 2026-11-21T09:00:52.210Z
             */
            at: string;
            drift?: components["schemas"]["Drift"];
        };
        /** @description A config revision that the robot has. */
        ReportedConfig: {
            /**
             * @description The config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id: string;
            /**
             * Format: int64
             * @description Its revision.
             * @example 3
             */
            revision: number;
            /**
             * @description The order that brought it.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id: string;
            /**
             * Format: date-time
             * @description When the robot proved it.
             * @example 2026-11-21T09:00:52.210Z
             */
            at: string;
        };
        /**
         * @description What the robot is known to run, by its own proofs, those of late reports included, and by what it told since (`drift`).
         * @example {
         *       "releases": {},
         *       "configs": {}
         *     }
         */
        RobotReported: {
            /**
             * @description By kind of release.
             * @example {
             *       "file": {
             *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
             *         "tag": "maps-7",
             *         "deployment_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81",
             *         "at": "2026-11-21T09:00:52.210Z"
             *       }
             *     }
             */
            releases: {
                [key: string]: components["schemas"]["ReportedRelease"];
            };
            /**
             * @description By namespace and key, joined by a slash.
             * @example {
             *       "default/nav.max_speed": {
             *         "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
             *         "revision": 3,
             *         "deployment_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1",
             *         "at": "2026-11-21T09:00:52.210Z"
             *       }
             *     }
             */
            configs: {
                [key: string]: components["schemas"]["ReportedConfig"];
            };
        };
        /** @description A machine of the org. */
        Robot: {
            /**
             * @description Id of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            id: string;
            /**
             * @description Name for people; not unique.
             * @example amr-007
             */
            name: string;
            /**
             * @description Org of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            org_id: string;
            /**
             * @description Site of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Fleet of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Whether its agent holds a link to the service.
             * @example false
             */
            online: boolean;
            /**
             * Format: date-time
             * @description When the service last heard of its agent, to a few seconds; absent before its first link.
             * @example 2026-11-21T09:00:01.000Z
             */
            last_seen_at?: string;
            /**
             * Format: date-time
             * @description When two agents last fought over this identity, within the last day; absent otherwise. Enroll one of them anew.
             * @example 2026-11-21T09:00:01.000Z
             */
            duplicate_agent_at?: string;
            /**
             * @description Names of its cameras, the first of them the default, as its agent last said; absent before its first link.
             * @example [
             *       "front"
             *     ]
             */
            cameras?: string[];
            /**
             * @description Whether its agent reads the topics of a ROS graph, as it last said; absent before its first link.
             * @example true
             */
            topics?: boolean;
            /**
             * @description Labels for people and filters, name to value.
             * @example {
             *       "floor": "2"
             *     }
             */
            labels: {
                [key: string]: string;
            };
            reported: components["schemas"]["RobotReported"];
            /**
             * Format: date-time
             * @description When it enrolled.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of robots. */
        RobotList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Robot"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description One robot. */
        RobotResponse: {
            data: components["schemas"]["Robot"];
        };
        /** @description What to change; at least one field. */
        RobotUpdate: {
            name?: components["schemas"]["DisplayName"];
            /**
             * @description Fleet to move to; the robot moves to its site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id?: string;
            /**
             * @description The new labels, at most 64; names of 1 to 64 of `a-z 0-9 . _ -` (but `constructor` and `prototype`), values of at most 128 characters.
             * @example {
             *       "floor": "2"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
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
        /** @description Presence and the latest health snapshot. */
        RobotHealth: {
            /**
             * @description Id of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Whether its agent holds a link to the service.
             * @example true
             */
            online: boolean;
            /**
             * Format: date-time
             * @description When the service last heard of its agent, to a few seconds; absent before its first link.
             * @example 2026-11-21T09:00:01.000Z
             */
            last_seen_at?: string;
            /**
             * Format: date-time
             * @description When the service received the snapshot; absent before the first.
             * @example 2026-11-21T09:00:01.000Z
             */
            snapshot_at?: string;
            snapshot?: components["schemas"]["HealthSnapshot"];
        };
        /** @description The health of one robot. */
        RobotHealthResponse: {
            data: components["schemas"]["RobotHealth"];
        };
        /** @description One thing that happened to a robot. */
        TimelineEntry: {
            /**
             * Format: int64
             * @description Number on the timeline of the robot, without gaps, given after the commit; nothing ever appears behind a number that was given. The oldest go after a while, so the first is not always 1.
             * @example 2
             */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-21T09:00:01.000Z
             */
            at: string;
            /**
             * @description One of enrolled, renamed, moved, labelled, connected, disconnected, link_refused, links_left_out, duplicate_agent, deployment_dispatched, deployment_ended, drift, drift_ended; more will come.
             * @example connected
             */
            kind: string;
            /**
             * @description A sentence for people; it may change.
             * @example connected
             */
            message: string;
            /**
             * @description What belongs to it, by kind. `disconnected` and `link_refused` tell the close `code` and the `close_reason` that the service gave.
             * @example {
             *       "agent_version": "fleet-agent/0.1.0",
             *       "address": "192.0.2.17"
             *     }
             */
            details?: {
                [key: string]: unknown;
            };
        };
        /** @description A list of timeline entries. */
        TimelineEntryList: {
            /** @description Oldest first. */
            items: components["schemas"]["TimelineEntry"][];
        };
        /** @description One topic. */
        RobotTopic: {
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
             * @description Address of the ROS graph that it is of, as the robot reaches it.
             * @example ros1://127.0.0.1:11311
             */
            source: string;
        };
        /** @description The ROS topics of a robot. */
        RobotTopicList: {
            /** @description By name, then source. */
            items: components["schemas"]["RobotTopic"][];
            /**
             * @description Names of the nodes of its graphs, where they can be known.
             * @example [
             *       "/imu_driver"
             *     ]
             */
            nodes: string[];
            /**
             * @description Whether some were left out, for there are too many.
             * @example false
             */
            truncated: boolean;
        };
        /** @description One connection of one viewer to a shell on a robot. */
        ShellSession: {
            /**
             * @description Id of the session, as in the audit log.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            id: string;
            /**
             * @description Id of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Who opened it; absent for a token of the org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            user_id?: string;
            /**
             * @description By which token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            token_id: string;
            /**
             * Format: date-time
             * @description When it began.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended, or when it was seen that the server that held it is gone; absent while it is open.
             * @example 2026-11-21T09:03:12.400Z
             */
            ended_at?: string;
            /**
             * Format: int64
             * @description How long it lasted; absent while it is open.
             * @example 192
             */
            seconds?: number;
            /**
             * Format: int64
             * @description What was sent to the robot, in bytes; absent while it is open, and where nobody was left to count.
             * @example 412
             */
            bytes_from_viewer?: number;
            /**
             * Format: int64
             * @description What the robot sent, in bytes; absent while it is open, and where nobody was left to count.
             * @example 18234
             */
            bytes_to_viewer?: number;
            /**
             * @description The code by which the viewer's WebSocket was closed, 1000 for an end as usual; absent while it is open, and where the server died.
             * @example 1000
             */
            close_code?: number;
            /**
             * @description Whether there is a recording.
             * @example true
             */
            recorded: boolean;
        };
        /** @description A list of shell sessions. */
        ShellSessionList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["ShellSession"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A line of JSON with `version`, `width`, `height` and `timestamp`, then one for each event, `[seconds, "o", text]` for output and `[seconds, "r", "columns x rows"]` without the blanks for a new size. What is no UTF-8 is shown as U+FFFD. */
        Asciicast: string;
        /**
         * @description The stream, `shell`, `logs`, `camera` or `topic`; any camera and any topic of the robot.
         * @example logs
         * @enum {string}
         */
        StreamKind: "shell" | "logs" | "camera" | "topic";
        /** @description The stream that a ticket is to open. */
        StreamTicketCreate: {
            /**
             * @description Id of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            kind: components["schemas"]["StreamKind"];
        };
        /** @description Opens one live stream, once. */
        StreamTicket: {
            /**
             * @description The ticket; only its digest is kept, until it is used or has expired.
             * @example svc_ticket_9b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d9f3c
             */
            ticket: string;
            /**
             * @description Id of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description The stream.
             * @example logs
             */
            kind: string;
            /**
             * Format: date-time
             * @description Until when it is taken.
             * @example 2026-11-22T09:00:30.000Z
             */
            expires_at: string;
        };
        /** @description One ticket. */
        StreamTicketResponse: {
            data: components["schemas"]["StreamTicket"];
        };
        /** @description What an artifact is: its name, its hash and its size. A release never changes; whether its file is there does. */
        Release: {
            /**
             * @description Id of the release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            id: string;
            /**
             * @description Name of this version; unique within its kind.
             * @example nav-1.8.2
             */
            tag: string;
            /**
             * @description How robots install it, such as container_image, archive, file, script or agent; robots may know other kinds.
             * @example container_image
             */
            kind: string;
            /**
             * @description SHA-256 of the artifact, in hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            artifact_sha256: string;
            /**
             * Format: int64
             * @description Size of the artifact, in bytes.
             * @example 183500800
             */
            artifact_size: number;
            /**
             * @description Whether the service has the file, so that robots get it from there; robots that can get it elsewhere do without.
             * @example true
             */
            artifact_stored: boolean;
            /**
             * @description What is new; absent without notes.
             * @example Slower turns near people.
             */
            notes?: string;
            /**
             * @description Signature of whoever vouches for it, base64; absent without one.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description Which key the signature is of; absent without one.
             * @example release-2026
             */
            key_id?: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of releases. */
        ReleaseList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Release"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A release to create. */
        ReleaseCreate: {
            /**
             * @description SHA-256 of the artifact, in lower-case hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            artifact_sha256: string;
            /**
             * Format: int64
             * @description Size of the artifact, in bytes.
             * @example 183500800
             */
            artifact_size: number;
            tag: components["schemas"]["DisplayName"];
            /**
             * @description How robots install it; default container_image.
             * @example container_image
             */
            kind?: string;
            /**
             * @description What is new.
             * @example Slower turns near people.
             */
            notes?: string;
            /**
             * @description Signature of whoever vouches for it, base64; handed to the robots as it is.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description Which key the signature is of; needed with `signature`.
             * @example release-2026
             */
            key_id?: string;
        };
        /** @description One release. */
        ReleaseResponse: {
            data: components["schemas"]["Release"];
        };
        /**
         * Format: binary
         * @description Bytes of a file.
         */
        ArtifactBytes: string;
        /** @description How much of an artifact the service has. */
        Artifact: {
            /**
             * @description SHA-256 of the file, in hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            artifact_sha256: string;
            /**
             * Format: int64
             * @description Size of the file in bytes.
             * @example 183500800
             */
            artifact_size: number;
            /**
             * Format: int64
             * @description How many of its bytes are here, from the first on.
             * @example 183500800
             */
            received: number;
            /**
             * @description Whether all of it is here and was verified; only then robots get it.
             * @example true
             */
            complete: boolean;
        };
        /** @description What is here of an artifact. */
        ArtifactResponse: {
            data: components["schemas"]["Artifact"];
        };
        /** @description How many robots are in which status; all 0 before the robots are fixed. */
        TargetCounts: {
            /**
             * Format: int32
             * @description All robots.
             * @example 3
             */
            total: number;
            /**
             * Format: int32
             * @description Robots that are waiting.
             * @example 3
             */
            waiting: number;
            /**
             * Format: int32
             * @description Robots that are dispatched.
             * @example 3
             */
            dispatched: number;
            /**
             * Format: int32
             * @description Robots that are downloading.
             * @example 3
             */
            downloading: number;
            /**
             * Format: int32
             * @description Robots that are installing.
             * @example 3
             */
            installing: number;
            /**
             * Format: int32
             * @description Robots that are verifying.
             * @example 3
             */
            verifying: number;
            /**
             * Format: int32
             * @description Robots that are cancelling.
             * @example 3
             */
            cancelling: number;
            /**
             * Format: int32
             * @description Robots that are rolling_back.
             * @example 3
             */
            rolling_back: number;
            /**
             * Format: int32
             * @description Robots that are applied.
             * @example 3
             */
            applied: number;
            /**
             * Format: int32
             * @description Robots that are failed.
             * @example 3
             */
            failed: number;
            /**
             * Format: int32
             * @description Robots that are rolled_back.
             * @example 3
             */
            rolled_back: number;
            /**
             * Format: int32
             * @description Robots that are cancelled.
             * @example 3
             */
            cancelled: number;
        };
        /** @description What has to happen next, worked out when it is read; absent once it has ended. */
        WaitingOn: {
            /**
             * @description Of a deployment: schedule, claim (due, about to start), robots_offline, earlier_orders, dispatch, robots_working, cancel_confirmation. Of a robot: offline, agent_too_old, earlier_order, dispatch, acknowledgement, robot_working, cancel_confirmation, cancel, newer_order. Others may come. Of more than 500 robots with one status not all are looked at: robots_offline then says that nobody was found online among those that were.
             * @example robots_working
             */
            code: string;
            /**
             * Format: date-time
             * @description Since when; absent where that is not known.
             * @example 2026-11-21T09:00:03.120Z
             */
            since?: string;
        };
        /** @description Why the service itself made this order; absent for orders of people and programs. */
        Cause: {
            /**
             * @description `enrolled` or `moved`: the robot came to a fleet that has this order. Others may come.
             * @example enrolled
             */
            kind: string;
            /**
             * @description The order that the robot lacked.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id: string;
        };
        /** @description A deployment: one order for one robot or one fleet. */
        Deployment: {
            /**
             * @description Id of the deployment.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            id: string;
            /**
             * @description The release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id: string;
            /**
             * @description What the order is for, `robot` or `fleet`. Others may come.
             * @example fleet
             */
            target_kind: string;
            /**
             * @description Id of the robot or fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * @description One of `scheduled`, `pending`, `in_progress`, `paused` and `cancelling`; at its end `applied`, `failed`, `rolled_back` or `cancelled`, which never change again. Others may come. `failed` if any robot failed, else `rolled_back` if any rolled back, else `applied` if any applied, else `cancelled`.
             * @example in_progress
             */
            status: string;
            /**
             * @description Why it ended as it did where no robot says so, as in no_targets or too_many_targets; absent otherwise.
             * @example no_targets
             */
            reason?: string;
            /**
             * Format: date-time
             * @description Not before this instant; absent when it was ordered at once.
             * @example 2026-11-21T09:00:00.000Z
             */
            scheduled_at?: string;
            /**
             * Format: int32
             * @description How long a robot may stay in one status once it works on the order; each `progress` that it tells begins the time anew, for 24 hours at most.
             * @example 30
             */
            active_minutes: number;
            counts: components["schemas"]["TargetCounts"];
            waiting_on?: components["schemas"]["WaitingOn"];
            caused_by?: components["schemas"]["Cause"];
            /**
             * @description Signature of whoever vouches for it, base64; absent without one.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description Which key the signature is of; absent without one.
             * @example release-2026
             */
            key_id?: string;
            /**
             * Format: date-time
             * @description When it was ordered.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its robots were fixed; absent before.
             * @example 2026-11-21T09:00:00.040Z
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description When the last robot ended; absent before.
             * @example 2026-11-21T09:00:52.210Z
             */
            ended_at?: string;
        };
        /** @description A list of deployments. */
        DeploymentList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Deployment"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /**
         * @description What the order is for, one `robot` or all robots of a `fleet`.
         * @example fleet
         * @enum {string}
         */
        TargetKind: "robot" | "fleet";
        /** @description A deployment to order. */
        DeploymentCreate: {
            /**
             * @description The release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id: string;
            target_kind: components["schemas"]["TargetKind"];
            /**
             * @description Id of the robot or fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * Format: date-time
             * @description When it is due, RFC 3339 with `Z` or an offset; a past instant means now, at most five years ahead. Milliseconds count, further digits are cut.
             * @example 2026-11-22T02:00:00+09:00
             */
            scheduled_at?: string;
            /**
             * @description How long a robot may stay in one status once it works on the order, 1 minute to 7 days, default 30 minutes; then it counts as failed.
             * @example 30
             */
            active_minutes?: number;
            /**
             * @description Signature of whoever vouches for it, base64; handed to the robots as it is. The service does not check it; robots that require signatures do.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description Which key the signature is of; needed with `signature`.
             * @example release-2026
             */
            key_id?: string;
        };
        /** @description One deployment. */
        DeploymentResponse: {
            data: components["schemas"]["Deployment"];
        };
        /** @description How far the robot is with what its status says, as it last told; absent where it did not, and once the status changes. */
        TargetProgress: {
            /**
             * Format: int32
             * @description 0 to 100.
             * @example 40
             */
            percent: number;
            /**
             * @description What it is doing, in its words; absent where it gave none.
             * @example 412 of 1024 MiB
             */
            text?: string;
            /**
             * Format: date-time
             * @description When the service last heard of it.
             * @example 2026-11-21T09:00:08.120Z
             */
            at: string;
        };
        /** @description One robot of an order. */
        DeploymentTarget: {
            /**
             * @description The robot; it may have been removed since.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description One of `waiting`, `dispatched`, `downloading`, `installing`, `verifying`, `cancelling` and `rolling_back`; at its end `applied`, `failed`, `rolled_back` or `cancelled`. Others may come.
             * @example installing
             */
            status: string;
            /**
             * @description Why it ended so, as in timed_out, expired, digest_mismatch, no_artifact, no_handler, install_failed, verify_failed, superseded, forced, robot_removed, too_many_orders; absent otherwise. Others may come.
             * @example verify_failed
             */
            reason?: string;
            /**
             * @description What the robot said, at most 4 KiB; absent where it said nothing.
             * @example healthcheck exited with 1
             */
            message?: string;
            progress?: components["schemas"]["TargetProgress"];
            waiting_on?: components["schemas"]["WaitingOn"];
            /**
             * Format: date-time
             * @description When it ends by itself if nothing happens; absent once it has ended.
             * @example 2026-11-21T09:30:03.120Z
             */
            deadline_at?: string;
            /**
             * Format: date-time
             * @description When it was last handed to the robot; absent before.
             * @example 2026-11-21T09:00:00.090Z
             */
            dispatched_at?: string;
            /**
             * Format: date-time
             * @description When its status last changed.
             * @example 2026-11-21T09:00:03.120Z
             */
            updated_at: string;
        };
        /** @description A list of robots of an order. */
        DeploymentTargetList: {
            /** @description In order of `robot_id`. */
            items: components["schemas"]["DeploymentTarget"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description One thing that happened to an order. Each transition that the service received is an event of its own, in the order of the robot's reports. A robot may leave out transitions: after it lost its link it sends the latest state of each order only, and reports that arrive late or out of order change nothing. */
        DeploymentEvent: {
            /**
             * @description Id of the event.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cb4
             */
            id: string;
            /**
             * Format: int64
             * @description Number of the event within the order, from 1, without gaps.
             * @example 4
             */
            seq: number;
            /**
             * Format: date-time
             * @description When the service recorded it, by the database's clock; while the database stalls, reports are recorded up to 30 s after they arrived.
             * @example 2026-11-21T09:00:03.120Z
             */
            at: string;
            /**
             * @description Status of the order after the event.
             * @example in_progress
             */
            status: string;
            /**
             * @description The robot; absent where the event is of the whole order.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id?: string;
            /**
             * @description Status of the robot after the event; with `robot_id`.
             * @example installing
             */
            target_status?: string;
            /**
             * @description Why, where there is a reason.
             * @example timed_out
             */
            reason?: string;
            /**
             * @description What the robot said, at most 4 KiB.
             * @example healthcheck exited with 1
             */
            message?: string;
        };
        /** @description A list of events. */
        DeploymentEventList: {
            /** @description Oldest first. */
            items: components["schemas"]["DeploymentEvent"][];
        };
        /** @description A key and its newest value. */
        Config: {
            /**
             * @description Id of the entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            id: string;
            /**
             * @description Namespace of the key; robots keep one file for each.
             * @example default
             */
            namespace: string;
            /**
             * @description The key; unique in its namespace.
             * @example nav.max_speed
             */
            key: string;
            /**
             * @description Any JSON value.
             * @example 1.2
             */
            value: unknown;
            /**
             * Format: int64
             * @description Number of the value, from 1.
             * @example 3
             */
            revision: number;
            /**
             * Format: date-time
             * @description When the key was first set.
             * @example 2026-11-20T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the value was set.
             * @example 2026-11-21T09:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A list of config entries. */
        ConfigList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Config"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A value to set. */
        ConfigSet: {
            /**
             * @description The key, 1 to 256 characters without control characters and without white space at either end.
             * @example nav.max_speed
             */
            key: string;
            /**
             * @description Namespace of the key; default `default`. `agent` and `system` are reserved.
             * @example default
             */
            namespace?: string;
            /**
             * @description Any JSON value of at most 64 KiB as JSON; null is a value. Numbers are kept as doubles: one beyond 2^53 or with more digits than a double keeps is refused, as is a name that an object gives twice.
             * @example 1.2
             */
            value: unknown;
        };
        /** @description One config entry. */
        ConfigResponse: {
            data: components["schemas"]["Config"];
        };
        /** @description One value that an entry has had. */
        ConfigRevision: {
            /**
             * @description Id of the entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id: string;
            /**
             * Format: int64
             * @description Number of the value, from 1.
             * @example 3
             */
            revision: number;
            /**
             * @description Any JSON value.
             * @example 1.2
             */
            value: unknown;
            /**
             * Format: date-time
             * @description When it was set.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of revisions. */
        ConfigRevisionList: {
            /** @description In order of `revision`. */
            items: components["schemas"]["ConfigRevision"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A config deployment: one order for one robot or one fleet. */
        ConfigDeployment: {
            /**
             * @description Id of the config deployment.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            id: string;
            /**
             * @description The config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id: string;
            /**
             * Format: int64
             * @description The revision, fixed when the order was made.
             * @example 3
             */
            revision: number;
            /**
             * @description Namespace of the entry.
             * @example default
             */
            namespace: string;
            /**
             * @description Key of the entry.
             * @example nav.max_speed
             */
            key: string;
            /**
             * @description What the order is for, `robot` or `fleet`. Others may come.
             * @example fleet
             */
            target_kind: string;
            /**
             * @description Id of the robot or fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * @description One of `scheduled`, `pending`, `in_progress`, `paused` and `cancelling`; at its end `applied`, `failed`, `rolled_back` or `cancelled`, which never change again. Others may come. `failed` if any robot failed, else `rolled_back` if any rolled back, else `applied` if any applied, else `cancelled`.
             * @example in_progress
             */
            status: string;
            /**
             * @description Why it ended as it did where no robot says so, as in no_targets or too_many_targets; absent otherwise.
             * @example no_targets
             */
            reason?: string;
            /**
             * Format: date-time
             * @description Not before this instant; absent when it was ordered at once.
             * @example 2026-11-21T09:00:00.000Z
             */
            scheduled_at?: string;
            /**
             * Format: int32
             * @description How long a robot may stay in one status once it works on the order; each `progress` that it tells begins the time anew, for 24 hours at most.
             * @example 30
             */
            active_minutes: number;
            counts: components["schemas"]["TargetCounts"];
            waiting_on?: components["schemas"]["WaitingOn"];
            caused_by?: components["schemas"]["Cause"];
            /**
             * @description Signature of whoever vouches for it, base64; absent without one.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description Which key the signature is of; absent without one.
             * @example release-2026
             */
            key_id?: string;
            /**
             * Format: date-time
             * @description When it was ordered.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its robots were fixed; absent before.
             * @example 2026-11-21T09:00:00.040Z
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description When the last robot ended; absent before.
             * @example 2026-11-21T09:00:52.210Z
             */
            ended_at?: string;
        };
        /** @description A list of config deployments. */
        ConfigDeploymentList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["ConfigDeployment"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A config deployment to order. */
        ConfigDeploymentCreate: {
            /**
             * @description The config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id: string;
            target_kind: components["schemas"]["TargetKind"];
            /**
             * @description Id of the robot or fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * Format: date-time
             * @description When it is due, RFC 3339 with `Z` or an offset; a past instant means now, at most five years ahead. Milliseconds count, further digits are cut.
             * @example 2026-11-22T02:00:00+09:00
             */
            scheduled_at?: string;
            /**
             * @description How long a robot may stay in one status once it works on the order, 1 minute to 7 days, default 30 minutes; then it counts as failed.
             * @example 30
             */
            active_minutes?: number;
            /**
             * @description Signature of whoever vouches for it, base64; handed to the robots as it is. The service does not check it; robots that require signatures do.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description Which key the signature is of; needed with `signature`.
             * @example release-2026
             */
            key_id?: string;
        };
        /** @description One config deployment. */
        ConfigDeploymentResponse: {
            data: components["schemas"]["ConfigDeployment"];
        };
        /** @description How the robot wants to be known; without a name the service makes one from the id. */
        EnrollAgent: {
            name?: components["schemas"]["DisplayName"];
            /**
             * @description A random text of the agent, 16 to 128 visible characters, the same on each retry of one enrollment.
             * @example 4f1c2d3e4b5a69788796a5b4c3d2e1f0
             */
            nonce?: string;
        };
        /** @description What an agent keeps to be this robot. */
        RobotIdentity: {
            /**
             * @description Id of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Token of the robot; only its digest is kept.
             * @example svc_robot_5b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d0b1c
             */
            robot_token: string;
            /**
             * @description Name of the robot.
             * @example amr-007
             */
            robot_name: string;
            /**
             * @description Org of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            org_id: string;
            /**
             * @description Site of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Fleet of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
        };
        /** @description The identity of an enrolled robot. */
        RobotIdentityResponse: {
            data: components["schemas"]["RobotIdentity"];
        };
        /** @description Which try this is. */
        RotateAgentToken: {
            /**
             * @description A secret random text of the agent, 32 to 128 visible characters, the same on each retry.
             * @example 4f1c2d3e4b5a69788796a5b4c3d2e1f04f1c2d3e4b5a69788796a5b4c3d2e1f0
             */
            nonce: string;
        };
        /** @description What an agent uses from then on. */
        AgentToken: {
            /**
             * @description New value of the robot's token; only its digest is kept.
             * @example svc_robot_5b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d0b1c
             */
            robot_token: string;
        };
        /** @description The new value of a robot's token. */
        AgentTokenResponse: {
            data: components["schemas"]["AgentToken"];
        };
        /** @description The payload of an order, byte for byte. */
        Payload: {
            /**
             * @description SHA-256 of the payload as UTF-8, in hex.
             * @example 8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1
             */
            digest: string;
            /**
             * @description JSON text; hash it as it is, then parse it.
             * @example {"config":[{"namespace":"default","key":"nav.max_speed","revision":3,"value":1.2}]}
             */
            payload: string;
        };
        /** @description One payload. */
        PayloadResponse: {
            data: components["schemas"]["Payload"];
        };
        /** @description One change, who made it and what it changed. */
        AuditEntry: {
            /**
             * Format: int64
             * @description Number in the org, without gaps, given after the commit; nothing ever appears behind a number that was given.
             * @example 2
             */
            seq: number;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-21T09:00:00.000Z
             */
            at: string;
            /**
             * @description Kind of the caller, such as user, org, robot, enroll, admin or system.
             * @example user
             */
            actor_kind: string;
            /**
             * @description Id of the user, org or enrollment key; absent for admin and system.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            actor_id?: string;
            /**
             * @description Id of the token of the call.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            token_id?: string;
            /**
             * @description Id of the request; absent for what the service does by itself.
             * @example 7b1e3f0c-2f57-4f3c-9a53-5f4e9f6f1c11
             */
            request_id?: string;
            /**
             * @description The `operationId`.
             * @example createSite
             */
            operation: string;
            /**
             * @description Kind of the object.
             * @example site
             */
            object_kind: string;
            /**
             * @description Id of the object.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            object_id: string;
            /**
             * @description The fields that changed, as they were; absent for something new.
             * @example {
             *       "name": "Kyoto"
             *     }
             */
            before?: {
                [key: string]: unknown;
            };
            /**
             * @description The same fields as they are now, or all of something new; absent for something removed.
             * @example {
             *       "name": "Osaka"
             *     }
             */
            after?: {
                [key: string]: unknown;
            };
            /**
             * @description SHA-256 in hex over the 32 bytes of the hash of the entry before (for the first entry, the SHA-256 of the org's id) and this entry without its `hash` as canonical JSON (RFC 8785). Given together with `seq`; absent only for a while after an upgrade, from entries that an earlier release has numbered and those behind them.
             * @example 57c2af5b66993f0d35015618f92ee3faf4a0b06b3a4e5aa12521a02e3d8e5efd
             */
            hash?: string;
        };
        /** @description A list of audit entries. */
        AuditEntryList: {
            /** @description Oldest first. */
            items: components["schemas"]["AuditEntry"][];
        };
        /** @description A list of orgs. */
        OrgList: {
            /** @description In order of `created_at`, then `id`. */
            items: components["schemas"]["Org"][];
            /**
             * @description Where the next page begins; only with `limit`, and only while more exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description An org to create. */
        OrgCreate: {
            name: components["schemas"]["DisplayName"];
        };
        /** @description An approved org and its bootstrap token. */
        OrgApproval: {
            org: components["schemas"]["Org"];
            /**
             * @description The org token, shown this once; only its digest is kept.
             * @example svc_org_7b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d1234
             */
            token: string;
        };
        /** @description An approved org with its token. */
        OrgApprovalResponse: {
            data: components["schemas"]["OrgApproval"];
        };
        /** @description An org token to issue; it does not expire. */
        OrgTokenCreate: {
            /**
             * @description Label for people, 1 to 128 characters.
             * @example replaces the lost one
             */
            label?: string;
        };
        /** @description Counts over all orgs. */
        Stats: {
            /**
             * @description Version of the service.
             * @example 0.1.0
             */
            version: string;
            /**
             * Format: date-time
             * @description When this process started.
             * @example 2026-11-21T09:00:00.000Z
             */
            started_at: string;
            /**
             * Format: int64
             * @description How many orgs wait for approval.
             * @example 1
             */
            orgs_pending: number;
            /**
             * Format: int64
             * @description How many orgs are approved.
             * @example 3
             */
            orgs_approved: number;
            /**
             * Format: int64
             * @description How many orgs are suspended.
             * @example 0
             */
            orgs_suspended: number;
            /**
             * Format: int64
             * @description How many users.
             * @example 12
             */
            users: number;
            /**
             * Format: int64
             * @description How many robots.
             * @example 240
             */
            robots: number;
            /**
             * Format: int64
             * @description How many sites.
             * @example 6
             */
            sites: number;
            /**
             * Format: int64
             * @description How many fleets.
             * @example 14
             */
            fleets: number;
            /**
             * Format: int64
             * @description How many enrollment keys are not revoked.
             * @example 9
             */
            enrollment_keys: number;
            /**
             * Format: int64
             * @description How many tokens are not revoked.
             * @example 263
             */
            tokens: number;
            /**
             * Format: int64
             * @description Size of the database in bytes.
             * @example 18874368
             */
            database_bytes: number;
        };
        /** @description Counts. */
        StatsResponse: {
            data: components["schemas"]["Stats"];
        };
    };
    responses: {
        /** @description The request is not what the contract says; nothing was done. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "bad_request",
                 *         "message": "query: unknown parameter \"colour\""
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No token, or one that is unknown, expired or revoked; with Retry-After one that is good, but whose org is suspended for now. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unauthorized",
                 *         "message": "token unknown, expired or revoked"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is good, but not for this operation. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "forbidden",
                 *         "message": "needs operator or higher; this token is viewer"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such object in this org, or `X-Service-Org-Id` names an org that is not the token's. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "not_found",
                 *         "message": "site not found"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request has an `Expect` header other than `100-continue`. The connection closes; headers of the API may be missing. */
        ExpectationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "Expect must be 100-continue"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The rate limit of this token or address is used up, four complete lists of this org are being read already, or as many files are in transfer as the token or the org may have at once. Retry after `Retry-After` seconds. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "rate limit reached"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request has more than 16 KiB or 256 lines of headers. The connection closes; headers of the API may be missing. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "the headers are larger than 16 KiB"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service; the request id leads to its log. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "internal_server_error",
                 *         "message": "the service failed"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database is away or the service is stopping; try again. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "the database is away, try again"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "the body is larger than 1048576 bytes"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not of the type that the operation takes (`application/json` in UTF-8 but for files), or has a content encoding. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "Content-Type must be application/json"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The page is what `If-None-Match` says; there is no body. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ListTag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The org has a user of this address. */
        AddressTaken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "the org has a user of this address already"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The object is not in a state that allows this. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "the org is approved; approve needs pending"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The robot is offline, or its agent reads no ROS graph or sends an invalid list. With `Retry-After` where its server has just stopped, and it is expected back. */
        TopicsConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "agent offline"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The org has a release of this tag and kind, of another artifact. */
        TagTaken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "the org has a release \"nav-1.8.2\" of kind container_image with another artifact"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The range begins behind the end of the file. */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                "Content-Range": components["headers"]["ContentRange"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "the file has 183500800 bytes"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing came for 60 s, or less than 16 KiB/s on average after the first 60 s. What came before is kept; continue from `Upload-Offset`. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "no byte came for 60 s"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The part does not begin where the upload stands, or the artifact is being uploaded by another call; the latter has `Retry-After`. */
        UploadConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "1048576 bytes are here: go on from there"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The file is larger than the whole disk of the service. Nothing was stored. */
        ArtifactTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "http_error",
                 *         "message": "the artifact is larger than the disk of the service"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key was used with another payload, its first call is still in flight (with `Retry-After`), or 2,000 orders wait for the robot, the most that may. */
        KeyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "this Idempotency-Key was used with another payload"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The order has ended. */
        DeploymentEnded: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "the deployment has ended: applied"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
         */
        OrgChoice: string;
        /**
         * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
         * @example 50
         */
        Limit: number;
        /**
         * @description The `next_cursor` of the page before; goes with `limit`.
         * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
         */
        Cursor: string;
        /**
         * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
         * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
         */
        IfNoneMatch: string;
        /**
         * @description Id of the object. An id of another org answers like an unknown one.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
         */
        Id: string;
        /**
         * @description Only objects of exactly this name.
         * @example pickers
         */
        Name: string;
        /**
         * @description Only objects of this site.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
         */
        SiteId: string;
        /**
         * @description At most this many records, 1 to 1,000; 200 without it.
         * @example 50
         */
        LogLimit: number;
        /**
         * @description The `next_cursor` of the answer before; the other parameters stay as they were.
         * @example b2xkZXIuNDcxMQ
         */
        LogCursor: string;
        /**
         * @description Only records of this level and above.
         * @example warn
         */
        LogLevel: "debug" | "info" | "warn" | "error" | "fatal";
        /**
         * @description Only records of this source.
         * @example journal
         */
        LogSource: string;
        /**
         * @description Only records whose message contains this text, upper and lower case alike.
         * @example battery
         */
        LogText: string;
        /**
         * @description Only records received at or after this instant, RFC 3339; not after `until`.
         * @example 2026-11-21T08:00:00Z
         */
        LogSince: string;
        /**
         * @description Only records received before this instant, RFC 3339.
         * @example 2026-11-21T09:00:00Z
         */
        LogUntil: string;
        /**
         * @description Only objects of this fleet.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
         */
        FleetId: string;
        /**
         * @description Only records after this `seq`, the next ones first.
         * @example 4700
         */
        LogAfter: number;
        /**
         * @description SHA-256 of the file, in hex, as releases of the org name it.
         * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
         */
        ArtifactSha256: string;
        /**
         * @description 1 to 255 visible characters without comma or quote, best a fresh UUID. The same key and body again give the first answer, byte for byte, with `Idempotent-Replayed: true`, and do nothing; kept for 7 days.
         * @example 6f0c2d3e-4b5a-4978-8796-a5b4c3d2e1f0
         */
        IdempotencyKey: string;
        /**
         * @description Only events after this `seq`, the next ones first.
         * @example 3
         */
        EventAfter: number;
        /**
         * @description At most this many events, 1 to 1,000; 1,000 without it.
         * @example 100
         */
        EventLimit: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Id of this request; it stands in the server's log and in the audit log. A request may bring its own, 1 to 128 of `A-Z a-z 0-9 . _ -`.
         * @example 7b1e3f0c-2f57-4f3c-9a53-5f4e9f6f1c11
         */
        XRequestId: string;
        /**
         * @description SHA-256, in hex, of `/openapi.json` as this service gives it. A client that was made from another contract sees here that it was.
         * @example 5f0c2b8e7a4d1f3960b7d5c1e8a29f4b6d3c7e1a0f9b8d2c4e6a5f7b1c3d9e80
         */
        XSpecDigest: string;
        /**
         * @description The org the token resolved to.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
         */
        XServiceOrgId: string;
        /**
         * @description The limit of this kind of call, `q` calls within `w` seconds.
         * @example "reads";q=1000;w=5
         */
        RateLimitPolicy: string;
        /**
         * @description What is left, `r` calls; the limit is whole again after `t` seconds.
         * @example "reads";r=999;t=1
         */
        RateLimit: string;
        /**
         * @description How to show who you are, always `Bearer`.
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next try.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description What stands for this page as it is; absent without `limit`. With it in `If-None-Match` the same page answers 304, for whoever reads a list again and again.
         * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
         */
        ListTag: string;
        /**
         * @description The SHA-256 of the file, in quotes.
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        ArtifactTag: string;
        /**
         * @description That ranges of bytes can be asked for, always `bytes`.
         * @example bytes
         */
        AcceptRanges: string;
        /**
         * @description Which bytes of how many the body is.
         * @example bytes 1048576-183500799/183500800
         */
        ContentRange: string;
        /**
         * @description How many bytes of an upload are here; the next part begins there.
         * @example 1048576
         */
        UploadOffset: number;
        /**
         * @description `true` where the answer is that of an earlier call with this key; absent otherwise.
         * @example true
         */
        IdempotentReplayed: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getWhoami: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "kind": "user",
                     *         "role": "operator",
                     *         "org": {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *           "name": "local"
                     *         },
                     *         "orgs": [
                     *           {
                     *             "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *             "name": "local",
                     *             "role": "operator",
                     *             "suspended": false
                     *           }
                     *         ],
                     *         "user": {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *           "email": "kim@example.com",
                     *           "name": "Kim"
                     *         },
                     *         "token": {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51",
                     *           "last_four": "9f3c"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WhoamiResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrg: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The org. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "name": "Acme Robotics",
                     *         "status": "approved",
                     *         "record_shells": true,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "approved_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrgResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOrg: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "record_shells": true
                 *     }
                 */
                "application/json": components["schemas"]["OrgUpdate"];
            };
        };
        responses: {
            /** @description The updated org. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "name": "Acme Robotics",
                     *         "status": "approved",
                     *         "record_shells": true,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "approved_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrgResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only the user with exactly this email address.
                 * @example kim@example.com
                 */
                email?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *           "email": "kim@example.com",
                     *           "name": "Kim",
                     *           "role": "operator",
                     *           "created_at": "2026-11-21T09:01:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "kim@example.com",
                 *       "name": "Kim",
                 *       "role": "operator"
                 *     }
                 */
                "application/json": components["schemas"]["UserCreate"];
            };
        };
        responses: {
            /** @description The user. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *         "email": "kim@example.com",
                     *         "name": "Kim",
                     *         "role": "operator",
                     *         "created_at": "2026-11-21T09:01:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AddressTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user as it was before the removal. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *         "email": "kim@example.com",
                     *         "name": "Kim",
                     *         "role": "operator",
                     *         "created_at": "2026-11-21T09:01:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "operator"
                 *     }
                 */
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            /** @description The updated user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *         "email": "kim@example.com",
                     *         "name": "Kim",
                     *         "role": "operator",
                     *         "created_at": "2026-11-21T09:01:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUserToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "label": "laptop",
                 *       "expires_in_hours": 720
                 *     }
                 */
                "application/json": components["schemas"]["TokenCreate"];
            };
        };
        responses: {
            /** @description The token with its value. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51",
                     *         "kind": "user",
                     *         "user_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *         "label": "laptop",
                     *         "last_four": "9f3c",
                     *         "created_at": "2026-11-21T09:02:00.000Z",
                     *         "value": "svc_user_9b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d9f3c"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenCreatedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only tokens of this kind.
                 * @example user
                 */
                kind?: "org" | "user" | "robot";
                /**
                 * @description Returns only tokens of this user.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
                 */
                user_id?: string;
                /**
                 * @description Returns only tokens of this robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
                 */
                robot_id?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51",
                     *           "kind": "user",
                     *           "user_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *           "label": "laptop",
                     *           "last_four": "9f3c",
                     *           "created_at": "2026-11-21T09:02:00.000Z",
                     *           "last_used_at": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51",
                     *         "kind": "user",
                     *         "user_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *         "label": "laptop",
                     *         "last_four": "9f3c",
                     *         "created_at": "2026-11-21T09:02:00.000Z",
                     *         "revoked_at": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSites: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only objects of exactly this name.
                 * @example pickers
                 */
                name?: components["parameters"]["Name"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sites. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *           "name": "Osaka",
                     *           "created_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SiteList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Osaka"
                 *     }
                 */
                "application/json": components["schemas"]["SiteCreate"];
            };
        };
        responses: {
            /** @description The site. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "name": "Osaka",
                     *         "created_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SiteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFleets: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only objects of exactly this name.
                 * @example pickers
                 */
                name?: components["parameters"]["Name"];
                /**
                 * @description Only objects of this site.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
                 */
                site_id?: components["parameters"]["SiteId"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fleets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *           "name": "pickers",
                     *           "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *           "created_at": "2026-11-21T09:00:05.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FleetList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createFleet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pickers",
                 *       "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21"
                 *     }
                 */
                "application/json": components["schemas"]["FleetCreate"];
            };
        };
        responses: {
            /** @description The fleet. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "name": "pickers",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "created_at": "2026-11-21T09:00:05.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FleetResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFleetLogs: {
        parameters: {
            query?: {
                /**
                 * @description At most this many records, 1 to 1,000; 200 without it.
                 * @example 50
                 */
                limit?: components["parameters"]["LogLimit"];
                /**
                 * @description The `next_cursor` of the answer before; the other parameters stay as they were.
                 * @example b2xkZXIuNDcxMQ
                 */
                cursor?: components["parameters"]["LogCursor"];
                /**
                 * @description Only records of this level and above.
                 * @example warn
                 */
                level?: components["parameters"]["LogLevel"];
                /**
                 * @description Only records of this source.
                 * @example journal
                 */
                source?: components["parameters"]["LogSource"];
                /**
                 * @description Only records whose message contains this text, upper and lower case alike.
                 * @example battery
                 */
                q?: components["parameters"]["LogText"];
                /**
                 * @description Only records received at or after this instant, RFC 3339; not after `until`.
                 * @example 2026-11-21T08:00:00Z
                 */
                since?: components["parameters"]["LogSince"];
                /**
                 * @description Only records received before this instant, RFC 3339.
                 * @example 2026-11-21T09:00:00Z
                 */
                until?: components["parameters"]["LogUntil"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "seq": 4711,
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "ts": "2026-11-21T09:00:00.000000Z",
                     *           "received_at": "2026-11-21T09:00:00.812Z",
                     *           "level": "info",
                     *           "source": "journal",
                     *           "message": "nav started",
                     *           "unit": "nav.service",
                     *           "pid": 812
                     *         }
                     *       ],
                     *       "next_cursor": "b2xkZXIuNDcxMQ"
                     *     }
                     */
                    "application/json": components["schemas"]["LogRecordList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEnrollmentKeys: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only objects of this site.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
                 */
                site_id?: components["parameters"]["SiteId"];
                /**
                 * @description Only objects of this fleet.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                fleet_id?: components["parameters"]["FleetId"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *           "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *           "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *           "label": "line 2",
                     *           "max_uses": 25,
                     *           "uses": 3,
                     *           "last_four": "77aa",
                     *           "created_at": "2026-11-21T09:03:00.000Z",
                     *           "expires_at": "2026-11-22T09:03:00.000Z",
                     *           "last_used_at": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EnrollmentKeyList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEnrollmentKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                 *       "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                 *       "label": "line 2",
                 *       "max_uses": 25,
                 *       "expires_in_hours": 24
                 *     }
                 */
                "application/json": components["schemas"]["EnrollmentKeyCreate"];
            };
        };
        responses: {
            /** @description The key with its value. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "label": "line 2",
                     *         "max_uses": 25,
                     *         "uses": 0,
                     *         "last_four": "77aa",
                     *         "created_at": "2026-11-21T09:03:00.000Z",
                     *         "expires_at": "2026-11-22T09:03:00.000Z",
                     *         "value": "svc_enroll_1b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d77aa"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EnrollmentKeyCreatedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeEnrollmentKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "label": "line 2",
                     *         "max_uses": 25,
                     *         "uses": 3,
                     *         "last_four": "77aa",
                     *         "created_at": "2026-11-21T09:03:00.000Z",
                     *         "expires_at": "2026-11-22T09:03:00.000Z",
                     *         "last_used_at": "2026-11-21T09:30:00.000Z",
                     *         "revoked_at": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EnrollmentKeyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRobots: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only objects of exactly this name.
                 * @example pickers
                 */
                name?: components["parameters"]["Name"];
                /**
                 * @description Only objects of this site.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
                 */
                site_id?: components["parameters"]["SiteId"];
                /**
                 * @description Only objects of this fleet.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                fleet_id?: components["parameters"]["FleetId"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The robots. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "name": "amr-007",
                     *           "org_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *           "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *           "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *           "online": false,
                     *           "labels": {
                     *             "floor": "2"
                     *           },
                     *           "reported": {
                     *             "releases": {},
                     *             "configs": {}
                     *           },
                     *           "created_at": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RobotList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRobot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The robot. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "name": "amr-007",
                     *         "org_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "online": false,
                     *         "labels": {
                     *           "floor": "2"
                     *         },
                     *         "reported": {
                     *           "releases": {},
                     *           "configs": {}
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRobot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The robot as it was before its removal. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "name": "amr-007",
                     *         "org_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "online": false,
                     *         "labels": {
                     *           "floor": "2"
                     *         },
                     *         "reported": {
                     *           "releases": {},
                     *           "configs": {}
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateRobot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "amr-007",
                 *       "labels": {
                 *         "floor": "2"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RobotUpdate"];
            };
        };
        responses: {
            /** @description The updated robot. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "name": "amr-007",
                     *         "org_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "online": false,
                     *         "labels": {
                     *           "floor": "2"
                     *         },
                     *         "reported": {
                     *           "releases": {},
                     *           "configs": {}
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateRobotToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token, with the rotation requested. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51",
                     *         "kind": "robot",
                     *         "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "last_four": "0b1c",
                     *         "created_at": "2026-11-21T09:02:00.000Z",
                     *         "rotation_wanted_at": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRobotHealth: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "online": true,
                     *         "last_seen_at": "2026-11-21T09:00:01.000Z",
                     *         "snapshot_at": "2026-11-21T09:00:01.000Z",
                     *         "snapshot": {
                     *           "ts": "2026-11-21T09:00:00.000Z",
                     *           "uptime_s": 86400,
                     *           "cpu": {
                     *             "cores": 4,
                     *             "percent": 12.5,
                     *             "load": [
                     *               0.42,
                     *               0.4,
                     *               0.38
                     *             ]
                     *           },
                     *           "memory": {
                     *             "total_bytes": 8326000640,
                     *             "available_bytes": 5120000000,
                     *             "swap_used_bytes": 0
                     *           },
                     *           "battery": {
                     *             "percent": 81,
                     *             "status": "Discharging",
                     *             "voltage": 24.6
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotHealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRobotLogs: {
        parameters: {
            query?: {
                /**
                 * @description Only records after this `seq`, the next ones first.
                 * @example 4700
                 */
                after?: components["parameters"]["LogAfter"];
                /**
                 * @description At most this many records, 1 to 1,000; 200 without it.
                 * @example 50
                 */
                limit?: components["parameters"]["LogLimit"];
                /**
                 * @description The `next_cursor` of the answer before; the other parameters stay as they were.
                 * @example b2xkZXIuNDcxMQ
                 */
                cursor?: components["parameters"]["LogCursor"];
                /**
                 * @description Only records of this level and above.
                 * @example warn
                 */
                level?: components["parameters"]["LogLevel"];
                /**
                 * @description Only records of this source.
                 * @example journal
                 */
                source?: components["parameters"]["LogSource"];
                /**
                 * @description Only records whose message contains this text, upper and lower case alike.
                 * @example battery
                 */
                q?: components["parameters"]["LogText"];
                /**
                 * @description Only records received at or after this instant, RFC 3339; not after `until`.
                 * @example 2026-11-21T08:00:00Z
                 */
                since?: components["parameters"]["LogSince"];
                /**
                 * @description Only records received before this instant, RFC 3339.
                 * @example 2026-11-21T09:00:00Z
                 */
                until?: components["parameters"]["LogUntil"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "seq": 4711,
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "ts": "2026-11-21T09:00:00.000000Z",
                     *           "received_at": "2026-11-21T09:00:00.812Z",
                     *           "level": "info",
                     *           "source": "journal",
                     *           "message": "nav started",
                     *           "unit": "nav.service",
                     *           "pid": 812
                     *         }
                     *       ],
                     *       "next_cursor": "b2xkZXIuNDcxMQ"
                     *     }
                     */
                    "application/json": components["schemas"]["LogRecordList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRobotTimeline: {
        parameters: {
            query?: {
                /**
                 * @description Returns only entries after this `seq`, at most 1,000.
                 * @example 40
                 */
                after?: number;
                /**
                 * @description Maximum number of entries, 1 to 1,000.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Returns only entries of this kind.
                 * @example connected
                 */
                kind?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "seq": 1,
                     *           "at": "2026-11-21T09:00:00.000Z",
                     *           "kind": "enrolled",
                     *           "message": "enrolled"
                     *         },
                     *         {
                     *           "seq": 2,
                     *           "at": "2026-11-21T09:00:01.000Z",
                     *           "kind": "connected",
                     *           "message": "connected",
                     *           "details": {
                     *             "agent_version": "fleet-agent/0.1.0",
                     *             "address": "192.0.2.17"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TimelineEntryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRobotTopics: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The topics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "name": "/imu",
                     *           "type": "sensor_msgs/Imu",
                     *           "source": "ros1://127.0.0.1:11311"
                     *         }
                     *       ],
                     *       "nodes": [
                     *         "/imu_driver"
                     *       ],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["RobotTopicList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TopicsConflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listShellSessions: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only sessions on this robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
                 */
                robot_id?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1",
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "user_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *           "token_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51",
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "ended_at": "2026-11-21T09:03:12.400Z",
                     *           "seconds": 192,
                     *           "bytes_from_viewer": 412,
                     *           "bytes_to_viewer": 18234,
                     *           "close_code": 1000,
                     *           "recorded": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ShellSessionList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadShellRecording: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recording. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-asciicast": components["schemas"]["Asciicast"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createStreamTicket: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                 *       "kind": "logs"
                 *     }
                 */
                "application/json": components["schemas"]["StreamTicketCreate"];
            };
        };
        responses: {
            /** @description The ticket. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "ticket": "svc_ticket_9b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d9f3c",
                     *         "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "kind": "logs",
                     *         "expires_at": "2026-11-22T09:00:30.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StreamTicketResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReleases: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only releases with exactly this tag.
                 * @example nav-1.8.2
                 */
                tag?: string;
                /**
                 * @description Returns only releases of this kind.
                 * @example container_image
                 */
                kind?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *           "tag": "nav-1.8.2",
                     *           "kind": "container_image",
                     *           "artifact_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "artifact_size": 183500800,
                     *           "artifact_stored": true,
                     *           "notes": "Slower turns near people.",
                     *           "created_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReleaseList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRelease: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "artifact_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *       "artifact_size": 183500800,
                 *       "tag": "nav-1.8.2",
                 *       "notes": "Slower turns near people."
                 *     }
                 */
                "application/json": components["schemas"]["ReleaseCreate"];
            };
        };
        responses: {
            /** @description A release with this tag, kind and artifact already exists. Nothing was changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "tag": "nav-1.8.2",
                     *         "kind": "container_image",
                     *         "artifact_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "artifact_size": 183500800,
                     *         "artifact_stored": true,
                     *         "notes": "Slower turns near people.",
                     *         "created_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReleaseResponse"];
                };
            };
            /** @description The release. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "tag": "nav-1.8.2",
                     *         "kind": "container_image",
                     *         "artifact_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "artifact_size": 183500800,
                     *         "artifact_stored": true,
                     *         "notes": "Slower turns near people.",
                     *         "created_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReleaseResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TagTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadArtifact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One byte range, as `bytes=first-last`, `bytes=first-` or `bytes=-count`. Any other value is ignored.
                 * @example bytes=1048576-
                 */
                Range?: string;
                /**
                 * @description The `ETag` of the file that the range continues. If it differs, the response is the whole file.
                 * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description SHA-256 of the file, in hex, as releases of the org name it.
                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                sha256: components["parameters"]["ArtifactSha256"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ArtifactTag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": components["schemas"]["ArtifactBytes"];
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ArtifactTag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": components["schemas"]["ArtifactBytes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadArtifact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The bytes in the body, as `bytes first-last/size`. `first` is the `Upload-Offset` from the `HEAD` response.
                 * @example bytes 1048576-183500799/183500800
                 */
                "Content-Range"?: string;
            };
            path: {
                /**
                 * @description SHA-256 of the file, in hex, as releases of the org name it.
                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                sha256: components["parameters"]["ArtifactSha256"];
            };
            cookie?: never;
        };
        /** @description The file, or its remaining bytes. */
        requestBody: {
            content: {
                "application/octet-stream": components["schemas"]["ArtifactBytes"];
            };
        };
        responses: {
            /** @description The progress of the upload. `complete` is false if the body was a part that does not reach the end of the file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "artifact_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "artifact_size": 183500800,
                     *         "received": 183500800,
                     *         "complete": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ArtifactResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["UploadConflict"];
            413: components["responses"]["ArtifactTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArtifact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description SHA-256 of the file, in hex, as releases of the org name it.
                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                sha256: components["parameters"]["ArtifactSha256"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All bytes are stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ArtifactTag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bytes are still missing. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Upload-Offset": components["headers"]["UploadOffset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeployments: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only deployments in this status.
                 * @example in_progress
                 */
                status?: string;
                /**
                 * @description Returns only deployments to this robot or fleet.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                target_id?: string;
                /**
                 * @description Returns only deployments that the service created for this reason, `enrolled` or `moved`. `none` returns only those of people and programs.
                 * @example none
                 */
                cause_kind?: string;
                /**
                 * @description Returns only deployments of this release.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
                 */
                release_id?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81",
                     *           "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *           "target_kind": "fleet",
                     *           "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *           "status": "in_progress",
                     *           "active_minutes": 30,
                     *           "counts": {
                     *             "total": 24,
                     *             "waiting": 3,
                     *             "dispatched": 1,
                     *             "downloading": 2,
                     *             "installing": 0,
                     *             "verifying": 1,
                     *             "cancelling": 0,
                     *             "rolling_back": 0,
                     *             "applied": 17,
                     *             "failed": 0,
                     *             "rolled_back": 0,
                     *             "cancelled": 0
                     *           },
                     *           "waiting_on": {
                     *             "code": "robots_working",
                     *             "since": "2026-11-21T09:00:03.120Z"
                     *           },
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "started_at": "2026-11-21T09:00:00.040Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDeployment: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description 1 to 255 visible characters without comma or quote, best a fresh UUID. The same key and body again give the first answer, byte for byte, with `Idempotent-Replayed: true`, and do nothing; kept for 7 days.
                 * @example 6f0c2d3e-4b5a-4978-8796-a5b4c3d2e1f0
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                 *       "target_kind": "fleet",
                 *       "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentCreate"];
            };
        };
        responses: {
            /** @description The deployment. With `Idempotent-Replayed`, it is the first response to this key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81",
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "scheduled",
                     *         "active_minutes": 30,
                     *         "counts": {
                     *           "total": 0,
                     *           "waiting": 0,
                     *           "dispatched": 0,
                     *           "downloading": 0,
                     *           "installing": 0,
                     *           "verifying": 0,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 0,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "waiting_on": {
                     *           "code": "claim",
                     *           "since": "2026-11-21T09:00:00.000Z"
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81",
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "in_progress",
                     *         "active_minutes": 30,
                     *         "counts": {
                     *           "total": 24,
                     *           "waiting": 3,
                     *           "dispatched": 1,
                     *           "downloading": 2,
                     *           "installing": 0,
                     *           "verifying": 1,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 17,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "waiting_on": {
                     *           "code": "robots_working",
                     *           "since": "2026-11-21T09:00:03.120Z"
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "started_at": "2026-11-21T09:00:00.040Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeploymentTargets: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only robots in this status.
                 * @example failed
                 */
                status?: string;
                /**
                 * @description Returns only this robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
                 */
                robot_id?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The robots. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "status": "installing",
                     *           "waiting_on": {
                     *             "code": "robot_working",
                     *             "since": "2026-11-21T09:00:03.120Z"
                     *           },
                     *           "deadline_at": "2026-11-21T09:30:03.120Z",
                     *           "dispatched_at": "2026-11-21T09:00:00.090Z",
                     *           "updated_at": "2026-11-21T09:00:03.120Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentTargetList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeploymentEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events after this `seq`, the next ones first.
                 * @example 3
                 */
                after?: components["parameters"]["EventAfter"];
                /**
                 * @description At most this many events, 1 to 1,000; 1,000 without it.
                 * @example 100
                 */
                limit?: components["parameters"]["EventLimit"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cb4",
                     *           "seq": 4,
                     *           "at": "2026-11-21T09:00:03.120Z",
                     *           "status": "in_progress",
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "target_status": "installing"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentEventList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81",
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "cancelling",
                     *         "active_minutes": 30,
                     *         "counts": {
                     *           "total": 24,
                     *           "waiting": 3,
                     *           "dispatched": 1,
                     *           "downloading": 2,
                     *           "installing": 0,
                     *           "verifying": 1,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 17,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "waiting_on": {
                     *           "code": "cancel_confirmation",
                     *           "since": "2026-11-21T09:00:03.120Z"
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "started_at": "2026-11-21T09:00:00.040Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DeploymentEnded"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConfigs: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only entries in this namespace.
                 * @example default
                 */
                namespace?: string;
                /**
                 * @description Returns only entries with exactly this key.
                 * @example nav.max_speed
                 */
                key?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *           "namespace": "default",
                     *           "key": "nav.max_speed",
                     *           "value": 1.2,
                     *           "revision": 3,
                     *           "created_at": "2026-11-20T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "nav.max_speed",
                 *       "value": 1.2
                 *     }
                 */
                "application/json": components["schemas"]["ConfigSet"];
            };
        };
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *         "namespace": "default",
                     *         "key": "nav.max_speed",
                     *         "value": 1.2,
                     *         "revision": 3,
                     *         "created_at": "2026-11-20T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConfigRevisions: {
        parameters: {
            query: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The config entry.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
                 */
                config_id: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revisions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *           "revision": 3,
                     *           "value": 1.2,
                     *           "created_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigRevisionList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConfigDeployments: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only deployments in this status.
                 * @example in_progress
                 */
                status?: string;
                /**
                 * @description Returns only deployments to this robot or fleet.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                target_id?: string;
                /**
                 * @description Returns only deployments that the service created for this reason, `enrolled` or `moved`. `none` returns only those of people and programs.
                 * @example none
                 */
                cause_kind?: string;
                /**
                 * @description Returns only deployments of this config entry.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
                 */
                config_id?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The config deployments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1",
                     *           "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *           "revision": 3,
                     *           "namespace": "default",
                     *           "key": "nav.max_speed",
                     *           "target_kind": "fleet",
                     *           "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *           "status": "in_progress",
                     *           "active_minutes": 30,
                     *           "counts": {
                     *             "total": 24,
                     *             "waiting": 3,
                     *             "dispatched": 1,
                     *             "downloading": 2,
                     *             "installing": 0,
                     *             "verifying": 1,
                     *             "cancelling": 0,
                     *             "rolling_back": 0,
                     *             "applied": 17,
                     *             "failed": 0,
                     *             "rolled_back": 0,
                     *             "cancelled": 0
                     *           },
                     *           "waiting_on": {
                     *             "code": "robots_working",
                     *             "since": "2026-11-21T09:00:03.120Z"
                     *           },
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "started_at": "2026-11-21T09:00:00.040Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigDeploymentList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createConfigDeployment: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description 1 to 255 visible characters without comma or quote, best a fresh UUID. The same key and body again give the first answer, byte for byte, with `Idempotent-Replayed: true`, and do nothing; kept for 7 days.
                 * @example 6f0c2d3e-4b5a-4978-8796-a5b4c3d2e1f0
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                 *       "target_kind": "fleet",
                 *       "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                 *     }
                 */
                "application/json": components["schemas"]["ConfigDeploymentCreate"];
            };
        };
        responses: {
            /** @description The config deployment. With `Idempotent-Replayed`, it is the first response to this key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1",
                     *         "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *         "revision": 3,
                     *         "namespace": "default",
                     *         "key": "nav.max_speed",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "scheduled",
                     *         "active_minutes": 30,
                     *         "counts": {
                     *           "total": 0,
                     *           "waiting": 0,
                     *           "dispatched": 0,
                     *           "downloading": 0,
                     *           "installing": 0,
                     *           "verifying": 0,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 0,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "waiting_on": {
                     *           "code": "claim",
                     *           "since": "2026-11-21T09:00:00.000Z"
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigDeploymentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConfigDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The config deployment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1",
                     *         "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *         "revision": 3,
                     *         "namespace": "default",
                     *         "key": "nav.max_speed",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "in_progress",
                     *         "active_minutes": 30,
                     *         "counts": {
                     *           "total": 24,
                     *           "waiting": 3,
                     *           "dispatched": 1,
                     *           "downloading": 2,
                     *           "installing": 0,
                     *           "verifying": 1,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 17,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "waiting_on": {
                     *           "code": "robots_working",
                     *           "since": "2026-11-21T09:00:03.120Z"
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "started_at": "2026-11-21T09:00:00.040Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigDeploymentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConfigDeploymentTargets: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only robots in this status.
                 * @example failed
                 */
                status?: string;
                /**
                 * @description Returns only this robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
                 */
                robot_id?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The robots. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "status": "installing",
                     *           "waiting_on": {
                     *             "code": "robot_working",
                     *             "since": "2026-11-21T09:00:03.120Z"
                     *           },
                     *           "deadline_at": "2026-11-21T09:30:03.120Z",
                     *           "dispatched_at": "2026-11-21T09:00:00.090Z",
                     *           "updated_at": "2026-11-21T09:00:03.120Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentTargetList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConfigDeploymentEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events after this `seq`, the next ones first.
                 * @example 3
                 */
                after?: components["parameters"]["EventAfter"];
                /**
                 * @description At most this many events, 1 to 1,000; 1,000 without it.
                 * @example 100
                 */
                limit?: components["parameters"]["EventLimit"];
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cb4",
                     *           "seq": 4,
                     *           "at": "2026-11-21T09:00:03.120Z",
                     *           "status": "in_progress",
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "target_status": "installing"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentEventList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelConfigDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The config deployment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1",
                     *         "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *         "revision": 3,
                     *         "namespace": "default",
                     *         "key": "nav.max_speed",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "cancelling",
                     *         "active_minutes": 30,
                     *         "counts": {
                     *           "total": 24,
                     *           "waiting": 3,
                     *           "dispatched": 1,
                     *           "downloading": 2,
                     *           "installing": 0,
                     *           "verifying": 1,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 17,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "waiting_on": {
                     *           "code": "cancel_confirmation",
                     *           "since": "2026-11-21T09:00:03.120Z"
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "started_at": "2026-11-21T09:00:00.040Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConfigDeploymentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DeploymentEnded"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enrollAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "amr-007",
                 *       "nonce": "4f1c2d3e4b5a69788796a5b4c3d2e1f0"
                 *     }
                 */
                "application/json": components["schemas"]["EnrollAgent"];
            };
        };
        responses: {
            /** @description The robot that an earlier request with this nonce created, with a new token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "robot_token": "svc_robot_5b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d0b1c",
                     *         "robot_name": "amr-007",
                     *         "org_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotIdentityResponse"];
                };
            };
            /** @description The robot is enrolled. Its token is shown only in this response. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *         "robot_token": "svc_robot_5b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d0b1c",
                     *         "robot_name": "amr-007",
                     *         "org_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotIdentityResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateAgentToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nonce": "4f1c2d3e4b5a69788796a5b4c3d2e1f04f1c2d3e4b5a69788796a5b4c3d2e1f0"
                 *     }
                 */
                "application/json": components["schemas"]["RotateAgentToken"];
            };
        };
        responses: {
            /** @description The new value. The service does not store it; only a caller with the nonce can get it again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "robot_token": "svc_robot_5b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d0b1c"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentTokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPayload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description SHA-256 of the payload, in hex.
                 * @example 8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92
                 */
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payload. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "digest": "8a40e30bd06dba449abcd5e6e00b9b2a3eee6b0a5cf4b21ddcc2b0dd12fcb5a1",
                     *         "payload": "{\"config\":[{\"namespace\":\"default\",\"key\":\"nav.max_speed\",\"revision\":3,\"value\":1.2}]}"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PayloadResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Returns only entries after this `seq`, at most 1,000.
                 * @example 40
                 */
                after?: number;
                /**
                 * @description Maximum number of entries, 1 to 1,000.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Returns only entries of this operation.
                 * @example createSite
                 */
                operation?: string;
                /**
                 * @description Returns only entries whose actor is this user, org, enrollment key or robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
                 */
                actor_id?: string;
                /**
                 * @description Returns only entries about this object.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
                 */
                object_id?: string;
            };
            header?: {
                /**
                 * @description Chooses one of the token's own orgs; needed where the token is good in several. Any other id answers 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "seq": 1,
                     *           "at": "2026-11-21T09:00:00.000Z",
                     *           "actor_kind": "admin",
                     *           "operation": "createOrg",
                     *           "object_kind": "org",
                     *           "object_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *           "after": {
                     *             "name": "Acme",
                     *             "status": "pending"
                     *           },
                     *           "hash": "c839848bdd4257cf513ea8026a15f36ce93faf09181070d4de19b2329feb721d"
                     *         },
                     *         {
                     *           "seq": 2,
                     *           "at": "2026-11-21T09:03:00.000Z",
                     *           "actor_kind": "user",
                     *           "actor_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41",
                     *           "token_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51",
                     *           "request_id": "7b1e3f0c-2f57-4f3c-9a53-5f4e9f6f1c11",
                     *           "operation": "createSite",
                     *           "object_kind": "site",
                     *           "object_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *           "after": {
                     *             "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *             "name": "Osaka"
                     *           },
                     *           "hash": "57c2af5b66993f0d35015618f92ee3faf4a0b06b3a4e5aa12521a02e3d8e5efd"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrgs: {
        parameters: {
            query?: {
                /**
                 * @description Gives a page of at most this many items, 1 to 1,000. Without it the list is complete.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before; goes with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only orgs with this status.
                 * @example pending
                 */
                status?: "pending" | "approved" | "suspended";
            };
            header?: {
                /**
                 * @description The `ETag` of this page as it came before, or several; goes with `limit`. A page that is still the same answers 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The orgs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ListTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *           "name": "Acme Robotics",
                     *           "status": "approved",
                     *           "record_shells": false,
                     *           "created_at": "2026-11-21T08:00:00.000Z",
                     *           "approved_at": "2026-11-21T08:05:00.000Z"
                     *         },
                     *         {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c02",
                     *           "name": "Osaka Logistics",
                     *           "status": "pending",
                     *           "record_shells": false,
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "requested_by": "kim@example.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrgList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrg: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Robotics"
                 *     }
                 */
                "application/json": components["schemas"]["OrgCreate"];
            };
        };
        responses: {
            /** @description The org. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "name": "Acme Robotics",
                     *         "status": "pending",
                     *         "record_shells": false,
                     *         "created_at": "2026-11-21T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrgResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The org and its token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "org": {
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *           "name": "Acme Robotics",
                     *           "status": "approved",
                     *           "record_shells": false,
                     *           "created_at": "2026-11-21T08:00:00.000Z",
                     *           "approved_at": "2026-11-21T08:05:00.000Z"
                     *         },
                     *         "token": "svc_org_7b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d1234"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrgApprovalResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    suspendOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated org. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "name": "Acme Robotics",
                     *         "status": "suspended",
                     *         "record_shells": false,
                     *         "created_at": "2026-11-21T08:00:00.000Z",
                     *         "approved_at": "2026-11-21T08:05:00.000Z",
                     *         "suspended_at": "2026-11-21T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrgResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeOrg: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated org. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *         "name": "Acme Robotics",
                     *         "status": "approved",
                     *         "record_shells": false,
                     *         "created_at": "2026-11-21T08:00:00.000Z",
                     *         "approved_at": "2026-11-21T08:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrgResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrgToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the object. An id of another org answers like an unknown one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "label": "replaces the lost one"
                 *     }
                 */
                "application/json": components["schemas"]["OrgTokenCreate"];
            };
        };
        responses: {
            /** @description The token with its value. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c52",
                     *         "kind": "org",
                     *         "label": "replaces the lost one",
                     *         "last_four": "1234",
                     *         "created_at": "2026-11-21T09:02:00.000Z",
                     *         "value": "svc_org_7b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d1234"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TokenCreatedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "version": "0.1.0",
                     *         "started_at": "2026-11-21T08:00:00.000Z",
                     *         "orgs_pending": 1,
                     *         "orgs_approved": 3,
                     *         "orgs_suspended": 0,
                     *         "users": 12,
                     *         "robots": 240,
                     *         "sites": 6,
                     *         "fleets": 14,
                     *         "enrollment_keys": 9,
                     *         "tokens": 263,
                     *         "database_bytes": 18874368
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StatsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
