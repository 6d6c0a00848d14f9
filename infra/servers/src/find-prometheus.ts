import path from 'node:path';
import { unpackPackage } from './debian-packages.ts';
import { toolsDir } from './paths.ts';
import { isExecutable } from './server-versions.ts';

const unpackedDir = path.join(toolsDir, 'prometheus');
const places = (): string[] =>
  [...(process.env.PATH ?? '').split(path.delimiter), path.join(unpackedDir, 'usr/bin')].filter(
    path.isAbsolute,
  );

export type PrometheusPrograms = { readonly prometheus: string; readonly promtool: string };

/** Both from one folder, so that the server reads every file that the tool accepts. */
const find = (): PrometheusPrograms | undefined =>
  places()
    .map((dir) => ({ prometheus: path.join(dir, 'prometheus'), promtool: path.join(dir, 'promtool') }))
    .find(({ prometheus, promtool }) => isExecutable(prometheus) && isExecutable(promtool));

/** Prometheus and its tool, on PATH or unpacked from Debian's package; rejects with a sentence if both are missing. */
export const findPrometheus = async (): Promise<PrometheusPrograms> => {
  const there = find();
  if (there) return there;
  const why = await unpackPackage('prometheus', unpackedDir).catch((error: Error) => error.message);
  const fetched = find();
  if (fetched) return fetched;
  throw new Error(
    `Prometheus is missing on this machine. Not fetched: ${why}\nTo install: sudo apt-get install prometheus, or see https://prometheus.io/download; whatever is on PATH is used.`,
  );
};
