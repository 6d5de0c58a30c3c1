/** Does something once what stands now has been painted. */
export const afterPaint = (work: () => void) => requestAnimationFrame(() => setTimeout(work))

/**
 * Hears of every dialog that is asked to close: it is out of sight at once, and is closed after that paint. A page that can be reached again has
 * every element of it styled anew, and no press waits for that.
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
  })
}
