"""python3 -m unittest, in this folder. What holds for Transcripts is tested with AsyncTranscripts too: `on_both`."""

import asyncio
import base64
import contextlib
import gc
import hashlib
import http.server
import inspect
import io
import json
import os
import pathlib
import pickle
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
import warnings
from unittest import mock

import transcript_delivery as td

CONTENT = pathlib.Path(__file__).parents[3] / "packages/web/site/content"
VECTORS = json.loads((CONTENT / "webhook-vectors.json").read_text("utf-8"))
ZIP = os.urandom(300_000)


def envelope(**over):
    return {
        "ok": False, "errorClass": "UpstreamError", "code": "upstream_error", "message": "It failed.", "retryable": True,
        "docs_url": "https://api.test/docs/errors", "request_id": "request-1", **over,
    }  # fmt: skip


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        server = self.server
        server.seen.append((self.command, self.path, dict(self.headers), body))
        act = server.acts.pop(0) if len(server.acts) > 1 else server.acts[0]
        act(self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, *_args):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *args):
        super().__init__(*args)
        self.accepted = 0

    def process_request(self, request, client_address):
        self.accepted += 1
        super().process_request(request, client_address)

    def handle_error(self, *_args):
        pass  # connections that clients end


def answers(body, status=200, **headers):
    def act(handler):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": len(content), **headers}.items():
            handler.send_header(name.replace("_", "-"), str(value))
        handler.end_headers()
        handler.wfile.write(content)

    return act


def drops(handler):
    handler.close_connection = True
    handler.connection.close()


def sends_zip(cut_after=None, digest=ZIP, etag='"one"'):
    def act(handler):
        asked = handler.headers.get("Range", "")
        start = int(asked[6:-1]) if asked else 0
        digest64 = base64.b64encode(hashlib.sha256(digest).digest()).decode()
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Type", "application/zip")
        handler.send_header("Content-Length", str(len(ZIP) - start))
        handler.send_header("ETag", etag)
        handler.send_header("Repr-Digest", f"sha-256=:{digest64}:")
        if start and etag == '"one"':
            handler.send_header("Content-Range", f"bytes {start}-{len(ZIP) - 1}/{len(ZIP)}")
        handler.end_headers()
        handler.wfile.write(ZIP[start:] if cut_after is None else ZIP[start : start + cut_after])
        if cut_after is not None:
            handler.close_connection = True

    return act


TEXT = "One.\n\u00e9\n".encode() * 50_000


def sends(raw, then=lambda: None):
    def act(handler):
        handler.close_connection = True
        handler.wfile.write(raw)
        then()

    return act


def sends_until_it_closes(body):
    return sends(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + body)


def sends_chunks(body, extension=b"", trailer=b"", is_cut=False):
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    for at in range(0, len(body), 7_001):
        chunk = body[at : at + 7_001]
        raw += b"%x%s\r\n%s\r\n" % (len(chunk), extension, chunk)
    return sends(raw[:-1_000] if is_cut else raw + b"0\r\n" + trailer + b"\r\n")


