#!/usr/bin/python3
"""A robot agent to start your own from. Python 3.9 and websockets 10, or newer (Debian: python3-websockets).

    some-program | SERVICE_ENROLLMENT_KEY=svc_enroll_... ./agent.py http://127.0.0.1:8080 [identity.json]

It enrolls once, keeps the link, sends health and each line of its standard input as a log record, installs releases of
the kind `file`, and applies config. docs/reference/agent-protocol.md gives the reasons. Two files go with it: agent_disk.py keeps
reports and log records on disk before they are sent, so that `kill -9` loses none and repeats none; agent_shell.py
opens shells, and can be left out. The agent keeps:

    identity.json           the nonce, then the token; and the last report of each order
    identity.json.logs      log records that are not acknowledged (SQLite)
    identity.json.release   the installed file
    identity.json.config    all config values, as {"config":[{"namespace","key","revision","value"}]}
"""
import asyncio, collections, contextlib, glob, hashlib, http.client, itertools, json, os, random, signal, sys
import threading, time, urllib.error, urllib.request, uuid, websockets
from agent_disk import Spool, config_entries, file_digest, now, read, resumed, save, timed
try: import agent_shell
except ImportError: agent_shell = None

HEADERS = "extra_headers" if int(websockets.__version__.split(".")[0]) < 14 else "additional_headers"
ENDS = {"applied", "failed", "rolled_back", "cancelled"}
UNREADABLE = (ValueError, TypeError, KeyError)  # what a broken frame raises
REFUSED = {401, 403, 426, 4401, 4403, 4426}  # to try again would not help

def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
def bearer(token): return {"Authorization": "Bearer " + token, "Content-Type": "application/json"}

def request(url, token, body=None, **headers):
    return urllib.request.urlopen(urllib.request.Request(url, body, {**bearer(token), **headers}), timeout=30)

def connect(url, token):
    url, header = url.replace("http", "ws", 1), {HEADERS: bearer(token)}
    return websockets.connect(url, compression=None, ping_interval=10, close_timeout=1, **header)

def retry_after(headers): return int(value) if (value := headers.get("Retry-After", "")).isdigit() else 0

class Stopped(Exception):
    """Ends an order before it is applied."""
    def __init__(self, status, reason=None, message=""):
        self.report = {"status": status, **({"reason": reason, "message": message[:1000]} if reason else {})}

