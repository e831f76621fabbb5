# SPDX-License-Identifier: Apache-2.0
"""The protocol by hand, standard library only: one connection, one call at a time."""
import http.client
import json
from urllib.parse import urlsplit

# A server without --keys takes any signature; this one is well formed and nothing more.
AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=local/20261130/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=host;x-amz-date, Signature=" + "0" * 64)


class ServiceError(Exception):
    """The service said no; `code` is the name of the exception, `body` its members."""

    def __init__(self, body):
        super().__init__(body)
        self.body = body
        self.code = body.get("__type", "").split("#")[-1]


class Connection:
    def __init__(self, endpoint, timeout=30):
        parts = urlsplit(endpoint)
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)

    def call(self, operation, **body):
        """The answer of an operation. Raises ServiceError, or OSError or HTTPException without an answer."""
        self._connection.request("POST", "/", json.dumps(body), {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": "DynamoDB_20120810." + operation,
            "X-Amz-Date": "20261130T000000Z",
            "Authorization": AUTHORIZATION,
        })
        response = self._connection.getresponse()
        answer = json.loads(response.read() or b"{}")
        if response.status != 200:
            raise ServiceError(answer)
        return answer

    def pages(self, operation, **body):
        """Every item of a Query or a Scan, page after page."""
        while True:
            answer = self.call(operation, **body)
            yield from answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            body["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def close(self):
        self._connection.close()
