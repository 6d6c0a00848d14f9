const HEAD_LENGTH_BYTES = 4;

/** Four bytes with the length of the head (big-endian), the head as JSON, then the body as it is. */
export const encodeBody = (head: unknown, body: Uint8Array): Buffer => {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(HEAD_LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, body]);
};

/** The parts of an encoded value, without copying the body; null for anything that is none. */
export const decodeBody = (value: Buffer): { head: unknown; body: Buffer } | null => {
  if (value.length < HEAD_LENGTH_BYTES) return null;
  const bodyStart = HEAD_LENGTH_BYTES + value.readUInt32BE();
  if (bodyStart > value.length) return null;
  try {
    const head: unknown = JSON.parse(value.toString('utf8', HEAD_LENGTH_BYTES, bodyStart));
    return { head, body: value.subarray(bodyStart) };
  } catch {
    // Not ours, or cut: as good as absent.
    return null;
  }
};
