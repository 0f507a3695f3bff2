/** Bytes that must be UTF-8: ill-formed ones are refused, because a replaced character would name another file. */

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws TypeError for ill-formed bytes */
export function decodeUtf8(bytes: Uint8Array): string {
  return strict.decode(bytes);
}
