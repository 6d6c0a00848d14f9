import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { verifyStandardWebhook, verifyWebhook } from './verify-webhook.ts';

const content = path.join(import.meta.dirname, '../../../../../packages/web/site/content');
const page = readFileSync(path.join(content, 'webhooks.md'), 'utf8');
const dir = mkdtempSync(path.join(tmpdir(), 'verify-webhooks-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const codeIn = (language: string): string => {
  const code = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1];
  if (code === undefined) throw new Error(`the page has no ${language}`);
  return code;
};

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const BODY = JSON.stringify({ type: 'webhook.test', data: { title: 'Grüße 🎬' } });
const seconds = Math.floor(Date.now() / 1_000);
const sign = (timestamp: string, secret = SECRET) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex')}`;
const at = (timestamp: number) => ({
  timestamp: String(timestamp),
  signature: sign(String(timestamp)),
  body: BODY,
});

/** The first one is ours, and only that. */
const requests = [
  at(seconds),
  { ...at(seconds), body: BODY.replace('test', 'tesT') },
  { ...at(seconds), signature: sign(String(seconds), 'whsec_another') },
  { ...at(seconds), signature: sign(String(seconds)).toUpperCase() },
  { ...at(seconds), signature: sign(String(seconds)).slice(0, -1) },
  { ...at(seconds), signature: '' },
  { ...at(seconds), timestamp: '' },
  { ...at(seconds), timestamp: String(seconds + 1) },
  at(seconds - 360),
  at(seconds + 360),
];
const EXPECTED = requests.map((_request, index) => index === 0);

const run = (command: string, file: string, text: string, args: readonly string[] = []): boolean[] => {
  const at = path.join(dir, file);
  writeFileSync(at, text);
  return JSON.parse(
    execFileSync(command, [...args, at], { input: JSON.stringify(requests), encoding: 'utf8', cwd: dir }),
  );
};
const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const hasGo = spawnSync('go', ['version']).status === 0;

const typeScript = `${codeIn('ts')}
import { readFileSync } from 'node:fs';
const requests = JSON.parse(readFileSync(0, 'utf8')) as { timestamp: string; signature: string; body: string }[];
console.log(JSON.stringify(requests.map(({ timestamp, signature, body }) =>
  isOurs('${SECRET}', new Headers({ 'x-service-timestamp': timestamp, 'x-service-signature': signature }), Buffer.from(body)))));
`;
const python = `${codeIn('python')}
import json, sys
print(json.dumps([
    is_ours("${SECRET}", {"X-Service-Timestamp": r["timestamp"], "X-Service-Signature": r["signature"]}, r["body"].encode())
    for r in json.load(sys.stdin)
]))
`;
const go = `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/hex"; "encoding/json"; "math"; "net/http"; "os"; "strconv"; "time")
${codeIn('go')}
func main() {
	var requests []struct{ Timestamp, Signature, Body string }
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil { panic(err) }
	results := []bool{}
	for _, r := range requests {
		header := http.Header{}
		header.Set("X-Service-Timestamp", r.Timestamp)
		header.Set("X-Service-Signature", r.Signature)
		results = append(results, IsOurs("${SECRET}", header, []byte(r.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
`;

describe('the verification that the page shows', () => {
  it('takes what is ours and nothing else, in TypeScript', () => {
    expect(run(process.execPath, 'verify.ts', typeScript)).toEqual(EXPECTED);
  });

  (has('python3') ? it : it.skip)('does the same in Python', () => {
    expect(run('python3', 'verify.py', python)).toEqual(EXPECTED);
  });

  (hasGo ? it : it.skip)('does the same in Go', () => {
    expect(run('go', 'verify.go', go, ['run'])).toEqual(EXPECTED);
  });

  it('in the receiver takes every test vector in both ways, and none with another body or secret', () => {
    const vectors = JSON.parse(readFileSync(path.join(content, 'webhook-vectors.json'), 'utf8'));
    for (const { secret, headers, body } of vectors) {
      const now = Number(headers['x-service-timestamp']) * 1_000;
      const raw = Buffer.from(body);
      expect(verifyWebhook(secret, headers, raw, now) && verifyStandardWebhook(secret, headers, raw)).toBe(
        true,
      );
      const other = Buffer.from(body.replace('type', 'Type'));
      expect(verifyWebhook(secret, headers, other, now) || verifyStandardWebhook(secret, headers, other)).toBe(
        false,
      );
      expect(verifyWebhook(`${secret}A`, headers, raw, now)).toBe(false);
    }
  });
});
