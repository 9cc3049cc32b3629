"""Reads an event stream with Python's standard library.

Takes a request as JSON, {"method", "url", "headers", "body"}, and prints a line of JSON for the head of the response,
one for each event as it comes, and one for the end.
"""

import json
import sys
import urllib.request


def say(**what):
    print(json.dumps(what), flush=True)


def events(response):
    """Yields what the standard says a reader makes of the lines."""
    name, last_id, data = "", "", []
    for line in response:
        line = line.decode("utf-8").rstrip("\r\n")
        if not line:
            if data:
                yield name, last_id, "\n".join(data)
            name, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "id":
            last_id = value
        elif field == "data":
            data.append(value)


def main():
    wanted = json.loads(sys.argv[1])
    body = wanted["body"].encode() if wanted.get("body") else None
    request = urllib.request.Request(wanted["url"], body, wanted["headers"], method=wanted["method"])
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
        say(status=response.status, turn=response.headers["x-turn-id"])
        for name, last_id, data in events(response):
            say(event=name, id=last_id, data=data)
    say(end=True)


main()
