import { type ApiKey, requestSigner } from '@augury/signing/request-signer'
import { LOGIN_MS } from '@augury/wire/limits'
import { type RefusalCode, refusals } from '@augury/wire/refusals'
import type { UserRequest } from '@augury/wire/user-stream'
import { RefusedError } from './answer.ts'
import type { VenueClient } from './rest.ts'

type Auth = Extract<UserRequest, { type: 'user' }>['auth']

/** A stream's refusal, as the error that a request would throw. */
export const streamRefusal = (message: { error: string; code: string }): RefusedError =>
  new RefusedError(refusals[message.code as RefusalCode]?.status ?? 400, message, undefined)

/** The login of a socket: signed like a `GET` of its path. */
export async function signedLogin({ key, secret, passphrase }: ApiKey, path: string, unixMs: number): Promise<Auth> {
  const timestamp = Math.floor(unixMs / 1000)
  const signature = await (await requestSigner(secret))({ timestamp, method: 'GET', path })
  return { key, passphrase, timestamp: String(timestamp), signature }
}

/** Signs logins of a stream, correcting the clock by the server's. */
export class StreamLogin {
  readonly #apiKey: ApiKey
  readonly #client: Pick<VenueClient, 'getTime'>
  readonly #path: string
  /** Milliseconds by which the server's clock is ahead of ours. */
  #clockAhead: number | Promise<number> = 0

  constructor(apiKey: ApiKey, client: Pick<VenueClient, 'getTime'>, path = '/ws/user') {
    this.#apiKey = apiKey
    this.#client = client
    this.#path = path
  }

  /** Signs a new login. */
  async auth(): Promise<Auth> {
    return signedLogin(this.#apiKey, this.#path, Date.now() + (await this.#clockAhead))
  }

  /** Corrects the clock by the server's for the next login. */
  learnClock(): void {
    const signal = AbortSignal.timeout(LOGIN_MS / 2) // the next login waits for it, and the server for the login
    this.#clockAhead = this.#client.getTime({}, { signal }).then(
      (seconds) => seconds * 1000 - Date.now(),
      () => 0,
    )
  }
}
