const ENDING_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;
/** One Ctrl-C arrives more than once: from the terminal, from npm and from the bootstrap. */
const SAME_WISH_MS = 2_000;

/**
 * Aborts when this process is to end in order: a signal, or the bootstrap's death. What arrives with it is the same
 * wish; a later Ctrl-C ends the process at once, which its guarded servers notice.
 */
export function endingSignal(): AbortSignal {
  const ending = new AbortController();
  let askedAtMs = 0;
  for (const event of ENDING_EVENTS) {
    process.on(event, () => {
      if (!ending.signal.aborted) askedAtMs = performance.now();
      else if (event === 'SIGINT' && performance.now() - askedAtMs > SAME_WISH_MS) process.exit(1);
      ending.abort();
    });
  }
  // To listen to it would keep this process waiting for it.
  process.channel?.unref();
  return ending.signal;
}
