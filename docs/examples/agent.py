#!/usr/bin/python3
"""A whole agent: enrolls, keeps a link, sends heartbeats with health, and lines from stdin as log records.

    some-program | SERVICE_ENROLLMENT_KEY=svc_enroll_... ./agent.py http://127.0.0.1:8080 [identity.json]

Debian: apt-get install python3-websockets (10 or newer). docs/agent-protocol.md says why it does what it does.
"""
import asyncio, collections, datetime, inspect, json, os, random, signal, sys, threading, time, urllib.request, uuid
import websockets

FINAL = {401, 403, 426, 4401, 4403, 4426}  # the service wants no other try
NEW = "additional_headers" in inspect.signature(websockets.connect).parameters  # websockets 14 and newer
now = lambda: datetime.datetime.now(datetime.timezone.utc).isoformat()

def save(path, data):
    with open(os.open(path + ".tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(data, file)
    os.replace(path + ".tmp", path)

def identity(base, path):
    """The robot that this machine is. The nonce is kept before it is sent: a second try finds the same robot."""
    kept = json.load(open(path)) if os.path.exists(path) else {"nonce": uuid.uuid4().hex}
    if "robot_token" not in kept:
        save(path, kept)
        key, body = os.environ["SERVICE_ENROLLMENT_KEY"], {"nonce": kept["nonce"], "name": os.uname().nodename}
        headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
        request = urllib.request.Request(base + "/agent/enroll", json.dumps(body).encode(), headers)
        kept = json.load(urllib.request.urlopen(request))["data"]
        save(path, kept)
    return kept

def health():
    """What is not measured is left out, never null or 0."""
    uptime_s = float(open("/proc/uptime").read().split()[0])
    return {"ts": now(), "uptime_s": uptime_s, "cpu": {"cores": os.cpu_count(), "load": list(os.getloadavg())}}

class Spool:
    """10,000 records until they are acknowledged. It is in memory, so each run has a spool of its own, with numbers from 1."""

    def __init__(self):
        self.id, self.seq, self.waiting, self.wake = uuid.uuid4().hex, 0, collections.deque(), asyncio.Event()

    def write(self, message):
        self.seq += 1
        self.waiting.append({"seq": self.seq, "ts": now(), "level": "info", "source": "stdin", "message": message[:1000]})
        if len(self.waiting) > 10_000:  # a gap stands for the oldest two, under the number of the later one
            first, later = self.waiting.popleft(), self.waiting.popleft()
            gap = {**later, "type": "gap", "level": "warn", "reason": "quota", "dropped": first.get("dropped", 1) + 1}
            self.waiting.appendleft({**gap, "message": f"{gap['dropped']} records dropped: too many waited"})
        self.wake.set()

    async def send(self, socket, sent=0):
        """A new link begins with all that was not acknowledged. 20 records of 1,000 characters, 12 bytes each as JSON, fit into a frame."""
        while True:
            self.wake.clear()
            while records := [record for record in self.waiting if record["seq"] > sent][:20]:
                edges = {"from_seq": records[0]["seq"], "to_seq": records[-1]["seq"]}
                await socket.send(json.dumps({"type": "logs", "spool": self.id, **edges, "records": records}))
                sent = edges["to_seq"]
            await self.wake.wait()

async def beat(socket, seconds):
    while True:
        await socket.send(json.dumps({"type": "heartbeat", "health": health()}))
        await asyncio.sleep(seconds)

async def link(base, token, spool):
    """One link, to its end."""
    headers = {"additional_headers" if NEW else "extra_headers": {"Authorization": "Bearer " + token}}
    url, tasks = base.replace("http", "ws", 1) + "/agent/ws", []
    async with websockets.connect(url, compression=None, ping_interval=10, ping_timeout=20, **headers) as socket:
        who = {"agent_version": "example-agent/1", "boot_id": open("/proc/sys/kernel/random/boot_id").read().strip(), "instance": spool.id}
        await socket.send(json.dumps({"type": "hello", "protocol": 1, **who}))
        try:
            async for text in socket:
                frame = json.loads(text)  # of a type that is not known here nothing is done
                if frame["type"] == "welcome":
                    print("up as", frame["robot_name"], file=sys.stderr, flush=True)
                    tasks = [asyncio.create_task(each) for each in (beat(socket, frame["heartbeat_seconds"]), spool.send(socket))]
                elif frame["type"] == "logs_ack" and frame["spool"] == spool.id:
                    while spool.waiting and spool.waiting[0]["seq"] <= frame["seq"]:
                        spool.waiting.popleft()
                elif frame["type"] == "drain":
                    await asyncio.sleep(random.random() * frame["within_ms"] / 1000)
                    break
        finally:
            for task in tasks:
                task.cancel()

async def keep_linked(base, token, spool):
    ceiling = 2
    while True:
        began, code, reason = time.monotonic(), None, "the link ended"
        try:
            await link(base, token, spool)
        except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as error:
            refused = getattr(error, "response", error)  # websockets 14 has the status there
            code, reason = getattr(refused, "status_code", getattr(error, "code", None)), str(error)
        if code == 426 and "Upgrade" in refused.headers:  # not the service's
            reason = "a proxy on the way does not let WebSockets through"
        elif code in FINAL:
            sys.exit(f"refused for good: {reason}")
        ceiling = 2 if time.monotonic() - began > 60 else ceiling
        wait, ceiling = max(ceiling * random.uniform(0.5, 1), 30 if code == 4409 else 0), min(ceiling * 2, 30)
        print(f"{reason}; again in {wait:.1f} s", file=sys.stderr, flush=True)
        await asyncio.sleep(wait)

async def main(base, path="identity.json"):
    spool, loop = Spool(), asyncio.get_running_loop()
    sys.stdin.reconfigure(errors="replace")  # what is no UTF-8 must not end the reading
    read = lambda: [loop.call_soon_threadsafe(spool.write, line.rstrip("\n")) for line in sys.stdin]
    threading.Thread(target=read, daemon=True).start()
    task = loop.create_task(keep_linked(base, identity(base, path)["robot_token"], spool))
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, task.cancel)  # it closes the link on its way out
    await asyncio.wait([task])
    task.cancelled() or task.result()

if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
