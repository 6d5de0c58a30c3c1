import { signedHeaderNames } from '@augury/venue/access/gateway'
import { type Logger, pino } from 'pino'

/** Keys whose values never reach a log, wherever they stand in a line's objects. */
const SECRETS = ['secret', 'passphrase', 'signature', 'authorization', 'cookie', 'apiKeySecret', ...signedHeaderNames]

/** The log of the service: one JSON object a line. What anybody could sign with is never written. */
export const openLog = (level: string): Logger =>
  pino({
    name: 'clob-server',
    level,
    base: { name: 'clob-server' },
    redact: {
      paths: SECRETS.flatMap((key) => ['', '*.', '*.*.'].map((prefix) => (prefix ? `${prefix.slice(0, -1)}["${key}"]` : `["${key}"]`))),
      censor: '[redacted]',
    },
  })
