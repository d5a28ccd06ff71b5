#!/usr/bin/env python3
"""Checks case files and exports of Plimsoll, as docs/evidence.md describes them.

    python3 verify_evidence.py --key KEY [--keys FILE] [--head FILE]... [--tsa-ca FILE] FILE...

Written from that page alone, to show that it suffices: it shares no code with Plimsoll. Needs
Debian's python3-cryptography. Exits with 1 if a file does not hold.
"""

import argparse
import base64
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SPKI_START = bytes.fromhex("302a300506032b6570032100")
CASE = {"statement", "proof", "annex", "annexSignature", "publicKey"}
EXPORT = {"head", "fromPlace", "before", "seals", "consistency", "publicKey"}
TSA_CA = None


class Faulty(Exception):
    """A file that does not hold."""


def demand(holds, words):
    if not holds:
        raise Faulty(words)


def sha256(data):
    return hashlib.sha256(data).digest()


def node(left, right):
    return sha256(b"\x01" + left + right)


def from_base64(text):
    demand(isinstance(text, str), "a text is missing")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Faulty("base64 that is none") from error
    demand(base64.b64encode(data).decode() == text, "base64 in another spelling")
    return data


def from_json(text):
    def once(pairs):
        demand(len(dict(pairs)) == len(pairs), "a field twice")
        return dict(pairs)

    def nothing(word):
        raise Faulty(f"{word} is no JSON")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=nothing)
    except ValueError as error:
        raise Faulty("no JSON") from error


# Notes

def signed_text(note, name, key):
    """The text of a note that a key signed under a name; of a head, its first line is the name."""
    demand(isinstance(note, str) and not re.search("[\x00-\x09\x0b-\x1f]", note), "no note")
    text, gap, lines = note.rpartition("\n\n")
    demand(gap and lines.endswith("\n"), "no note")
    text += "\n"
    name = name or text.split("\n", 1)[0]
    demand(key.startswith(SPKI_START) and len(key) == len(SPKI_START) + 32, "no Ed25519 key")
    raw = key[len(SPKI_START):]
    key_id = sha256(name.encode() + b"\n\x01" + raw)[:4]
    signatures = []
    for line in lines[:-1].split("\n"):
        found = re.fullmatch(r"— ([^\s+]+) (\S+)", line)
        demand(found, "no line of a signature")
        signature = from_base64(found[2])
        if found[1] == name and signature[:4] == key_id:
            signatures.append(signature[4:])
    demand(signatures, "not signed by the key")
    for signature in signatures:
        try:
            Ed25519PublicKey.from_public_bytes(raw).verify(signature, text.encode())
        except InvalidSignature as error:
            raise Faulty("a signature that is not valid") from error
    return text


def read_head(note, key):
    found = re.fullmatch(r"(\S+)\n(0|[1-9][0-9]{0,14})\n(\S+)\n", signed_text(note, None, key))
    demand(found, "no head")
    return found[1], int(found[2]), from_hash(found[3])


def from_hash(text):
    data = from_base64(text)
    demand(len(data) == 32, "no hash")
    return data


# The tree

def below(size):
    """The largest power of two below a size."""
    return 1 << ((size - 1).bit_length() - 1)


def root_of_leaf(leaf, index, size, path):
    if size == 1:
        demand(not path, "too many hashes")
        return leaf
    demand(path, "too few hashes")
    half = below(size)
    if index < half:
        return node(root_of_leaf(leaf, index, half, path[:-1]), path[-1])
    return node(path[-1], root_of_leaf(leaf, index - half, size - half, path[:-1]))


def over(edge):
    """The root over the (width, hash) of neighbouring subtrees, each larger than the next."""
    root = edge[-1][1] if edge else sha256(b"")
    for _, left in reversed(edge[:-1]):
        root = node(left, root)
    return root


def edge_of(size, hashes):
    widths = [1 << bit for bit in range(size.bit_length() - 1, -1, -1) if size >> bit & 1]
    demand(len(widths) == len(hashes), "hashes of another number of records")
    return list(zip(widths, hashes))


def add(edge, leaf):
    edge.append((1, leaf))
    while len(edge) > 1 and edge[-1][0] == edge[-2][0]:
        (width, right), (_, left) = edge.pop(), edge.pop()
        edge.append((2 * width, node(left, right)))


def check_consistency(old_size, old_root, size, root, proof):
    rest = list(proof)

    def following():
        demand(rest, "too few hashes")
        return rest.pop(0)

    def roots(old, new, is_old):
        if old == new:
            same = old_root if is_old else following()
            return same, same
        half = below(new)
        if old <= half:
            before, now = roots(old, half, is_old)
            return before, node(now, following())
        before, now = roots(old - half, new - half, False)
        left = following()
        return node(left, before), node(left, now)

    demand(0 < old_size <= size, "records beyond the head")
    demand(roots(old_size, size, True) == (old_root, root), "the seals do not lead to the head")
    demand(not rest, "too many hashes")


