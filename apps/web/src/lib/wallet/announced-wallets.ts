/** Provider of a wallet extension (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

/** A wallet that announced itself to the page (EIP-6963). */
export interface AnnouncedWallet {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Provider
}

/** Calls `found` with the wallets of this browser, now and later, until the returned function is called. */
export function watchWallets(found: (wallet: AnnouncedWallet) => void): () => void {
  const onAnnounce = (event: Event) => found((event as CustomEvent<AnnouncedWallet>).detail)
  window.addEventListener('eip6963:announceProvider', onAnnounce)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => window.removeEventListener('eip6963:announceProvider', onAnnounce)
}
