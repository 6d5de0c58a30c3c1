import { type LeavePlan, type LeaveSend, type Leaving, planLeaving } from '@augury/chain/leave'
import { parseUsdc } from '@augury/units/decimal'
import type { ExitFile } from '@augury/wire/exit-file'
import type { Hex } from '@augury/wire/scalars'
import { isAddress } from 'viem'
import { type Connected, connect, rpcFlag } from '../chain/connect.ts'
import { readExitFile } from '../chain/exit-file.ts'
import { findAccount } from '../chain/find-account.ts'
import { sendText, waitText } from '../chain/leave-texts.ts'
import { sha256 } from '../chain/mirrored-root.ts'
import { findSigner, sendTransaction, walletKeyFlag } from '../chain/send.ts'
import type { Arguments, Command, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'

/** A transaction that was sent. */
type Sent = LeaveSend & { transaction: Hex }

/** Takes an account's money out of the vault without the exchange. */
export const exit: Command = {
  usage: 'FILE [--mirror FOLDER] [--rpc URL] [--to ADDRESS] [--demand AMOUNT] [--from ADDRESSES] [--dry-run] [--wallet-key-file PATH]',
  about: 'Take your money out of the vault without the exchange, by your exit file. Run it again whenever it says that you have to wait.',
  flags: {
    mirror: { value: 'FOLDER', about: 'Folder of `augury mirror`; without it the exit file’s own proof or the exchange has to do.' },
    rpc: rpcFlag,
    to: { value: 'ADDRESS', about: 'Address that receives the money. Default: your own account.' },
    demand: {
      value: 'AMOUNT',
      about: 'While the vault is not frozen: demand so much. The exchange pays within 3 days, or anybody may freeze.',
    },
    from: {
      value: 'ADDRESSES',
      about: 'Addresses from which others deposited for you, with commas: what no root includes goes back to them.',
    },
    'dry-run': { about: 'Say what would be sent, with its calldata, and send nothing. Needs no key.' },
    'wallet-key-file': walletKeyFlag,
  },
  words: [1, 1],
  async run(session, args) {
    const file = await readExitFile(args.words[0]!)
    const demand = demandOf(args)
    const { id, vault, rpc_url } = file.chain
    const chain = await connect(session, args, { chainId: id, address: vault, rpcUrl: rpc_url })
    const leaving = leavingOf(session, args, file, chain)
    const isDry = args.given('dry-run')
    const { sent, plan } = isDry ? { sent: [], plan: await planLeaving(leaving, demand) } : await leave(session, args, leaving, demand)
    const lines = [
      ...(isDry ? plan.sends.map((send) => `${sendText(send)}\n  to ${send.to}, value ${send.value} wei\n  data ${send.data}`) : []),
      ...plan.waits.map(waitText),
      ...(plan.sends.length + plan.waits.length === 0 ? ['Nothing of yours is left in the vault.'] : []),
    ]
    const result = { account: file.account, frozen_at: plan.frozenAt || null, sent: sent.map(shown), waiting: plan.waits }
    session.show(isDry ? { ...result, would_send: plan.sends.map(shown) } : result, () => lines.join('\n'))
  },
}

/** Sends all that can be sent, round after round, until nothing is left or something has to be waited for. */
async function leave(
  session: Session,
  args: Arguments,
  leaving: Leaving,
  demand: number | null,
): Promise<{ sent: Sent[]; plan: LeavePlan }> {
  const { node, vault, account } = leaving
  const signer = await findSigner(session, args, account)
  const say = (line: string) => void (session.json || session.terminal.out(line))
  const sent: Sent[] = []
  for (let before = ''; ; ) {
    const plan = await planLeaving(leaving, sent.some(({ kind }) => kind === 'demand') ? null : demand)
    if (plan.sends.length === 0) return { sent, plan }
    const now = plan.sends.map(({ to, data }) => `${to} ${data}`).join()
    if (now === before) throw new Failure('no_progress', `this did not work: ${sendText(plan.sends[0]!)}`, 1, plan.sends.map(shown))
    before = now
    for (const send of plan.sends) {
      say(sendText(send))
      const transaction = await sendTransaction(node, signer, { ...send, chainId: vault.chainId })
      say(`  transaction ${transaction}`)
      sent.push({ ...send, transaction })
    }
  }
}

/** A transaction for programs: wei as text. */
const shown = (send: LeaveSend) => ({ ...send, value: String(send.value) })

function leavingOf({ terminal }: Session, { flag }: Arguments, file: ExitFile, { node, vault }: Connected): Leaving {
  const addresses = (name: string): Hex[] =>
    (flag(name)?.split(',') ?? []).map((text) => {
      if (!isAddress(text, { strict: false })) throw misuse(`--${name}: ${text} is no address`)
      return text.toLowerCase() as Hex
    })
  const [to, ...more] = addresses('to')
  if (more.length > 0) throw misuse('--to is one address')
  const account = file.account.toLowerCase() as Hex
  const cache = new Map<string, ReturnType<Leaving['find']>>()
  const find: Leaving['find'] = (known) => {
    const key = known.root + known.weights
    const found = cache.get(key) ?? findAccount(file, flag('mirror') ?? null, terminal, known)
    cache.set(key, found)
    return found
  }
  const factory = file.chain.deposit_factory.toLowerCase() as Hex
  return { node, sha256, vault, factory, account, salt: file.salt, to: to ?? account, senders: addresses('from'), find }
}

function demandOf({ flag }: Arguments): number | null {
  const text = flag('demand')
  if (text === undefined) return null
  try {
    return parseUsdc(text)
  } catch (error) {
    throw misuse(`--demand: ${(error as Error).message}`)
  }
}
