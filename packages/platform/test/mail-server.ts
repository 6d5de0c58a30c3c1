import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

/** An e-mail as received by the server. */
interface Taken {
  from: string
  to: string[]
  content: string
}

/** The password of the site's account. */
export const PASSWORD = 'pass word-of-the-letters'

/**
 * A mail server, closed after the tests of the file. It refuses mail to `full.test`, and closes the connection after mail to `lost.test`. Its
 * refusal of a wrong password repeats it, as some servers do.
 */
export async function mailServer(): Promise<{ letters: Taken[]; urlWith(password: string): string }> {
  const letters: Taken[] = []
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      password === PASSWORD ? done(null, { user: username }) : done(new Error(`no account with ${password}`)),
    onRcptTo: ({ address }, _, done) => done(address.endsWith('@full.test') ? new Error('mailbox full') : null),
    async onData(stream, { envelope, id }, done) {
      const content = await text(stream)
      const to = envelope.rcptTo.map(({ address }) => address)
      letters.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', to, content })
      if (!to.some((address) => address.endsWith('@lost.test'))) done()
      else for (const connection of server.connections) if (connection.id === id) connection.close()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as { port: number }
  return { letters, urlWith: (password) => `smtp://site:${encodeURIComponent(password)}@127.0.0.1:${port}` }
}

/** Decodes a letter: unfolds its lines and decodes encoded words and bytes. */
export function read(content: string): { head: string; body: string } {
  const [head = '', ...body] = content.split('\r\n\r\n')
  const isCoded = /quoted-printable/i.test(head)
  const plain = body.join('\n\n').replace(/=\r\n/g, '')
  const bytes = plain.replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  if (/base64/i.test(head)) return { head, body: Buffer.from(body.join(''), 'base64').toString() }
  return { head, body: isCoded ? Buffer.from(bytes, 'latin1').toString() : plain }
}

/** The token in a confirmation e-mail. */
export const tokenIn = (content: string): string => /https:\/\/site\.test\/confirm-email#([\w-]{43})\s/.exec(read(content).body)![1]!