# Time stamps

def openssl(*arguments):
    run = subprocess.run(["openssl", "ts", *arguments], capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else ""


def check_stamp(stamp, origin, root):
    """What openssl says of a token over the head of the size at which it was made."""
    if TSA_CA is None:
        return "stamped, not checked: see --tsa-ca"
    head = f"{origin}\n{stamp['size']}\n{base64.b64encode(root).decode()}\n".encode()
    with tempfile.NamedTemporaryFile() as token:
        token.write(from_base64(stamp["token"]))
        token.flush()
        given = ["-in", token.name, "-token_in"]
        found = re.search("^Time stamp: (.*)$", openssl("-reply", *given, "-text"), re.MULTILINE)
        demand(found, "a time stamp that cannot be read")
        parts = re.fullmatch(r"(.*?)(\.\d+)?( \d{4}) GMT", found[1])
        demand(parts, "a time stamp in another form")
        time = datetime.strptime(parts[1] + parts[3], "%b %d %H:%M:%S %Y")
        moment = int(time.replace(tzinfo=timezone.utc).timestamp())
        said = openssl("-verify", *given, "-digest", sha256(head).hex(), "-CAfile", TSA_CA,
                       "-attime", str(moment))
    demand("OK" in said, "a time stamp of another head, or another authority")
    return f"before {found[1]}, by a time stamp"


# Files

def check_case(file, key):
    file = dict(file)
    stamp = file.pop("stamp", None)
    demand(CASE <= set(file) <= CASE | {"annexPublicKey"}, "unknown or missing fields")
    demand(all(isinstance(value, str) for value in file.values()), "a field that is no text")
    found = re.fullmatch(
        r"c2sp\.org/tlog-proof@v1\nindex (0|[1-9][0-9]{0,14})\n((?:\S+\n)*)\n(.+)",
        file["proof"], re.DOTALL,
    )
    demand(found, "no proof")
    origin, size, root = read_head(found[3], key)
    index = int(found[1])
    leaf = sha256(b"\x00" + file["statement"].encode())
    demand(index < size, "a place beyond the head")
    path = [from_hash(line) for line in found[2].split("\n")[:-1]]
    demand(root_of_leaf(leaf, index, size, path) == root, "the statement is not in the tree")
    statement, annex = from_json(file["statement"]), from_json(file["annex"])
    demand(statement["place"] == index + 1, "the statement of another place")
    annex_key = from_base64(file.get("annexPublicKey", file["publicKey"]))
    text = signed_text(file["annexSignature"], origin, annex_key)
    digest = base64.b64encode(sha256(file["annex"].encode())).decode()
    demand(text == f"plimsoll annex\n{digest}\n", "the annex was changed")
    demand(from_base64(annex["leaf"]) == leaf, "the annex of another event")
    said = [f"event {statement['sequenceNumber']}, place {index + 1} of {size} in {origin}"]
    if "measured" in statement:
        said.append(f"equation: {statement['measured']['equation']}")
    if stamp is not None:
        demand(set(stamp) == {"size", "path", "token"}, "unknown or missing fields")
        demand(type(stamp["size"]) is int and index < stamp["size"], "a time stamp of another size")
        path = [from_hash(text) for text in stamp["path"]]
        stamped = root_of_leaf(leaf, index, stamp["size"], path)
        said.append(check_stamp(stamp, origin, stamped))
    return origin, {size: root}, size, said


def check_export(file, key):
    demand(EXPORT <= set(file) <= EXPORT | {"stamp"}, "unknown or missing fields")
    lists = [file["before"], file["seals"], file["consistency"]]
    demand(all(isinstance(one, list) for one in lists), "a field that is no list")
    first = file["fromPlace"]
    demand(type(first) is int and first > 0, "no place")
    before, seals, proof = ([from_hash(text) for text in one] for one in lists)
    origin, size, root = read_head(file["head"], key)
    edge = edge_of(first - 1, before)
    roots = {first - 1: over(edge)}
    for place, leaf in enumerate(seals, first):
        add(edge, leaf)
        roots[place] = over(edge)
    end = first - 1 + len(seals)
    check_consistency(end, roots[end], size, root, proof)
    roots[size] = root
    said = [f"records {first} to {end} of {size} in {origin}"]
    if "stamp" in file:
        stamp = file["stamp"]
        demand(set(stamp) == {"size", "token"}, "unknown or missing fields")
        demand(type(stamp["size"]) is int and stamp["size"] in roots, "a time stamp of another size")
        said.append(check_stamp(stamp, origin, roots[stamp["size"]]))
    return origin, roots, size, said


def check(text, trusted):
    """`trusted`: the keys, each with the times from and to which it may have signed."""
    file = from_json(text)
    demand(isinstance(file, dict), "no object")
    key = from_base64(file.get("publicKey"))
    if "statement" not in file:
        demand(key in trusted, "signed by another key")
        return check_export(file, key)
    result = check_case(file, key)
    sealed, told = (
        time_of(from_json(file[name])[field])
        for name, field in (("statement", "sealedAt"), ("annex", "generatedAt"))
    )
    annex_key = from_base64(file.get("annexPublicKey", file["publicKey"]))
    # The head was signed after the sealing, and before the file was read.
    for signed_by, earliest in ((key, sealed), (annex_key, told)):
        demand(signed_by in trusted, "signed by another key")
        begun, ended = trusted[signed_by]
        demand(begun <= told and earliest <= ended, "signed by another key")
    return result


# Keys

CLOCKS = timedelta(minutes=1)
EVER = (datetime.min.replace(tzinfo=timezone.utc), datetime.max.replace(tzinfo=timezone.utc))


def time_of(text):
    demand(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text), "no time")
    return datetime.fromisoformat(text[:-1] + "+00:00")


