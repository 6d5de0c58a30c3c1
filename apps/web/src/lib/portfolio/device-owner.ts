/** Storage keys of the owner of this device's data and of the copy of their portfolio. */
export const OWNER = 'augury.owner'
export const COPY = 'augury.portfolio'
/** Pages that the service worker keeps. They may show what their reader has. */
const PAGES = /^pages-/

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

/** Returns whether another tab signed `owner` out, or signed another member in. */
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

/** Returns null if the browser's settings block storage. */
export function storage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
