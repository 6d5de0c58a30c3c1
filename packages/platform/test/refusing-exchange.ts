import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { venueExamples } from '@augury/wire/documents/examples/venue'
import type { VenueOperationName } from '@augury/wire/operations/venue'
import { type RefusalCode, refusals } from '@augury/wire/refusals'
import type { ExchangeAccess } from '../src/exchange/exchange-access.ts'

/** The exchange's answer to a call: the code of its refusal, or null for the example of its document. */
type Say = (operation: VenueOperationName) => RefusalCode | null

/** Returns a deployment's clients of an exchange with scripted answers to every caller. */
export function refusingExchange(exchange: ExchangeAccess, say: Say): ExchangeAccess {
  const client = new Proxy({} as VenueClient, {
    get: (_, name) => {
      // A client that is awaited is asked whether it is a promise.
      if (typeof name !== 'string' || name === 'then') return undefined
      return async () => {
        const code = say(name as VenueOperationName)
        if (code) throw new RefusedError(refusals[code].status, { error: refusals[code].text, code }, undefined)
        return venueExamples[name as VenueOperationName]?.output
      }
    },
  })
  const operator = { address: exchange.operatorAddress, exchange: client }
  return {
    ...exchange,
    anybody: client,
    operator: async () => operator,
    treasury: async () => client,
    reader: async () => client,
    pages: () => client,
    as: () => client,
  }
}
