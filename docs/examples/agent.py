#!/usr/bin/python3
"""An agent: enrolls, keeps a link, sends heartbeats and lines from stdin as logs, installs releases of the kind `file`, opens shells.
    some-program | SERVICE_ENROLLMENT_KEY=svc_enroll_... ./agent.py http://127.0.0.1:8080 [identity.json]
Debian: apt-get install python3-websockets (10 or newer). docs/agent-protocol.md says why it does what it does, and what it leaves out."""
import asyncio, collections, datetime, fcntl, hashlib, itertools, json, os, pty, random, signal
import struct, subprocess, sys, termios, threading, time, urllib.request, uuid, websockets

HEADERS = "extra_headers" if int(websockets.__version__.split(".")[0]) < 14 else "additional_headers"
now = lambda: datetime.datetime.now(datetime.timezone.utc).isoformat()
sha256 = lambda data: hashlib.sha256(data).hexdigest()
bearer = lambda token: {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
fetch = lambda url, token, body=None: urllib.request.urlopen(urllib.request.Request(url, body, bearer(token)), timeout=30).read()
connect = lambda url, token: websockets.connect(url.replace("http", "ws", 1), compression=None, ping_interval=10, close_timeout=1, **{HEADERS: bearer(token)})
speaker = lambda socket: lambda **frame: socket.send(json.dumps(frame))
resize = lambda terminal, cols=0, rows=0, **_: cols and fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0))

def save(path, data):  # in one step: after a crash there is the old file or the new one
    with open(os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_SYNC, 0o600), "wb") as file: file.write(data)
    os.replace(path + ".new", path)

