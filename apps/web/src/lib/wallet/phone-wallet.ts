import { SignClient } from '@walletconnect/sign-client'
import { m } from '#lib/paraglide/messages.js'
import { extensionWallet, type Need } from './extension-wallet.ts'
import { type PhoneClient, type PhoneProvider, pairPhone } from './phone-provider.ts'
import { kindOf } from './provider-failure.ts'
import { type SiteWallet, WalletDeclined } from './site-wallet.ts'

/** A wallet on a phone, by WalletConnect. Loaded on first use, because it brings a large library and opens a connection to a relay. */

/** Milliseconds for the relay to answer. */
const RELAY_MS = 20_000

/** What a wallet on a phone is needed for, and how the page shows the way to it. */
export interface PhoneNeed extends Need {
  projectId: string
  /** Name of the site, which the wallet shows. */
  site: string
  onuri: (uri: string) => void
  signal: AbortSignal
}

let opened: Promise<PhoneClient> | null = null
let last: PhoneProvider | null = null

/** Pairs with a wallet on a phone. Every failure of wallet and relay is thrown as `WalletDeclined`. */
export async function phoneWallet({ projectId, site, onuri, signal, ...need }: PhoneNeed): Promise<SiteWallet> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(new WalletDeclined(m.wallet_phone_away())), RELAY_MS)
  const shown = (uri: string) => {
    clearTimeout(timer)
    onuri(uri)
  }
  const either = AbortSignal.any([signal, patience.signal])
  try {
    const client = await within(open(projectId, site), either)
    const provider = await pairPhone(client, { chainId: need.chainId, onuri: shown, signal: either })
    // One phone at a time: the session before is not left open on it.
    await last?.leave().catch(() => {})
    last = provider
    return await extensionWallet(provider, need)
  } catch (error) {
    if (error instanceof WalletDeclined) throw error
    throw new WalletDeclined(kindOf(error) === 'declined' || signal.aborted ? m.wallet_declined() : m.wallet_phone_away())
  } finally {
    clearTimeout(timer)
  }
}

/** Opens the client, once. It keeps nothing on the device: a session ends with the page. */
function open(projectId: string, site: string): Promise<PhoneClient> {
  if (opened) return opened
  const opening = SignClient.init({
    projectId,
    storage: memory(),
    telemetryEnabled: false,
    logger: 'silent',
    metadata: { name: site, description: site, url: location.origin, icons: [`${location.origin}/icon.svg`] },
  })
  opened = opening
  opening.catch(() => {
    opened = null
  })
  return opening
}

const within = <Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> =>
  Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])

/** Storage of the client in memory. */
function memory() {
  const kept = new Map<string, unknown>()
  return {
    getKeys: async () => [...kept.keys()],
    getEntries: async <Value>() => [...kept.entries()] as [string, Value][],
    getItem: async <Value>(key: string) => kept.get(key) as Value | undefined,
    setItem: async (key: string, value: unknown) => void kept.set(key, value),
    removeItem: async (key: string) => void kept.delete(key),
  }
}
