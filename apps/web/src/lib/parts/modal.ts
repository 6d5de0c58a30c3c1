/** Runs something after the next paint. */
export const afterPaint = (work: () => void) => requestAnimationFrame(() => setTimeout(work))

/**
 * Handles the request to close a dialog: hides it at once and closes it after the next paint. Closing restyles the whole page, which would
 * delay the response to the click.
 */
export function leave(event: Event): void {
  const target = event.target as HTMLElement
  const dialog = (target as HTMLFormElement).method === 'dialog' ? target.closest('dialog') : target
  if (!(dialog instanceof HTMLDialogElement) || event.defaultPrevented) return
  event.preventDefault()
  dialog.dataset.leaving = ''
  afterPaint(() => {
    delete dialog.dataset.leaving
    dialog.close()
    dialog.dispatchEvent(new Event('close')) // the browser's own comes later: a key may have opened the next dialog by then
  })
}
