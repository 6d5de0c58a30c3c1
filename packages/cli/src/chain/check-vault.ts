import { compareVault } from '@augury/chain/compare'
import { exitState } from '@augury/chain/exit-state'
import { Halt } from '@augury/chain/node-error'
import { batchEnd, depositTotal, type VaultState, vaultState } from '@augury/chain/vault'
import { formatMicros } from '@augury/client/amounts'
import type { SignedRoot } from '@augury/wire/proof'
import type { Hex } from '@augury/wire/scalars'
import { isAddress } from 'viem'
import type { Arguments, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'
import { type Connected, connect } from './connect.ts'
import { readExitFile } from './exit-file.ts'

const usdc = (micros: number): string => `${formatMicros(String(micros))} USDC`
const NO_ACCOUNT: Hex = `0x${'00'.repeat(20)}`

/** Connects to the vault that a command names: by its address, or by an exit file. Throws a failure. */
export async function connectVault(session: Session, args: Arguments): Promise<Connected> {
  const [path, given] = [args.flag('exit-file'), args.flag('vault')]
  if (path !== undefined && given === undefined) {
    const { chain } = await readExitFile(path)
    return connect(session, args, { chainId: chain.id, address: chain.vault, rpcUrl: chain.rpc_url })
  }
  if (given === undefined || path !== undefined) throw misuse('name the vault by --vault or by --exit-file')
  if (!isAddress(given, { strict: false })) throw misuse('--vault is no address')
  return connect(session, args, { chainId: null, address: given, rpcUrl: null })
}

/** What a check of the vault found: for programs, and as rows for people. */
export interface VaultFinding {
  vault: Record<string, unknown>
  rows: string[][]
}

/**
 * Checks that the last root of the vault is one that the exchange signed, for exactly what came in less what was paid, and that the vault has all
 * deposits less all payments. Throws a failure.
 */
export async function checkVault(session: Session, args: Arguments, roots: readonly SignedRoot[]): Promise<VaultFinding> {
  const { node, vault, head } = await connectVault(session, args)
  const { token } = await exitState(node, vault, NO_ACCOUNT, head)
  const state = await vaultState(node, vault, head)
  const posted = state.root
  if (!posted) throw new Failure('no_posted_root', 'the vault has no root yet')
  const signed = roots.find(({ root, seq }) => `0x${root}` === posted.root && seq === posted.seq)
  if (!signed)
    throw new Failure(
      'bad_vault_root',
      `the vault’s root ${posted.n} (position ${posted.seq}) is none of the roots that the exchange signed`,
    )
  const end = await batchEnd(node, vault, posted.payments, head)
  const custody = (await depositTotal(node, vault, posted.deposits, head)) - (end?.total ?? 0)
  if (String(custody) !== signed.custody)
    throw new Failure('bad_custody', `root ${signed.n} owes ${formatMicros(signed.custody)} USDC, and the vault counts ${usdc(custody)}`)
  const held = await compareVault(node, vault, token, head).catch((error: unknown) => {
    if (error instanceof Halt) throw new Failure('vault_short', error.message)
    throw error
  })
  const condition = conditionOf(state)
  return {
    vault: { address: vault.address, root: signed.n, posted_at: posted.postedAt, ...(held ?? {}), condition },
    rows: [
      ['vault', `${vault.address}, ${condition}`],
      ['posted', `root ${signed.n}, ${ageOf(posted, head)}: deposits to ${posted.deposits}, payments to ${posted.payments}`],
      ...(held ? [['covers', `${usdc(held.balance)} in the vault, ${usdc(held.owed)} owed`]] : []),
    ],
  }
}

/** How the vault that a command names stands. Throws a failure. */
export async function vaultStanding(session: Session, args: Arguments): Promise<VaultFinding> {
  const { node, vault, head } = await connectVault(session, args)
  const state = await vaultState(node, vault, head)
  const { root, spent, limit } = state
  const condition = conditionOf(state)
  const age = root ? `root ${root.n}, ${ageOf(root, head)}` : 'no root yet'
  return {
    vault: {
      address: vault.address,
      chain_id: vault.chainId,
      block: head.number,
      root: root?.n ?? null,
      posted_at: root?.postedAt ?? null,
      spent,
      limit,
      condition,
    },
    rows: [
      ['chain', `${vault.chainId}, block ${head.number}`],
      ['vault', `${condition}, ${age}, ${usdc(spent)} of ${usdc(limit)} paid in 24 hours`],
    ],
  }
}

const conditionOf = ({ frozen, halted, paused }: VaultState): string =>
  frozen ? 'frozen: see augury exit' : halted ? 'halted after a veto' : paused ? 'paused' : 'working'

const ageOf = ({ postedAt }: { postedAt: number }, head: { at: number }): string => `${Math.floor((head.at - postedAt) / 60)} minutes old`
