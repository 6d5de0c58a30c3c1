import { setTimeout } from 'node:timers/promises'
import type { Node, Signer } from '@augury/chain/ports'
import { keyFileSigner, keySigner } from '@augury/chain/sign'
import type { Hex } from '@augury/wire/scalars'
import { keccak256 } from 'viem'
import type { Arguments, Flag, Session } from '../command.ts'
import { Failure } from '../failure.ts'
import { keyFilePath, passphraseOf } from '../find-key.ts'
import { openKeyFile, readKeyOwner } from '../key-file.ts'

/** The flag that names a file with a private key. */
export const walletKeyFlag: Flag = {
  value: 'PATH',
  about:
    'File with the private key of the wallet, 64 hex digits, that only you can read; else AUGURY_WALLET_KEY, else the wallet of the key file.',
}

/** Gas of a transaction: what is not used is not paid. An exit among a million accounts takes 140 000. */
const GAS = 500_000
/** Milliseconds for which a transaction may wait for its block, and between two looks. */
const PATIENCE = 600_000
const LOOK = 500

/** The wallet that sends: from a file, the environment, or the encrypted key file; else it is asked for. Throws a failure if it is not the account's. */
export async function findSigner(session: Session, { flag }: Arguments, account: Hex | null): Promise<Signer> {
  const signer = await signerOf(session, flag('wallet-key-file'))
  if (account !== null && signer.address !== account.toLowerCase())
    throw new Failure('other_wallet', `the key is of ${signer.address}, and only ${account} can do this`, 2)
  return signer
}

async function signerOf(session: Session, path: string | undefined): Promise<Signer> {
  try {
    return path === undefined ? keySigner(await walletKeyOf(session)) : await keyFileSigner(path)
  } catch (error) {
    // A key that is none, or a file that cannot be read.
    if (error instanceof RangeError || (error instanceof Error && 'syscall' in error)) throw new Failure('bad_wallet_key', error.message, 2)
    throw error
  }
}

/** The private key of the caller's wallet: from the environment, or the wallet that `augury login --new` made; else it is asked for. Throws a failure. */
export async function walletKeyOf(session: Session): Promise<Hex> {
  const { settings, terminal } = session
  const key = settings.auguryWalletKey ?? (await storedKey(session)) ?? (await terminal.askSecret('Private key of the wallet: '))
  if (!key) throw new Failure('no_wallet', 'set AUGURY_WALLET_KEY to the private key of the wallet, or use `augury login --new`', 2)
  return key as Hex
}

async function storedKey({ settings, terminal }: Session): Promise<string | null> {
  const path = keyFilePath(settings)
  if (!(await readKeyOwner(path))) return null
  return (await openKeyFile(path, await passphraseOf(settings, terminal, 'Passphrase of the key file: '))).walletKey ?? null
}

/** Sends a transaction and waits until its nonce is used. Returns its hash, which says nothing of what it did. Throws a failure. */
export async function sendTransaction(
  node: Node,
  signer: Signer,
  { chainId, to, data, value }: { chainId: number; to: Hex; data: Hex; value: bigint },
): Promise<Hex> {
  const latest = async () => {
    const head = await node.block('latest')
    if (!head) throw new Failure('rpc_garbage', 'the node has no block', 3)
    return head
  }
  const head = await latest()
  const [nonce, tip] = [await node.nonce(signer.address, head), await node.tip()]
  const maxFee = 2n * head.baseFee + tip
  const raw = await signer.sign({ chainId, nonce, to, data, gas: GAS, maxFee, tip, value })
  await node.send(raw)
  const until = Date.now() + PATIENCE
  while ((await node.nonce(signer.address, await latest())) <= nonce) {
    if (Date.now() > until) throw new Failure('not_mined', `transaction ${keccak256(raw)} waits for its block: run the same again later`, 3)
    await setTimeout(LOOK)
  }
  return keccak256(raw)
}
