"""Client of the Transcript Delivery Service: one module on the standard library, for Python 3.9 or newer.

    client = Transcripts(api_key, base_url)         # or TRANSCRIPTS_API_KEY and TRANSCRIPTS_BASE_URL
    print(client.transcripts.get("manualEn001", format="srt")["text"])
    job = client.jobs.create(input="@handle", newest=50)
    client.jobs.wait(job["id"], on_progress=lambda job: print(job["counts"]))
    client.jobs.archive(job["id"], to="talks.zip")

Only errors that are `retryable` and lost connections are retried: four times at most, with jitter, never before Retry-After.
Changes are retried only with an Idempotency-Key, which methods that create something send.
"""

# Answers are JSON, whose types are those of the API reference.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import base64
import datetime
import email.utils
import functools
import hashlib
import hmac
import http.client
import json
import math
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import warnings
from dataclasses import dataclass
from typing import (
    Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, NoReturn, Optional, Protocol, Sequence, Tuple, TypedDict,
    Union, overload,
)  # fmt: skip

__version__ = "1.0.0"

__all__ = [
    "AccountFrozenError", "ApiError", "ArchiveFile", "BudgetExhaustedError", "ConfigurationError", "ConnectionLost",
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
CHUNK_BYTES = 65_536
FIVE_MINUTES = 300
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
    credits: Dict[str, int]
    videos: List[Json]
    source: Optional[Json]
    metadata: Dict[str, str]
    monitor_id: Optional[str]
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


def _error_of(answer: urllib.error.HTTPError) -> TranscriptsError:
    retry_after = _retry_after(answer.headers)
    try:
        body = json.loads(answer.read())
        name = re.sub("Error$", "", body["errorClass"])
        return ERROR_CLASSES.get(name, ApiError)(answer.code, body, retry_after)
    except (ValueError, KeyError, TypeError):
        return ConnectionLost(f"The answer is not from the service (HTTP {answer.code})", answer.code, retry_after)


def _backoff(attempt: int, retry_after: Optional[int]) -> float:
    """Random, so that clients that failed together do not come back together. Seconds."""
    return (retry_after or 0) + random.uniform(0.5, 1) * min(FIRST_BACKOFF * 2**attempt, MAX_BACKOFF)


def _part(value: str) -> str:
    return urllib.parse.quote(value, safe="")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would send the key to wherever an answer leads."""

    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        return None


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


class _Connection:
    def __init__(self, api_key: str, base_url: str, max_retries: int, timeout: float) -> None:
        self._key = api_key
        self._base = _base_address(base_url)
        self.max_retries = min(max_retries, MAX_RETRIES)
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def open(self, method: str, path: str, query: Optional[Mapping[str, Any]] = None, body: Any = None,
             headers: Optional[Mapping[str, str]] = None) -> http.client.HTTPResponse:  # fmt: skip
        """One attempt, whose body is not read yet."""
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        if not path.startswith("/") or path.startswith("//"):
            raise TranscriptsError(f"{path} is not an address of the service")
        url = self._base + path + (("&" if "?" in path else "?") + urllib.parse.urlencode(given) if given else "")
        all_headers = {"Authorization": f"Bearer {self._key}", **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            all_headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=data, headers=all_headers, method=method)
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as answer:
            with answer:
                raise _error_of(answer) from None
        except (OSError, http.client.HTTPException) as cause:
            raise ConnectionLost(f"The service could not be reached: {cause}") from cause

    def retried(self, attempt_once: Callable[[], Any], repeatable: bool = True) -> Any:
        for attempt in range(self.max_retries + 1):
            try:
                return attempt_once()
            except (ApiError, ConnectionLost) as error:
                is_last = attempt == self.max_retries
                if is_last or not repeatable or not error.retryable or (error.retry_after or 0) > MAX_RETRY_AFTER:
                    raise
                time.sleep(_backoff(attempt, error.retry_after))

    def send(self, method: str, path: str, query: Optional[Mapping[str, Any]] = None, body: Any = None,
             headers: Optional[Mapping[str, str]] = None, repeatable: Optional[bool] = None) -> _Answer:  # fmt: skip
        def once() -> _Answer:
            with self.open(method, path, query, body, headers) as answer:
                try:
                    return _Answer(answer.status, dict(_lower(answer.headers)), answer.read())
                except (OSError, http.client.HTTPException) as cause:
                    raise ConnectionLost(f"The connection broke off: {cause}") from cause

        return self.retried(once, method == "GET" if repeatable is None else repeatable)

    def get(self, path: str, **query: Any) -> Any:
        return self.send("GET", path, query).json()

    def create(self, path: str, body: Mapping[str, Any], idempotency_key: Optional[str]) -> Any:
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return self.send("POST", path, body=body, headers=headers, repeatable=True).json()

    def settled(self, path: str, query: Optional[Mapping[str, Any]] = None,
                headers: Optional[Mapping[str, str]] = None) -> _Answer:  # fmt: skip
        """Repeats a request while its answer is 202, at the address that the answer names."""
        while True:
            answer = self.send("GET", path, query, headers=headers)
            if answer.status != 202:
                return answer
            poll_url = answer.json().get("poll_url")
            if poll_url:
                path, query = poll_url, None
            time.sleep(_retry_after(answer.headers) or POLL_SECONDS)

    def rows(self, path: str, name: str, **query: Any) -> Iterator[Json]:
        """The items of a list, read page by page as they are asked for."""
        page = self.get(path, **query)
        while True:
            yield from page[name]
            if page["next"] is None:
                return
            page = self.get(page["next"])


def _lower(headers: Any) -> Iterator[Any]:
    return ((name.lower(), value) for name, value in headers.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def _given(**fields: Any) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


class _Resource:
    def __init__(self, connection: _Connection) -> None:
        self._connection = connection


def _source(video: str) -> Json:
    return {"video_id": video} if re.fullmatch(r"[\w-]{11}", video, re.ASCII) else {"input": video}


class _Transcripts(_Resource):
    @overload
    def get(self, video_id: str, format: Literal["json"], language: Optional[str] = None,
            fallback: Optional[bool] = None, passages: Optional[bool] = None,
            passage_characters: Optional[int] = None, words: Optional[bool] = None, refresh: Optional[bool] = None) -> CueTranscript: ...  # fmt: skip

    @overload
    def get(self, video_id: str, format: TextFormat = "both", language: Optional[str] = None,
            fallback: Optional[bool] = None, *, refresh: Optional[bool] = None) -> TextTranscript: ...  # fmt: skip

    @overload
    def get(self, video_id: str, format: str, language: Optional[str] = None,
            fallback: Optional[bool] = None, passages: Optional[bool] = None,
            passage_characters: Optional[int] = None, words: Optional[bool] = None, refresh: Optional[bool] = None) -> Transcript: ...  # fmt: skip

    def get(self, video_id: str, format: str = "both", language: Optional[str] = None,
            fallback: Optional[bool] = None, passages: Optional[bool] = None,
            passage_characters: Optional[int] = None, words: Optional[bool] = None, refresh: Optional[bool] = None) -> Transcript:  # fmt: skip
        """The transcript of a video; "json" may have passages. Waits until it is fetched, for minutes if need be. `language` is a
        tag, "orig" for the language that is spoken, or several in order of preference: "de,en". `words` adds the times of words to json; `refresh` asks the platform although it is cached, for a credit."""
        query = {**_source(video_id), "format": format, "language": language, "fallback": fallback,
                 "passages": passages, "passage_characters": passage_characters, "words": words, "refresh": refresh}  # fmt: skip
        # Retries of a refresh have one key, so they cost one credit.
        headers = {"Idempotency-Key": str(uuid.uuid4())} if refresh else None
        return self._connection.settled("/v1/transcript", query, headers).json()

    def file(self, video_id: str, format: str = "both", language: Optional[str] = None,
             fallback: Optional[bool] = None, front_matter: Optional[bool] = None) -> str:  # fmt: skip
        """The same as a file, such as SubRip. `front_matter` puts YAML for notes before "md"."""
        query = {**_source(video_id), "format": format, "language": language, "fallback": fallback, "raw": True,
                 "front_matter": front_matter}  # fmt: skip
        return self._connection.settled("/v1/transcript", query).content.decode()


class _Videos(_Resource):
    def get(self, video: str) -> Json:
        """What is known of a video: its id or address. Fetches nothing."""
        return self._connection.get("/v1/video", input=video)

    def languages(self, video: str) -> Json:
        """The caption tracks of a video and the language that is spoken; free."""
        return self._connection.get("/v1/video/languages", input=video)

    def cite(self, video: str, format: str = "apa", at: Optional[int] = None) -> str:
        """A reference to a video, or to the second `at` of it: "apa", "bibtex", "ris" or "csl-json"; free. Fetches nothing."""
        query = {"input": video, "format": format, "at": at}
        return self._connection.send("GET", "/v1/video/citation", query).content.decode()

    def list(self, source: str, contents: Optional[str] = None) -> Iterator[Json]:
        """The videos of a channel, a playlist or a `list:<key>`."""
        offset: Optional[int] = None
        while True:
            query = {"input": source, "contents": contents, "offset": offset}
            page = self._connection.settled("/v1/videos", query).json()
            yield from page["videos"]
            offset = page["next_offset"]
            if offset is None:
                return

    def resolve(self, text: str) -> Json:
        """The videos that a text names, as a list to use as `input` of a job."""
        return self._connection.send("POST", "/v1/videos/resolve", body={"text": text}, repeatable=True).json()


class _Library(_Resource):
    def list(self, job_id: Optional[str] = None, video_id: Optional[str] = None,
             language: Optional[str] = None) -> Iterator[Json]:  # fmt: skip
        """The transcripts that the account has received, newest first, without their text; free."""
        query = {"job_id": job_id, "video_id": video_id, "language": language}
        return self._connection.rows("/v1/library", "transcripts", **query)

    def search(self, q: str, job_id: Optional[str] = None, video_id: Optional[str] = None,
               language: Optional[str] = None) -> Iterator[Json]:  # fmt: skip
        """What was said in them: passages with all words of `q`, best first; free. "Quotes" make a phrase, -word leaves out."""
        query = {"q": q, "job_id": job_id, "video_id": video_id, "language": language}
        return self._connection.rows("/v1/library/search", "results", **query)

    def csv(self, q: Optional[str] = None, job_id: Optional[str] = None, video_id: Optional[str] = None,
            language: Optional[str] = None) -> str:  # fmt: skip
        """All of the list as one CSV for a spreadsheet; with `q` all passages of a search, at most 1,000."""
        path, limit = ("/v1/library", 100) if q is None else ("/v1/library/search", 50)
        query: Json = {"q": q, "job_id": job_id, "video_id": video_id, "language": language, "format": "csv", "limit": limit}
        table = ""
        while True:
            answer = self._connection.send("GET", path, query)
            page = answer.content.decode()
            # No name in the header of a page has a line break.
            table += page.partition("\n")[2] if table else page
            link = re.fullmatch('<([^>]+)>; rel="next"', answer.headers.get("link", ""))
            if link is None:
                return table
            path, query = link.group(1), {}


@dataclass(frozen=True)
class ArchiveFile:
    path: str
    bytes: int
    sha256: str


def _warn_of_pause(job: Job) -> None:
    when = f"until {job.get('resumes_at')}" if job.get("resumes_at") else "for an unknown time"
    warnings.warn(f"The job {job['id']} is paused ({job.get('pause_reason')}), {when}. wait() goes on waiting: give it "
                  "on_pause or timeout.", stacklevel=3)  # fmt: skip


class _Jobs(_Resource):
    def create(self, *, idempotency_key: Optional[str] = None, **body: Any) -> Job:
        """Starts a job of up to 500 transcripts: `input` or `video_ids`, `format`, `language`, `newest`, `name` ..."""
        return self._connection.create("/v1/jobs", _given(**body), idempotency_key)["job"]

    def get(self, job_id: str) -> Job:
        return self._connection.get(f"/v1/jobs/{_part(job_id)}")["job"]

    def list(self, status: Optional[str] = None, monitor_id: Optional[str] = None) -> Iterator[Json]:
        """Newest first, without their videos."""
        return self._connection.rows("/v1/jobs", "jobs", status=status, monitor_id=monitor_id)

    def videos(self, job_id: str, status: Optional[str] = None) -> Iterator[Json]:
        return self._connection.rows(f"/v1/jobs/{_part(job_id)}/videos", "videos", status=status)

    def wait(self, job_id: str, on_progress: Optional[Callable[[Job], object]] = None, timeout: Optional[float] = None,
             on_pause: Optional[Callable[[Job], object]] = None) -> Job:  # fmt: skip
        """The job at its end, whatever its status is then. Raises TimeoutError after `timeout` seconds.

        A paused job is waited for, until midnight or until somebody acts: `on_pause` is called once for each pause, and without
        it a warning is issued. `resumes_at` of the job says when it goes on by itself, if that is known.
        """
        is_paused = False
        until = None if timeout is None else time.monotonic() + timeout
        pause = float(POLL_SECONDS)
        while True:
            job = self.get(job_id)
            if on_progress:
                on_progress(job)
            if job["status"] in ENDED:
                return job
            was_paused, is_paused = is_paused, job["status"] == "paused"
            if is_paused and not was_paused:
                (on_pause or _warn_of_pause)(job)
            if until is not None and time.monotonic() + pause > until:
                raise TimeoutError(f"The job {job_id} has not ended within {timeout} s")
            time.sleep(pause)
            pause = min(pause * 1.5, MAX_POLL_SECONDS)

    def retry(self, job_id: str) -> int:
        """Tries videos that failed again. Returns their number."""
        return self._connection.send("POST", f"/v1/jobs/{_part(job_id)}/retry").json()["requeued"]

    def cancel(self, job_id: str) -> Job:
        return self._connection.send("POST", f"/v1/jobs/{_part(job_id)}/cancel").json()["job"]

    def delete(self, job_id: str) -> None:
        self._connection.send("DELETE", f"/v1/jobs/{_part(job_id)}")

    def manifest(self, job_id: str) -> Json:
        return self._connection.get(f"/v1/jobs/{_part(job_id)}/manifest")

    def file(self, job_id: str, video_id: str) -> str:
        """The transcript of one video in the format of the job."""
        return self._connection.send("GET", f"/v1/jobs/{_part(job_id)}/files/{_part(video_id)}").content.decode()

    def passages(self, job_id: str, video_id: str, passage_characters: Optional[int] = None) -> List[Passage]:
        """The passages of one video; the format of the job is "json"."""
        path = f"/v1/jobs/{_part(job_id)}/files/{_part(video_id)}"
        return self._connection.get(path, passages=True, passage_characters=passage_characters)["passages"]

    def archive(self, job_id: str, to: str, formats: Optional[Sequence[str]] = None,
                rebuild: Optional[bool] = None, front_matter: Optional[bool] = None) -> List[ArchiveFile]:  # fmt: skip
        """Saves all files as ZIP, or as name-1.zip, name-2.zip ... Resumes after a cut; only a ZIP with the right SHA-256 gets its name.
        `front_matter` puts YAML for notes before each file of the format md."""
        query: Json = {"formats": formats, "front_matter": front_matter, "rebuild": rebuild}
        return self._save_parts(f"/v1/jobs/{_part(job_id)}/archive", query, to)

    def document(self, job_id: str, to: str, format: Optional[str] = None, max_words: Optional[int] = None,
                 rebuild: Optional[bool] = None) -> List[ArchiveFile]:  # fmt: skip
        """Saves all transcripts as one text ("md" or "txt"), or with `max_words` as a ZIP of numbered texts."""
        query: Json = {"format": format, "max_words": max_words, "rebuild": rebuild}
        return self._save_parts(f"/v1/jobs/{_part(job_id)}/document", query, to)

    def _save_parts(self, path: str, query: Json, to: str) -> List[ArchiveFile]:
        while True:
            answer = self._connection.retried(lambda: self._connection.open("GET", path, query))
            query["rebuild"] = None  # only the first request rebuilds
            is_json = answer.headers.get("Content-Type", "").startswith("application/json")
            if not is_json:
                return [self._save(answer, path, query, to)]
            with answer:
                body = json.loads(answer.read())
            if answer.status != 202:
                break
            time.sleep(_retry_after(answer.headers) or POLL_SECONDS)
        saved = []
        for part in body["parts"]:
            of_part = {**query, "part": part["part"], "archive_id": body["archive_id"]}
            first = self._connection.retried(functools.partial(self._connection.open, "GET", path, of_part))
            name = re.sub(r"(\.zip)?$", f"-{part['part']}.zip", to, count=1, flags=re.IGNORECASE)
            saved.append(self._save(first, path, of_part, name))
        return saved

    def _save(self, answer: http.client.HTTPResponse, path: str, query: Json, to: str) -> ArchiveFile:
        unchecked = f"{to}.download"
        try:
            with open(unchecked, "wb") as file:
                size, digest = self._download(answer, path, query, file)
                os.fsync(file.fileno())
            os.replace(unchecked, to)
        except BaseException:
            if os.path.exists(unchecked):
                os.remove(unchecked)
            raise
        return ArchiveFile(to, size, digest)

    def _download(self, answer: http.client.HTTPResponse, path: str, query: Json, file: Any) -> Any:
        size = int(answer.headers["Content-Length"])
        etag = answer.headers["ETag"]
        announced = re.search("sha-256=:([^:]+):", answer.headers.get("Repr-Digest", ""))
        if not announced:
            raise DownloadError("The ZIP came without its digest")
        received, failures, hash_so_far = 0, 0, hashlib.sha256()
        while True:
            try:
                with answer:
                    while received < size:
                        chunk = answer.read(min(CHUNK_BYTES, size - received))
                        if not chunk:
                            break
                        file.write(chunk)
                        hash_so_far.update(chunk)
                        received += len(chunk)
                        failures = 0
            except (OSError, http.client.HTTPException):
                pass  # what is missing is asked for below
            if received >= size:
                break
            if failures >= self._connection.max_retries:
                raise ConnectionLost("The connection broke off")
            time.sleep(_backoff(failures, None))
            failures += 1
            answer = self._rest(path, query, received, etag)
        if hash_so_far.digest() != base64.b64decode(announced.group(1)):
            raise DownloadError("The ZIP is damaged: its SHA-256 is another one")
        return size, hash_so_far.hexdigest()

    def _rest(self, path: str, query: Json, start: int, etag: str) -> http.client.HTTPResponse:
        headers = {"Range": f"bytes={start}-", "If-Range": etag} if start else {}
        answer = self._connection.retried(lambda: self._connection.open("GET", path, query, headers=headers))
        if start and not answer.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
            answer.close()
            raise DownloadError("The archive was replaced while it was read: ask for it again")
        return answer


class _Monitors(_Resource):
    def create(self, *, idempotency_key: Optional[str] = None, **body: Any) -> Json:
        """Watches a `channel` or a `playlist`: `auto_fetch`, `language`, `fallback`, `webhook_url`."""
        return self._connection.create("/v1/monitors", _given(**body), idempotency_key)["monitor"]

    def get(self, monitor_id: str) -> Json:
        return self._connection.get(f"/v1/monitors/{_part(monitor_id)}")["monitor"]

    def list(self) -> Iterator[Json]:
        return self._connection.rows("/v1/monitors", "monitors")

    def videos(self, monitor_id: str) -> Iterator[Json]:
        """The new videos that it has found, newest first."""
        return self._connection.rows(f"/v1/monitors/{_part(monitor_id)}/videos", "videos")

    def resume(self, monitor_id: str) -> Json:
        """A monitor whose key was revoked goes on under this one."""
        return self._connection.send("POST", f"/v1/monitors/{_part(monitor_id)}/resume").json()["monitor"]

    def cancel(self, monitor_id: str) -> Json:
        return self._connection.send("DELETE", f"/v1/monitors/{_part(monitor_id)}").json()["monitor"]


class _Webhooks(_Resource):
    def get(self) -> Optional[Json]:
        return self._connection.get("/v1/webhooks")["webhook"]

    def set(self, url: str, low_balance_threshold: Optional[int] = None, rotate_secret: bool = False) -> Json:
        """Creates or replaces the webhook. `webhook_secret` is present only if a secret was issued, and shown once."""
        body = _given(url=url, low_balance_threshold=low_balance_threshold, rotate_secret=rotate_secret)
        return self._connection.send("PUT", "/v1/webhooks", body=body).json()

    def delete(self) -> bool:
        return self._connection.send("DELETE", "/v1/webhooks").json()["deleted"]

    def test(self) -> Json:
        return self._connection.send("POST", "/v1/webhooks/test").json()["delivery"]

    def deliveries(self, status: Optional[str] = None, event: Optional[str] = None) -> Iterator[Json]:
        return self._connection.rows("/v1/webhooks/deliveries", "deliveries", status=status, event=event)

    def delivery(self, delivery_id: str) -> Json:
        return self._connection.get(f"/v1/webhooks/deliveries/{_part(delivery_id)}")

    def resend(self, delivery_id: str) -> Json:
        path = f"/v1/webhooks/deliveries/{_part(delivery_id)}/resend"
        return self._connection.send("POST", path).json()["delivery"]


class _Keys(_Resource):
    def list(self) -> List[Json]:
        return self._connection.get("/v1/keys")["keys"]

    def create(self, name: str, daily_credit_cap: Optional[int] = None, *, idempotency_key: Optional[str] = None) -> Json:
        """The answer has the `secret`, once."""
        body = _given(name=name, daily_credit_cap=daily_credit_cap)
        return self._connection.create("/v1/keys", body, idempotency_key)["key"]

    def update(self, key_id: str, **body: Any) -> Json:
        return self._connection.send("POST", f"/v1/keys/{_part(key_id)}", body=body).json()["key"]

    def revoke(self, key_id: str, grace_period_hours: int = 0) -> Json:
        body = {"grace_period_hours": grace_period_hours}
        return self._connection.send("DELETE", f"/v1/keys/{_part(key_id)}", body=body).json()["key"]

    def rotate(self, key_id: str, *, idempotency_key: Optional[str] = None, **body: Any) -> Json:
        """Replaces a key; the old one works for 24 hours more."""
        return self._connection.create(f"/v1/keys/{_part(key_id)}/rotate", body, idempotency_key)


class _Connections(_Resource):
    def list(self) -> List[Json]:
        """The apps that the holder of the account has connected."""
        return self._connection.get("/v1/connections")["connections"]

    def end(self, connection_id: str) -> Json:
        """Disconnects an app; its jobs pause."""
        path = f"/v1/connections/{_part(connection_id)}"
        return self._connection.send("DELETE", path).json()["connection"]


class _Usage(_Resource):
    def days(self, start: Optional[str] = None, end: Optional[str] = None, key_id: Optional[str] = None) -> Json:
        """Use by UTC day and key, of the last 30 days by default."""
        query = {"from": start, "to": end, "key_id": key_id}
        return self._connection.get("/v1/usage", **query)

    def ledger(self, key_id: Optional[str] = None, job_id: Optional[str] = None) -> Iterator[Json]:
        """Changes of the balance, newest first. New entries shift nothing while you read."""
        return self._connection.rows("/v1/usage", "rows", resource="ledger", key_id=key_id, job_id=job_id)


class _Requests(_Resource):
    def list(self, code: Optional[str] = None, failed: Optional[bool] = None, key_id: Optional[str] = None,
             start: Optional[str] = None, end: Optional[str] = None) -> Iterator[Json]:  # fmt: skip
        """Requests of the last seven days that were charged or failed, newest first."""
        query = {"code": code, "failed": failed, "key_id": key_id, "from": start, "to": end}
        return self._connection.rows("/v1/requests", "requests", **query)

    def get(self, request_id: str) -> Json:
        """The request with this id: `request_id` of an error, X-Request-Id of an answer."""
        return self._connection.get(f"/v1/requests/{_part(request_id)}")["request"]


class Transcripts:
    """A client of the Transcript Delivery Service. `timeout` is in seconds, for each attempt."""

    def __init__(self, api_key: Optional[str] = None, base_url: Optional[str] = None, *, max_retries: int = MAX_RETRIES,
                 timeout: float = 60) -> None:  # fmt: skip
        api_key = api_key or os.environ.get("TRANSCRIPTS_API_KEY")
        base_url = base_url or os.environ.get("TRANSCRIPTS_BASE_URL")
        if not api_key:
            raise ValueError("Give api_key, or set TRANSCRIPTS_API_KEY")
        if not base_url:
            raise ValueError("Give base_url, or set TRANSCRIPTS_BASE_URL")
        self._connection = connection = _Connection(api_key, base_url, max_retries, timeout)
        self.transcripts = _Transcripts(connection)
        self.videos = _Videos(connection)
        self.library = _Library(connection)
        self.jobs = _Jobs(connection)
        self.monitors = _Monitors(connection)
        self.webhooks = _Webhooks(connection)
        self.keys = _Keys(connection)
        self.connections = _Connections(connection)
        self.usage = _Usage(connection)
        self.requests = _Requests(connection)

    def search(self, q: str, type: Optional[str] = None, channel: Optional[str] = None) -> Iterator[Json]:
        """Results page by page: each page costs a credit when it is read."""
        continuation: Optional[str] = None
        while True:
            page = self._connection.get("/v1/search", q=q, type=type, channel=channel, continuation=continuation)
            yield from page["results"]
            continuation = page["continuation"]
            if continuation is None:
                return

    def account(self) -> Json:
        """Credits, tier, limits, usage of today and keys."""
        return self._connection.get("/v1/account")

    def status(self) -> Json:
        return self._connection.get("/v1/status")


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
