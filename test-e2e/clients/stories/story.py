import dataclasses
import json
import sys

from transcript_delivery import Transcripts, WebhookVerificationError, verify_webhook

client = Transcripts()
what, first, *videos = sys.argv[1:]


def run_job():
    seen = []
    job = client.jobs.create(video_ids=videos, format="md")
    job = client.jobs.wait(job["id"], on_progress=seen.append)
    saved = [dataclasses.asdict(file) for file in client.jobs.archive(job["id"], to=first)]
    charged = job["credits"]["charged"]
    return {"job": job["id"], "counts": job["counts"], "charged": charged, "saved": saved, "progress": len(seen)}


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


print(json.dumps({"job": run_job, "webhook": set_webhook, "verify": verify}[what]()))
