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
    "/api/org/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get quotas
         * @description Returns what the org may have, and what it has. The operator of the service sets the limits.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Creates a place where robots work. A name that another site of the org has, in any letter case, is refused with 409.
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
    "/api/sites/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get site
         * @description Returns one site of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getSite"];
        put?: never;
        post?: never;
        /**
         * Delete site
         * @description Deletes a site without fleets; otherwise 409. Audit entries and deployments keep its ID.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteSite"];
        options?: never;
        head?: never;
        /**
         * Update site
         * @description Changes the name of the site, or the address of its artifact cache. Orders that are sent later have the new address. A name that another site of the org has, in any letter case, is refused with 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        patch: operations["updateSite"];
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
         * @description Creates a fleet at a site. A name that another fleet of the site has, in any letter case, is refused with 409.
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
    "/api/fleets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get fleet
         * @description Returns one fleet of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getFleet"];
        put?: never;
        post?: never;
        /**
         * Delete fleet
         * @description Deletes an empty fleet. While it has robots, also retired ones, valid enrollment keys, or scheduled or active deployments, the response is 409, and the message has their numbers. Its revoked, expired and used-up enrollment keys are deleted too. Audit entries and ended deployments keep its ID. Its logs stay with the robots that sent them.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteFleet"];
        options?: never;
        head?: never;
        /**
         * Rename fleet
         * @description Changes the name of the fleet. A name that another fleet of the site has, in any letter case, is refused with 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        patch: operations["updateFleet"];
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
         * @description Returns the robots of the org. Retired robots are listed only with `retired=true`, and then without others.
         *
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
         * @description Renames, moves or labels a robot. Fields that you leave out stay unchanged. Moving a robot to another fleet also moves it to the site of that fleet. Labels are replaced as a whole. A name that another robot of the org has, in any letter case, is refused with 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        patch: operations["updateRobot"];
        trace?: never;
    };
    "/api/robots/{id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get robot pin
         * @description Returns at which release a robot is held, until when, by whom and why. 404 unless it is pinned.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getRobotPin"];
        /**
         * Pin robot
         * @description Holds a robot at a release until a time: it gets no deployment of another release, of any kind, also none that is for this robot
         *     alone. Its target waits with `waiting_on` `pin`. Deployments of the release itself, and of configs, are sent as usual.
         *
         *     A pinned robot takes no room of pace and disruption budgets, counts as available, and does not hold up the wave of a rollout. A
         *     wave whose robots are all held waits, unless its `min_ended` is 0; skip or advance it. Their 7 days do not run meanwhile. What waits for
         *     the end of the pin replaces no older deployment of the pinned release before. A rollback leaves it out, unless it returns to this release. Within seconds after the pin ends, it gets
         *     the newest deployment that waits for it.
         *
         *     A pin takes no order back: if the robot has one of another release already, `deployment_id` says so; cancel that
         *     deployment to stop it. The pin stays when the robot moves, and is that of the new robot when its machine enrolls again.
         *
         *     A new pin replaces the earlier one. The same pin again changes nothing.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        put: operations["setRobotPin"];
        post?: never;
        /**
         * Unpin robot
         * @description Ends the pin of a robot. Within seconds it gets the newest deployment that waits for it. 404 unless it is pinned.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteRobotPin"];
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Returns whether the robot is online, when it was last seen, its conditions, and its latest health snapshot.
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
    "/api/robots/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics history
         * @description Returns the history of six measurements of the robot, in arrays for charts.
         *
         *     - One sample per 30 s is kept for 24 hours, and the lowest, mean and highest value of each five minutes for 30 days.
         *       Older parts of the range are left out.
         *     - Times are those at which the service received the snapshots. The clock of the robot has no effect.
         *     - A response has at most 2,880 values per array. The intervals of a range of more than 10 days are longer.
         *     - A restart after a crash of the service may lose samples of the last 10 minutes.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getRobotMetrics"];
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
         *     - `downgrade_left_out` means that the robot keeps the newer release that it runs (`running`) in place of that of the
         *       deployment (`deployment_id`, `release`), which began, or whose fleet the robot joined, as it has no `allow_downgrade`.
         *     - `pinned` has the `release_id`, `tag` and `reason` of the pin, `until` and `pinned_by`; also when it replaces another pin.
         *       `unpinned` has `unpinned_by`, unless the time of the pin is over.
         *
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
    "/api/condition-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List condition rules
         * @description Returns the condition rules of the org. An org begins with built-in rules, which you can change and delete.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConditionRules"];
        put?: never;
        /**
         * Create condition rule
         * @description Creates a rule. The service evaluates it with each health snapshot of a robot in its scope, and for robots that are offline. A condition that begins or ends is an entry of the timeline of the robot.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createConditionRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/condition-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get condition rule
         * @description Returns one condition rule of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getConditionRule"];
        put?: never;
        post?: never;
        /**
         * Delete condition rule
         * @description Deletes a rule. Its conditions end.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteConditionRule"];
        options?: never;
        head?: never;
        /**
         * Update condition rule
         * @description Changes a rule. Fields that you leave out stay unchanged. Robots in its scope are evaluated again.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        patch: operations["updateConditionRule"];
        trace?: never;
    };
    "/api/condition-matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List robots that an expression matches
         * @description Returns the robots that an expression matches now, by their latest health snapshots. Use it to try a rule before you create it.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConditionMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health-summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get health summary
         * @description Returns the numbers of robots by health, in total, by site and by fleet, and the number of robots with each condition.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getHealthSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get health history
         * @description Returns the numbers of robots by health over the last 24 hours, for charts.
         *
         *     - One point per five minutes, oldest first. The robots are counted once in each interval.
         *     - Intervals in which the service did not count are missing: while it was stopped, in its first minute, and before
         *       this feature was installed.
         *     - Retired robots are not counted.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getHealthHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/maintenance-windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List maintenance windows
         * @description Returns the maintenance windows of the org, also those that have ended.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listMaintenanceWindows"];
        put?: never;
        /**
         * Start maintenance
         * @description Starts the maintenance of a robot, or of all robots of a fleet or site, also of those that join it meanwhile. The service still evaluates their conditions, but they do not affect `health_status` until the window ends.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createMaintenanceWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/maintenance-windows/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End maintenance
         * @description Ends a maintenance window now. Ending it again changes nothing.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["endMaintenanceWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/robot-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List newest measurements
         * @description Returns the robots of the org with the measurements of their newest health snapshot. For the history of a robot, see `GET /api/robots/{id}/metrics`.
         *
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
         */
        get: operations["listRobotMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search logs
         * @description Returns the latest 200 log records of the org that match all parameters, newest first. Set `order=asc` for the
         *     oldest first, beginning at `since` or with the oldest stored record. Set `limit` for another number.
         *
         *     - Records are ordered by the time at which the service received them, then by robot, then by number, also across
         *       pages.
         *     - A record belongs to the fleet that its robot was a member of when it sent the record, and to the site of that
         *       fleet. It stays there after the robot moves to another fleet or is removed.
         *     - Records of a removed robot or a deleted fleet are found by its ID. IDs that are unknown match no record.
         *
         *     A request stops after about 16 MiB of stored logs or 200 ms. The response may then have fewer records, or none, and a
         *     `next_cursor` to continue. `read_to` has the time up to which the search has come.
         *
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
         */
        get: operations["listLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get log statistics
         * @description Returns how many log records match all parameters, with their bytes and levels, over time.
         *
         *     - Records are counted once, about two minutes after they were received. `counted_to` says how far.
         *     - Intervals are in UTC, also those of a day. The range is extended to whole intervals.
         *     - A response has at most 1,000 intervals, or 200 with `by`. The default of `step` is the shortest with at most 200.
         *     - With `by`, `series` has the 50 robots or sources with the most records. `rest` has all others.
         *     - A record counts for the fleet that its robot was a member of when it sent the record, and for the site of that
         *       fleet. It stays there after the robot moves to another fleet or is removed.
         *     - Of a robot, the first 32 sources of a day are counted by name in each fleet. Records of further sources are in
         *       `rest`, and the parameter `source` does not find them. This is decided about ten minutes later; until then further
         *       sources may have a name too.
         *     - Counts are kept as long as logs. Older parts of the range are left out. IDs that are unknown match no record.
         *
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
         */
        get: operations["getLogStats"];
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
         * @description Records the hash, size and tag of an artifact. Releases never change. A request with an existing tag and kind returns the existing release if the artifact is the same; otherwise it gets 409. An archived release keeps its tag and stays archived.
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
    "/api/releases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Archive or restore release
         * @description Archives a release, or makes it available again. New deployments of an archived release return 409. Nothing else changes: deployments that exist continue, including scheduled ones, robots that enroll still get what their fleet has, robots roll back to it, and its artifact is kept. Repeating the request changes nothing.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        patch: operations["updateRelease"];
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
    "/api/deployment-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create deployment plan
         * @description Plans a deployment without creating it: which robots get it, in which wave, and what they run and wait for now.
         *     Nothing is sent to robots.
         *
         *     - A deployment with `plan_id` is for exactly these robots in these waves, or it is refused with what changed.
         *     - A plan has at most 200,000 robots and at least one, and is kept for 7 days.
         *     - If a disruption budget never lets one of its robots be unavailable, it is refused.
         *     - It needs no `Idempotency-Key`: each request creates a plan of its own.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createDeploymentPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployment-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get deployment plan
         * @description Returns one deployment plan, with the numbers of now. A plan that has expired is not found.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getDeploymentPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployment-plans/{id}/robots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployment plan robots
         * @description Returns the robots of the plan, each with its wave, and with what it runs and waits for now.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listDeploymentPlanRobots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployment-freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get deployment freeze
         * @description Returns whether all deployments of the org are frozen, since when, by whom and why.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getDeploymentFreeze"];
        /**
         * Freeze all deployments
         * @description Holds all deployments of the org that have not ended, and those that are created meanwhile. Once the response is sent,
         *     no further robot gets an order of them. `robots_with_orders` is the number of those that have one already. They finish it, also when
         *     they come online or their window opens later. Cancel a deployment to stop them. Each becomes `paused` with the code `frozen`;
         *     those that were paused before stay as they are. `DELETE` releases them.
         *
         *     Rollbacks continue, and a deployment can be cancelled and rolled back meanwhile. A rule of a rollout that cancels or
         *     rolls back applies too. Resume and advance get 409.
         *
         *     Repeating it changes nothing, but for another `reason`.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        put: operations["setDeploymentFreeze"];
        post?: never;
        /**
         * Thaw all deployments
         * @description Ends the freeze of the org: the deployments that it paused continue, each as it was. Their robots get the time back
         *     that they waited. In a rollout, failures before the freeze still count. Deployments that people or rollouts paused
         *     stay paused.
         *
         *     With more than 200 deployments, the others continue within seconds. Repeating it changes nothing.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteDeploymentFreeze"];
        options?: never;
        head?: never;
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
         */
        get: operations["listDeployments"];
        put?: never;
        /**
         * Create deployment
         * @description Deploys a release to one robot, to all robots that the fleet has when the deployment is due, or to the robots that the selector matches then; robots that match later do not get it. It is due immediately, or at `scheduled_at` and never before. Repeating the request with the same `Idempotency-Key` within 7 days returns the first response and creates no second deployment.
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
    "/api/deployments/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause deployment
         * @description Sends the deployment to no other robots. Once this request has succeeded, no robot receives a new order of it:
         *
         *     - Robots that have received it finish it.
         *     - Robots that have not received it wait. Their 7 days do not run meanwhile.
         *     - A deployment that has not begun does not begin, also at its scheduled time.
         *     - Robots that join the fleet wait with the others.
         *     - One that waits for approval stays paused after the last approval, until a resume.
         *
         *     Pausing again changes nothing, also not the reason. A deployment that has ended or is being cancelled gets 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["pauseDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume deployment
         * @description Continues a paused deployment: robots that wait receive it. One whose scheduled time has passed begins at once.
         *     In a rollout, failures until now count no longer, a soak time begins again, and after `wave_ended` the next wave begins.
         *
         *     A deployment that was paused while it waited for approval waits for approval again, with the code `approval`. With this
         *     code a resume gets 409.
         *
         *     Resuming a deployment that is not paused changes nothing. One that has ended or is being cancelled gets 409, as does
         *     any while the org is frozen.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["resumeDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance deployment
         * @description Begins the next wave of the rollout now, whatever the current one waits for. Robots of the current wave continue.
         *
         *     A deployment without a rollout, one whose last wave has begun, and one that is paused, being cancelled or has ended
         *     get 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["advanceDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip wave of deployment
         * @description Ends a wave of the rollout, or passes it over if it has not begun: its robots that wait end as `cancelled` with the reason
         *     `wave_skipped`. Robots that have the order finish it. The next wave begins as after any other, and waits for its approval if it
         *     needs one. The request sends nothing by itself, so it is also accepted while the deployment is paused or the org frozen.
         *
         *     Repeating it changes nothing. The last wave, one that has ended, and a wave of a deployment that has not begun, is being
         *     cancelled or has ended get 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["skipDeploymentWave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/waves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change waves of deployment
         * @description Replaces the waves of the rollout that have not begun, from the wave `from` on. Their robots are assigned to the new waves as when a
         *     deployment begins; percentages are of all robots of the deployment. Waves before `from` and what robots have received stay
         *     as they are. Of two such requests, the later one counts.
         *
         *     A wave that has begun, one before a skipped wave, and a rollout that people approve wave by wave or as a whole get 409. So
         *     does a deployment that has not begun, is being cancelled or has ended.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        put: operations["setDeploymentWaves"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get deployment rollback
         * @description Returns what a rollback of the deployment would do now. Once one was requested, returns what it does.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getDeploymentRollback"];
        put?: never;
        /**
         * Roll back deployment
         * @description Cancels the deployment, unless it has ended, and returns each robot that applied it to the release that it applied last
         *     before. The service creates one deployment for each release that robots return to, with `rollback_of`. Each goes through
         *     the waves of the original, newest first, and begins the next wave once all robots have ended or are offline for 1 min.
         *
         *     Robots that never applied it are not touched. `excluded` has the robots that keep it, and why. Robots that apply it
         *     after the request follow within a minute, in deployments of their own. Robots that join the fleet later do not get it.
         *
         *     Requesting it again changes nothing, but for signatures: robots that are excluded for lack of a signature return too.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createDeploymentRollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get deployment retry
         * @description Returns what a retry of the deployment would do now: the number of robots on which it failed, by reason, and which of
         *     them are excluded. While the deployment has not ended, those are the robots on which it failed so far.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getDeploymentRetry"];
        put?: never;
        /**
         * Retry deployment
         * @description Creates a deployment of the same release, with `retry_of`, for the robots on which the deployment failed for one of
         *     `reasons`. They all receive it at once, after `backoff`. Its pace, gates, windows and signature are those of the original;
         *     it needs no approval. Robots that have received something newer, or do so before it begins, are left out.
         *
         *     With `attempts` above 1, the service creates the next attempt once one has ended and failed on robots for one of `reasons`.
         *     It waits twice as long each time. A cancelled attempt is the last one. A rollback of the deployment or of an attempt also
         *     ends the attempts that have not begun.
         *
         *     Deployments that have not ended, rollbacks, and deployments that were rolled back cannot be retried. Repeating the request
         *     with the same `Idempotency-Key` within 7 days returns the first response and creates no second deployment.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createDeploymentRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deployments/{id}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get deployment approvals
         * @description Returns what the deployment waits for, and all approvals and rejections so far.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getDeploymentApprovals"];
        put?: never;
        /**
         * Approve deployment
         * @description Approves or rejects what the deployment waits for: its beginning, or the next wave. With the last approval that it needs,
         *     it continues. A rejection of the beginning cancels the deployment. After a rejection of a wave it stays paused; a resume
         *     requests approvals again.
         *
         *     Each person counts once, with whatever token; all tokens of the org together count as one. The author of the deployment
         *     cannot approve or reject it, and a role below that of its rollout gets 403. The same decision again changes nothing.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        post: operations["createDeploymentApproval"];
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
         *     Cancelling again changes nothing. A deployment that has ended gets 409, unless it is dynamic: then robots that
         *     match later no longer receive it, and those that have not finished stop.
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
    "/api/rollout-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rollout policies
         * @description Returns the rollout policies of the org: rollouts with a name, for deployments.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listRolloutPolicies"];
        put?: never;
        /**
         * Create rollout policy
         * @description Creates a rollout policy. A deployment that names it reaches its robots in these waves.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createRolloutPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rollout-policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get rollout policy
         * @description Returns one rollout policy of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getRolloutPolicy"];
        put?: never;
        post?: never;
        /**
         * Delete rollout policy
         * @description Deletes a policy. Deployments that were created with it keep their rollout.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteRolloutPolicy"];
        options?: never;
        head?: never;
        /**
         * Update rollout policy
         * @description Changes a policy. Fields that you leave out stay unchanged; `rollout` is replaced as a whole. Deployments that exist keep the rollout that they were created with.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        patch: operations["updateRolloutPolicy"];
        trace?: never;
    };
    "/api/disruption-budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disruption budgets
         * @description Returns the disruption budgets of the org: how many robots may be unavailable at the same time.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listDisruptionBudgets"];
        put?: never;
        /**
         * Create disruption budget
         * @description Creates a disruption budget. It applies to all deployments of the org, within seconds also to those in progress: a robot receives its order only when no budget forbids it. Robots that are offline, unhealthy, in maintenance or at work on a deployment are unavailable.
         *
         *     Needs admin; tokens: user, org.
         */
        post: operations["createDisruptionBudget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/disruption-budgets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get disruption budget
         * @description Returns one disruption budget of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getDisruptionBudget"];
        put?: never;
        post?: never;
        /**
         * Delete disruption budget
         * @description Deletes a budget. Robots that waited only for it receive their orders within seconds.
         *
         *     Needs admin; tokens: user, org.
         */
        delete: operations["deleteDisruptionBudget"];
        options?: never;
        head?: never;
        /**
         * Update disruption budget
         * @description Changes a budget. Fields that you leave out stay unchanged. Deployments in progress follow the changed budget.
         *
         *     Needs admin; tokens: user, org.
         */
        patch: operations["updateDisruptionBudget"];
        trace?: never;
    };
    "/api/log-redactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List log redaction rules
         * @description Returns the log redaction rules of the org: what is removed from log records before they are stored. Each org has the built-in rules.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listLogRedactions"];
        put?: never;
        /**
         * Create log redaction rule
         * @description Creates a log redaction rule. Within seconds, it applies to all log records of the org that arrive. Stored records stay as they are. Rules are applied in the order in which they were created, the built-in ones last.
         *
         *     Needs admin; tokens: user, org.
         */
        post: operations["createLogRedaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log-redactions/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test log redaction rule
         * @description Returns what the service would store of messages if the org had one more log redaction rule with this pattern.
         *     Nothing is stored, and the audit log has no entry.
         *
         *     - Messages pass the same code as arriving log records, with the same limits of time: the enabled rules of the org
         *       in their order, then this rule, then the enabled built-in rules.
         *     - A pattern is refused as when a rule is created. Another rule of the org may have it.
         *     - A request has at most 1,000 messages, together at most 262,144 bytes of UTF-8, as a frame of log records.
         *     - Fields of log records, to which rules apply too, are not tested.
         *
         *     The least role is admin, as for creating a rule: a pattern may need a thread of the service for seconds.
         *
         *     Needs admin; tokens: user, org.
         */
        post: operations["testLogRedaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log-redactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get log redaction rule
         * @description Returns one log redaction rule of the org.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getLogRedaction"];
        put?: never;
        post?: never;
        /**
         * Delete log redaction rule
         * @description Deletes a rule. Built-in rules cannot be deleted; disable them.
         *
         *     Needs admin; tokens: user, org.
         */
        delete: operations["deleteLogRedaction"];
        options?: never;
        head?: never;
        /**
         * Update log redaction rule
         * @description Changes a rule. Fields that you leave out stay unchanged. Of a built-in rule, only `enabled` can be changed.
         *
         *     Needs admin; tokens: user, org.
         */
        patch: operations["updateLogRedaction"];
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
         * @description Returns the config entries of the org, each with its newest revision. A page has values of 8 MiB at most, so it can have fewer items than `limit`.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["listConfigs"];
        put?: never;
        /**
         * Set config entry
         * @description Sets the value of a key in a namespace, and creates the entry if it does not exist. Each request creates a new revision. Robots receive the value when you deploy it. Setting a deleted entry restores it with its ID, and its revision numbers continue.
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
    "/api/configs/{id}": {
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
         * Delete config entry
         * @description Removes the entry from lists and ends its deployments for new robots: robots that enroll, or move to another fleet, no longer get it. Nothing is sent to robots: a robot that has the value keeps it until a later deployment sets the key. Revisions and deployments stay readable. Returns 409 while deployments of the entry are active, except with `cancel_deployments=true`, which cancels them.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        delete: operations["deleteConfig"];
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
         * @description Returns every value that the config entry has had, also after its deletion. Those that nothing deploys are missing if they were replaced longer ago than `DEPLOYMENT_RETENTION_DAYS`, a setting of the service that is off by default. A page has values of 8 MiB at most, so it can have fewer items than `limit`.
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
         */
        get: operations["listConfigDeployments"];
        put?: never;
        /**
         * Create config deployment
         * @description Deploys a revision of a config entry, by default the newest, to one robot, to all robots that the fleet has when the deployment is due, or to the robots that the selector matches then. The revision is fixed when you create the deployment, and robots that join the fleet later get it too. A deleted entry returns 409: set it again first. Repeating the request with the same `Idempotency-Key` within 7 days returns the first response and creates no second deployment.
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
         *     Needs viewer or higher; tokens: user, org. May be up to 5 s behind.
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
    "/api/configs/deployments/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause config deployment
         * @description Sends the deployment to no other robots. Once this request has succeeded, no robot receives a new order of it:
         *
         *     - Robots that have received it finish it.
         *     - Robots that have not received it wait. Their 7 days do not run meanwhile.
         *     - A deployment that has not begun does not begin, also at its scheduled time.
         *     - Robots that join the fleet wait with the others.
         *     - One that waits for approval stays paused after the last approval, until a resume.
         *
         *     Pausing again changes nothing, also not the reason. A deployment that has ended or is being cancelled gets 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["pauseConfigDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume config deployment
         * @description Continues a paused deployment: robots that wait receive it. One whose scheduled time has passed begins at once.
         *     In a rollout, failures until now count no longer, a soak time begins again, and after `wave_ended` the next wave begins.
         *
         *     A deployment that was paused while it waited for approval waits for approval again, with the code `approval`. With this
         *     code a resume gets 409.
         *
         *     Resuming a deployment that is not paused changes nothing. One that has ended or is being cancelled gets 409, as does
         *     any while the org is frozen.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["resumeConfigDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance config deployment
         * @description Begins the next wave of the rollout now, whatever the current one waits for. Robots of the current wave continue.
         *
         *     A deployment without a rollout, one whose last wave has begun, and one that is paused, being cancelled or has ended
         *     get 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["advanceConfigDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip wave of config deployment
         * @description Ends a wave of the rollout, or passes it over if it has not begun: its robots that wait end as `cancelled` with the reason
         *     `wave_skipped`. Robots that have the order finish it. The next wave begins as after any other, and waits for its approval if it
         *     needs one. The request sends nothing by itself, so it is also accepted while the deployment is paused or the org frozen.
         *
         *     Repeating it changes nothing. The last wave, one that has ended, and a wave of a deployment that has not begun, is being
         *     cancelled or has ended get 409.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["skipConfigDeploymentWave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/waves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change waves of config deployment
         * @description Replaces the waves of the rollout that have not begun, from the wave `from` on. Their robots are assigned to the new waves as when a
         *     deployment begins; percentages are of all robots of the deployment. Waves before `from` and what robots have received stay
         *     as they are. Of two such requests, the later one counts.
         *
         *     A wave that has begun, one before a skipped wave, and a rollout that people approve wave by wave or as a whole get 409. So
         *     does a deployment that has not begun, is being cancelled or has ended.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        put: operations["setConfigDeploymentWaves"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get config deployment rollback
         * @description Returns what a rollback of the deployment would do now. Once one was requested, returns what it does.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getConfigDeploymentRollback"];
        put?: never;
        /**
         * Roll back config deployment
         * @description Cancels the deployment, unless it has ended, and returns each robot that applied it to the value that it applied last
         *     before. The service creates one deployment for each revision that robots return to, with `rollback_of`. Each goes through
         *     the waves of the original, newest first, and begins the next wave once all robots have ended or are offline for 1 min.
         *
         *     Robots that never applied it are not touched. `excluded` has the robots that keep it, and why. Robots that apply it
         *     after the request follow within a minute, in deployments of their own. Robots that join the fleet later do not get it.
         *
         *     Requesting it again changes nothing, but for signatures: robots that are excluded for lack of a signature return too.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createConfigDeploymentRollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get config deployment retry
         * @description Returns what a retry of the deployment would do now: the number of robots on which it failed, by reason, and which of
         *     them are excluded. While the deployment has not ended, those are the robots on which it failed so far.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getConfigDeploymentRetry"];
        put?: never;
        /**
         * Retry config deployment
         * @description Creates a deployment of the same revision, with `retry_of`, for the robots on which the deployment failed for one of
         *     `reasons`. They all receive it at once, after `backoff`. Its pace, gates, windows and signature are those of the original;
         *     it needs no approval. Robots that have received something newer, or do so before it begins, are left out.
         *
         *     With `attempts` above 1, the service creates the next attempt once one has ended and failed on robots for one of `reasons`.
         *     It waits twice as long each time. A cancelled attempt is the last one. A rollback of the deployment or of an attempt also
         *     ends the attempts that have not begun.
         *
         *     Deployments that have not ended, rollbacks, and deployments that were rolled back cannot be retried. Repeating the request
         *     with the same `Idempotency-Key` within 7 days returns the first response and creates no second deployment.
         *
         *     Needs operator or higher; tokens: user, org.
         */
        post: operations["createConfigDeploymentRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/configs/deployments/{id}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get config deployment approvals
         * @description Returns what the deployment waits for, and all approvals and rejections so far.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        get: operations["getConfigDeploymentApprovals"];
        put?: never;
        /**
         * Approve config deployment
         * @description Approves or rejects what the deployment waits for: its beginning, or the next wave. With the last approval that it needs,
         *     it continues. A rejection of the beginning cancels the deployment. After a rejection of a wave it stays paused; a resume
         *     requests approvals again.
         *
         *     Each person counts once, with whatever token; all tokens of the org together count as one. The author of the deployment
         *     cannot approve or reject it, and a role below that of its rollout gets 403. The same decision again changes nothing.
         *
         *     Needs viewer or higher; tokens: user, org.
         */
        post: operations["createConfigDeploymentApproval"];
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
         *     Cancelling again changes nothing. A deployment that has ended gets 409, unless it is dynamic: then robots that
         *     match later no longer receive it, and those that have not finished stop.
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
         *     If another robot of the org has the name, the new one gets a number at its end: `amr-007-2`. With the token of an
         *     earlier robot in `replaces_token`, that robot is retired: its token is revoked, its name gets `-retired` at its end,
         *     and its timeline and logs stay. The new robot takes its name.
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
         * @description Returns who changed what in the org: the latest 1,000 entries, oldest first, or with `after` the entries that follow. Each entry has a hash that covers the hash of the entry before it. Keep the last hash to verify later that no entry was changed, removed or inserted. If the operator exported and deleted the oldest entries, `anchor` has the last one of them.
         *
         *     Needs admin; tokens: user, org. May be up to 5 s behind.
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
         * @description Rejects all tokens of an approved org until you resume it. Nothing is deleted. Its deployments are frozen, but for rollbacks.
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
         * @description Accepts the tokens of a suspended org again. The freeze of its deployments ends three minutes later, when its robots are linked again; a freeze that a person made continues.
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
    "/api/admin/orgs/{id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get quotas of org
         * @description Returns the limits of an org, and what it has.
         *
         *     Takes tokens: admin.
         */
        get: operations["getOrgQuotas"];
        /**
         * Set quotas of org
         * @description Replaces all limits of an org. Limits that you leave out are removed. A limit below what the org has removes nothing: it refuses what would be added.
         *
         *     Takes tokens: admin.
         */
        put: operations["setOrgQuotas"];
        post?: never;
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
    "/api/admin/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the service
         * @description Returns what an operator looks at first: `problems`, the worst first, and the numbers behind them. Replicas, lags, queues, erasures, the retention, the last backup, disk space and quotas near their limit are those of this moment.
         *
         *     Takes tokens: admin.
         */
        get: operations["getStatus"];
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
        /** @description Org that this request applies to. */
        WhoamiOrg: {
            /**
             * @description ID of the org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            id: string;
            /**
             * @description Name of the org.
             * @example local
             */
            name: string;
        };
        /** @description An org that the token is valid in. */
        WhoamiMembership: {
            /**
             * @description ID of the org, for `X-Service-Org-Id`.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            id: string;
            /**
             * @description Name of the org.
             * @example local
             */
            name: string;
            /**
             * @description Role of the caller in this org: `viewer`, `operator` or `admin`.
             * @example operator
             */
            role: string;
            /**
             * @description Whether the org is suspended; requests for it are then refused.
             * @example false
             */
            suspended: boolean;
        };
        /** @description User of the token; absent for an org token. */
        WhoamiUser: {
            /**
             * @description ID of the user.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            id: string;
            /**
             * @description Email address of the user.
             * @example kim@example.com
             */
            email: string;
            /**
             * @description Name of the user.
             * @example Kim
             */
            name?: string;
        };
        /** @description Token of this request. */
        WhoamiToken: {
            /**
             * @description ID of the token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            id: string;
            /**
             * @description Last four digits of the value, to identify it.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description Expiration time; absent if it never expires.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
        };
        /** @description Identity of the caller. */
        Whoami: {
            /**
             * @description Kind of the token, `user` or `org`.
             * @example user
             */
            kind: string;
            /**
             * @description Role of the caller: `viewer`, `operator` or `admin`.
             * @example operator
             */
            role: string;
            org: components["schemas"]["WhoamiOrg"];
            /** @description All orgs that the token is valid in, oldest first; one of them is `org`. */
            orgs: components["schemas"]["WhoamiMembership"][];
            user?: components["schemas"]["WhoamiUser"];
            token: components["schemas"]["WhoamiToken"];
        };
        /** @description The caller. */
        WhoamiResponse: {
            data: components["schemas"]["Whoami"];
        };
        /** @description Error code and message. */
        ErrorBody: {
            /**
             * @description One of `bad_request`, `unauthorized`, `forbidden`, `not_found`, `conflict`, `http_error` and `internal_server_error`.
             * @example not_found
             */
            code: string;
            /**
             * @description A sentence for people. The wording may change.
             * @example site not found
             */
            message: string;
        };
        /** @description Envelope of every error. */
        Error: {
            error: components["schemas"]["ErrorBody"];
        };
        /** @description An organization that uses the service. */
        Org: {
            /**
             * @description ID of the org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            id: string;
            /**
             * @description Display name; not unique.
             * @example Acme Robotics
             */
            name: string;
            /**
             * @description One of `pending`, `approved` and `suspended`. Open enum: expect new values.
             * @example approved
             */
            status: string;
            /**
             * @description Whether the service records the output of shells on robots of the org. Set it with `PATCH /api/org`; default false.
             * @example false
             */
            record_shells: boolean;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of approval; absent before.
             * @example 2026-11-21T09:00:00.000Z
             */
            approved_at?: string;
            /**
             * Format: date-time
             * @description Time of suspension; absent if not suspended.
             * @example 2026-11-21T09:00:00.000Z
             */
            suspended_at?: string;
            /**
             * @description Email address of the person who requested the org in the portal; absent for an org created in another way, and in `GET /api/org`.
             * @example kim@example.com
             */
            requested_by?: string;
        };
        /** @description One org. */
        OrgResponse: {
            data: components["schemas"]["Org"];
        };
        /** @description Settings to change, at least one. */
        OrgUpdate: {
            /**
             * @description Whether the service records the output of shells on robots, never their input. While it cannot record, it closes shells.
             * @example true
             */
            record_shells?: boolean;
        };
        /** @description What an org has. It is more than a limit that was set below it. */
        QuotaUse: {
            /**
             * Format: int64
             * @description Number of robots that are not retired.
             * @example 240
             */
            robots: number;
            /**
             * Format: int64
             * @description Size of all stored artifacts in bytes.
             * @example 53687091200
             */
            artifact_bytes: number;
            /**
             * Format: int64
             * @description Number of open live streams on all replicas.
             * @example 12
             */
            live_streams: number;
            /**
             * Format: int64
             * @description Size of the log records that were stored today (UTC), in bytes of their text. Absent if the org has no such limit; it is not counted then.
             * @example 2147483648
             */
            log_bytes_per_day?: number;
            /**
             * Format: int64
             * @description Number of log records of today (UTC) that were not stored, as they exceeded `log_bytes_per_day`. Absent without this limit.
             * @example 0
             */
            refused_log_records?: number;
        };
        /** @description Limits of an org, and what it has. A limit that is absent does not exist. */
        Quotas: {
            /**
             * Format: int64
             * @description Maximum number of robots that are not retired. Enrollments beyond it return 409.
             * @example 500
             */
            robots?: number;
            /**
             * Format: int64
             * @description Maximum size of all stored artifacts in bytes. Uploads beyond it return 409.
             * @example 107374182400
             */
            artifact_bytes?: number;
            /**
             * Format: int64
             * @description Maximum number of open live streams. Streams beyond it return 429.
             * @example 100
             */
            live_streams?: number;
            /**
             * Format: int64
             * @description Maximum size of the log records that are stored per day, from 00:00 UTC, in bytes of their text. Records beyond it are acknowledged and not stored. A `gap` record with the reason `org_quota` stands for them.
             * @example 10737418240
             */
            log_bytes_per_day?: number;
            used: components["schemas"]["QuotaUse"];
        };
        /** @description The quotas of an org. */
        QuotasResponse: {
            data: components["schemas"]["Quotas"];
        };
        /** @description A person of the org. */
        User: {
            /**
             * @description ID of the user.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            id: string;
            /**
             * @description Email address in lowercase, unique in the org.
             * @example kim@example.com
             */
            email: string;
            /**
             * @description Display name.
             * @example Kim
             */
            name?: string;
            /**
             * @description Role of the user: `viewer`, `operator` or `admin`.
             * @example operator
             */
            role: string;
            /**
             * Format: date-time
             * @description Time at which the user was added.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of users. */
        UserList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["User"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /**
         * @description Display name, 1 to 128 characters of any language, without control characters, and without whitespace at either end.
         * @example Osaka
         */
        DisplayName: string;
        /**
         * @description Role of the user: `viewer`, `operator` or `admin`. Each role includes the permissions of the previous ones.
         * @example operator
         * @enum {string}
         */
        RoleChoice: "viewer" | "operator" | "admin";
        /** @description A user to add. */
        UserCreate: {
            /**
             * @description Email address, 3 to 254 characters, at most 64 before the `@`; stored in lowercase.
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
        /** @description Fields to change, at least one. */
        UserUpdate: {
            name?: components["schemas"]["DisplayName"];
            role?: components["schemas"]["RoleChoice"];
        };
        /** @description A token to issue. */
        TokenCreate: {
            /**
             * @description Free-text label, 1 to 128 characters.
             * @example laptop
             */
            label?: string;
            /**
             * @description Lifetime in hours, at most 87,600; 0 or absent means that it never expires.
             * @example 720
             */
            expires_in_hours?: number;
        };
        /** @description A token with its value, which is shown only once. */
        TokenCreated: {
            /**
             * @description ID of the token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            id: string;
            /**
             * @description One of `org`, `user` and `robot`. Open enum: expect new values.
             * @example user
             */
            kind: string;
            /**
             * @description For a user token, ID of the user.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            user_id?: string;
            /**
             * @description For a robot token, ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id?: string;
            /**
             * @description Free-text label.
             * @example laptop
             */
            label?: string;
            /**
             * @description Last four digits of the value, to identify it.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description Time of issue.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiration time; absent if it never expires.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * @description The token. The service stores only its digest.
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
             * @description ID of the token.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            id: string;
            /**
             * @description One of `org`, `user` and `robot`. Open enum: expect new values.
             * @example user
             */
            kind: string;
            /**
             * @description For a user token, ID of the user.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            user_id?: string;
            /**
             * @description For a robot token, ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id?: string;
            /**
             * @description Free-text label.
             * @example laptop
             */
            label?: string;
            /**
             * @description Last four digits of the value, to identify it.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description Time of issue.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiration time; absent if it never expires.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description Time of revocation; absent if not revoked.
             * @example 2026-11-21T09:00:00.000Z
             */
            revoked_at?: string;
            /**
             * Format: date-time
             * @description Time at which a rotation was requested; absent once the agent has replaced the value of the token.
             * @example 2026-11-21T10:00:00.000Z
             */
            rotation_wanted_at?: string;
            /**
             * Format: date-time
             * @description Start time of the last request or connection with this token, accurate to the minute; absent if never. It appears after at most 30 s.
             * @example 2026-11-21T09:30:00.000Z
             */
            last_used_at?: string;
        };
        /** @description A list of tokens. */
        TokenList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Token"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
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
             * @description ID of the site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            id: string;
            /**
             * @description Display name, unique in its org in any letter case.
             * @example Osaka
             */
            name: string;
            /**
             * @description Base address of an HTTP cache from which robots of the site download artifacts first; absent if there is none.
             * @example http://cache.osaka.example.com/artifacts
             */
            artifact_base_url?: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of sites. */
        SiteList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Site"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /**
         * @description Base address of an HTTP cache from which robots of the site download artifacts first, as `<artifact_base_url>/<artifact_sha256>`. `http` or `https`, without credentials and query. Robots send it no token, and verify the SHA-256. The default and the empty text mean that there is none.
         * @example http://cache.osaka.example.com/artifacts
         */
        ArtifactBaseUrl: string;
        /** @description A site to create. */
        SiteCreate: {
            name: components["schemas"]["DisplayName"];
            artifact_base_url?: components["schemas"]["ArtifactBaseUrl"];
        };
        /** @description One site. */
        SiteResponse: {
            data: components["schemas"]["Site"];
        };
        /** @description Fields to change, at least one. */
        SiteUpdate: {
            name?: components["schemas"]["DisplayName"];
            artifact_base_url?: components["schemas"]["ArtifactBaseUrl"];
        };
        /** @description A group of robots at one site. */
        Fleet: {
            /**
             * @description ID of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            id: string;
            /**
             * @description Display name, unique in its site in any letter case.
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
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of fleets. */
        FleetList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Fleet"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
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
        /** @description The new name of a fleet. */
        FleetUpdate: {
            name: components["schemas"]["DisplayName"];
        };
        /** @description One log record. A record with `type` `gap` stands for records that the robot or the service dropped. */
        LogRecord: {
            /**
             * Format: int64
             * @description Number of the record among the stored records of this robot. Numbers rise, and are the same in stored and live logs.
             * @example 4711
             */
            seq: number;
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description `gap`, or absent for a log record.
             * @example gap
             */
            type?: string;
            /**
             * @description Time at which the robot wrote the record, by its own clock; absent if the robot sent no valid time.
             * @example 2026-11-21T09:00:00.000000Z
             */
            ts?: string;
            /**
             * Format: date-time
             * @description Time at which the service received the record.
             * @example 2026-11-21T09:00:00.812Z
             */
            received_at: string;
            /**
             * @description One of `debug`, `info`, `warn`, `error` and `fatal`.
             * @example info
             */
            level: string;
            /**
             * @description Log source on the robot.
             * @example journal
             */
            source: string;
            /**
             * @description The log message, at most 16 KiB of UTF-8. It comes from the robot and is not trusted; escape it before you display it.
             * @example nav started
             */
            message: string;
            /**
             * @description True if the message was cut.
             * @example true
             */
            truncated?: boolean;
            /**
             * @description True if log redaction rules removed something from the message or the fields.
             * @example true
             */
            redacted?: boolean;
            /**
             * @description Systemd unit.
             * @example nav.service
             */
            unit?: string;
            /**
             * Format: int64
             * @description Number of the process (PID).
             * @example 812
             */
            pid?: number;
            /**
             * @description ROS node.
             * @example /nav
             */
            node?: string;
            /**
             * @description Further fields, name to value.
             * @example {
             *       "battery": 81
             *     }
             */
            fields?: {
                [key: string]: unknown;
            };
            /**
             * @description True if the fields from the robot were dropped because they were larger than 8 KiB, nested deeper than 32 levels, or not an object.
             * @example true
             */
            fields_dropped?: boolean;
            /**
             * Format: int64
             * @description Number of records that a gap stands for.
             * @example 132
             */
            dropped?: number;
            /**
             * @description Why the records were dropped. By the robot, `rate_limit`, `quota` (its spool was full) or `damaged`; by the service, `org_quota` (beyond the quota `log_bytes_per_day` of the org).
             * @example rate_limit
             */
            reason?: string;
        };
        /** @description A list of log records. */
        LogRecordList: {
            /** @description Oldest first. */
            items: components["schemas"]["LogRecord"][];
            /**
             * @description Cursor of the next page, with older records, or with later records if `after` is set. Present only if more records may exist.
             * @example b2xkZXIuNDcxMQ
             */
            next_cursor?: string;
        };
        /** @description A key that enrolls robots into one fleet, without its value. */
        EnrollmentKey: {
            /**
             * @description ID of the key.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            id: string;
            /**
             * @description Site of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Fleet that the key enrolls robots into.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Free-text label.
             * @example line 2
             */
            label?: string;
            /**
             * Format: int32
             * @description Number of robots that the key may enroll; absent means unlimited.
             * @example 25
             */
            max_uses?: number;
            /**
             * Format: int32
             * @description Number of robots that the key has enrolled.
             * @example 3
             */
            uses: number;
            /**
             * @description Last four digits of the value, to identify it.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiration time; absent if it never expires.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description Time of revocation; absent if not revoked.
             * @example 2026-11-21T09:00:00.000Z
             */
            revoked_at?: string;
            /**
             * Format: date-time
             * @description Time at which it last enrolled a robot; absent if never.
             * @example 2026-11-21T09:00:00.000Z
             */
            last_used_at?: string;
        };
        /** @description A list of enrollment keys. */
        EnrollmentKeyList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["EnrollmentKey"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
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
             * @description Fleet that the key enrolls robots into; must belong to the site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Free-text label, 1 to 128 characters.
             * @example line 2
             */
            label?: string;
            /**
             * @description Number of robots that the key may enroll, 1 to 1,000,000; absent means unlimited.
             * @example 25
             */
            max_uses?: number;
            /**
             * @description Lifetime in hours, at most 87,600; 0 or absent means that it never expires.
             * @example 24
             */
            expires_in_hours?: number;
        };
        /** @description An enrollment key with its value, which is shown only once. */
        EnrollmentKeyCreated: {
            /**
             * @description ID of the key.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            id: string;
            /**
             * @description Site of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Fleet that the key enrolls robots into.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Free-text label.
             * @example line 2
             */
            label?: string;
            /**
             * Format: int32
             * @description Number of robots that the key may enroll; absent means unlimited.
             * @example 25
             */
            max_uses?: number;
            /**
             * Format: int32
             * @description Number of robots that the key has enrolled.
             * @example 3
             */
            uses: number;
            /**
             * @description Last four digits of the value, to identify it.
             * @example 9f3c
             */
            last_four: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiration time; absent if it never expires.
             * @example 2026-11-21T09:00:00.000Z
             */
            expires_at?: string;
            /**
             * @description The key. The service stores only its digest.
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
        /**
         * @description Health by which robots are selected.
         * @example unhealthy
         * @enum {string}
         */
        HealthStatusFilter: "healthy" | "degraded" | "unhealthy" | "unknown";
        /** @description What runs instead of the release, as last reported by the robot; absent while the release itself runs. */
        Drift: {
            /**
             * Format: date-time
             * @description Time since which something else runs, as known to the service.
             * @example 2026-11-21T11:30:00.000Z
             */
            since: string;
            /**
             * @description SHA-256 of the artifact that runs, in hex; absent if nothing runs.
             * @example 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
             */
            running_sha256?: string;
            /**
             * @description Newest release of the kind with that artifact; absent if the org has none.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70
             */
            running_release_id?: string;
            /**
             * @description Tag of that release.
             * @example maps-6
             */
            running_tag?: string;
        };
        /** @description A release that the robot has proved to run. With `drift`, something else runs in its place now. */
        ReportedRelease: {
            /**
             * @description ID of the release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id: string;
            /**
             * @description Tag of the release.
             * @example maps-7
             */
            tag: string;
            /**
             * @description Deployment that delivered it.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id: string;
            /**
             * Format: date-time
             * @description Time of the proof.
             * @example 2026-11-21T09:00:52.210Z
             */
            at: string;
            drift?: components["schemas"]["Drift"];
        };
        /** @description A config revision that the robot has proved to have. */
        ReportedConfig: {
            /**
             * @description ID of the config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id: string;
            /**
             * Format: int64
             * @description Revision number.
             * @example 3
             */
            revision: number;
            /**
             * @description Deployment that delivered it.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id: string;
            /**
             * Format: date-time
             * @description Time of the proof.
             * @example 2026-11-21T09:00:52.210Z
             */
            at: string;
        };
        /**
         * @description What the robot runs, according to its proofs, including those of late reports, and its later reports (`drift`).
         * @example {
         *       "releases": {},
         *       "configs": {}
         *     }
         */
        RobotReported: {
            /**
             * @description Releases by kind.
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
             * @description Config revisions by namespace and key, joined by a slash.
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
        /**
         * @description `unhealthy` or `degraded` by the worst condition of the robot; otherwise `healthy` while it is online and has sent a health snapshot, and `unknown` if not. Conditions do not count in maintenance. Open enum: expect new values.
         * @example healthy
         */
        HealthStatus: string;
        /** @description A condition of a robot. */
        RobotCondition: {
            /**
             * @description ID of its rule.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11
             */
            rule_id: string;
            /**
             * @description Name of its rule.
             * @example battery-low
             */
            name: string;
            /**
             * @description `degraded` or `unhealthy`. Open enum: expect new values.
             * @example degraded
             */
            severity: string;
            /**
             * Format: date-time
             * @description Time at which it began.
             * @example 2026-11-21T09:00:00.000Z
             */
            since: string;
            /**
             * @description The values that made it begin, for people.
             * @example battery 19 % (< 20), not charging
             */
            message: string;
        };
        /** @description The maintenance window that silences the robot's conditions; absent if there is none. */
        RobotMaintenance: {
            /**
             * @description ID of the window.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d21
             */
            id: string;
            /**
             * Format: date-time
             * @description Time at which it ends.
             * @example 2026-11-21T12:00:00.000Z
             */
            until: string;
            /**
             * @description Why, in the words of the person who created it.
             * @example Battery replacement
             */
            reason: string;
        };
        /** @description The release at which a robot is held; absent unless it is pinned. */
        RobotPin: {
            /**
             * @description ID of the release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id: string;
            /**
             * @description Tag of the release.
             * @example nav-1.8.2
             */
            tag: string;
            /**
             * Format: date-time
             * @description Time at which the pin ends.
             * @example 2026-12-01T08:00:00.000Z
             */
            until: string;
            /**
             * @description Why, as its author wrote it.
             * @example demo for a customer
             */
            reason: string;
            /**
             * @description Who pinned it, for people: the name or email address of the user, or the last characters of the org token.
             * @example ops@example.com
             */
            pinned_by: string;
            /**
             * Format: date-time
             * @description Time at which it was pinned.
             * @example 2026-11-21T09:00:00.000Z
             */
            pinned_at: string;
            /**
             * @description ID of a deployment of another release whose order the robot has already: the robot carries it out. Absent if there is none, and in lists of robots.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id?: string;
        };
        /** @description A machine of the org. */
        Robot: {
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            id: string;
            /**
             * @description Display name, unique in its org in any letter case.
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
             * @description Whether its agent is connected to the service.
             * @example false
             */
            online: boolean;
            /**
             * Format: date-time
             * @description Time at which the service last received data from the agent, accurate to a few seconds; absent before its first link.
             * @example 2026-11-21T09:00:01.000Z
             */
            last_seen_at?: string;
            /**
             * Format: date-time
             * @description Time at which two agents last competed for this identity, within the last day; absent otherwise. Enroll one of them as a new robot.
             * @example 2026-11-21T09:00:01.000Z
             */
            duplicate_agent_at?: string;
            /**
             * @description Names of the cameras, as last reported by the agent; the first is the default. Absent before its first link.
             * @example [
             *       "front"
             *     ]
             */
            cameras?: string[];
            /**
             * @description Whether the agent reads the topics of a ROS graph, as last reported; absent before its first link.
             * @example true
             */
            topics?: boolean;
            /**
             * @description Time zone of the robot, an IANA name, as last reported by its agent; absent if unknown. Windows in the zone of the robot use it, or else UTC.
             * @example Asia/Tokyo
             */
            timezone?: string;
            /**
             * @description ID of the robot that this machine was before it enrolled again; absent for other robots. That robot may be removed since.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c60
             */
            replaces?: string;
            /**
             * @description ID of the robot as which this machine enrolled again; present only for a retired robot. That robot may be removed since.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c62
             */
            replaced_by?: string;
            /**
             * Format: date-time
             * @description Time at which the robot was retired; absent otherwise. A retired robot has no valid token, is in no deployment, and keeps its timeline and logs.
             * @example 2026-11-21T10:00:00.000Z
             */
            retired_at?: string;
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
            health_status: components["schemas"]["HealthStatus"];
            /**
             * Format: date-time
             * @description Time since which the robot is degraded or unhealthy; absent otherwise.
             * @example 2026-11-21T09:00:00.000Z
             */
            health_since?: string;
            /**
             * @description Conditions of the robot, also in maintenance; the unhealthy ones come first.
             * @example []
             */
            conditions: components["schemas"]["RobotCondition"][];
            maintenance?: components["schemas"]["RobotMaintenance"];
            pin?: components["schemas"]["RobotPin"];
            /**
             * Format: date-time
             * @description Time of enrollment.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of robots. */
        RobotList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Robot"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description One robot. */
        RobotResponse: {
            data: components["schemas"]["Robot"];
        };
        /** @description Fields to change, at least one. */
        RobotUpdate: {
            name?: components["schemas"]["DisplayName"];
            /**
             * @description Fleet to move the robot to. The robot also moves to the site of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id?: string;
            /**
             * @description New labels, at most 64. Names have 1 to 64 of `a-z 0-9 . _ -` (except `constructor` and `prototype`), values at most 128 characters.
             * @example {
             *       "floor": "2"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
        };
        /** @description The pin of a robot. */
        RobotPinResponse: {
            data: components["schemas"]["RobotPin"];
        };
        /** @description A pin of a robot. */
        RobotPinSet: {
            /**
             * @description ID of the release at which it is held, also of one that it does not run yet. By default the release that it runs by its last report, scripts and agents aside; 409 unless that is exactly one.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id?: string;
            /**
             * Format: date-time
             * @description Time at which the pin ends, at most 366 days ahead, with a time zone.
             * @example 2026-12-01T08:00:00Z
             */
            until: string;
            /**
             * @description Why, for colleagues: everything that the pin delays shows it, and so does the audit log. 1 to 500 characters.
             * @example demo for a customer
             */
            reason: string;
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
        /** @description Presence, conditions and latest health snapshot. */
        RobotHealth: {
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Whether its agent is connected to the service.
             * @example true
             */
            online: boolean;
            /**
             * Format: date-time
             * @description Time at which the service last received data from the agent, accurate to a few seconds; absent before its first link.
             * @example 2026-11-21T09:00:01.000Z
             */
            last_seen_at?: string;
            health_status: components["schemas"]["HealthStatus"];
            /**
             * Format: date-time
             * @description Time since which the robot is degraded or unhealthy; absent otherwise.
             * @example 2026-11-21T09:00:00.000Z
             */
            health_since?: string;
            /**
             * @description Conditions of the robot, also in maintenance; the unhealthy ones come first.
             * @example []
             */
            conditions: components["schemas"]["RobotCondition"][];
            maintenance?: components["schemas"]["RobotMaintenance"];
            /**
             * Format: date-time
             * @description Time at which the service received the snapshot; absent before the first snapshot.
             * @example 2026-11-21T09:00:01.000Z
             */
            snapshot_at?: string;
            snapshot?: components["schemas"]["HealthSnapshot"];
        };
        /** @description The health of one robot. */
        RobotHealthResponse: {
            data: components["schemas"]["RobotHealth"];
        };
        /**
         * @description The values of one series in the order of time. Arrays have the same length, at most 2,880. Intervals in which nothing was measured are left out, so a step in `times` of more than `interval_seconds` is a gap.
         * @example {
         *       "times": [
         *         1795250700,
         *         1795251300
         *       ],
         *       "values": [
         *         12.5,
         *         40.1
         *       ],
         *       "min": [
         *         3,
         *         20.5
         *       ],
         *       "max": [
         *         31,
         *         97.5
         *       ]
         *     }
         */
        MetricSeries: {
            /**
             * @description Starts of the intervals, in seconds since 1970-01-01T00:00:00Z.
             * @example [
             *       1795250700,
             *       1795251300
             *     ]
             */
            times: number[];
            /**
             * @description The sample, or the mean for `5m`, in the unit of the series.
             * @example [
             *       12.5,
             *       40.1
             *     ]
             */
            values: number[];
            /**
             * @description The lowest value of each interval; only for `5m`.
             * @example [
             *       3,
             *       20.5
             *     ]
             */
            min?: number[];
            /**
             * @description The highest value of each interval; only for `5m`.
             * @example [
             *       31,
             *       97.5
             *     ]
             */
            max?: number[];
        };
        /**
         * @description The series by name. A series without any value in the range is absent. `battery`, `cpu`, `memory` and `disk` (the fullest) are in percent, `temperature` (the hottest zone) is in degrees Celsius, `delay` (of the link) is in milliseconds. New series may be added.
         * @example {
         *       "cpu": {
         *         "times": [
         *           1795250700,
         *           1795251300
         *         ],
         *         "values": [
         *           12.5,
         *           40.1
         *         ],
         *         "min": [
         *           3,
         *           20.5
         *         ],
         *         "max": [
         *           31,
         *           97.5
         *         ]
         *       }
         *     }
         */
        MetricSeriesByName: {
            battery?: components["schemas"]["MetricSeries"];
            cpu?: components["schemas"]["MetricSeries"];
            memory?: components["schemas"]["MetricSeries"];
            disk?: components["schemas"]["MetricSeries"];
            temperature?: components["schemas"]["MetricSeries"];
            delay?: components["schemas"]["MetricSeries"];
        };
        /** @description The history of one robot, by the clock of the service. */
        RobotMetrics: {
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description `raw`: one sample per interval. `5m`: lowest, mean and highest value of each interval. Open enum: expect new values.
             * @example 5m
             */
            resolution: string;
            /**
             * Format: date-time
             * @description Start of the range, at the start of an interval. Later than requested if older values are not kept.
             * @example 2026-11-21T08:45:00.000Z
             */
            start_at: string;
            /**
             * Format: date-time
             * @description End of the range, at the end of an interval.
             * @example 2026-11-21T09:00:00.000Z
             */
            end_at: string;
            /**
             * Format: int32
             * @description Length of an interval in seconds. 30 for `raw`; 300 for `5m`, or a multiple of it in a range of more than 10 days.
             * @example 300
             */
            interval_seconds: number;
            series: components["schemas"]["MetricSeriesByName"];
        };
        /** @description The history of one robot. */
        RobotMetricsResponse: {
            data: components["schemas"]["RobotMetrics"];
        };
        /** @description One event of a robot. */
        TimelineEntry: {
            /**
             * Format: int64
             * @description Number of the entry on the timeline of the robot, without gaps, assigned after the commit. No entry ever appears later with a lower number. The oldest entries are deleted after some time, so the first number is not always 1.
             * @example 2
             */
            seq: number;
            /**
             * Format: date-time
             * @description Time of the event.
             * @example 2026-11-21T09:00:01.000Z
             */
            at: string;
            /**
             * @description One of `enrolled`, `retired`, `renamed`, `moved`, `labelled`, `connected`, `disconnected`, `link_refused`, `links_left_out`, `duplicate_agent`, `deployment_dispatched`, `deployment_ended`, `downgrade_left_out`, `drift`, `drift_ended`, `condition_started`, `condition_ended`, `maintenance_started`, `maintenance_ended`, `pinned` and `unpinned`. Open enum: expect new values.
             * @example connected
             */
            kind: string;
            /**
             * @description A sentence for people. The wording may change.
             * @example connected
             */
            message: string;
            /**
             * @description Details of the event, by kind. `disconnected` and `link_refused` have the close `code` and the `close_reason` of the service.
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
        /** @description One ROS topic. */
        RobotTopic: {
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
             * @description Address of the ROS graph of the topic, as the robot reaches it.
             * @example ros1://127.0.0.1:11311
             */
            source: string;
        };
        /** @description The ROS topics of a robot. */
        RobotTopicList: {
            /** @description Sorted by name, then source. */
            items: components["schemas"]["RobotTopic"][];
            /**
             * @description Names of the nodes of the graphs, if known.
             * @example [
             *       "/imu_driver"
             *     ]
             */
            nodes: string[];
            /**
             * @description Whether the list is incomplete because there are too many topics.
             * @example false
             */
            truncated: boolean;
        };
        /**
         * @description The robots for which the rule is evaluated.
         * @example {
         *       "kind": "org"
         *     }
         */
        ConditionScope: {
            /**
             * @description `org` for all robots, `site` or `fleet` for those of `id`, `label` for those with the labels of `selector`. Open enum: expect new values.
             * @example label
             */
            kind: string;
            /**
             * @description ID of the site or fleet; present for these kinds.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            id?: string;
            /**
             * @description Labels that a robot must have; present for `label`.
             * @example tier=canary
             */
            selector?: string;
        };
        /**
         * @description Comparisons of measures, joined by `and` and `or`; `and` binds first. Percent: `battery`, `cpu`, `memory`, `disk` (used). Other numbers: `temperature` in °C, `link_delay` in ms, `reconnects` within the last hour. Durations such as `90s`, `10m` or `2h`: `offline`, `uptime`, `clock_offset`. Flags: `charging`, `estop`. Texts: `mission`, `agent_version`. Levels `ok`, `stale`, `warn`, `error`: `diagnostics`. Values of the robot's own programs: `extra.<name>`. A comparison with a value that the robot does not send is not true. At most 16 comparisons.
         * @example battery < 20 and not charging
         */
        ConditionExpression: string;
        /**
         * @description How long `expression` must be true before the condition begins, from `0s` to `7d`.
         * @example 5m
         */
        ConditionFor: string;
        /** @description Decides when a robot is degraded or unhealthy. */
        ConditionRule: {
            /**
             * @description ID of the rule.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11
             */
            id: string;
            /**
             * @description Name of the rule, and of the condition of a robot.
             * @example battery-low
             */
            name: string;
            scope: components["schemas"]["ConditionScope"];
            expression: components["schemas"]["ConditionExpression"];
            for: components["schemas"]["ConditionFor"];
            /**
             * @description Expression that ends the condition. Absent if it ends when `expression` is no longer true.
             * @example battery >= 25 or charging
             */
            clear?: string;
            /**
             * @description What the condition makes of the robot, `degraded` or `unhealthy`. Open enum: expect new values.
             * @example degraded
             */
            severity: string;
            /**
             * @description Whether the rule is evaluated.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Whether the rule was created with the org. You can change and delete such rules.
             * @example true
             */
            builtin: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-11-21T09:00:00.000Z
             */
            updated_at: string;
        };
        /** @description The condition rules of the org. */
        ConditionRuleList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["ConditionRule"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /**
         * @description `org` for all robots, `site` or `fleet` for those of `id`, `label` for those with the labels of `selector`.
         * @example label
         * @enum {string}
         */
        ConditionScopeKind: "org" | "site" | "fleet" | "label";
        /**
         * @description The robots for which to evaluate the rule. Default of a new rule, all robots.
         * @example {
         *       "kind": "org"
         *     }
         */
        ConditionScopeChoice: {
            kind: components["schemas"]["ConditionScopeKind"];
            /**
             * @description ID of the site or fleet; required for these kinds, not allowed for others.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            id?: string;
            /**
             * @description Labels that a robot must have, `name=value`, separated by commas, at most 16; required for `label`, not allowed for others.
             * @example tier=canary
             */
            selector?: string;
        };
        /**
         * @description Expression that ends the condition. It must not be true together with `expression`: a gap between them keeps a value near the limit from starting and ending the condition repeatedly. Default and empty text: the condition ends when `expression` is no longer true.
         * @example battery >= 25 or charging
         */
        ConditionClear: string;
        /**
         * @description What the condition makes of the robot. The worst of a robot's conditions is its `health_status`.
         * @example degraded
         * @enum {string}
         */
        ConditionSeverity: "degraded" | "unhealthy";
        /** @description A new condition rule. */
        ConditionRuleCreate: {
            name: components["schemas"]["DisplayName"];
            scope?: components["schemas"]["ConditionScopeChoice"];
            expression: components["schemas"]["ConditionExpression"];
            for?: components["schemas"]["ConditionFor"];
            clear?: components["schemas"]["ConditionClear"];
            severity: components["schemas"]["ConditionSeverity"];
            /**
             * @description Whether the rule is evaluated. Default true.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description One condition rule. */
        ConditionRuleResponse: {
            data: components["schemas"]["ConditionRule"];
        };
        /** @description Fields to change, at least one. */
        ConditionRuleUpdate: {
            name?: components["schemas"]["DisplayName"];
            scope?: components["schemas"]["ConditionScopeChoice"];
            expression?: components["schemas"]["ConditionExpression"];
            for?: components["schemas"]["ConditionFor"];
            clear?: components["schemas"]["ConditionClear"];
            severity?: components["schemas"]["ConditionSeverity"];
            /**
             * @description Whether the rule is evaluated.
             * @example false
             */
            enabled?: boolean;
        };
        /**
         * @description The values that make the expression true, for people.
         * @example battery 3 % (< 20), not charging
         */
        ConditionMessage: string;
        /** @description One robot that the rule matches. */
        ConditionMatch: {
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Name of the robot.
             * @example amr-007
             */
            robot_name: string;
            message: components["schemas"]["ConditionMessage"];
        };
        /** @description The robots that a rule matches now. */
        ConditionMatchList: {
            /** @description The first 1,000 of them, sorted by ID. */
            items: components["schemas"]["ConditionMatch"][];
            /**
             * Format: int64
             * @description Number of robots that match.
             * @example 1
             */
            matches: number;
            /**
             * Format: int64
             * @description Number of robots in the scope.
             * @example 201
             */
            evaluated: number;
            /**
             * @description Whether more robots match than `items` has.
             * @example false
             */
            truncated: boolean;
        };
        /** @description Numbers of robots. `healthy`, `degraded`, `unhealthy` and `unknown` add up to `total`. */
        HealthCounts: {
            /**
             * Format: int64
             * @description All robots.
             * @example 201
             */
            total: number;
            /**
             * Format: int64
             * @description Robots whose agent is connected.
             * @example 198
             */
            online: number;
            /**
             * Format: int64
             * @description Robots that are online, have sent a snapshot, and have no condition that counts.
             * @example 190
             */
            healthy: number;
            /**
             * Format: int64
             * @description Robots whose worst condition is `degraded`.
             * @example 6
             */
            degraded: number;
            /**
             * Format: int64
             * @description Robots whose worst condition is `unhealthy`.
             * @example 3
             */
            unhealthy: number;
            /**
             * Format: int64
             * @description Robots that have sent no snapshot, or are offline without a condition.
             * @example 2
             */
            unknown: number;
            /**
             * Format: int64
             * @description Robots in maintenance, which are also in one of the numbers above.
             * @example 1
             */
            maintenance: number;
        };
        /** @description The robots of one site. */
        SiteHealth: {
            /**
             * @description ID of the site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            /**
             * @description Name of the site.
             * @example Osaka
             */
            site_name: string;
            counts: components["schemas"]["HealthCounts"];
        };
        /** @description The robots of one fleet. */
        FleetHealth: {
            /**
             * @description ID of the fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            fleet_id: string;
            /**
             * @description Name of the fleet.
             * @example pickers
             */
            fleet_name: string;
            /**
             * @description ID of its site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            site_id: string;
            counts: components["schemas"]["HealthCounts"];
        };
        /** @description How many robots have a condition. */
        ConditionCount: {
            /**
             * @description ID of the rule.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11
             */
            rule_id: string;
            /**
             * @description Name of the rule.
             * @example battery-low
             */
            name: string;
            /**
             * @description What the condition makes of the robot, `degraded` or `unhealthy`. Open enum: expect new values.
             * @example degraded
             */
            severity: string;
            /**
             * Format: int64
             * @description Number of robots, without those in maintenance.
             * @example 4
             */
            robots: number;
        };
        /** @description Numbers of robots, in total, by site and by fleet, and by condition. */
        HealthSummary: {
            robots: components["schemas"]["HealthCounts"];
            /** @description Sites of the org, sorted by name. */
            sites: components["schemas"]["SiteHealth"][];
            /** @description Fleets of the org, sorted by name. */
            fleets: components["schemas"]["FleetHealth"][];
            /** @description Rules with at least one condition that counts, most robots first. */
            conditions: components["schemas"]["ConditionCount"][];
        };
        /** @description The health of the org's robots in numbers. */
        HealthSummaryResponse: {
            data: components["schemas"]["HealthSummary"];
        };
        /** @description Numbers of robots in one interval. `healthy`, `degraded`, `unhealthy` and `unknown` add up to `total`. */
        HealthPoint: {
            /**
             * Format: date-time
             * @description Start of the interval.
             * @example 2026-11-21T09:00:00.000Z
             */
            at: string;
            /**
             * Format: int64
             * @description All robots.
             * @example 201
             */
            total: number;
            /**
             * Format: int64
             * @description Robots whose agent is connected.
             * @example 198
             */
            online: number;
            /**
             * Format: int64
             * @description Robots that are online, have sent a snapshot, and have no condition that counts.
             * @example 190
             */
            healthy: number;
            /**
             * Format: int64
             * @description Robots whose worst condition is `degraded`.
             * @example 6
             */
            degraded: number;
            /**
             * Format: int64
             * @description Robots whose worst condition is `unhealthy`.
             * @example 3
             */
            unhealthy: number;
            /**
             * Format: int64
             * @description Robots that have sent no snapshot, or are offline without a condition.
             * @example 2
             */
            unknown: number;
        };
        /** @description Numbers of robots by health at equal distances. */
        HealthHistory: {
            /**
             * Format: int64
             * @description Distance of the points in seconds.
             * @example 300
             */
            interval_seconds: number;
            /** @description At most 288 points, oldest first. Intervals that were not counted are missing. */
            points: components["schemas"]["HealthPoint"][];
        };
        /** @description The health of the org's robots over the last 24 hours. */
        HealthHistoryResponse: {
            data: components["schemas"]["HealthHistory"];
        };
        /** @description A time in which the conditions of robots do not affect their `health_status`. */
        MaintenanceWindow: {
            /**
             * @description ID of the window.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d21
             */
            id: string;
            /**
             * @description `robot`, `fleet` or `site`. Open enum: expect new values.
             * @example fleet
             */
            target_kind: string;
            /**
             * @description ID of the robot, fleet or site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * @description Why, for colleagues.
             * @example Battery replacement
             */
            reason: string;
            /**
             * Format: date-time
             * @description Time at which it began.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which it ends, or would have ended.
             * @example 2026-11-21T12:00:00.000Z
             */
            ends_at: string;
            /**
             * Format: date-time
             * @description Time at which it ended; absent while it lasts.
             * @example 2026-11-21T11:30:00.000Z
             */
            ended_at?: string;
        };
        /** @description A list of maintenance windows. */
        MaintenanceWindowList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["MaintenanceWindow"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /**
         * @description `robot`, `fleet` or `site`.
         * @example fleet
         * @enum {string}
         */
        MaintenanceTargetKind: "robot" | "fleet" | "site";
        /** @description A maintenance window that begins now. */
        MaintenanceWindowCreate: {
            target_kind: components["schemas"]["MaintenanceTargetKind"];
            /**
             * @description ID of the robot, fleet or site.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * @description How long it lasts, at most 90 days. Fractions are allowed.
             * @example 3
             */
            hours: number;
            /**
             * @description Why, for colleagues.
             * @example Battery replacement
             */
            reason: string;
        };
        /** @description One maintenance window. */
        MaintenanceWindowResponse: {
            data: components["schemas"]["MaintenanceWindow"];
        };
        /** @description The newest measurements of one robot. */
        RobotMeasurements: {
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            id: string;
            /**
             * @description Name of the robot.
             * @example amr-007
             */
            name: string;
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
             * Format: date-time
             * @description Time of enrollment.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * @description Whether its agent is connected to the service.
             * @example true
             */
            online: boolean;
            /**
             * Format: date-time
             * @description Time at which the service received the measurements; absent before the first ones.
             * @example 2026-11-21T09:00:01.000Z
             */
            measured_at?: string;
            /**
             * @description Charge of the battery in percent. Absent if the newest snapshot has no such value.
             * @example 81
             */
            battery?: number;
            /**
             * @description Utilization of all processors in percent. Absent if the newest snapshot has no such value.
             * @example 12.5
             */
            cpu?: number;
            /**
             * @description Used memory in percent. Absent if the newest snapshot has no such value.
             * @example 38.5
             */
            memory?: number;
            /**
             * @description Used space of the fullest file system in percent. Absent if the newest snapshot has no such value.
             * @example 71.2
             */
            disk?: number;
            /**
             * @description Temperature of the hottest thermal zone in degrees Celsius. Absent if the newest snapshot has no such value.
             * @example 51.5
             */
            temperature?: number;
            /**
             * @description Delay of the link in milliseconds; from a ping of the agent to the response of the service. Absent if the newest snapshot has no such value.
             * @example 18
             */
            delay?: number;
        };
        /** @description A list of robots with their newest measurements. */
        RobotMeasurementsList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["RobotMeasurements"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description Log records of several robots. */
        LogSearchResult: {
            /** @description Newest first, or oldest first with `order=asc`. */
            items: components["schemas"]["LogRecord"][];
            /**
             * @description Cursor of the next page. Present only if more records may match.
             * @example bgEAAAGh_VV9rAGYxaJqYH4QsfA_by8NnGEAAAAAAAASZw
             */
            next_cursor?: string;
            /**
             * Format: date-time
             * @description How far the search has come. Matching records up to this time, in the order of the search, are returned. Present if there is a `next_cursor`.
             * @example 2026-11-21T09:00:00.812Z
             */
            read_to?: string;
        };
        /**
         * @description Numbers of records by level.
         * @example {
         *       "debug": 0,
         *       "info": 67,
         *       "warn": 1,
         *       "error": 2,
         *       "fatal": 0
         *     }
         */
        LogLevelCounts: {
            /**
             * Format: int64
             * @description Records with level `debug`.
             * @example 0
             */
            debug: number;
            /**
             * Format: int64
             * @description Records with level `info`.
             * @example 67
             */
            info: number;
            /**
             * Format: int64
             * @description Records with level `warn`.
             * @example 1
             */
            warn: number;
            /**
             * Format: int64
             * @description Records with level `error`.
             * @example 2
             */
            error: number;
            /**
             * Format: int64
             * @description Records with level `fatal`.
             * @example 0
             */
            fatal: number;
        };
        /** @description Records of one interval. */
        LogStatsPoint: {
            /**
             * Format: date-time
             * @description Start of the interval.
             * @example 2026-11-21T08:40:00.000Z
             */
            at: string;
            /**
             * Format: int64
             * @description Number of records in the interval.
             * @example 60
             */
            lines: number;
            /**
             * Format: int64
             * @description Bytes of these records as they are stored, before compression.
             * @example 7500
             */
            bytes: number;
            levels: components["schemas"]["LogLevelCounts"];
        };
        /** @description Records of a robot (`robot_id`) or of a source (`source`). Without one of these: all matching records (`total`), or those in no series (`rest`, absent if there are none). */
        LogStatsSeries: {
            /**
             * @description ID of the robot, which may have been removed since.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id?: string;
            /**
             * @description Log source on the robots. It comes from the robots and is not trusted; escape it before you display it.
             * @example journal
             */
            source?: string;
            /**
             * Format: int64
             * @description Number of records in the range.
             * @example 120
             */
            lines: number;
            /**
             * Format: int64
             * @description Bytes of these records as they are stored, before compression.
             * @example 15000
             */
            bytes: number;
            levels: components["schemas"]["LogLevelCounts"];
            /** @description The intervals that have records, in the order of time. */
            points: components["schemas"]["LogStatsPoint"][];
        };
        /** @description Numbers of log records over time, by the clock of the service. */
        LogStats: {
            /**
             * Format: date-time
             * @description Start of the range, at the start of an interval. Later than requested if older counts are not kept.
             * @example 2026-11-21T08:40:00.000Z
             */
            start_at: string;
            /**
             * Format: date-time
             * @description End of the range, at the end of an interval.
             * @example 2026-11-21T09:00:00.000Z
             */
            end_at: string;
            /**
             * @description Length of the intervals: `10m`, `1h` or `1d`. Open enum: expect new values.
             * @example 10m
             */
            step: string;
            /**
             * Format: date-time
             * @description Records of the org that were received before this time are counted, and of later ones none or some. A minute ago while no record waits to be counted. Absent until records are counted for the first time.
             * @example 2026-11-21T08:58:00.000Z
             */
            counted_to?: string;
            total: components["schemas"]["LogStatsSeries"];
            /** @description A series for each robot or source, the one with the most records first; at most 50. Empty without `by`. */
            series: components["schemas"]["LogStatsSeries"][];
            rest?: components["schemas"]["LogStatsSeries"];
        };
        /** @description Numbers of log records over time. */
        LogStatsResponse: {
            data: components["schemas"]["LogStats"];
        };
        /** @description One connection of one viewer to a shell on a robot. */
        ShellSession: {
            /**
             * @description ID of the session, as in the audit log.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1
             */
            id: string;
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description ID of the user who opened the session; absent for a token of the org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            user_id?: string;
            /**
             * @description ID of the token that opened the session.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            token_id: string;
            /**
             * Format: date-time
             * @description Start time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description End time, or the time at which the service detected that the replica of the session had stopped; absent while it is open.
             * @example 2026-11-21T09:03:12.400Z
             */
            ended_at?: string;
            /**
             * Format: int64
             * @description Duration in seconds; absent while it is open.
             * @example 192
             */
            seconds?: number;
            /**
             * Format: int64
             * @description Bytes sent to the robot; absent while it is open, and if the replica of the session died.
             * @example 412
             */
            bytes_from_viewer?: number;
            /**
             * Format: int64
             * @description Bytes sent by the robot; absent while it is open, and if the replica of the session died.
             * @example 18234
             */
            bytes_to_viewer?: number;
            /**
             * @description Close code of the viewer's WebSocket, 1000 for a normal end; absent while it is open, and if the replica of the session died.
             * @example 1000
             */
            close_code?: number;
            /**
             * @description Whether a recording exists.
             * @example true
             */
            recorded: boolean;
        };
        /** @description A list of shell sessions. */
        ShellSessionList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["ShellSession"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description One line of JSON with `version`, `width`, `height` and `timestamp`, then one line per event: `[seconds, "o", text]` for output, and `[seconds, "r", "<columns>x<rows>"]` for a new size. Invalid UTF-8 appears as U+FFFD. */
        Asciicast: string;
        /**
         * @description Kind of the stream: `shell`, `logs`, `camera` or `topic`. A ticket for a camera or topic is valid for any camera or topic of the robot.
         * @example logs
         * @enum {string}
         */
        StreamKind: "shell" | "logs" | "camera" | "topic";
        /** @description Stream to get a ticket for. */
        StreamTicketCreate: {
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            kind: components["schemas"]["StreamKind"];
        };
        /** @description A ticket that opens one live stream, once. */
        StreamTicket: {
            /**
             * @description The ticket. The service stores only its digest, until the ticket is used or has expired.
             * @example svc_ticket_9b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d9f3c
             */
            ticket: string;
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Kind of the stream.
             * @example logs
             */
            kind: string;
            /**
             * Format: date-time
             * @description Expiration time.
             * @example 2026-11-22T09:00:30.000Z
             */
            expires_at: string;
        };
        /** @description One ticket. */
        StreamTicketResponse: {
            data: components["schemas"]["StreamTicket"];
        };
        /** @description Name, hash and size of an artifact. A release never changes, except for whether its file is stored and whether it is archived. */
        Release: {
            /**
             * @description ID of the release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            id: string;
            /**
             * @description Name of this version, unique within its kind.
             * @example nav-1.8.2
             */
            tag: string;
            /**
             * @description How robots install it, for example `container_image`, `archive`, `file`, `script` or `agent`. Robots may support other kinds.
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
             * @description Whether the service has the file, so that robots download it from the service. Robots that get the file elsewhere do not need it.
             * @example true
             */
            artifact_stored: boolean;
            /**
             * @description Release notes; absent if there are none.
             * @example Slower turns near people.
             */
            notes?: string;
            /**
             * @description Signature, base64; absent if there is none.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description ID of the key that made the signature; absent without a signature.
             * @example release-2026
             */
            key_id?: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which it was archived; absent unless it is archived.
             * @example 2026-11-22T09:00:00.000Z
             */
            archived_at?: string;
        };
        /** @description A list of releases. */
        ReleaseList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Release"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A release to create. */
        ReleaseCreate: {
            /**
             * @description SHA-256 of the artifact, in lowercase hex.
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
             * @description How robots install it; default `container_image`.
             * @example container_image
             */
            kind?: string;
            /**
             * @description Release notes, at most 10,000 characters.
             * @example Slower turns near people.
             */
            notes?: string;
            /**
             * @description Signature, base64, sent to the robots unchanged. The service does not verify it.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description ID of the key that made the signature; required with `signature`.
             * @example release-2026
             */
            key_id?: string;
        };
        /** @description One release. */
        ReleaseResponse: {
            data: components["schemas"]["Release"];
        };
        /** @description Changes of a release. */
        ReleaseUpdate: {
            /**
             * @description Whether the release is archived, so that no new deployment of it can be created.
             * @example true
             */
            archived: boolean;
        };
        /**
         * Format: binary
         * @description Bytes of a file.
         */
        ArtifactBytes: string;
        /** @description Upload state of an artifact. */
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
             * @description Number of bytes that the service has received, from the start of the file.
             * @example 183500800
             */
            received: number;
            /**
             * @description Whether the file is complete and verified. Robots can download it only then.
             * @example true
             */
            complete: boolean;
        };
        /** @description State of an artifact. */
        ArtifactResponse: {
            data: components["schemas"]["Artifact"];
        };
        /**
         * @description What it deploys, a `release` or a `config` entry.
         * @example release
         * @enum {string}
         */
        DeploymentPlanKind: "release" | "config";
        /**
         * @description Kind of the target, one `robot`, all robots of a `fleet`, or those that a `selector` matches when the deployment starts.
         * @example fleet
         * @enum {string}
         */
        TargetKind: "robot" | "fleet" | "selector";
        /** @description A part of the robots that are in no earlier wave, those seen within the last minutes first. Needs at least one of `selector`, `percent` and `count`. */
        RolloutWaveCreate: {
            /**
             * @description Name for people.
             * @example canaries
             */
            name?: string;
            /**
             * @description Selector that the robots must match, such as `tier=canary,floor in (1,2)`, at most 16 requirements.
             * @example tier=canary
             */
            selector?: string;
            /**
             * @description Maximum size as a percentage of all robots of the deployment, 0.01 to 100, rounded up; excludes `count`.
             * @example 10
             */
            percent?: number;
            /**
             * @description Maximum number of robots, 1 to 200000; excludes `percent`.
             * @example 5
             */
            count?: number;
        };
        /**
         * @description What follows a wave, `advance` (the default), `pause` until a person resumes, or `approval` of the next wave, which needs `approval` of the rollout.
         * @example advance
         * @enum {string}
         */
        RolloutThen: "advance" | "pause" | "approval";
        /** @description When the next wave begins. */
        RolloutAdvanceCreate: {
            /**
             * @description Percentage of the robots of the wave, 0 to 100, that must have applied the release, default 100. A robot that became unhealthy since, or that runs something else, does not count. With 0, all robots of the wave must have ended, however.
             * @example 95
             */
            applied_percent?: number;
            /**
             * @description Number of robots of the wave, 0 to 200000, that must have ended, default 1; all of them if the wave has fewer.
             * @example 3
             */
            min_ended?: number;
            /**
             * @description Time for which `applied_percent` must hold without interruption, `0s` (the default) to `30d`.
             * @example 30m
             */
            soak?: string;
            /**
             * @description Time, `1m` to `30d`, after which a robot that is offline no longer holds up its wave. By default, offline robots hold up their wave.
             * @example 1h
             */
            offline_after?: string;
            then?: components["schemas"]["RolloutThen"];
        };
        /**
         * @description `failed`: the target failed, but not by a time limit, which is `timed_out`. `rejected`: it failed before the robot reported a step. A robot counts as `unhealthy` if it became so after its update began, as `drift` if it runs something else than it applied. `any` means all of these. Expired targets, of robots that were never reached, do not count.
         * @example failed
         * @enum {string}
         */
        RolloutAbortReason: "failed" | "timed_out" | "rejected" | "rolled_back" | "unhealthy" | "drift" | "any";
        /**
         * @description `wave`: robots of each wave for itself; `rollout` (the default): of all waves together.
         * @example rollout
         * @enum {string}
         */
        RolloutAbortScope: "wave" | "rollout";
        /**
         * @description `pause` (the default), `cancel`, or `rollback`: cancels and returns the robots that applied it to what they ran before. A rollout that paused by itself still cancels or rolls back when robots that had their orders reach a limit.
         * @example pause
         * @enum {string}
         */
        RolloutAbortAction: "pause" | "cancel" | "rollback";
        /** @description A limit of failures, and what happens when it is reached. Needs one of `percent` and `count`. */
        RolloutAbortCreate: {
            /** @description What counts. */
            reasons: components["schemas"]["RolloutAbortReason"][];
            /**
             * @description Percentage of the robots that have ended, 0.01 to 100, at which the limit is reached; excludes `count`.
             * @example 5
             */
            percent?: number;
            /**
             * @description Number of robots, 1 to 200000, at which the limit is reached; excludes `percent`.
             * @example 3
             */
            count?: number;
            /**
             * @description Number of robots, 1 to 200000, that must have ended before the rule applies, default 1.
             * @example 10
             */
            min_ended?: number;
            /**
             * @description Only what happened within this time counts, `1m` to `30d`. By default, everything counts.
             * @example 1h
             */
            within?: string;
            per?: components["schemas"]["RolloutAbortScope"];
            action?: components["schemas"]["RolloutAbortAction"];
        };
        /** @description How `per_minute` grows with what robots applied; needs `per_minute`. By default, it is constant. */
        RolloutGrowthCreate: {
            /**
             * @description What `per_minute` is multiplied by, 1.01 to 100, each time that as many robots as `after_applied` have applied it.
             * @example 2
             */
            factor: number;
            /**
             * @description Number of robots, 1 to 200000.
             * @example 100
             */
            after_applied: number;
            /**
             * @description Highest number of robots per minute, 0.01 to 200000 and at least `per_minute`. By default, there is none.
             * @example 500
             */
            up_to?: number;
        };
        /** @description How fast the robots of a wave receive the deployment. By default, all that are online receive it at once. Robots that are offline are sent nothing until they connect, and take no part of the pace. Urgent deployments ignore it. */
        RolloutPaceCreate: {
            /**
             * @description Maximum number of robots, 1 to 200000, that work on it at the same time. A robot that went offline before it confirmed the order does not count until it is back.
             * @example 50
             */
            max_in_flight?: number;
            /**
             * @description Maximum number of robots per minute that it is sent to, 0.01 to 200000.
             * @example 10
             */
            per_minute?: number;
            growth?: components["schemas"]["RolloutGrowthCreate"];
            /**
             * @description Robots of one site, 1 to 200000, that may download at the same time. Robots that download for other deployments of releases count too. It does not apply to configs.
             * @example 4
             */
            downloads_per_site?: number;
        };
        /**
         * @description Least role of the people who approve, default `operator`.
         * @example operator
         * @enum {string}
         */
        ApproverRole: "viewer" | "operator" | "admin";
        /** @description Who must approve the deployment before it begins; nobody by default. The deployment is bound to a plan: exactly the robots and waves that were approved receive it. */
        RolloutApprovalCreate: {
            /**
             * @description Number of people who must approve it, 1 to 10, default 1. The author of the deployment does not count.
             * @example 2
             */
            people?: number;
            role?: components["schemas"]["ApproverRole"];
            /**
             * @description Time for which it waits for their approvals, `10m` to `30d`, default `1d`. Then a deployment that has not begun is cancelled. Approvals of a next wave lapse, and it waits for new ones.
             * @example 1d
             */
            expires?: string;
        };
        /**
         * @description What happens to older open deployments of the same release kind or config key for the same robots when this one is due. With `replace`, the default, robots that have not received the older one get this one in its place. With `finish`, this one waits until they have ended. With `pause`, they are also paused, so that their other robots wait for a resume.
         * @example replace
         * @enum {string}
         */
        RolloutSupersede: "replace" | "finish" | "pause";
        /** @description How the rollout treats gates of robots. Robots ask the gates that are configured on them in any case. */
        RolloutGatesCreate: {
            /**
             * @description Time, `1m` to `30d`, default `1h`, after which a robot that waits for its gates is an event of the deployment. It keeps waiting.
             * @example 30m
             */
            max_wait?: string;
            /**
             * @description Whether robots whose agent asks no gates are left out. Default `false`.
             * @example true
             */
            required?: boolean;
        };
        /** @description When a window opens, and for how long. */
        RolloutWindowCreate: {
            /**
             * @description When it opens: minute, hour, day of the month, month and day of the week, as in crontab, such as `0 22 * * 1-5`. A time that the clock skips becomes the first instant after the gap. A time that occurs twice opens at the first one.
             * @example 0 22 * * 1-5
             */
            cron: string;
            /**
             * @description How long it is open, `1m` to `30d`, in elapsed time.
             * @example 6h
             */
            duration: string;
        };
        /** @description Whole days, in the zone of the windows. */
        RolloutBlackoutCreate: {
            /**
             * @description First day, as in `2026-12-24`.
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
         * @description What happens to an order that has not taken effect at the end of an `activate` window: `finish` it (the default), or `cancel` it. An order that has taken effect always finishes.
         * @example finish
         * @enum {string}
         */
        RolloutWindowEnd: "finish" | "cancel";
        /** @description When robots may be reached. Needs `download` or `activate`. */
        RolloutWindowsCreate: {
            /** @description When orders are sent and artifacts are downloaded. By default, at any time. */
            download?: components["schemas"]["RolloutWindowCreate"][];
            /** @description When a robot may be disturbed, by its own clock. By default, at any time. */
            activate?: components["schemas"]["RolloutWindowCreate"][];
            /** @description Dates on which all windows stay closed. */
            blackouts?: components["schemas"]["RolloutBlackoutCreate"][];
            /**
             * @description Time zone of the windows, an IANA name such as `Europe/Berlin`, or `robot` (the default) for the zone of each robot. A robot without a known zone has UTC.
             * @example Europe/Berlin
             */
            zone?: string;
            /**
             * @description How long an update is expected to take, `1m` to `30d`, default `10m`. A shorter window is refused.
             * @example 20m
             */
            expected_duration?: string;
            at_end?: components["schemas"]["RolloutWindowEnd"];
        };
        /** @description How a deployment reaches its robots in waves. */
        RolloutCreate: {
            /** @description The waves in order. Robots in none of them form the last wave. */
            waves: components["schemas"]["RolloutWaveCreate"][];
            advance?: components["schemas"]["RolloutAdvanceCreate"];
            /** @description What stops the rollout. Default, nothing. Abort rules take precedence over `advance`. */
            abort?: components["schemas"]["RolloutAbortCreate"][];
            pace?: components["schemas"]["RolloutPaceCreate"];
            approval?: components["schemas"]["RolloutApprovalCreate"];
            supersede?: components["schemas"]["RolloutSupersede"];
            gates?: components["schemas"]["RolloutGatesCreate"];
            windows?: components["schemas"]["RolloutWindowsCreate"];
        };
        /** @description A deployment to plan. Needs `release_id` or `config_id`, as `kind` says. */
        DeploymentPlanCreate: {
            kind: components["schemas"]["DeploymentPlanKind"];
            /**
             * @description ID of the release; only with `kind` `release`, which requires it.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id?: string;
            /**
             * @description ID of the config entry; only with `kind` `config`, which requires it.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id?: string;
            /**
             * Format: int64
             * @description Number of the revision of the config entry, from 1 to the newest, at most 9,007,199,254,740,991; default: the newest.
             * @example 3
             */
            revision?: number;
            target_kind: components["schemas"]["TargetKind"];
            /**
             * @description ID of the robot or fleet, or of a stored selector: that of an earlier deployment or plan. Required for a robot and a fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id?: string;
            /**
             * @description Selector of the robots, such as `tier=canary,@site=Osaka`, at most 16 requirements; only with `target_kind` `selector`, in place of `target_id`.
             * @example tier=canary,@site=Osaka
             */
            target_selector?: string;
            /**
             * @description True: robots that match the selector later receive the deployment too, until `dynamic_until`; only with `target_kind` `selector` and `dynamic_until`. Default `false`.
             * @example true
             */
            dynamic?: boolean;
            /**
             * Format: date-time
             * @description End of `dynamic`, RFC 3339 with `Z` or an offset, at most 366 days ahead; required with `dynamic` `true`.
             * @example 2026-12-31T00:00:00Z
             */
            dynamic_until?: string;
            /**
             * @description ID of a rollout policy. The plan keeps its rollout as it is now. Not for one robot; excludes `rollout`. Without both, all robots are in one wave.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1
             */
            rollout_policy_id?: string;
            rollout?: components["schemas"]["RolloutCreate"];
            /**
             * @description Whether the windows and blackouts of the rollout do not apply, as in `DeploymentCreate`. Default `false`.
             * @example true
             */
            ignore_windows?: boolean;
            /**
             * @description Whether the release may be older than the one that robots run by their last report; only with `kind` `release`. Default `false`: the plan shows these robots, and with a rollout it is not executed while there are any.
             * @example true
             */
            allow_downgrade?: boolean;
        };
        /** @description A part of the robots. */
        RolloutWave: {
            /**
             * @description Name for people; absent if there is none.
             * @example canaries
             */
            name?: string;
            /**
             * @description Selector that the robots of the wave match; absent if any robot may be in it.
             * @example tier=canary
             */
            selector?: string;
            /**
             * @description Maximum size as a percentage of all robots of the deployment, rounded up; absent if it has none.
             * @example 10
             */
            percent?: number;
            /**
             * Format: int32
             * @description Maximum number of robots; absent if it has none.
             * @example 5
             */
            count?: number;
        };
        /** @description When the next wave begins. */
        RolloutAdvance: {
            /**
             * @description Percentage of the robots of the wave that must have applied the release. A robot that became unhealthy since, or that runs something else, does not count. With 0, all robots of the wave must have ended, however.
             * @example 95
             */
            applied_percent: number;
            /**
             * Format: int32
             * @description Number of robots of the wave that must have ended; all of them if the wave has fewer, without those that are pinned or in maintenance.
             * @example 3
             */
            min_ended: number;
            /**
             * @description Time for which `applied_percent` must hold without interruption.
             * @example 30m
             */
            soak: string;
            /**
             * @description Time after which a robot that is offline no longer holds up its wave. It receives the release when it connects. Absent if offline robots hold up their wave.
             * @example 1h
             */
            offline_after?: string;
            /**
             * @description What follows a wave, `advance`, `pause` until a person resumes, or `approval` of the next wave. Open enum: expect new values.
             * @example advance
             */
            then: string;
        };
        /** @description A limit of failures, and what happens when it is reached. */
        RolloutAbort: {
            /** @description What counts. `failed`: the target failed, but not by a time limit, which is `timed_out`. `rejected`: it failed before the robot reported a step. A robot counts as `unhealthy` if it became so after its update began, as `drift` if it runs something else than it applied. Expired targets, of robots that were never reached, do not count. Open enum: expect new values. */
            reasons: string[];
            /**
             * @description Percentage of the robots that have ended, at which the limit is reached; absent with `count`.
             * @example 5
             */
            percent?: number;
            /**
             * Format: int32
             * @description Number of robots at which the limit is reached; absent with `percent`.
             * @example 3
             */
            count?: number;
            /**
             * Format: int32
             * @description Number of robots that must have ended before the rule applies.
             * @example 10
             */
            min_ended: number;
            /**
             * @description Only what happened within this time counts; absent if everything does.
             * @example 1h
             */
            within?: string;
            /**
             * @description `wave`: robots of each wave for itself; `rollout`: of all waves together. Open enum: expect new values.
             * @example rollout
             */
            per: string;
            /**
             * @description `pause`, `cancel` or `rollback`. Open enum: expect new values.
             * @example pause
             */
            action: string;
        };
        /** @description How `per_minute` grows; absent if it is constant. */
        RolloutGrowth: {
            /**
             * @description What `per_minute` is multiplied by, each time that as many robots as `after_applied` have applied it.
             * @example 2
             */
            factor: number;
            /**
             * Format: int32
             * @description Number of robots.
             * @example 100
             */
            after_applied: number;
            /**
             * @description Highest number of robots per minute; absent if there is none.
             * @example 500
             */
            up_to?: number;
        };
        /** @description How fast the robots of a wave receive the deployment; absent if all that are online receive it at once. */
        RolloutPace: {
            /**
             * Format: int32
             * @description Maximum number of robots that work on it at the same time; absent if there is none.
             * @example 50
             */
            max_in_flight?: number;
            /**
             * @description Maximum number of robots per minute that it is sent to; absent if there is none.
             * @example 10
             */
            per_minute?: number;
            growth?: components["schemas"]["RolloutGrowth"];
            /**
             * Format: int32
             * @description Robots of one site that may download at the same time, of all deployments of releases together; absent if any number may.
             * @example 4
             */
            downloads_per_site?: number;
        };
        /** @description Who must approve the deployment before it begins; absent if nobody must. */
        RolloutApproval: {
            /**
             * Format: int32
             * @description Number of people who must approve it. The author of the deployment does not count.
             * @example 2
             */
            people: number;
            /**
             * @description Least role of these people, `viewer`, `operator` or `admin`. Open enum: expect new values.
             * @example admin
             */
            role: string;
            /**
             * @description Time for which it waits for their approvals. Then a deployment that has not begun is cancelled. Approvals of a next wave lapse, and it waits for new ones.
             * @example 1d
             */
            expires: string;
        };
        /** @description How the rollout treats gates of robots; absent if the defaults apply. */
        RolloutGates: {
            /**
             * @description Time after which a robot that waits for its gates is an event of the deployment. It keeps waiting.
             * @example 30m
             */
            max_wait: string;
            /**
             * @description Whether robots whose agent asks no gates are left out.
             * @example true
             */
            required: boolean;
        };
        /** @description When a window opens, and for how long. */
        RolloutWindow: {
            /**
             * @description When it opens, as in crontab.
             * @example 0 22 * * 1-5
             */
            cron: string;
            /**
             * @description How long it is open, in elapsed time.
             * @example 6h
             */
            duration: string;
        };
        /** @description Whole days, in the zone of the windows. */
        RolloutBlackout: {
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
        /** @description When robots may be reached; absent if they may at any time. A deployment that ignores them has them as `ignored_windows`. */
        RolloutWindows: {
            /** @description When orders are sent and artifacts are downloaded; absent if at any time. */
            download?: components["schemas"]["RolloutWindow"][];
            /** @description When a robot may be disturbed, by its own clock; absent if at any time. */
            activate?: components["schemas"]["RolloutWindow"][];
            /** @description Dates on which all windows stay closed; absent if there are none. */
            blackouts?: components["schemas"]["RolloutBlackout"][];
            /**
             * @description Time zone of the windows, an IANA name, or `robot` for the zone of each robot.
             * @example Europe/Berlin
             */
            zone: string;
            /**
             * @description How long an update is expected to take. No window is shorter.
             * @example 10m
             */
            expected_duration: string;
            /**
             * @description What happens to an order that has not taken effect at the end of an `activate` window: `finish` or `cancel`. Open enum: expect new values.
             * @example finish
             */
            at_end: string;
        };
        /** @description How a deployment reaches its robots in waves. */
        Rollout: {
            /** @description The waves in order. Robots in none of them form the last wave. */
            waves: components["schemas"]["RolloutWave"][];
            advance: components["schemas"]["RolloutAdvance"];
            /** @description What stops the rollout. These rules take precedence over `advance`. */
            abort: components["schemas"]["RolloutAbort"][];
            pace?: components["schemas"]["RolloutPace"];
            approval?: components["schemas"]["RolloutApproval"];
            /**
             * @description What happens to older open deployments for the same robots when this one begins, as in `RolloutSupersede`; absent if they are replaced. Open enum: expect new values.
             * @example replace
             */
            supersede?: string;
            gates?: components["schemas"]["RolloutGates"];
            windows?: components["schemas"]["RolloutWindows"];
            ignored_windows?: components["schemas"]["RolloutWindows"];
        };
        /** @description Number of robots of the plan, at the time of the request. */
        DeploymentPlanCounts: {
            /**
             * Format: int32
             * @description All robots.
             * @example 24
             */
            robots: number;
            /**
             * Format: int32
             * @description Robots that are online.
             * @example 22
             */
            online: number;
            /**
             * Format: int32
             * @description Robots that have proved to run the release, or to have the revision. They get it again.
             * @example 3
             */
            current: number;
            /**
             * Format: int32
             * @description Robots with another open deployment of the same release kind or config key.
             * @example 5
             */
            conflicts: number;
            /**
             * Format: int32
             * @description Robots that would not get it now.
             * @example 0
             */
            skipped: number;
            /**
             * Format: int32
             * @description Robots that run a newer release of the same kind by their last report. If there are any, a plan with a rollout and without `allow_downgrade` is not executed.
             * @example 0
             */
            downgrades?: number;
        };
        /** @description When the wave would begin and end if the plan were executed now. An estimate for robots that are online; absent once the deployment that executes the plan has begun. */
        DeploymentPlanWaveForecast: {
            /**
             * Format: date-time
             * @description Time at which its first robots would begin, in its windows; absent if that is unknown.
             * @example 2026-11-21T14:10:00.000Z
             */
            starts_at?: string;
            /**
             * Format: date-time
             * @description Time at which its robots that are online would have ended; absent if that is unknown.
             * @example 2026-11-21T14:25:00.000Z
             */
            ends_at?: string;
            /**
             * Format: int32
             * @description Seconds that the wave takes, also if its start is unknown; absent if none of its robots is online.
             * @example 900
             */
            duration_seconds?: number;
            /**
             * @description Why a time is unknown. After an `approval`, after a pause of the policy (`paused`), once offline robots are online (`robots_offline`), after a freeze (`frozen`), after older deployments (`deployment`), or never, as no `window` opens. With `ends_at`, its offline robots end later. Open enum: expect new values.
             * @example robots_offline
             */
            reason?: string;
        };
        /** @description A wave of a plan. */
        DeploymentPlanWave: {
            /**
             * Format: int32
             * @description Number of the wave, from 1.
             * @example 1
             */
            number: number;
            /**
             * @description Name for people; absent if there is none.
             * @example canaries
             */
            name?: string;
            /**
             * Format: int32
             * @description Robots of the wave.
             * @example 3
             */
            robots: number;
            /**
             * Format: int32
             * @description Robots of the wave that are online.
             * @example 3
             */
            online: number;
            forecast?: components["schemas"]["DeploymentPlanWaveForecast"];
        };
        /** @description Another open deployment of robots of the plan. What happens to it depends on `supersede`. */
        DeploymentPlanConflict: {
            /**
             * @description ID of the deployment.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80
             */
            deployment_id: string;
            /**
             * @description Its status, as of a deployment.
             * @example in_progress
             */
            status: string;
            /**
             * Format: int32
             * @description Robots of the plan that it is open for.
             * @example 5
             */
            robots: number;
            /**
             * @description What would happen. With `replace`, robots that have not received it get the planned one in its place, and the others end it first. With `finish`, it ends before the planned one begins. With `pause`, also its other robots wait for a resume. Open enum: expect new values.
             * @example replace
             */
            supersede?: string;
        };
        /** @description A group of a disruption budget that has robots of the plan. While as many of its robots are unavailable as may be, no other one receives the deployment. */
        DeploymentPlanBudget: {
            /**
             * @description ID of the budget.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1
             */
            budget_id: string;
            /**
             * @description Name of the budget.
             * @example pickers per site
             */
            name: string;
            /**
             * @description What its robots have in common, such as `Osaka` for a site, `Osaka/pickers` for a fleet, or `hall=2` and `!hall` for a label; absent if the budget counts all its robots together.
             * @example Osaka
             */
            group?: string;
            /**
             * Format: int32
             * @description Robots of the plan in the group.
             * @example 24
             */
            robots: number;
            /**
             * Format: int32
             * @description All robots of the group.
             * @example 40
             */
            total: number;
            /**
             * Format: int32
             * @description Robots of the group that are unavailable.
             * @example 3
             */
            unavailable: number;
            /**
             * Format: int32
             * @description Robots of the group that may be unavailable.
             * @example 4
             */
            allowed: number;
        };
        /** @description How long a robot takes from its order until it has applied it. */
        DeploymentPlanForecastBasis: {
            /**
             * @description `measured` with robots of the last 20 deployments of the same release kind or config key, at most 1,000 of each, or `default` without any. Open enum: expect new values.
             * @example measured
             */
            kind: string;
            /**
             * Format: int32
             * @description Robots that were measured.
             * @example 240
             */
            robots: number;
            /**
             * @description Seconds that half of them took at most.
             * @example 64.2
             */
            median_seconds: number;
            /**
             * @description Seconds that 90 % of them took at most.
             * @example 151
             */
            p90_seconds: number;
        };
        /** @description When the plan would begin and end if it were executed now, and how that was estimated. Disruption budgets, gates and downloads per site are not part of it. Absent once the deployment that executes the plan has begun. */
        DeploymentPlanForecast: {
            /**
             * Format: date-time
             * @description Time at which the first robots would begin; absent if that is unknown.
             * @example 2026-11-21T14:00:00.000Z
             */
            starts_at?: string;
            /**
             * Format: date-time
             * @description Time at which the robots that are online would have ended; absent if that is unknown.
             * @example 2026-11-21T14:25:00.000Z
             */
            ends_at?: string;
            /**
             * Format: int32
             * @description Seconds from `starts_at` to `ends_at`.
             * @example 1500
             */
            duration_seconds?: number;
            /**
             * @description Why a time is unknown, or which robots end later, as in the first wave that has a reason. Open enum: expect new values.
             * @example robots_offline
             */
            reason?: string;
            basis: components["schemas"]["DeploymentPlanForecastBasis"];
        };
        /** @description A deployment as it would be: its robots with their waves, which never change. The numbers are those of the time of the request. */
        DeploymentPlan: {
            /**
             * @description ID of the plan.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1
             */
            id: string;
            /**
             * @description SHA-256, in hex, of what it deploys, the rollout, `ignore_windows`, `allow_downgrade` and the wave of each robot. Plans with the same hash send the same to the same robots in the same waves.
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            hash: string;
            /**
             * @description What it deploys, `release` or `config`. Open enum: expect new values.
             * @example release
             */
            kind: string;
            /**
             * @description ID of the release; absent for a config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id?: string;
            /**
             * @description ID of the config entry; absent for a release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id?: string;
            /**
             * Format: int64
             * @description Revision number, fixed when the plan is created; absent for a release.
             * @example 3
             */
            revision?: number;
            /**
             * @description Namespace of the config entry; absent for a release.
             * @example default
             */
            namespace?: string;
            /**
             * @description Key of the config entry; absent for a release.
             * @example nav.max_speed
             */
            key?: string;
            /**
             * @description Kind of the target, `robot`, `fleet` or `selector`. Open enum: expect new values.
             * @example fleet
             */
            target_kind: string;
            /**
             * @description ID of the robot, fleet or stored selector.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * @description Text of the selector, in its normal form; absent for other targets.
             * @example tier=canary,@site=Osaka
             */
            target_selector?: string;
            /**
             * Format: date-time
             * @description Time until which robots that match the selector later receive the deployment too; absent without `dynamic`.
             * @example 2026-12-31T00:00:00.000Z
             */
            dynamic_until?: string;
            /**
             * @description ID of the policy that it was created with, even if that was changed or deleted since; absent without one.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1
             */
            rollout_policy_id?: string;
            /**
             * @description Name of that policy at the time.
             * @example careful
             */
            rollout_policy_name?: string;
            rollout?: components["schemas"]["Rollout"];
            /**
             * @description True if windows do not hold its deployment; absent otherwise. The ones of its rollout are in `ignored_windows`.
             * @example true
             */
            ignore_windows?: boolean;
            /**
             * @description True if robots that run a newer release get it too; absent otherwise.
             * @example true
             */
            allow_downgrade?: boolean;
            counts: components["schemas"]["DeploymentPlanCounts"];
            /** @description The waves in order; without a rollout, one. */
            waves: components["schemas"]["DeploymentPlanWave"][];
            /** @description Other open deployments of the same release kind or config key for its robots, at most 100, those with most robots first. Scheduled ones do not count: they have no robots yet. */
            conflicts: components["schemas"]["DeploymentPlanConflict"][];
            /** @description Groups of disruption budgets that have robots of the plan, at most 100, those first that leave room for the fewest robots. */
            budgets: components["schemas"]["DeploymentPlanBudget"][];
            forecast?: components["schemas"]["DeploymentPlanForecast"];
            /**
             * @description ID of the deployment that executes the plan; absent before. A plan is executed once.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id?: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time after which the plan is deleted, 7 days after its creation; a scheduled deployment keeps its plan until it begins, and one that needs approvals until it has ended.
             * @example 2026-11-28T09:00:00.000Z
             */
            expires_at: string;
        };
        /** @description One deployment plan. */
        DeploymentPlanResponse: {
            data: components["schemas"]["DeploymentPlan"];
        };
        /** @description What the robot has proved to have now of this release kind or config key; absent if nothing. */
        DeploymentPlanCurrent: {
            /**
             * @description ID of the release; absent for a config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70
             */
            release_id?: string;
            /**
             * @description Tag of the release; absent for a config entry.
             * @example nav-1.8.1
             */
            tag?: string;
            /**
             * Format: int64
             * @description Revision number of the config entry; absent for a release.
             * @example 2
             */
            revision?: number;
        };
        /** @description One robot of a plan, with its state at the time of the request. */
        DeploymentPlanRobot: {
            /**
             * @description ID of the robot, which may have been removed since.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * Format: int32
             * @description Number of its wave, from 1.
             * @example 2
             */
            wave: number;
            /**
             * @description Whether the robot is online.
             * @example true
             */
            online: boolean;
            current?: components["schemas"]["DeploymentPlanCurrent"];
            /**
             * @description True if the robot runs a newer release of the same kind by its last report; absent otherwise.
             * @example true
             */
            downgrade?: boolean;
            /**
             * @description ID of its newest other open deployment of the same release kind or config key; absent if there is none. If the robot has not received it, it gets the planned one in its place.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80
             */
            conflict?: string;
            /**
             * @description Why the robot would not get it now, `too_many_orders`, `robot_removed`, `left_fleet`, or `agent_too_old` without the windows or gates that the rollout needs; absent if it would. With `pinned` it is held at another release. With `maintenance` it is in maintenance, and the plan has a rollout. These two end by themselves. Open enum: expect new values.
             * @example too_many_orders
             */
            skip?: string;
        };
        /** @description A list of robots of a plan. */
        DeploymentPlanRobotList: {
            /** @description Sorted by `robot_id`. */
            items: components["schemas"]["DeploymentPlanRobot"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description Whether all deployments of the org are frozen. */
        DeploymentFreeze: {
            /**
             * @description Whether they are.
             * @example true
             */
            frozen: boolean;
            /**
             * Format: date-time
             * @description Time since which no robot receives a deployment; absent unless they are frozen.
             * @example 2026-11-21T03:02:10.000Z
             */
            frozen_at?: string;
            /**
             * @description Who froze them, for people: the name or email address of the user, the last characters of the org token, or `the service` for an org that was suspended; absent unless they are frozen.
             * @example ops@example.com
             */
            frozen_by?: string;
            /**
             * @description Why, as its author wrote it; absent unless they are frozen.
             * @example robots stop in aisle 4
             */
            reason?: string;
            /**
             * Format: int32
             * @description Number of deployments that it holds. After the end of a freeze, of those that are about to continue.
             * @example 12
             */
            held: number;
            /**
             * Format: int32
             * @description Number of robots that have an order of a deployment already, rollbacks aside. They carry it out, also if they are offline or wait for their window: only a cancel stops them.
             * @example 41
             */
            robots_with_orders?: number;
        };
        /** @description The freeze of an org. */
        DeploymentFreezeResponse: {
            data: components["schemas"]["DeploymentFreeze"];
        };
        /** @description A freeze of all deployments. */
        DeploymentFreezeSet: {
            /**
             * @description Why, for colleagues: `cli deployments list`, the events of the deployments and the audit log show it.
             * @example robots stop in aisle 4
             */
            reason: string;
        };
        /**
         * @description What a deployment waits for.
         * @example approval
         * @enum {string}
         */
        WaitingFilter: "approval";
        /** @description Number of robots in each status; all 0 before the target robots are fixed. */
        TargetCounts: {
            /**
             * Format: int32
             * @description Number of all robots.
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
             * @description Robots that were sent the order.
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
             * @description Robots that are rolling back.
             * @example 3
             */
            rolling_back: number;
            /**
             * Format: int32
             * @description Robots that have applied it.
             * @example 3
             */
            applied: number;
            /**
             * Format: int32
             * @description Robots that have failed.
             * @example 3
             */
            failed: number;
            /**
             * Format: int32
             * @description Robots that have rolled back.
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
        /** @description The pause of the deployment; absent unless its status is `paused`. */
        DeploymentPause: {
            /**
             * @description `requested` by a person or program, or by its rollout: `wave_ended`, `wave_failed` (so many robots of a wave failed that it cannot end) or `aborted` by an abort rule. With `approval`, only approvals continue it. With `rejected`, a person did not approve the next wave. With `superseded`, a newer deployment paused it. With `frozen`, all deployments of the org are. With `downgrade_left_out`, all robots of a wave but the last one run a newer release; a resume continues without them. Open enum: expect new values.
             * @example requested
             */
            code: string;
            /**
             * Format: date-time
             * @description Time since which no robot receives it.
             * @example 2026-11-21T09:00:03.120Z
             */
            since: string;
            /**
             * @description Why, as its author wrote it, or what the rollout counted; absent if not given. The audit log has the author.
             * @example crashes on the second floor
             */
            reason?: string;
        };
        /** @description A wave of a deployment. */
        DeploymentWave: {
            /**
             * Format: int32
             * @description Number of the wave, from 1.
             * @example 2
             */
            number: number;
            /**
             * @description Name for people; absent if there is none.
             * @example canaries
             */
            name?: string;
            /**
             * @description Selector that its robots matched; absent if any robot could be in it.
             * @example tier=canary
             */
            selector?: string;
            /**
             * @description Size as the policy has it; absent if it has none. `counts` has the number of robots.
             * @example 10
             */
            percent?: number;
            /**
             * Format: int32
             * @description Size as the policy has it; absent if it has none. `counts` has the number of robots.
             * @example 5
             */
            count?: number;
            counts?: components["schemas"]["TargetCounts"];
            /**
             * Format: date-time
             * @description Time at which it began; absent before.
             * @example 2026-11-21T09:00:00.040Z
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description Time since which its soak time passes; absent before, and while too many of its robots are unhealthy.
             * @example 2026-11-21T09:04:10.210Z
             */
            soak_started_at?: string;
            /**
             * Format: date-time
             * @description Time at which the next wave could begin; absent before, and for the last wave.
             * @example 2026-11-21T09:34:10.210Z
             */
            ended_at?: string;
            /**
             * Format: date-time
             * @description Time at which a person skipped it; absent if nobody did.
             * @example 2026-11-21T09:34:10.210Z
             */
            skipped_at?: string;
        };
        /** @description The rollout of the deployment and how far it is; absent if all robots receive it at once. */
        DeploymentRollout: {
            /**
             * @description ID of the policy that it was created with, even if that was changed or deleted since.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1
             */
            policy_id?: string;
            /**
             * @description Name of that policy at the time.
             * @example careful
             */
            policy_name?: string;
            /**
             * Format: int32
             * @description Number of the latest wave that has begun; 0 before the first.
             * @example 2
             */
            wave: number;
            /** @description The waves in order. Before the target robots are fixed, those of the policy. */
            waves: components["schemas"]["DeploymentWave"][];
            advance: components["schemas"]["RolloutAdvance"];
            /** @description What stops the rollout. */
            abort: components["schemas"]["RolloutAbort"][];
            pace?: components["schemas"]["RolloutPace"];
            approval?: components["schemas"]["RolloutApproval"];
            /**
             * @description What happens to older open deployments for the same robots when this one begins, as in `RolloutSupersede`; absent if they are replaced. Open enum: expect new values.
             * @example replace
             */
            supersede?: string;
            gates?: components["schemas"]["RolloutGates"];
            windows?: components["schemas"]["RolloutWindows"];
            ignored_windows?: components["schemas"]["RolloutWindows"];
        };
        /** @description The rollback of the deployment; absent if none was requested. */
        DeploymentRollbackRequest: {
            /**
             * @description `requested` by a person or program, or `aborted` by a rule of its rollout. Open enum: expect new values.
             * @example aborted
             */
            code: string;
            /**
             * Format: date-time
             * @description Time at which it was requested.
             * @example 2026-11-21T09:00:03.120Z
             */
            since: string;
            /**
             * @description Why, as its author wrote it, or what the rollout counted; absent if not given. The audit log has the author.
             * @example robots lose their map
             */
            reason?: string;
        };
        /** @description The approval that the deployment waits for; absent if it waits for none. */
        DeploymentApprovalRequest: {
            /**
             * Format: int32
             * @description Number of the wave that begins once it is approved; 0 for the deployment itself.
             * @example 0
             */
            wave: number;
            /**
             * @description Hash of the plan to approve.
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            plan_hash: string;
            /**
             * Format: int32
             * @description Number of people who must approve it.
             * @example 2
             */
            people: number;
            /**
             * @description Least role of these people. Open enum: expect new values.
             * @example operator
             */
            role: string;
            /** @description Email addresses of the people who approved it so far, `org token` for a token of the org. */
            approved_by: string[];
            /**
             * Format: date-time
             * @description Time at which a deployment that has not begun is cancelled, or at which approvals of the next wave lapse. Absent for a wave whose approvals have lapsed, until the next approval.
             * @example 2026-11-22T09:00:00.000Z
             */
            expires_at?: string;
        };
        /** @description How the deployment retries robots; absent unless it is a retry. */
        DeploymentRetryTerms: {
            /**
             * Format: int32
             * @description Number of this attempt, from 1.
             * @example 1
             */
            attempt: number;
            /**
             * Format: int32
             * @description Maximum number of attempts. The service creates the next one once this one has ended and failed for one of `reasons`.
             * @example 3
             */
            attempts: number;
            /** @description Why the deployment failed on its robots. Open enum: expect new values. */
            reasons: string[];
            /**
             * @description Time before the first attempt. It doubles with each attempt.
             * @example 10m
             */
            backoff: string;
            /**
             * @description Why, as its author wrote it; absent if not given. The audit log has the author.
             * @example the access points are repaired
             */
            reason?: string;
        };
        /** @description What must happen next, computed at the time of the request; absent after the end. */
        WaitingOn: {
            /**
             * @description For a deployment: `paused`, `approval`, `deployment`, `wave`, `soak`, `wave_health`, `budget`, `pace`, `window`, `schedule`, `claim` (due, about to start), `robots_offline`, `earlier_orders`, `dispatch`, `robots_working`, `cancel_confirmation`, `pin` or `maintenance`. For a robot: `paused`, `wave`, `pin`, `maintenance`, `offline`, `agent_too_old`, `earlier_order`, `dispatch`, `acknowledgement`, `robot_working`, `gate`, `window`, `budget`, `pace`, `cancel_confirmation`, `cancel` or `newer_order`. Open enum: expect new values. With `wave`, its wave has not begun; for a robot that joined the fleet, the last one. With `approval`, people must approve it. With `deployment`, those in `blocked_by` must end first. With `soak`, the soak time of a wave passes. With `gate`, and with `window` once a robot has the order, `gate` says what it waits for. Before, `detail` of `window` says when the download window opens. With `wave_health`, too many robots of the wave became unhealthy or run something else. With `budget`, a disruption budget allows no further robot now; with `pace`, the pace of the rollout. With `pin`, the robot is held at another release. With `maintenance`, it is in maintenance and the deployment has a rollout. `detail` says until when, by whom and why. A deployment has them if it can be sent to no other robot now, with the `detail` of one robot. If more than 500 robots have the same status, the service checks only some of them; `robots_offline` then means that none of these is online.
             * @example robots_working
             */
            code: string;
            /**
             * Format: date-time
             * @description Time since which this is so; absent if unknown.
             * @example 2026-11-21T09:00:03.120Z
             */
            since?: string;
            /**
             * @description What exactly keeps it waiting, for people; absent if the code says all.
             * @example budget osaka: 2 of 10 robots are unavailable, and no more than 2 may be
             */
            detail?: string;
        };
        /** @description Why the service itself created this deployment; absent for deployments created by people and programs. */
        Cause: {
            /**
             * @description `enrolled` or `moved`: the robot joined a fleet with this deployment. `matched`: its robots began to match the selector of this deployment, which is dynamic. Open enum: expect new values.
             * @example enrolled
             */
            kind: string;
            /**
             * @description ID of the deployment that the robot missed.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            deployment_id: string;
        };
        /** @description A release to install on one robot, on a fleet, or on the robots that a selector matches. */
        Deployment: {
            /**
             * @description ID of the deployment.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            id: string;
            /**
             * @description ID of the release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id: string;
            /**
             * @description Kind of the target, `robot`, `fleet` or `selector`. Open enum: expect new values.
             * @example fleet
             */
            target_kind: string;
            /**
             * @description ID of the robot, fleet or stored selector.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * @description Text of the selector, in its normal form; absent for other targets.
             * @example tier=canary,@site=Osaka
             */
            target_selector?: string;
            /**
             * @description True while robots that match the selector later receive it too; false once that has ended, by `dynamic_until`, a cancel, a rollback or a newer deployment to the same selector. Absent if `dynamic` was not requested.
             * @example true
             */
            dynamic?: boolean;
            /**
             * Format: date-time
             * @description Time until which robots that match later receive it; absent without `dynamic`.
             * @example 2026-12-31T00:00:00.000Z
             */
            dynamic_until?: string;
            /**
             * @description One of `scheduled`, `pending`, `in_progress`, `paused` and `cancelling`, or a final status: `failed` if any robot failed, else `rolled_back` if any rolled back, else `applied` if any applied, else `cancelled`. A final status never changes. Open enum: expect new values.
             * @example in_progress
             */
            status: string;
            /**
             * @description Why the deployment ended, if no robot reports the cause, for example `no_targets`, `too_many_targets`, `unknown_selector_name` or `downgrade_left_out`, or why it was cancelled; absent otherwise. Cancelled by a rule of its rollout, it has `aborted`. Cancelled for lack of approval, it has `rejected` or `approval_expired`.
             * @example no_targets
             */
            reason?: string;
            /**
             * Format: date-time
             * @description Earliest start; absent if the deployment starts at once.
             * @example 2026-11-21T09:00:00.000Z
             */
            scheduled_at?: string;
            /**
             * Format: int32
             * @description Time in minutes that a robot may stay in one status once it works on the deployment. Each reported `progress` restarts the time, for at most 24 hours.
             * @example 30
             */
            active_minutes: number;
            counts: components["schemas"]["TargetCounts"];
            paused?: components["schemas"]["DeploymentPause"];
            rollout?: components["schemas"]["DeploymentRollout"];
            rollback?: components["schemas"]["DeploymentRollbackRequest"];
            /**
             * @description True if it ignores the pace of its rollout; absent otherwise.
             * @example true
             */
            urgent?: boolean;
            approval?: components["schemas"]["DeploymentApprovalRequest"];
            /** @description IDs of older deployments for the same robots that must end before it begins; absent unless it waits for them. */
            blocked_by?: string[];
            /**
             * @description ID of the plan that it executes; absent without one. Plans are deleted after 7 days, but not while their deployment waits or needs approvals.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1
             */
            plan_id?: string;
            /**
             * @description ID of the deployment that it rolls back; absent for all others. Its robots are those that return to the same release or value, also if they no longer belong to `target_id`.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80
             */
            rollback_of?: string;
            /**
             * @description ID of the deployment that it retries, for the retry of a retry the original; absent for all others. Its robots are those on which that deployment, or the attempt before, failed, also if they no longer belong to `target_id`.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80
             */
            retry_of?: string;
            retry?: components["schemas"]["DeploymentRetryTerms"];
            /**
             * @description True if robots do not ask their gates for it; absent otherwise.
             * @example true
             */
            ignore_gates?: boolean;
            /**
             * @description True if windows do not hold it; absent otherwise. The ones of its rollout are in `ignored_windows`.
             * @example true
             */
            ignore_windows?: boolean;
            /**
             * @description True if it also goes to robots whose agent lacks the windows or gates that the rollout needs; absent otherwise.
             * @example true
             */
            allow_ungated?: boolean;
            /**
             * @description Whether robots that run a newer release get it too; absent if that is not checked, as without a rollout and of rollbacks. With `false`, robots that run a newer release keep that: those that got it before a scheduled deployment begins, and those that join later. Its retries, and what robots that join later get, have the same value.
             * @example false
             */
            allow_downgrade?: boolean;
            waiting_on?: components["schemas"]["WaitingOn"];
            caused_by?: components["schemas"]["Cause"];
            /**
             * @description Signature, base64; absent if there is none.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description ID of the key that made the signature; absent without a signature.
             * @example release-2026
             */
            key_id?: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which its target robots were fixed; absent before.
             * @example 2026-11-21T09:00:00.040Z
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description Time at which the last robot ended; absent before.
             * @example 2026-11-21T09:00:52.210Z
             */
            ended_at?: string;
        };
        /** @description A list of deployments. */
        DeploymentList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Deployment"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A deployment to create. Needs `release_id` and `target_kind`, or `plan_id`. */
        DeploymentCreate: {
            /**
             * @description ID of a plan of kind `release`, which has `release_id`, the target, the rollout, `ignore_windows` and `allow_downgrade`; excludes these fields. The robots and their waves are those of the plan. If others would get it now, or in other waves, it is refused.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1
             */
            plan_id?: string;
            /**
             * @description ID of the release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
             */
            release_id?: string;
            target_kind?: components["schemas"]["TargetKind"];
            /**
             * @description ID of the robot or fleet, or of a stored selector: that of an earlier deployment. Required for a robot and a fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id?: string;
            /**
             * @description Selector of the robots, such as `tier=canary,@site=Osaka`, at most 16 requirements; only with `target_kind` `selector`, in place of `target_id`. The robots are those that match when the deployment starts.
             * @example tier=canary,@site=Osaka
             */
            target_selector?: string;
            /**
             * @description True: robots that match the selector later receive it too, until `dynamic_until`, by the rules of the last wave; only with `target_kind` `selector` and `dynamic_until`. Default `false`.
             * @example true
             */
            dynamic?: boolean;
            /**
             * Format: date-time
             * @description End of `dynamic`, RFC 3339 with `Z` or an offset, after `scheduled_at` and at most 366 days ahead; required with `dynamic` `true`.
             * @example 2026-12-31T00:00:00Z
             */
            dynamic_until?: string;
            /**
             * Format: date-time
             * @description Start time, RFC 3339 with `Z` or an offset, at most five years ahead. A time more than 60 s in the past returns 400; a later one that has passed means now. Digits after milliseconds are cut.
             * @example 2030-01-31T02:00:00+09:00
             */
            scheduled_at?: string;
            /**
             * @description Time in minutes that a robot may stay in one status once it works on the deployment, 1 to 10,080 (7 days), default 30. After that the robot counts as failed.
             * @example 30
             */
            active_minutes?: number;
            /**
             * @description Whether robots must not ask their gates, such as the charge of the battery, before they are disturbed; for emergencies. Default `false`. Windows of the rollout stay in force.
             * @example true
             */
            ignore_gates?: boolean;
            /**
             * @description Whether the windows and blackouts of the rollout do not apply; for what must not wait. Default `false`. Robots that hold an older order for the same release kind or config key until its window opens return it. The rest of the rollout, and gates, apply.
             * @example true
             */
            ignore_windows?: boolean;
            /**
             * @description Whether it also goes to robots whose agent lacks the capability `windows`, if the rollout has `activate` windows, or `gates`, if it requires them. They may be disturbed at any time. Default `false`: these robots wait with `agent_too_old`, and do not hold up their wave.
             * @example true
             */
            allow_ungated?: boolean;
            /**
             * @description Whether the release may be older than the one that robots run by their last report. Without a rollout it always may. Default `false`: with a rollout, the deployment is refused with 409 and `downgrade`, the number of these robots, counted up to 100, and up to three of them. Robots that join later and run something newer then keep that.
             * @example true
             */
            allow_downgrade?: boolean;
            /**
             * @description Signature, base64, sent to the robots unchanged. The service does not verify it; robots that require signatures do.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description ID of the key that made the signature; required with `signature`.
             * @example release-2026
             */
            key_id?: string;
            /**
             * @description ID of a rollout policy. The robots receive the deployment in its waves. Not for one robot; excludes `rollout`. Without both, all robots receive it at once.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1
             */
            rollout_policy_id?: string;
            rollout?: components["schemas"]["RolloutCreate"];
            /**
             * @description Whether it ignores the pace of its rollout, default false. Waves, abort rules and disruption budgets apply.
             * @example true
             */
            urgent?: boolean;
        };
        /** @description One deployment. */
        DeploymentResponse: {
            data: components["schemas"]["Deployment"];
        };
        /** @description Progress of the robot within its status, as last reported; absent if not reported, and after the status changes. */
        TargetProgress: {
            /**
             * Format: int32
             * @description Progress in percent, 0 to 100.
             * @example 40
             */
            percent: number;
            /**
             * @description What the robot is doing, in its own words; absent if it sent none.
             * @example 412 of 1024 MiB
             */
            text?: string;
            /**
             * Format: date-time
             * @description Time at which the service last received the progress.
             * @example 2026-11-21T09:00:08.120Z
             */
            at: string;
        };
        /** @description What keeps the robot from being disturbed, as it last reported; absent if nothing does. */
        TargetGate: {
            /**
             * @description What holds the order: `battery`, `docked`, `mission`, `estop`, `disk`, `command` for a program of the robot, `window`, or `agent` if a gate cannot be asked. Open enum: expect new values.
             * @example battery
             */
            holder: string;
            /**
             * @description Why, in the words of the robot.
             * @example 18 %, needs 30 %
             */
            reason: string;
            /**
             * Format: date-time
             * @description Time at which the service first received that the robot waits, for this or another holder.
             * @example 2026-11-21T09:00:08.120Z
             */
            since: string;
        };
        /** @description One robot of a deployment. */
        DeploymentTarget: {
            /**
             * @description ID of the robot, which may have been removed since.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description One of `waiting`, `dispatched`, `downloading`, `installing`, `verifying`, `cancelling` and `rolling_back`, or a final status: `applied`, `failed`, `rolled_back` or `cancelled`. Open enum: expect new values.
             * @example installing
             */
            status: string;
            /**
             * @description Why it ended, for example `timed_out`, `expired`, `digest_mismatch`, `no_artifact`, `no_handler`, `install_failed`, `verify_failed`, `superseded`, `forced`, `robot_removed` or `too_many_orders`; absent otherwise. If a robot reports a reason that only the service sets, it has the prefix `agent_`: `agent_expired` is a signature that had expired. Open enum: expect new values.
             * @example verify_failed
             */
            reason?: string;
            /**
             * @description Message from the robot, at most 4 KiB; absent if it sent none.
             * @example healthcheck exited with 1
             */
            message?: string;
            /**
             * Format: int32
             * @description Number of its wave; absent if the deployment has no rollout.
             * @example 2
             */
            wave?: number;
            progress?: components["schemas"]["TargetProgress"];
            gate?: components["schemas"]["TargetGate"];
            waiting_on?: components["schemas"]["WaitingOn"];
            /**
             * Format: date-time
             * @description Time at which it times out if nothing happens; absent after the end, and while a pause or its wave keeps it from being sent.
             * @example 2026-11-21T09:30:03.120Z
             */
            deadline_at?: string;
            /**
             * Format: date-time
             * @description Time at which it was last sent to the robot; absent before.
             * @example 2026-11-21T09:00:00.090Z
             */
            dispatched_at?: string;
            /**
             * Format: date-time
             * @description Time of the last change of status.
             * @example 2026-11-21T09:00:03.120Z
             */
            updated_at: string;
        };
        /** @description A list of robots of a deployment. */
        DeploymentTargetList: {
            /** @description Sorted by `robot_id`. */
            items: components["schemas"]["DeploymentTarget"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description One event of a deployment. Each transition that the service receives is a separate event, in the sequence of the robot's reports. A robot may skip transitions: after it lost its link, it sends only the latest state of each order. Reports that arrive late or out of order change nothing. */
        DeploymentEvent: {
            /**
             * @description ID of the event.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cb4
             */
            id: string;
            /**
             * Format: int64
             * @description Number of the event within the deployment, from 1, without gaps.
             * @example 4
             */
            seq: number;
            /**
             * Format: date-time
             * @description Time at which the service recorded the event, by the clock of the database. While the database stalls, reports are recorded up to 30 s after they arrive.
             * @example 2026-11-21T09:00:03.120Z
             */
            at: string;
            /**
             * @description Status of the deployment after the event.
             * @example in_progress
             */
            status: string;
            /**
             * @description ID of the robot; absent if the event concerns the whole deployment.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id?: string;
            /**
             * @description Status of the robot after the event; present with `robot_id`.
             * @example installing
             */
            target_status?: string;
            /**
             * @description Reason, if there is one. Of a rollout: `wave_started`, `wave_ended` (a person or its policy ended the wave before the next one), `wave_skipped`, `waves_changed`, `wave_failed` or `aborted`. Of a release, `downgrade_left_out`: robots that ran a newer one when it began. Of a rollback: `rollback` or `rollback_started`. Of a retry: `retry`. Of a freeze of the org: `frozen` or `thawed`. With `dynamic`: `matched` or `dynamic_ended`.
             * @example timed_out
             */
            reason?: string;
            /**
             * @description Message from the robot, at most 4 KiB; of a pause, its end and a rollback the reason; of a wave or rollback that begins its number of robots. Of waves that are skipped or changed, it has both.
             * @example healthcheck exited with 1
             */
            message?: string;
        };
        /** @description A list of events. */
        DeploymentEventList: {
            /** @description Oldest first. */
            items: components["schemas"]["DeploymentEvent"][];
        };
        /** @description A change of the course of a deployment. */
        DeploymentControl: {
            /**
             * @description Why, for colleagues: the events of the deployment and the audit log show it. None by default.
             * @example crashes on the second floor
             */
            reason?: string;
        };
        /** @description A wave to skip. */
        DeploymentWaveSkip: {
            /**
             * @description Number of the wave, from 1.
             * @example 2
             */
            wave: number;
            /**
             * @description Why, for colleagues: the events of the deployment and the audit log show it. None by default.
             * @example the robots on the second floor are in repair
             */
            reason?: string;
        };
        /** @description The waves of a deployment that have not begun. */
        DeploymentWavesUpdate: {
            /**
             * @description Number of the first wave that is replaced, from 2. Those before stay.
             * @example 2
             */
            from: number;
            /** @description The waves in order, in place of the wave `from` and those after it. Robots in none of them form the last wave. A rollout has at most 20, with those that stay. */
            waves: components["schemas"]["RolloutWaveCreate"][];
            /**
             * @description Why, for colleagues: the events of the deployment and the audit log show it. None by default.
             * @example begin with fewer robots
             */
            reason?: string;
        };
        /** @description Robots that return to the same release, or to the same revision of the config entry. */
        RollbackReturn: {
            /**
             * @description ID of the release; absent for a config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70
             */
            release_id?: string;
            /**
             * Format: int64
             * @description Revision of the config entry; absent for a release.
             * @example 4
             */
            revision?: number;
            /**
             * Format: int32
             * @description Number of robots.
             * @example 12
             */
            robots: number;
            /**
             * @description ID of the deployment that returns them; absent before it exists.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c90
             */
            deployment_id?: string;
        };
        /** @description Robots that keep the deployment for the same reason. */
        RollbackExclusion: {
            /**
             * @description `nothing_earlier`: they applied nothing before it. `superseded`: they have received something newer, or are to. If it is cancelled or fails, they return. `signature_required`: they refuse orders without a signature, and none was supplied for what they would return to. `config_deleted`: the config entry was deleted. `robot_removed`. With `pinned`, they are held at another release than that. Open enum: expect new values.
             * @example nothing_earlier
             */
            code: string;
            /**
             * @description ID of the release that they would return to; absent for a config entry, and if there is none.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70
             */
            release_id?: string;
            /**
             * Format: int64
             * @description Revision of the config entry that they would return to; absent for a release, and if there is none.
             * @example 4
             */
            revision?: number;
            /**
             * Format: int32
             * @description Number of robots.
             * @example 2
             */
            robots: number;
        };
        /** @description What a rollback does, or would do if it was requested now. Robots that never applied the deployment are in none of the numbers. */
        DeploymentRollback: {
            request?: components["schemas"]["DeploymentRollbackRequest"];
            /** @description What robots return to, each robot to what it applied last before. The one with most robots comes first. */
            returns: components["schemas"]["RollbackReturn"][];
            /** @description Robots that applied the deployment and keep it. */
            excluded: components["schemas"]["RollbackExclusion"][];
        };
        /** @description The rollback of a deployment. */
        DeploymentRollbackResponse: {
            data: components["schemas"]["DeploymentRollback"];
        };
        /** @description A signature of what robots return to. Needs `release_id` for a deployment of a release, `revision` for one of a config entry. */
        RollbackSignature: {
            /**
             * @description ID of the release.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70
             */
            release_id?: string;
            /**
             * Format: int64
             * @description Revision of the config entry, from 1.
             * @example 4
             */
            revision?: number;
            /**
             * @description Signature, base64, sent to the robots unchanged. The service does not verify it; robots that require signatures do.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature: string;
            /**
             * @description ID of the key that made the signature.
             * @example release-2026
             */
            key_id: string;
        };
        /** @description A rollback to request. */
        DeploymentRollbackCreate: {
            /**
             * @description Why, for colleagues: the events of the deployment and the audit log show it. None by default.
             * @example robots lose their map
             */
            reason?: string;
            /** @description Signatures for robots that require them, at most one for each release or revision that robots return to, at most 100. Their scope is the target of the deployment, or `org` for a selector. */
            signatures?: components["schemas"]["RollbackSignature"][];
        };
        /** @description Robots on which the deployment failed for the same reason. */
        RetriedRobots: {
            /**
             * @description `failed`, `timed_out`, `rejected` (it failed before the robot reported a step), `rolled_back` or `unreached` (it expired before the robot worked on it, or the queue of the robot was full). Open enum: expect new values.
             * @example timed_out
             */
            reason: string;
            /**
             * Format: int32
             * @description Number of robots.
             * @example 3
             */
            robots: number;
        };
        /** @description Robots that are not retried for the same reason. */
        RetryExclusion: {
            /**
             * @description `superseded`: they have received something newer, or are to. `retry_scheduled`: another retry has them and has not begun; cancel it to retry now. `signature_required`: they refuse orders without a signature, and the deployment has none. `robot_removed`. Open enum: expect new values.
             * @example superseded
             */
            code: string;
            /**
             * Format: int32
             * @description Number of robots.
             * @example 1
             */
            robots: number;
        };
        /** @description What a retry of the deployment would do if it was requested now. */
        DeploymentRetry: {
            /** @description Robots that would receive it again, by the reason for which it failed on them. Most robots first. */
            retries: components["schemas"]["RetriedRobots"][];
            /** @description Robots on which it failed and that would not receive it again. */
            excluded: components["schemas"]["RetryExclusion"][];
        };
        /** @description What a retry would do. */
        DeploymentRetryResponse: {
            data: components["schemas"]["DeploymentRetry"];
        };
        /**
         * @description Why the deployment failed on a robot: a time limit is `timed_out`, other failures are `failed`. With `rejected`, it failed before the robot reported a step. With `rolled_back`, the robot returned to what it ran before. With `unreached`, it expired before the robot worked on it, or the queue of the robot was full. All of these are `any`.
         * @example timed_out
         * @enum {string}
         */
        DeploymentRetryReason: "failed" | "timed_out" | "rejected" | "rolled_back" | "unreached" | "any";
        /** @description A retry to create. */
        DeploymentRetryCreate: {
            /** @description Why the deployment failed on the robots to retry; `any` by default. */
            reasons?: components["schemas"]["DeploymentRetryReason"][];
            /**
             * Format: int32
             * @description Maximum number of attempts, 1 to 5, default 1.
             * @example 3
             */
            attempts?: number;
            /**
             * @description Time before the first attempt, `0s` to `1d`, default `0s`. It doubles with each attempt.
             * @example 10m
             */
            backoff?: string;
            /**
             * @description Why, for colleagues: the retry, the events of the deployment and the audit log show it. None by default.
             * @example the access points are repaired
             */
            reason?: string;
        };
        /** @description The author of the deployment, who cannot approve it; absent if it needs no approval. */
        ApprovalPerson: {
            /**
             * @description `user`, or `org` for a token of the org. Open enum: expect new values.
             * @example user
             */
            kind: string;
            /**
             * @description ID of the user or org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
             */
            id: string;
            /**
             * @description Email address of the user; `org token` for a token of the org.
             * @example max@example.com
             */
            name: string;
        };
        /** @description An approval or a rejection. */
        DeploymentApproval: {
            /**
             * Format: int32
             * @description Number of the wave that it is for; 0 for the deployment itself.
             * @example 0
             */
            wave: number;
            /**
             * @description `approve` or `reject`. Open enum: expect new values.
             * @example approve
             */
            decision: string;
            /**
             * @description Hash of the plan.
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            plan_hash: string;
            by: components["schemas"]["ApprovalPerson"];
            /**
             * @description Why, as that person wrote it; absent if not given.
             * @example tested on the bench
             */
            reason?: string;
            /**
             * Format: date-time
             * @description Time of the decision.
             * @example 2026-11-21T09:10:00.000Z
             */
            at: string;
            /**
             * Format: date-time
             * @description Time at which it stopped counting, as too few others approved in time or one rejected; absent if it counts.
             * @example 2026-11-22T09:00:00.000Z
             */
            lapsed_at?: string;
        };
        /** @description Who approved or rejected what of a deployment. */
        DeploymentApprovals: {
            request?: components["schemas"]["DeploymentApprovalRequest"];
            author?: components["schemas"]["ApprovalPerson"];
            /** @description All approvals and rejections, oldest first. */
            decisions: components["schemas"]["DeploymentApproval"][];
        };
        /** @description The approvals of a deployment. */
        DeploymentApprovalsResponse: {
            data: components["schemas"]["DeploymentApprovals"];
        };
        /**
         * @description `approve` or `reject`.
         * @example approve
         * @enum {string}
         */
        ApprovalDecision: "approve" | "reject";
        /** @description An approval or a rejection of what a deployment waits for. */
        DeploymentApprovalCreate: {
            decision: components["schemas"]["ApprovalDecision"];
            /**
             * @description Hash of the plan that was read, in hex. Another one than that of the deployment is refused.
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            plan_hash: string;
            /**
             * @description Number of the wave that is meant, 0 to 21; 0 for the deployment itself. If the deployment waits for another one, it is refused. Required once the deployment has begun, as all waves have the same plan hash. Default: 0.
             * @example 0
             */
            wave?: number;
            /**
             * @description Why, for colleagues: the events of the deployment and the audit log show it. None by default.
             * @example tested on the bench
             */
            reason?: string;
        };
        /** @description A rollout with a name, for deployments to come. A deployment keeps the rollout that it was created with. */
        RolloutPolicy: {
            /**
             * @description ID of the policy.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1
             */
            id: string;
            /**
             * @description Name of the policy.
             * @example careful
             */
            name: string;
            rollout: components["schemas"]["Rollout"];
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-11-21T09:00:00.000Z
             */
            updated_at: string;
        };
        /** @description The rollout policies of the org. */
        RolloutPolicyList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["RolloutPolicy"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A rollout policy to create. */
        RolloutPolicyCreate: {
            name: components["schemas"]["DisplayName"];
            rollout: components["schemas"]["RolloutCreate"];
        };
        /** @description One rollout policy. */
        RolloutPolicyResponse: {
            data: components["schemas"]["RolloutPolicy"];
        };
        /** @description Changes of a rollout policy. Deployments that exist keep theirs. */
        RolloutPolicyUpdate: {
            name?: components["schemas"]["DisplayName"];
            rollout?: components["schemas"]["RolloutCreate"];
        };
        /** @description A number of robots of each group, as `count` or `percent`; absent if the other limit is set. */
        RobotNumber: {
            /**
             * Format: int32
             * @description Number of robots; absent with `percent`.
             * @example 2
             */
            count?: number;
            /**
             * @description Percentage of the robots of the group, rounded up; absent with `count`.
             * @example 10
             */
            percent?: number;
        };
        /** @description How many robots may be unavailable at the same time: offline, unhealthy, in maintenance, or at work on any deployment. Has one of `max_unavailable` and `min_available`. */
        DisruptionBudget: {
            /**
             * @description ID of the budget.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1
             */
            id: string;
            /**
             * @description Name of the budget.
             * @example pickers per site
             */
            name: string;
            /**
             * @description Selector of its robots; absent if it is for all robots of the org.
             * @example @fleet=pickers
             */
            selector?: string;
            /** @description The robots that have the same value for each of these are counted together; empty if all are. */
            group_by: string[];
            max_unavailable?: components["schemas"]["RobotNumber"];
            min_available?: components["schemas"]["RobotNumber"];
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-11-21T09:00:00.000Z
             */
            updated_at: string;
        };
        /** @description The disruption budgets of the org. */
        DisruptionBudgetList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["DisruptionBudget"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description What is counted for itself: each site (`@site`), each fleet (`@fleet`), or each value of a label. At most 3 keys; robots without a label form a group too. By default, all robots of the budget are counted together. */
        BudgetGroupBy: string[];
        /** @description A number of robots of each group. Needs one of `count` and `percent`. */
        RobotNumberCreate: {
            /**
             * @description Number of robots, 0 to 200000; excludes `percent`.
             * @example 2
             */
            count?: number;
            /**
             * @description Percentage of the robots of the group, 0 to 100, rounded up; excludes `count`.
             * @example 10
             */
            percent?: number;
        };
        /** @description A disruption budget to create. Needs one of `max_unavailable` and `min_available`. */
        DisruptionBudgetCreate: {
            name: components["schemas"]["DisplayName"];
            /**
             * @description Selector of its robots, such as `@fleet=pickers`, at most 16 requirements. By default, it is for all robots of the org.
             * @example @fleet=pickers
             */
            selector?: string;
            group_by?: components["schemas"]["BudgetGroupBy"];
            max_unavailable?: components["schemas"]["RobotNumberCreate"];
            min_available?: components["schemas"]["RobotNumberCreate"];
        };
        /** @description One disruption budget. */
        DisruptionBudgetResponse: {
            data: components["schemas"]["DisruptionBudget"];
        };
        /** @description Changes of a disruption budget. A limit of one kind replaces that of the other kind. */
        DisruptionBudgetUpdate: {
            name?: components["schemas"]["DisplayName"];
            /**
             * @description Selector of its robots, at most 16 requirements; an empty text means all robots of the org.
             * @example @fleet=pickers
             */
            selector?: string;
            group_by?: components["schemas"]["BudgetGroupBy"];
            max_unavailable?: components["schemas"]["RobotNumberCreate"];
            min_available?: components["schemas"]["RobotNumberCreate"];
        };
        /** @description A rule for what is removed from the message and the fields of log records before they are stored. */
        LogRedaction: {
            /**
             * @description ID of the rule.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9df1
             */
            id: string;
            /**
             * @description Name of the rule.
             * @example door-code
             */
            name: string;
            /**
             * @description The regular expression that finds what is replaced; of a built-in rule, what it finds in words.
             * @example door code: ?[0-9]{4}
             */
            pattern: string;
            /**
             * @description The text that replaces each match.
             * @example [redacted: door-code]
             */
            replacement: string;
            /**
             * @description Whether the rule is applied.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Whether the rule is part of the service.
             * @example false
             */
            builtin: boolean;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             * @example 2026-11-21T09:00:00.000Z
             */
            updated_at: string;
        };
        /** @description The log redaction rules of the org. */
        LogRedactionList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["LogRedaction"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /**
         * @description A regular expression in RE2 syntax, 1 to 500 characters: no backreferences and no lookaround. It must not match an empty text, and no other rule of the org may have it. Write `(?i)` at its beginning to ignore case.
         * @example door code: ?[0-9]{4}
         */
        LogRedactionPattern: string;
        /**
         * @description The text that replaces each match, at most 200 characters; it is taken literally. By default, `[redacted: <name>]` with the name of the rule.
         * @example [redacted: door-code]
         */
        LogRedactionReplacement: string;
        /** @description A log redaction rule to create. An org has at most 50, besides the built-in ones. */
        LogRedactionCreate: {
            name: components["schemas"]["DisplayName"];
            pattern: components["schemas"]["LogRedactionPattern"];
            replacement?: components["schemas"]["LogRedactionReplacement"];
            /**
             * @description Whether the rule is applied. True by default.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description One log redaction rule. */
        LogRedactionResponse: {
            data: components["schemas"]["LogRedaction"];
        };
        /** @description A pattern to test on messages of log records. */
        LogRedactionTest: {
            pattern: components["schemas"]["LogRedactionPattern"];
            /**
             * @description The text that replaces each match, at most 200 characters; it is taken literally. By default, `[redacted]`.
             * @example [redacted: door-code]
             */
            replacement?: string;
            /** @description The messages, each at most 16,384 characters. */
            messages: string[];
        };
        /** @description What would be stored of one message. */
        LogRedactionTestResult: {
            /**
             * @description Whether the rule changes the message, after the other enabled rules of the org.
             * @example true
             */
            matched: boolean;
            /**
             * @description The message that would be stored.
             * @example opened with [redacted]
             */
            message: string;
            /**
             * @description Name of the first enabled built-in rule that changes the message without this rule, if any.
             * @example jwt
             */
            builtin_rule?: string;
        };
        /** @description What would be stored of messages if the org had one more log redaction rule. */
        LogRedactionTestReport: {
            /**
             * Format: int32
             * @description Number of messages that the rule changes.
             * @example 1
             */
            matched: number;
            /** @description One result for each message, in the order of the request. */
            results: components["schemas"]["LogRedactionTestResult"][];
        };
        /** @description The result of a test of a log redaction rule. */
        LogRedactionTestResponse: {
            data: components["schemas"]["LogRedactionTestReport"];
        };
        /** @description Changes of a log redaction rule. */
        LogRedactionUpdate: {
            name?: components["schemas"]["DisplayName"];
            pattern?: components["schemas"]["LogRedactionPattern"];
            replacement?: components["schemas"]["LogRedactionReplacement"];
            /**
             * @description Whether the rule is applied.
             * @example false
             */
            enabled?: boolean;
        };
        /** @description A key with its newest value. */
        Config: {
            /**
             * @description ID of the entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            id: string;
            /**
             * @description Namespace of the key. Robots keep one file per namespace.
             * @example default
             */
            namespace: string;
            /**
             * @description The key, unique in its namespace.
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
             * @description Revision number of the value, from 1.
             * @example 3
             */
            revision: number;
            /**
             * Format: date-time
             * @description Time at which the key was first set.
             * @example 2026-11-20T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the value was set.
             * @example 2026-11-21T09:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time of deletion; absent unless the entry is deleted.
             * @example 2026-11-22T09:00:00.000Z
             */
            deleted_at?: string;
        };
        /** @description A list of config entries. */
        ConfigList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Config"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A value to set. */
        ConfigSet: {
            /**
             * @description The key, 1 to 256 characters, without control characters, and without whitespace at either end.
             * @example nav.max_speed
             */
            key: string;
            /**
             * @description Namespace of the key; default `default`. `agent` and `system` are reserved.
             * @example default
             */
            namespace?: string;
            /**
             * @description Any JSON value of at most 64 KiB as JSON, including null. Numbers are stored as doubles: a number beyond 2^53, or with more digits than a double can store, is refused. An object with a duplicate name is refused too.
             * @example 1.2
             */
            value: unknown;
        };
        /** @description One config entry. */
        ConfigResponse: {
            data: components["schemas"]["Config"];
        };
        /** @description One value of a config entry. */
        ConfigRevision: {
            /**
             * @description ID of the entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id: string;
            /**
             * Format: int64
             * @description Revision number of the value, from 1.
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
             * @description Time at which the value was set.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
        };
        /** @description A list of revisions. */
        ConfigRevisionList: {
            /** @description Sorted by `revision`. */
            items: components["schemas"]["ConfigRevision"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A config revision to set on one robot, on a fleet, or on the robots that a selector matches. */
        ConfigDeployment: {
            /**
             * @description ID of the config deployment.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
             */
            id: string;
            /**
             * @description ID of the config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id: string;
            /**
             * Format: int64
             * @description Revision number, fixed when the deployment is created.
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
             * @description Kind of the target, `robot`, `fleet` or `selector`. Open enum: expect new values.
             * @example fleet
             */
            target_kind: string;
            /**
             * @description ID of the robot, fleet or stored selector.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id: string;
            /**
             * @description Text of the selector, in its normal form; absent for other targets.
             * @example tier=canary,@site=Osaka
             */
            target_selector?: string;
            /**
             * @description True while robots that match the selector later receive it too; false once that has ended, by `dynamic_until`, a cancel, a rollback or a newer deployment to the same selector. Absent if `dynamic` was not requested.
             * @example true
             */
            dynamic?: boolean;
            /**
             * Format: date-time
             * @description Time until which robots that match later receive it; absent without `dynamic`.
             * @example 2026-12-31T00:00:00.000Z
             */
            dynamic_until?: string;
            /**
             * @description One of `scheduled`, `pending`, `in_progress`, `paused` and `cancelling`, or a final status: `failed` if any robot failed, else `rolled_back` if any rolled back, else `applied` if any applied, else `cancelled`. A final status never changes. Open enum: expect new values.
             * @example in_progress
             */
            status: string;
            /**
             * @description Why the deployment ended, if no robot reports the cause, for example `no_targets`, `too_many_targets`, `unknown_selector_name` or `downgrade_left_out`, or why it was cancelled; absent otherwise. Cancelled by a rule of its rollout, it has `aborted`. Cancelled for lack of approval, it has `rejected` or `approval_expired`.
             * @example no_targets
             */
            reason?: string;
            /**
             * Format: date-time
             * @description Earliest start; absent if the deployment starts at once.
             * @example 2026-11-21T09:00:00.000Z
             */
            scheduled_at?: string;
            /**
             * Format: int32
             * @description Time in minutes that a robot may stay in one status once it works on the deployment. Each reported `progress` restarts the time, for at most 24 hours.
             * @example 30
             */
            active_minutes: number;
            counts: components["schemas"]["TargetCounts"];
            paused?: components["schemas"]["DeploymentPause"];
            rollout?: components["schemas"]["DeploymentRollout"];
            rollback?: components["schemas"]["DeploymentRollbackRequest"];
            /**
             * @description True if it ignores the pace of its rollout; absent otherwise.
             * @example true
             */
            urgent?: boolean;
            approval?: components["schemas"]["DeploymentApprovalRequest"];
            /** @description IDs of older deployments for the same robots that must end before it begins; absent unless it waits for them. */
            blocked_by?: string[];
            /**
             * @description ID of the plan that it executes; absent without one. Plans are deleted after 7 days, but not while their deployment waits or needs approvals.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1
             */
            plan_id?: string;
            /**
             * @description ID of the deployment that it rolls back; absent for all others. Its robots are those that return to the same release or value, also if they no longer belong to `target_id`.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80
             */
            rollback_of?: string;
            /**
             * @description ID of the deployment that it retries, for the retry of a retry the original; absent for all others. Its robots are those on which that deployment, or the attempt before, failed, also if they no longer belong to `target_id`.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80
             */
            retry_of?: string;
            retry?: components["schemas"]["DeploymentRetryTerms"];
            /**
             * @description True if robots do not ask their gates for it; absent otherwise.
             * @example true
             */
            ignore_gates?: boolean;
            /**
             * @description True if windows do not hold it; absent otherwise. The ones of its rollout are in `ignored_windows`.
             * @example true
             */
            ignore_windows?: boolean;
            /**
             * @description True if it also goes to robots whose agent lacks the windows or gates that the rollout needs; absent otherwise.
             * @example true
             */
            allow_ungated?: boolean;
            waiting_on?: components["schemas"]["WaitingOn"];
            caused_by?: components["schemas"]["Cause"];
            /**
             * @description Signature, base64; absent if there is none.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description ID of the key that made the signature; absent without a signature.
             * @example release-2026
             */
            key_id?: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which its target robots were fixed; absent before.
             * @example 2026-11-21T09:00:00.040Z
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description Time at which the last robot ended; absent before.
             * @example 2026-11-21T09:00:52.210Z
             */
            ended_at?: string;
        };
        /** @description A list of config deployments. */
        ConfigDeploymentList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["ConfigDeployment"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
             * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
             */
            next_cursor?: string;
        };
        /** @description A config deployment to create. Needs `config_id` and `target_kind`, or `plan_id`. */
        ConfigDeploymentCreate: {
            /**
             * @description ID of a plan of kind `config`, which has `config_id`, `revision`, the target, the rollout and `ignore_windows`; excludes these fields. The robots and their waves are those of the plan. If others would get it now, or in other waves, it is refused.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1
             */
            plan_id?: string;
            /**
             * @description ID of the config entry.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91
             */
            config_id?: string;
            /**
             * Format: int64
             * @description Number of the revision to deploy, from 1 to the newest, at most 9,007,199,254,740,991; default: the newest.
             * @example 3
             */
            revision?: number;
            target_kind?: components["schemas"]["TargetKind"];
            /**
             * @description ID of the robot or fleet, or of a stored selector: that of an earlier deployment. Required for a robot and a fleet.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
             */
            target_id?: string;
            /**
             * @description Selector of the robots, such as `tier=canary,@site=Osaka`, at most 16 requirements; only with `target_kind` `selector`, in place of `target_id`. The robots are those that match when the deployment starts.
             * @example tier=canary,@site=Osaka
             */
            target_selector?: string;
            /**
             * @description True: robots that match the selector later receive it too, until `dynamic_until`, by the rules of the last wave; only with `target_kind` `selector` and `dynamic_until`. Default `false`.
             * @example true
             */
            dynamic?: boolean;
            /**
             * Format: date-time
             * @description End of `dynamic`, RFC 3339 with `Z` or an offset, after `scheduled_at` and at most 366 days ahead; required with `dynamic` `true`.
             * @example 2026-12-31T00:00:00Z
             */
            dynamic_until?: string;
            /**
             * Format: date-time
             * @description Start time, RFC 3339 with `Z` or an offset, at most five years ahead. A time more than 60 s in the past returns 400; a later one that has passed means now. Digits after milliseconds are cut.
             * @example 2030-01-31T02:00:00+09:00
             */
            scheduled_at?: string;
            /**
             * @description Time in minutes that a robot may stay in one status once it works on the deployment, 1 to 10,080 (7 days), default 30. After that the robot counts as failed.
             * @example 30
             */
            active_minutes?: number;
            /**
             * @description Whether robots must not ask their gates, such as the charge of the battery, before they are disturbed; for emergencies. Default `false`. Windows of the rollout stay in force.
             * @example true
             */
            ignore_gates?: boolean;
            /**
             * @description Whether the windows and blackouts of the rollout do not apply; for what must not wait. Default `false`. Robots that hold an older order for the same release kind or config key until its window opens return it. The rest of the rollout, and gates, apply.
             * @example true
             */
            ignore_windows?: boolean;
            /**
             * @description Whether it also goes to robots whose agent lacks the capability `windows`, if the rollout has `activate` windows, or `gates`, if it requires them. They may be disturbed at any time. Default `false`: these robots wait with `agent_too_old`, and do not hold up their wave.
             * @example true
             */
            allow_ungated?: boolean;
            /**
             * @description Signature, base64, sent to the robots unchanged. The service does not verify it; robots that require signatures do.
             * @example hT8xUv3b2yq0kCw2m0dYp7QzqX1l5r9oYt3s6u8w0A2C4E6G8I0K2M4O6Q8S0U2W4Y6a8c0e2g4i6k8m0o2q4s==
             */
            signature?: string;
            /**
             * @description ID of the key that made the signature; required with `signature`.
             * @example release-2026
             */
            key_id?: string;
            /**
             * @description ID of a rollout policy. The robots receive the deployment in its waves. Not for one robot; excludes `rollout`. Without both, all robots receive it at once.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1
             */
            rollout_policy_id?: string;
            rollout?: components["schemas"]["RolloutCreate"];
            /**
             * @description Whether it ignores the pace of its rollout, default false. Waves, abort rules and disruption budgets apply.
             * @example true
             */
            urgent?: boolean;
        };
        /** @description One config deployment. */
        ConfigDeploymentResponse: {
            data: components["schemas"]["ConfigDeployment"];
        };
        /** @description Enrollment request. Without a name, the service derives one from the ID. */
        EnrollAgent: {
            name?: components["schemas"]["DisplayName"];
            /**
             * @description A random string of the agent, 16 to 128 visible characters, the same for each retry of one enrollment.
             * @example 4f1c2d3e4b5a69788796a5b4c3d2e1f0
             */
            nonce?: string;
            /**
             * @description Token of the robot that this machine was. That robot is retired, and the new one takes its name unless the request has another. A token that is not valid is ignored.
             * @example svc_robot_1b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d9f2e
             */
            replaces_token?: string;
        };
        /** @description Identity that the agent stores for this robot. */
        RobotIdentity: {
            /**
             * @description ID of the robot.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
             */
            robot_id: string;
            /**
             * @description Token of the robot. The service stores only its digest.
             * @example svc_robot_5b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d0b1c
             */
            robot_token: string;
            /**
             * @description Name of the robot. If the requested name is taken, it has a number at its end.
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
            /**
             * @description ID of the robot that was retired because the request had its token in `replaces_token`; absent if none was.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c60
             */
            replaces?: string;
            /**
             * @description True if the request had a `replaces_token` that is not a valid token of a robot of the org; absent otherwise. No robot was retired.
             * @example true
             */
            replaces_ignored?: boolean;
        };
        /** @description The identity of an enrolled robot. */
        RobotIdentityResponse: {
            data: components["schemas"]["RobotIdentity"];
        };
        /** @description Identifies one rotation and its retries. */
        RotateAgentToken: {
            /**
             * @description A secret random string of the agent, 32 to 128 visible characters, the same for each retry.
             * @example 4f1c2d3e4b5a69788796a5b4c3d2e1f04f1c2d3e4b5a69788796a5b4c3d2e1f0
             */
            nonce: string;
        };
        /** @description New token of the robot. */
        AgentToken: {
            /**
             * @description New value of the robot's token. The service stores only its digest.
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
             * @description JSON text. Hash it as received, then parse it.
             * @example {"config":[{"namespace":"default","key":"nav.max_speed","revision":3,"value":1.2}]}
             */
            payload: string;
        };
        /** @description One payload. */
        PayloadResponse: {
            data: components["schemas"]["Payload"];
        };
        /** @description One change, with its actor, object and changed fields. */
        AuditEntry: {
            /**
             * Format: int64
             * @description Number of the entry in the org, without gaps, assigned after the commit. No entry ever appears later with a lower number.
             * @example 2
             */
            seq: number;
            /**
             * Format: date-time
             * @description Time of the change.
             * @example 2026-11-21T09:00:00.000Z
             */
            at: string;
            /**
             * @description Kind of the caller, for example `user`, `org`, `robot`, `enroll`, `admin` or `system`.
             * @example user
             */
            actor_kind: string;
            /**
             * @description ID of the user, org or enrollment key; absent for admin and system.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41
             */
            actor_id?: string;
            /**
             * @description ID of the token of the request.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51
             */
            token_id?: string;
            /**
             * @description ID of the request; absent for changes that the service makes itself.
             * @example 7b1e3f0c-2f57-4f3c-9a53-5f4e9f6f1c11
             */
            request_id?: string;
            /**
             * @description The `operationId` of the change.
             * @example createSite
             */
            operation: string;
            /**
             * @description Kind of the object.
             * @example site
             */
            object_kind: string;
            /**
             * @description ID of the object.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
             */
            object_id: string;
            /**
             * @description Changed fields with their previous values; absent for a new object.
             * @example {
             *       "name": "Kyoto"
             *     }
             */
            before?: {
                [key: string]: unknown;
            };
            /**
             * @description The same fields with their new values, or all fields of a new object; absent for a removed object.
             * @example {
             *       "name": "Osaka"
             *     }
             */
            after?: {
                [key: string]: unknown;
            };
            /**
             * @description SHA-256 in hex over the 32 bytes of the previous entry's hash (for the first entry, the SHA-256 of the org's ID) and this entry without its `hash` as canonical JSON (RFC 8785). Assigned together with `seq`. Absent only for some time after an upgrade, for entries that an earlier release numbered and the entries after them.
             * @example 57c2af5b66993f0d35015618f92ee3faf4a0b06b3a4e5aa12521a02e3d8e5efd
             */
            hash?: string;
        };
        /** @description Where the log begins: after this entry. It and all entries before it were exported to files by the operator of the service, and deleted. Absent while the log begins at its first entry. A later entry `trimAudit` has the same fields in its `after`. */
        AuditAnchor: {
            /**
             * Format: int64
             * @description Number of the last entry that was exported and deleted.
             * @example 50000
             */
            seq: number;
            /**
             * @description Hash of that entry. The hash of the next entry covers it.
             * @example 57c2af5b66993f0d35015618f92ee3faf4a0b06b3a4e5aa12521a02e3d8e5efd
             */
            hash: string;
            /**
             * Format: date-time
             * @description Time of the export.
             * @example 2026-11-21T09:00:00.000Z
             */
            exported_at: string;
            /**
             * @description SHA-256 of the exported file that ends with that entry.
             * @example c839848bdd4257cf513ea8026a15f36ce93faf09181070d4de19b2329feb721d
             */
            file_sha256: string;
        };
        /** @description A list of audit entries. */
        AuditEntryList: {
            /** @description Oldest first. */
            items: components["schemas"]["AuditEntry"][];
            anchor?: components["schemas"]["AuditAnchor"];
        };
        /** @description A list of orgs. */
        OrgList: {
            /** @description Sorted by `created_at`, then `id`. */
            items: components["schemas"]["Org"][];
            /**
             * @description Cursor of the next page; present only with `limit`, and only if more items exist.
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
             * @description The org token, shown only once. The service stores only its digest.
             * @example svc_org_7b0c6f0d6c1b4f3f9e1d2a7b8c5d4e3f9b0c6f0d6c1b4f3f9e1d2a7b8c5d1234
             */
            token: string;
        };
        /** @description An approved org with its token. */
        OrgApprovalResponse: {
            data: components["schemas"]["OrgApproval"];
        };
        /** @description An org token to issue. It does not expire. */
        OrgTokenCreate: {
            /**
             * @description Free-text label, 1 to 128 characters.
             * @example replaces the lost one
             */
            label?: string;
        };
        /** @description All limits of an org. A limit that is left out does not exist. */
        QuotaLimits: {
            /**
             * Format: int64
             * @description Maximum number of robots that are not retired, 0 to 1,000,000,000; default no limit.
             * @example 500
             */
            robots?: number;
            /**
             * Format: int64
             * @description Maximum size of all stored artifacts, 0 to 1,000,000,000,000,000 bytes; default no limit.
             * @example 107374182400
             */
            artifact_bytes?: number;
            /**
             * Format: int64
             * @description Maximum number of open live streams, 0 to 1,000,000; default no limit.
             * @example 100
             */
            live_streams?: number;
            /**
             * Format: int64
             * @description Maximum size of the log records that are stored per day (UTC), 0 to 1,000,000,000,000,000 bytes; default no limit.
             * @example 10737418240
             */
            log_bytes_per_day?: number;
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
             * @description Start time of this process.
             * @example 2026-11-21T09:00:00.000Z
             */
            started_at: string;
            /**
             * Format: int64
             * @description Number of orgs that wait for approval.
             * @example 1
             */
            orgs_pending: number;
            /**
             * Format: int64
             * @description Number of approved orgs.
             * @example 3
             */
            orgs_approved: number;
            /**
             * Format: int64
             * @description Number of suspended orgs.
             * @example 0
             */
            orgs_suspended: number;
            /**
             * Format: int64
             * @description Number of users.
             * @example 12
             */
            users: number;
            /**
             * Format: int64
             * @description Number of robots.
             * @example 240
             */
            robots: number;
            /**
             * Format: int64
             * @description Number of sites.
             * @example 6
             */
            sites: number;
            /**
             * Format: int64
             * @description Number of fleets.
             * @example 14
             */
            fleets: number;
            /**
             * Format: int64
             * @description Number of enrollment keys that are not revoked.
             * @example 9
             */
            enrollment_keys: number;
            /**
             * Format: int64
             * @description Number of tokens that are not revoked.
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
        /** @description Usage counts of the service. */
        StatsResponse: {
            data: components["schemas"]["Stats"];
        };
        /** @description A fact that needs attention. */
        StatusProblem: {
            /**
             * @description `critical` or `warning`. Open enum: expect new values.
             * @example warning
             */
            severity: string;
            /**
             * @description What it is: `replica_dead`, `bus_down`, `standby_unusable`, `logs_unmerged`, `audit_unsealed`, `deployments_late`, `no_backup`, `backup_old`, `disk_full`, `quota_near_limit`, `versions_differ` or `newer_schema`. Open enum: expect new values.
             * @example no_backup
             */
            code: string;
            /**
             * @description What is wrong, in a sentence for a person.
             * @example no backup was ever taken
             */
            message: string;
        };
        /** @description A replica of the service. */
        StatusReplica: {
            /**
             * @description ID of the replica; another one after each start.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
             */
            id: string;
            /**
             * @description Version; absent for a replica of a release that does not state it.
             * @example 0.1.0
             */
            version?: string;
            /**
             * Format: date-time
             * @description Start time.
             * @example 2026-11-21T08:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When its lease ends, unless the replica renews it.
             * @example 2026-11-21T09:00:15.000Z
             */
            lease_until: string;
            /**
             * @description Whether its lease is valid. A replica without a valid lease is dead, or cannot reach the database.
             * @example true
             */
            ready: boolean;
            /**
             * Format: int64
             * @description Number of agent links that it held when it renewed its lease; absent for one of an earlier release.
             * @example 240
             */
            links?: number;
            /**
             * @description Whether it records hints, so that none is lost; false for a replica of an earlier release.
             * @example true
             */
            records_hints: boolean;
            /**
             * @description Its `SERVICE_REPLICA_URL`; absent if unset.
             * @example http://10.0.0.11:8080
             */
            url?: string;
        };
        /** @description How replicas notify each other. */
        StatusBus: {
            /**
             * @description `postgres` or `nats`. Open enum: expect new values.
             * @example postgres
             */
            carrier: string;
            /**
             * @description Whether notifications arrive at the replica that responds.
             * @example true
             */
            up: boolean;
        };
        /** @description The standby of `DATABASE_READ_URL`, as the replica that responds sees it. Absent if unset. */
        StatusStandby: {
            /**
             * @description `ok`, or why lists are read from the primary, as in `/readyz`. Open enum: expect new values.
             * @example ok
             */
            state: string;
            /**
             * @description Age in seconds of the newest state of the primary that is known to be on the standby.
             * @example 0.4
             */
            lag_seconds: number;
        };
        /** @description Log records that are not merged yet. */
        StatusLogs: {
            /**
             * Format: int64
             * @description Age in seconds of the oldest record that is not merged; 0 if all are.
             * @example 70
             */
            oldest_unmerged_seconds: number;
            /**
             * Format: int64
             * @description Size in bytes of the tables with these records. Merged ones are in it until their table is dropped.
             * @example 4194304
             */
            unmerged_bytes: number;
        };
        /** @description Entries of the audit log without a hash. */
        StatusAudit: {
            /**
             * Format: int64
             * @description Age in seconds of the oldest of them; 0 if there are none. Entries are sealed each second.
             * @example 0
             */
            unsealed_seconds: number;
        };
        /** @description Work that waits. */
        StatusQueues: {
            /**
             * Format: int64
             * @description Number of scheduled deployments whose start time has passed; at most 1,000 are counted.
             * @example 0
             */
            due_deployments: number;
            /**
             * Format: int64
             * @description How long the first of them has waited, in seconds.
             * @example 0
             */
            oldest_due_seconds: number;
            /**
             * Format: int64
             * @description Number of robots that a deployment has not finished with; at most 100,000 are counted.
             * @example 12
             */
            open_orders: number;
        };
        /** @description Erasures of robots and orgs that are not finished. Absent in responses of earlier releases. */
        StatusErasures: {
            /**
             * Format: int64
             * @description Number of erasures that are not finished.
             * @example 1
             */
            unfinished: number;
            /**
             * Format: date-time
             * @description When the oldest of them was requested. Absent if there are none.
             * @example 2026-11-21T08:30:00.000Z
             */
            oldest_since?: string;
        };
        /** @description What `DEPLOYMENT_RETENTION_DAYS` has deleted. Absent if the setting of the responding replica is off, or the retention never ran. */
        StatusRetention: {
            /**
             * Format: int64
             * @description Number of rows that were deleted so far, of all tables.
             * @example 520000
             */
            removed_rows: number;
            /**
             * @description What the current round looks through: `deployments`, `payloads` or `config_revisions`, in this order. Absent between rounds. Open enum: expect new values.
             * @example deployments
             */
            table?: string;
            /**
             * Format: date-time
             * @description Deployments that ended up to this time are done in the current round. Absent before the first one, once all are done, and between rounds.
             * @example 2025-10-20T06:00:00.000Z
             */
            deployments_until?: string;
            /**
             * Format: date-time
             * @description When the next round begins. Absent during a round.
             * @example 2026-11-21T14:00:00.000Z
             */
            next_round_at?: string;
        };
        /** @description The last complete backup that `fleet-control-service backup` took. Absent if there is none. */
        StatusBackup: {
            /**
             * Format: date-time
             * @description Time of its snapshot.
             * @example 2026-11-21T03:00:00.000Z
             */
            taken_at: string;
            /**
             * Format: date-time
             * @description When it was complete.
             * @example 2026-11-21T03:01:12.000Z
             */
            finished_at: string;
            /**
             * Format: int64
             * @description Size of its files in bytes.
             * @example 104857600
             */
            bytes: number;
            /**
             * @description Account and host of the command.
             * @example fleet@control-1
             */
            taken_by: string;
        };
        /** @description The disk with the data folder of the replica that responds. Absent if the folder cannot be read. */
        StatusDisk: {
            /**
             * Format: int64
             * @description Free space in bytes.
             * @example 53687091200
             */
            free_bytes: number;
            /**
             * Format: int64
             * @description Size in bytes.
             * @example 107374182400
             */
            size_bytes: number;
        };
        /** @description A quota of an org that is nearly used up. */
        StatusQuota: {
            /**
             * @description ID of the org.
             * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c02
             */
            org_id: string;
            /**
             * @description Name of the org.
             * @example Acme Robotics
             */
            org_name: string;
            /**
             * @description `robots` or `artifact_bytes`. Open enum: expect new values.
             * @example robots
             */
            quota: string;
            /**
             * Format: int64
             * @description Number of robots, or of bytes of artifacts, that the org has.
             * @example 95
             */
            used: number;
            /**
             * Format: int64
             * @description The highest number that it may have.
             * @example 100
             */
            limit: number;
        };
        /** @description The state of the service at this moment. */
        ServiceStatus: {
            /**
             * @description What needs attention, the worst first; empty if nothing does.
             * @example [
             *       {
             *         "severity": "warning",
             *         "code": "no_backup",
             *         "message": "no backup was ever taken"
             *       }
             *     ]
             */
            problems: components["schemas"]["StatusProblem"][];
            /**
             * @description Version of the replica that responds.
             * @example 0.1.0
             */
            version: string;
            /**
             * @description The newest migration that this replica knows. A running replica has applied all of them.
             * @example 0066_backups
             */
            schema: string;
            /**
             * @description Migrations of a newer version that are applied to the database. They are there while an upgrade is in progress.
             * @example []
             */
            newer_migrations: string[];
            /**
             * @description The replicas whose lease has not been cleaned up, the oldest first.
             * @example []
             */
            replicas: components["schemas"]["StatusReplica"][];
            bus: components["schemas"]["StatusBus"];
            standby?: components["schemas"]["StatusStandby"];
            logs: components["schemas"]["StatusLogs"];
            audit: components["schemas"]["StatusAudit"];
            queues: components["schemas"]["StatusQueues"];
            erasures?: components["schemas"]["StatusErasures"];
            retention?: components["schemas"]["StatusRetention"];
            last_backup?: components["schemas"]["StatusBackup"];
            /**
             * Format: int64
             * @description Size of the database in bytes.
             * @example 18874368
             */
            database_bytes: number;
            disk?: components["schemas"]["StatusDisk"];
            /**
             * @description Quotas of which at least 90 % are used, the fullest first, at most 20.
             * @example []
             */
            quotas: components["schemas"]["StatusQuota"][];
        };
        /** @description The state of the service. */
        ServiceStatusResponse: {
            data: components["schemas"]["ServiceStatus"];
        };
    };
    responses: {
        /** @description The request violates the contract. Nothing was changed. */
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
        /** @description The token is missing, unknown, expired or revoked. With `Retry-After`, the token is valid, but its org is suspended. */
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
        /** @description The token is valid, but does not permit this operation. */
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
        /** @description The object does not exist in this org, or `X-Service-Org-Id` is not an org of the token. */
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
        /** @description The request has an `Expect` header other than `100-continue`. The connection closes. Headers of the API may be missing. */
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
        /** @description The service is overloaded, the rate limit of this token or address is exceeded, or four complete lists of this org are already being read. Or the token or org has reached its limit of concurrent file transfers, or the org sends more than 16 MiB of request bodies at once; then the connection closes. Retry after `Retry-After` seconds. */
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
        /** @description The request has more than 16 KiB or 256 lines of headers. The connection closes. Headers of the API may be missing. */
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
        /** @description Internal error. Find the cause in the log of the service by the request ID. */
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
        /** @description The database is unreachable, or the service is stopping. Retry. */
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
                 *         "message": "the database is not reachable, try again"
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
        /** @description The body does not have the media type of the operation (`application/json` in UTF-8, except for files), or has a content encoding. */
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
        /** @description The page matches `If-None-Match`. The response has no body. */
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
        /** @description The org already has a user with this email address. */
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
                 *         "message": "the org already has a user with this address"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state of the object does not allow this operation. */
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
        /** @description The robot is offline, or its agent reads no ROS graph or sends an invalid list. With `Retry-After`, the replica of its link has just stopped, and the robot is expected to reconnect. */
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
        /** @description The org has another rule with this name, or as many rules as it can have. */
        RuleConflict: {
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
                 *         "message": "the org already has a condition rule with this name"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The org already has a release with this tag and kind, for a different artifact. */
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
        /** @description The range starts after the end of the file. */
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
        /** @description No data arrived for 60 s, or less than 16 KiB/s on average after the first 60 s. The service keeps the received data; continue at `Upload-Offset`. */
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
        /** @description The part does not start at the current offset of the upload, another request is uploading the artifact (with `Retry-After`), or the artifact would exceed the quota of the org (with `X-Quota`). */
        UploadConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                "X-Quota": components["headers"]["XQuota"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "1048576 bytes are stored: resume from there"
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
        /** @description The release is archived, the config entry is deleted, the robot was replaced, the target has no robots or more than 200,000, or a disruption budget never lets one of them be unavailable. */
        PlanConflict: {
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
                 *         "message": "no_targets: the fleet has no robots, so there is nothing to plan"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key was used with a different payload, or its first request is still in progress (with `Retry-After`). Or the robot has reached its limit of 2,000 waiting orders, the release is archived, or the config entry is deleted. Or a disruption budget never lets one of the robots be unavailable. Or the plan of `plan_id` no longer holds, and the message says what changed, or it was executed before. */
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
        /** @description The deployment has ended, or the org is frozen and this request would continue the deployment. */
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
        /** @description The deployment has no rollout, its last wave has begun, it is paused, being cancelled or has ended, or the org is frozen. */
        AdvanceConflict: {
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
                 *         "message": "the last wave has begun"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The deployment has no rollout, the wave has ended or is the last one, or the deployment has not begun, is being cancelled or has ended. */
        SkipConflict: {
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
                 *         "message": "the last wave cannot be skipped; cancel the deployment instead"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The deployment has no rollout, or people approve it. The wave `from` has begun, or it or a later wave was skipped. Or the deployment has not begun, is being cancelled or has ended. */
        WavesConflict: {
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
                 *         "message": "wave 2 has begun; change the waves from 3 on"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The deployment has not begun, no robot has applied it, it is a rollback itself, or its config entry was deleted. */
        RollbackConflict: {
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
                 *         "message": "the deployment is a rollback; deploy another release instead"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The deployment has not ended, is a rollback, was rolled back, or failed on no robot that can be retried. Or the release is archived, the config entry is deleted, or a disruption budget never lets one of the robots be unavailable. Or the key was used with a different payload, or its first request is still in progress (with `Retry-After`). */
        RetryConflict: {
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
                 *         "message": "the deployment was rolled back; deploy it again instead"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller is the author of the deployment, or the role is below that of its rollout. */
        ApprovalForbidden: {
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
                 *         "message": "the author of a deployment cannot approve it"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The deployment does not wait for approval, waits for another wave, or executes another plan. */
        ApprovalConflict: {
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
                 *         "message": "the deployment does not wait for approval"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The org has another rollout policy with this name, or as many policies as it can have. */
        PolicyConflict: {
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
                 *         "message": "the org already has a rollout policy with this name"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The org has another disruption budget with this name, or as many budgets as it can have. */
        BudgetConflict: {
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
                 *         "message": "the org already has a disruption budget with this name"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The org has another log redaction rule with this name, or as many rules as it can have. */
        RedactionConflict: {
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
                 *         "message": "the org already has a log redaction rule with this name"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The rule is built in. */
        BuiltInRedaction: {
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
                 *         "message": "jwt is built in; disable it instead"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Deployments of the config entry are active; the message has their IDs. */
        ConfigInUse: {
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
                 *         "message": "1 deployment of default/nav.max_speed is active: 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1; cancel it first, or delete with cancel_deployments=true"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request would exceed a quota of the org. Nothing was changed. */
        QuotaConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Spec-Digest": components["headers"]["XSpecDigest"];
                "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                "X-Quota": components["headers"]["XQuota"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "the org has 500 of 500 robots, and this request adds 1; remove robots, or ask the operator of the service for a higher quota"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
         */
        OrgChoice: string;
        /**
         * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
         * @example 50
         */
        Limit: number;
        /**
         * @description The `next_cursor` of the previous page. Use it with `limit`.
         * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
         */
        Cursor: string;
        /**
         * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
         * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
         */
        IfNoneMatch: string;
        /**
         * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
         */
        Ids: string;
        /**
         * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
         * @example 2f0d9c11
         */
        IdEnd: string;
        /**
         * @description ID of the object. The ID of an object of another org counts as unknown.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
         */
        Id: string;
        /**
         * @description Only objects with this name, in any letter case.
         * @example pickers
         */
        Name: string;
        /**
         * @description Only objects of this site.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
         */
        SiteId: string;
        /**
         * @description Highest number of records, 1 to 1,000; default 200.
         * @example 50
         */
        LogLimit: number;
        /**
         * @description The `next_cursor` of the previous response. Keep the other parameters the same.
         * @example b2xkZXIuNDcxMQ
         */
        LogCursor: string;
        /**
         * @description Only records of this level or higher.
         * @example warn
         */
        LogLevel: "debug" | "info" | "warn" | "error" | "fatal";
        /**
         * @description Only records from this source.
         * @example journal
         */
        LogSource: string;
        /**
         * @description Only records whose message contains this text, ignoring case.
         * @example battery
         */
        LogText: string;
        /**
         * @description Only records received at or after this time, RFC 3339; must not be after `until`.
         * @example 2026-11-21T08:00:00Z
         */
        LogSince: string;
        /**
         * @description Only records received before this time, RFC 3339.
         * @example 2026-11-21T09:00:00Z
         */
        LogUntil: string;
        /**
         * @description Only objects of this fleet.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
         */
        FleetId: string;
        /**
         * @description Only robots that this selector matches, such as `tier=canary,floor in (1,2)` or `@site=Osaka`, at most 16 requirements.
         * @example tier=canary,floor=2
         */
        RobotLabels: string;
        /**
         * @description Only records after this `seq`, starting with the next one.
         * @example 4700
         */
        LogAfter: number;
        /**
         * @description Only records that robots sent as members of this fleet.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
         */
        LogFleetId: string;
        /**
         * @description Only records that robots sent as members of a fleet of this site.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
         */
        LogSiteId: string;
        /**
         * @description Only records of this robot.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
         */
        LogRobotId: string;
        /**
         * @description `desc` lists the newest record first, the default; `asc` the oldest.
         * @example asc
         */
        LogOrder: "asc" | "desc";
        /**
         * @description The `next_cursor` of the previous response. Keep the other parameters except `limit` the same.
         * @example bgEAAAGh_VV9rAGYxaJqYH4QsfA_by8NnGEAAAAAAAASZw
         */
        LogSearchCursor: string;
        /**
         * @description `asc` lists the oldest first, the default; `desc` the newest.
         * @example desc
         */
        Order: "asc" | "desc";
        /**
         * @description SHA-256 of the file, in hex, as in a release of the org.
         * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
         */
        ArtifactSha256: string;
        /**
         * @description 1 to 255 visible characters without commas and quotes, preferably a new UUID. Generate one per intended operation, and reuse it for retries. A repeated request with the same key and body changes nothing: the response is the first one, byte for byte, with `Idempotent-Replayed: true`. Keys are kept for 7 days.
         * @example 6f0c2d3e-4b5a-4978-8796-a5b4c3d2e1f0
         */
        IdempotencyKey: string;
        /**
         * @description Only events after this `seq`, starting with the next one.
         * @example 3
         */
        EventAfter: number;
        /**
         * @description Highest number of events, 1 to 1,000; default 1,000.
         * @example 100
         */
        EventLimit: number;
        /**
         * @description Why the deployment failed on the robots to count: `failed`, `timed_out`, `rejected`, `rolled_back` and `unreached`, separated by commas, or `any`, which is the default.
         * @example timed_out,failed
         */
        RetryReasons: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description ID of this request, also in the log of the service and in the audit log. A request may set its own, 1 to 128 of `A-Z a-z 0-9 . _ -`.
         * @example 7b1e3f0c-2f57-4f3c-9a53-5f4e9f6f1c11
         */
        XRequestId: string;
        /**
         * @description SHA-256, in hex, of the `/openapi.json` of this service. A client can detect that it was generated from a different contract.
         * @example 5f0c2b8e7a4d1f3960b7d5c1e8a29f4b6d3c7e1a0f9b8d2c4e6a5f7b1c3d9e80
         */
        XSpecDigest: string;
        /**
         * @description ID of the org that the request applies to.
         * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
         */
        XServiceOrgId: string;
        /**
         * @description Rate limit of this kind of request, `q` requests per `w` seconds.
         * @example "reads";q=1000;w=5
         */
        RateLimitPolicy: string;
        /**
         * @description Remaining quota of `r` requests. The full quota is available again after `t` seconds.
         * @example "reads";r=999;t=1
         */
        RateLimit: string;
        /**
         * @description Authentication scheme, always `Bearer`.
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next retry.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description Entity tag of this page; absent without `limit`. To poll a list, send it in `If-None-Match`. If the page has not changed, the response is 304.
         * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
         */
        ListTag: string;
        /**
         * @description SHA-256 of the file, in quotes.
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        ArtifactTag: string;
        /**
         * @description Supported unit of ranges, always `bytes`.
         * @example bytes
         */
        AcceptRanges: string;
        /**
         * @description Range of bytes in the body, and size of the whole file.
         * @example bytes 1048576-183500799/183500800
         */
        ContentRange: string;
        /**
         * @description Presigned address of the file in the object store. Treat it as a secret: anyone who has it can read the file. Begin the download within 5 minutes; one that has begun may take longer.
         * @example https://s3.example.com/fleet-artifacts/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08?X-Amz-Expires=300
         */
        ArtifactLocation: string;
        /**
         * @description The quota that the operation uses: its limit `q`, and `r` left. Absent if the org has no such quota.
         * @example "robots";q=500;r=260
         */
        XQuota: string;
        /**
         * @description Number of bytes that the service has received of an upload. The next part starts at this offset.
         * @example 1048576
         */
        UploadOffset: number;
        /**
         * @description `true` if the response is that of an earlier request with this key; absent otherwise.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
    getQuotas: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quotas. */
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
                     *         "robots": 500,
                     *         "log_bytes_per_day": 10737418240,
                     *         "used": {
                     *           "robots": 240,
                     *           "artifact_bytes": 53687091200,
                     *           "live_streams": 12,
                     *           "log_bytes_per_day": 2147483648,
                     *           "refused_log_records": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["QuotasResponse"];
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
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Returns only the user with exactly this email address.
                 * @example kim@example.com
                 */
                email?: string;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Only objects with this name, in any letter case.
                 * @example pickers
                 */
                name?: components["parameters"]["Name"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                     *           "artifact_base_url": "http://cache.osaka.example.com/artifacts",
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
    getSite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "name": "Osaka",
                     *         "artifact_base_url": "http://cache.osaka.example.com/artifacts",
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
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site as it was before its deletion. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "name": "Osaka",
                     *         "artifact_base_url": "http://cache.osaka.example.com/artifacts",
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
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "name": "Osaka",
                 *       "artifact_base_url": "http://cache.osaka.example.com/artifacts"
                 *     }
                 */
                "application/json": components["schemas"]["SiteUpdate"];
            };
        };
        responses: {
            /** @description The changed site. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *         "name": "Osaka",
                     *         "artifact_base_url": "http://cache.osaka.example.com/artifacts",
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
    listFleets: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Only objects with this name, in any letter case.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
    getFleet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fleet. */
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
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteFleet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fleet as it was before its deletion. */
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
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateFleet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "name": "pickers"
                 *     }
                 */
                "application/json": components["schemas"]["FleetUpdate"];
            };
        };
        responses: {
            /** @description The renamed fleet. */
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
    listFleetLogs: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of records, 1 to 1,000; default 200.
                 * @example 50
                 */
                limit?: components["parameters"]["LogLimit"];
                /**
                 * @description The `next_cursor` of the previous response. Keep the other parameters the same.
                 * @example b2xkZXIuNDcxMQ
                 */
                cursor?: components["parameters"]["LogCursor"];
                /**
                 * @description Only records of this level or higher.
                 * @example warn
                 */
                level?: components["parameters"]["LogLevel"];
                /**
                 * @description Only records from this source.
                 * @example journal
                 */
                source?: components["parameters"]["LogSource"];
                /**
                 * @description Only records whose message contains this text, ignoring case.
                 * @example battery
                 */
                q?: components["parameters"]["LogText"];
                /**
                 * @description Only records received at or after this time, RFC 3339; must not be after `until`.
                 * @example 2026-11-21T08:00:00Z
                 */
                since?: components["parameters"]["LogSince"];
                /**
                 * @description Only records received before this time, RFC 3339.
                 * @example 2026-11-21T09:00:00Z
                 */
                until?: components["parameters"]["LogUntil"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Only objects with this name, in any letter case.
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
                /**
                 * @description Only robots that this selector matches, such as `tier=canary,floor in (1,2)` or `@site=Osaka`, at most 16 requirements.
                 * @example tier=canary,floor=2
                 */
                label?: components["parameters"]["RobotLabels"];
                /**
                 * @description Only robots with this health.
                 * @example unhealthy
                 */
                health_status?: components["schemas"]["HealthStatusFilter"];
                /**
                 * @description Only robots with a condition of this rule, by its name or ID, without those in maintenance.
                 * @example battery-low
                 */
                condition?: string;
                /**
                 * @description Only robots that run this release.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71
                 */
                release_id?: string;
                /**
                 * @description Only robots whose name contains this text; upper and lower case are the same.
                 * @example amr
                 */
                q?: string;
                /**
                 * @description Only robots that are pinned at a release, or with `false`, only others. All by default.
                 * @example true
                 */
                pinned?: boolean;
                /**
                 * @description Whether to list the retired robots, in place of the others. Default false; with `id` or `id_end`, both are listed.
                 * @example false
                 */
                retired?: boolean;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                     *           "health_status": "unknown",
                     *           "conditions": [],
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                     *         "health_status": "unknown",
                     *         "conditions": [],
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                     *         "health_status": "unknown",
                     *         "conditions": [],
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                     *         "health_status": "unknown",
                     *         "conditions": [],
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
    getRobotPin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pin. */
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
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "tag": "nav-1.8.2",
                     *         "until": "2026-12-01T08:00:00.000Z",
                     *         "reason": "demo for a customer",
                     *         "pinned_by": "ops@example.com",
                     *         "pinned_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotPinResponse"];
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
    setRobotPin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                 *       "until": "2026-12-01T08:00:00Z",
                 *       "reason": "demo for a customer"
                 *     }
                 */
                "application/json": components["schemas"]["RobotPinSet"];
            };
        };
        responses: {
            /** @description The pin. */
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
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "tag": "nav-1.8.2",
                     *         "until": "2026-12-01T08:00:00.000Z",
                     *         "reason": "demo for a customer",
                     *         "pinned_by": "ops@example.com",
                     *         "pinned_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotPinResponse"];
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
    deleteRobotPin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pin as it was. */
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
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "tag": "nav-1.8.2",
                     *         "until": "2026-12-01T08:00:00.000Z",
                     *         "reason": "demo for a customer",
                     *         "pinned_by": "ops@example.com",
                     *         "pinned_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotPinResponse"];
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
    rotateRobotToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                     *         "health_status": "healthy",
                     *         "conditions": [],
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
    getRobotMetrics: {
        parameters: {
            query?: {
                /**
                 * @description Start of the range, RFC 3339; default 24 hours before `until`.
                 * @example 2026-11-21T08:45:00Z
                 */
                since?: string;
                /**
                 * @description End of the range, RFC 3339; must be after `since`. Default now.
                 * @example 2026-11-21T09:00:00Z
                 */
                until?: string;
                /**
                 * @description Samples (`raw`) or summaries of five minutes (`5m`). Default `raw` for up to two of the last 24 hours, else `5m`.
                 * @example 5m
                 */
                resolution?: "raw" | "5m";
                /**
                 * @description Only these series, separated by commas, of `battery`, `cpu`, `memory`, `disk`, `temperature` and `delay`.
                 * @example cpu
                 */
                series?: string;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history. */
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
                     *         "resolution": "5m",
                     *         "start_at": "2026-11-21T08:45:00.000Z",
                     *         "end_at": "2026-11-21T09:00:00.000Z",
                     *         "interval_seconds": 300,
                     *         "series": {
                     *           "cpu": {
                     *             "times": [
                     *               1795250700,
                     *               1795251300
                     *             ],
                     *             "values": [
                     *               12.5,
                     *               40.1
                     *             ],
                     *             "min": [
                     *               3,
                     *               20.5
                     *             ],
                     *             "max": [
                     *               31,
                     *               97.5
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RobotMetricsResponse"];
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
                 * @description Only records after this `seq`, starting with the next one.
                 * @example 4700
                 */
                after?: components["parameters"]["LogAfter"];
                /**
                 * @description Highest number of records, 1 to 1,000; default 200.
                 * @example 50
                 */
                limit?: components["parameters"]["LogLimit"];
                /**
                 * @description The `next_cursor` of the previous response. Keep the other parameters the same.
                 * @example b2xkZXIuNDcxMQ
                 */
                cursor?: components["parameters"]["LogCursor"];
                /**
                 * @description Only records of this level or higher.
                 * @example warn
                 */
                level?: components["parameters"]["LogLevel"];
                /**
                 * @description Only records from this source.
                 * @example journal
                 */
                source?: components["parameters"]["LogSource"];
                /**
                 * @description Only records whose message contains this text, ignoring case.
                 * @example battery
                 */
                q?: components["parameters"]["LogText"];
                /**
                 * @description Only records received at or after this time, RFC 3339; must not be after `until`.
                 * @example 2026-11-21T08:00:00Z
                 */
                since?: components["parameters"]["LogSince"];
                /**
                 * @description Only records received before this time, RFC 3339.
                 * @example 2026-11-21T09:00:00Z
                 */
                until?: components["parameters"]["LogUntil"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
    listConditionRules: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
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
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11",
                     *           "name": "battery-low",
                     *           "scope": {
                     *             "kind": "fleet",
                     *             "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                     *           },
                     *           "expression": "battery < 20 and not charging",
                     *           "for": "5m",
                     *           "clear": "battery >= 25 or charging",
                     *           "severity": "degraded",
                     *           "enabled": true,
                     *           "builtin": false,
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConditionRuleList"];
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
    createConditionRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "name": "canary-battery",
                 *       "scope": {
                 *         "kind": "label",
                 *         "selector": "tier=canary"
                 *       },
                 *       "expression": "battery < 30 and not charging",
                 *       "for": "5m",
                 *       "clear": "battery >= 35 or charging",
                 *       "severity": "degraded"
                 *     }
                 */
                "application/json": components["schemas"]["ConditionRuleCreate"];
            };
        };
        responses: {
            /** @description The rule. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11",
                     *         "name": "canary-battery",
                     *         "scope": {
                     *           "kind": "label",
                     *           "selector": "tier=canary"
                     *         },
                     *         "expression": "battery < 30 and not charging",
                     *         "for": "5m",
                     *         "clear": "battery >= 35 or charging",
                     *         "severity": "degraded",
                     *         "enabled": true,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConditionRuleResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RuleConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConditionRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11",
                     *         "name": "battery-low",
                     *         "scope": {
                     *           "kind": "fleet",
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                     *         },
                     *         "expression": "battery < 20 and not charging",
                     *         "for": "5m",
                     *         "clear": "battery >= 25 or charging",
                     *         "severity": "degraded",
                     *         "enabled": true,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConditionRuleResponse"];
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
    deleteConditionRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule as it was. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11",
                     *         "name": "battery-low",
                     *         "scope": {
                     *           "kind": "fleet",
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                     *         },
                     *         "expression": "battery < 20 and not charging",
                     *         "for": "5m",
                     *         "clear": "battery >= 25 or charging",
                     *         "severity": "degraded",
                     *         "enabled": true,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConditionRuleResponse"];
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
    updateConditionRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "for": "5m"
                 *     }
                 */
                "application/json": components["schemas"]["ConditionRuleUpdate"];
            };
        };
        responses: {
            /** @description The changed rule. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11",
                     *         "name": "battery-low",
                     *         "scope": {
                     *           "kind": "fleet",
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                     *         },
                     *         "expression": "battery < 20 and not charging",
                     *         "for": "5m",
                     *         "clear": "battery >= 25 or charging",
                     *         "severity": "degraded",
                     *         "enabled": true,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConditionRuleResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RuleConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConditionMatches: {
        parameters: {
            query: {
                /**
                 * @description The expression, as that of a condition rule.
                 * @example battery < 20 and not charging
                 */
                expression: string;
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
                /**
                 * @description Only robots that this selector matches, such as `tier=canary,floor in (1,2)` or `@site=Osaka`, at most 16 requirements.
                 * @example tier=canary,floor=2
                 */
                label?: components["parameters"]["RobotLabels"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
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
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "robot_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61",
                     *           "robot_name": "amr-007",
                     *           "message": "battery 3 % (< 20), not charging"
                     *         }
                     *       ],
                     *       "matches": 1,
                     *       "evaluated": 201,
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["ConditionMatchList"];
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
    getHealthSummary: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
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
                     *         "robots": {
                     *           "total": 201,
                     *           "online": 198,
                     *           "healthy": 190,
                     *           "degraded": 6,
                     *           "unhealthy": 3,
                     *           "unknown": 2,
                     *           "maintenance": 1
                     *         },
                     *         "sites": [
                     *           {
                     *             "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *             "site_name": "Osaka",
                     *             "counts": {
                     *               "total": 201,
                     *               "online": 198,
                     *               "healthy": 190,
                     *               "degraded": 6,
                     *               "unhealthy": 3,
                     *               "unknown": 2,
                     *               "maintenance": 1
                     *             }
                     *           }
                     *         ],
                     *         "fleets": [
                     *           {
                     *             "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *             "fleet_name": "pickers",
                     *             "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *             "counts": {
                     *               "total": 201,
                     *               "online": 198,
                     *               "healthy": 190,
                     *               "degraded": 6,
                     *               "unhealthy": 3,
                     *               "unknown": 2,
                     *               "maintenance": 1
                     *             }
                     *           }
                     *         ],
                     *         "conditions": [
                     *           {
                     *             "rule_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d11",
                     *             "name": "battery-low",
                     *             "severity": "degraded",
                     *             "robots": 4
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HealthSummaryResponse"];
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
    getHealthHistory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The points. */
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
                     *         "interval_seconds": 300,
                     *         "points": [
                     *           {
                     *             "at": "2026-11-21T08:55:00.000Z",
                     *             "total": 201,
                     *             "online": 199,
                     *             "healthy": 192,
                     *             "degraded": 5,
                     *             "unhealthy": 2,
                     *             "unknown": 2
                     *           },
                     *           {
                     *             "at": "2026-11-21T09:00:00.000Z",
                     *             "total": 201,
                     *             "online": 198,
                     *             "healthy": 190,
                     *             "degraded": 6,
                     *             "unhealthy": 3,
                     *             "unknown": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HealthHistoryResponse"];
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
    listMaintenanceWindows: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Returns only windows that last (`true`), or only those that have ended (`false`).
                 * @example true
                 */
                active?: boolean;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The windows. */
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
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d21",
                     *           "target_kind": "fleet",
                     *           "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *           "reason": "Battery replacement",
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "ends_at": "2026-11-21T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceWindowList"];
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
    createMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "target_kind": "fleet",
                 *       "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                 *       "hours": 3,
                 *       "reason": "Battery replacement"
                 *     }
                 */
                "application/json": components["schemas"]["MaintenanceWindowCreate"];
            };
        };
        responses: {
            /** @description The window. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d21",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "reason": "Battery replacement",
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "ends_at": "2026-11-21T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceWindowResponse"];
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
    endMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ended window. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d21",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "reason": "Battery replacement",
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "ends_at": "2026-11-21T12:00:00.000Z",
                     *         "ended_at": "2026-11-21T11:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MaintenanceWindowResponse"];
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
    listRobotMetrics: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                     *           "site_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21",
                     *           "fleet_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "online": true,
                     *           "measured_at": "2026-11-21T09:30:00.000Z",
                     *           "battery": 81,
                     *           "cpu": 12.5,
                     *           "memory": 38.5,
                     *           "disk": 71.2,
                     *           "temperature": 51.5,
                     *           "delay": 18
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RobotMeasurementsList"];
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
    listLogs: {
        parameters: {
            query?: {
                /**
                 * @description Only records that robots sent as members of this fleet.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                fleet_id?: components["parameters"]["LogFleetId"];
                /**
                 * @description Only records that robots sent as members of a fleet of this site.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
                 */
                site_id?: components["parameters"]["LogSiteId"];
                /**
                 * @description Only records of this robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
                 */
                robot_id?: components["parameters"]["LogRobotId"];
                /**
                 * @description `desc` lists the newest record first, the default; `asc` the oldest.
                 * @example asc
                 */
                order?: components["parameters"]["LogOrder"];
                /**
                 * @description Highest number of records, 1 to 1,000; default 200.
                 * @example 50
                 */
                limit?: components["parameters"]["LogLimit"];
                /**
                 * @description The `next_cursor` of the previous response. Keep the other parameters except `limit` the same.
                 * @example bgEAAAGh_VV9rAGYxaJqYH4QsfA_by8NnGEAAAAAAAASZw
                 */
                cursor?: components["parameters"]["LogSearchCursor"];
                /**
                 * @description Only records of this level or higher.
                 * @example warn
                 */
                level?: components["parameters"]["LogLevel"];
                /**
                 * @description Only records from this source.
                 * @example journal
                 */
                source?: components["parameters"]["LogSource"];
                /**
                 * @description Only records whose message contains this text, ignoring case.
                 * @example battery
                 */
                q?: components["parameters"]["LogText"];
                /**
                 * @description Only records received at or after this time, RFC 3339; must not be after `until`.
                 * @example 2026-11-21T08:00:00Z
                 */
                since?: components["parameters"]["LogSince"];
                /**
                 * @description Only records received before this time, RFC 3339.
                 * @example 2026-11-21T09:00:00Z
                 */
                until?: components["parameters"]["LogUntil"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
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
                     *       "next_cursor": "bgEAAAGh_VV9rAGYxaJqYH4QsfA_by8NnGEAAAAAAAASZw",
                     *       "read_to": "2026-11-21T09:00:00.812Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LogSearchResult"];
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
    getLogStats: {
        parameters: {
            query?: {
                /**
                 * @description Only records that robots sent as members of this fleet.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                fleet_id?: components["parameters"]["LogFleetId"];
                /**
                 * @description Only records that robots sent as members of a fleet of this site.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21
                 */
                site_id?: components["parameters"]["LogSiteId"];
                /**
                 * @description Only records of this robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
                 */
                robot_id?: components["parameters"]["LogRobotId"];
                /**
                 * @description Only records from this source.
                 * @example journal
                 */
                source?: components["parameters"]["LogSource"];
                /**
                 * @description Start of the range, RFC 3339; default 24 hours before `until`.
                 * @example 2026-11-21T08:40:00Z
                 */
                since?: string;
                /**
                 * @description End of the range, RFC 3339; must be after `since`. Default now.
                 * @example 2026-11-21T09:00:00Z
                 */
                until?: string;
                /**
                 * @description Length of the intervals. Default the shortest one with which the range has at most 200, or `1d`.
                 * @example 10m
                 */
                step?: "10m" | "1h" | "1d";
                /**
                 * @description Adds a series for each robot (`robot`) or source (`source`); default `none`.
                 * @example source
                 */
                by?: "none" | "robot" | "source";
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
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
                     *         "start_at": "2026-11-21T08:40:00.000Z",
                     *         "end_at": "2026-11-21T09:00:00.000Z",
                     *         "step": "10m",
                     *         "counted_to": "2026-11-21T08:58:00.000Z",
                     *         "total": {
                     *           "lines": 130,
                     *           "bytes": 16250,
                     *           "levels": {
                     *             "debug": 0,
                     *             "info": 127,
                     *             "warn": 1,
                     *             "error": 2,
                     *             "fatal": 0
                     *           },
                     *           "points": [
                     *             {
                     *               "at": "2026-11-21T08:40:00.000Z",
                     *               "lines": 60,
                     *               "bytes": 7500,
                     *               "levels": {
                     *                 "debug": 0,
                     *                 "info": 60,
                     *                 "warn": 0,
                     *                 "error": 0,
                     *                 "fatal": 0
                     *               }
                     *             },
                     *             {
                     *               "at": "2026-11-21T08:50:00.000Z",
                     *               "lines": 70,
                     *               "bytes": 8750,
                     *               "levels": {
                     *                 "debug": 0,
                     *                 "info": 67,
                     *                 "warn": 1,
                     *                 "error": 2,
                     *                 "fatal": 0
                     *               }
                     *             }
                     *           ]
                     *         },
                     *         "series": [
                     *           {
                     *             "source": "journal",
                     *             "lines": 120,
                     *             "bytes": 15000,
                     *             "levels": {
                     *               "debug": 0,
                     *               "info": 120,
                     *               "warn": 0,
                     *               "error": 0,
                     *               "fatal": 0
                     *             },
                     *             "points": [
                     *               {
                     *                 "at": "2026-11-21T08:40:00.000Z",
                     *                 "lines": 60,
                     *                 "bytes": 7500,
                     *                 "levels": {
                     *                   "debug": 0,
                     *                   "info": 60,
                     *                   "warn": 0,
                     *                   "error": 0,
                     *                   "fatal": 0
                     *                 }
                     *               },
                     *               {
                     *                 "at": "2026-11-21T08:50:00.000Z",
                     *                 "lines": 60,
                     *                 "bytes": 7500,
                     *                 "levels": {
                     *                   "debug": 0,
                     *                   "info": 60,
                     *                   "warn": 0,
                     *                   "error": 0,
                     *                   "fatal": 0
                     *                 }
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "source": "/var/log/nav.log",
                     *             "lines": 10,
                     *             "bytes": 1250,
                     *             "levels": {
                     *               "debug": 0,
                     *               "info": 7,
                     *               "warn": 1,
                     *               "error": 2,
                     *               "fatal": 0
                     *             },
                     *             "points": [
                     *               {
                     *                 "at": "2026-11-21T08:50:00.000Z",
                     *                 "lines": 10,
                     *                 "bytes": 1250,
                     *                 "levels": {
                     *                   "debug": 0,
                     *                   "info": 7,
                     *                   "warn": 1,
                     *                   "error": 2,
                     *                   "fatal": 0
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LogStatsResponse"];
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
    listShellSessions: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Returns only sessions on this robot.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61
                 */
                robot_id?: string;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description `asc` lists the oldest first, the default; `desc` the newest.
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
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
                /**
                 * @description `false` returns only releases that can be deployed, `true` only archived ones; default: all.
                 * @example false
                 */
                archived?: boolean;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
    updateRelease: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "archived": true
                 *     }
                 */
                "application/json": components["schemas"]["ReleaseUpdate"];
            };
        };
        responses: {
            /** @description The updated release. */
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
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "archived_at": "2026-11-22T09:00:00.000Z"
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                /**
                 * @description `true` if you can follow a 307 to another host without sending it your token. Any other value is ignored. Without it, the response is always the bytes.
                 * @example true
                 */
                "X-Accept-Redirect"?: string;
            };
            path: {
                /**
                 * @description SHA-256 of the file, in hex, as in a release of the org.
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
            /** @description Fetch the file from `Location`, in the object store. Only with `X-Accept-Redirect: true`, and only if the operator of the service [allows it](/docs/guides/how-to/s3-artifacts#downloads-from-the-store). Repeat your `Range` there, but not `Authorization` and `If-Range`. Verify the SHA-256. If the store responds with an error, ask again here. */
            307: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Spec-Digest": components["headers"]["XSpecDigest"];
                    "X-Service-Org-Id": components["headers"]["XServiceOrgId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["ArtifactLocation"];
                    [name: string]: unknown;
                };
                content?: never;
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description SHA-256 of the file, in hex, as in a release of the org.
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
                    "X-Quota": components["headers"]["XQuota"];
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description SHA-256 of the file, in hex, as in a release of the org.
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
    createDeploymentPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "kind": "release",
                 *       "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                 *       "target_kind": "fleet",
                 *       "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentPlanCreate"];
            };
        };
        responses: {
            /** @description The plan. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1",
                     *         "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *         "kind": "release",
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "counts": {
                     *           "robots": 24,
                     *           "online": 22,
                     *           "current": 3,
                     *           "conflicts": 0,
                     *           "skipped": 0,
                     *           "downgrades": 0
                     *         },
                     *         "waves": [
                     *           {
                     *             "number": 1,
                     *             "robots": 24,
                     *             "online": 22
                     *           }
                     *         ],
                     *         "conflicts": [],
                     *         "budgets": [
                     *           {
                     *             "budget_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1",
                     *             "name": "pickers per site",
                     *             "group": "Osaka",
                     *             "robots": 24,
                     *             "total": 24,
                     *             "unavailable": 2,
                     *             "allowed": 3
                     *           }
                     *         ],
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "expires_at": "2026-11-28T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentPlanResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["PlanConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeploymentPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1",
                     *         "hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *         "kind": "release",
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "counts": {
                     *           "robots": 24,
                     *           "online": 22,
                     *           "current": 3,
                     *           "conflicts": 5,
                     *           "skipped": 0,
                     *           "downgrades": 0
                     *         },
                     *         "waves": [
                     *           {
                     *             "number": 1,
                     *             "robots": 24,
                     *             "online": 22
                     *           }
                     *         ],
                     *         "conflicts": [
                     *           {
                     *             "deployment_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80",
                     *             "status": "in_progress",
                     *             "robots": 5
                     *           }
                     *         ],
                     *         "budgets": [
                     *           {
                     *             "budget_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1",
                     *             "name": "pickers per site",
                     *             "group": "Osaka",
                     *             "robots": 24,
                     *             "total": 24,
                     *             "unavailable": 3,
                     *             "allowed": 3
                     *           }
                     *         ],
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "expires_at": "2026-11-28T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentPlanResponse"];
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
    listDeploymentPlanRobots: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Returns only robots of the wave with this number, 1 to 21.
                 * @example 1
                 */
                wave?: number;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                     *           "wave": 2,
                     *           "online": true,
                     *           "current": {
                     *             "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70",
                     *             "tag": "nav-1.8.1"
                     *           },
                     *           "conflict": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c80"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentPlanRobotList"];
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
    getDeploymentFreeze: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The freeze. */
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
                     *         "frozen": true,
                     *         "frozen_at": "2026-11-21T03:02:10.000Z",
                     *         "frozen_by": "ops@example.com",
                     *         "reason": "robots stop in aisle 4",
                     *         "held": 12,
                     *         "robots_with_orders": 41
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentFreezeResponse"];
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
    setDeploymentFreeze: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "reason": "robots stop in aisle 4"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentFreezeSet"];
            };
        };
        responses: {
            /** @description The freeze. */
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
                     *         "frozen": true,
                     *         "frozen_at": "2026-11-21T03:02:10.000Z",
                     *         "frozen_by": "ops@example.com",
                     *         "reason": "robots stop in aisle 4",
                     *         "held": 12,
                     *         "robots_with_orders": 41
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentFreezeResponse"];
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
    deleteDeploymentFreeze: {
        parameters: {
            query?: {
                /**
                 * @description Why, for colleagues: the events of the deployments and the audit log show it. None by default.
                 * @example the map of aisle 4 is repaired
                 */
                reason?: string;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The freeze, which has ended. */
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
                     *         "frozen": false,
                     *         "held": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentFreezeResponse"];
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
    listDeployments: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description `asc` lists the oldest first, the default; `desc` the newest.
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Returns only deployments in this status.
                 * @example in_progress
                 */
                status?: string;
                /**
                 * @description Returns only deployments to this robot, fleet or stored selector.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                target_id?: string;
                /**
                 * @description Returns only deployments to this selector, in any form of it.
                 * @example tier=canary,@site=Osaka
                 */
                target_selector?: string;
                /**
                 * @description Returns only the deployments that roll back this one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
                 */
                rollback_of?: string;
                /**
                 * @description Returns only the retries of this deployment, with all their attempts.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
                 */
                retry_of?: string;
                /**
                 * @description Returns only deployments that wait for this, `approval`.
                 * @example approval
                 */
                waiting_on?: components["schemas"]["WaitingFilter"];
                /**
                 * @description Returns only deployments that the service created for this reason, `enrolled`, `moved` or `matched`. `none` returns only those of people and programs, without retries.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description 1 to 255 visible characters without commas and quotes, preferably a new UUID. Generate one per intended operation, and reuse it for retries. A repeated request with the same key and body changes nothing: the response is the first one, byte for byte, with `Idempotent-Replayed: true`. Keys are kept for 7 days.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Only events after this `seq`, starting with the next one.
                 * @example 3
                 */
                after?: components["parameters"]["EventAfter"];
                /**
                 * @description Highest number of events, 1 to 1,000; default 1,000.
                 * @example 100
                 */
                limit?: components["parameters"]["EventLimit"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
    pauseDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "crashes on the second floor"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentControl"];
            };
        };
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
                     *         "status": "paused",
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
                     *         "paused": {
                     *           "since": "2026-11-21T09:00:03.120Z",
                     *           "code": "requested",
                     *           "reason": "crashes on the second floor"
                     *         },
                     *         "waiting_on": {
                     *           "code": "paused",
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
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "fixed by restarting the access point"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentControl"];
            };
        };
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
            409: components["responses"]["DeploymentEnded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    advanceDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "the robots that are left are in repair"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentControl"];
            };
        };
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
                     *         "rollout": {
                     *           "wave": 1,
                     *           "waves": [
                     *             {
                     *               "number": 1,
                     *               "percent": 10,
                     *               "started_at": "2026-11-21T09:00:00.040Z",
                     *               "ended_at": "2026-11-21T09:00:03.120Z"
                     *             },
                     *             {
                     *               "number": 2
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 100,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "then": "advance"
                     *           },
                     *           "abort": []
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
            409: components["responses"]["AdvanceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    skipDeploymentWave: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "wave": 1,
                 *       "reason": "the robots on the second floor are in repair"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentWaveSkip"];
            };
        };
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
                     *           "waiting": 22,
                     *           "dispatched": 0,
                     *           "downloading": 0,
                     *           "installing": 1,
                     *           "verifying": 0,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 1,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "rollout": {
                     *           "wave": 1,
                     *           "waves": [
                     *             {
                     *               "number": 1,
                     *               "count": 5,
                     *               "counts": {
                     *                 "total": 5,
                     *                 "waiting": 3,
                     *                 "dispatched": 0,
                     *                 "downloading": 0,
                     *                 "installing": 1,
                     *                 "verifying": 0,
                     *                 "cancelling": 0,
                     *                 "rolling_back": 0,
                     *                 "applied": 1,
                     *                 "failed": 0,
                     *                 "rolled_back": 0,
                     *                 "cancelled": 0
                     *               },
                     *               "started_at": "2026-11-21T09:00:00.040Z",
                     *               "ended_at": "2026-11-21T09:00:03.120Z",
                     *               "skipped_at": "2026-11-21T09:00:03.120Z"
                     *             },
                     *             {
                     *               "number": 2,
                     *               "counts": {
                     *                 "total": 19,
                     *                 "waiting": 19,
                     *                 "dispatched": 0,
                     *                 "downloading": 0,
                     *                 "installing": 0,
                     *                 "verifying": 0,
                     *                 "cancelling": 0,
                     *                 "rolling_back": 0,
                     *                 "applied": 0,
                     *                 "failed": 0,
                     *                 "rolled_back": 0,
                     *                 "cancelled": 0
                     *               }
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 100,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "then": "advance"
                     *           },
                     *           "abort": []
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
            409: components["responses"]["SkipConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setDeploymentWaves: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "from": 2,
                 *       "waves": [
                 *         {
                 *           "percent": 40
                 *         }
                 *       ],
                 *       "reason": "begin with fewer robots"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentWavesUpdate"];
            };
        };
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
                     *           "waiting": 19,
                     *           "dispatched": 0,
                     *           "downloading": 0,
                     *           "installing": 1,
                     *           "verifying": 0,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 4,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "rollout": {
                     *           "wave": 1,
                     *           "waves": [
                     *             {
                     *               "number": 1,
                     *               "count": 5,
                     *               "started_at": "2026-11-21T09:00:00.040Z"
                     *             },
                     *             {
                     *               "number": 2,
                     *               "percent": 40
                     *             },
                     *             {
                     *               "number": 3
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 100,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "then": "advance"
                     *           },
                     *           "abort": []
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
            409: components["responses"]["WavesConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeploymentRollback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rollback. */
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
                     *         "request": {
                     *           "code": "requested",
                     *           "since": "2026-11-21T09:00:03.120Z",
                     *           "reason": "robots lose their map"
                     *         },
                     *         "returns": [
                     *           {
                     *             "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70",
                     *             "robots": 12,
                     *             "deployment_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c90"
                     *           }
                     *         ],
                     *         "excluded": [
                     *           {
                     *             "code": "nothing_earlier",
                     *             "robots": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentRollbackResponse"];
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
    createDeploymentRollback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "robots lose their map"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentRollbackCreate"];
            };
        };
        responses: {
            /** @description The rollback. */
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
                     *         "request": {
                     *           "code": "requested",
                     *           "since": "2026-11-21T09:00:03.120Z",
                     *           "reason": "robots lose their map"
                     *         },
                     *         "returns": [
                     *           {
                     *             "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c70",
                     *             "robots": 12
                     *           }
                     *         ],
                     *         "excluded": [
                     *           {
                     *             "code": "nothing_earlier",
                     *             "robots": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentRollbackResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RollbackConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeploymentRetry: {
        parameters: {
            query?: {
                /**
                 * @description Why the deployment failed on the robots to count: `failed`, `timed_out`, `rejected`, `rolled_back` and `unreached`, separated by commas, or `any`, which is the default.
                 * @example timed_out,failed
                 */
                reasons?: components["parameters"]["RetryReasons"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a retry would do. */
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
                     *         "retries": [
                     *           {
                     *             "reason": "timed_out",
                     *             "robots": 3
                     *           }
                     *         ],
                     *         "excluded": [
                     *           {
                     *             "code": "superseded",
                     *             "robots": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentRetryResponse"];
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
    createDeploymentRetry: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description 1 to 255 visible characters without commas and quotes, preferably a new UUID. Generate one per intended operation, and reuse it for retries. A repeated request with the same key and body changes nothing: the response is the first one, byte for byte, with `Idempotent-Replayed: true`. Keys are kept for 7 days.
                 * @example 6f0c2d3e-4b5a-4978-8796-a5b4c3d2e1f0
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reasons": [
                 *         "timed_out"
                 *       ],
                 *       "attempts": 3,
                 *       "backoff": "10m",
                 *       "reason": "the access points are repaired"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentRetryCreate"];
            };
        };
        responses: {
            /** @description The new deployment. With `Idempotent-Replayed`, it is the first response to this key. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c92",
                     *         "release_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "scheduled",
                     *         "scheduled_at": "2026-11-21T09:10:00.000Z",
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
                     *         "retry_of": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81",
                     *         "retry": {
                     *           "attempt": 1,
                     *           "attempts": 3,
                     *           "reasons": [
                     *             "timed_out"
                     *           ],
                     *           "backoff": "10m",
                     *           "reason": "the access points are repaired"
                     *         },
                     *         "waiting_on": {
                     *           "code": "schedule",
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
            409: components["responses"]["RetryConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeploymentApprovals: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approvals. */
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
                     *         "request": {
                     *           "wave": 0,
                     *           "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "people": 2,
                     *           "role": "operator",
                     *           "approved_by": [
                     *             "ana@example.com"
                     *           ],
                     *           "expires_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         "author": {
                     *           "kind": "user",
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11",
                     *           "name": "max@example.com"
                     *         },
                     *         "decisions": [
                     *           {
                     *             "wave": 0,
                     *             "decision": "approve",
                     *             "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *             "by": {
                     *               "kind": "user",
                     *               "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12",
                     *               "name": "ana@example.com"
                     *             },
                     *             "reason": "tested on the bench",
                     *             "at": "2026-11-21T09:10:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentApprovalsResponse"];
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
    createDeploymentApproval: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "decision": "approve",
                 *       "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                 *       "reason": "tested on the bench"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentApprovalCreate"];
            };
        };
        responses: {
            /** @description The approvals. */
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
                     *         "request": {
                     *           "wave": 0,
                     *           "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "people": 2,
                     *           "role": "operator",
                     *           "approved_by": [
                     *             "ana@example.com"
                     *           ],
                     *           "expires_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         "author": {
                     *           "kind": "user",
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11",
                     *           "name": "max@example.com"
                     *         },
                     *         "decisions": [
                     *           {
                     *             "wave": 0,
                     *             "decision": "approve",
                     *             "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *             "by": {
                     *               "kind": "user",
                     *               "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12",
                     *               "name": "ana@example.com"
                     *             },
                     *             "reason": "tested on the bench",
                     *             "at": "2026-11-21T09:10:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentApprovalsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ApprovalForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ApprovalConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
    listRolloutPolicies: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policies. */
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
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1",
                     *           "name": "careful",
                     *           "rollout": {
                     *             "waves": [
                     *               {
                     *                 "name": "canaries",
                     *                 "selector": "tier=canary"
                     *               },
                     *               {
                     *                 "percent": 10
                     *               }
                     *             ],
                     *             "advance": {
                     *               "applied_percent": 95,
                     *               "min_ended": 1,
                     *               "soak": "30m",
                     *               "offline_after": "1h",
                     *               "then": "advance"
                     *             },
                     *             "abort": [
                     *               {
                     *                 "reasons": [
                     *                   "any"
                     *                 ],
                     *                 "percent": 5,
                     *                 "min_ended": 3,
                     *                 "per": "rollout",
                     *                 "action": "pause"
                     *               }
                     *             ]
                     *           },
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RolloutPolicyList"];
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
    createRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "name": "careful",
                 *       "rollout": {
                 *         "waves": [
                 *           {
                 *             "name": "canaries",
                 *             "selector": "tier=canary"
                 *           },
                 *           {
                 *             "percent": 10
                 *           }
                 *         ],
                 *         "advance": {
                 *           "applied_percent": 95,
                 *           "min_ended": 1,
                 *           "soak": "30m",
                 *           "offline_after": "1h",
                 *           "then": "advance"
                 *         },
                 *         "abort": [
                 *           {
                 *             "reasons": [
                 *               "any"
                 *             ],
                 *             "percent": 5,
                 *             "min_ended": 3,
                 *             "per": "rollout",
                 *             "action": "pause"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RolloutPolicyCreate"];
            };
        };
        responses: {
            /** @description The policy. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1",
                     *         "name": "careful",
                     *         "rollout": {
                     *           "waves": [
                     *             {
                     *               "name": "canaries",
                     *               "selector": "tier=canary"
                     *             },
                     *             {
                     *               "percent": 10
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 95,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "offline_after": "1h",
                     *             "then": "advance"
                     *           },
                     *           "abort": [
                     *             {
                     *               "reasons": [
                     *                 "any"
                     *               ],
                     *               "percent": 5,
                     *               "min_ended": 3,
                     *               "per": "rollout",
                     *               "action": "pause"
                     *             }
                     *           ]
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RolloutPolicyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["PolicyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1",
                     *         "name": "careful",
                     *         "rollout": {
                     *           "waves": [
                     *             {
                     *               "name": "canaries",
                     *               "selector": "tier=canary"
                     *             },
                     *             {
                     *               "percent": 10
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 95,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "offline_after": "1h",
                     *             "then": "advance"
                     *           },
                     *           "abort": [
                     *             {
                     *               "reasons": [
                     *                 "any"
                     *               ],
                     *               "percent": 5,
                     *               "min_ended": 3,
                     *               "per": "rollout",
                     *               "action": "pause"
                     *             }
                     *           ]
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RolloutPolicyResponse"];
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
    deleteRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy as it was. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1",
                     *         "name": "careful",
                     *         "rollout": {
                     *           "waves": [
                     *             {
                     *               "name": "canaries",
                     *               "selector": "tier=canary"
                     *             },
                     *             {
                     *               "percent": 10
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 95,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "offline_after": "1h",
                     *             "then": "advance"
                     *           },
                     *           "abort": [
                     *             {
                     *               "reasons": [
                     *                 "any"
                     *               ],
                     *               "percent": 5,
                     *               "min_ended": 3,
                     *               "per": "rollout",
                     *               "action": "pause"
                     *             }
                     *           ]
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RolloutPolicyResponse"];
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
    updateRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "name": "very-careful"
                 *     }
                 */
                "application/json": components["schemas"]["RolloutPolicyUpdate"];
            };
        };
        responses: {
            /** @description The changed policy. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9da1",
                     *         "name": "careful",
                     *         "rollout": {
                     *           "waves": [
                     *             {
                     *               "name": "canaries",
                     *               "selector": "tier=canary"
                     *             },
                     *             {
                     *               "percent": 10
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 95,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "offline_after": "1h",
                     *             "then": "advance"
                     *           },
                     *           "abort": [
                     *             {
                     *               "reasons": [
                     *                 "any"
                     *               ],
                     *               "percent": 5,
                     *               "min_ended": 3,
                     *               "per": "rollout",
                     *               "action": "pause"
                     *             }
                     *           ]
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RolloutPolicyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["PolicyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDisruptionBudgets: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budgets. */
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
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1",
                     *           "name": "pickers per site",
                     *           "selector": "@fleet=pickers",
                     *           "group_by": [
                     *             "@site"
                     *           ],
                     *           "max_unavailable": {
                     *             "percent": 10
                     *           },
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DisruptionBudgetList"];
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
    createDisruptionBudget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "name": "pickers per site",
                 *       "selector": "@fleet=pickers",
                 *       "group_by": [
                 *         "@site"
                 *       ],
                 *       "max_unavailable": {
                 *         "percent": 10
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisruptionBudgetCreate"];
            };
        };
        responses: {
            /** @description The budget. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1",
                     *         "name": "pickers per site",
                     *         "selector": "@fleet=pickers",
                     *         "group_by": [
                     *           "@site"
                     *         ],
                     *         "max_unavailable": {
                     *           "percent": 10
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DisruptionBudgetResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["BudgetConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDisruptionBudget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budget. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1",
                     *         "name": "pickers per site",
                     *         "selector": "@fleet=pickers",
                     *         "group_by": [
                     *           "@site"
                     *         ],
                     *         "max_unavailable": {
                     *           "percent": 10
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DisruptionBudgetResponse"];
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
    deleteDisruptionBudget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budget as it was. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1",
                     *         "name": "pickers per site",
                     *         "selector": "@fleet=pickers",
                     *         "group_by": [
                     *           "@site"
                     *         ],
                     *         "max_unavailable": {
                     *           "percent": 10
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DisruptionBudgetResponse"];
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
    updateDisruptionBudget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "max_unavailable": {
                 *         "percent": 20
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisruptionBudgetUpdate"];
            };
        };
        responses: {
            /** @description The changed budget. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9de1",
                     *         "name": "pickers per site",
                     *         "selector": "@fleet=pickers",
                     *         "group_by": [
                     *           "@site"
                     *         ],
                     *         "max_unavailable": {
                     *           "percent": 20
                     *         },
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DisruptionBudgetResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["BudgetConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLogRedactions: {
        parameters: {
            query?: {
                /**
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
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
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9df1",
                     *           "name": "door-code",
                     *           "pattern": "door code: ?[0-9]{4}",
                     *           "replacement": "[redacted: door-code]",
                     *           "enabled": true,
                     *           "builtin": false,
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LogRedactionList"];
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
    createLogRedaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "name": "door-code",
                 *       "pattern": "door code: ?[0-9]{4}"
                 *     }
                 */
                "application/json": components["schemas"]["LogRedactionCreate"];
            };
        };
        responses: {
            /** @description The rule. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9df1",
                     *         "name": "door-code",
                     *         "pattern": "door code: ?[0-9]{4}",
                     *         "replacement": "[redacted: door-code]",
                     *         "enabled": true,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LogRedactionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RedactionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testLogRedaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 *       "pattern": "door code: ?[0-9]{4}",
                 *       "messages": [
                 *         "opened with door code: 1234",
                 *         "dock reached"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LogRedactionTest"];
            };
        };
        responses: {
            /** @description What would be stored. */
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
                     *         "matched": 1,
                     *         "results": [
                     *           {
                     *             "matched": true,
                     *             "message": "opened with [redacted]"
                     *           },
                     *           {
                     *             "matched": false,
                     *             "message": "dock reached"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LogRedactionTestResponse"];
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
    getLogRedaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9df1",
                     *         "name": "door-code",
                     *         "pattern": "door code: ?[0-9]{4}",
                     *         "replacement": "[redacted: door-code]",
                     *         "enabled": true,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LogRedactionResponse"];
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
    deleteLogRedaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule as it was. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9df1",
                     *         "name": "door-code",
                     *         "pattern": "door code: ?[0-9]{4}",
                     *         "replacement": "[redacted: door-code]",
                     *         "enabled": true,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LogRedactionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["BuiltInRedaction"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateLogRedaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["LogRedactionUpdate"];
            };
        };
        responses: {
            /** @description The changed rule. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9df1",
                     *         "name": "door-code",
                     *         "pattern": "door code: ?[0-9]{4}",
                     *         "replacement": "[redacted: door-code]",
                     *         "enabled": false,
                     *         "builtin": false,
                     *         "created_at": "2026-11-21T09:00:00.000Z",
                     *         "updated_at": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LogRedactionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RedactionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
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
                /**
                 * @description `true` returns only deleted entries, whose revisions stay readable; default `false`, only entries that exist.
                 * @example false
                 */
                deleted?: boolean;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
    deleteConfig: {
        parameters: {
            query?: {
                /**
                 * @description `true` cancels the active deployments of the entry, including scheduled ones and those that the service created; default `false`.
                 * @example false
                 */
                cancel_deployments?: boolean;
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry as it was before its deletion. */
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
            409: components["responses"]["ConfigInUse"];
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
                 * @example MTc5NTI1MTYwMDAwMC4wMTk4YzVhMi02YTYwLTdlMTAtYjFmMC0zZjZmMmYwZDljMjE
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description `asc` lists the oldest first, the default; `desc` the newest.
                 * @example desc
                 */
                order?: components["parameters"]["Order"];
                /**
                 * @description Only the objects with these IDs: 1 to 100, separated by commas. IDs without an object are left out. Use it to read the names for the IDs of another list.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11,0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12
                 */
                id?: components["parameters"]["Ids"];
                /**
                 * @description Only objects whose ID ends with these hexadecimal digits, 4 to 12. The last 8 are the short ID: the beginning of an ID is a time, which neighbors share.
                 * @example 2f0d9c11
                 */
                id_end?: components["parameters"]["IdEnd"];
                /**
                 * @description Returns only deployments in this status.
                 * @example in_progress
                 */
                status?: string;
                /**
                 * @description Returns only deployments to this robot, fleet or stored selector.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31
                 */
                target_id?: string;
                /**
                 * @description Returns only deployments to this selector, in any form of it.
                 * @example tier=canary,@site=Osaka
                 */
                target_selector?: string;
                /**
                 * @description Returns only the deployments that roll back this one.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
                 */
                rollback_of?: string;
                /**
                 * @description Returns only the retries of this deployment, with all their attempts.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81
                 */
                retry_of?: string;
                /**
                 * @description Returns only deployments that wait for this, `approval`.
                 * @example approval
                 */
                waiting_on?: components["schemas"]["WaitingFilter"];
                /**
                 * @description Returns only deployments that the service created for this reason, `enrolled`, `moved` or `matched`. `none` returns only those of people and programs, without retries.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description 1 to 255 visible characters without commas and quotes, preferably a new UUID. Generate one per intended operation, and reuse it for retries. A repeated request with the same key and body changes nothing: the response is the first one, byte for byte, with `Idempotent-Replayed: true`. Keys are kept for 7 days.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
                 * @example W/"3q2-7wAAAAAAAAAAAAAAAAAAAAA"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Only events after this `seq`, starting with the next one.
                 * @example 3
                 */
                after?: components["parameters"]["EventAfter"];
                /**
                 * @description Highest number of events, 1 to 1,000; default 1,000.
                 * @example 100
                 */
                limit?: components["parameters"]["EventLimit"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
    pauseConfigDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "crashes on the second floor"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentControl"];
            };
        };
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
                     *         "status": "paused",
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
                     *         "paused": {
                     *           "since": "2026-11-21T09:00:03.120Z",
                     *           "code": "requested",
                     *           "reason": "crashes on the second floor"
                     *         },
                     *         "waiting_on": {
                     *           "code": "paused",
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
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeConfigDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "fixed by restarting the access point"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentControl"];
            };
        };
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
            409: components["responses"]["DeploymentEnded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    advanceConfigDeployment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "the robots that are left are in repair"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentControl"];
            };
        };
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
                     *         "rollout": {
                     *           "wave": 1,
                     *           "waves": [
                     *             {
                     *               "number": 1,
                     *               "percent": 10,
                     *               "started_at": "2026-11-21T09:00:00.040Z",
                     *               "ended_at": "2026-11-21T09:00:03.120Z"
                     *             },
                     *             {
                     *               "number": 2
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 100,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "then": "advance"
                     *           },
                     *           "abort": []
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
            409: components["responses"]["AdvanceConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    skipConfigDeploymentWave: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "wave": 1,
                 *       "reason": "the robots on the second floor are in repair"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentWaveSkip"];
            };
        };
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
                     *           "waiting": 22,
                     *           "dispatched": 0,
                     *           "downloading": 0,
                     *           "installing": 1,
                     *           "verifying": 0,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 1,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "rollout": {
                     *           "wave": 1,
                     *           "waves": [
                     *             {
                     *               "number": 1,
                     *               "count": 5,
                     *               "counts": {
                     *                 "total": 5,
                     *                 "waiting": 3,
                     *                 "dispatched": 0,
                     *                 "downloading": 0,
                     *                 "installing": 1,
                     *                 "verifying": 0,
                     *                 "cancelling": 0,
                     *                 "rolling_back": 0,
                     *                 "applied": 1,
                     *                 "failed": 0,
                     *                 "rolled_back": 0,
                     *                 "cancelled": 0
                     *               },
                     *               "started_at": "2026-11-21T09:00:00.040Z",
                     *               "ended_at": "2026-11-21T09:00:03.120Z",
                     *               "skipped_at": "2026-11-21T09:00:03.120Z"
                     *             },
                     *             {
                     *               "number": 2,
                     *               "counts": {
                     *                 "total": 19,
                     *                 "waiting": 19,
                     *                 "dispatched": 0,
                     *                 "downloading": 0,
                     *                 "installing": 0,
                     *                 "verifying": 0,
                     *                 "cancelling": 0,
                     *                 "rolling_back": 0,
                     *                 "applied": 0,
                     *                 "failed": 0,
                     *                 "rolled_back": 0,
                     *                 "cancelled": 0
                     *               }
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 100,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "then": "advance"
                     *           },
                     *           "abort": []
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
            409: components["responses"]["SkipConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setConfigDeploymentWaves: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "from": 2,
                 *       "waves": [
                 *         {
                 *           "percent": 40
                 *         }
                 *       ],
                 *       "reason": "begin with fewer robots"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentWavesUpdate"];
            };
        };
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
                     *           "waiting": 19,
                     *           "dispatched": 0,
                     *           "downloading": 0,
                     *           "installing": 1,
                     *           "verifying": 0,
                     *           "cancelling": 0,
                     *           "rolling_back": 0,
                     *           "applied": 4,
                     *           "failed": 0,
                     *           "rolled_back": 0,
                     *           "cancelled": 0
                     *         },
                     *         "rollout": {
                     *           "wave": 1,
                     *           "waves": [
                     *             {
                     *               "number": 1,
                     *               "count": 5,
                     *               "started_at": "2026-11-21T09:00:00.040Z"
                     *             },
                     *             {
                     *               "number": 2,
                     *               "percent": 40
                     *             },
                     *             {
                     *               "number": 3
                     *             }
                     *           ],
                     *           "advance": {
                     *             "applied_percent": 100,
                     *             "min_ended": 1,
                     *             "soak": "30m",
                     *             "then": "advance"
                     *           },
                     *           "abort": []
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
            409: components["responses"]["WavesConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConfigDeploymentRollback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rollback. */
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
                     *         "request": {
                     *           "code": "requested",
                     *           "since": "2026-11-21T09:00:03.120Z",
                     *           "reason": "robots lose their map"
                     *         },
                     *         "returns": [
                     *           {
                     *             "revision": 4,
                     *             "robots": 12,
                     *             "deployment_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c90"
                     *           }
                     *         ],
                     *         "excluded": [
                     *           {
                     *             "code": "nothing_earlier",
                     *             "robots": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentRollbackResponse"];
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
    createConfigDeploymentRollback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reason": "robots lose their map"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentRollbackCreate"];
            };
        };
        responses: {
            /** @description The rollback. */
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
                     *         "request": {
                     *           "code": "requested",
                     *           "since": "2026-11-21T09:00:03.120Z",
                     *           "reason": "robots lose their map"
                     *         },
                     *         "returns": [
                     *           {
                     *             "revision": 4,
                     *             "robots": 12
                     *           }
                     *         ],
                     *         "excluded": [
                     *           {
                     *             "code": "nothing_earlier",
                     *             "robots": 2
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentRollbackResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RollbackConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConfigDeploymentRetry: {
        parameters: {
            query?: {
                /**
                 * @description Why the deployment failed on the robots to count: `failed`, `timed_out`, `rejected`, `rolled_back` and `unreached`, separated by commas, or `any`, which is the default.
                 * @example timed_out,failed
                 */
                reasons?: components["parameters"]["RetryReasons"];
            };
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a retry would do. */
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
                     *         "retries": [
                     *           {
                     *             "reason": "timed_out",
                     *             "robots": 3
                     *           }
                     *         ],
                     *         "excluded": [
                     *           {
                     *             "code": "superseded",
                     *             "robots": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentRetryResponse"];
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
    createConfigDeploymentRetry: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
                /**
                 * @description 1 to 255 visible characters without commas and quotes, preferably a new UUID. Generate one per intended operation, and reuse it for retries. A repeated request with the same key and body changes nothing: the response is the first one, byte for byte, with `Idempotent-Replayed: true`. Keys are kept for 7 days.
                 * @example 6f0c2d3e-4b5a-4978-8796-a5b4c3d2e1f0
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "reasons": [
                 *         "timed_out"
                 *       ],
                 *       "attempts": 3,
                 *       "backoff": "10m",
                 *       "reason": "the access points are repaired"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentRetryCreate"];
            };
        };
        responses: {
            /** @description The new deployment. With `Idempotent-Replayed`, it is the first response to this key. */
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
                     *         "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c92",
                     *         "config_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c91",
                     *         "revision": 3,
                     *         "namespace": "default",
                     *         "key": "nav.max_speed",
                     *         "target_kind": "fleet",
                     *         "target_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31",
                     *         "status": "scheduled",
                     *         "scheduled_at": "2026-11-21T09:10:00.000Z",
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
                     *         "retry_of": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81",
                     *         "retry": {
                     *           "attempt": 1,
                     *           "attempts": 3,
                     *           "reasons": [
                     *             "timed_out"
                     *           ],
                     *           "backoff": "10m",
                     *           "reason": "the access points are repaired"
                     *         },
                     *         "waiting_on": {
                     *           "code": "schedule",
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
            409: components["responses"]["RetryConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConfigDeploymentApprovals: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approvals. */
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
                     *         "request": {
                     *           "wave": 0,
                     *           "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "people": 2,
                     *           "role": "operator",
                     *           "approved_by": [
                     *             "ana@example.com"
                     *           ],
                     *           "expires_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         "author": {
                     *           "kind": "user",
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11",
                     *           "name": "max@example.com"
                     *         },
                     *         "decisions": [
                     *           {
                     *             "wave": 0,
                     *             "decision": "approve",
                     *             "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *             "by": {
                     *               "kind": "user",
                     *               "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12",
                     *               "name": "ana@example.com"
                     *             },
                     *             "reason": "tested on the bench",
                     *             "at": "2026-11-21T09:10:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentApprovalsResponse"];
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
    createConfigDeploymentApproval: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "decision": "approve",
                 *       "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                 *       "reason": "tested on the bench"
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentApprovalCreate"];
            };
        };
        responses: {
            /** @description The approvals. */
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
                     *         "request": {
                     *           "wave": 0,
                     *           "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *           "people": 2,
                     *           "role": "operator",
                     *           "approved_by": [
                     *             "ana@example.com"
                     *           ],
                     *           "expires_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         "author": {
                     *           "kind": "user",
                     *           "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11",
                     *           "name": "max@example.com"
                     *         },
                     *         "decisions": [
                     *           {
                     *             "wave": 0,
                     *             "decision": "approve",
                     *             "plan_hash": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
                     *             "by": {
                     *               "kind": "user",
                     *               "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c12",
                     *               "name": "ana@example.com"
                     *             },
                     *             "reason": "tested on the bench",
                     *             "at": "2026-11-21T09:10:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentApprovalsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ApprovalForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ApprovalConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01
                 */
                "X-Service-Org-Id"?: components["parameters"]["OrgChoice"];
            };
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                    "X-Quota": components["headers"]["XQuota"];
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
            409: components["responses"]["QuotaConflict"];
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Selects one of the orgs of the token; required if the token is valid in several. Any other ID results in 404.
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
                 * @description Highest number of items on a page, 1 to 1,000. Without it, the response has the complete list.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page. Use it with `limit`.
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
                 * @description One or more `ETag` values from earlier responses for this page. Use it with `limit`. If the page has not changed, the response is 304.
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
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
    getOrgQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
                 * @example 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quotas. */
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
                     *         "robots": 500,
                     *         "log_bytes_per_day": 10737418240,
                     *         "used": {
                     *           "robots": 240,
                     *           "artifact_bytes": 53687091200,
                     *           "live_streams": 12,
                     *           "log_bytes_per_day": 2147483648,
                     *           "refused_log_records": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["QuotasResponse"];
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
    setOrgQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description ID of the object. The ID of an object of another org counts as unknown.
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
                 *       "robots": 500,
                 *       "log_bytes_per_day": 10737418240
                 *     }
                 */
                "application/json": components["schemas"]["QuotaLimits"];
            };
        };
        responses: {
            /** @description The quotas. */
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
                     *         "robots": 500,
                     *         "log_bytes_per_day": 10737418240,
                     *         "used": {
                     *           "robots": 240,
                     *           "artifact_bytes": 53687091200,
                     *           "live_streams": 12,
                     *           "log_bytes_per_day": 2147483648,
                     *           "refused_log_records": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["QuotasResponse"];
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
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
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
                     *         "problems": [
                     *           {
                     *             "severity": "warning",
                     *             "code": "bus_down",
                     *             "message": "hints from other replicas arrive late: this replica has no connection to nats"
                     *           }
                     *         ],
                     *         "version": "0.1.0",
                     *         "schema": "0066_backups",
                     *         "newer_migrations": [],
                     *         "replicas": [
                     *           {
                     *             "id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01",
                     *             "version": "0.1.0",
                     *             "started_at": "2026-11-21T08:00:00.000Z",
                     *             "lease_until": "2026-11-21T09:00:15.000Z",
                     *             "ready": true,
                     *             "links": 240,
                     *             "records_hints": true,
                     *             "url": "http://10.0.0.11:8080"
                     *           }
                     *         ],
                     *         "bus": {
                     *           "carrier": "nats",
                     *           "up": false
                     *         },
                     *         "standby": {
                     *           "state": "ok",
                     *           "lag_seconds": 0.4
                     *         },
                     *         "logs": {
                     *           "oldest_unmerged_seconds": 70,
                     *           "unmerged_bytes": 4194304
                     *         },
                     *         "audit": {
                     *           "unsealed_seconds": 0
                     *         },
                     *         "queues": {
                     *           "due_deployments": 0,
                     *           "oldest_due_seconds": 0,
                     *           "open_orders": 12
                     *         },
                     *         "erasures": {
                     *           "unfinished": 1,
                     *           "oldest_since": "2026-11-21T08:30:00.000Z"
                     *         },
                     *         "retention": {
                     *           "removed_rows": 520000,
                     *           "next_round_at": "2026-11-21T14:00:00.000Z"
                     *         },
                     *         "last_backup": {
                     *           "taken_at": "2026-11-21T03:00:00.000Z",
                     *           "finished_at": "2026-11-21T03:01:12.000Z",
                     *           "bytes": 104857600,
                     *           "taken_by": "fleet@control-1"
                     *         },
                     *         "database_bytes": 18874368,
                     *         "disk": {
                     *           "free_bytes": 53687091200,
                     *           "size_bytes": 107374182400
                     *         },
                     *         "quotas": [
                     *           {
                     *             "org_id": "0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c02",
                     *             "org_name": "Acme Robotics",
                     *             "quota": "robots",
                     *             "used": 95,
                     *             "limit": 100
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceStatusResponse"];
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
