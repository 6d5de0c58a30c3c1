import { tick } from 'svelte'

/** Moves the focus nearby when the focused element was removed, so that keyboard users do not restart at the top. */
export async function refocus(near: () => HTMLElement | null | undefined): Promise<void> {
  await tick()
  if (isLost(document.activeElement)) near()?.focus()
}

const isLost = (focused: Element | null) => focused === null || focused === document.body

/**
 * What has the focus: a button that cannot be pressed for a while loses it. The returned function gives it back after that, or to what is near
 * where that button is gone.
 */
export function heldFocus(): (near?: () => HTMLElement | null | undefined) => Promise<void> {
  const held = document.activeElement as HTMLElement | null
  return (near) => refocus(() => (held?.isConnected ? held : near?.()))
}
