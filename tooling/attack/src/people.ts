import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { signIn } from '@augury/client/sign-in'
import { requestSigner, signedHeaders } from '@augury/signing/request-signer'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** Where things are. */
export interface Places {
  site: string
  exchange: string
}

/** Somebody who asks: adds to a request what says who it is from. */
export interface Person {
  name: string
  headers(request: { origin: string; method: string; target: string; body: string | undefined }): Promise<Record<string, string>>
}

/** Nobody in particular. */
export const nobody: Person = { name: 'nobody', headers: async () => ({}) }

/** A new member with a session on the site, a key of the exchange, and some play money. */
export async function newMember({ site, exchange }: Places, name: string): Promise<Person> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const venue = venueClient({ url: exchange })
  const { chain_id: chainId } = await venue.getStatus()
  const { token } = await signIn({ url: site, wallet, chainId })
  const key = await createApiKey({ url: exchange, wallet })
  await venue.faucet({ body: { address: wallet.address, amount: '1000' } })
  const sign = await requestSigner(key.secret)
  return {
    name,
    async headers({ origin, method, target, body = '' }) {
      if (origin === site) return { authorization: `Bearer ${token}` }
      const timestamp = Math.floor(Date.now() / 1000)
      const path = method === 'GET' ? target.split('?')[0]! : target
      return signedHeaders(key, timestamp, await sign({ timestamp, method, path, body }))
    },
  }
}
