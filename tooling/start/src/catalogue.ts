import { readFile } from 'node:fs/promises'
import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import { seedCategories } from '@augury/platform/catalogue/usual-categories'
import { operatorClient } from '@augury/platform/exchange/operator-client'
import { sampleHistory } from '@augury/platform/prices/sample-history'
import { openPlatform } from '@augury/platform/site/platform'
import type { StartSettings } from '@augury/settings/env'
import { catalogueOf } from './data-folder.ts'

/**
 * Imports the catalogue, registers on the running exchange what is new, and gives new markets a sample history. Resolves with what there is; `tell` is called with
 * its progress.
 */
export async function openCatalogue(root: string, settings: StartSettings, tell: (detail: string) => void): Promise<string> {
  const text = await readFile(catalogueOf(root, settings.dataDir), 'utf8')
  const platform = await openPlatform(settings.databaseUrl)
  try {
    const { address, exchange } = await operatorClient({ url: settings.clobUrl, walletKey: settings.platformWalletKey })
    await seedCategories(platform)
    const { events, markets, registered } = await importCatalogue(platform, {
      text,
      creator: address,
      register: (body) => exchange.registerCondition({ body }),
      // A sandbox of any day has events to trade on: what is over by now comes again, with its texts.
      reopen: true,
      progress: (done, total) => tell(`${done} of ${total} markets`),
    })
    await sampleHistory(platform)
    return `${markets} markets in ${events} events${registered > 0 ? `, ${registered} new` : ''}`
  } finally {
    await platform.close()
  }
}
