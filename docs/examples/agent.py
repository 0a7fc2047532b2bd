#!/usr/bin/python3
"""A whole agent: enrolls, keeps a link, sends heartbeats with health, lines from stdin as log records, and takes config.

    some-program | SERVICE_ENROLLMENT_KEY=svc_enroll_... ./agent.py http://127.0.0.1:8080 [identity.json]

Debian: apt-get install python3-websockets (10 or newer). docs/agent-protocol.md says why it does what it does.
"""
import asyncio, collections, datetime, hashlib, inspect, json, os, random, signal, sys, threading, time, urllib.request, uuid
import websockets

FINAL = {401, 403, 426, 4401, 4403, 4426}  # the service wants no other try
NEW = "additional_headers" in inspect.signature(websockets.connect).parameters  # websockets 14 and newer
digest_of = lambda text: hashlib.sha256(text.encode()).hexdigest()
text_of = lambda path: open(path).read().strip()
now = lambda: datetime.datetime.now(datetime.timezone.utc).isoformat()

def save(path, data):
    with open(os.open(path + ".tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(data, file)
    os.replace(path + ".tmp", path)

def read(path, default=None):
    return json.loads(text_of(path)) if default is None or os.path.exists(path) else default

def call(url, token, body=None):
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    request = urllib.request.Request(url, body and json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request, timeout=30))["data"]

def identity(base, path):
    """The robot that this machine is. The nonce is kept before it is sent: a second try finds the same robot."""
    kept = read(path, {"nonce": uuid.uuid4().hex})
    if "robot_token" not in kept:
        save(path, kept)
        body = {"nonce": kept["nonce"], "name": os.uname().nodename}
        save(path, kept := call(base + "/agent/enroll", os.environ["SERVICE_ENROLLMENT_KEY"], body))
    return kept

def health():
    """What is not measured is left out, never null or 0."""
    return {"ts": now(), "uptime_s": float(text_of("/proc/uptime").split()[0]), "cpu": {"load": list(os.getloadavg())}}

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

class Orders:
    """Config orders. What became of each is on disk with the values before it is told: none is carried out twice."""

    def __init__(self, base, token, path):
        self.base, self.token, self.path, self.hash = base, token, path, ""
        self.kept = read(path, {"values": {}, "last": "", "states": {}})

    def carry_out(self, order):
        """Nothing takes effect before the file is replaced. The proof is made of what is read back from the disk."""
        if order["lane"] != "config" or order.get("cancel"):
            return {"status": "cancelled"} if order.get("cancel") else {"status": "failed", "reason": "no_handler"}
        text = order.get("payload") or call(f"{self.base}/agent/payloads/{order['digest']}", self.token)["payload"]
        if digest_of(text) != order["digest"]: return {"status": "failed", "reason": "digest_mismatch"}
        for entry in json.loads(text)["config"]:
            self.kept["values"].setdefault(entry["namespace"], {})[entry["key"]] = entry["value"]
        self.kept["last"] = text  # to the letter: numbers in values may be written otherwise
        save(self.path, self.kept)
        return {"status": "applied", "digest": digest_of(read(self.path)["last"])}

    async def take(self, frame, socket):
        for order in frame["items"]:
            if (name := order["order_id"]) not in self.kept["states"]:
                self.kept["states"][name] = await asyncio.to_thread(self.carry_out, order)
                save(self.path, self.kept)
            await socket.send(json.dumps({"type": "report", "order_id": name, **self.kept["states"][name]}))
        self.hash = frame["hash"]

async def beat(socket, seconds, orders):
    while True:
        await socket.send(json.dumps({"type": "heartbeat", "health": health(), "desired_hash": orders.hash}))
        await asyncio.sleep(seconds)

async def link(base, token, spool, orders):
    """One link, to its end."""
    headers = {"additional_headers" if NEW else "extra_headers": {"Authorization": "Bearer " + token}}
    url, tasks = base.replace("http", "ws", 1) + "/agent/ws", []
    async with websockets.connect(url, compression=None, ping_interval=10, ping_timeout=20, **headers) as socket:
        who = {"agent_version": "example-agent/2", "boot_id": text_of("/proc/sys/kernel/random/boot_id"), "instance": spool.id}
        who["holding"] = [{"order_id": name, **end} for name, end in list(orders.kept["states"].items())[-50:]]
        await socket.send(json.dumps({"type": "hello", "protocol": 1, "capabilities": {"logs": True, "orders": True}, **who}))
        try:
            async for text in socket:
                frame = json.loads(text)  # of a type that is not known here nothing is done
                if frame["type"] == "welcome":
                    print("up as", frame["robot_name"], file=sys.stderr, flush=True)
                    tasks = list(map(asyncio.create_task, (beat(socket, frame["heartbeat_seconds"], orders), spool.send(socket))))
                elif frame["type"] == "logs_ack" and frame["spool"] == spool.id:
                    while spool.waiting and spool.waiting[0]["seq"] <= frame["seq"]: spool.waiting.popleft()
                elif frame["type"] == "desired":
                    await orders.take(frame, socket)
                elif frame["type"] == "drain":
                    await asyncio.sleep(random.random() * frame["within_ms"] / 1000)
                    break
        finally:
            for task in tasks: task.cancel()

async def keep_linked(base, token, spool, orders):
    ceiling = 2
    while True:
        began, code, reason = time.monotonic(), None, "the link ended"
        try:
            await link(base, token, spool, orders)
        except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as error:
            refused = getattr(error, "response", error)  # websockets 14 has the status there
            code, reason = getattr(refused, "status_code", getattr(error, "code", None)), str(error)
        if code == 426 and "Upgrade" in refused.headers:  # not the service's
            reason = "a proxy on the way does not let WebSockets through"
        elif code in FINAL and not (code == 401 and "Retry-After" in refused.headers): sys.exit(f"refused for good: {reason}")
        ceiling = 2 if time.monotonic() - began > 60 else ceiling
        wait, ceiling = max(ceiling * random.uniform(0.5, 1), {4409: 30, 401: 60}.get(code, 0)), min(ceiling * 2, 30)
        print(f"{reason}; again in {wait:.1f} s", file=sys.stderr, flush=True)
        await asyncio.sleep(wait)

async def main(base, path="identity.json"):
    spool, loop, token = Spool(), asyncio.get_running_loop(), identity(base, path)["robot_token"]
    sys.stdin.reconfigure(errors="replace")  # what is no UTF-8 must not end the reading
    follow = lambda: [loop.call_soon_threadsafe(spool.write, line.rstrip("\n")) for line in sys.stdin]
    threading.Thread(target=follow, daemon=True).start()
    task = loop.create_task(keep_linked(base, token, spool, Orders(base, token, path + ".config")))
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, task.cancel)  # it closes the link on its way out
    await asyncio.wait([task])
    task.cancelled() or task.result()

if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
