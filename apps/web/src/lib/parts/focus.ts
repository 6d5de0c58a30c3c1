import { tick } from 'svelte'

/** Moves the focus nearby when the focused element was removed, so that keyboard users do not restart at the top. */
export async function refocus(near: () => HTMLElement | null | undefined): Promise<void> {
  await tick()
  if (document.activeElement === null || document.activeElement === document.body) near()?.focus()
}
