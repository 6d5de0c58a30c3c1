import type { Position } from '@augury/wire/data'
import type { Funds } from '@augury/wire/platform/portfolio'
import type { OpenOrder } from '@augury/wire/platform/trading'
import { version } from '$app/env'
import { COPY, OWNER, storage } from './device-owner.ts'

/** What somebody had at a moment (Unix milliseconds), as their device keeps it to be looked at without a network. */
export interface PortfolioCopy {
  /** Address of whose it is. */
  owner: string
  at: number
  funds: Funds
  positions: Position[]
  orders: OpenOrder[]
}

/** A copy that nobody renewed for so long tells nothing any more. */
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
