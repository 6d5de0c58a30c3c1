/** Does something once what stands now has been painted. */
export const afterPaint = (work: () => void) => requestAnimationFrame(() => setTimeout(work))

/**
 * An attachment for a modal dialog. Asked to close, it is out of sight at once, and is closed after that paint: a page that can be reached again
 * has every element of it styled anew, and no press waits for that.
 */
export function leavesFirst(dialog: HTMLDialogElement): () => void {
  const leave = (event: Event) => {
    const { target } = event
    const isAsked = target === dialog || (target instanceof HTMLFormElement && target.method === 'dialog')
    if (!isAsked || event.defaultPrevented) return
    event.preventDefault()
    dialog.dataset.leaving = ''
    afterPaint(() => {
      delete dialog.dataset.leaving
      dialog.close()
    })
  }
  dialog.addEventListener('cancel', leave)
  dialog.addEventListener('submit', leave)
  return () => {
    dialog.removeEventListener('cancel', leave)
    dialog.removeEventListener('submit', leave)
  }
}
