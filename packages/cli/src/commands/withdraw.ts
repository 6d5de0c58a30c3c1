import { randomUUID } from 'node:crypto'
import { RefusedError } from '@augury/client/answer'
import { platformClient } from '@augury/client/platform'
import { type SecondFactor, signIn } from '@augury/client/sign-in'
import { isAddress } from 'viem'
import { walletKeyOf } from '../chain/send.ts'
import type { Command, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'
import { walletOf } from '../find-key.ts'

/** Asks the site to pay money out. */
export const withdraw: Command = {
  usage: 'AMOUNT ADDRESS --site URL [--ref UUID] | cancel UUID --site URL',
  about:
    'Withdraw USDC to an address. The site asks for your second factor; the vault pays once a root shows the withdrawal. Cancel it until the payment begins.',
  flags: {
    site: { value: 'URL', about: 'Address of the site where you are a member.' },
    ref: {
      value: 'UUID',
      about: 'Reference of the withdrawal. Requests with the same reference make one withdrawal. Default: random.',
    },
  },
  words: [2, 2],
  async run(session, { words: [amount = '', destination = ''], flag }) {
    const url = flag('site')
    const isCancel = amount === 'cancel'

    if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) throw misuse('--site is the address of the site')
    if (!isCancel && !isAddress(destination, { strict: false })) throw misuse(`${destination} is no address`)
    const ref = flag('ref') ?? randomUUID()
    const wallet = walletOf(await walletKeyOf(session))
    const { chain_id: chainId } = await session.visitor.getStatus()
    const { token } = await signIn({ url, wallet, chainId, secondFactor: () => askCode(session) })
    if (isCancel) {
      const cancelled = await platformClient({ url, token }).cancelWithdrawal({ params: { id: destination } })
      return session.show(cancelled, () => `${cancelled.id}: ${cancelled.status}`)
    }
    const made = await platformClient({ url, token })
      .requestWithdrawal({ body: { amount, destination, ref } })
      .catch((error: unknown) => {
        if (!(error instanceof RefusedError))
          session.terminal.error(`note: no answer came; ask again with --ref ${ref}, which makes no second withdrawal`)
        throw error
      })
    const until = made.held_until === null ? '' : ` until ${made.held_until}`
    session.show(made, () => `${amount} USDC to ${made.destination}: ${made.status}${until}, ${made.id}`)
  },
}

async function askCode({ terminal }: Session): Promise<SecondFactor> {
  const code = await terminal.askSecret('Code of your authenticator: ')
  if (!code) throw new Failure('second_factor_needed', 'this needs a person at the terminal who gives the code of the authenticator', 2)
  return { code: code.trim() }
}
