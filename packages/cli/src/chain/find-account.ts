import type { AccountAtRoot } from '@augury/chain/leave'
import { venueClient } from '@augury/client/rest'
import type { ExitFile } from '@augury/wire/exit-file'
import type { Hex } from '@augury/wire/scalars'
import type { Terminal } from '../terminal.ts'
import { accountIn, downloadRoot, type KnownRoot, readRoot } from './mirrored-root.ts'

/** Newest roots of the exchange among which one is looked for. */
const LOOKED_AT = 100

/**
 * Finds what an account had at the root that the vault knows: in a mirror, in the exit file itself, or at the exchange while it answers. Null if none of
 * them has it.
 */
export async function findAccount(
  file: ExitFile,
  mirror: string | null,
  terminal: Terminal,
  known: KnownRoot,
): Promise<AccountAtRoot | null> {
  const account = file.account.toLowerCase() as Hex
  const mirrored = mirror === null ? null : await readRoot(mirror, known)
  const own = mirrored && accountIn(mirrored, known, account, file.salt)
  if (own?.weights) return own
  const asked = await fromExchange(file, known).catch((error: unknown) => {
    terminal.error(`note: ${file.exchange} does not help: ${(error as Error).message}`)
    return null
  })
  if (asked) return accountIn(asked, known, account, file.salt)
  if (own) return own
  return `0x${file.proof.root.root}` === known.root ? { assets: file.proof.assets, weights: null } : null
}

async function fromExchange({ exchange }: ExitFile, known: KnownRoot) {
  const client = venueClient({ url: exchange })
  const { data } = await client.listStateRoots({ query: { limit: LOOKED_AT } })
  const root = data.find(({ root: each }) => `0x${each}` === known.root)
  return root ? downloadRoot(client, root) : null
}
