/** Remembers on this device that a member saved their exit file; the file itself is never kept here. */
const KEY = 'augury.exit-file'

/** Whether the member saved the file on this device. */
export const keptExitFile = (address: string): boolean => localStorage.getItem(KEY) === address.toLowerCase()

/** Remembers it. */
export function rememberExitFile(address: string): void {
  try {
    localStorage.setItem(KEY, address.toLowerCase())
  } catch {
    // A full or closed storage: the member is asked again.
  }
}
