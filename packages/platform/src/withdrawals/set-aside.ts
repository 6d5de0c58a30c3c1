import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { referenceOf, type WithdrawalRow, type WithdrawalStatus } from './withdrawal-row.ts'

/** The exchange operations that withdrawals need. */
export type Treasury = Pick<VenueClient, 'withdraw'>

/** The status of a withdrawal after the exchange was asked, and the reason if it refused. */
export interface Standing {
  status: WithdrawalStatus
  refusal?: RefusedError
}

const STATUSES = { withdrawing: 'sent', settled: 'settled', returned: 'returned' } as const

/**
 * Asks the exchange to set the money aside, or for the status if it did: idempotent by the reference. Without an answer, or where the
 * exchange cannot tell, the withdrawal stays as it is and is asked about again.
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
    // Once set aside, it cannot be refused for lack of money; anything else needs an operator.
    if (row.status !== 'approved' || !isFinal(error)) throw error
    return { status: 'refused', refusal: error }
  }
}

/**
 * Refusals that mean the money is not there, or not the member's: an address that another member claims as a wallet has none of its own.
 */
const isFinal = ({ code }: RefusedError): boolean => ['insufficient_balance', 'invalid_amount', 'wallet_taken'].includes(code ?? '')
