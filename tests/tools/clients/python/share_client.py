# SPDX-License-Identifier: Apache-2.0
"""Share consumer program on librdkafka through confluent-kafka; options and output are described in ../README.md."""

import argparse
import json
import signal
import sys
import threading
import time

from confluent_kafka import AcknowledgeType, KafkaException, ShareConsumer

MODES = ("implicit", "accept", "release", "reject", "release-first", "hold")
TYPES = {"accept": AcknowledgeType.ACCEPT, "release": AcknowledgeType.RELEASE, "reject": AcknowledgeType.REJECT}
MAX_FAILURES_IN_A_ROW = 50


class Run:
    """What all consumers of the process share: counts, the stop flag and the output."""

    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.delivered = 0
        self.confirmed = 0
        self.failed = False
        self.last_record = time.monotonic()

    def print(self, events):
        if not events:
            return
        text = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
        with self.lock:
            sys.stdout.write(text)
            sys.stdout.flush()

    def count(self, delivered=0, confirmed=0):
        with self.lock:
            self.delivered += delivered
            self.confirmed += confirmed
            if delivered:
                self.last_record = time.monotonic()

    def finished(self):
        limit = self.options.max_records
        if limit and self.delivered >= limit:
            self.stop.set()
        if time.monotonic() - self.last_record > self.options.idle_ms / 1000:
            self.stop.set()
        return self.stop.is_set()


class Member:
    def __init__(self, run, number):
        self.run_state = run
        self.options = run.options
        self.number = number
        self.sent = {}
        self.failures_in_a_row = 0
        self.consumer = ShareConsumer(
            {
                "bootstrap.servers": self.options.bootstrap,
                "group.id": self.options.group,
                "client.id": f"python-{number}",
                "max.poll.records": self.options.max_poll,
                "share.acknowledgement.mode": "implicit" if self.options.mode == "implicit" else "explicit",
                **({"security.protocol": "ssl", "ssl.ca.location": self.options.ca} if self.options.ca else {}),
            }
        )
        self.consumer.set_acknowledgement_commit_callback(self.on_commit)

    def run(self):
        try:
            self.consumer.subscribe([self.options.topic])
            while not self.run_state.finished() and self.failures_in_a_row < MAX_FAILURES_IN_A_ROW:
                self.step()
            if self.failures_in_a_row >= MAX_FAILURES_IN_A_ROW:
                self.run_state.failed = True
            if self.options.mode != "hold":
                self.commit()
            self.consumer.close()
        except KafkaException as error:
            self.report(error)
            self.run_state.failed = True
        self.run_state.print([{"event": "closed", "consumer": self.number}])

    def step(self):
        try:
            messages = self.consumer.poll(timeout=0.2)
            self.failures_in_a_row = 0
        except KafkaException as error:
            self.failures_in_a_row += 1
            self.report(error)
            time.sleep(0.1)
            return
        good = []
        for message in messages:
            if message.error() is None:
                good.append(message)
            else:
                self.report(message.error())
        if good:
            self.take(good)

    def take(self, messages):
        events = []
        for message in messages:
            count = message.delivery_count() or 0
            key, value = message.key(), message.value()
            events.append(
                {
                    "event": "record",
                    "consumer": self.number,
                    "partition": message.partition(),
                    "offset": message.offset(),
                    "delivery_count": count,
                    "key": None if key is None else key.decode(),
                    "value": None if value is None else value.decode(),
                }
            )
            self.sent[message.partition(), message.offset()] = (self.type_for(count), count)
        self.run_state.print(events)
        self.run_state.count(delivered=len(messages))
        if self.options.mode == "hold":
            while not self.run_state.finished():
                time.sleep(0.05)
            return
        time.sleep(self.options.delay_ms / 1000)
        if self.options.mode == "implicit":
            return
        for message in messages:
            self.consumer.acknowledge(message, TYPES[self.sent[message.partition(), message.offset()][0]])
        self.commit()

    def type_for(self, delivery_count):
        mode = self.options.mode
        if mode in ("release", "reject"):
            return mode
        if mode == "release-first" and delivery_count <= 1:
            return "release"
        return "accept"

    def commit(self):
        try:
            self.consumer.commit_sync(timeout=30.0)
        except KafkaException as error:
            self.report(error)

    def on_commit(self, offsets, error):
        events = []
        for place, numbers in offsets.items():
            for offset in sorted(numbers):
                kind, count = self.sent.get((place.partition, offset), ("gap", 0))
                events.append(
                    {
                        "event": "acked",
                        "consumer": self.number,
                        "partition": place.partition,
                        "offset": offset,
                        "delivery_count": count,
                        "type": kind,
                        "error": None if error is None else str(error),
                    }
                )
        self.run_state.print(events)
        if error is None:
            self.run_state.count(confirmed=sum(1 for event in events if event["type"] != "gap"))

    def report(self, error):
        self.run_state.print([{"event": "error", "consumer": self.number, "error": str(error)}])


def parse_options():
    parser = argparse.ArgumentParser(prog="share-client", allow_abbrev=False)
    for name in ("bootstrap", "group", "topic"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--ca")
    parser.add_argument("--mode", choices=MODES, default="accept")
    for name, default in (("consumers", 1), ("max-records", 0), ("idle-ms", 10000), ("max-poll", 500), ("delay-ms", 0)):
        parser.add_argument("--" + name, type=int, default=default)
    return parser.parse_args()


def main():
    run = Run(parse_options())
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: run.stop.set())
    threads = []
    for number in range(run.options.consumers):
        thread = threading.Thread(target=Member(run, number).run, name=f"consumer-{number}")
        threads.append(thread)
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.2)
    run.print([{"event": "done", "records": run.delivered, "confirmed": run.confirmed}])
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
