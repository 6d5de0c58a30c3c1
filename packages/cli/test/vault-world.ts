import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployContracts } from '@augury/chain/deploy'
import { postData } from '@augury/chain/roots'
import { keySigner } from '@augury/chain/sign'
import { wallClock } from '@augury/chain/wall-clock'
import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { weightsTree } from '@augury/contracts/weights'
import { migrateClob } from '@augury/domain/clob/database'
import { sha256 } from '@augury/signing/sha256'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { durableDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import type { SignedRoot } from '@augury/wire/proof'
import { getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CHAIN_ID, onToken, onVault, startAnvil, testDeployment } from '../../chain/test/anvil.ts'

const keys = { operator: '01', guardian: '02', alice: '0a', bob: '0b', carol: '0c' } as const
export type Name = keyof typeof keys
export const keyOf = (name: Name): Hex => `0x${keys[name].repeat(32)}`
export const walletOf = (name: Name) => privateKeyToAccount(keyOf(name))

/** A real exchange and a vault on a real Anvil, with what a settler does between them by hand. */
export async function vaultWorld() {
  const anvil = await startAnvil()
  const operator = walletOf('operator').address
  const { addresses, steps } = testDeployment({ operator, guardian: walletOf('guardian').address, demandFee: 1_000n })
  for (const name of Object.keys(keys) as Name[]) await anvil.ask('anvil_setBalance', walletOf(name).address, '0x8ac7230489e80000')
  const signer = keySigner(keyOf('operator'))
  await deployContracts({ node: anvil.node, clock: wallClock, signer, chainId: CHAIN_ID, patience: 30_000, dryRun: false }, steps)
  const server = await startClobServerProcess({
    ...{ databaseUrl: await durableDatabase('clob', migrateClob), operator },
    environment: { PROOF_EVERY: '604800' },
  })
  const { url } = server
  const clientOf = async (name: Name, scope: 'venue' | 'trade') =>
    venueClient({ url, apiKey: await createApiKey({ url, wallet: walletOf(name), scope }) })
  const venue = await clientOf('operator', 'venue')
  const folder = temporaryFolder('leave')
  const [vault, token] = [addresses.vault, addresses.token]
  const sent = { deposits: 0, payments: 0, posts: 0 }

  const send = (name: Name, to: Hex, data: Hex) => anvil.send(keySigner(keyOf(name)), to, data)
  const read = async (to: Hex, data: Hex): Promise<bigint> =>
    BigInt((await anvil.node.call([{ to, data }], (await anvil.node.block('latest'))!))[0]!)
  return {
    ...{ anvil, server, url, venue, clientOf, folder, vault, token, addresses, send, read },
    balanceOf: (owner: Hex) => read(token, onToken('balanceOf', owner)),
    /** Deposits in the vault, and credits it unless told otherwise. */
    async deposit(name: Name, amount: number, isCredited = true): Promise<void> {
      const { address } = walletOf(name)
      await send(name, token, onToken('mint', address, BigInt(amount)))
      await send(name, token, onToken('approve', vault, BigInt(amount)))
      await send(name, vault, onVault('deposit', address, BigInt(amount)))
      if (!isCredited) return
      const ref = `deposit:${CHAIN_ID}:${vault}:${++sent.deposits}`
      await venue.deposit({ body: { address, amount: String(amount), ref } })
    },
    /** Signs the state now, and posts it. */
    async post(): Promise<SignedRoot> {
      const root = await venue.cutStateRoot()
      const list = await venue.listRootWeights({ params: { n: String(root.n) } })
      const weights = weightsTree(
        sha256,
        list.map(({ market, weight }) => ({ condition: market as Hex, weight })),
      ).commitment
      const data = postData(++sent.posts, {
        ...root,
        custody: Number(root.custody),
        deposits: sent.deposits,
        payments: sent.payments,
        weights,
      })
      await send('operator', vault, data)
      return root
    },
    async pay(name: Name, amount: number): Promise<void> {
      const { address } = walletOf(name)
      const ref = `0x${String(++sent.payments).padStart(64, '0')}` as Hex
      await send('operator', vault, onVault('pay', [{ ref, account: address, to: address, amount: BigInt(amount) }]))
    },
    /** Writes a member's exit file, as the site gives it, and returns its path. */
    async exitFile(name: Name, rpcUrl: string): Promise<string> {
      const { salt, root, assets } = await (await clientOf(name, 'trade')).getBalanceProof()
      const place = { vault: getAddress(vault), collateral: getAddress(token), deposit_factory: getAddress(addresses.depositorFactory) }
      const file = {
        ...{ kind: 'augury exit file', version: 1, made_at: new Date().toISOString(), exchange: url },
        chain: { id: CHAIN_ID, name: 'Anvil', rpc_url: rpcUrl, ...place },
        ...{ account: walletOf(name).address, stream: root.stream, salt, proof: { root, assets } },
      }
      const path = join(folder, `${name}-${root.n}.json`)
      writeFileSync(path, JSON.stringify(file))
      return path
    },
    async pass(days: number): Promise<void> {
      await anvil.ask('evm_increaseTime', days * 86_400 + 1)
      await anvil.ask('evm_mine')
    },
    async close(): Promise<void> {
      await Promise.all([anvil.stop(), server.remove()])
    },
  }
}
