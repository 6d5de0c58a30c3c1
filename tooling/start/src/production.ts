import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { openExchange } from '@augury/platform/exchange/exchange-access'
import { freePort } from '@augury/testing/free-port'

/**
 * The settings of a deployment on one machine as `deploy/make-env.sh` writes them, with its wallets filled in as that says. What the compose file
 * adds is the databases, whose places are on this machine here.
 */
export async function productionSettings(root: string): Promise<Record<string, string>> {
  const env = madeEnv(root)
  const own = openExchange({ clobUrl: 'http://127.0.0.1', platformWalletKey: env.PLATFORM_WALLET_KEY as `0x${string}` }).operatorAddress
  const pgPort = await freePort()
  const database = (name: string) => `postgres://postgres@127.0.0.1:${pgPort}/${name}`
  return {
    ...env,
    ...{ MODE: 'production', VENUE_ADDRESSES: own, OPERATOR_ADDRESSES: own },
    ...{ PG_PORT: String(pgPort), DATABASE_URL: database('platform'), CLOB_DATABASE_URL: database('clob') },
  }
}

function madeEnv(root: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-env-'))
  try {
    copyFileSync(join(root, 'deploy/make-env.sh'), join(folder, 'make-env.sh'))
    execFileSync('sh', [join(folder, 'make-env.sh'), 'site.example.org', 'exchange.example.org'])
    return parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>
  } finally {
    rmSync(folder, { recursive: true })
  }
}
