/** Computes a value once per object and keeps it as long as the object lives. */
export const memoize = <Key extends object, Value extends object | string | null>(
  work: (key: Key) => Value,
): ((key: Key) => Value) => {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const cached = values.get(key);
    if (cached !== undefined) return cached;
    const value = work(key);
    values.set(key, value);
    return value;
  };
};
