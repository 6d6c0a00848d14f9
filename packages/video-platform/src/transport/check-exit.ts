import { receive } from '@tds/bounded-http';
import { defaultLimits } from '../config/limits.ts';
import type { Exit } from '../types.ts';
import { connectVia } from './connect-via.ts';

/** `password`: the proxy refuses its user; `proxy`: it opens no tunnel; `certificate`: not trusted, as with a wrong clock; `address`: not ours. */
export type ExitProblem = 'password' | 'proxy' | 'certificate' | 'address' | 'unreachable';

export type ExitCheck = {
  readonly ms: number;
  /** This machine's clock minus that of the platform; null if no answer came. */
  readonly clockAheadSeconds: number | null;
  readonly problem: ExitProblem | null;
};

const PATH = '/generate_204';
const CAP_BYTES = 64 * 1_024;

const textsIn = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error ? String(error.code) : '';
  return `${code} ${error.message} ${textsIn(error.cause)}`;
};

/** In the words of undici, socks and OpenSSL. */
const problems: readonly (readonly [RegExp, ExitProblem])[] = [
  [/\(407\)|authentication failed|not allowed by (?:the )?ruleset/i, 'password'],
  [/CERT_|_CERT|CERTIFICATE|self[- ]signed/i, 'certificate'],
  [/EADDRNOTAVAIL/, 'address'],
  [/when HTTP Tunneling|Socks5|proxy connection/i, 'proxy'],
];

const classifyProblem = (error: unknown): ExitProblem => {
  const text = textsIn(error);
  return problems.find(([pattern]) => pattern.test(text))?.[1] ?? 'unreachable';
};

/** Asks the platform for nothing through an exit. Never throws, and its result has no address. */
export const checkExit = async (origin: string, exit: Exit): Promise<ExitCheck> => {
  const dispatcher = connectVia(exit, defaultLimits, { connections: 1 });
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  try {
    const { headers } = await receive(
      dispatcher,
      { origin: new URL(origin).origin, path: PATH, method: 'GET', headers: { accept: '*/*' } },
      {
        signal: AbortSignal.timeout(defaultLimits.attemptMs),
        capBytes: CAP_BYTES,
        meter: { bytes: 0, status: null },
      },
    );
    const dateMs = Date.parse(String(headers.date));
    const clockAheadSeconds = Number.isNaN(dateMs) ? null : Math.round((Date.now() - dateMs) / 1_000);
    return { ms: elapsedMs(), clockAheadSeconds, problem: null };
  } catch (error) {
    return { ms: elapsedMs(), clockAheadSeconds: null, problem: classifyProblem(error) };
  } finally {
    await dispatcher.destroy();
  }
};
