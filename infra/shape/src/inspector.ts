type Answer = { readonly id: number; readonly result: unknown };
type Coverage = {
  readonly url: string;
  readonly functions: readonly { readonly ranges: { count: number }[] }[];
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
    /** The URLs of the files of which a function was called since the last time. */
    takeCalledFiles: async (): Promise<string[]> => {
      const { result } = await ask<{ result: Coverage[] }>('Profiler.takePreciseCoverage');
      return result
        .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
        .map(({ url }) => url);
    },
    close: () => socket.close(),
  };
};
