import { tick } from 'svelte'

/** Brings the focus near to where it was when what had it is gone: a key goes on from there, not from the top of the page. */
export async function refocus(near: () => HTMLElement | null | undefined): Promise<void> {
  await tick()
  if (document.activeElement === null || document.activeElement === document.body) near()?.focus()
}
