import { exitState } from '@augury/chain/exit-state'
import { balancesOf } from '@augury/chain/token'
import { formatMicros } from '@augury/client/amounts'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { parseUsdc } from '@augury/units/decimal'
import type { Hex } from '@augury/wire/scalars'
import { encodeFunctionData, getAddress, isAddress } from 'viem'
import { connectVault } from '../chain/check-vault.ts'
import { exitFileFlag, rpcFlag, vaultFlag } from '../chain/connect.ts'
import { findSigner, sendTransaction, walletKeyFlag } from '../chain/send.ts'
import type { Command } from '../command.ts'
import { Failure, misuse } from '../failure.ts'

/** Deposits USDC of a wallet in the vault. */
export const deposit: Command = {
  usage: 'AMOUNT --vault ADDRESS [--rpc URL] [--account ADDRESS] [--wallet-key-file PATH]',
  about: 'Deposit USDC of your wallet in the vault. The exchange credits it when enough blocks are on top of it.',
  flags: {
    vault: vaultFlag,
    'exit-file': exitFileFlag,
    rpc: rpcFlag,
    account: { value: 'ADDRESS', about: 'Account to credit. Default: the wallet’s own.' },
    'wallet-key-file': walletKeyFlag,
  },
  words: [1, 1],
  async run(session, args) {
    const amount = readAmount(args.words[0]!)
    const given = args.flag('account')
    if (given !== undefined && !isAddress(given, { strict: false })) throw misuse('--account is no address')
    const { node, vault, head } = await connectVault(session, args)
    const signer = await findSigner(session, args, null)
    const account = (given ?? signer.address).toLowerCase() as Hex
    const { token, minDeposit, frozenAt } = await exitState(node, vault, account, head)
    if (frozenAt !== 0) throw new Failure('frozen', 'the vault is frozen and takes no deposits')
    if (amount < minDeposit) throw new Failure('too_small', `the smallest deposit is ${formatMicros(String(minDeposit))} USDC`)
    const [has] = await balancesOf(node, token, [signer.address], head)
    if (has! < amount) throw new Failure('insufficient_balance', `${signer.address} has ${formatMicros(String(has))} USDC`)
    const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [vault.address, BigInt(amount)] })
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [account, BigInt(amount)] })
    const { chainId } = vault
    await sendTransaction(node, signer, { chainId, to: token, data: approve, value: 0n })
    const transaction = await sendTransaction(node, signer, { chainId, to: vault.address, data, value: 0n })
    const after = (await node.block('latest'))!
    const [left] = await balancesOf(node, token, [signer.address], after)
    if (left! > has! - amount) throw new Failure('refused', `the vault did not take it: transaction ${transaction}`)
    session.show(
      { account: getAddress(account), amount: String(amount), transaction, block: after.number },
      () => `${formatMicros(String(amount))} USDC in the vault for ${getAddress(account)}: transaction ${transaction}`,
    )
  },
}

function readAmount(text: string): number {
  try {
    return parseUsdc(text)
  } catch (error) {
    throw misuse(`the amount: ${(error as Error).message}`)
  }
}
