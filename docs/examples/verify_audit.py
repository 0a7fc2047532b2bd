#!/usr/bin/env python3
"""Verifies the audit log of an org from GET /api/audit alone; docs/reference/audit-log.md says what is computed.

    SERVICE_TOKEN=svc_org_… verify_audit.py <base URL>

Needs nothing but Python 3.8. Prints the head, <seq>:<hash>, and ends with 0; or names the first entry that does not fit, and ends with 1.
"""

import hashlib
import json
import os
import sys
import urllib.request
from decimal import Decimal

PAGE = 1000  # entries, the most that are given at a time


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
    """The org's id and the entries after this number."""
    request = urllib.request.Request(f"{base}/api/audit?limit={PAGE}&after={after}")
    request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=60) as reply:
        return reply.headers["X-Service-Org-Id"], json.load(reply)["items"]


def main():
    base, token = sys.argv[1].rstrip("/"), os.environ["SERVICE_TOKEN"]
    seq, previous = 0, None
    while True:
        org, entries = page(base, token, seq)
        if previous is None:
            previous = hashlib.sha256(org.encode()).digest()
        for entry in entries:
            told = entry.pop("hash", None)
            previous = hashlib.sha256(previous + canonical(entry).encode()).digest()
            if entry["seq"] != seq + 1 or told != previous.hex():
                sys.exit(f"entry {seq + 1} is missing, or does not fit its hash")
            seq += 1
        if len(entries) < PAGE:
            break
    if seq == 0:
        sys.exit("the log is empty")
    print(f"{seq}:{previous.hex()}")


main()
