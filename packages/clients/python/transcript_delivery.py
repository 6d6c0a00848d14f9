"""Client of the Transcript Delivery Service: one module on the standard library, for Python 3.9 or newer.

    client = Transcripts(api_key, base_url)         # or TRANSCRIPTS_API_KEY and TRANSCRIPTS_BASE_URL
    print(client.transcripts.get("manualEn001", format="srt")["text"])
    job = client.jobs.create(input="@handle", newest=50)
    client.jobs.wait(job["id"], on_progress=lambda job: print(job["counts"]))
    client.jobs.archive(job["id"], to="talks.zip")

    async with AsyncTranscripts() as client:        # the same methods for asyncio
        print((await client.transcripts.get("manualEn001"))["text"])
        async for job in client.jobs.list():
            print(job["status"])

Only errors that are `retryable` and lost connections are retried: four times at most, with jitter, never before Retry-After.
Changes are retried only with an Idempotency-Key, which methods that create something send.
"""

# Answers are JSON, whose types are those of the API reference.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import asyncio
import base64
import datetime
import email.utils
import functools
import hashlib
import hmac
import http.client
import inspect
import io
import json
import math
import os
import random
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import warnings
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, ClassVar, Coroutine, Dict, Generic, Iterable, Iterator, List, Literal,
    Mapping, NoReturn, Optional, Protocol, Sequence, Tuple, Type, TypedDict, TypeVar, Union, cast, overload,
)  # fmt: skip

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    _P = ParamSpec("_P")

__version__ = "1.0.0"

__all__ = [
    "AccountFrozenError", "ApiError", "ArchiveFile", "AsyncTranscripts", "BudgetExhaustedError", "ConfigurationError", "ConnectionLost",
    "DownloadError", "ForbiddenError", "InsufficientCreditsError", "InvalidInputError", "IpBlockedError", "NoCaptionsError",
    "NotFoundError", "PoTokenRequiredError", "QuotaExceededError", "RateLimitedError", "RelayUnavailableError", "Transcripts",
    "TranscriptsError", "TurnstileFailedError", "UnavailableError", "UpstreamError", "WebhookVerificationError",
    "verify_webhook",
]  # fmt: skip

MAX_RETRIES = 4
MAX_RETRY_AFTER = 120
FIRST_BACKOFF = 0.5
MAX_BACKOFF = 8.0
POLL_SECONDS = 2
MAX_POLL_SECONDS = 10
INDEX_POLL_SECONDS = 0.5
CHUNK_BYTES = 65_536
FIVE_MINUTES = 300
MAX_CONNECTIONS = 100
MAX_IDLE_SECONDS = 30
USER_AGENT = f"transcript-delivery-python/{__version__}"
GATEWAY_FAILURES = (502, 503, 504)
ENDED = ("completed", "failed", "cancelled")

Json = Dict[str, Any]


class Language(TypedDict):
    requested: str
    delivered: str
    kind: str
    fallback: bool
    translation: str


class Word(TypedDict):
    start: float
    text: str


class _Cue(TypedDict):
    start: float
    duration: float
    text: str


class Cue(_Cue, total=False):
    """`words` with words=True: None for written captions."""

    words: Optional[List[Word]]


class Meta(TypedDict):
    """What a request cost, in credits, and its id for support. A value that an answer does not say is None."""

    request_id: Optional[str]
    charged: Optional[int]
    balance: Optional[int]
    cache: Optional[str]


class Passage(TypedDict):
    """Some sentences, in seconds; `url` leads to where they begin."""

    start: float
    end: float
    text: str
    url: str


class _TranscriptFacts(TypedDict):
    video: Json
    format: str
    language: Language
    fetched_at: str
    meta: Meta


class TextTranscript(_TranscriptFacts):
    text: str


class _Passages(TypedDict, total=False):
    passages: List[Passage]


class CueTranscript(_TranscriptFacts, _Passages):
    """Of the format json, with passages if they were asked for."""

    cues: List[Cue]


Transcript = Union[TextTranscript, CueTranscript]
TextFormat = Literal["clean", "timestamped", "both", "srt", "vtt", "md"]


class Job(TypedDict):
    id: str
    status: str
    pause_reason: Optional[str]
    resumes_at: Optional[str]
    error: Optional[str]
    name: Optional[str]
    format: str
    language: str
    fallback: bool
    counts: Dict[str, int]
    omitted: int
    credits: Dict[str, int]
    videos: List[Json]
    source: Optional[Json]
    metadata: Dict[str, str]
    monitor_id: Optional[str]
    mail: str
    notify_email: bool
    webhook: Optional[Json]
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]


class WebhookEvent(TypedDict):
    id: str
    type: str
    created_at: str
    api_version: str
    data: Json


class TranscriptsError(Exception):
    """The base of every error of this module. `retry_after` is in seconds."""

    retryable: bool = False
    retry_after: Optional[int] = None


