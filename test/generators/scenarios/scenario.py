"""The first scenario by the client that openapi-generator made for Python: what it saw, as JSON."""

import json
import sys
import uuid

import fleet

url, token = sys.argv[1:]
configuration = fleet.Configuration(host=url)
configuration.access_token = token


def refusal(call):
    try:
        call()
    except fleet.exceptions.ApiException as error:
        return {"status": error.status, **json.loads(error.body)["error"]}
    raise AssertionError("it was not refused")


with fleet.ApiClient(configuration) as client:
    robots = fleet.RobotsApi(client)
    deployments = fleet.DeploymentsApi(client)
    whoami = fleet.SessionApi(client).get_whoami().data
    site = fleet.SitesApi(client).create_site(fleet.SiteCreate(name="Kobe")).data
    pickers = fleet.FleetsApi(client).create_fleet(fleet.FleetCreate(name="pickers", site_id=site.id)).data
    wish = fleet.EnrollmentKeyCreate(site_id=site.id, fleet_id=pickers.id, max_uses=3)
    key = fleet.EnrollmentKeysApi(client).create_enrollment_key(wish).data

    pages, page = [], robots.list_robots(limit=2)
    while True:
        pages.append([robot.name for robot in page.items])
        if page.next_cursor is None:
            break
        page = robots.list_robots(limit=2, cursor=page.next_cursor)

    draft = fleet.ReleaseCreate(artifact_sha256="ab" * 32, artifact_size=7, tag="nav-1", kind="file")
    release = fleet.ReleasesApi(client).create_release(draft).data
    order = fleet.DeploymentCreate(release_id=release.id, target_kind="fleet", target_id=pickers.id)
    once = str(uuid.uuid4())
    first, again = (deployments.create_deployment(once, order).data for _ in range(2))

    print(
        json.dumps(
            {
                "org": whoami.orgs[0].name,
                "site": site.name,
                "fleet": pickers.name,
                "key": key.value[:11],
                "robots": pages,
                "missing": refusal(lambda: robots.get_robot("nobody")),
                "refused": refusal(lambda: robots.list_robots(limit=2, cursor="nonsense")),
                "deploymentAgain": first.id == again.id,
                "target": first.target_kind,
            }
        )
    )
