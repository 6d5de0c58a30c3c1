import { hash } from 'node:crypto'

/** The 32 bytes of SHA-256 over some bytes or a text. By way of a text, because Node makes a buffer of its own three times as slowly. */
export const sha256 = (data: string | Uint8Array): Buffer => Buffer.from(hash('sha256', data, 'binary'), 'binary')
