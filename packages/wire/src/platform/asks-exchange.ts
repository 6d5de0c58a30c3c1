import type { RefusalCode } from '../refusals.ts'

/** Refusals of whatever asks the exchange, which may be away or have too much to do. */
export const answering = ['service_unavailable', 'standby', 'overloaded'] as const satisfies RefusalCode[]

/** The same of what a site asks as itself: whoever runs the exchange may not let it. */
export const managing = [...answering, 'insufficient_scope'] as const satisfies RefusalCode[]
