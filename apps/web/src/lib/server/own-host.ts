import { ownOrigins } from '@augury/platform/identity/own-origins'

/**
 * Whether a request was meant for this site. A page that another name could reach would let that name's owner read it (DNS rebinding).
 * A sandbox also answers to the names of its own machine, on the port of its origin.
 */
export const isOwnHost = (host: string, settings: { origin: string; mode: string }): boolean =>
  ownOrigins(settings).some((origin) => new URL(origin).host === host)

/** Whether a page of this site, and of no other, may have sent this: what only reads may come from anywhere, a form brings its origin. */
export const isOwnForm = ({ method, headers }: Request, settings: { origin: string; mode: string }): boolean =>
  method === 'GET' || method === 'HEAD' || ownOrigins(settings).includes(headers.get('origin') ?? '')
