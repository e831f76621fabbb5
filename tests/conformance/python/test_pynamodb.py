# SPDX-License-Identifier: Apache-2.0
"""PynamoDB: it makes its own table, then models, indexes, conditions, batches, transactions, pages."""
import os
from datetime import datetime, timezone

import pytest
from pynamodb.attributes import (ListAttribute, MapAttribute, NumberAttribute, UnicodeAttribute, UnicodeSetAttribute,
                                 UTCDateTimeAttribute, VersionAttribute)
from pynamodb.connection import Connection
from pynamodb.exceptions import PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, LocalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite

ENDPOINT = os.environ["AWS_ENDPOINT_URL"]
REGION = os.environ["AWS_REGION"]


class ByViews(LocalSecondaryIndex):
    class Meta:
        index_name = "by-views"
        projection = AllProjection()

    forum = UnicodeAttribute(hash_key=True)
    views = NumberAttribute(range_key=True)


class ByAuthor(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-author"
        projection = AllProjection()
        billing_mode = "PAY_PER_REQUEST"

    author = UnicodeAttribute(hash_key=True)
    created = UTCDateTimeAttribute(range_key=True)


class Place(MapAttribute):
    city = UnicodeAttribute()
    floor = NumberAttribute(null=True)


class Thread(Model):
    class Meta:
        table_name = "PynamoThreads"
        host = ENDPOINT
        region = REGION
        billing_mode = "PAY_PER_REQUEST"

    forum = UnicodeAttribute(hash_key=True)
    subject = UnicodeAttribute(range_key=True)
    author = UnicodeAttribute()
    created = UTCDateTimeAttribute()
    views = NumberAttribute(default=0)
    tags = UnicodeSetAttribute(null=True)
    places = ListAttribute(of=Place, null=True)
    by_views = ByViews()
    by_author = ByAuthor()


class Note(Model):
    class Meta:
        table_name = "PynamoNotes"
        host = ENDPOINT
        region = REGION
        billing_mode = "PAY_PER_REQUEST"

    note_id = UnicodeAttribute(hash_key=True)
    text = UnicodeAttribute()
    version = VersionAttribute()


@pytest.fixture(scope="module", autouse=True)
def tables():
    for model in (Thread, Note):
        model.create_table(wait=True)
    with Thread.batch_write() as batch:
        for n in range(30):
            batch.save(Thread("news", f"subject {n:02}", author="ann" if n % 2 else "bob", views=100 - n,
                              created=datetime(2026, 6, 1, n % 24, tzinfo=timezone.utc)))
    yield
    for model in (Thread, Note):
        model.delete_table()


def test_describe():
    assert Thread.exists()
    assert Thread.describe_table()["TableStatus"] == "ACTIVE"


def test_save_and_get_with_sets_lists_and_maps():
    thread = Thread("talk", "hello", author="cy", created=datetime(2026, 6, 1, tzinfo=timezone.utc), tags={"a", "b"},
                    places=[Place(city="Bonn", floor=2), Place(city="Jena")])
    thread.save()
    read = Thread.get("talk", "hello", consistent_read=True)
    assert read.to_dynamodb_dict() == thread.to_dynamodb_dict()
    with pytest.raises(Thread.DoesNotExist):
        Thread.get("talk", "absent")


def test_save_on_a_condition():
    with pytest.raises(PutError) as refused:
        Thread("news", "subject 00", author="x", created=datetime.now(timezone.utc)).save(Thread.forum.does_not_exist())
    assert refused.value.cause_response_code == "ConditionalCheckFailedException"


def test_update_actions():
    thread = Thread.get("talk", "hello")
    thread.update(actions=[Thread.views.add(5), Thread.tags.delete({"a"}), Thread.author.set("dee"),
                           Thread.places[0].floor.set(7), Thread.places[1].remove()])
    read = Thread.get("talk", "hello")
    assert (read.views, read.tags, read.author, [place.floor for place in read.places]) == (5, {"b"}, "dee", [7])
    with pytest.raises(UpdateError):
        thread.update(actions=[Thread.views.set(0)], condition=Thread.views > 100)


def test_query_ranges_and_directions():
    def subjects(*arguments, **options):
        return [thread.subject for thread in Thread.query("news", *arguments, **options)]

    assert subjects() == [f"subject {n:02}" for n in range(30)]
    assert subjects(Thread.subject.between("subject 03", "subject 05"), scan_index_forward=False) == [
        "subject 05", "subject 04", "subject 03"]
    assert subjects(Thread.subject.startswith("subject 2"), limit=3) == ["subject 20", "subject 21", "subject 22"]
    assert subjects(filter_condition=Thread.views > 98) == ["subject 00", "subject 01"]
    assert Thread.count("news") == 30


def test_local_index_sorts_by_number():
    assert [thread.views for thread in Thread.by_views.query("news", ByViews.views > 95)] == [96, 97, 98, 99, 100]


def test_global_index():
    by_bob = list(Thread.by_author.query("bob", scan_index_forward=False))
    assert len(by_bob) == 15
    assert by_bob[0].created.hour == 22


def test_pages_are_followed():
    results = Thread.query("news", page_size=7)
    assert len(list(results)) == 30
    first = Thread.query("news", limit=7, page_size=7)
    assert len(list(first)) == 7
    rest = Thread.query("news", last_evaluated_key=first.last_evaluated_key)
    assert [thread.subject for thread in rest] == [f"subject {n:02}" for n in range(7, 30)]


def test_scan_in_segments():
    seen = [thread.subject for segment in range(3) for thread in Thread.scan(segment=segment, total_segments=3)]
    assert len(seen) == len(set(seen)) == 31


def test_batch_get_in_more_than_one_request():
    keys = [("news", f"subject {n:02}") for n in range(30)] + [("news", f"absent {n}") for n in range(90)]
    assert {thread.subject for thread in Thread.batch_get(keys)} == {subject for _, subject in keys[:30]}


def test_versions_refuse_a_lost_update():
    Note("n1", text="one").save()
    mine, theirs = Note.get("n1"), Note.get("n1")
    theirs.update(actions=[Note.text.set("theirs")])
    with pytest.raises(UpdateError):
        mine.update(actions=[Note.text.set("mine")])
    assert (Note.get("n1").text, Note.get("n1").version) == ("theirs", 2)


def test_transactions():
    connection = Connection(region=REGION, host=ENDPOINT)
    with TransactWrite(connection=connection, client_request_token="token-1") as transaction:
        transaction.save(Note("n2", text="two"), condition=Note.note_id.does_not_exist())
        transaction.update(Thread("talk", "hello"), actions=[Thread.views.add(1)])
        transaction.condition_check(Thread, "news", "subject 00", condition=Thread.views == 100)
    with TransactGet(connection=connection) as transaction:
        note = transaction.get(Note, "n2")
        thread = transaction.get(Thread, "talk", "hello")
    assert (note.get().text, thread.get().views) == ("two", 6)
    with pytest.raises(TransactWriteError) as refused:
        with TransactWrite(connection=connection) as transaction:
            transaction.delete(Note("n2"), condition=Note.text == "other")
            transaction.update(Thread("talk", "hello"), actions=[Thread.views.add(1)])
    assert [reason and reason.code for reason in refused.value.cancellation_reasons] == ["ConditionalCheckFailed", None]
    assert Thread.get("talk", "hello").views == 6


def test_delete():
    thread = Thread.get("talk", "hello")
    thread.delete(condition=Thread.author == "dee")
    with pytest.raises(Thread.DoesNotExist):
        Thread.get("talk", "hello")
