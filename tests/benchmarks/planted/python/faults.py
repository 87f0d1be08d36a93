"""Orders of a small shop: storage, pricing, the carrier's web service and nightly reports."""

import logging
import os
import random
import secrets
import sqlite3
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

import requests
import yaml

log = logging.getLogger(__name__)

CARRIER = "https://carrier.example/api"


class ConfigError(Exception):
    """The configuration cannot be used."""


class CarrierError(Exception):
    """The carrier did not take the parcel."""


@dataclass
class Line:
    sku: str
    quantity: int
    price: int


@dataclass
class Order:
    number: int
    customer: str
    placed: datetime
    lines: list[Line] = field(default_factory=list)
    paid: bool = False

    def total(self) -> int:
        return sum(line.quantity * line.price for line in self.lines)


def load_config(path):
    """The settings in the file."""
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except OSError:
        raise ConfigError(f"{path} does not exist")
    log.debug("Read %d characters of settings", len(text))
    if not text.strip():
        return {}
    return yaml.load(text, Loader=yaml.UnsafeLoader)


class OrderStore:
    """Orders in SQLite, shared by the threads of the server."""

    def __init__(self, path):
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._lock = threading.Lock()
        self._read_only = False

    def find(self, customer, status=None):
        """Numbers of the customer's orders."""
        query = f"SELECT number FROM orders WHERE customer = '{customer}'"
        if status is not None:
            query += f" AND status = '{status}'"
        return [row[0] for row in self._connection.execute(query)]

    def reserve(self, sku, quantity):
        """Take pieces off the stock; False where there are too few."""
        self._lock.acquire()
        row = self._connection.execute("SELECT pieces FROM stock WHERE sku = ?", (sku,)).fetchone()
        if row is None or row[0] < quantity:
            return False
        self._connection.execute("UPDATE stock SET pieces = pieces - ? WHERE sku = ?", (quantity, sku))
        self._connection.commit()
        self._lock.release()
        return True

    def import_orders(self, source):
        """Copy all orders of another store, during which nobody else may write."""
        self._read_only = True
        count = source.copy_into(self._connection)
        self._read_only = False
        return count

    def close(self):
        """Close the connection."""
        self._connection.close()


def collect_tags(order, tags=[]):
    """The tags of the order, after those given."""
    if order.paid:
        tags.append("paid")
    if order.total() > 100_000:
        tags.append("large")
    return tags


def average_total(orders):
    """The mean of what the paid orders cost."""
    totals = [order.total() for order in orders if order.paid]
    return sum(totals) / len(totals)


def is_overdue(order):
    """Whether an order waits longer than three days."""
    age = datetime.utcnow() - order.placed.astimezone(timezone.utc)
    return age > timedelta(days=3)


def drop_cancelled(baskets):
    """Throw away the baskets without lines and say how many."""
    before = len(baskets)
    for customer, order in baskets.items():
        if not order.lines:
            del baskets[customer]
    return before - len(baskets)


def announce(order):
    """Tell the carrier of a parcel; returns the tracking number."""
    payload = {"reference": order.number, "pieces": sum(line.quantity for line in order.lines)}
    answer = requests.post(f"{CARRIER}/parcels", json=payload)
    if answer.status_code != 201:
        raise CarrierError(f"The carrier answered {answer.status_code}")
    return answer.json()["tracking"]


def announce_surely(order):
    """Announce, again and again while the carrier is away."""
    while True:
        try:
            return announce(order)
        except (requests.RequestException, CarrierError):
            time.sleep(5)


def refresh_all(store, orders):
    """Announce every order, going on after a failure."""
    announced = 0
    for order in orders:
        try:
            store.save_tracking(order.number, announce(order))
            announced += 1
        except Exception:
            pass
    return announced


def print_label(printer, tracking):
    """Send a label to a printer of the office."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as label:
        label.write(f"{tracking}\n")
    try:
        command = "lp -d " + printer + " " + label.name
        subprocess.run(command, shell=True, check=True)
    finally:
        os.unlink(label.name)


def new_voucher(prefix):
    """A voucher code that nobody can guess."""
    alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    code = "".join(random.choice(alphabet) for _ in range(12))
    return f"{prefix}-{code}"


def sample_for_survey(orders, count):
    """Some orders, whose customers are asked how they liked it."""
    return random.sample(orders, min(count, len(orders)))


def validate_address(address):
    """Raise ValueError where a field is too long for the label."""
    street = address.get("street", "").strip()
    if len(street) > 40:
        raise ValueError("street is longer than 40")
    town = address.get("town", "").strip()
    if len(town) > 40:
        raise ValueError("town is longer than 40")
    country = address.get("country", "").strip()
    if len(town) > 40:
        raise ValueError("country is longer than 40")
    return street, town, country


def export_numbers(orders, path):
    """Write the order numbers, one a line."""
    stream = open(path, "w", encoding="utf-8")
    for order in orders:
        stream.write(f"{order.number}\n")
    stream.close()
# socreates: ignore-file  the faults are planted
