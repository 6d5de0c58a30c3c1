import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as a cookie or a bearer token holds them. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a secret that has entropy enough: its SHA-256. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
