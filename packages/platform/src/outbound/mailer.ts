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
  /** Rejects where the server did not take the letter. */
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
      await transport.sendMail({ from, to: { name: '', address: to }, ...letter })
    },
  }
}

/** Whether a failed letter certainly went nowhere: the server refused it, or was never reached. */
export function isUntaken(failure: unknown): boolean {
  const { responseCode, syscall, code } = failure as { responseCode?: number; syscall?: string; code?: string }
  return responseCode !== undefined || syscall === 'connect' || code === 'EDNS'
}
