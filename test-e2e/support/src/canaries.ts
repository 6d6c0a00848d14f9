import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Evidence, Finding } from '@tds/audit';
import { apiKeyPattern } from '@tds/contracts';

/** Secrets are longer than a dozen characters: a chunk's end is looked at together with the next one's beginning. */
const MAX_SECRET_LENGTH = 128;
const anyKey = new RegExp(apiKeyPattern.source, 'g');

const secretIn = (text: string, secrets: ReadonlySet<string>): string | undefined => {
  const key = text.match(anyKey)?.[0];
  if (key) return key;
  for (const secret of secrets) if (text.includes(secret)) return secret;
  return undefined;
};

const finding = (subject: string, secret: string): Finding => ({
  invariant: 'I13',
  subject,
  what: 'a secret where everyone can read it',
  expected: 'none',
  found: `${secret.slice(0, 12)}...`,
});

const scanFile = async (file: string, secrets: ReadonlySet<string>): Promise<Finding[]> => {
  let tail = '';
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    const text = tail + String(chunk);
    const secret = secretIn(text, secrets);
    if (secret) return [finding(file, secret)];
    tail = text.slice(-MAX_SECRET_LENGTH);
  }
  return [];
};

/** A broker deletes files of its store at any time. */
const noneIfGone = (error: NodeJS.ErrnoException): Finding[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};

const filesIn = async (dir: string): Promise<string[]> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
};

const MESSAGES = `
  SELECT 'outbox ' || id AS place, payload::text || headers::text AS text FROM messaging.outbox
  UNION ALL SELECT 'task ' || id, payload::text || headers::text || coalesce(last_error, '') FROM messaging.tasks
  UNION ALL SELECT 'dead letter ' || id, payload::text || headers::text || reason FROM messaging.dead_letters`;

const scanMessages = async (
  { rows }: Evidence,
  service: string,
  secrets: ReadonlySet<string>,
): Promise<Finding[]> => {
  const messages = await rows<{ place: string; text: string }>(service, MESSAGES);
  return messages.flatMap(({ place, text }) => {
    const secret = secretIn(text, secrets);
    return secret ? [finding(`${service}, ${place}`, secret)] : [];
  });
};

export type Places = {
  readonly files: readonly string[];
  readonly dirs: readonly string[];
  readonly services: readonly string[];
};

/** I13: no key, known or not, and no session token in any log, in the broker's store or in any message. */
export const checkSecrets = async (
  evidence: Evidence,
  { files, dirs, services }: Places,
  secrets: ReadonlySet<string>,
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const file of files) findings.push(...(await scanFile(file, secrets)));
  const stored = (await Promise.all(dirs.map(filesIn))).flat();
  for (const file of stored) findings.push(...(await scanFile(file, secrets).catch(noneIfGone)));
  for (const service of services) findings.push(...(await scanMessages(evidence, service, secrets)));
  return findings;
};
