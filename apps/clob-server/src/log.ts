import { loggedError } from '@augury/settings/logged-error'
import { signedHeaderNames } from '@augury/venue/serve/access/gateway'
import { type Logger, pino } from 'pino'

/** Keys whose values are never logged, wherever they occur in a line's objects. */
const SECRETS = ['secret', 'passphrase', 'signature', 'authorization', 'cookie', 'apiKeySecret', ...signedHeaderNames]

/** Opens the service's log: one JSON object per line. Nothing that one could sign with is written. */
export const openLog = (level: string): Logger =>
  pino({
    name: 'clob-server',
    level,
    base: { name: 'clob-server' },
    serializers: { err: loggedError },
    redact: {
      paths: SECRETS.flatMap((key) => ['', '*.', '*.*.'].map((prefix) => (prefix ? `${prefix.slice(0, -1)}["${key}"]` : `["${key}"]`))),
      censor: '[redacted]',
    },
  })
