#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests model.py and model_diff.py: what differs is found, and named by its place."""
import unittest

from model import check_reply, reply_members, sdk_operations
from model_diff import compare, error_faults

SHAPES = {
    "In": {"type": "structure", "required": ["Name"], "members": {"Name": "Name", "Mode": "Mode", "Tags": "Tags"}},
    "Name": {"type": "string", "min": 3, "max": 255, "pattern": "[a-z]+"},
    "Mode": {"type": "string", "enum": ["A", "B"]},
    "Tags": {"type": "list", "member": "Name", "max": 5},
    "Out": {"type": "structure", "required": ["Count"], "members": {"Count": "Count", "Items": "Items", "Mode": "Mode"}},
    "Count": {"type": "integer"},
    "Items": {"type": "map", "key": "Name", "value": "AttributeValue"},
    "AttributeValue": {"type": "structure", "members": {"S": "Name", "N": "Name"}},
}


def ours(**changes):
    """Our shape of In, as print_model shows it, with changes of its members."""
    name = {"kind": "string", "name": "Name", "min": 3, "max": 255, "pattern": "[a-z]+"}
    members = {
        "Name": {"required": True, "shape": name},
        "Mode": {"required": False, "shape": {"kind": "string", "name": "Mode", "values": ["B", "A"]}},
        "Tags": {"required": False, "shape": {"kind": "list", "name": "Tags", "max": 5, "element": name}},
    }
    return {"kind": "structure", "name": "In", "members": {**members, **changes}}


class ModelDiff(unittest.TestCase):
    def places(self, shape):
        return {path for path, _ in compare(SHAPES, "In", shape, "input")}

    def test_equal_shapes_do_not_differ(self):
        self.assertEqual(self.places(ours()), set())

    def test_names_every_difference(self):
        def name(**more):
            return {"required": True, "shape": {"kind": "string", "name": "Name", "min": 3, "max": 255, "pattern": "[a-z]+", **more}}

        lacking = ours()
        del lacking["members"]["Mode"]
        cases = [
            (lacking, "input.Mode member"),
            (ours(More=name()), "input.More member"),
            (ours(Name={**name(), "required": False}), "input.Name required"),
            (ours(Name=name(max=256)), "input.Name max"),
            (ours(Name=name(min=0)), "input.Name min"),
            (ours(Name=name(pattern=".*")), "input.Name pattern"),
            (ours(Name=name(kind="integer")), "input.Name type"),
            (ours(Mode={"required": False, "shape": {"kind": "string", "name": "Mode", "values": ["A"]}}), "input.Mode enum"),
            (ours(Tags={"required": False, "shape": {"kind": "list", "name": "Tags", "max": 5, "element": name(max=9)["shape"]}}),
             "input.Tags[] max"),
            ({**ours(), "name": "Other"}, "input name"),
        ]
        for shape, place in cases:
            with self.subTest(place):
                self.assertEqual(self.places(shape), {place})

    def test_finds_errors_that_clients_would_not_know(self):
        def faults(name, member):
            error = {"type": f"com.amazonaws.dynamodb.v20120810#{name}", "message_member": member}
            return list(error_faults([error], sdk_operations()))

        self.assertEqual(faults("ResourceNotFoundException", "message"), [])
        self.assertEqual(len(faults("ResourceNotFoundException", "Message")), 1)
        self.assertEqual(len(faults("NoSuchException", "message")), 1)


class Replies(unittest.TestCase):
    def faults(self, reply):
        return list(check_reply(SHAPES, "Out", reply, "Out", set()))

    def test_a_reply_that_fits_has_no_faults_and_leaves_its_members(self):
        seen = set()
        self.assertEqual(list(check_reply(SHAPES, "Out", {"Count": 1, "Items": {"a": {"S": "x"}}}, "Out", seen)), [])
        self.assertEqual(seen, {("Out", "Count"), ("Out", "Items")})

    def test_finds_what_does_not_fit(self):
        for reply in ({}, {"Count": "1"}, {"Count": True}, {"Count": 1, "More": 1}, {"Count": 1, "Mode": "C"},
                      {"Count": 1, "Items": []}, {"Count": 1, "Items": {"a": {"X": "x"}}}, {"Count": 1, "Items": {"a": {}}}):
            with self.subTest(reply):
                self.assertEqual(len(self.faults(reply)), 1)

    def test_what_is_left_out_hides_all_below(self):
        operation = sdk_operations()["DescribeTable"]
        whole = reply_members([operation], set(), {})
        self.assertIn(("ReplicaDescription", "RegionName"), whole)
        less = reply_members([operation], set(), {"TableDescription.Replicas": None})
        self.assertNotIn(("ReplicaDescription", "RegionName"), less)
        self.assertIn(("TableDescription", "TableName"), less)


if __name__ == "__main__":
    unittest.main()
