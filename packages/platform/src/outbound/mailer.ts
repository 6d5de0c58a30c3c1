import { createTransport } from 'nodemailer'
import type { SiteSettings } from '../site.ts'

/** A letter in plain text. */
export interface Letter {
  to: string
  subject: string
  text: string
}

/** Writes to people outside. */
export interface Mailer {
  /** Rejects with a `LetterError` where the server did not take the letter. */
  send(letter: Letter): Promise<void>
}

/** Beyond these whoever waits for the answer has gone. */
const TIMEOUTS = { connectionTimeout: 4000, greetingTimeout: 4000, dnsTimeout: 4000, socketTimeout: 8000 }

/** The mailer that the settings name, or null. In production letters, and the password, travel encrypted or not at all. */
export function openMailer({ smtpUrl, mailFrom, mode, origin }: SiteSettings): Mailer | null {
  if (!smtpUrl) return null
  const requireTLS = mode === 'production' && smtpUrl.startsWith('smtp:')
  const transport = createTransport({ url: smtpUrl, requireTLS, disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS })
  const from = mailFrom ?? `no-reply@${new URL(origin).hostname}`
  return {
    async send({ to, ...letter }) {
      // As an object an address is one, whatever it looks like.
      await transport.sendMail({ from, to: { name: '', address: to }, ...letter }).catch((failure: SmtpFailure) => {
        throw new LetterError(failure)
      })
    },
  }
}

/** What the transport says of a failure, where it does. */
interface SmtpFailure extends Error {
  code?: string
  /** Code of the system call that failed below. */
  originalCode?: string
  syscall?: string
  /** Step of the protocol. */
  command?: string
  responseCode?: number
  response?: string
}

/** A letter that was not taken, told by codes alone: servers say again whom they were asked to write to, some also the password. */
export class LetterError extends Error {
  override readonly name = 'LetterError'
  /** Whether it certainly went nowhere: the server refused it, or was never reached. */
  readonly isUntaken: boolean

  constructor({ name, code = name, originalCode, syscall, command, responseCode, response = '' }: SmtpFailure) {
    const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
    super([code, originalCode, command && `at ${command}`, responseCode, status].filter(Boolean).join(' '))
    this.isUntaken = responseCode !== undefined || syscall === 'connect' || code === 'EDNS'
  }
}
