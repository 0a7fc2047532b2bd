"""What agent.py keeps on disk: files that are replaced in one step, and log records until they are acknowledged."""
import datetime, hashlib, json, os, sqlite3, threading, uuid

STEPS = {"downloading": "download", "installing": "install", "verifying": "verify"}

def now(): return datetime.datetime.now(datetime.timezone.utc).isoformat()

def save(path, text):
    """Replaces a file in one step: after a crash there is the old file or the new one."""
    with open(os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_SYNC, 0o600), "wb") as file:
        file.write(text.encode())
    os.replace(path + ".new", path)

def timed(steps, status):
    """The steps of an order and how long each took: the last one, unless None, ends now, and that of the status begins."""
    *before, last = steps or [None]
    if last:
        took = datetime.datetime.fromisoformat(now()) - datetime.datetime.fromisoformat(last["started_at"])
        last = {**last, "duration_ms": max(0, took // datetime.timedelta(milliseconds=1))}
        before.append({**last, "failed": True} if status in ("failed", "rolled_back") else last)
    return before + ([{"step": STEPS[status], "started_at": now(), "duration_ms": 0}] if status in STEPS else [])

def resumed(orders):
    """Orders after a start. Steps that were open ended with the agent, at an unknown time, so they are left out."""
    for order in orders.values():
        if order["report"]["status"] in STEPS: order["steps"] = order.get("steps", [])[:-1] + [None]
    return orders

def file_digest(path):
    """SHA-256 of the file as it is on disk, or None if there is none."""
    if not os.path.exists(path): return None
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20): digest.update(chunk)
    return digest.hexdigest()

def read(path):
    """The text of a file, "[]" if there is none."""
    if not os.path.exists(path): return "[]"
    with open(path, "rb") as file: return file.read().decode()

def config_entries(document):
    """The entries of a config document by namespace and key, each as it is written: `1.0` must not become `1`."""
    entries, at = {}, document.index("[")
    while (at := document.find("{", at)) != -1:
        entry, end = json.JSONDecoder().raw_decode(document, at)
        entries[entry["namespace"], entry["key"]] = document[at:end]
        at = end
    return entries

class Spool:
    """Log records on disk, the newest 10,000 that are not acknowledged. SQLite never gives a number a second time."""
    def __init__(self, path):
        self.lock = threading.Lock()  # one thread reads the lines, another one sends them
        self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.run("PRAGMA journal_mode = WAL")
        self.run("PRAGMA synchronous = NORMAL")  # kill -9 loses nothing, a power cut may lose the newest records
        self.run("CREATE TABLE IF NOT EXISTS spool (row INTEGER PRIMARY KEY, id TEXT)")
        self.run("CREATE TABLE IF NOT EXISTS record (seq INTEGER PRIMARY KEY AUTOINCREMENT, ts TEXT, message TEXT)")
        if not self.run("SELECT id FROM spool"): self.renew()
        self.id, self.sent, self.sent_before = self.run("SELECT id FROM spool")[0][0], 0, self.last()

    def run(self, statement, *values):
        with self.lock: return self.database.execute(statement, values).fetchall()

    def last(self): return self.run("SELECT coalesce(max(seq), 0) FROM sqlite_sequence")[0][0]

    def add(self, message):
        self.run("INSERT INTO record (ts, message) VALUES (?, ?)", now(), message[:1000])
        self.run("DELETE FROM record WHERE seq <= (SELECT max(seq) FROM record) - 10000")

    def begin(self):
        """A link begins: everything that is not acknowledged is sent again."""
        self.sent, self.sent_before = 0, max(self.sent, self.sent_before)

    def next(self):
        """The next 20 records: they fit into a frame even at 12 bytes a character."""
        rows = self.run("SELECT seq, ts, message FROM record WHERE seq > ? ORDER BY seq LIMIT 20", self.sent)
        if rows: self.sent = rows[-1][0]
        return [{"seq": seq, "ts": ts, "level": "info", "source": "stdin", "message": text} for seq, ts, text in rows]

    def acknowledged(self, spool, seq):
        if spool == self.id and seq > self.last(): self.renew()
        elif spool == self.id: self.run("DELETE FROM record WHERE seq <= ?", seq)

    def skipped(self, spool, to_seq):
        """What was sent on an earlier link is stored. If these records were sent for the first time, they are not."""
        if spool == self.id and to_seq > self.sent_before: self.renew()

    def renew(self):
        """The service has other records under these numbers, as after a restored backup: send ours under another ID."""
        self.id, self.sent, self.sent_before = uuid.uuid4().hex, 0, 0
        self.run("INSERT OR REPLACE INTO spool VALUES (1, ?)", self.id)