def make_certificate(folder):
    """A key and a certificate for 127.0.0.1, in one file."""
    key, certificate, both = (os.path.join(folder, name) for name in ("key.pem", "certificate.pem", "both.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)  # fmt: skip
    pathlib.Path(both).write_bytes(pathlib.Path(key).read_bytes() + pathlib.Path(certificate).read_bytes())
    return both


class Tunnel:
    """A proxy that passes on what it is asked for by CONNECT."""

    def __init__(self, case):
        self.asked = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        case.addCleanup(self._listener.close)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        client, _ = self._listener.accept()
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(1)
        self.asked.append(head.decode().partition(" HTTP/")[0])
        host, _, port = self.asked[0].split(" ")[1].partition(":")
        service = socket.create_connection((host, int(port)))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        back = threading.Thread(target=self._copy, args=(service, client), daemon=True)
        back.start()
        self._copy(client, service)
        back.join()
        client.close()
        service.close()

    def _copy(self, source, target):
        try:
            while True:
                data = source.recv(65_536)
                if not data:
                    break
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Awaited:
    """AsyncTranscripts, or a part of it, called as Transcripts is."""

    def __init__(self, part, loop):
        self._part, self._loop = part, loop

    def __getattr__(self, name):
        found = getattr(self._part, name)
        if not inspect.ismethod(found):
            return Awaited(found, self._loop) if isinstance(found, td._Resource) else found

        def call(*args, **named):
            started = found(*args, **named)
            return self._read(started) if inspect.isasyncgen(started) else self._loop.run_until_complete(started)

        return call

    def _read(self, rows):
        try:
            while True:
                yield self._loop.run_until_complete(rows.__anext__())
        except StopAsyncIteration:
            pass


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.seen = []
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.base_url = f"http://127.0.0.1:{self.server.server_address[1]}"
        proxies = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY")
        environment = mock.patch.dict(os.environ, {name: "" for name in proxies})
        environment.start()
        self.addCleanup(environment.stop)

    def given(self, *acts):
        self.server.acts = list(acts)

    @property
    def seen(self):
        return self.server.seen


class ClientTest(ServerTest):
    is_asyncio = False

    def setUp(self):
        super().setUp()
        if self.is_asyncio:
            self.loop = asyncio.new_event_loop()
            self.addCleanup(self.loop.close)
        self.pauses = []
        self.client = self.open_client(self.base_url)

    def open_client(self, base_url, **options):
        if self.is_asyncio:
            client = Awaited(td.AsyncTranscripts("svc_live_test", base_url, **options), self.loop)
            self.addCleanup(client.aclose)
        else:
            client = td.Transcripts("svc_live_test", base_url, **options)

        async def sleep(seconds):
            self.pauses.append(seconds)

        client._connection.driver.sleep = sleep
        return client


def on_both(case):
    """Each test of the case a second time, with AsyncTranscripts."""
    name = f"{case.__name__}Asyncio"
    globals()[name] = type(name, (case,), {"is_asyncio": True})
    return case


@on_both
class Requests(ClientTest):
    def test_the_key_is_a_bearer_token(self):
        self.given(answers({"ok": True, "credits": {"available": 7}}))
        self.assertEqual(self.client.account()["credits"]["available"], 7)
        self.assertEqual(self.seen[0][2]["Authorization"], "Bearer svc_live_test")

    def test_languages_are_those_of_one_video(self):
        self.given(answers({"ok": True, "original_language": "ja", "tracks": []}))
        self.assertEqual(self.client.videos.languages("https://youtu.be/x")["original_language"], "ja")
        self.assertEqual(self.seen[0][1], "/v1/video/languages?input=https%3A%2F%2Fyoutu.be%2Fx")

    def test_a_library_is_listed_and_searched_page_by_page(self):
        self.given(
            answers({"results": [1], "next": "/v1/library/search?q=a&offset=1"}),
            answers({"results": [2], "next": None}),
            answers({"transcripts": [3], "next": None}),
        )
        self.assertEqual(list(self.client.library.search('"a b" -c', language="en")), [1, 2])
        self.assertEqual(list(self.client.library.list(job_id="job-1")), [3])
        self.assertEqual([path for _, path, _, _ in self.seen], [
            "/v1/library/search?q=%22a+b%22+-c&language=en",
            "/v1/library/search?q=a&offset=1",
            "/v1/library?job_id=job-1",
        ])  # fmt: skip

    def test_a_search_waits_until_all_of_before_can_be_found_and_warns_of_the_rest(self):
        def found(indexed, is_growing):
            index = {"transcripts": 300, "indexed": indexed, "is_growing": is_growing}
            return answers({"results": [indexed], "next": None, "is_complete": indexed == 300, "index": index})

        self.given(found(33, True), found(120, True), found(300, False), found(33, False))
        self.assertEqual(list(self.client.library.search("a")), [300])
        self.assertEqual(len(self.pauses), 2)
        with self.assertWarnsRegex(UserWarning, "33 of 300 transcripts"):
            self.assertEqual(list(self.client.library.search("a")), [33])
        self.given(answers({"videos": [1], "next_offset": None, "omitted": 2}))
        with self.assertWarnsRegex(UserWarning, "2 entries of the list"):
            self.assertEqual(list(self.client.videos.list("@a")), [1])

    def test_a_list_that_grows_at_its_head_has_each_item_once(self):
        self.given(
            answers({"jobs": [{"id": "c"}, {"id": "b"}], "next": "/v1/jobs?offset=2"}),
            answers({"jobs": [{"id": "b"}, {"id": "a"}], "next": None}),
        )
        self.assertEqual([job["id"] for job in self.client.jobs.list()], ["c", "b", "a"])

    def test_a_library_as_csv_is_one_table_with_one_header(self):
        head = "\ufeffvideo_id,title\r\n"
        link = {"Link": '</v1/library?format=csv&limit=100&offset=100>; rel="next"'}
        self.given(
            answers((head + 'a,"one\r\ntwo"\r\n').encode(), **link),
            answers((head + "b,three\r\n").encode()),
        )
        self.assertEqual(self.client.library.csv(language="en"), head + 'a,"one\r\ntwo"\r\nb,three\r\n')
        self.assertEqual([path for _, path, _, _ in self.seen], [
            "/v1/library?language=en&format=csv&limit=100",
            "/v1/library?format=csv&limit=100&offset=100",
        ])  # fmt: skip

    def test_a_second_of_a_video_is_cited(self):
        self.given(answers(b"@misc{a,\n}\n"))
        self.assertEqual(self.client.videos.cite("manualEn001", "bibtex", at=91), "@misc{a,\n}\n")
        self.assertEqual(self.seen[0][1], "/v1/video/citation?input=manualEn001&format=bibtex&at=91")

    def test_a_list_of_languages_is_sent_as_it_is(self):
        self.given(answers({"ok": True}))
        self.client.transcripts.get("manualEn001", language="orig,en")
        self.assertIn("language=orig%2Cen", self.seen[0][1])

    def test_words_are_asked_for_with_json(self):
        self.given(answers({"ok": True, "cues": []}))
        self.client.transcripts.get("manualEn001", "json", words=True)
        self.assertIn("format=json&words=true", self.seen[0][1])

    def test_a_retryable_error_is_repeated_four_times_at_most(self):
        self.given(answers(envelope(), 502))
        with self.assertRaises(td.UpstreamError) as caught:
            self.client.account()
        self.assertEqual(len(self.seen), 5)
        self.assertEqual((caught.exception.code, caught.exception.request_id), ("upstream_error", "request-1"))

    def test_a_lost_connection_is_repeated(self):
        self.given(drops, drops, answers({"ok": True}))
        self.client.account()
        self.assertEqual(len(self.seen), 3)

    def test_nothing_is_repeated_before_retry_after(self):
        body = envelope(errorClass="QuotaExceeded", code="rate_limit", retry_after=30)
        self.given(answers(body, 429, Retry_After=30), answers({"ok": True}))
        self.client.account()
        self.assertGreaterEqual(self.pauses[0], 30)

    def test_retry_after_may_be_a_date_by_the_clock_of_the_service(self):
        body = envelope(errorClass="QuotaExceeded", code="rate_limit")
        dates = {"Date": "Wed, 21 Oct 2015 07:28:00 GMT", "Retry_After": "Wed, 21 Oct 2015 07:28:30 GMT"}
        self.given(answers(body, 429, **dates), answers({"ok": True}))
        with mock.patch.object(Handler, "send_response", Handler.send_response_only):
            self.client.account()
        self.assertGreaterEqual(self.pauses[0], 30)
        self.assertLess(self.pauses[0], 32)

    def test_a_retry_after_that_is_neither_number_nor_date_is_none(self):
        for text in ("soon", "\u00b2".encode().decode("latin-1"), "Wed, 99 Oct 2015 07:28:00 GMT", "-1"):
            self.given(answers(envelope(), 502, Retry_After=text), answers({"ok": True}))
            self.client.account()
        self.assertLess(max(self.pauses), 1)

    def test_a_base_address_ends_with_or_without_v1_and_slashes(self):
        base = self.client._connection._base
        for given in (base + "/", base + "/v1", f" {base}/v1// "):
            self.given(answers({"ok": True}))
            self.open_client(given).account()
            self.assertEqual(self.seen.pop()[1], "/v1/account")
        client = self.open_client("https://a.test/transcripts/v1/")
        self.assertEqual(client._connection._base, "https://a.test/transcripts")

    def test_a_base_address_that_is_none_is_an_error_at_once(self):
        for given in ("api.example.com", "localhost:8080", "ftp://a.test", "https://", "http://a b", "https://a.test:x"):
            with self.assertRaisesRegex(ValueError, "base_url is no http or https address"):
                self.open_client(given)
        for given in ("https://u:p@a.test", "https://a.test?x=1", "https://a.test#x"):
            with self.assertRaisesRegex(ValueError, "give the address alone"):
                self.open_client(given)

    def test_a_long_retry_after_is_the_callers(self):
        self.given(answers(envelope(code="archive_failed"), 409, Retry_After=3600))
        with self.assertRaises(td.ApiError) as caught:
            self.client.account()
        self.assertEqual((caught.exception.retry_after, len(self.seen)), (3600, 1))

    def test_an_error_that_is_not_retryable_is_raised_at_once(self):
        self.given(answers(envelope(errorClass="InvalidInput", code="invalid_video_id", retryable=False), 400))
        with self.assertRaises(td.InvalidInputError):
            self.client.transcripts.get("xx")
        self.assertEqual(len(self.seen), 1)

    def test_an_error_passes_to_another_process_as_it_is(self):
        error = td.NoCaptionsError(404, envelope(errorClass="NoCaptions", code="no_captions", retryable=False), 7)
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(copy), str(copy), vars(copy)), (type(error), str(error), vars(error)))
        lost = pickle.loads(pickle.dumps(td.ConnectionLost("gone", 503, 3)))
        self.assertEqual((str(lost), lost.status, lost.retryable, lost.retry_after), ("gone", 503, True, 3))

    def test_every_error_class_has_its_exception(self):
        self.assertEqual(len(td.ERROR_CLASSES), 16)

    def test_creations_carry_one_idempotency_key_and_other_changes_are_sent_once(self):
        self.given(drops, answers({"ok": True, "job": {"id": "job-1"}}, 202))
        self.assertEqual(self.client.jobs.create(video_ids=["manualEn001"])["id"], "job-1")
        keys = [headers["Idempotency-Key"] for _, _, headers, _ in self.seen]
        self.assertEqual((len(keys), len(set(keys))), (2, 1))
        self.seen.clear()
        self.given(drops)
        with self.assertRaises(td.ConnectionLost):
            self.client.webhooks.test()
        self.assertEqual(len(self.seen), 1)

    def test_a_redirect_never_takes_the_key_along(self):
        self.given(answers(b"", 302, Location="http://elsewhere.test/"))
        with self.assertRaises(td.ConnectionLost):
            self.client.account()
        self.assertEqual(len(self.seen), 1)

    def test_an_address_elsewhere_is_refused(self):
        for address in ("http://elsewhere.test/", "//elsewhere.test/", "/v1/a b", "/v1/a\r\nHost: elsewhere.test"):
            self.given(answers({"status": "pending", "poll_url": address}, 202))
            with self.assertRaisesRegex(td.TranscriptsError, "not an address of the service"):
                self.client.transcripts.get("manualEn001")

    def test_no_header_has_a_line_break(self):
        for key in ("a\r\nX-Other: 1", "a\n", "\u00e9"):
            with self.assertRaisesRegex(ValueError, "Idempotency-Key"):
                self.client.jobs.create(video_ids=["manualEn001"], idempotency_key=key)

    def test_a_body_in_chunks_and_one_that_ends_with_the_connection_are_read_whole(self):
        for act in (sends_chunks(TEXT), sends_chunks(TEXT, b";a=b", b"X-Digest: 1\r\n"), sends_until_it_closes(TEXT)):
            self.given(act)
            self.assertEqual(self.client.jobs.file("job-1", "manualEn001"), TEXT.decode())

    def test_a_body_that_is_cut_is_asked_for_again(self):
        whole = answers(TEXT)
        for act in (sends_chunks(TEXT, is_cut=True), answers(TEXT, Content_Length=len(TEXT) + 1, Connection="close")):
            self.given(act, whole)
            self.assertEqual(self.client.jobs.file("job-1", "manualEn001"), TEXT.decode())

    def test_an_answer_that_is_no_http_is_a_lost_connection(self):
        for raw in (b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nA: " + b"b" * 200_000, b""):
            self.given(sends(raw))
            with self.assertRaises(td.ConnectionLost):
                self.client.account()

    def test_a_service_that_does_not_answer_or_stops_in_between_is_lost(self):
        ended = threading.Event()
        self.addCleanup(ended.set)
        client = self.open_client(self.base_url, timeout=0.1, max_retries=0)
        for raw in (b"", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12"):
            self.given(sends(raw, then=lambda: ended.wait(60)))
            with self.assertRaisesRegex(td.ConnectionLost, "timed out"):
                client.account()

    def test_a_service_that_is_away_is_lost(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            client = self.open_client(f"http://127.0.0.1:{free.getsockname()[1]}")
            with self.assertRaisesRegex(td.ConnectionLost, "could not be reached"):
                client.account()
        self.assertEqual(len(self.pauses), 4)

    def test_a_proxy_of_the_environment_is_used(self):
        self.given(answers({"ok": True}))
        proxy = self.base_url.replace("//", "//user:p%40ss@")
        with mock.patch.dict(os.environ, {"http_proxy": proxy, "no_proxy": "direct.test"}):
            self.open_client("http://service.test/base").account()
            with self.assertRaises(td.ConnectionLost):
                self.open_client("http://direct.test", timeout=5, max_retries=0).account()
        [(_, path, headers, _)] = self.seen
        self.assertEqual((path, headers["Host"]), ("http://service.test/base/v1/account", "service.test"))
        self.assertEqual(headers["Proxy-Authorization"], "Basic " + base64.b64encode(b"user:p@ss").decode())

    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl here")
    def test_tls_is_verified_also_within_the_tunnel_of_a_proxy(self):
        pem = make_certificate(self.folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.given(answers({"credits": 7}))
        base_url = self.base_url.replace("http:", "https:")
        with self.assertRaisesRegex(td.ConnectionLost, "(?i)certificate"):
            self.open_client(base_url).account()
        tunnel = Tunnel(self)
        with mock.patch.dict(os.environ, {"SSL_CERT_FILE": pem}):
            self.assertEqual(self.open_client(base_url).account()["credits"], 7)
            self.assertEqual(tunnel.asked, [])
            with mock.patch.dict(os.environ, {"https_proxy": tunnel.address}):
                self.assertEqual(self.open_client(base_url).account()["credits"], 7)
        self.assertEqual(tunnel.asked, [f"CONNECT {self.base_url[7:]}"])
        self.assertEqual(len(self.seen), 2)

    def test_an_answer_says_what_it_cost(self):
        costs = {"X_Credits_Charged": 1, "X_Credits_Balance": 99, "X_Cache": "MISS", "X_Request_Id": "one"}
        self.given(answers({"text": "1"}, **costs), answers({"text": "1"}))
        expected = {"request_id": "one", "charged": 1, "balance": 99, "cache": "MISS"}
        self.assertEqual(self.client.transcripts.get("manualEn001")["meta"], expected)
        self.assertEqual(set(self.client.transcripts.get("manualEn001")["meta"].values()), {None})

    def test_202_is_polled_at_its_address(self):
        pending = answers({"status": "pending", "poll_url": "/v1/transcript?request_id=one"}, 202, Retry_After=3)
        self.given(pending, pending, answers({"ok": True, "text": "1"}))
        self.assertEqual(self.client.transcripts.get("slow30sec01", format="srt")["text"], "1")
        self.assertEqual([path for _, path, _, _ in self.seen][1:], ["/v1/transcript?request_id=one"] * 2)
        self.assertEqual(self.pauses, [3, 3])

    def test_passages_are_asked_for_by_transcript_and_by_file_of_a_job(self):
        passages = [{"start": 0, "end": 2, "text": "One.", "url": "https://a.test"}]
        self.given(answers({"ok": True, "passages": passages}), answers({"ok": True, "passages": passages}))
        found = self.client.transcripts.get("manualEn001", format="json", passages=True, passage_characters=500)
        self.assertEqual(found["passages"], passages)
        self.assertEqual(self.client.jobs.passages("job-1", "manualEn001"), passages)
        self.assertEqual([path for _, path, _, _ in self.seen], [
            "/v1/transcript?video_id=manualEn001&format=json&passages=true&passage_characters=500",
            "/v1/jobs/job-1/files/manualEn001?passages=true",
        ])  # fmt: skip

    def test_lists_are_read_page_by_page(self):
        self.given(answers({"jobs": [1, 2], "next": "/v1/jobs?offset=2"}), answers({"jobs": [3], "next": None}))
        self.assertEqual(list(self.client.jobs.list(status="failed")), [1, 2, 3])
        self.assertEqual([path for _, path, _, _ in self.seen], ["/v1/jobs?status=failed", "/v1/jobs?offset=2"])

    def test_requests_are_listed_by_filters_and_found_by_id(self):
        self.given(answers({"requests": [1, 2], "next": None}), answers({"request": {"code": "no_captions"}}))
        self.assertEqual(list(self.client.requests.list(failed=True, start="2026-01-15")), [1, 2])
        self.assertEqual(self.client.requests.get("request-1")["code"], "no_captions")
        paths = ["/v1/requests?failed=true&from=2026-01-15", "/v1/requests/request-1"]
        self.assertEqual([path for _, path, _, _ in self.seen], paths)

    def test_a_link_is_handed_on_listed_and_taken_back(self):
        link = {"link": {"id": "l", "url": "https://a/links/l/x"}}
        self.given(answers(link, 201), answers({"links": [1, 2]}), answers(link), answers(link))
        self.assertEqual(self.client.links.create("manualEn001", start=61.5, end=70, days=7)["id"], "l")
        self.assertEqual(self.client.links.list(), [1, 2])
        self.client.links.get("l")
        self.client.links.end("l")
        self.assertEqual([(method, path, body) for method, path, _, body in self.seen], [
            ("POST", "/v1/links", {"video_id": "manualEn001", "start": 61.5, "end": 70, "days": 7}),
            ("GET", "/v1/links", None),
            ("GET", "/v1/links/l", None),
            ("DELETE", "/v1/links/l", None),
        ])  # fmt: skip

    def test_a_receiver_is_created_changed_tested_replayed_and_deleted(self):
        receiver = {"receiver": {"id": "r"}}
        self.given(
            answers({**receiver, "receiver_secret": "whsec_x"}, 201), answers({"receivers": [1]}), answers(receiver),
            answers(receiver), answers({"delivery": {"id": "d"}}, 202), answers({"replayed": 2, "is_complete": True}, 202),
            answers({"deleted": True}),
        )  # fmt: skip
        receivers = self.client.receivers
        made = receivers.create("Newsroom", "signed", "https://a/hook", ["job.completed"])
        self.assertEqual(made["receiver_secret"], "whsec_x")
        self.assertEqual(receivers.list(), [1])
        receivers.get("r")
        receivers.update("r", rotate_secret=True)
        self.assertEqual(receivers.test("r")["id"], "d")
        self.assertEqual(receivers.replay("r", "2026-01-15T12:00:00Z")["replayed"], 2)
        self.assertTrue(receivers.delete("r"))
        body = {"name": "Newsroom", "form": "signed", "url": "https://a/hook", "events": ["job.completed"]}
        self.assertEqual([(method, path, body) for method, path, _, body in self.seen], [
            ("POST", "/v1/receivers", body),
            ("GET", "/v1/receivers", None),
            ("GET", "/v1/receivers/r", None),
            ("PATCH", "/v1/receivers/r", {"rotate_secret": True}),
            ("POST", "/v1/receivers/r/test", None),
            ("POST", "/v1/receivers/r/replay", {"since": "2026-01-15T12:00:00Z"}),
            ("DELETE", "/v1/receivers/r", None),
        ])  # fmt: skip

    def test_a_monitor_listens_for_words_and_lists_where_they_were_said(self):
        monitor = {"monitor": {"id": "m", "words": ["crane"]}}
        self.given(
            answers(monitor, 201), answers({"transcripts": 10, "matches": [1]}), answers(monitor), answers(monitor),
            answers({"matches": [1], "next": "/v1/monitors/m/matches?offset=1"}), answers({"matches": [2], "next": None}),
        )  # fmt: skip
        created = self.client.monitors.create(channel="@a", auto_fetch=True, words=["crane"], mail="daily")
        self.assertEqual(created["words"], ["crane"])
        self.assertEqual(self.client.library.try_words(("crane",), channel="@a")["matches"], [1])
        self.client.monitors.update("m", words=["crane", '"night shift"'])
        self.client.monitors.update("m", words=[], mail="none", auto_fetch=False)
        self.assertEqual(list(self.client.monitors.matches("m")), [1, 2])
        self.assertEqual([(method, path, body) for method, path, _, body in self.seen], [
            ("POST", "/v1/monitors", {"channel": "@a", "auto_fetch": True, "words": ["crane"], "mail": "daily"}),
            ("POST", "/v1/library/words", {"words": ["crane"], "channel": "@a"}),
            ("PATCH", "/v1/monitors/m", {"words": ["crane", '"night shift"']}),
            ("PATCH", "/v1/monitors/m", {"words": [], "mail": "none", "auto_fetch": False}),
            ("GET", "/v1/monitors/m/matches", None),
            ("GET", "/v1/monitors/m/matches?offset=1", None),
        ])  # fmt: skip

    def test_a_job_is_waited_for_with_progress(self):
        jobs = [answers({"job": {"id": "job-1", "status": status}}) for status in ("running", "completed")]
        self.given(*jobs)
        seen = []
        self.client.jobs.wait("job-1", on_progress=lambda job: seen.append(job["status"]))
        self.assertEqual(seen, ["running", "completed"])

    def test_a_wait_may_end_before_its_job_and_never_waits_out_a_pause_in_silence(self):
        self.given(answers({"job": {"id": "job-1", "status": "paused", "resumes_at": "2026-01-16T00:00:00.000Z"}}))
        with self.assertRaises(TimeoutError), self.assertWarnsRegex(UserWarning, "until 2026-01-16T00:00"):
            self.client.jobs.wait("job-1", timeout=1)

    def test_the_warning_of_a_pause_names_the_line_that_waits(self):
        states = ("paused", "completed")
        self.given(*[answers({"job": {"id": "job-1", "status": status}}) for status in states])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.client.jobs.wait("job-1")
        if not self.is_asyncio:  # there it is the line of the task that awaits
            self.assertEqual(caught[0].filename, __file__)
        self.assertNotEqual(caught[0].filename, td.__file__)

    def test_each_pause_is_reported_once(self):
        states = ("running", "paused", "paused", "running", "paused", "completed")
        self.given(*[answers({"job": {"id": "job-1", "status": status}}) for status in states])
        seen = []
        self.client.jobs.wait("job-1", on_pause=lambda job: seen.append(job["status"]))
        self.assertEqual(seen, ["paused", "paused"])


@on_both
class Archives(ClientTest):
    def save(self, *acts):
        self.given(*acts)
        return self.client.jobs.archive("job-1", to=os.path.join(self.folder, "talks.zip"))

    def assert_no_file(self):
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_cut_download_goes_on_by_range(self):
        [saved] = self.save(sends_zip(cut_after=100_000), sends_zip(cut_after=50_000), sends_zip())
        self.assertEqual(pathlib.Path(saved.path).read_bytes(), ZIP)
        self.assertEqual(saved.sha256, hashlib.sha256(ZIP).hexdigest())
        self.assertEqual([headers.get("Range") for _, _, headers, _ in self.seen], [None, "bytes=100000-", "bytes=150000-"])
        self.assertEqual(self.seen[1][2]["If-Range"], '"one"')
        self.assertEqual(os.listdir(self.folder), ["talks.zip"])

    def test_a_wrong_digest_leaves_no_file(self):
        with self.assertRaisesRegex(td.DownloadError, "damaged"):
            self.save(sends_zip(digest=b"other"))
        self.assert_no_file()

    def test_another_archive_leaves_no_file(self):
        with self.assertRaisesRegex(td.DownloadError, "replaced"):
            self.save(sends_zip(cut_after=10), sends_zip(etag='"two"'))
        self.assert_no_file()

    def test_five_cuts_without_a_byte_end_it(self):
        with self.assertRaises(td.ConnectionLost):
            self.save(sends_zip(cut_after=0))
        self.assertEqual(len(self.seen), 5)
        self.assert_no_file()

    def test_an_archive_of_parts_is_waited_for_and_becomes_a_file_each(self):
        index = answers({"archive_id": "archive-1", "parts": [{"part": 1}, {"part": 2}]})
        saved = self.save(answers({"ok": True}, 202, Retry_After=1), index, sends_zip())
        self.assertEqual([os.path.basename(file.path) for file in saved], ["talks-1.zip", "talks-2.zip"])
        self.assertIn("part=2&archive_id=archive-1", self.seen[-1][1])

    def test_a_document_is_saved_as_an_archive_is(self):
        self.given(answers({"ok": True}, 202, Retry_After=1), sends_zip(cut_after=10), sends_zip())
        [saved] = self.client.jobs.document("job-1", to=os.path.join(self.folder, "talks.md"), max_words=5_000)
        self.assertEqual(pathlib.Path(saved.path).read_bytes(), ZIP)
        self.assertTrue(self.seen[-1][1].startswith("/v1/jobs/job-1/document?max_words=5000"), self.seen[-1][1])


class Concurrency(ServerTest):
    """What only AsyncTranscripts does."""

    def setUp(self):
        super().setUp()
        self.client = td.AsyncTranscripts("svc_live_test", self.base_url)

    def given_silence(self, raw=b""):
        """An answer that begins with `raw` and never ends. Returns two events: of the request, and of its end by the client."""
        began, ended = threading.Event(), threading.Event()

        def wait(handler):
            handler.close_connection = True
            handler.wfile.write(raw)
            began.set()
            try:
                handler.connection.recv(1)
            except ConnectionResetError:
                pass
            ended.set()

        self.given(wait)
        return began, ended

    async def cancel(self, calling, began):
        task = asyncio.ensure_future(calling)
        self.assertTrue(await asyncio.get_running_loop().run_in_executor(None, began.wait, 30))
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task

    def test_fifty_transcripts_are_fetched_at_once(self):
        together = threading.Barrier(50, timeout=30)

        def act(handler):
            together.wait()
            answers({"text": handler.path})(handler)

        self.given(act)
        ids = [f"manualEn{number:03}" for number in range(50)]

        async def fetch_all():
            async with self.client as client:
                return await asyncio.gather(*[client.transcripts.get(one) for one in ids])

        found = asyncio.run(fetch_all())
        self.assertEqual([one in transcript["text"] for one, transcript in zip(ids, found)], [True] * 50)

    def test_three_hundred_calls_at_once_take_a_hundred_connections(self):
        self.given(answers({"ok": True}))

        async def ask():
            async with self.client as client:
                await asyncio.gather(*[client.account() for _ in range(300)])

        asyncio.run(ask())
        self.assertEqual(len(self.seen), 300)
        self.assertLessEqual(self.server.accepted, td.MAX_CONNECTIONS)

    def test_a_cancelled_task_ends_its_request_and_sends_no_other(self):
        for raw in (b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", b"HTTP/1.1 200 OK\r\n\r\n{"):
            with self.subTest(raw):
                self.seen.clear()
                began, ended = self.given_silence(raw)
                asyncio.run(self.cancel(self.client.transcripts.get("manualEn001"), began))
                self.assertTrue(ended.wait(30))
                self.assertEqual(len(self.seen), 1)

    def test_a_cancelled_download_leaves_no_file(self):
        announced = f'Content-Length: 9\r\nETag: "one"\r\nRepr-Digest: sha-256=:{"A" * 43}=:'
        began, ended = self.given_silence(f"HTTP/1.1 200 OK\r\n{announced}\r\n\r\nPK".encode())
        asyncio.run(self.cancel(self.client.jobs.archive("job-1", to=os.path.join(self.folder, "talks.zip")), began))
        self.assertTrue(ended.wait(30))
        self.assertEqual(os.listdir(self.folder), [])

    def test_requests_that_are_cancelled_or_fail_take_no_room_from_others(self):
        async def ask():
            with mock.patch.object(td, "MAX_CONNECTIONS", 2):
                for _ in range(3):
                    began, _ = self.given_silence()
                    await self.cancel(self.client.account(), began)
                    self.given(drops, answers(envelope(retryable=False), 400), answers({"url": None}))
                    for _ in range(2):
                        with self.assertRaises(td.TranscriptsError):
                            await self.client.webhooks.test()
                    await self.client.account()
            await self.client.aclose()

        asyncio.run(asyncio.wait_for(ask(), 30))

    def test_calls_one_after_another_use_one_connection(self):
        self.given(answers({"ok": True}), answers(envelope(retryable=False), 404), sends_chunks(b"{}"), answers({"ok": True}))

        async def ask():
            await self.client.account()
            with self.assertRaises(td.ApiError):
                await self.client.account()
            self.assertEqual(self.server.accepted, 1)
            await self.client.account()  # which the service closes
            await self.client.account()
            await self.client.account()
            await self.client.aclose()

        asyncio.run(ask())
        self.assertEqual((self.server.accepted, len(self.seen)), (2, 5))

    def test_a_change_without_a_key_never_goes_on_a_connection_that_may_have_been_closed(self):
        self.given(answers({"delivery": 1}))

        async def ask():
            async with self.client as client:
                await client.account()
                await client.webhooks.test()

        asyncio.run(ask())
        self.assertEqual(self.server.accepted, 2)

    def test_a_client_outlives_an_event_loop(self):
        self.given(answers({"credits": 7}))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # of connections that no aclose has closed
            for _ in range(3):
                self.assertEqual(asyncio.run(self.client.account())["credits"], 7)
                self.assertEqual(len(self.client._connection.driver._pools), 1)
            self.client = None
            gc.collect()

    def test_callbacks_may_be_coroutines(self):
        self.given(*[answers({"job": {"id": "job-1", "status": status}}) for status in ("paused", "completed")])
        seen = []

        async def keep(job):
            await asyncio.sleep(0)
            seen.append(job["status"])

        async def wait():
            self.client._connection.driver.sleep = mock.AsyncMock()
            async with self.client as client:
                await client.jobs.wait("job-1", on_progress=keep, on_pause=keep)

        asyncio.run(wait())
        self.assertEqual(seen, ["paused", "paused", "completed"])

    def test_the_event_loop_is_free_while_a_call_waits(self):
        began, _ = self.given_silence()

        async def count():
            ticks = 0
            task = asyncio.ensure_future(self.client.account())
            while not began.is_set():
                await asyncio.sleep(0.001)
                ticks += 1
            task.cancel()
            return ticks

        self.assertGreater(asyncio.run(count()), 0)

    def test_it_has_every_method_of_transcripts(self):
        def calls(part):
            return {name for name in dir(part) if not name.startswith("_")}

        other = td.Transcripts("svc_live_test", self.base_url)
        self.assertEqual(calls(self.client) - calls(other), {"aclose"})
        for name in calls(other):
            if isinstance(getattr(other, name), td._Resource):
                for method in calls(getattr(other, name)):
                    one, two = (getattr(getattr(client, name), method) for client in (self.client, other))
                    self.assertEqual(inspect.signature(one), inspect.signature(two))
                    is_awaited = inspect.iscoroutinefunction(one) or "AsyncIterator" in str(inspect.signature(one))
                    self.assertTrue(is_awaited and not inspect.iscoroutinefunction(two), f"{name}.{method}")

    def test_the_examples_of_the_documents_run(self):
        readme = pathlib.Path(__file__).with_name("README.md").read_text("utf-8")
        guide = (CONTENT / "python.md").read_text("utf-8")
        for document in (readme, guide):
            [example] = [code for code in re.findall(r"^```py(?:thon)?\n(.*?)^```", document, re.M | re.S) if "asyncio" in code]
            self.given(answers({"text": "One.", "results": [{"url": "https://a.test"}], "next": None}))
            code = example.replace("{{publicUrl}}", self.base_url)
            printed = io.StringIO()
            environment = {"TRANSCRIPTS_API_KEY": "svc_live_test", "TRANSCRIPTS_BASE_URL": self.base_url}
            with mock.patch.dict(os.environ, environment), contextlib.redirect_stdout(printed):
                exec(compile(code, "example", "exec"), {"__name__": "example"})
            self.assertRegex(printed.getvalue(), r"One\.[\s\S]*https://a\.test")


class Webhooks(unittest.TestCase):
    vector = VECTORS[0]
    signed_at = int(vector["headers"]["x-service-timestamp"])

    def verify(self, body=None, headers=None, secret=None, now=None):
        body = self.vector["body"].encode() if body is None else body
        now = self.signed_at if now is None else now
        headers = {**self.vector["headers"], **(headers or {})}
        return td.verify_webhook(body, headers, self.vector["secret"] if secret is None else secret, now=now)

    def assert_refused(self, why=".", **given):
        with self.assertRaisesRegex(td.WebhookVerificationError, why):
            self.verify(**given)

    def test_names_each_mistake(self):
        body, secret, headers = self.vector["body"].encode(), self.vector["secret"], self.vector["headers"]
        self.assertEqual(self.verify(body=body.decode())["type"], "webhook.test")
        for parsed in (json.loads(body), None, 7, []):
            with self.assertRaisesRegex(td.WebhookVerificationError, "parsed already"):
                td.verify_webhook(parsed, headers, secret, now=self.signed_at)
        for missing in (None, "", " ", [], [""], [None], b"whsec_", 7 * [None]):
            with self.assertRaisesRegex(td.WebhookVerificationError, "no secret"):
                td.verify_webhook(body, headers, missing, now=self.signed_at)
        self.assert_refused("secret has white space", secret=f"{secret}\n")
        self.assert_refused("body has white space", body=body + b"\n")
        self.assert_refused("another one", secret="whsec_other")
        self.assert_refused("not signed", headers={"x-service-signature": ""})

    def test_takes_every_documented_request(self):
        for vector in VECTORS:
            with self.subTest(vector["headers"]["x-service-event"]):
                now = int(vector["headers"]["x-service-timestamp"])
                event = td.verify_webhook(vector["body"].encode(), vector["headers"], vector["secret"], now=now)
                self.assertEqual(event, json.loads(vector["body"]))

    def test_takes_either_secret_while_it_is_rotated(self):
        self.assertEqual(self.verify(secret=["whsec_new", self.vector["secret"]])["type"], "webhook.test")

    def test_refuses_another_body_secret_and_signature(self):
        self.assert_refused(body=b"{}")
        self.assert_refused(secret="whsec_other")
        self.assert_refused(secret=[])
        self.assert_refused(headers={"x-service-signature": "v1=" + "0" * 64})
        self.assert_refused(headers={"x-service-signature": ""})
        self.assert_refused(headers={"x-service-timestamp": "\u0661"})

    def test_refuses_what_an_empty_secret_has_signed(self):
        signed = f"{self.signed_at}.".encode() + self.vector["body"].encode()
        mac = td.hmac.new(b"", signed, hashlib.sha256).hexdigest()
        self.assert_refused(secret="", headers={"x-service-signature": f"v1={mac}"})

    def test_refuses_a_timestamp_that_is_more_than_five_minutes_off(self):
        self.assert_refused(now=self.signed_at + 301)
        self.assert_refused(now=self.signed_at - 301)


if __name__ == "__main__":
    unittest.main()
