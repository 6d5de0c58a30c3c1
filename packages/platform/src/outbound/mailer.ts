import type { WebSettings } from '@augury/settings/env'
import { createTransport } from 'nodemailer'

/** An e-mail in plain text. */
export interface Letter {
  /** Name of who writes, where the settings give an address only. */
  sender: string
  to: string
  subject: string
  text: string
}

/** Sends e-mail. */
export interface Mailer {
  /** Rejects with LetterError when the server did not accept the letter. */
  send(letter: Letter): Promise<void>
}

/** Timeouts in milliseconds; longer ones outlast the waiting request. */
const TIMEOUTS = { connectionTimeout: 4000, greetingTimeout: 4000, dnsTimeout: 4000, socketTimeout: 8000 }

type MailSettings = Pick<WebSettings, 'mode' | 'origin'> & Partial<Pick<WebSettings, 'smtpUrl' | 'mailFrom'>>

/** The mailer of the settings, or null. In production, letters and the password are only sent over TLS. */
export function openMailer({ smtpUrl, mailFrom, mode, origin }: MailSettings): Mailer | null {
  if (!smtpUrl) return null
  const requireTLS = mode === 'production' && smtpUrl.startsWith('smtp:')
  const transport = createTransport({ url: smtpUrl, requireTLS, disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS })
  const address = mailFrom ?? `no-reply@${new URL(origin).hostname}`
  return {
    async send({ sender, to, ...letter }) {
      const from = address.includes('<') ? address : { name: sender, address }
      // Prevents out-of-office replies.
      const headers = { 'Auto-Submitted': 'auto-generated' }
      // As an object it is taken as a single address, whatever it contains.
      await transport.sendMail({ from, to: { name: '', address: to }, headers, ...letter }).catch((failure: SmtpFailure) => {
        throw new LetterError(failure)
      })
    },
  }
}

/** Fields of the transport's errors. */
interface SmtpFailure extends Error {
  code?: string
  /** Code of the system call that failed. */
  originalCode?: string
  syscall?: string
  /** SMTP command that failed. */
  command?: string
  responseCode?: number
  response?: string
}

/** A letter was not accepted. The message has codes only, because servers repeat recipients, and some even the password, in their texts. */
export class LetterError extends Error {
  override readonly name = 'LetterError'
  /** Whether it certainly was not sent: the server refused it, or was never reached. */
  readonly isUntaken: boolean

  constructor({ name, code = name, originalCode, syscall, command, responseCode, response = '' }: SmtpFailure) {
    const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
    super([code, originalCode, command && `at ${command}`, responseCode, status].filter(Boolean).join(' '))
    this.isUntaken = responseCode !== undefined || syscall === 'connect' || code === 'EDNS'
  }
}
