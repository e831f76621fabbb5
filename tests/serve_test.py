#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program itself, once over each of its lists: the API, the studio's calls, its page, the metrics.

What is wired together only in the program is tested here, and runs with the fast tests.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from server import BINARY, ROOT, Server, memory_server  # noqa: E402


def ask(url, body=None, **headers):
    """(status, text) of a GET, or of a POST with a body."""
    request = urllib.request.Request(url, data=None if body is None else json.dumps(body).encode(),
                                     headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class TheProgram(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.running = memory_server()
        cls.endpoint = cls.running.__enter__().endpoint

    @classmethod
    def tearDownClass(cls):
        cls.running.__exit__(None, None, None)

    def call(self, operation, body):
        return ask(self.endpoint, body, X_Amz_Target=f"DynamoDB_20120810.{operation}",
                   Content_Type="application/x-amz-json-1.0")

    def studio(self, name, body):
        return ask(f"{self.endpoint}/studio/v1/{name}", body, Content_Type="application/json", Origin=self.endpoint)

    def test_answers_reads_writes_and_control(self):
        self.assertEqual(self.call("ListTables", {}), (200, '{"TableNames":[]}'))
        self.assertEqual(self.call("GetItem", {"TableName": "absent", "Key": {"id": {"S": "a"}}})[0], 400)
        self.assertEqual(self.call("ExecuteStatement", {"Statement": 'SELECT * FROM "absent"'})[0], 400)
        status, text = self.call("NoSuchThing", {})
        self.assertEqual(status, 400)
        self.assertIn("UnknownOperationException", text)

    def test_answers_the_studio(self):
        status, text = self.studio("cost-write", {"bytes": 1025})
        self.assertEqual((status, json.loads(text)["units"]), (200, 2))
        status, text = self.studio("check", {"model": "model: x"})
        self.assertEqual((status, json.loads(text)["sound"]), (200, False))
        self.assertEqual(self.studio("nothing", {})[0], 400)

    def test_serves_the_page_and_the_health_text(self):
        status, text = ask(self.endpoint, Accept="text/html")
        self.assertEqual(status, 200)
        self.assertIn("<title>Keywright</title>", text)
        self.assertIn("healthy", ask(self.endpoint)[1])
        self.assertEqual(ask(f"{self.endpoint}/assets/nothing.js", Accept="*/*")[0], 404)

    def test_counts(self):
        self.call("ListTables", {})
        self.assertIn('operation="ListTables"', ask(f"{self.endpoint}/metrics")[1])


class AProofElsewhere(unittest.TestCase):
    """`keywright prove --endpoint` through a real socket, signed."""

    def prove(self, endpoint, secret):
        environment = {**os.environ, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": secret}
        return subprocess.run([BINARY, "prove", ROOT / "examples/leaderboard.kw.yaml", "--endpoint", endpoint,
                               "--asks", "3", "--no-mutants", "--json"],
                              capture_output=True, text=True, env=environment, timeout=300, check=False)

    def test_holds_with_the_right_key_only(self):
        with tempfile.NamedTemporaryFile("w", suffix=".keys") as keys:
            keys.write("AKIDEXAMPLE right\n")
            keys.flush()
            with Server("--memory", "--keys", keys.name) as server:
                proved = self.prove(server.endpoint, "right")
                self.assertEqual(proved.returncode, 0, proved.stdout + proved.stderr)
                self.assertTrue(json.loads(proved.stdout)["holds"])
                refused = self.prove(server.endpoint, "wrong")
                self.assertEqual(refused.returncode, 3)
                self.assertIn("InvalidSignatureException", refused.stderr)


if __name__ == "__main__":
    unittest.main()
