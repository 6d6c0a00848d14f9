type Answer = { readonly id: number; readonly result: unknown };
type Coverage = {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: { count: number; startOffset: number; endOffset: number }[];
  }[];
};
/** A function at its place in a file, in characters. */
export type CalledFunction = {
  readonly url: string;
  readonly start: number;
  readonly end: number;
  readonly calls: number;
};

/** A connection to the inspector of a process that was started with `--inspect`. */
export const connectInspector = async (port: number) => {
  const targets = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [{ webSocketDebuggerUrl }] = (await targets.json()) as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as Answer;
    waiting.get(id)?.(result);
  });
  let last = 0;
  const ask = <Result>(method: string, params: object = {}): Promise<Result> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve as (result: unknown) => void);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return {
    startCoverage: async () => {
      await ask('Profiler.enable');
      await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    },
    /** All known functions, with their calls since the last time. */
    takeCalls: async (): Promise<CalledFunction[]> => {
      const { result } = await ask<{ result: Coverage[] }>('Profiler.takePreciseCoverage');
      return result.flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges: [range] }) =>
          range ? [{ url, start: range.startOffset, end: range.endOffset, calls: range.count }] : [],
        ),
      );
    },
    close: () => socket.close(),
  };
};
