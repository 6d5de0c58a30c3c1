import { rpcNode } from '@augury/chain/node'
import type { Block, Node } from '@augury/chain/ports'
import type { Vault } from '@augury/chain/vault'
import { wallClock } from '@augury/chain/wall-clock'
import type { Hex } from '@augury/wire/scalars'
import type { Arguments, Flag, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'

/** The flag that names a node. */
export const rpcFlag: Flag = { value: 'URL', about: 'A JSON-RPC node of the chain; else AUGURY_RPC_URL, else the one of the exit file.' }

/** Flags that name a vault. */
export const vaultFlag: Flag = { value: 'ADDRESS', about: 'The vault.' }
export const exitFileFlag: Flag = { value: 'FILE', about: 'An exit file, which names the vault.' }

/** A node that serves the vault, and its newest block. */
export interface Connected {
  node: Node
  head: Block
  vault: Vault
}

/** Connects to the chain of a vault. Throws a failure if no node is named, or it serves another chain, or nothing is deployed there. */
export async function connect(
  { settings }: Session,
  { flag }: Arguments,
  vault: { chainId: number | null; address: Hex; rpcUrl: string | null },
): Promise<Connected> {
  const url = flag('rpc') ?? settings.auguryRpcUrl ?? vault.rpcUrl
  if (url === null) throw new Failure('no_rpc', 'this needs a node of the chain: set AUGURY_RPC_URL, or give --rpc', 2)
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw misuse('--rpc is no address')
  const node = rpcNode({ url, clock: wallClock, fetch, timeout: 30_000 })
  const chainId = await node.chainId()
  if (vault.chainId !== null && chainId !== vault.chainId)
    throw new Failure('wrong_chain', `the node serves chain ${chainId}, and the vault is on chain ${vault.chainId}`)
  const head = await node.block('latest')
  const address = vault.address.toLowerCase() as Hex
  if (!head || (await node.code(address, head)) === '0x')
    throw new Failure('no_vault', `there is no contract at ${vault.address} on chain ${chainId}`)
  return { node, head, vault: { chainId, address, block: 0 } }
}
