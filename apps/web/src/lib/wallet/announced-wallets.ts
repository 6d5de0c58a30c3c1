/** Provider of a wallet (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
  on?(event: 'accountsChanged', listener: (accounts: string[]) => void): unknown
  removeListener?(event: 'accountsChanged', listener: (accounts: string[]) => void): unknown
}

/** A wallet of this browser: announced to the page (EIP-6963), or found at `window.ethereum`. */
export interface AnnouncedWallet {
  /** `icon` is a data URL, or empty. */
  info: { uuid: string; name: string; icon: string }
  provider: Provider
}

/** A provider that does not announce itself, with the flags by which such wallets tell their names. */
type Injected = Provider & { providers?: unknown } & Readonly<Record<string, unknown>>

/** Flags of injected providers. Most wallets also claim to be MetaMask, so that one is last. */
const NAMES = [
  ['isRabby', 'Rabby'],
  ['isTrust', 'Trust Wallet'],
  ['isTrustWallet', 'Trust Wallet'],
  ['isCoinbaseWallet', 'Coinbase Wallet'],
  ['isOkxWallet', 'OKX Wallet'],
  ['isBitKeep', 'Bitget Wallet'],
  ['isTokenPocket', 'TokenPocket'],
  ['isImToken', 'imToken'],
  ['isPhantom', 'Phantom'],
  ['isBraveWallet', 'Brave Wallet'],
  ['isMetaMask', 'MetaMask'],
] as const

/** Milliseconds after which the page looks for `window.ethereum` again: the browser of a phone wallet may inject it late. */
const LATER_MS = [500, 1500, 4000]

/** Calls `found` with the wallets of this browser, now and whenever there are others, until the returned function is called. */
export function watchWallets(found: (wallets: AnnouncedWallet[]) => void, nameless: string): () => void {
  const announced = new Map<string, AnnouncedWallet>()
  let shown = ''
  const tell = () => {
    const wallets = announced.size > 0 ? [...announced.values()] : injectedWallets(nameless)
    const keys = wallets.map(({ info }) => info.uuid).join()
    if (keys !== shown) found(wallets)
    shown = keys
  }
  const onAnnounce = (event: Event) => {
    const wallet = readAnnouncement((event as CustomEvent).detail)
    if (wallet) announced.set(wallet.info.uuid, wallet)
    tell()
  }
  window.addEventListener('eip6963:announceProvider', onAnnounce)
  window.addEventListener('ethereum#initialized', tell)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  tell()
  const timers = LATER_MS.map((ms) => setTimeout(tell, ms))
  return () => {
    for (const timer of timers) clearTimeout(timer)
    window.removeEventListener('eip6963:announceProvider', onAnnounce)
    window.removeEventListener('ethereum#initialized', tell)
  }
}

/** Characters of an icon that are kept: it is drawn as 28 pixels. */
const ICON_MAX = 200_000

/** Reads an announcement; null if it is not one. Extensions write it, so any part may be missing, false or huge. */
function readAnnouncement(detail: unknown): AnnouncedWallet | null {
  const { info, provider } = (detail ?? {}) as { info?: Partial<AnnouncedWallet['info']>; provider?: unknown }
  if (!isProvider(provider) || typeof info?.uuid !== 'string' || typeof info.name !== 'string') return null
  const isIcon = typeof info.icon === 'string' && info.icon.startsWith('data:image/') && info.icon.length <= ICON_MAX
  const icon = isIcon ? info.icon! : ''
  return { info: { uuid: info.uuid, name: info.name.slice(0, 60), icon }, provider }
}

/** Providers at `window.ethereum`, which holds a list of them where several older wallets share it. */
function injectedWallets(nameless: string): AnnouncedWallet[] {
  const { ethereum } = window as { ethereum?: Injected }
  const list = Array.isArray(ethereum?.providers) && ethereum.providers.length > 0 ? (ethereum.providers as unknown[]) : [ethereum]
  return list.filter(isProvider).map((provider, i) => {
    const name = NAMES.find(([flag]) => (provider as Injected)[flag] === true)?.[1] ?? nameless
    return { info: { uuid: `window.ethereum ${i} ${name}`, name, icon: '' }, provider }
  })
}

const isProvider = (provider: unknown): provider is Provider =>
  typeof (provider as Partial<Provider> | null | undefined)?.request === 'function'
