import { generateSync } from 'otplib'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { signedMessage } from '../../platform/test/signing-in.ts'
import { requireDocumented } from './documented.ts'
import type { TestSite } from './test-site.ts'

/** A response with its parsed body. */
export interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
  body: any
  headers: Headers
}

/** Optional parts of a request. */
export interface Unusual {
  headers?: Record<string, string | null>
  clientAddress?: string
  text?: string
}

/** The wallet whose private key is this number. */
export const walletOf = (number: number): PrivateKeyAccount => privateKeyToAccount(`0x${number.toString(16).padStart(64, '0')}`)

/** A browser with a cookie jar, sending requests as pages of the site do. */
export class Browser {
  readonly jar = new Map<string, string>()
  readonly #at: TestSite

  constructor(at: TestSite) {
    this.#at = at
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, clientAddress = '192.0.2.1', text }: Unusual = {},
  ): Promise<Answered> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const usual = { cookie: cookie || null, origin: 'https://site.test', 'content-type': 'application/json' }
    const sent = Object.entries({ ...usual, ...headers }).filter((pair): pair is [string, string] => pair[1] !== null)
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await this.#at.app.request(
      path,
      { method, headers: sent, ...(content === undefined ? {} : { body: content }) },
      { clientAddress },
    )
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const answered = { status: response.status, body: JSON.parse((await response.text()) || 'null'), headers: response.headers }
    requireDocumented(method, path, answered)
    return answered
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/Max-Age=0/.test(line)) this.jar.delete(name)
    else this.jar.set(name, value)
  }

  get(path: string, unusual?: Unusual): Promise<Answered> {
    return this.call('GET', path, undefined, unusual)
  }

  post(path: string, body: unknown = {}, unusual?: Unusual): Promise<Answered> {
    return this.call('POST', path, body, unusual)
  }

  /** Signs a sign-in message of a wallet, for a new nonce of this browser unless given. */
  async signed(wallet: PrivateKeyAccount, nonce?: string): Promise<{ message: string; signature: string }> {
    return signedMessage(this.#at.site, wallet, nonce ?? (await this.post('/api/auth/siwe/nonce')).body.nonce)
  }

  /** The first step of a sign-in, and the only one without a second factor. */
  async signIn(wallet: PrivateKeyAccount): Promise<Answered> {
    return this.post('/api/auth/siwe/verify', await this.signed(wallet))
  }

  /** The authenticator's code, `steps` of 30 seconds from now. */
  code(secret: string, steps = 0): string {
    return generateSync({ secret, epoch: Math.floor(this.#at.clock.now() / 1000) + steps * 30 })
  }

  /** Turns the second factor on and returns its secret and recovery codes. Moves the clock past the used code. */
  async enroll(approval?: object): Promise<{ secret: string; recoveryCodes: string[] }> {
    const { body } = await this.post('/api/auth/two-factor/enroll', approval ? { approval } : undefined)
    const secret = new URL(body.otpauthUri).searchParams.get('secret')!
    const { status } = await this.post('/api/auth/two-factor/confirm', { code: this.code(secret) })
    if (status !== 200) throw new Error(`confirm answered ${status}`)
    this.#at.clock.advance(30_000)
    return { secret, recoveryCodes: body.recoveryCodes }
  }
}
