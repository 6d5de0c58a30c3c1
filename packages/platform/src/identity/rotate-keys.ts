import { stdout } from 'node:process'
import { keyRingSettings } from '@augury/settings/env'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { Vault } from '../crypto/vault.ts'
import { openPlatform } from '../site/platform.ts'
import { reseal } from './reseal.ts'

reportStartErrors('rotate-keys', { database: 'DATABASE_URL' })
const settings = keyRingSettings()
const platform = await openPlatform(settings.databaseUrl)
try {
  const { resealed, current, unreadable } = await reseal(platform, new Vault(settings.keyRing))
  stdout.write(`${resealed} values sealed anew, ${current} were up to date, ${unreadable} could not be opened.\n`)
  stdout.write(unreadable === 0 ? 'Older keys may leave KEY_RING.\n' : 'Leave every key in KEY_RING: another one may open them.\n')
  if (unreadable > 0) process.exitCode = 1
} finally {
  await platform.close()
}
