import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '@augury/signing/sha256'
import { hexBytes } from '@augury/signing/state-tree'
import { query } from '@augury/testing/connection'
import type { ExitFile } from '@augury/wire/exit-file'
import { getAddress, type Hex } from 'viem'
import type { Chain } from './chain.ts'

/** Runs `augury` with `--json` and returns what it says. */
export async function augury<Answer>(root: string, words: readonly string[], env: Record<string, string> = {}): Promise<Answer> {
  const args = [join(root, 'packages/cli/src/main.ts'), ...words, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { HOME: '/nonexistent', ...env }, maxBuffer: 2 ** 28 })
  return JSON.parse(stdout)
}

/** What `augury exit` says. */
export interface Left {
  sent: { kind: string; amount?: number; transaction: Hex }[]
  would_send?: { kind: string; to: Hex; data: Hex; value: string; amount?: number }[]
  waiting: { kind: string }[]
}

/**
 * Writes an exit file for every account that ever had money, as each member would have saved theirs: the exchange's database has the secret of
 * their salts. Returns the paths by account.
 */
export async function exitFiles(clobDatabase: string, own: ExitFile, folder: string): Promise<Map<Hex, string>> {
  const [row] = await query<{ secret: Buffer }>(clobDatabase, 'select secret from holder_salt where stream = $1', [own.stream])
  if (!row) throw new Error('the exchange keeps no secret of salts')
  const accounts = await query<{ account: Hex }>(
    clobDatabase,
    `select distinct '0x' || encode(account, 'hex') as account from ledger_entry`,
  )
  return new Map(
    accounts.map(({ account }) => {
      const salt = Buffer.from(sha256(Buffer.concat([row.secret, hexBytes(account)]))).toString('hex')
      const file: ExitFile = { ...own, account: getAddress(account), salt, proof: { ...own.proof, assets: [] } }
      const path = join(folder, `${account}.json`)
      writeFileSync(path, JSON.stringify(file))
      return [account, path]
    }),
  )
}

/** Rounds of one account: fixing results lets exits follow, a refund lets nothing follow. */
const ROUNDS = 8

/** Takes everything of an account out of the vault, as the account itself. Returns how many transactions that took. */
export async function leaveAs(root: string, chain: Chain, account: Hex, file: string, more: readonly string[]): Promise<number> {
  let count = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { would_send: sends = [], waiting } = await augury<Left>(root, ['exit', file, '--dry-run', ...more])
    if (sends.length === 0 && waiting.length === 0) return count
    if (sends.length === 0) throw new Error(`${account} waits: ${JSON.stringify(waiting.slice(0, 3))}`)
    for (const { to, data, value } of sends) await chain.sendAs(account, to, data, BigInt(value))
    count += sends.length
  }
  throw new Error(`${account} still has something after ${ROUNDS} rounds`)
}
