import { readFile, stat } from 'node:fs/promises'
import { type Hex, isAddress, numberToHex, parseTransaction, recoverTransactionAddress, type TransactionSerializedEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { askNode, type Endpoint } from './json-rpc.ts'
import type { Signer, Transaction } from './ports.ts'

/** Signs with a key given as 64 hex digits, with or without `0x`. Throws without repeating the text. */
export function keySigner(text: string): Signer {
  const digits = text.trim().replace(/^0x/, '')
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new RangeError('the key is not 64 hex digits')
  const account = accountOf(`0x${digits}`)
  return {
    address: account.address.toLowerCase() as Hex,
    sign: (transaction) => account.signTransaction(eip1559(transaction)),
  }
}

/** Signs with a key in a file that only its owner can read. */
export async function keyFileSigner(path: string): Promise<Signer> {
  if (((await stat(path)).mode & 0o077) !== 0) throw new RangeError(`${path} can be read by other users: chmod 600 it`)
  return keySigner(await readFile(path, 'utf8'))
}

/** Signs through Web3Signer (`eth_signTransaction`). What comes back must be exactly the transaction, signed by `address`. */
export function remoteSigner(endpoint: Endpoint, address: string): Signer {
  if (!isAddress(address, { strict: false })) throw new RangeError('the signer has no address')
  const from = address.toLowerCase() as Hex
  return {
    address: from,
    async sign(transaction) {
      const [raw] = await askNode(endpoint, [['eth_signTransaction', [rpcTransaction(from, transaction)]]])
      if (!(await isSigned(raw, from, transaction))) throw new Error('the remote signer returned another transaction than it was sent')
      return raw as Hex
    },
  }
}

function accountOf(key: Hex) {
  try {
    return privateKeyToAccount(key)
  } catch {
    throw new RangeError('the key is no secp256k1 key')
  }
}

const eip1559 = ({ chainId, nonce, to, data, gas, maxFee, tip, value = 0n }: Transaction) =>
  ({ type: 'eip1559', chainId, nonce, to, data, value, gas: BigInt(gas), maxFeePerGas: maxFee, maxPriorityFeePerGas: tip }) as const

const rpcTransaction = (from: Hex, { chainId, nonce, to, data, gas, maxFee, tip, value = 0n }: Transaction) => ({
  from,
  to,
  data,
  value: numberToHex(value),
  chainId: numberToHex(chainId),
  nonce: numberToHex(nonce),
  gas: numberToHex(gas),
  maxFeePerGas: numberToHex(maxFee),
  maxPriorityFeePerGas: numberToHex(tip),
})

/** Whether bytes are this transaction, signed by this address. */
async function isSigned(raw: unknown, from: Hex, wanted: Transaction): Promise<boolean> {
  if (typeof raw !== 'string' || !/^0x02([0-9a-f]{2})+$/i.test(raw)) return false
  try {
    const serializedTransaction = raw as TransactionSerializedEIP1559
    const given = parseTransaction(serializedTransaction)
    const isSame =
      given.chainId === wanted.chainId &&
      (given.nonce ?? 0) === wanted.nonce &&
      given.to?.toLowerCase() === wanted.to.toLowerCase() &&
      (given.data ?? '0x') === wanted.data.toLowerCase() &&
      (given.value ?? 0n) === (wanted.value ?? 0n) &&
      given.gas === BigInt(wanted.gas) &&
      (given.maxFeePerGas ?? 0n) === wanted.maxFee &&
      (given.maxPriorityFeePerGas ?? 0n) === wanted.tip &&
      (given.accessList ?? []).length === 0
    return isSame && (await recoverTransactionAddress({ serializedTransaction })).toLowerCase() === from
  } catch {
    return false
  }
}
