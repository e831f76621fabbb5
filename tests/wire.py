# SPDX-License-Identifier: Apache-2.0
"""The protocol by hand, standard library only: one connection, one call at a time."""
import datetime
import hashlib
import hmac
import http.client
import json
from urllib.parse import urlsplit

REGION = "us-east-1"


def signed(headers, payload, access_key="local", secret="local", now=None):
    """The headers with a date and a signature (AWS Signature Version 4) over all of them and the payload."""
    now = now or datetime.datetime.now(datetime.timezone.utc)
    headers = headers | {"x-amz-date": now.strftime("%Y%m%dT%H%M%SZ")}
    scope = f"{now:%Y%m%d}/{REGION}/dynamodb/aws4_request"
    names = sorted(headers)
    canonical = "\n".join(["POST", "/", "", *(f"{name}:{headers[name]}" for name in names), "", ";".join(names),
                           hashlib.sha256(payload).hexdigest()])
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    signature = ("AWS4" + secret).encode()
    for part in (*scope.split("/"), text):
        signature = hmac.new(signature, part.encode(), hashlib.sha256).digest()
    return headers | {"authorization": f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, "
                                       f"SignedHeaders={';'.join(names)}, Signature={signature.hex()}"}


class ServiceError(Exception):
    """The service said no; `code` is the name of the exception, `body` its members."""

    def __init__(self, body):
        super().__init__(body)
        self.body = body
        self.code = body.get("__type", "").split("#")[-1]


class Connection:
    def __init__(self, endpoint, access_key="local", secret="local", timeout=30):
        parts = urlsplit(endpoint)
        self._host = parts.netloc
        self._credentials = (access_key, secret)
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)

    def call(self, operation, **body):
        """The answer of an operation. Raises ServiceError, or OSError or HTTPException without an answer."""
        payload = json.dumps(body).encode()
        headers = {"host": self._host, "content-type": "application/x-amz-json-1.0",
                   "x-amz-target": "DynamoDB_20120810." + operation}
        self._connection.request("POST", "/", payload, signed(headers, payload, *self._credentials))
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
