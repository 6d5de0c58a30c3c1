import type { Position } from '@augury/wire/data'
import type { Funds } from '@augury/wire/platform/portfolio'
import type { OpenOrder } from '@augury/wire/platform/trading'
import { version } from '$app/env'

/** What somebody had at a moment (Unix milliseconds), as their device keeps it to be looked at without a network. */
export interface PortfolioCopy {
  /** Address of whose it is. */
  owner: string
  at: number
  funds: Funds
  positions: Position[]
  orders: OpenOrder[]
}

/** Address of whoever the things on this device belong to, and the copy itself. */
const OWNER = 'augury.owner'
const COPY = 'augury.portfolio'
/** Pages that the service worker keeps. They may show what their reader has. */
const PAGES = /^pages-/
/** A copy that nobody renewed for so long tells nothing any more. */
const OLDEST_MS = 30 * 86_400_000

/** Whose pages these were when the first of them came. */
let first: string | null | undefined

/**
 * Says whose pages these are from now on: what the device keeps of anybody else is gone before it can be shown. A page that comes from the
 * device itself (`kept`) knows only who it was then: nothing is concluded from it.
 */
export async function ownedBy(address: string | null, kept: boolean): Promise<void> {
  if (first === undefined) first = address
  const store = storage()
  if (!store || store.getItem(OWNER) === address || (kept && address === first)) return
  await forgetOwner()
  if (address !== null) store.setItem(OWNER, address)
}

/** Whether another page tells that the things on this device are not those of `owner` any more: somebody signed in or out there. */
export const isOfAnother = ({ key, newValue }: StorageEvent, owner: string | null): boolean => key === OWNER && (newValue || null) !== owner

/** Forgets everything that this device keeps of anybody. */
export async function forgetOwner(): Promise<void> {
  storage()?.setItem(OWNER, '') // of what is gone already, as after signing out, other pages would not be told
  storage()?.removeItem(COPY)
  storage()?.removeItem(OWNER)
  if (!('caches' in globalThis)) return
  const pages = (await caches.keys()).filter((name) => PAGES.test(name))
  await Promise.all(pages.map((name) => caches.delete(name)))
}

/** Keeps a copy; false where the browser keeps nothing. */
export function keepPortfolio(copy: PortfolioCopy): boolean {
  try {
    storage()?.setItem(COPY, JSON.stringify({ ...copy, version }))
  } catch {
    return false // there is no room
  }
  return keepsPortfolio(copy.owner)
}

/** Whether a copy of somebody's portfolio is kept here. */
export const keepsPortfolio = (owner: string): boolean => read()?.owner === owner

/** Keeps none any more. */
export const dropPortfolio = (): void => storage()?.removeItem(COPY)

/** The copy of whoever this device's things belong to, where this build of the site wrote one lately. */
export function readPortfolio(now: number): PortfolioCopy | null {
  const copy = read()
  return copy && copy.version === version && copy.owner === storage()?.getItem(OWNER) && now - copy.at < OLDEST_MS ? copy : null
}

function read(): (PortfolioCopy & { version: string }) | null {
  const text = storage()?.getItem(COPY)
  return text ? JSON.parse(text) : null
}

/** Null where a browser is told to keep nothing. */
function storage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
