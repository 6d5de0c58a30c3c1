import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { referenceOf, type WithdrawalRow, type WithdrawalStatus } from './withdrawal-row.ts'

/** What of the exchange withdrawals need. */
export type Treasury = Pick<VenueClient, 'withdraw'>

/** Where a withdrawal stands after the exchange was asked, and why it refused if it did. */
export interface Standing {
  status: WithdrawalStatus
  refusal?: RefusedError
}

const STATUSES = { withdrawing: 'sent', settled: 'settled', returned: 'returned' } as const

/**
 * Asks the exchange to set the money aside, or where it stands if it did: asking twice is asking once, by the reference. Without an
 * answer, and where the exchange cannot say, the withdrawal stays as it is and is asked about again.
 */
export async function setAside(exchange: Treasury, row: WithdrawalRow): Promise<Standing> {
  try {
    const { status } = await exchange.withdraw({ body: { address: row.address, amount: row.amount, ref: referenceOf(row) } })
    if (status === 'deposited') throw new Error(`a withdrawal was taken for a deposit: ${row.id}`)
    return { status: STATUSES[status] }
  } catch (error) {
    if (error instanceof NoAnswerError) return { status: row.status }
    if (!(error instanceof RefusedError)) throw error
    if (error.status >= 500 || error.status === 429) return { status: row.status }
    // What was set aside once cannot be refused for want of money; anything else is for people to look at.
    if (row.status !== 'approved' || !isFinal(error)) throw error
    return { status: 'refused', refusal: error }
  }
}

/** The money is not there, or not the member's: an address that somebody else claims as a wallet has none of its own. */
const isFinal = ({ code }: RefusedError): boolean => ['insufficient_balance', 'invalid_amount', 'wallet_taken'].includes(code ?? '')
