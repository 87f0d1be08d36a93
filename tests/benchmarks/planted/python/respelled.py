"""A newsletter service: the same kinds of slips in other words."""

import asyncio
import contextlib
import pickle
import queue
import random as rnd
import sqlite3
import subprocess as sp
import urllib.request
from datetime import UTC, datetime as dt
from pathlib import Path
from threading import RLock
from time import sleep

from requests import Session


class TemplateMissing(Exception):
    """There is no such template."""


class Settings:
    def restore(self, blob_path):
        """Read what the last session left."""
        blob = Path(blob_path).read_bytes()
        return pickle.loads(blob)

    def template(self, name):
        """The text of a template."""
        location = Path("templates") / name
        try:
            return location.read_text(encoding="utf-8")
        except Exception as problem:
            raise TemplateMissing("no template of this name") from problem


class Subscribers:
    def __init__(self, file):
        self.db = sqlite3.connect(file)
        self.guard = RLock()
        self.paused = False
        self.pending = queue.Queue()

    def count_in(self, country, *, table="subscriber"):
        """How many live in the country."""
        cursor = self.db.cursor()
        clause = "country = '%s'" % country
        statement = "SELECT COUNT(*) FROM subscriber WHERE " + clause
        cursor.execute(
            statement,
        )
        return cursor.fetchone()[0]

    def rename(self, old, new):
        """Give a subscriber another address."""
        guard = self.guard
        guard.acquire()
        for row in self.db.execute("SELECT id FROM subscriber WHERE mail = ?", (old,)):
            if row[0] is None:
                raise KeyError(old)
            self.db.execute("UPDATE subscriber SET mail = ? WHERE id = ?", (new, row[0]))
        guard.release()

    async def rebuild(self, fetch):
        """Fetch all subscribers anew; sending waits meanwhile."""
        previous = self.paused
        self.paused = True
        rows = await fetch()
        for row in rows:
            self.pending.put_nowait(row)
        self.paused = previous

    def forget(self, mails):
        """Take out those who left."""
        for position in range(len(mails)):
            if mails[position].endswith(".invalid"):
                mails.pop(position)
        return mails


class Campaign:
    def __init__(self, subject, receivers={}):
        self.subject = subject
        self.receivers = receivers
        self.rates = []

    def add(self, mail, name):
        """One more receiver."""
        self.receivers[mail] = name

    def opening_rate(self):
        """The mean rate."""
        total = 0.0
        for rate in self.rates:
            total += rate
        size = len(self.rates)
        return total / size

    def due(self, at_text):
        """Whether the moment of sending has come."""
        moment = dt.fromisoformat(at_text).replace(tzinfo=UTC)
        now = dt.now()
        return now >= moment


class Mailer:
    def __init__(self, base):
        self.session = Session()
        self.base = base

    def deliver(self, mail):
        """Hand one mail over."""
        answer = self.session.request(
            method="PUT",
            url=f"{self.base}/mails",
            data=mail,
        )
        answer.raise_for_status()

    def deliver_stubbornly(self, mail):
        """Hand over, however long it takes."""
        done = False
        while not done:
            try:
                self.deliver(mail)
                done = True
            except OSError:
                sleep(1)

    def deliver_all(self, mails):
        """Hand over all."""
        for mail in mails:
            with contextlib.suppress(Exception):
                self.deliver(mail)

    def preview(self, page, browser="firefox"):
        """Show the page to the author."""
        return sp.Popen(
            f"{browser} --new-window {page}",
            stdout=sp.DEVNULL,
            shell=True,
        )


def unsubscribe_token(length=20):
    """The secret in the link at the foot of a mail."""
    generator = rnd.Random()
    letters = "abcdefghijklmnopqrstuvwxyz"
    token = ""
    while len(token) < length:
        token += letters[generator.randrange(len(letters))]
    return token


def widths(theme):
    """The widths of the three columns."""
    result = {}
    for left_part in theme.left:
        result[left_part.name] = left_part.width
    for middle_part in theme.middle:
        result[middle_part.name] = middle_part.width
    for right_part in theme.right:
        result[right_part.name] = middle_part.width
    return result


async def first_line(path):
    """The headline of an article."""
    loop = asyncio.get_running_loop()

    def read():
        handle = Path(path).open(encoding="utf-8")
        line = handle.readline()
        if not line:
            raise ValueError("empty article")
        handle.close()
        return line

    return await loop.run_in_executor(None, read)


def logo(address):
    """The picture at the head of a mail."""
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read()
# socreates: ignore-file  the faults are planted
