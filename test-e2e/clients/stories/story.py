import asyncio
import dataclasses
import json
import sys

from transcript_delivery import AsyncTranscripts, Transcripts, WebhookVerificationError, verify_webhook

client = Transcripts()
what, first, *videos = sys.argv[1:]


def run_job():
    seen = []
    job = client.jobs.create(video_ids=videos, format="md")
    job = client.jobs.wait(job["id"], on_progress=seen.append)
    saved = [dataclasses.asdict(file) for file in client.jobs.archive(job["id"], to=first)]
    charged = job["credits"]["charged"]
    return {"job": job["id"], "counts": job["counts"], "charged": charged, "saved": saved, "progress": len(seen)}


async def read_at_once():
    async with AsyncTranscripts() as client:
        found = await asyncio.gather(*[client.transcripts.get(video) for video in (first, *videos)])
        received = [row["video_id"] async for row in client.library.list()]
        tried = await client.library.try_words(["crane"])
        monitor = await client.monitors.create(channel="UCsimulatedGiant00000000", auto_fetch=True, words=["crane"])
        words = ["crane", '"night shift"']
        changed = await client.monitors.update(monitor["id"], words=words, mail="daily")
        matches = [match async for match in client.monitors.matches(monitor["id"])]
        await client.monitors.cancel(monitor["id"])
    read = [transcript["video"]["id"] for transcript in found]
    return {
        "charged": sum(transcript["meta"]["charged"] for transcript in found),
        "missing": sorted({*read} - {*received}),
        "watched": [tried["transcripts"] > 0, changed["words"] == words, changed["mail"], len(matches)],
    }


def set_webhook():
    answer = client.webhooks.set(first, rotate_secret=True)
    client.webhooks.test()
    return answer


def verify():
    with open(first, encoding="utf-8") as file:
        given = json.load(file)
    body = given["body"].encode()
    event = verify_webhook(body, given["headers"], ["whsec_old", given["secret"]])
    try:
        verify_webhook(body + b" ", given["headers"], given["secret"])
    except WebhookVerificationError as error:
        return {"type": event["type"], "refused": type(error).__name__}


if what == "read":
    print(json.dumps(asyncio.run(read_at_once())))
else:
    print(json.dumps({"job": run_job, "webhook": set_webhook, "verify": verify}[what]()))
