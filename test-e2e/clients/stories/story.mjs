import { readFileSync } from 'node:fs';
import { Transcripts, verifyWebhook } from '@transcript-delivery/sdk';

const client = new Transcripts();
const [what, first, ...videos] = process.argv.slice(2);

const stories = {
  async job() {
    let progress = 0;
    const job = await client.jobs.create({ video_ids: videos, format: 'md' });
    await job.wait({ onProgress: () => progress++ });
    const saved = await job.archive({ to: first });
    return { job: job.id, counts: job.data.counts, charged: job.data.credits.charged, saved, progress };
  },
  async webhook() {
    const set = await client.webhooks.set({ url: first });
    await client.webhooks.test();
    return set;
  },
  async verify() {
    const { body, headers, secret } = JSON.parse(readFileSync(first, 'utf8'));
    const { type } = await verifyWebhook(body, headers, ['whsec_old', secret]);
    const refused = await verifyWebhook(`${body} `, headers, secret).catch(({ name }) => name);
    return { type, refused };
  },
};

process.stdout.write(JSON.stringify(await stories[what]()));
