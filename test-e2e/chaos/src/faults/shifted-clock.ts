/** Preloaded into a service: its calendar is off by `CLOCK_OFFSET_MS`, its monotonic clock and timers are not. */

const offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const TrueDate = Date;
const now = (): number => TrueDate.now() + offsetMs;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new TrueDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
