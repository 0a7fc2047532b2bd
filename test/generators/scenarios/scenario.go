// The first scenario by the client that openapi-generator made for Go: what it saw, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fleet"
	"fmt"
	"net/http"
	"os"
	"time"
)

type refusal struct {
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

type seen struct {
	Org             string     `json:"org"`
	Site            string     `json:"site"`
	Fleet           string     `json:"fleet"`
	Key             string     `json:"key"`
	Robots          [][]string `json:"robots"`
	Missing         refusal    `json:"missing"`
	Refused         refusal    `json:"refused"`
	DeploymentAgain bool       `json:"deploymentAgain"`
	Target          string     `json:"target"`
}

func check(what string, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, what, err)
		os.Exit(1)
	}
}

// The model of an error is typed; the status is that of the response.
func refused(response *http.Response, err error) refusal {
	envelope, isTyped := err.(fleet.GenericOpenAPIError).Model().(fleet.Error)
	if !isTyped {
		check("no typed error", err)
	}
	return refusal{response.StatusCode, envelope.Error.Code, envelope.Error.Message}
}

func main() {
	configuration := fleet.NewConfiguration()
	configuration.Servers = fleet.ServerConfigurations{{URL: os.Args[1]}}
	client := fleet.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), fleet.ContextAccessToken, os.Args[2])

	whoami, _, err := client.SessionApi.GetWhoami(ctx).Execute()
	check("whoami", err)
	site, _, err := client.SitesApi.CreateSite(ctx).SiteCreate(*fleet.NewSiteCreate("Kobe")).Execute()
	check("site", err)
	pickers, _, err := client.FleetsApi.CreateFleet(ctx).FleetCreate(*fleet.NewFleetCreate("pickers", site.Data.Id)).Execute()
	check("fleet", err)
	wish := fleet.NewEnrollmentKeyCreate(site.Data.Id, pickers.Data.Id)
	wish.SetMaxUses(3)
	key, _, err := client.EnrollmentKeysApi.CreateEnrollmentKey(ctx).EnrollmentKeyCreate(*wish).Execute()
	check("key", err)

	result := seen{Org: whoami.Data.Orgs[0].Name, Site: site.Data.Name, Fleet: pickers.Data.Name, Key: key.Data.Value[:11]}
	cursor := ""
	for {
		call := client.RobotsApi.ListRobots(ctx).Limit(2)
		if cursor != "" {
			call = call.Cursor(cursor)
		}
		page, _, err := call.Execute()
		check("robots", err)
		names := []string{}
		for _, robot := range page.Items {
			names = append(names, robot.Name)
		}
		result.Robots = append(result.Robots, names)
		if cursor = page.GetNextCursor(); cursor == "" {
			break
		}
	}

	_, response, err := client.RobotsApi.GetRobot(ctx, "nobody").Execute()
	result.Missing = refused(response, err)
	_, response, err = client.RobotsApi.ListRobots(ctx).Limit(2).Cursor("nonsense").Execute()
	result.Refused = refused(response, err)

	digest := "abababababababababababababababababababababababababababababababab"
	draft := fleet.NewReleaseCreate(digest, 7, "nav-1")
	draft.SetKind("file")
	release, _, err := client.ReleasesApi.CreateRelease(ctx).ReleaseCreate(*draft).Execute()
	check("release", err)
	order := fleet.NewDeploymentCreate()
	order.SetReleaseId(release.Data.Id)
	order.SetTargetKind("fleet")
	order.SetTargetId(pickers.Data.Id)
	once := fmt.Sprintf("go-%d", time.Now().UnixNano())
	first, _, err := client.DeploymentsApi.CreateDeployment(ctx).IdempotencyKey(once).DeploymentCreate(*order).Execute()
	check("deployment", err)
	again, _, err := client.DeploymentsApi.CreateDeployment(ctx).IdempotencyKey(once).DeploymentCreate(*order).Execute()
	check("deployment again", err)
	result.DeploymentAgain = first.Data.Id == again.Data.Id
	result.Target = first.Data.TargetKind
	check("output", json.NewEncoder(os.Stdout).Encode(result))
}