class ConnectionLost(TranscriptsError):
    """The connection failed, broke off or timed out, or a proxy answered in place of the service."""

    def __init__(self, message: str, status: Optional[int] = None, retry_after: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status
        self.retryable = status is None or status in GATEWAY_FAILURES
        self.retry_after = retry_after


class DownloadError(TranscriptsError):
    """The bytes of a download are not those that the service announced."""


class WebhookVerificationError(TranscriptsError):
    """A webhook request is not from the service, or too old."""


class ApiError(TranscriptsError):
    """An error that the service answered. `body` is the whole answer, with fields of single codes such as `shortfall`."""

    def __init__(self, status: int, body: Json, retry_after: Optional[int] = None) -> None:
        super().__init__(f"{body.get('message')} ({body['code']})")
        self.status = status
        self.body = body
        self.code: str = body["code"]
        self.error_class: str = body["errorClass"]
        self.retryable = bool(body.get("retryable"))
        self.retry_after = retry_after if retry_after is not None else body.get("retry_after")
        self.request_id: str = body.get("request_id", "")
        self.docs_url: str = body.get("docs_url", "")

    def __reduce__(self) -> Tuple[Any, ...]:
        # multiprocessing, joblib and Celery send errors to other processes.
        return type(self), (self.status, self.body, self.retry_after)


class IpBlockedError(ApiError): ...
class PoTokenRequiredError(ApiError): ...
class RateLimitedError(ApiError): ...
class UnavailableError(ApiError): ...
class NoCaptionsError(ApiError): ...
class UpstreamError(ApiError): ...
class RelayUnavailableError(ApiError): ...
class BudgetExhaustedError(ApiError): ...
class InvalidInputError(ApiError): ...
class QuotaExceededError(ApiError): ...
class TurnstileFailedError(ApiError): ...
class ForbiddenError(ApiError): ...
class InsufficientCreditsError(ApiError): ...
class AccountFrozenError(ApiError): ...
class ConfigurationError(ApiError): ...
class NotFoundError(ApiError): ...


ERROR_CLASSES = {re.sub("Error$", "", one.__name__): one for one in ApiError.__subclasses__()}


def _date(text: Optional[str]) -> Optional[datetime.datetime]:
    try:
        found = email.utils.parsedate_to_datetime(text or "")
    except (TypeError, ValueError, IndexError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)


def _retry_after(headers: Any) -> Optional[int]:
    """Seconds of a Retry-After header, which is a number or a date; None if there is none."""
    text = (headers.get("Retry-After") or headers.get("retry-after") or "")[:40]
    if re.fullmatch("[0-9]{1,15}", text):
        return int(text)
    until = _date(text)
    if until is None:
        return None
    # The clock of the service, if the answer shows it: the own one may be wrong.
    now = _date(headers.get("Date") or headers.get("date")) or datetime.datetime.now(datetime.timezone.utc)
    return max(0, math.ceil((until - now).total_seconds()))


def _base_address(given: str) -> str:
    """The address of the service without /v1 and slashes at its end, because paths begin with /v1."""
    text = given.strip()
    hint = text if "://" in text else f"did you mean https://{text}?"
    wrong = ValueError(f"base_url is no http or https address: {hint}")
    try:
        url = urllib.parse.urlsplit(text)
        is_address = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:  # of its port
        raise wrong from None
    if not is_address or re.search(r"\s", text):
        raise wrong
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("base_url has a user, a query or a fragment: give the address alone")
    path = url.path.rstrip("/")
    path = path[: -len("/v1")] if path.endswith("/v1") else path
    return f"{url.scheme}://{url.netloc}{path.rstrip('/')}"


def _error_answered(status: int, headers: Any, content: bytes) -> TranscriptsError:
    retry_after = _retry_after(headers)
    try:
        body = json.loads(content)
        name = re.sub("Error$", "", body["errorClass"])
        return ERROR_CLASSES.get(name, ApiError)(status, body, retry_after)
    except (ValueError, KeyError, TypeError):
        return ConnectionLost(f"The answer is not from the service (HTTP {status})", status, retry_after)


def _backoff(attempt: int, retry_after: Optional[int]) -> float:
    """Random, so that clients that failed together do not come back together. Seconds."""
    return (retry_after or 0) + random.uniform(0.5, 1) * min(FIRST_BACKOFF * 2**attempt, MAX_BACKOFF)


def _part(value: str) -> str:
    return urllib.parse.quote(value, safe="")


_T = TypeVar("_T")
_Steps = Coroutine[Any, Any, _T]


def _run(steps: _Steps[_T]) -> _T:
    try:
        steps.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("A step of a blocking client was suspended")


def _iterate(items: AsyncIterator[_T]) -> Iterator[_T]:
    while True:
        try:
            item = _run(cast("_Steps[_T]", items.__anext__()))
        except StopAsyncIteration:
            return
        yield item


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would send the key to wherever an answer leads."""

    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        return None


class _BlockingResponse:
    def __init__(self, answer: Any) -> None:
        self._answer = answer
        self.status: int = answer.code
        self.headers: Any = answer.headers

    async def read(self, size: Optional[int] = None) -> bytes:
        """The whole body, or up to `size` bytes of it."""
        try:
            return self._answer.read(size)
        except (OSError, http.client.HTTPException) as cause:
            raise ConnectionLost(f"The connection broke off: {cause}") from cause

    def close(self) -> None:
        self._answer.close()


class _Blocking:
    """What Transcripts stands on: urllib. Its steps are coroutines that are never suspended."""

    def __init__(self, _base: str, timeout: float) -> None:
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    async def request(self, method: str, url: str, headers: Mapping[str, str], data: Optional[bytes]) -> _BlockingResponse:
        request = urllib.request.Request(url, data=data, headers=dict(headers), method=method)
        try:
            return _BlockingResponse(self._opener.open(request, timeout=self._timeout))
        except urllib.error.HTTPError as answer:
            return _BlockingResponse(answer)
        except (OSError, http.client.HTTPException) as cause:
            raise ConnectionLost(f"The service could not be reached: {cause}") from cause

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def in_thread(self, work: Callable[[], object]) -> None:
        work()

    async def notify(self, callback: Callable[[Job], object], job: Job) -> None:
        callback(job)

    def bind(self, steps: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(steps)
        def call(*args: Any, **named: Any) -> Any:
            started = steps(*args, **named)
            return _iterate(started) if isinstance(started, AsyncIterator) else _run(started)

        return call


class _Wire:
    """A connection of asyncio. A read that lasts longer than the timeout aborts it."""

    def __init__(self, reader: asyncio.StreamReader, transport: asyncio.Transport, timeout: float) -> None:
        self._reader = reader
        self._transport = transport
        self._timeout = timeout
        self._is_late = False
        self.idle_since = 0.0
        self.write = transport.write
        self.abort = transport.abort

    def is_usable(self) -> bool:
        is_open = not self._transport.is_closing() and not self._reader.at_eof()
        return is_open and time.monotonic() - self.idle_since < MAX_IDLE_SECONDS

    async def read(self, size: int) -> bytes:
        """Up to `size` bytes; none if the other side has closed the connection."""
        return await self._timed(self._reader.read(size))

    async def line(self) -> bytes:
        return await self._timed(self._reader.readuntil(b"\n"))

    async def head(self) -> Tuple[bool, int, http.client.HTTPMessage]:
        """Whether the connection may be used again, the status and the headers of an answer."""
        while True:
            first, _, fields = (await self._timed(self._reader.readuntil(b"\r\n\r\n"))).partition(b"\r\n")
            found = re.match(rb"HTTP/1\.([01]) ([1-9][0-9]{2})(?= |$)", first)
            if not found:
                raise ConnectionLost("The answer is not HTTP/1.1")
            if found[2] < b"200":
                continue
            try:
                headers = http.client.parse_headers(io.BytesIO(fields))
            except http.client.HTTPException as cause:
                raise ConnectionLost(f"The answer is not HTTP/1.1: {cause}") from cause
            is_lasting = found[1] == b"1" and "close" not in headers.get("Connection", "").lower()
            return is_lasting, int(found[2]), headers

    async def _timed(self, reading: Awaitable[bytes]) -> bytes:
        timer = asyncio.get_running_loop().call_later(self._timeout, self._expire)
        why = "The connection broke off"
        try:
            found = await reading
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as cause:
            raise ConnectionLost("The service timed out" if self._is_late else f"{why}: {cause}") from cause
        finally:
            timer.cancel()
        if self._is_late:
            raise ConnectionLost("The service timed out")
        return found

    def _expire(self) -> None:
        self._is_late = True
        self._transport.abort()


class _AsyncioResponse:
    def __init__(self, wire: _Wire, release: Callable[[bool], None], is_lasting: bool, status: int, headers: Any) -> None:
        self.status = status
        self.headers = headers
        self._wire = wire
        self._release = release
        self._is_lasting = is_lasting
        self._is_open = True
        self._is_chunked = "chunked" in headers.get("Transfer-Encoding", "").lower()
        length = headers.get("Content-Length", "").strip()
        # The rest of the body or of a chunk. None: the body ends with the connection.
        self._left: Optional[int] = int(length) if re.fullmatch("[0-9]{1,15}", length, re.ASCII) else None
        if self._is_chunked or status == 204:
            self._left = 0
        if self._left == 0 and not self._is_chunked:
            self._end(is_lasting)

    async def read(self, size: Optional[int] = None) -> bytes:
        """The whole body, or up to `size` bytes of it."""
        if size is None:
            parts: List[bytes] = []
            while True:
                part = await self.read(CHUNK_BYTES)
                if not part:
                    return b"".join(parts)
                parts.append(part)
        if self._is_open and self._is_chunked and self._left == 0:
            await self._next_chunk()
        if not self._is_open:
            return b""
        part = await self._wire.read(size if self._left is None else min(size, self._left))
        if self._left is None:
            if not part:
                self._end(False)
            return part
        if not part:
            raise ConnectionLost("The connection broke off")
        self._left -= len(part)
        if self._left == 0 and not self._is_chunked:
            self._end(self._is_lasting)
        return part

    async def _next_chunk(self) -> None:
        line = await self._wire.line()
        if not line.strip():  # the end of the chunk before
            line = await self._wire.line()
        size = line.partition(b";")[0].strip()
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,15}", size):
            raise ConnectionLost("The answer is not HTTP/1.1")
        self._left = int(size, 16)
        if self._left == 0:
            while (await self._wire.line()).strip():
                pass  # trailers
            self._end(self._is_lasting)

    def close(self) -> None:
        """A body that was not read to its end ends its connection."""
        self._end(False)

    def _end(self, is_reusable: bool) -> None:
        if self._is_open:
            self._is_open = False
            self._release(is_reusable)


class _Pool:
    """The connections of one event loop."""

    def __init__(self) -> None:
        self.turns = asyncio.Semaphore(MAX_CONNECTIONS)
        self._idle: List[_Wire] = []

    def take(self) -> Optional[_Wire]:
        while self._idle:
            wire = self._idle.pop()
            if wire.is_usable():
                return wire
            wire.abort()
        return None

    def release(self, wire: Optional[_Wire], is_reusable: bool) -> None:
        self.turns.release()
        if wire and is_reusable:
            wire.idle_since = time.monotonic()
            self._idle.append(wire)
        elif wire:
            wire.abort()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().abort()


def _abandon(dialing: asyncio.Task[_Wire]) -> None:
    if not dialing.cancelled() and not dialing.exception():
        dialing.result().abort()


def _proxy_of_environment(scheme: str, netloc: str) -> Optional[urllib.parse.SplitResult]:
    """As urllib chooses it."""
    proxy = urllib.request.getproxies().get(scheme)
    if not proxy or urllib.request.proxy_bypass(netloc):
        return None
    return urllib.parse.urlsplit(proxy if "://" in proxy else f"http://{proxy}")


class _Asyncio:
    """What AsyncTranscripts stands on: HTTP/1.1 by asyncio, so that a cancelled task ends its request at once."""

    def __init__(self, base: str, timeout: float) -> None:
        url = urllib.parse.urlsplit(base)
        self._timeout = timeout
        self._origin = f"{url.scheme}://{url.netloc}"
        self._netloc = url.netloc
        self._host = url.hostname or ""
        self._port = url.port or (443 if url.scheme == "https" else 80)
        self._tls = ssl.create_default_context() if url.scheme == "https" else None
        self._proxy = _proxy_of_environment(url.scheme, url.netloc)
        self._proxy_headers: Dict[str, str] = {}
        if self._proxy and self._proxy.username is not None:
            user = f"{urllib.parse.unquote(self._proxy.username)}:{urllib.parse.unquote(self._proxy.password or '')}"
            self._proxy_headers["Proxy-Authorization"] = f"Basic {base64.b64encode(user.encode()).decode()}"
        # A client may outlive an event loop.
        self._pools: Dict[asyncio.AbstractEventLoop, _Pool] = {}

    async def request(self, method: str, url: str, headers: Mapping[str, str], data: Optional[bytes]) -> _AsyncioResponse:
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            self._pools = {**{one: kept for one, kept in self._pools.items() if not one.is_closed()}, loop: _Pool()}
        pool = self._pools[loop]
        await pool.turns.acquire()
        wire: Optional[_Wire] = None
        try:
            # The service may close a connection while it is idle: only what may be repeated goes on such a one.
            if method == "GET" or "Idempotency-Key" in headers:
                wire = pool.take()
            wire = wire or await self._connect()
            wire.write(self._head(method, url, headers, data) + (data or b""))
            is_lasting, status, answered = await wire.head()
            return _AsyncioResponse(wire, functools.partial(pool.release, wire), is_lasting, status, answered)
        except BaseException:
            pool.release(wire, False)
            raise

    def _head(self, method: str, url: str, headers: Mapping[str, str], data: Optional[bytes]) -> bytes:
        is_by_proxy = self._proxy and not self._tls
        fields = {"Host": self._netloc, "Accept-Encoding": "identity", **headers}
        if data is not None or method != "GET":
            fields["Content-Length"] = str(len(data or b""))
        return _request_head(method, url if is_by_proxy else url[len(self._origin):],
                             {**fields, **self._proxy_headers} if is_by_proxy else fields)  # fmt: skip

    async def _connect(self) -> _Wire:
        dialing = asyncio.ensure_future(self._dial())
        try:
            await asyncio.wait({dialing}, timeout=self._timeout)
            if not dialing.done():
                raise ConnectionLost("The service could not be reached: timed out")
            return dialing.result()
        except BaseException as error:
            dialing.cancel()
            dialing.add_done_callback(_abandon)
            if isinstance(error, OSError):
                raise ConnectionLost(f"The service could not be reached: {error}") from error
            raise

    async def _dial(self) -> _Wire:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        tls: Json = {"ssl": self._tls, "server_hostname": self._host} if self._tls and not self._proxy else {}
        host, port = self._host, self._port
        if self._proxy:
            host, port = self._proxy.hostname or "", self._proxy.port or port
        transport, _ = await loop.create_connection(lambda: protocol, host, port, **tls)
        wire = _Wire(reader, transport, self._timeout)
        if not self._tls or not self._proxy:
            return wire
        try:
            host = f"[{self._host}]" if ":" in self._host else self._host
            wire.write(_request_head("CONNECT", f"{host}:{self._port}", {"Host": f"{host}:{self._port}", **self._proxy_headers}))
            _, status, _ = await wire.head()
            if status != 200:
                raise ConnectionLost(f"The proxy refuses: HTTP {status}")
            inner_reader = asyncio.StreamReader(loop=loop)
            inner_protocol = asyncio.StreamReaderProtocol(inner_reader, loop=loop)
            inner: Any = await loop.start_tls(transport, inner_protocol, self._tls, server_hostname=self._host)
            inner_protocol.connection_made(inner)
            return _Wire(inner_reader, inner, self._timeout)
        except BaseException:
            transport.abort()
            raise

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def in_thread(self, work: Callable[[], object]) -> None:
        await asyncio.get_running_loop().run_in_executor(None, work)

    async def notify(self, callback: Callable[[Job], object], job: Job) -> None:
        result = callback(job)
        if inspect.isawaitable(result):
            await result

    def bind(self, steps: Callable[..., Any]) -> Callable[..., Any]:
        return steps

    async def close(self) -> None:
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool:
            pool.close()
            await asyncio.sleep(0)


def _request_head(method: str, target: str, headers: Mapping[str, str]) -> bytes:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{method} {target} HTTP/1.1\r\n{fields}\r\n".encode("latin-1")


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        body = json.loads(self.content)
        return {**body, "meta": self.meta()} if isinstance(body, dict) else body

    def meta(self) -> Meta:
        charged, balance = (self.headers.get(f"x-credits-{name}") for name in ("charged", "balance"))
        return {
            "request_id": self.headers.get("x-request-id"),
            "charged": None if charged is None else int(charged),
            "balance": None if balance is None else int(balance),
            "cache": self.headers.get("x-cache"),
        }


_Driver = Union[_Blocking, _Asyncio]
_Response = Union[_BlockingResponse, _AsyncioResponse]


class _Connection:
    def __init__(self, api_key: str, base_url: str, max_retries: int, timeout: float, driver: Type[_Driver]) -> None:
        self._key = api_key
        self._base = _base_address(base_url)
        self.max_retries = min(max_retries, MAX_RETRIES)
        self.driver: _Driver = driver(self._base, timeout)

    async def open(self, method: str, path: str, query: Optional[Mapping[str, Any]] = None, body: Any = None,
                   headers: Optional[Mapping[str, str]] = None) -> _Response:  # fmt: skip
        """One attempt, whose body is not read yet."""
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        if not re.fullmatch("/(?!/)[!-~]*", path):
            raise TranscriptsError(f"{path} is not an address of the service")
        url = self._base + path + (("&" if "?" in path else "?") + urllib.parse.urlencode(given) if given else "")
        all_headers = {"Authorization": f"Bearer {self._key}", "User-Agent": USER_AGENT, **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            all_headers["Content-Type"] = "application/json"
        for name, value in all_headers.items():
            if not re.fullmatch("[\t -~]*", value):
                raise ValueError(f"The header {name} would have a character that is not printable ASCII, such as a line break")
        response = await self.driver.request(method, url, all_headers, data)
        if 200 <= response.status < 300:
            return response
        try:
            raise _error_answered(response.status, response.headers, await response.read())
        finally:
            response.close()

    async def retried(self, attempt_once: Callable[[], _Steps[_T]], repeatable: bool = True) -> _T:
        attempt = 0
        while True:
            try:
                return await attempt_once()
            except (ApiError, ConnectionLost) as error:
                is_last = attempt == self.max_retries
                if is_last or not repeatable or not error.retryable or (error.retry_after or 0) > MAX_RETRY_AFTER:
                    raise
                await self.driver.sleep(_backoff(attempt, error.retry_after))
            attempt += 1

    async def send(self, method: str, path: str, query: Optional[Mapping[str, Any]] = None, body: Any = None,
                   headers: Optional[Mapping[str, str]] = None, repeatable: Optional[bool] = None) -> _Answer:  # fmt: skip
        async def once() -> _Answer:
            response = await self.open(method, path, query, body, headers)
            try:
                return _Answer(response.status, dict(_lower(response.headers)), await response.read())
            finally:
                response.close()

        return await self.retried(once, method == "GET" if repeatable is None else repeatable)

    async def get(self, path: str, **query: Any) -> Any:
        return (await self.send("GET", path, query)).json()

    async def change(self, method: str, path: str, body: Any = None) -> Any:
        return (await self.send(method, path, body=body)).json()

    async def create(self, path: str, body: Mapping[str, Any], idempotency_key: Optional[str]) -> Any:
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return (await self.send("POST", path, body=body, headers=headers, repeatable=True)).json()

    async def settled(self, path: str, query: Optional[Mapping[str, Any]] = None,
                      headers: Optional[Mapping[str, str]] = None) -> _Answer:  # fmt: skip
        """Repeats a request while its answer is 202, at the address that the answer names."""
        while True:
            answer = await self.send("GET", path, query, headers=headers)
            if answer.status != 202:
                return answer
            poll_url = answer.json().get("poll_url")
            if poll_url:
                path, query = poll_url, None
            await self.driver.sleep(_retry_after(answer.headers) or POLL_SECONDS)

    async def rows(self, path: str, name: str, **query: Any) -> AsyncIterator[Json]:
        """The items of a list, read page by page as they are asked for."""
        page = await self.whole(path, **query)
        seen = set()
        while True:
            for row in page[name]:
                # What comes at the head of a list while it is read moves rows to the next page, where they stand again.
                key = (row.get("id") or row.get("request_id")) if isinstance(row, dict) else None
                if key is None or key not in seen:
                    yield row
                seen.add(key)
            if page["next"] is None:
                _warn_of_rest(page)
                return
            page = await self.get(page["next"])

    async def whole(self, path: str, **query: Any) -> Any:
        """A page of a list: of a search, once all that was received before the first look can be found."""
        wanted: Optional[int] = None
        while True:
            page = await self.get(path, **query)
            index = page.get("index") or {"is_growing": False, "transcripts": 0}
            wanted = index["transcripts"] if wanted is None else wanted
            if not index["is_growing"] or index["indexed"] >= wanted:
                return page
            await self.driver.sleep(INDEX_POLL_SECONDS)


def _lower(headers: Any) -> Iterator[Any]:
    return ((name.lower(), value) for name, value in headers.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def _given(**fields: Any) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


_D = TypeVar("_D", _Blocking, _Asyncio)
_Sync = TypeVar("_Sync")
_Async = TypeVar("_Async")


class _Resource(Generic[_D]):
    def __init__(self, connection: _Connection) -> None:
        self._connection = connection


class _Method(Generic[_Sync, _Async]):
    """A method that stands once, as steps: Transcripts runs them, AsyncTranscripts gives them to `await` and `async for`."""

    def __init__(self, steps: Callable[..., Any]) -> None:
        self._steps = steps

    @overload
    def __get__(self, instance: _Resource[_Blocking], owner: Any = None) -> _Sync: ...

    @overload
    def __get__(self, instance: _Resource[_Asyncio], owner: Any = None) -> _Async: ...

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self._steps if instance is None else instance._connection.driver.bind(self._steps.__get__(instance))


def _method(steps: Callable[Concatenate[Any, _P], _Steps[_T]]) -> _Method[Callable[_P, _T], Callable[_P, _Steps[_T]]]:
    return _Method(steps)


def _listing(steps: Callable[Concatenate[Any, _P], AsyncIterator[_T]]
             ) -> _Method[Callable[_P, Iterator[_T]], Callable[_P, AsyncIterator[_T]]]:  # fmt: skip
    return _Method(steps)


_Cues = TypeVar("_Cues", covariant=True)
_Texts = TypeVar("_Texts", covariant=True)
_Either = TypeVar("_Either", covariant=True)


class _GetTranscript(Protocol[_Cues, _Texts, _Either]):
    @overload
    def __call__(self, video_id: str, format: Literal["json"], language: Optional[str] = None,
                 fallback: Optional[bool] = None, passages: Optional[bool] = None,
                 passage_characters: Optional[int] = None, words: Optional[bool] = None,
                 refresh: Optional[bool] = None) -> _Cues: ...  # fmt: skip

    @overload
    def __call__(self, video_id: str, format: TextFormat = "both", language: Optional[str] = None,
                 fallback: Optional[bool] = None, *, refresh: Optional[bool] = None) -> _Texts: ...  # fmt: skip

    @overload
    def __call__(self, video_id: str, format: str, language: Optional[str] = None,
                 fallback: Optional[bool] = None, passages: Optional[bool] = None,
                 passage_characters: Optional[int] = None, words: Optional[bool] = None,
                 refresh: Optional[bool] = None) -> _Either: ...  # fmt: skip


def _get_transcript(steps: Callable[..., _Steps[Transcript]]) -> _Method[
        _GetTranscript[CueTranscript, TextTranscript, Transcript],
        _GetTranscript[_Steps[CueTranscript], _Steps[TextTranscript], _Steps[Transcript]]]:  # fmt: skip
    return _Method(steps)


def _source(video: str) -> Json:
    return {"video_id": video} if re.fullmatch(r"[\w-]{11}", video, re.ASCII) else {"input": video}


class _Transcripts(_Resource[_D]):
    @_get_transcript
    async def get(self, video_id: str, format: str = "both", language: Optional[str] = None,
                  fallback: Optional[bool] = None, passages: Optional[bool] = None,
                  passage_characters: Optional[int] = None, words: Optional[bool] = None, refresh: Optional[bool] = None) -> Transcript:  # fmt: skip
        """The transcript of a video; "json" may have passages. Waits until it is fetched, for minutes if need be. `language` is a
        tag, "orig" for the language that is spoken, or several in order of preference: "de,en". `words` adds the times of words to json; `refresh` asks the platform although it is cached, for a credit."""
        query = {**_source(video_id), "format": format, "language": language, "fallback": fallback,
                 "passages": passages, "passage_characters": passage_characters, "words": words, "refresh": refresh}  # fmt: skip
        # Retries of a refresh have one key, so they cost one credit.
        headers = {"Idempotency-Key": str(uuid.uuid4())} if refresh else None
        return (await self._connection.settled("/v1/transcript", query, headers)).json()

    @_method
    async def file(self, video_id: str, format: str = "both", language: Optional[str] = None,
                   fallback: Optional[bool] = None, front_matter: Optional[bool] = None) -> str:  # fmt: skip
        """The same as a file, such as SubRip. `front_matter` puts YAML for notes before "md"."""
        query = {**_source(video_id), "format": format, "language": language, "fallback": fallback, "raw": True,
                 "front_matter": front_matter}  # fmt: skip
        return (await self._connection.settled("/v1/transcript", query)).content.decode()


class _Videos(_Resource[_D]):
    @_method
    async def get(self, video: str) -> Json:
        """What is known of a video: its id or address. Fetches nothing."""
        return await self._connection.get("/v1/video", input=video)

    @_method
    async def languages(self, video: str) -> Json:
        """The caption tracks of a video and the language that is spoken; free."""
        return await self._connection.get("/v1/video/languages", input=video)

    @_method
    async def cite(self, video: str, format: str = "apa", at: Optional[int] = None) -> str:
        """A reference to a video, or to the second `at` of it: "apa", "bibtex", "ris" or "csl-json"; free. Fetches nothing."""
        query = {"input": video, "format": format, "at": at}
        return (await self._connection.send("GET", "/v1/video/citation", query)).content.decode()

    @_listing
    async def list(self, source: str, contents: Optional[str] = None) -> AsyncIterator[Json]:
        """The videos of a channel, a playlist or a `list:<key>`."""
        offset: Optional[int] = None
        while True:
            query = {"input": source, "contents": contents, "offset": offset}
            page = (await self._connection.settled("/v1/videos", query)).json()
            for video in page["videos"]:
                yield video
            offset = page["next_offset"]
            if offset is None:
                _warn_of_rest(page)
                return

    @_method
    async def resolve(self, text: str) -> Json:
        """The videos that a text names, as a list to use as `input` of a job."""
        return (await self._connection.send("POST", "/v1/videos/resolve", body={"text": text}, repeatable=True)).json()


class _Library(_Resource[_D]):
    @_listing
    def list(self, job_id: Optional[str] = None, video_id: Optional[str] = None,
             language: Optional[str] = None) -> AsyncIterator[Json]:  # fmt: skip
        """The transcripts that the account has received, newest first, without their text; free."""
        query = {"job_id": job_id, "video_id": video_id, "language": language}
        return self._connection.rows("/v1/library", "transcripts", **query)

    @_listing
    def search(self, q: str, job_id: Optional[str] = None, video_id: Optional[str] = None,
               language: Optional[str] = None) -> AsyncIterator[Json]:  # fmt: skip
        """What was said in them: passages with all words of `q`, best first; free. "Quotes" make a phrase, -word leaves out.
        Waits until all that was received before can be found; warns if that was not all."""
        query = {"q": q, "job_id": job_id, "video_id": video_id, "language": language}
        return self._connection.rows("/v1/library/search", "results", **query)

    @_method
    async def try_words(self, words: Sequence[str], channel: Optional[str] = None,
                        monitor_id: Optional[str] = None) -> Json:  # fmt: skip
        """What a monitor with these words would have found in the ten newest of them; free."""
        body = _given(words=[*words], channel=channel, monitor_id=monitor_id)
        return (await self._connection.send("POST", "/v1/library/words", body=body, repeatable=True)).json()

    @_method
    async def csv(self, q: Optional[str] = None, job_id: Optional[str] = None, video_id: Optional[str] = None,
                  language: Optional[str] = None) -> str:  # fmt: skip
        """All of the list as one CSV for a spreadsheet; with `q` all passages of a search, at most 1,000. Waits as `search` does; a last
        line says what is not in it."""
        path, limit = ("/v1/library", 100) if q is None else ("/v1/library/search", 50)
        query: Json = {"q": q, "job_id": job_id, "video_id": video_id, "language": language, "format": "csv", "limit": limit}
        table = ""
        if q is not None:
            await self._connection.whole(path, **{**query, "format": None, "limit": 1})
        while True:
            answer = await self._connection.send("GET", path, query)
            page = answer.content.decode()
            # No name in the header of a page has a line break.
            table += page.partition("\n")[2] if table else page
            link = re.fullmatch('<([^>]+)>; rel="next"', answer.headers.get("link", ""))
            if link is None:
                return table
            path, query = link.group(1), {}


class _Links(_Resource[_D]):
    @_method
    async def create(self, video_id: str, /, *, idempotency_key: Optional[str] = None, **body: Any) -> Json:
        """Hands on a transcript that the account has received, or its quote from `start` to `end`, for some `days`: who has its `url` reads it."""
        return (await self._connection.create("/v1/links", _given(video_id=video_id, **body), idempotency_key))["link"]

    @_method
    async def list(self) -> List[Json]:
        """The live ones, newest first, with their ends and how often they were read."""
        return cast(List[Json], (await self._connection.get("/v1/links"))["links"])

    @_method
    async def get(self, link_id: str) -> Json:
        return (await self._connection.get(f"/v1/links/{_part(link_id)}"))["link"]

    @_method
    async def end(self, link_id: str) -> Json:
        """Takes it back, at once and for ever."""
        return (await self._connection.change("DELETE", f"/v1/links/{_part(link_id)}"))["link"]


@dataclass(frozen=True)
class ArchiveFile:
    path: str
    bytes: int
    sha256: str


def _warn(text: str) -> None:
    # The line of the caller: between it and here are as many calls of this module as its client needs.
    frame, depth = sys._getframe(), 0
    while frame.f_back and frame.f_globals is globals():
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, stacklevel=depth + 1)


def _warn_of_pause(job: Job) -> None:
    when = f"until {job.get('resumes_at')}" if job.get("resumes_at") else "for an unknown time"
    _warn(f"The job {job['id']} is paused ({job.get('pause_reason')}), {when}. wait() goes on waiting: give it on_pause or timeout.")


def _warn_of_rest(page: Json) -> None:
    """What a list lacks that was read to its end."""
    index = page.get("index") or {"indexed": 0, "transcripts": 0}
    if index["indexed"] < index["transcripts"]:
        _warn(f"Not complete: {index['indexed']} of {index['transcripts']} transcripts can be searched so far")
    elif page.get("is_complete") is False:
        _warn("Not complete: there are more passages than one search finds. Name more words, or a job.")
    if page.get("omitted"):
        _warn(f"Not complete: {page['omitted']} entries of the list cannot be read as videos")


class _Jobs(_Resource[_D]):
    @_method
    async def create(self, /, *, idempotency_key: Optional[str] = None, **body: Any) -> Job:
        """Starts a job of up to 500 transcripts: `input` or `video_ids`, `format`, `language`, `newest`, `name` ..."""
        return (await self._connection.create("/v1/jobs", _given(**body), idempotency_key))["job"]

    @_method
    async def get(self, job_id: str) -> Job:
        return (await self._connection.get(f"/v1/jobs/{_part(job_id)}"))["job"]

    @_listing
    def list(self, status: Optional[str] = None, monitor_id: Optional[str] = None) -> AsyncIterator[Json]:
        """Newest first, without their videos."""
        return self._connection.rows("/v1/jobs", "jobs", status=status, monitor_id=monitor_id)

    @_listing
    def videos(self, job_id: str, status: Optional[str] = None) -> AsyncIterator[Json]:
        return self._connection.rows(f"/v1/jobs/{_part(job_id)}/videos", "videos", status=status)

    @_method
    async def wait(self, job_id: str, on_progress: Optional[Callable[[Job], object]] = None, timeout: Optional[float] = None,
                   on_pause: Optional[Callable[[Job], object]] = None) -> Job:  # fmt: skip
        """The job at its end, whatever its status is then. Raises TimeoutError after `timeout` seconds.

        A paused job is waited for, until midnight or until somebody acts: `on_pause` is called once for each pause, and without
        it a warning is issued. `resumes_at` of the job says when it goes on by itself, if that is known.
        """
        is_paused = False
        until = None if timeout is None else time.monotonic() + timeout
        pause = float(POLL_SECONDS)
        while True:
            job: Job = (await self._connection.get(f"/v1/jobs/{_part(job_id)}"))["job"]
            if on_progress:
                await self._connection.driver.notify(on_progress, job)
            if job["status"] in ENDED:
                return job
            was_paused, is_paused = is_paused, job["status"] == "paused"
            if is_paused and not was_paused:
                await self._connection.driver.notify(on_pause or _warn_of_pause, job)
            if until is not None and time.monotonic() + pause > until:
                raise TimeoutError(f"The job {job_id} has not ended within {timeout} s")
            await self._connection.driver.sleep(pause)
            pause = min(pause * 1.5, MAX_POLL_SECONDS)

    @_method
    async def retry(self, job_id: str) -> int:
        """Tries videos that failed again. Returns their number."""
        return (await self._connection.change("POST", f"/v1/jobs/{_part(job_id)}/retry"))["requeued"]

    @_method
    async def cancel(self, job_id: str) -> Job:
        return (await self._connection.change("POST", f"/v1/jobs/{_part(job_id)}/cancel"))["job"]

    @_method
    async def delete(self, job_id: str) -> None:
        await self._connection.send("DELETE", f"/v1/jobs/{_part(job_id)}")

    @_method
    async def manifest(self, job_id: str) -> Json:
        return await self._connection.get(f"/v1/jobs/{_part(job_id)}/manifest")

    @_method
    async def file(self, job_id: str, video_id: str) -> str:
        """The transcript of one video in the format of the job."""
        return (await self._connection.send("GET", f"/v1/jobs/{_part(job_id)}/files/{_part(video_id)}")).content.decode()

    @_method
    async def passages(self, job_id: str, video_id: str, passage_characters: Optional[int] = None) -> List[Passage]:
        """The passages of one video; the format of the job is "json"."""
        path = f"/v1/jobs/{_part(job_id)}/files/{_part(video_id)}"
        return (await self._connection.get(path, passages=True, passage_characters=passage_characters))["passages"]

    @_method
    async def archive(self, job_id: str, to: str, formats: Optional[Sequence[str]] = None,
                      rebuild: Optional[bool] = None, front_matter: Optional[bool] = None) -> List[ArchiveFile]:  # fmt: skip
        """Saves all files as ZIP, or as name-1.zip, name-2.zip ... Resumes after a cut; only a ZIP with the right SHA-256 gets its name.
        `front_matter` puts YAML for notes before each file of the format md."""
        query: Json = {"formats": formats, "front_matter": front_matter, "rebuild": rebuild}
        return await self._save_parts(f"/v1/jobs/{_part(job_id)}/archive", query, to)

    @_method
    async def document(self, job_id: str, to: str, format: Optional[str] = None, max_words: Optional[int] = None,
                       rebuild: Optional[bool] = None) -> List[ArchiveFile]:  # fmt: skip
        """Saves all transcripts as one text ("md" or "txt"), or with `max_words` as a ZIP of numbered texts."""
        query: Json = {"format": format, "max_words": max_words, "rebuild": rebuild}
        return await self._save_parts(f"/v1/jobs/{_part(job_id)}/document", query, to)

    async def _save_parts(self, path: str, query: Json, to: str) -> List[ArchiveFile]:
        while True:
            response = await self._connection.retried(functools.partial(self._connection.open, "GET", path, query))
            query = {**query, "rebuild": None}  # only the first request rebuilds
            if not response.headers.get("Content-Type", "").startswith("application/json"):
                return [await self._save(response, path, query, to)]
            try:
                body = json.loads(await response.read())
            finally:
                response.close()
            if response.status != 202:
                break
            await self._connection.driver.sleep(_retry_after(response.headers) or POLL_SECONDS)
        saved = []
        for part in body["parts"]:
            of_part = {**query, "part": part["part"], "archive_id": body["archive_id"]}
            first = await self._connection.retried(functools.partial(self._connection.open, "GET", path, of_part))
            name = re.sub(r"(\.zip)?$", f"-{part['part']}.zip", to, count=1, flags=re.IGNORECASE)
            saved.append(await self._save(first, path, of_part, name))
        return saved

    async def _save(self, first: _Response, path: str, query: Json, to: str) -> ArchiveFile:
        unchecked = f"{to}.download"
        try:
            with open(unchecked, "wb") as file:
                size, digest = await self._download(first, path, query, file)
                # It may last for seconds, in which an event loop has other work.
                await self._connection.driver.in_thread(functools.partial(os.fsync, file.fileno()))
            os.replace(unchecked, to)
        except BaseException:
            if os.path.exists(unchecked):
                os.remove(unchecked)
            raise
        finally:
            first.close()
        return ArchiveFile(to, size, digest)

    async def _download(self, response: _Response, path: str, query: Json, file: Any) -> Tuple[int, str]:
        size = int(response.headers["Content-Length"])
        etag = response.headers["ETag"]
        announced = re.search("sha-256=:([^:]+):", response.headers.get("Repr-Digest", ""))
        if not announced:
            raise DownloadError("The ZIP came without its digest")
        received, failures, hash_so_far = 0, 0, hashlib.sha256()
        while True:
            try:
                while received < size:
                    chunk = await response.read(min(CHUNK_BYTES, size - received))
                    if not chunk:
                        break
                    file.write(chunk)
                    hash_so_far.update(chunk)
                    received += len(chunk)
                    failures = 0
            except ConnectionLost:
                pass  # what is missing is asked for below
            finally:
                response.close()
            if received >= size:
                break
            if failures >= self._connection.max_retries:
                raise ConnectionLost("The connection broke off")
            await self._connection.driver.sleep(_backoff(failures, None))
            failures += 1
            response = await self._rest(path, query, received, etag)
        if hash_so_far.digest() != base64.b64decode(announced.group(1)):
            raise DownloadError("The ZIP is damaged: its SHA-256 is another one")
        return size, hash_so_far.hexdigest()

    async def _rest(self, path: str, query: Json, start: int, etag: str) -> _Response:
        headers = {"Range": f"bytes={start}-", "If-Range": etag} if start else {}
        response = await self._connection.retried(
            functools.partial(self._connection.open, "GET", path, query, headers=headers)
        )
        if start and not response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
            response.close()
            raise DownloadError("The archive was replaced while it was read: ask for it again")
        return response


class _Monitors(_Resource[_D]):
    @_method
    async def create(self, /, *, idempotency_key: Optional[str] = None, **body: Any) -> Json:
        """Watches a `channel` (`contents`) or a `playlist`: `auto_fetch`, `words`, `mail`, `language`, `fallback`, `webhook_url`, `receivers`."""
        return (await self._connection.create("/v1/monitors", _given(**body), idempotency_key))["monitor"]

    @_method
    async def get(self, monitor_id: str) -> Json:
        return (await self._connection.get(f"/v1/monitors/{_part(monitor_id)}"))["monitor"]

    @_listing
    def list(self) -> AsyncIterator[Json]:
        return self._connection.rows("/v1/monitors", "monitors")

    @_listing
    def videos(self, monitor_id: str) -> AsyncIterator[Json]:
        """The new videos that it has found, newest first."""
        return self._connection.rows(f"/v1/monitors/{_part(monitor_id)}/videos", "videos")

    @_method
    async def update(self, monitor_id: str, /, **body: Any) -> Json:
        """Changes `words`, `auto_fetch`, `mail` ("now", "daily", "weekly" or "none") or `mail_only_matches`."""
        return (await self._connection.change("PATCH", f"/v1/monitors/{_part(monitor_id)}", body))["monitor"]

    @_listing
    def matches(self, monitor_id: str) -> AsyncIterator[Json]:
        """Where its words were said in new transcripts, newest first."""
        return self._connection.rows(f"/v1/monitors/{_part(monitor_id)}/matches", "matches")

    @_method
    async def resume(self, monitor_id: str) -> Json:
        """A monitor whose key was revoked goes on under this one."""
        return (await self._connection.change("POST", f"/v1/monitors/{_part(monitor_id)}/resume"))["monitor"]

    @_method
    async def cancel(self, monitor_id: str) -> Json:
        return (await self._connection.change("DELETE", f"/v1/monitors/{_part(monitor_id)}"))["monitor"]


class _Webhooks(_Resource[_D]):
    @_method
    async def get(self) -> Optional[Json]:
        return (await self._connection.get("/v1/webhooks"))["webhook"]

    @_method
    async def set(self, url: str, low_balance_threshold: Optional[int] = None, rotate_secret: bool = False) -> Json:
        """Creates or replaces the webhook. `webhook_secret` is present only if a secret was issued, and shown once."""
        body = _given(url=url, low_balance_threshold=low_balance_threshold, rotate_secret=rotate_secret)
        return await self._connection.change("PUT", "/v1/webhooks", body)

    @_method
    async def delete(self) -> bool:
        return (await self._connection.change("DELETE", "/v1/webhooks"))["deleted"]

    @_method
    async def test(self) -> Json:
        return (await self._connection.change("POST", "/v1/webhooks/test"))["delivery"]

    @_listing
    def deliveries(self, status: Optional[str] = None, event: Optional[str] = None) -> AsyncIterator[Json]:
        return self._connection.rows("/v1/webhooks/deliveries", "deliveries", status=status, event=event)

    @_method
    async def delivery(self, delivery_id: str) -> Json:
        return await self._connection.get(f"/v1/webhooks/deliveries/{_part(delivery_id)}")

    @_method
    async def resend(self, delivery_id: str) -> Json:
        path = f"/v1/webhooks/deliveries/{_part(delivery_id)}/resend"
        return (await self._connection.change("POST", path))["delivery"]


class _Receivers(_Resource[_D]):
    @_method
    async def list(self) -> List[Json]:
        """The oldest first."""
        return cast(List[Json], (await self._connection.get("/v1/receivers"))["receivers"])

    @_method
    async def get(self, receiver_id: str) -> Json:
        return (await self._connection.get(f"/v1/receivers/{_part(receiver_id)}"))["receiver"]

    @_method
    async def create(self, name: str, form: str, url: str, events: Sequence[str]) -> Json:
        """A further server or a channel of a chat. `receiver_secret` is present only with the form `signed`, and shown once."""
        body = {"name": name, "form": form, "url": url, "events": [*events]}
        return await self._connection.change("POST", "/v1/receivers", body)

    @_method
    async def update(self, receiver_id: str, /, **body: Any) -> Json:
        """Changes `name`, `url`, `events`, `named_only` or, with `rotate_secret`, the secret, and enables the receiver."""
        return await self._connection.change("PATCH", f"/v1/receivers/{_part(receiver_id)}", body)

    @_method
    async def delete(self, receiver_id: str) -> bool:
        return (await self._connection.change("DELETE", f"/v1/receivers/{_part(receiver_id)}"))["deleted"]

    @_method
    async def test(self, receiver_id: str) -> Json:
        return (await self._connection.change("POST", f"/v1/receivers/{_part(receiver_id)}/test"))["delivery"]

    @_method
    async def replay(self, receiver_id: str, since: str) -> Json:
        """Sends again what has failed since then, each once. Replay again until `is_complete`."""
        return await self._connection.change("POST", f"/v1/receivers/{_part(receiver_id)}/replay", {"since": since})


class _Keys(_Resource[_D]):
    @_method
    async def list(self) -> List[Json]:
        return (await self._connection.get("/v1/keys"))["keys"]

    @_method
    async def create(self, name: str, daily_credit_cap: Optional[int] = None, *, idempotency_key: Optional[str] = None) -> Json:
        """The answer has the `secret`, once."""
        body = _given(name=name, daily_credit_cap=daily_credit_cap)
        return (await self._connection.create("/v1/keys", body, idempotency_key))["key"]

    @_method
    async def update(self, /, key_id: str, **body: Any) -> Json:
        return (await self._connection.change("POST", f"/v1/keys/{_part(key_id)}", body))["key"]

    @_method
    async def revoke(self, key_id: str, grace_period_hours: int = 0) -> Json:
        body = {"grace_period_hours": grace_period_hours}
        return (await self._connection.change("DELETE", f"/v1/keys/{_part(key_id)}", body))["key"]

    @_method
    async def rotate(self, /, key_id: str, *, idempotency_key: Optional[str] = None, **body: Any) -> Json:
        """Replaces a key; the old one works for 24 hours more."""
        return await self._connection.create(f"/v1/keys/{_part(key_id)}/rotate", body, idempotency_key)


class _Connections(_Resource[_D]):
    @_method
    async def list(self) -> List[Json]:
        """The apps that the holder of the account has connected."""
        return (await self._connection.get("/v1/connections"))["connections"]

    @_method
    async def end(self, connection_id: str) -> Json:
        """Disconnects an app; its jobs pause."""
        path = f"/v1/connections/{_part(connection_id)}"
        return (await self._connection.change("DELETE", path))["connection"]


class _Usage(_Resource[_D]):
    @_method
    async def days(self, start: Optional[str] = None, end: Optional[str] = None, key_id: Optional[str] = None) -> Json:
        """Use by UTC day and key, of the last 30 days by default."""
        query = {"from": start, "to": end, "key_id": key_id}
        return await self._connection.get("/v1/usage", **query)

    @_listing
    def ledger(self, key_id: Optional[str] = None, job_id: Optional[str] = None) -> AsyncIterator[Json]:
        """Changes of the balance, newest first. New entries shift nothing while you read."""
        return self._connection.rows("/v1/usage", "rows", resource="ledger", key_id=key_id, job_id=job_id)


class _Requests(_Resource[_D]):
    @_listing
    def list(self, code: Optional[str] = None, failed: Optional[bool] = None, key_id: Optional[str] = None,
             start: Optional[str] = None, end: Optional[str] = None) -> AsyncIterator[Json]:  # fmt: skip
        """Requests of the last seven days that were charged or failed, newest first."""
        query = {"code": code, "failed": failed, "key_id": key_id, "from": start, "to": end}
        return self._connection.rows("/v1/requests", "requests", **query)

    @_method
    async def get(self, request_id: str) -> Json:
        """The request with this id: `request_id` of an error, X-Request-Id of an answer."""
        return (await self._connection.get(f"/v1/requests/{_part(request_id)}"))["request"]


class _Client(_Resource[_D]):
    _driver: ClassVar[Type[_Driver]]

    def __init__(self, api_key: Optional[str] = None, base_url: Optional[str] = None, *, max_retries: int = MAX_RETRIES,
                 timeout: float = 60) -> None:  # fmt: skip
        api_key = api_key or os.environ.get("TRANSCRIPTS_API_KEY")
        base_url = base_url or os.environ.get("TRANSCRIPTS_BASE_URL")
        if not api_key:
            raise ValueError("Give api_key, or set TRANSCRIPTS_API_KEY")
        if not base_url:
            raise ValueError("Give base_url, or set TRANSCRIPTS_BASE_URL")
        connection = _Connection(api_key, base_url, max_retries, timeout, type(self)._driver)
        super().__init__(connection)
        self.transcripts: _Transcripts[_D] = _Transcripts(connection)
        self.videos: _Videos[_D] = _Videos(connection)
        self.library: _Library[_D] = _Library(connection)
        self.links: _Links[_D] = _Links(connection)
        self.jobs: _Jobs[_D] = _Jobs(connection)
        self.monitors: _Monitors[_D] = _Monitors(connection)
        self.receivers: _Receivers[_D] = _Receivers(connection)
        self.webhooks: _Webhooks[_D] = _Webhooks(connection)
        self.keys: _Keys[_D] = _Keys(connection)
        self.connections: _Connections[_D] = _Connections(connection)
        self.usage: _Usage[_D] = _Usage(connection)
        self.requests: _Requests[_D] = _Requests(connection)

    @_listing
    async def search(self, q: str, type: Optional[str] = None, channel: Optional[str] = None) -> AsyncIterator[Json]:
        """Results page by page: each page costs a credit when it is read."""
        continuation: Optional[str] = None
        while True:
            page = await self._connection.get("/v1/search", q=q, type=type, channel=channel, continuation=continuation)
            for result in page["results"]:
                yield result
            continuation = page["continuation"]
            if continuation is None:
                return

    @_method
    async def account(self) -> Json:
        """Credits, tier, limits, usage of today and keys."""
        return await self._connection.get("/v1/account")

    @_method
    async def status(self) -> Json:
        return await self._connection.get("/v1/status")


class Transcripts(_Client[_Blocking]):
    """A client of the Transcript Delivery Service. `timeout` is in seconds, for each attempt."""

    _driver = _Blocking


class AsyncTranscripts(_Client[_Asyncio]):
    """The same for asyncio: calls are awaited, lists are read by `async for`, and a cancelled task ends its request.

    Up to 100 requests are open at once, on connections that are used again; `async with` or `aclose` closes those.
    """

    _driver = _Asyncio

    async def __aenter__(self) -> AsyncTranscripts:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        driver = self._connection.driver
        if isinstance(driver, _Asyncio):
            await driver.close()


class HeadersLike(Protocol):
    """A mapping, or the headers of a framework."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


def _refuse(message: str) -> NoReturn:
    raise WebhookVerificationError(message)


def verify_webhook(body: Union[bytes, bytearray, memoryview, str], headers: HeadersLike,
                   secret: Union[str, Sequence[str], None], *, tolerance: int = FIVE_MINUTES,
                   now: Optional[float] = None) -> WebhookEvent:  # fmt: skip
    """The event of a webhook request. `body` is the raw body. Give the old and the new secret while you rotate.

    Raises WebhookVerificationError, which names the mistake, if no secret has signed it, or if its timestamp is more than
    `tolerance` seconds off.
    """
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        _refuse("The body is parsed already: give the raw body, as it was received")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    candidates = [secret] if isinstance(secret, (str, bytes)) else list(secret or [])
    # An empty secret is a setting that is missing, and would let anyone sign.
    secrets = [one for one in candidates if isinstance(one, str) and one.strip()]
    if not secrets:
        _refuse("There is no secret: give that of the webhook as text, whsec_...")
    given = {str(name).lower(): str(value) for name, value in headers.items()}
    timestamp = given.get("x-service-timestamp", "")
    signature = given.get("x-service-signature", "")
    if not re.fullmatch("[0-9]{1,15}", timestamp) or not re.fullmatch("v1=[0-9a-f]{64}", signature):
        _refuse("The request is not signed")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        _refuse("The timestamp is too far off: it may be a replay")

    def is_signed(text: bytes) -> bool:
        signed = timestamp.encode() + b"." + text
        macs = [hmac.new(one.encode(), signed, hashlib.sha256).hexdigest() for one in secrets]
        return any([hmac.compare_digest(f"v1={mac}", signature) for mac in macs])

    if is_signed(raw):
        event: WebhookEvent = json.loads(raw)
        return event
    if any(one != one.strip() for one in secrets):
        _refuse("The secret has white space around it: give it without")
    if raw != raw.strip() and is_signed(raw.strip()):
        _refuse("The body has white space that was not sent: give it as it was received")
    _refuse("The signature is another one: the secret is of another webhook, or the body was changed")
