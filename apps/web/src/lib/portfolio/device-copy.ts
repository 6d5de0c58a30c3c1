import type { Position } from '@augury/wire/data'
import type { Funds } from '@augury/wire/platform/portfolio'
import type { OpenOrder } from '@augury/wire/platform/trading'
import { version } from '$app/env'
import { COPY, OWNER, storage } from './device-owner.ts'

/** A member's portfolio at a time (Unix milliseconds), stored on the device for offline use. */
export interface PortfolioCopy {
  /** Address of whose it is. */
  owner: string
  at: number
  funds: Funds
  positions: Position[]
  orders: OpenOrder[]
}

/** The age at which a copy is too old to show. */
const OLDEST_MS = 30 * 86_400_000

/** Keeps a copy; false where the browser keeps nothing. */
export function keepPortfolio(copy: PortfolioCopy): boolean {
  try {
    storage()?.setItem(COPY, JSON.stringify({ ...copy, version }))
  } catch {
    return false // there is no room
  }
  return keepsPortfolio(copy.owner)
}

/** Returns whether this device keeps a copy of the owner's portfolio. */
export const keepsPortfolio = (owner: string): boolean => read()?.owner === owner

/** Keeps none any more. */
export const dropPortfolio = (): void => storage()?.removeItem(COPY)

/** Returns the recent copy of this device's owner, if this build of the site wrote one. */
export function readPortfolio(now: number): PortfolioCopy | null {
  const copy = read()
  return copy && copy.version === version && copy.owner === storage()?.getItem(OWNER) && now - copy.at < OLDEST_MS ? copy : null
}

function read(): (PortfolioCopy & { version: string }) | null {
  const text = storage()?.getItem(COPY)
  return text ? JSON.parse(text) : null
}