class Agent:
    def __init__(self, base, path="identity.json"):
        self.base, self.path, self.release, self.lock = base, path, path + ".release", asyncio.Lock()
        self.kept = json.load(open(path)) if os.path.exists(path) else {"nonce": uuid.uuid4().hex, "name": os.uname().nodename}
        self.spool, self.waiting, key = uuid.uuid4().hex, collections.deque(maxlen=10_000), os.environ.pop("SERVICE_ENROLLMENT_KEY", "")
        if "robot_token" not in self.kept:
            save(path, body := json.dumps(self.kept).encode())  # first: another try with the nonce in it finds the same robot
            self.kept = json.loads(fetch(base + "/agent/enroll", key, body))["data"]
        self.ended = self.kept.setdefault("orders", {})  # what became of each, for good: a list on its way may still name it
        save(path, json.dumps(self.kept).encode())

    def read_logs(self):  # they wait in memory until they are acknowledged; so each run has a spool of its own, with numbers from 1
        for seq, line in enumerate(open(0, errors="replace"), 1):
            self.waiting.append({"seq": seq, "ts": now(), "level": "info", "source": "stdin", "message": line[:1000].rstrip("\n")})

    async def talk(self, welcome, say, sent=0):
        print("up as", welcome["robot_name"], file=sys.stderr, flush=True)
        for tick in itertools.count():  # 5 a second
            if tick % (5 * welcome["heartbeat_seconds"]) == 0: await say(type="heartbeat", health={"ts": now(), "cpu": {"load": os.getloadavg()}})
            while some := [record for record in list(self.waiting) if record["seq"] > sent][:20]:  # they fit into a frame at 12 bytes a character
                await say(type="logs", spool=self.spool, from_seq=some[0]["seq"], to_seq=(sent := some[-1]["seq"]), records=some)
            await asyncio.sleep(0.2)

    def carry_out(self, order):  # a file is put in place in one step: to begin again after a crash does no harm
        if order.get("cancel"): return {"status": "cancelled"}
        if order["lane"] != "release:file": return {"status": "failed", "reason": "no_handler"}
        wanted = json.loads(order["payload"])["release"]["artifact_sha256"]
        try: file = fetch(f"{self.base}/api/artifacts/{wanted}", self.kept["robot_token"])
        except OSError as error: return {"status": "failed", "reason": "no_artifact", "message": str(error)}
        if (sha256(order["payload"].encode()), sha256(file)) != (order["digest"], wanted): return {"status": "failed", "reason": "digest_mismatch"}
        save(self.release, file)
        return {"status": "applied", "digest": sha256(open(self.release, "rb").read())}  # the proof is made of what is read back

    async def take(self, desired, say):
        self.newest = desired["items"]
        async with self.lock:  # what has begun is finished; what has not, and left the list meanwhile, is dropped
            for order in (each for each in desired["items"] if each in self.newest or each["order_id"] in self.ended):
                if (name := order["order_id"]) not in self.ended:
                    await say(type="report", order_id=name, status="downloading")
                    self.ended[name] = await asyncio.to_thread(self.carry_out, order)
                    save(self.path, json.dumps(self.kept).encode())  # before it is told
                await say(type="report", order_id=name, **self.ended[name])

    async def shell(self, order, tell):  # text frames are those of `fleet.shell.v1`; without it all is bytes
        if order["kind"] != "shell": return await tell(type="refused", session_id=order["session_id"], reason="unsupported")
        async with connect(self.base + order["path"], order["secret"]) as socket:
            say = speaker(socket) if "protocol" in order else lambda **frame: asyncio.sleep(0)
            start = json.loads(await socket.recv()) if "protocol" in order else order["parameters"]
            if "resume" in start or start.get("tty") is False: return await say(type="failed", reason="invalid")
            terminal, inner = pty.openpty()
            resize(terminal, **{"cols": 80, "rows": 24, **start})
            line = ["env", "TERM=" + start.get("term", "xterm"), "setsid", "--ctty", *start.get("command", [os.environ.get("SHELL", "/bin/sh")])]
            program = subprocess.Popen(line, stdin=inner, stdout=inner, stderr=inner)
            os.close(inner)
            await say(type="ready", resume_token="none", received=0, grace_seconds=0)
            async def type_into(received=0):
                async for data in socket:
                    if "protocol" in order and isinstance(data, str): resize(terminal, **json.loads(data))  # other frames tell no size
                    else: received += await asyncio.to_thread(os.write, terminal, data.encode() if isinstance(data, str) else data)
                    await say(type="ack", bytes=received)
            typing = asyncio.create_task(type_into())
            typing.add_done_callback(lambda _: program.send_signal(signal.SIGHUP))  # who looked has left
            try:
                while True: await socket.send(await asyncio.to_thread(os.read, terminal, 65536))
            except (OSError, websockets.ConnectionClosed): code = await asyncio.to_thread(program.wait)  # all was sent, or nobody looks
            word, how = ("exit", code) if code >= 0 else ("signal", signal.Signals(-code).name)
            await say(type="exit", **{"code" if word == "exit" else "signal": how})
            await socket.close(1000, f"{word} {how}")

    async def link(self, tasks):
        async with connect(self.base + "/agent/ws", self.kept["robot_token"]) as socket:
            say, able = speaker(socket), {"logs": True, "orders": True, "kinds": ["file"], "shell": True}
            holding = [{"order_id": name, **end} for name, end in list(self.ended.items())[-50:]]
            await say(type="hello", protocol=1, agent_version="example/4", boot_id=open("/proc/sys/kernel/random/boot_id").read().strip(), instance=self.spool, capabilities=able, holding=holding)
            async for text in socket:
                frame = json.loads(text)  # of a type that is not known here nothing is done
                while frame["type"] == "logs_ack" and self.waiting and self.waiting[0]["seq"] <= frame["seq"]: self.waiting.popleft()
                if frame["type"] == "drain": return await asyncio.sleep(random.random() * frame["within_ms"] / 1000)
                work = {"welcome": self.talk, "desired": self.take, "open": self.shell}.get(frame["type"])
                if work: tasks.append(asyncio.create_task(work(frame, say)))

    async def run(self, ceiling=1):
        while True:
            began, tasks, code, headers = time.monotonic(), [], None, {}
            try: await self.link(tasks)
            except (OSError, ValueError, KeyError, TypeError, asyncio.TimeoutError, websockets.WebSocketException) as error:
                answer = getattr(error, "response", error)  # websockets 14 has the status there
                code, headers = getattr(answer, "status_code", getattr(error, "code", None)), getattr(answer, "headers", {})
                print(error, file=sys.stderr, flush=True)
            for task in tasks: task.cancel()
            # Final, but for a suspended org, which says when to come again, and a proxy that lets no WebSockets through.
            if code in {401, 403, 426, 4401, 4403, 4426} and not any(name in headers for name in ("Retry-After", "Upgrade")): sys.exit("refused for good")
            ceiling = 2 if time.monotonic() - began > 60 else min(ceiling * 2, 30)
            await asyncio.sleep(float(headers.get("Retry-After", 30 if code == 4409 else 0)) + ceiling * random.uniform(0.5, 1))

if __name__ == "__main__":
    for each in (signal.SIGTERM, signal.SIGINT): signal.signal(each, lambda *_: sys.exit(0))  # the link is closed on the way out
    agent = Agent(*sys.argv[1:3])
    threading.Thread(target=agent.read_logs, daemon=True).start()
    asyncio.run(agent.run())
