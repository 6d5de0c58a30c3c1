import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, for cookies and bearer tokens. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a high-entropy secret: its SHA-256. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
