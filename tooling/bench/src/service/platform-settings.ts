import type { SiteSettings } from '@augury/platform/site/site'

/** Settings of a deployment whose exchange is away: nothing that is measured asks it. */
export const platformSettings = (databaseUrl: string, dataDir: string): SiteSettings => ({
  mode: 'production',
  databaseUrl,
  dataDir,
  origin: 'https://bench.test',
  chainId: 80002,
  keyRing: [{ id: '1', key: Buffer.alloc(32, 1) }],
  schedulerSecret: 'a secret of the scheduler of the bench',
  adminWallets: [],
  rpcUrl: null,
  clobUrl: 'http://127.0.0.1:9',
  publicClobUrl: 'http://127.0.0.1:9',
  openrouterUrl: 'http://127.0.0.1:9',
  swapUrl: 'http://127.0.0.1:9',
  uploadsUrl: null,
  platformWalletKey: `0x${'0e'.repeat(32)}`,
})
