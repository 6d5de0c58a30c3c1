import { ownOrigins } from '@augury/platform/identity/own-origins'

/**
 * Whether a request's host is this site. Answering to other names would let their owners read pages (DNS rebinding).
 * A sandbox also answers to loopback names, on the port of its origin.
 */
export const isOwnHost = (host: string, settings: { origin: string; mode: string }): boolean =>
  ownOrigins(settings).some((origin) => new URL(origin).host === host)

/** Whether a request is not from another site (CSRF): reads are always allowed, forms must have an own `Origin`. */
export const isOwnForm = ({ method, headers }: Request, settings: { origin: string; mode: string }): boolean =>
  method === 'GET' || method === 'HEAD' || ownOrigins(settings).includes(headers.get('origin') ?? '')
