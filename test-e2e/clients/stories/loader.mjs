import { TranscriptLoader } from '@transcript-delivery/langchain';

const failures = [];
const onFailure = ({ video, code }) => failures.push(`${video} ${code}`);
const load = (options) => new TranscriptLoader({ ...options, onFailure }).load();

const videos = await load({ videos: process.argv.slice(2) });
const channel = await load({ source: '@simulated-00', newest: 2, whole: true });

process.stdout.write(JSON.stringify({ videos, channel, failures }));
