import { hash } from 'node:crypto'

/** SHA-256 (32 bytes) of bytes or a text. Goes through a binary string, as Node's own buffer output is three times as slow. */
export const sha256 = (data: string | Uint8Array): Buffer => Buffer.from(hash('sha256', data, 'binary'), 'binary')
