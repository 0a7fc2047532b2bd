#!/usr/bin/env python3
"""Verifies the audit log of an org from GET /api/audit alone; docs/reference/audit-log.md says what is computed.

    SERVICE_TOKEN=svc_org_… verify_audit.py <base URL> [<folder of exported files>]
    verify_audit.py <folder of exported files> [<org id>]

Needs nothing but Python 3.8. Prints the head, <seq>:<hash>, and ends with 0; or names the first entry that does not fit, and ends with 1.
"""

import glob
import gzip
import hashlib
import json
import os
import sys
import urllib.request
from decimal import Decimal

PAGE = 1000  # entries, the most that are given at a time
RECORDED = ("seq", "hash", "exported_at", "file_sha256")  # what an entry trimAudit has of the place where the log begins


def number(value):
    """As JavaScript writes a double: the shortest digits that mean it, an exponent below 1e-6 and from 1e21 on."""
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    value = float(value)
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        text = format(Decimal(repr(value)), "f")
        return text[:-2] if text.endswith(".0") else text
    digits, _, exponent = repr(value).partition("e")
    if not exponent:  # never: Python writes an exponent from 1e16 on
        return digits
    sign = "-" if exponent.startswith("-") else "+"
    return f"{digits}e{sign}{exponent.lstrip('+-').lstrip('0')}"


def canonical(value):
    """RFC 8785: members in the order of the UTF-16 units of their names, no blanks."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(each) for each in value) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def page(base, token, after):
    """The org's id, the entries after this number, and where the log begins if older entries were exported and deleted."""
    request = urllib.request.Request(f"{base}/api/audit?limit={PAGE}&after={after}")
    request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=60) as reply:
        body = json.load(reply)
        return reply.headers["X-Service-Org-Id"], body["items"], body.get("anchor")


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            digest.update(part)
    return digest.hexdigest()


def files_of(folder, org):
    """The exported files of an org, oldest first. None: the only org whose files exist, as a manifest may name others."""
    files = []
    for path in glob.glob(f"{glob.escape(folder)}/manifest.json") + glob.glob(f"{glob.escape(folder)}/*/manifest.json"):
        with open(path, encoding="utf-8") as text:
            manifest = json.load(text)
        if manifest.get("kind") == "audit":  # not that of a backup
            files += [{**each, "path": os.path.join(os.path.dirname(path), each["name"])} for each in manifest["files"]]
    orgs = sorted({each["org_id"] for each in files if os.path.exists(each["path"])}) if org is None else [org]
    if len(orgs) > 1:
        sys.exit(f"the files are of {len(orgs)} orgs: name one of {', '.join(orgs)} after the folder")
    files = [each for each in files if each["org_id"] in orgs]
    if not files:
        sys.exit(f"{folder} has no exported audit log" + (f" of org {org}" if org else ""))
    return sorted(files, key=lambda each: (each["first_seq"], each["last_seq"]))


def exported(folder, org):
    """The last entry, and its hash, of the exported files of an org. They may overlap."""
    files = files_of(folder, org)
    first = files[0]["first_seq"]
    if first == 1 and files[0]["previous_hash"] != hashlib.sha256(files[0]["org_id"].encode()).hexdigest():
        sys.exit(f"{files[0]['path']} does not begin with the log of the org")
    seq, previous = first - 1, files[0]["previous_hash"]
    for each in files:
        path, last, current = each["path"], each["first_seq"] - 1, bytes.fromhex(each["previous_hash"])
        if last > seq:
            sys.exit(f"no file has entries {seq + 1} to {last}")
        if not os.path.exists(path) or sha256_of(path) != each["sha256"]:
            sys.exit(f"{path} is missing, or its SHA-256 is not the manifest's")
        if last == seq and current.hex() != previous:
            sys.exit(f"{path} has another entry {seq} than the files before it")
        with gzip.open(path, "rb") as lines:
            for line in lines:
                current = hashlib.sha256(current + line[:-1]).digest()
                last += 1
                if json.loads(line)["seq"] != last:
                    sys.exit(f"entry {last} is missing in {path}")
                if last == seq and current.hex() != previous:
                    sys.exit(f"{path} has another entry {seq} than the files before it")
        if (last, current.hex()) != (each["last_seq"], each["last_hash"]):
            sys.exit(f"the entries of {path} do not lead to the last hash of the manifest")
        if last > seq:
            seq, previous = last, current.hex()
    if first > 1:
        print(f"Entries 1 to {first - 1} were not verified: no file has them.", file=sys.stderr)
    return seq, bytes.fromhex(previous)


def live(base, token, folder):
    """The last entry of the log, and its hash. `folder`: None, or exported files that must lead to its beginning."""
    org, entries, anchor = page(base, token, 0)
    known = exported(folder, org) if folder else None
    seq, previous = 0, hashlib.sha256(org.encode()).digest()
    unproven = None  # an entry of the log itself must say where it begins
    while True:
        for entry in entries:
            if anchor and entry["seq"] == anchor["seq"] + 1 > seq + 1:  # also a log that is trimmed while it is read
                seq, previous, unproven = anchor["seq"], bytes.fromhex(anchor["hash"]), anchor
                print(f"the log says that entries before {seq + 1} were exported on {anchor['exported_at']} and deleted", file=sys.stderr)
                if known and known[0] < seq:
                    sys.exit(f"no file has entries {known[0] + 1} to {seq}")
                if known and known[0] == seq and known[1] != previous:
                    sys.exit(f"entry {seq} is not the one of the files")
            told = entry.pop("hash", None)
            previous = hashlib.sha256(previous + canonical(entry).encode()).digest()
            if entry["seq"] != seq + 1 or told != previous.hex():
                sys.exit(f"entry {seq + 1} is missing, or does not fit its hash")
            seq += 1
            if known and known[0] == seq and known[1] != previous:
                sys.exit(f"entry {seq} is not the one of the files")
            after = entry.get("after", {})
            if entry["operation"] == "trimAudit" and unproven and all(after.get(name) == unproven[name] for name in RECORDED):
                unproven = None
        if not entries or (not unproven and len(entries) < PAGE):
            break
        _, entries, anchor = page(base, token, seq)
    if seq == 0:
        sys.exit("the log is empty")
    if unproven:
        sys.exit(f"entries up to {unproven['seq']} are missing, and no entry records their export")
    if known and seq < known[0]:
        sys.exit(f"entry {known[0]} is missing: the log ends before it")
    return seq, previous


def main():
    if not sys.argv[1].startswith("http"):
        seq, head = exported(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
    else:
        folder = sys.argv[2] if len(sys.argv) > 2 else None
        seq, head = live(sys.argv[1].rstrip("/"), os.environ["SERVICE_TOKEN"], folder)
    print(f"{seq}:{head.hex()}")


main()
