import type { Fetch } from '@augury/client/answer'
import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { signIn } from '@augury/client/sign-in'
import { type ApiKey, requestSigner, signedHeaders } from '@augury/signing/request-signer'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ask } from './ask.ts'

/** URLs of the attacked system. */
export interface Places {
  site: string
  exchange: string
}

/** The parts of a request that a signature covers. */
interface Request {
  origin: string
  method: string
  target: string
  body: string | undefined
}

/** A caller: adds credentials to a request. */
export interface Person {
  name: string
  headers(request: Request): Promise<Record<string, string>>
  /** Signs in again where a request ended the session or the key, so that the next route also sees a member. */
  comeBack(): Promise<void>
}

/** An anonymous caller. */
export const visitor: Person = { name: 'visitor', headers: async () => ({}), comeBack: async () => {} }

/** A caller with a session on the site and a key of the exchange, from an address of their own. */
export async function newPerson(
  { site, exchange }: Places,
  name: string,
  { wallet, scope = 'trade' }: { wallet: PrivateKeyAccount; scope?: 'trade' | 'venue' },
): Promise<Person> {
  const send: Fetch = (input, init) => {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', `203.0.113.${1 + Math.floor(Math.random() * 254)}`)
    return fetch(input, { ...init, headers })
  }
  const { chain_id: chainId } = await venueClient({ url: exchange }).getStatus()
  let token = ''
  let key: ApiKey
  let sign: Awaited<ReturnType<typeof requestSigner>>
  const enter = async () => {
    token = (await signIn({ url: site, wallet, chainId, fetch: send })).token
  }
  const takeKey = async () => {
    key = await createApiKey({ url: exchange, wallet, scope, fetch: send })
    sign = await requestSigner(key.secret)
  }
  await enter()
  await takeKey()

  const headers = async ({ origin, method, target, body = '' }: Request): Promise<Record<string, string>> => {
    if (origin === site) return { authorization: `Bearer ${token}` }
    const timestamp = Math.floor(Date.now() / 1000)
    const path = method === 'GET' ? target.split('?')[0]! : target
    return signedHeaders(key, timestamp, await sign({ timestamp, method, path, body }))
  }
  const isRefused = async (origin: string, target: string) =>
    (await ask(origin, target, { headers: await headers({ origin, method: 'GET', target, body: undefined }) })).status === 401
  return {
    name,
    headers,
    async comeBack() {
      if (await isRefused(site, '/api/notifications')) await enter()
      if (await isRefused(exchange, '/auth/api-keys')) await takeKey()
    },
  }
}

/** A new member with some play money. */
export async function newMember(places: Places, name: string): Promise<Person> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const member = await newPerson(places, name, { wallet })
  await venueClient({ url: places.exchange }).faucet({ body: { address: wallet.address, amount: '1000' } })
  return member
}
