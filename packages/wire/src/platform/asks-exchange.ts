import type { RefusalCode } from '../refusals.ts'

/** Refusals of whatever asks the exchange, which may be away or have too much to do. */
export const answering = ['service_unavailable', 'standby', 'overloaded'] as const satisfies RefusalCode[]

/** The refusals of calls a site makes as itself, which the operator of the exchange may not allow. */
export const managing = [...answering, 'insufficient_scope'] as const satisfies RefusalCode[]
