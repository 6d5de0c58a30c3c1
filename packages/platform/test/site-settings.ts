import { tmpdir } from 'node:os'
import type { SiteSettings } from '../src/site/site.ts'

/** Settings of a test deployment on a database, without reachable external services. */
export const siteSettings = (databaseUrl: string, changes: Partial<SiteSettings> = {}): SiteSettings => ({
  mode: 'production',
  databaseUrl,
  origin: 'https://site.test',
  chainId: 80002,
  keyRing: [{ id: '1', key: Buffer.alloc(32, 1) }],
  schedulerSecret: 'a secret of the scheduler in tests',
  adminWallets: [],
  rpcUrl: null,
  dataDir: tmpdir(),
  openrouterUrl: 'http://127.0.0.1:9',
  swapUrl: 'http://127.0.0.1:9',
  uploadsUrl: null,
  clobUrl: 'http://127.0.0.1:9',
  publicClobUrl: 'https://clob.test',
  platformWalletKey: `0x${'0e'.repeat(32)}`,
  ...changes,
})
