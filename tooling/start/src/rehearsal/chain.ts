import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import type { ChainPlace } from '@augury/wire/platform/deposits'
import {
  createTestClient,
  defineChain,
  type Hex,
  http,
  isAddressEqual,
  type PrivateKeyAccount,
  parseEventLogs,
  parseSignature,
  publicActions,
  walletActions,
} from 'viem'

/** The vault's chain, as a wallet and a block explorer see it. */
export type Chain = ReturnType<typeof chainAt>

/** Opens the chain of a vault. `rpc`: its node, an Anvil. */
export function chainAt({ chain_id: id, vault, collateral }: ChainPlace, rpc: string, say: (line: string) => void) {
  const nativeCurrency = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id, name: 'rehearsal', nativeCurrency, rpcUrls: { default: { http: [rpc] } } })
  const node = createTestClient({ chain, mode: 'anvil', transport: http(rpc), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions)

  /** Waits for a transaction's receipt and says what a block explorer would. Throws if it was reverted. */
  async function receipt(what: string, hash: Hex): Promise<void> {
    const { status, blockNumber, gasUsed, logs } = await node.waitForTransactionReceipt({ hash })
    const events = parseEventLogs({ abi: vaultAbi, logs: logs.filter(({ address }) => isAddressEqual(address, vault)) })
    const seen = events.map(({ eventName, args }) => `${eventName}(${Object.values(args).join(', ')})`).join(' ')
    say(`  receipt of ${what}: ${hash}, block ${blockNumber}, ${status}, ${gasUsed} gas ${seen}`)
    if (status !== 'success') throw new Error(`${what} was reverted`)
  }
  const balanceOf = (owner: Hex): Promise<bigint> =>
    node.readContract({ abi: tokenAbi, address: collateral, functionName: 'balanceOf', args: [owner] })

  return {
    node,
    vault,
    receipt,
    balanceOf,
    /** Gives an account coins for gas, and test coins. */
    async fund(account: PrivateKeyAccount, amount: bigint): Promise<void> {
      await node.setBalance({ address: account.address, value: 10n ** 18n })
      const mint = { abi: tokenAbi, address: collateral, functionName: 'mint', args: [account.address, amount] } as const
      await receipt('minted test coins', await node.writeContract({ account, chain, ...mint }))
    },
    /** Deposits by the wallet: a permit, and one transaction. */
    async deposit(account: PrivateKeyAccount, amount: bigint): Promise<void> {
      const { address: owner } = account
      const deadline = (await node.getBlock()).timestamp + 3_600n
      const nonce = await node.readContract({ abi: tokenAbi, address: collateral, functionName: 'nonces', args: [owner] })
      const signature = await account.signTypedData({
        domain: { name: 'Test USDC', version: '1', chainId: id, verifyingContract: collateral },
        types: { Permit: ['owner:address', 'spender:address', 'value:uint256', 'nonce:uint256', 'deadline:uint256'].map(field) },
        primaryType: 'Permit',
        message: { owner, spender: vault, value: amount, nonce, deadline },
      })
      const { r, s, yParity } = parseSignature(signature)
      const args = [owner, amount, deadline, 27 + yParity, r, s] as const
      const hash = await node.writeContract({ account, chain, abi: vaultAbi, address: vault, functionName: 'depositWithPermit', args })
      await receipt('the deposit by permit', hash)
    },
    /** Sends test coins to an address. */
    async transfer(account: PrivateKeyAccount, to: Hex, amount: bigint): Promise<void> {
      const transfer = { abi: tokenAbi, address: collateral, functionName: 'transfer', args: [to, amount] } as const
      await receipt('the transfer', await node.writeContract({ account, chain, ...transfer }))
    },
    /** Lets the chain's clock go on. */
    async pass(days: number): Promise<void> {
      await node.increaseTime({ seconds: days * 86_400 + 1 })
      await node.mine({ blocks: 1 })
    },
    /** Sends as an account whose key is not known here: Anvil alone can do that. */
    async sendAs(from: Hex, to: Hex, data: Hex, value: bigint): Promise<void> {
      await node.impersonateAccount({ address: from })
      await node.setBalance({ address: from, value: 10n ** 18n })
      const hash = await node.sendTransaction({ account: from, chain, to, data, value, gas: 3_000_000n })
      const { status } = await node.waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`a transaction of ${from} was reverted: ${hash}`)
    },
  }
}

const field = (text: string) => {
  const [name = '', type = ''] = text.split(':')
  return { name, type }
}

/** Stops the node that listens on a port for some seconds, as a paused machine would. Linux only: it is found in /proc. */
export async function pauseNode(port: string, seconds: number, meanwhile: () => Promise<void>): Promise<void> {
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`\0--port\0${port}\0`)
    } catch {
      return false // ended, or not ours to read
    }
  })
  if (pid === undefined) throw new Error(`nothing with --port ${port} runs here`)
  process.kill(Number(pid), 'SIGSTOP')
  try {
    await meanwhile()
    await wait(seconds * 1000)
  } finally {
    process.kill(Number(pid), 'SIGCONT')
  }
}