class Agent:
    def __init__(self, base, path="identity.json"):
        self.base, self.path, self.release, self.config = base, path, path + ".release", path + ".config"
        self.enroll(os.environ.pop("SERVICE_ENROLLMENT_KEY", ""))  # no shell shall see the key
        self.orders = resumed(self.kept.setdefault("orders", {}))  # by order_id: {"report": …, "acknowledged": …}
        self.spool, self.instance, self.runs = Spool(path + ".logs"), uuid.uuid4().hex, file_digest(self.release)
        self.socket, self.hash, self.wanted, self.cancelled, self.traced, self.tasks = None, None, set(), set(), set(), {}
        self.lanes = collections.defaultdict(asyncio.Lock)

    def enroll(self, key):
        """The nonce is on disk before it is sent: another try after a crash gets the same robot, not a second one."""
        self.kept = {"nonce": uuid.uuid4().hex, "name": os.uname().nodename}
        if os.path.exists(self.path): self.kept = json.load(open(self.path))
        if "robot_token" in self.kept: return
        self.keep()
        self.kept = json.load(request(self.base + "/agent/enroll", key, json.dumps(self.kept).encode()))["data"]
        self.keep()

    def keep(self): save(self.path, json.dumps(self.kept))

    async def say(self, **frame):
        """Sends a frame if there is a link. What must not be lost is on disk and is sent again on the next link."""
        with contextlib.suppress(websockets.ConnectionClosed):
            if self.socket: await self.socket.send(json.dumps(frame))

    # --- Orders: each is carried out once, and its reports are repeated until they are acknowledged.

    def unsettled(self):
        """Reports that the service has not acknowledged, and those of orders that have not ended."""
        settled = lambda order: order["acknowledged"] and order["report"]["status"] in ENDS
        return {name: order["report"] for name, order in self.orders.items() if not settled(order)}

    async def report(self, name, **report):
        for old in [each for each in self.orders if each not in self.unsettled()][:-100]: del self.orders[old]
        steps = timed(self.orders.get(name, {}).get("steps", []), report["status"])
        if name in self.traced and report["status"] in ENDS: report["steps"] = steps[-32:]
        self.orders[name] = {"report": report, "acknowledged": False, "steps": steps}
        self.keep()
        await self.say(type="report", order_id=name, **report)

    def acknowledged(self, name, status, ended):
        order = self.orders.get(name)
        if not order: return
        if ended and name not in self.tasks and order["report"]["status"] not in ENDS:
            order["report"] = Stopped("failed", "interrupted").report  # by a crash, and the service has given it up
        elif order["report"]["status"] != status: return
        order["acknowledged"] = True
        self.keep()

    def desired(self, hash, items):
        """The list is whole each time. What left it and has not begun is dropped; what has begun is finished."""
        self.hash, self.wanted = hash, {order["order_id"] for order in items}
        self.cancelled |= {order["order_id"] for order in items if order.get("cancel")}
        self.traced |= {order["order_id"] for order in items if "traceparent" in order}  # their steps are wanted
        for order in sorted(items, key=lambda order: order["sequence"]):
            name = order["order_id"]
            if name not in self.tasks: self.tasks[name] = asyncio.create_task(self.take(name, order))

    async def take(self, name, order):
        try:
            async with self.lanes[order["lane"]]:  # one order of a lane at a time
                report = self.orders.get(name, {}).get("report", {"status": None})
                if report["status"] in ENDS: await self.say(type="report", order_id=name, **report)  # an old list
                elif report["status"] or name in self.wanted: await self.carry_out(name, order, report["status"])
        finally: del self.tasks[name]

    async def carry_out(self, name, order, before):
        """Begins again if a crash interrupted the order: files are replaced in one step, so that does no harm."""
        try:
            if name in self.cancelled and before in (None, "downloading"): raise Stopped("cancelled")
            steps = {"config": self.apply_config, "release:file": self.install}.get(order["lane"])
            if not steps: raise Stopped("failed", "no_handler", "this robot cannot install " + order["lane"])
            if not before: await self.report(name, status="downloading", progress={"percent": 0})
            payload = order.get("payload") or await asyncio.to_thread(self.fetch_payload, order["digest"])
            if sha256(payload) != order["digest"]: raise Stopped("failed", "digest_mismatch", "digest of the payload")
            await steps(name, payload)
        except Stopped as end: await self.report(name, **end.report)
        except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
            await self.report(name, **Stopped("failed", "install_failed", repr(error)).report)

    def fetch_payload(self, digest):
        """A payload above 16 KiB does not come with the order."""
        return json.load(request(f"{self.base}/agent/payloads/{digest}", self.kept["robot_token"]))["data"]["payload"]

    async def install(self, name, payload):
        """Puts the file in place. The proof is the digest of what is read back from the disk."""
        release = json.loads(payload)["release"]
        wanted = release["artifact_sha256"]
        if file_digest(self.release) != wanted:
            part = await asyncio.to_thread(self.download, name, wanted, release["artifact_size"])
            await self.report(name, status="installing")
            os.replace(part, self.release)
        await self.report(name, status="verifying")
        self.runs = await asyncio.to_thread(file_digest, self.release)
        if self.runs != wanted: raise Stopped("failed", "verify_failed", "digest of the file on disk")
        await self.report(name, status="applied", digest=self.runs)

    async def apply_config(self, name, payload):
        """Sets the entries of the payload and keeps all others. The proof is for what is read back from the disk."""
        entries = config_entries(payload)
        await self.report(name, status="installing")
        everything = {**config_entries(read(self.config)), **entries}
        save(self.config, '{"config":[' + ",".join(everything.values()) + "]}")
        await self.report(name, status="verifying")
        if not entries.items() <= config_entries(read(self.config)).items():
            raise Stopped("failed", "verify_failed", "the file does not hold the values")
        await self.report(name, status="applied", digest=sha256(payload))

    def download(self, name, wanted, size):
        """Returns the path of the checked file. Continues a try that was cut; waiting for others (429) is progress."""
        part, tries, before = f"{self.release}.{wanted}.part", 0, -1
        for old in set(glob.glob(glob.escape(self.release) + ".*.part")) - {part}: os.remove(old)
        open(part, "ab").close()
        while (have := os.path.getsize(part)) < size:
            tries, before = 0 if have > before else tries + 1, have
            if tries == 10: raise Stopped("failed", "download_failed", f"{have} of {size} bytes came")
            if tries: time.sleep(min(2**tries, 30) * random.uniform(0.5, 1))
            try: self.download_rest(name, f"{self.base}/api/artifacts/{wanted}", part, have, size)
            except urllib.error.HTTPError as error:
                if error.code == 404 and tries > 1: raise Stopped("failed", "no_artifact", "the service does not have it")
                if error.code < 500 and error.code not in (404, 408, 429): raise
                if error.code == 429: before, self.orders[name]["report"]["progress"] = -1, {"percent": 100 * have // size}
                time.sleep(retry_after(error.headers))
            except (OSError, http.client.HTTPException) as error: print("download:", error, file=sys.stderr, flush=True)
        if file_digest(part) == wanted: return part
        os.remove(part)
        raise Stopped("failed", "digest_mismatch", "digest of the file")

    def download_rest(self, name, url, part, have, size):
        with request(url, self.kept["robot_token"], Range=f"bytes={have}-") as body:
            with open(part, "ab" if body.status == 206 else "wb") as file:
                while chunk := body.read(1 << 16):
                    if name in self.cancelled: raise Stopped("cancelled")
                    file.write(chunk)
                    self.orders[name]["report"]["progress"] = {"percent": min(100 * file.tell() // size, 100)}

    # --- The link.

    async def send_by_the_clock(self, heartbeat_seconds, told=""):
        """Looks 5 times a second which heartbeats, log records and reports are due."""
        every = lambda seconds: tick % (5 * seconds) == 0
        for tick in itertools.count():
            if every(60) or every(heartbeat_seconds):
                health = {"health": {"ts": now(), "cpu": {"load": os.getloadavg()}}} if every(60) else {}
                await self.say(type="heartbeat", **health, **({"desired_hash": self.hash} if self.hash else {}))
            if not self.unsettled() and not self.tasks and (told != self.runs or every(600)):
                told = self.runs
                await self.say(type="running", lanes={"release:file": told})
            for name, report in self.unsettled().items() if tick and every(30) else ():
                await self.say(type="report", order_id=name, **report)
            while some := self.spool.next():  # without waiting for the acknowledgement of those before
                numbers = {"from_seq": some[0]["seq"], "to_seq": some[-1]["seq"]}
                await self.say(type="logs", spool=self.spool.id, **numbers, records=some)
            await asyncio.sleep(0.2)

    async def dial_back(self, frame):
        refuse = lambda reason: self.say(type="refused", session_id=frame["session_id"], reason=reason)
        if frame["kind"] != "shell" or not agent_shell: return await refuse("unsupported")
        try: socket = await connect(self.base + frame["path"], frame["secret"])
        except (OSError, websockets.WebSocketException, asyncio.TimeoutError): return await refuse("failed")
        await agent_shell.serve(frame, socket)

    async def link(self, tasks):
        """One link, from hello to its end. Returns whether the service asked for the end."""
        async with connect(self.base + "/agent/ws", self.kept["robot_token"]) as self.socket:
            self.spool.begin()
            holding = [{"order_id": name, **report} for name, report in list(self.unsettled().items())[-100:]]
            boot_id = open("/proc/sys/kernel/random/boot_id").read().strip()
            able = {"logs": True, "orders": True, "kinds": ["file"], "shell": agent_shell is not None}
            await self.say(type="hello", protocol=1, agent_version="example/5", boot_id=boot_id, instance=self.instance,
                           capabilities=able, holding=holding)
            async for text in self.socket:
                frame = json.loads(text)
                kind = frame["type"]  # frames of other types are ignored: a later service may send them
                if kind == "welcome":
                    print("up as", frame["robot_name"], file=sys.stderr, flush=True)
                    tasks.append(asyncio.create_task(self.send_by_the_clock(frame["heartbeat_seconds"])))
                elif kind == "logs_skipped": self.spool.skipped(frame["spool"], frame["to_seq"])
                elif kind == "logs_ack": self.spool.acknowledged(frame["spool"], frame["seq"])
                elif kind == "desired": self.desired(frame["hash"], frame["items"])
                elif kind == "report_ack": self.acknowledged(frame["order_id"], frame["status"], frame["ended"])
                elif kind == "open": tasks.append(asyncio.create_task(self.dial_back(frame)))
                elif kind == "drain": return await asyncio.sleep(random.random() * frame["within_ms"] / 1000, True)

    async def run(self, ceiling=1):
        while True:
            began, tasks, drained, code, headers = time.monotonic(), [], False, None, {}
            try: drained = await self.link(tasks)
            except (OSError, websockets.WebSocketException, asyncio.TimeoutError, *UNREADABLE) as error:
                answer = getattr(error, "response", error)  # websockets 14 has the status there
                code, headers = getattr(answer, "status_code", getattr(error, "code", None)), getattr(answer, "headers", {})
                print(error, file=sys.stderr, flush=True)
            self.socket = None
            for task in tasks: task.cancel()  # orders go on without a link
            # A suspended org says when to come again, and a proxy that drops upgrades names the header that it wants.
            again = "Retry-After" in headers or "Upgrade" in headers
            if code in REFUSED and not again: sys.exit("refused for good")
            ceiling = 2 if drained or code == 1012 or time.monotonic() - began > 60 else min(ceiling * 2, 30)
            wait = 30 if code == 4409 else retry_after(headers)
            await asyncio.sleep(random.random() / 2 if drained else wait + ceiling * random.uniform(0.5, 1))

if __name__ == "__main__":
    for each in (signal.SIGTERM, signal.SIGINT): signal.signal(each, lambda *_: sys.exit(0))  # closes the link in order
    agent = Agent(*sys.argv[1:3])
    read_lines = lambda: [agent.spool.add(line.rstrip("\n")) for line in open(0, errors="replace")]
    threading.Thread(target=read_lines, daemon=True).start()
    asyncio.run(agent.run())
