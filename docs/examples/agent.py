#!/usr/bin/python3
"""An agent: enrolls, keeps a link, sends heartbeats and lines from stdin as logs, installs releases of the kind `file`, opens shells.

    some-program | SERVICE_ENROLLMENT_KEY=svc_enroll_... ./agent.py http://127.0.0.1:8080 [identity.json]

Debian: apt-get install python3-websockets (10 or newer). docs/agent-protocol.md says why it does what it does, and what it leaves out."""
import asyncio, collections, datetime, fcntl, hashlib, itertools, json, os, pty, random, signal
import struct, subprocess, sys, termios, threading, time, urllib.request, uuid, websockets

HEADERS = "extra_headers" if int(websockets.__version__.split(".")[0]) < 14 else "additional_headers"
now = lambda: datetime.datetime.now(datetime.timezone.utc).isoformat()
sha256 = lambda data: hashlib.sha256(data).hexdigest()
digest_of = lambda path: sha256(open(path, "rb").read()) if os.path.exists(path) else None
bearer = lambda token: {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
fetch = lambda url, token, body=None: urllib.request.urlopen(urllib.request.Request(url, body, bearer(token)), timeout=30).read()
connect = lambda url, token: websockets.connect(url.replace("http", "ws", 1), compression=None, ping_interval=10, **{HEADERS: bearer(token)})
speaker = lambda socket: lambda **frame: socket.send(json.dumps(frame))

def save(path, data):
    """In one step: after a crash there is the old file or the new one."""
    with open(os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        os.fsync(file.fileno())
    os.replace(path + ".new", path)

class Agent:
    def __init__(self, base, path="identity.json"):
        self.base, self.path, self.release, self.hash, self.lock = base, path, path + ".release", "", asyncio.Lock()
        self.kept = json.load(open(path)) if os.path.exists(path) else {"nonce": uuid.uuid4().hex, "name": os.uname().nodename}
        self.spool, self.waiting, key = uuid.uuid4().hex, collections.deque(maxlen=10_000), os.environ.pop("SERVICE_ENROLLMENT_KEY", "")
        if "robot_token" not in self.kept:
            save(path, body := json.dumps(self.kept).encode())  # first: another try with the nonce in it finds the same robot
            self.kept = json.loads(fetch(base + "/agent/enroll", key, body))["data"]
        self.ended = self.kept.setdefault("orders", {})  # what became of each, for good: a list on its way may still name it
        save(path, json.dumps(self.kept).encode())

    def read_logs(self):
        """Records wait in memory until they are acknowledged; so each run has a spool of its own, with numbers from 1."""
        for seq, line in enumerate(open(0, errors="replace"), 1):
            self.waiting.append({"seq": seq, "ts": now(), "level": "info", "source": "stdin", "message": line[:1000].rstrip("\n")})

    async def talk(self, say, heartbeat_seconds, sent=0):
        """A new link begins with all that was not acknowledged. 20 records of 1,000 characters, 12 bytes each as JSON, fit into a frame."""
        for tick in itertools.count():
            if tick % (5 * heartbeat_seconds) == 0:
                await say(type="heartbeat", health={"ts": now(), "cpu": {"load": os.getloadavg()}}, desired_hash=self.hash)
            while some := [record for record in list(self.waiting) if record["seq"] > sent][:20]:
                await say(type="logs", spool=self.spool, from_seq=some[0]["seq"], to_seq=(sent := some[-1]["seq"]), records=some)
            await asyncio.sleep(0.2)

    def carry_out(self, order):
        """A file is put in place in one step: to begin again after a crash does no harm. The proof is made of what is read back."""
        if order.get("cancel") or order["lane"] != "release:file":
            return {"status": "cancelled"} if order.get("cancel") else {"status": "failed", "reason": "no_handler"}
        wanted = json.loads(order["payload"])["release"]["artifact_sha256"]
        try: file = fetch(f"{self.base}/api/artifacts/{wanted}", self.kept["robot_token"])
        except OSError as error: return {"status": "failed", "reason": "no_artifact", "message": str(error)}
        if (sha256(order["payload"].encode()), sha256(file)) != (order["digest"], wanted): return {"status": "failed", "reason": "digest_mismatch"}
        save(self.release, file)
        return {"status": "applied", "digest": digest_of(self.release)}

    async def take(self, frame, say):
        async with self.lock:  # what has begun is finished; the next list waits
            for order in frame["items"]:
                if (name := order["order_id"]) not in self.ended:
                    await say(type="report", order_id=name, status="downloading")
                    self.ended[name] = await asyncio.to_thread(self.carry_out, order)
                    save(self.path, json.dumps(self.kept).encode())  # before it is told
                await say(type="report", order_id=name, **self.ended[name])
            self.hash = frame["hash"]
            await say(type="running", lanes={"release:file": digest_of(self.release)})

    async def shell(self, order, tell):
        """A terminal, joined to a socket of its own. Text frames are those of `fleet.shell.v1`; without it all is bytes."""
        if order["kind"] != "shell": return await tell(type="refused", session_id=order["session_id"], reason="unsupported")
        async with connect(self.base + order["path"], order["secret"]) as socket:
            say = speaker(socket) if "protocol" in order else lambda **frame: asyncio.sleep(0)
            start = json.loads(await socket.recv()) if "protocol" in order else order["parameters"]
            if "resume" in start or start.get("tty") is False: return await say(type="failed", reason="invalid")
            terminal, inner = pty.openpty()
            line = ["env", "TERM=" + start.get("term", "xterm"), "setsid", "--ctty", *start.get("command", [os.environ.get("SHELL", "/bin/sh")])]
            program = subprocess.Popen(line, stdin=inner, stdout=inner, stderr=inner)
            os.close(inner)
            await say(type="ready", resume_token="none", received=0, grace_seconds=0)
            typing = asyncio.create_task(self.type_into(terminal, program, socket, say, start))  # it needs somebody who holds it
            try:
                while True: await socket.send(await asyncio.to_thread(os.read, terminal, 65536))
            except (OSError, websockets.ConnectionClosed): code = await asyncio.to_thread(program.wait)  # all of its output was sent, or nobody looks
            name = signal.Signals(-code).name if code < 0 else ""
            await say(type="exit", **({"signal": name} if name else {"code": code}))
            await socket.close(1000, f"signal {name}" if name else f"exit {code}")

    async def type_into(self, terminal, program, socket, say, start, received=0):
        resize = lambda cols=80, rows=24, **_: fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0))
        resize(**start)
        try:
            async for data in socket:
                frame = json.loads(data) if isinstance(data, str) and "type" in start else {"type": "bytes"}
                if frame["type"] == "resize": resize(**frame)
                elif frame["type"] == "eof": os.write(terminal, b"\x04")
                elif frame["type"] == "bytes":
                    await asyncio.to_thread(os.write, terminal, data if isinstance(data, bytes) else data.encode())
                    await say(type="ack", bytes=(received := received + len(data)))
        finally: program.send_signal(signal.SIGHUP)  # who looked has left

    async def link(self):
        """One link, to its end."""
        async with connect(self.base + "/agent/ws", self.kept["robot_token"]) as socket:
            say, tasks = speaker(socket), []
            able = {"logs": True, "orders": True, "kinds": ["file"], "shell": True}
            holding = [{"order_id": name, **end} for name, end in list(self.ended.items())[-50:]]
            ids = {"boot_id": open("/proc/sys/kernel/random/boot_id").read().strip(), "instance": self.spool}
            await say(type="hello", protocol=1, agent_version="example-agent/3", **ids, capabilities=able, holding=holding)
            begin = lambda work: tasks.append(asyncio.create_task(work))
            try:
                async for text in socket:
                    frame = json.loads(text)  # of a type that is not known here nothing is done
                    while frame["type"] == "logs_ack" and self.waiting and self.waiting[0]["seq"] <= frame["seq"]: self.waiting.popleft()
                    if frame["type"] == "welcome":
                        print("up as", frame["robot_name"], file=sys.stderr, flush=True)
                        begin(self.talk(say, frame["heartbeat_seconds"]))
                    elif frame["type"] == "desired": begin(self.take(frame, say))
                    elif frame["type"] == "open": begin(self.shell(frame, say))
                    elif frame["type"] == "drain": return await asyncio.sleep(random.random() * frame["within_ms"] / 1000)
            finally:
                for task in tasks: task.cancel()

    async def run(self, ceiling=1):
        while True:
            began, code, headers = time.monotonic(), None, {}
            try: await self.link()
            except (OSError, ValueError, KeyError, TypeError, asyncio.TimeoutError, websockets.WebSocketException) as error:
                answer = getattr(error, "response", error)  # websockets 14 has the status there
                code, headers = getattr(answer, "status_code", getattr(error, "code", None)), getattr(answer, "headers", {})
                print(error, file=sys.stderr, flush=True)
            # Final, but for a suspended org, which says when to come again, and a proxy that lets no WebSockets through.
            if code in {401, 403, 426, 4401, 4403, 4426} and not {"Retry-After", "Upgrade"} & set(headers): sys.exit("refused for good")
            ceiling = 2 if time.monotonic() - began > 60 else min(ceiling * 2, 30)
            await asyncio.sleep(float(headers.get("Retry-After", 30 if code == 4409 else 0)) + ceiling * random.uniform(0.5, 1))

if __name__ == "__main__":
    for each in (signal.SIGTERM, signal.SIGINT): signal.signal(each, lambda *_: sys.exit(0))  # the link is closed on the way out
    agent = Agent(*sys.argv[1:3])
    threading.Thread(target=agent.read_logs, daemon=True).start()
    asyncio.run(agent.run())