def check_signature(words, value, signature, key):
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    raw = from_base64(key)[len(SPKI_START):]
    text = f"{words} {sha256(canonical.encode()).hex()}"
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(from_base64(signature), text.encode())
    except (InvalidSignature, ValueError) as error:
        raise Faulty("a signature of the list of keys is not valid") from error


def check_keys(text, key):
    """The keys of a list, which must have the given one: each is vouched for by the one before."""
    answer = from_json(text)
    keys, times, before = answer["keys"], {}, None
    for each in keys:
        vouched = {"publicKey": each["publicKey"], "validFrom": each["validFrom"]}
        if before is not None:
            vouched["previous"] = before
        check_signature("plimsoll evidence key", vouched, each["signature"],
                        before or each["publicKey"])
        before = each["publicKey"]
        ended = time_of(each["validUntil"]) + CLOCKS if "validUntil" in each else EVER[1]
        times[from_base64(before)] = (time_of(each["validFrom"]) - CLOCKS, ended)
    demand("signature" in answer and keys, "the list of keys is not signed")
    check_signature("plimsoll evidence keys", keys, answer["signature"], before)
    demand(key in times, "the list of keys does not have the key")
    return times


def check_heads(result, heads, results):
    """Each head that was kept must be one history with the file: itself, or by an export."""
    origin, own, size, _ = result
    for head_origin, head_size, head_root in heads:
        demand(head_origin == origin, "the head is of another tree")
        shown = [roots for other, roots, _, _ in results if other == origin and head_size in roots]
        shown = [roots for roots in shown if size in roots]
        demand(shown, f"nothing shows that it is one history with {head_size} records")
        for roots in shown:
            demand(roots[head_size] == head_root, "another history")
            demand(roots[size] == own[size], "another history")


def kept_head(text, trusted):
    for key in trusted:
        try:
            return read_head(text, key)
        except Faulty:
            continue
    raise Faulty("a head that was kept is signed by none of the keys")


def main():
    parser = argparse.ArgumentParser(description="Checks case files and exports of Plimsoll")
    parser.add_argument("--key", required=True, help="the published key, base64")
    parser.add_argument("--keys", help="the answer of /evidence-key, where the key was replaced")
    parser.add_argument("--head", action="append", default=[], help="a signed head from earlier")
    parser.add_argument("--tsa-ca", help="certificates of the time-stamping authorities, PEM")
    parser.add_argument("file", nargs="+")
    options = parser.parse_args()
    global TSA_CA
    TSA_CA = options.tsa_ca
    key = from_base64(options.key)

    def read(path):
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()

    trusted = check_keys(read(options.keys), key) if options.keys else {key: EVER}
    heads = [kept_head(read(path), trusted) for path in options.head]
    checked, faults = {}, {}
    for path in options.file:
        try:
            checked[path] = check(read(path), trusted)
        except (Faulty, KeyError, TypeError, UnicodeError, RecursionError) as error:
            faults[path] = error
    for path, result in checked.items():
        try:
            check_heads(result, heads, checked.values())
            print(f"{path}: holds", *result[3], sep="\n  ")
        except Faulty as error:
            faults[path] = error
    for path, error in faults.items():
        print(f"{path}: does NOT hold: {error}")
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Faulty as fault:
        sys.exit(str(fault))
